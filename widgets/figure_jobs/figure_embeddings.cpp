#include "figure_jobs/figure_embeddings.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
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

FigureSource::FigureSource(std::vector<Phrase>& notes, FigureWork& work, std::stop_token stop)
    : notes_(notes), work_(work), stop_(std::move(stop)) {}

void FigureSource::note(const Phrase& text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

void FigureSource::left_out(const figures::RunInput& run, const Phrase& what, const std::exception& problem) {
    left_out(run, what, casp::plain_message(problem));
}

void FigureSource::left_out(const figures::RunInput& run, const Phrase& what, const Phrase& why) {
    note(Phrase("%1 is omitted from figures of %2: %3",
                std::filesystem::path(run.folder.toStdString()).filename().string(), what, why));
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
        note(Phrase("%1 has no anchors; omitted from figures of embeddings", name));
    } else if (!figures::capabilities(run).embeddings) {
        note(Phrase("%1 has no embeddings; omitted from figures of embeddings", name));
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
            note(Phrase("%1 has too few anchors or windows for figures of embeddings", name));
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

store::EmbeddingLayout FigureSource::layout_of(const figures::EmbeddedRun& run, const Phrase& what,
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

void FigureWork::begin_figure(std::size_t number) {
    figure_ = number;
    report({}, number);
}

void FigureWork::finish() { report({}, titles_.size()); }

ProgressFn FigureWork::progress(std::string subject, std::string of) {
    return [this, subject = std::move(subject), of = std::move(of)](const Progress& progress) {
        auto text = progress.stage.text() + of;
        if (!subject.empty()) text += " (" + subject + ")";
        if (text == stage_ && std::chrono::steady_clock::now() - reported_ < std::chrono::milliseconds(100))
            return;
        stage_ = text;
        if (progress.total > 0)
            text += ", " + std::to_string(progress.done) + " of " + std::to_string(progress.total) + " " +
                    progress.unit;
        report(text, figure_);
    };
}

void FigureWork::report(const std::string& doing, std::size_t done) {
    if (!listener_ || titles_.empty()) return;
    reported_ = std::chrono::steady_clock::now();
    const auto& title = titles_[figure_];
    const auto count = titles_.size();
    std::string line;
    if (count > 1) line = "Figure " + std::to_string(figure_ + 1) + " of " + std::to_string(count) + ": ";
    // Avoids "t-SNE: t-SNE of series".
    line += doing.empty() ? title : doing.starts_with(title) ? doing : title + " · " + doing;
    listener_({{Stage::other, line}, static_cast<std::int64_t>(100 * done / count), 100, "%"});
}

namespace {

/// Rows of stored embeddings between two checks for a stop request.
constexpr std::size_t rows_at_once = 8192;

void add_all(analysis::StreamedPca& series, analysis::StreamedPca& prompts, const store::Embeddings& all,
             const ProgressFn& progress, const std::stop_token& stop) {
    const auto d = static_cast<std::size_t>(all.dimension), total = all.series.size() / d;
    for (std::size_t row = 0; row < total; row += rows_at_once) {
        if (stop.stop_requested()) throw Cancelled();
        const auto count = std::min(rows_at_once, total - row);
        series.add(std::span(all.series).subspan(row * d, count * d));
        prompts.add(std::span(all.prompt).subspan(row * d, count * d));
        progress({{Stage::embedding, "test"},
                  static_cast<std::int64_t>(row + count),
                  static_cast<std::int64_t>(total),
                  "rows read"});
    }
}

}  // namespace

std::array<analysis::PrincipalAxes, 3> FigureSource::axes_of_all(const figures::EmbeddedRun& run) {
    constexpr std::int64_t components = 2;
    const auto& v = *run.values;
    analysis::StreamedPca anchors(v.dimension), series(v.dimension), prompts(v.dimension);
    anchors.add(v.anchors);
    const auto progress = progress_of(run);
    if (v.is_whole()) {
        series.add(v.series);
        prompts.add(v.prompt);
    } else {
        std::optional<store::Embeddings> all;
        try {
            all = stored_rows(*run.run);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // Computed instead; if that also fails, it reports the reason.
        }
        if (all) {
            add_all(series, prompts, *all, progress, stop_);
        } else {
            inspect::EmbeddingRequest request;
            request.run = run.run->folder.toStdString();
            request.errors = false;
            request.similarity = false;
            inspect::stream_embeddings(
                request,
                [&](const store::Embeddings& part) {
                    series.add(part.series);
                    prompts.add(part.prompt);
                },
                progress, stop_);
        }
    }
    if (stop_.stop_requested()) throw Cancelled();
    return {anchors.axes(components), series.axes(components), prompts.axes(components)};
}

std::vector<figures::PlanesOfRun> FigureSource::planes(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "principal components", [this](const figures::EmbeddedRun& run) {
        const auto axes = axes_of_all(run);
        const auto& v = *run.values;
        figures::PlanesOfRun planes;
        planes.of = run;
        planes.whole_split = true;
        for (const auto& [kind, values] :
             {std::pair{figures::kind_anchor, &v.anchors}, std::pair{figures::kind_series, &v.series},
              std::pair{figures::kind_prompt, &v.prompt}}) {
            const auto& of_kind = axes[planes.kinds.size()];
            figures::KindPlane plane;
            plane.kind = kind;
            plane.rows = of_kind.rows;
            plane.points = of_kind.points(*values);
            plane.centred = {of_kind.shares.centred.at(0), of_kind.shares.centred.at(1)};
            plane.uncentred = {of_kind.shares.uncentred.at(0), of_kind.shares.uncentred.at(1)};
            planes.kinds.push_back(std::move(plane));
        }
        return planes;
    });
}

namespace {

constexpr std::int64_t bins = 80;

/// Rows by channel, then by time, so that the samples of a channel are adjacent.
std::vector<std::int64_t> by_channel(const store::Embeddings& v) {
    std::vector<std::int64_t> rows;
    const auto m = static_cast<std::int64_t>(v.channels.size()),
               n = static_cast<std::int64_t>(v.windows.size());
    for (std::int64_t c = 0; c < m; ++c)
        for (std::int64_t w = 0; w < n; ++w) rows.push_back(w * m + c);
    return rows;
}

}  // namespace

std::vector<figures::ScoresOfRun> FigureSource::scores(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "scores", [this](const figures::EmbeddedRun& run) {
        const auto& v = *run.values;
        analysis::ScoreOptions options;
        options.order = analysis::AnchorOrder::index;
        const auto matrix = analysis::score_matrix(v.similarity, v.pool_size, v.retrieved, v.top_k, options,
                                                   stop_, progress_of(run));
        figures::ScoresOfRun scores;
        scores.of = run;
        scores.anchors = matrix.anchor;
        scores.rows = by_channel(v);
        scores.values.reserve(matrix.values.size());
        for (std::size_t a = 0; a < scores.anchors.size(); ++a)
            for (const auto row : scores.rows)
                scores.values.push_back(
                    matrix.values[a * scores.rows.size() + static_cast<std::size_t>(row)]);
        return scores;
    });
}

std::vector<figures::DistributionOfRun> FigureSource::distributions(const figures::PaperCell& cell) {
    const auto runs = embedded(cell);
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (const auto& run : runs)
        for (const float s : run.values->similarity) {
            if (!std::isfinite(s)) continue;  // the run will be omitted
            low = std::min(low, s);
            high = std::max(high, s);
        }
    std::optional<std::pair<double, double>> range;
    if (high > low) range.emplace(low, high);
    return of_each(runs, "scores", [&](const figures::EmbeddedRun& run) {
        const auto& v = *run.values;
        const auto scores = analysis::score_distributions(v.similarity, v.pool_size, v.retrieved, v.top_k,
                                                          bins, range, stop_, progress_of(run));
        figures::DistributionOfRun d;
        d.of = run;
        for (const auto& condition : cell.conditions)
            if (condition.label == run.label) d.colour = condition.colour;
        d.edges = scores.edges;
        d.all = scores.all.histogram;
        d.retrieved = scores.chosen.histogram;
        d.mean_all = scores.all.mean;
        d.mean_retrieved = scores.chosen.mean;
        return d;
    });
}

std::vector<figures::GateOfRun> FigureSource::gates(const figures::PaperCell& cell) {
    return of_each(embedded(cell), "the coverage gate", [&](const figures::EmbeddedRun& run) {
        const auto& v = *run.values;
        const auto& record = *run.run->record;
        const auto& steps = record.anchors.snapshot_step;
        const auto after = std::upper_bound(steps.begin(), steps.end(), record.attributes.best_step);
        const auto& all = record.anchors.coverage_statistic;
        const auto& config = run.run->config;
        if (config != nullptr && (config->coverage.term != "coverage" || config->coverage.gate != "min"))
            throw input_error(run.label.toStdString(), "the run has another gate than min(s⁺, c̃)");
        const auto pool = static_cast<std::size_t>(v.pool_size);
        const auto place = static_cast<std::size_t>(after - steps.begin()) * pool;
        const bool there = after != steps.begin() && *(after - 1) == record.attributes.best_step &&
                           all.size() >= place && !std::isnan(all[place - pool]);
        if (!there)
            throw input_error(run.label.toStdString(), "the run has no coverage statistic at its best step",
                              {}, "Take snapshots at the ends of epochs: run.snapshot_steps = 0.");
        figures::GateOfRun gate;
        gate.of = run;
        for (const auto& condition : cell.conditions)
            if (condition.label == run.label) gate.colour = condition.colour;
        gate.active = analysis::active_shares(v.similarity, std::span(all).subspan(place - pool, pool));
        gate.retrieved.assign(pool, 0);
        for (const auto anchor : v.retrieved)
            gate.retrieved[static_cast<std::size_t>(anchor)] += 1 / static_cast<double>(v.rows);
        return gate;
    });
}

void FigureSource::add_cosine_map(figures::AlignmentOfRun& alignment) {
    const auto& v = *alignment.of.values;
    const auto progress = progress_of(alignment.of);
    // Whole windows, so that every channel appears equally often.
    const auto m = static_cast<std::int64_t>(v.channels.size());
    for (const auto window : analysis::evenly_spaced(static_cast<std::int64_t>(v.windows.size()),
                                                     std::max<std::int64_t>(2, map_rows / m)))
        for (std::int64_t c = 0; c < m; ++c) alignment.map_rows.push_back(window * m + c);
    const auto d = static_cast<std::ptrdiff_t>(v.dimension);
    std::vector<float> series, prompts;
    for (const auto row : alignment.map_rows)
        for (const auto& [from, to] : {std::pair{&v.series, &series}, std::pair{&v.prompt, &prompts}})
            to->insert(to->end(), from->begin() + row * d, from->begin() + (row + 1) * d);
    alignment.cosine =
        analysis::cosine_map(series, prompts, v.dimension,
                             static_cast<std::int64_t>(alignment.map_rows.size()), stop_, progress)
            .values;
    const auto all = analysis::cosine_map(v.series, v.prompt, v.dimension, 1, stop_, progress);
    alignment.matching = all.diagonal_mean;
    alignment.others = all.off_diagonal_mean;
}

}  // namespace casp::figure_jobs
