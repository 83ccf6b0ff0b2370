#include "figure_jobs/figure_embeddings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
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

/// The rows of the chosen windows and channels from all rows [windows_total · channels_total, width].
std::vector<float> rows_of(const std::vector<float>& all, std::size_t width,
                           const store::Embeddings& chosen) {
    std::vector<float> result;
    if (all.empty()) return result;
    result.reserve(static_cast<std::size_t>(chosen.rows) * width);
    for (const auto window : chosen.windows)
        for (const auto channel : chosen.channels) {
            const auto from =
                all.begin() + static_cast<std::ptrdiff_t>(
                                  static_cast<std::size_t>(window * chosen.channels_total + channel) * width);
            result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(width));
        }
    return result;
}

/// Whether the numbers are 0, 1, 2, …; an empty list counts as such.
bool in_order(const std::vector<std::int64_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (!std::cmp_equal(numbers[i], i)) return false;
    return true;
}

/// Whether arrays.h5 holds embeddings of every test window and channel, and they fit into memory.
bool holds_all_rows(const std::filesystem::path& file, const figures::RunInput& run) {
    if (!std::filesystem::exists(file) || run.record == nullptr) return false;
    const auto channels = static_cast<std::int64_t>(run.record->data.channel_names.size());
    const auto splits = store::forecast_splits(file);
    if (channels <= 0 || std::find(splits.begin(), splits.end(), "test") == splits.end()) return false;
    store::check_same_run(store::read_forecast_errors(file, "test"), *run.record, "test", file);
    // Stored by run.store_embeddings or on request; only complete sets are used.
    const auto rows = store::read_forecast_shape(file, "test").windows * channels;
    const auto entries = store::embedding_entries(file);
    const auto best = std::find_if(entries.begin(), entries.end(), [&](const store::EmbeddingEntry& entry) {
        return entry.split == "test" && entry.at == "best" && entry.rows == rows;
    });
    // Larger sets are computed again, part by part.
    return best != entries.end() && rows * best->dimension * 8 <= (std::int64_t{2} << 30);
}

}  // namespace

StoredParts stored_parts(const figures::RunInput& run) {
    StoredParts stored;
    try {
        const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
        if (run.record == nullptr || !std::filesystem::exists(file)) return stored;
        const auto splits = store::forecast_splits(file);
        stored.errors = std::find(splits.begin(), splits.end(), "test") != splits.end();
        stored.embeddings = stored.errors && holds_all_rows(file, run);
    } catch (const std::exception&) {
        // The code that needs the file reports the problem.
    }
    return stored;
}

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

std::optional<store::Embeddings> FigureSource::stored_rows(const figures::RunInput& run) {
    const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
    if (!holds_all_rows(file, run)) return std::nullopt;
    const auto rows = static_cast<std::int64_t>(run.record->data.channel_names.size()) *
                      store::read_forecast_shape(file, "test").windows;
    auto all = store::read_embedding(file, "test");
    // The figures show prompts as the mean over the anchors and all patches, not over the anchors only.
    if (all.prefix_only || all.patches != 1) return std::nullopt;
    // The number of rows does not guarantee their order.
    if (!in_order(all.windows) || !in_order(all.channels)) return std::nullopt;
    const auto values = static_cast<std::size_t>(rows * all.dimension);
    if (values == 0 || all.series.size() != values || all.prompt.size() != values) return std::nullopt;
    return all;
}

std::shared_ptr<const store::Embeddings> FigureSource::stored(const figures::RunInput& run) {
    const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
    if (!holds_all_rows(file, run)) return nullptr;
    const FigureWork::Step step(work_, FigureTask::reading, run.label.toStdString());
    const auto found = stored_rows(run);
    if (!found) return nullptr;
    const auto& all = *found;
    const auto channels = static_cast<std::int64_t>(run.record->data.channel_names.size());
    const auto shape = store::read_forecast_shape(file, "test");
    if (shape.channels != channels) return nullptr;
    const auto d = static_cast<std::size_t>(all.dimension);
    auto chosen = std::make_shared<store::Embeddings>();
    chosen->dimension = all.dimension;
    chosen->pool_size = all.pool_size;
    chosen->top_k = figures::top_k(run);
    chosen->windows_total = shape.windows;
    chosen->channels_total = channels;
    chosen->channels = sample_channels(channels);
    chosen->windows = analysis::evenly_spaced(
        shape.windows, sample_windows(static_cast<std::int64_t>(chosen->channels.size())));
    chosen->rows = static_cast<std::int64_t>(chosen->windows.size() * chosen->channels.size());
    chosen->anchors = all.anchors;
    chosen->series = rows_of(all.series, d, *chosen);
    chosen->prompt = rows_of(all.prompt, d, *chosen);
    chosen->similarity = inspect::cosines_of(*chosen);
    chosen->split = "test";
    chosen->weights = "best";
    chosen->step = run.record->attributes.best_step;
    for (const auto window : chosen->windows) {
        const auto one = store::read_forecast(file, "test", window, 1);
        if (one.top_k != chosen->top_k || one.retrieved.empty()) return nullptr;
        chosen->start.push_back(one.start.front());
        for (const auto channel : chosen->channels)
            chosen->retrieved.insert(chosen->retrieved.end(), one.retrieved.begin() + channel * one.top_k,
                                     one.retrieved.begin() + (channel + 1) * one.top_k);
    }
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
    FigureWork::Step step(work_, FigureTask::embeddings, run.label.toStdString());
    return std::make_shared<const store::Embeddings>(
        inspect::compute_embeddings(request, step.progress({{}, 0, 1, "embedding"}), stop_));
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
    FigureWork::Step step(work_, FigureTask::tsne, run.run->label.toStdString());
    analysis::TsneOptions options;
    options.perplexity = figure_perplexity;
    options.seed = figure_seed;
    return analysis::tsne(anchors, series, prompts, run.values->dimension, options,
                          step.progress({what, 0, 1, "t-SNE"}), stop_);
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
        FigureWork::Step step(work_, FigureTask::cosines, run.run->label.toStdString());
        add_cosine_map(alignment, v, step);
        return alignment;
    });
}

}  // namespace casp::figure_jobs
