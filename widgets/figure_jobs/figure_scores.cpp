// Similarity scores and cosines for the figures, computed from embeddings (FigureSource).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/scores.h"
#include "figure_jobs/figure_embeddings.h"

namespace casp::figure_jobs {

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
