#pragma once
// The paper's figures of the similarity scores before the top-K retrieval: heatmaps of the top-100 anchors,
// and score distributions of retrieved and all anchors. Only drawing.

#include "figures/recipe_paper_embeddings.h"

namespace casp::figures {

/// Scores shown in a run's heatmap.
struct ScoresOfRun {
    EmbeddedRun of;
    std::vector<std::int64_t> anchors;  ///< [a] rows of the map, in its order
    std::vector<std::int64_t> rows;     ///< [r] rows of the embeddings: columns of the map, in its order
    std::vector<float> values;          ///< [a, r] cosine similarity
};

/// A heatmap per condition, all on one colour scale.
[[nodiscard]] Figure score_heatmaps(const QString& cell, const std::vector<ScoresOfRun>& runs,
                                    const QString& note = {});

/// Histograms over [edges[i], edges[i + 1]) of one run.
struct DistributionOfRun {
    EmbeddedRun of;
    QColor colour;
    std::vector<double> edges;                 ///< [bins + 1] ascending; the same in all runs
    std::vector<std::int64_t> retrieved, all;  ///< [bins] pairs of row and anchor
    double mean_retrieved = 0, mean_all = 0;
};

/// Densities of the scores of all pairs and of the retrieved pairs, a plot each, a curve per condition.
[[nodiscard]] Figure score_distributions(const QString& cell, const std::vector<DistributionOfRun>& runs,
                                         const QString& note = {});

}  // namespace casp::figures
