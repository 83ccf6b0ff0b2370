#include "figure_jobs/figure_embeddings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "analysis/scores.h"
#include "analysis/tsne.h"
#include "inspect/stored_embeddings.h"
#include "inspect/window_embeddings.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/out_of_memory.h"

namespace casp::figure_jobs {

namespace {

std::vector<std::int64_t> sample_channels(std::int64_t channels) {
    return analysis::evenly_spaced(channels, figure_channels);
}

std::int64_t sample_windows(std::int64_t channels) {
    return std::max<std::int64_t>(2, figure_rows / std::max<std::int64_t>(1, channels));
}

/// The rows of the chosen windows and channels (positions) of `all` [windows, channels, …].
template <class T>
std::vector<T> rows_of(const std::vector<T>& all, const store::Embeddings& whole,
                       const std::vector<std::int64_t>& windows, const std::vector<std::int64_t>& channels) {
    const auto width = std::ssize(all) / whole.rows;
    std::vector<T> result;
    for (const auto window : windows)
        for (const auto channel : channels) {
            const auto from = all.begin() + (window * std::ssize(whole.channels) + channel) * width;
            result.insert(result.end(), from, from + width);
        }
    return result;
}

}  // namespace

FigureSource::FigureSource(std::vector<std::string>& notes, FigureWork& work, std::stop_token stop)
    : notes_(notes), work_(work), stop_(std::move(stop)) {}

void FigureSource::note(const std::string& text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

void FigureSource::left_out(const figures::RunInput& run, const std::string& what,
                            const std::exception& problem) {
    left_out(run, what, casp::plain_message(problem));
}

void FigureSource::left_out(const figures::RunInput& run, const std::string& what, const std::string& why) {
    note(std::filesystem::path(run.folder.toStdString()).filename().string() +
         " is omitted from figures of " + what + ": " + why);
}

std::optional<store::Embeddings> FigureSource::stored_rows(const figures::RunInput& run) const {
    const std::filesystem::path folder = run.folder.toStdString();
    if (run.record == nullptr) return std::nullopt;
    auto all = inspect::read_stored_embeddings(folder, "test", {}, stop_);
    // The figures show prompts as the mean over the anchors and all patches, not over the anchors only.
    if (!all || !all->is_whole() || all->prefix_only || all->patches != 1 || all->retrieved.empty() ||
        all->top_k != figures::top_k(run) || all->prompt.size() != all->series.size() ||
        std::cmp_not_equal(all->channels_total, run.record->data.channel_names.size()))
        return std::nullopt;
    const auto file = store::RunFolder(folder).arrays_file();
    store::check_same_run(store::read_forecast_errors(file, "test"), *run.record, "test", file);
    return all;
}

std::shared_ptr<const store::Embeddings> FigureSource::stored(const figures::RunInput& run) const {
    const auto all = stored_rows(run);
    if (!all) return nullptr;
    const auto channels = sample_channels(std::ssize(all->channels)),
               windows =
                   analysis::evenly_spaced(std::ssize(all->windows), sample_windows(std::ssize(channels)));
    auto chosen = std::make_shared<store::Embeddings>();
    chosen->split = all->split;
    chosen->weights = all->weights;
    chosen->step = run.record->attributes.best_step;
    chosen->dimension = all->dimension;
    chosen->pool_size = all->pool_size;
    chosen->top_k = all->top_k;
    chosen->windows_total = all->windows_total;
    chosen->channels_total = all->channels_total;
    for (const auto channel : channels)
        chosen->channels.push_back(all->channels[static_cast<std::size_t>(channel)]);
    for (const auto window : windows) {
        chosen->windows.push_back(all->windows[static_cast<std::size_t>(window)]);
        chosen->start.push_back(all->start[static_cast<std::size_t>(window)]);
    }
    chosen->rows = std::ssize(windows) * std::ssize(channels);
    chosen->anchors = all->anchors;
    chosen->series = rows_of(all->series, *all, windows, channels);
    chosen->prompt = rows_of(all->prompt, *all, windows, channels);
    chosen->retrieved = rows_of(all->retrieved, *all, windows, channels);
    chosen->similarity = inspect::cosines_of(*chosen);
    if (!chosen->count_usage()) return nullptr;  // not what this program stored
    return chosen;
}

std::shared_ptr<const store::Embeddings> FigureSource::computed(const figures::RunInput& run) {
    inspect::EmbeddingRequest request;
    request.run = run.folder.toStdString();
    request.errors = false;
    const auto channels = run.record != nullptr
                              ? static_cast<std::int64_t>(run.record->data.channel_names.size())
                              : std::int64_t{0};
    if (channels > figure_channels) request.channels = sample_channels(channels);
    request.windows = sample_windows(std::min(std::max<std::int64_t>(channels, 1), figure_channels));
    return std::make_shared<const store::Embeddings>(
        inspect::compute_embeddings(request, work_.progress(run.label.toStdString()), stop_));
}

std::shared_ptr<const store::Embeddings> FigureSource::embeddings(const figures::RunInput& run) {
    if (const auto found = kept_.find(run.folder); found != kept_.end()) return found->second;
    std::shared_ptr<const store::Embeddings> values;
    const auto name = std::filesystem::path(run.folder.toStdString()).filename().string();
    if (!figures::capabilities(run).anchors) {
        note(name + " has no anchors; omitted from figures of embeddings");
    } else if (!figures::capabilities(run).embeddings) {
        note(name + " has no embeddings; omitted from figures of embeddings");
    } else {
        try {
            values = stored(run);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // Computed instead; if that also fails, it reports the reason.
        }
        try {
            if (!values) values = computed(run);
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& problem) {
            left_out(run, "embeddings", problem);
        }
        if (values && (values->pool_size < 2 || values->rows < 2 || values->prompt.empty())) {
            note(name + " has too few anchors or windows for figures of embeddings");
            values = nullptr;
        }
    }
    kept_[run.folder] = values;
    return values;
}

std::vector<figures::EmbeddedRun> FigureSource::embedded(const figures::PaperCell& cell) {
    const auto shown =
        figures::runs_to_show(cell, [this](const auto& run) { return embeddings(run) != nullptr; });
    std::vector<figures::EmbeddedRun> result;
    for (std::size_t c = 0; c < shown.size(); ++c)
        if (shown[c] != nullptr)
            result.push_back({cell.conditions[c].label, shown[c], embeddings(*shown[c])});
    return result;
}

store::EmbeddingLayout FigureSource::layout_of(const figures::EmbeddedRun& run, const std::string& what,
                                               std::span<const float> anchors, std::span<const float> series,
                                               std::span<const float> prompts) {
    analysis::TsneOptions options;
    options.perplexity = figure_perplexity;
    options.seed = figure_seed;
    return analysis::tsne(anchors, series, prompts, run.values->dimension, options, progress_of(run, what),
                          stop_);
}

std::vector<figures::LayoutOfRun> FigureSource::layouts(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "t-SNE", [this](const figures::EmbeddedRun& run) {
        const auto& v = *run.values;
        return figures::LayoutOfRun{run, layout_of(run, {}, v.anchors, v.series, v.prompt)};
    });
}

std::vector<figures::AlignmentOfRun> FigureSource::alignments(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "alignment", [this](const figures::EmbeddedRun& run) {
        const auto& v = *run.values;
        figures::AlignmentOfRun alignment;
        alignment.of = run;
        alignment.series = layout_of(run, " of series", {}, v.series, {});
        alignment.prompts = layout_of(run, " of prompts", {}, {}, v.prompt);
        add_cosine_map(alignment);
        return alignment;
    });
}

}  // namespace casp::figure_jobs
