#pragma once
// The paper's figures of the embedding space (principal components with explained variance, t-SNE by λ_cov,
// alignment of series and prompts) and of the similarity scores before the top-K retrieval. Only drawing: the
// input is computed beforehand.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "figures/paper_input.h"
#include "figures/recipe_embeddings.h"
#include "store/embeddings.h"

namespace casp::figures {

/// A run of a condition with the embeddings of a sample of its windows.
struct EmbeddedRun {
    QString label;  ///< of the condition: "λ_cov = 0.1"
    const RunInput* run = nullptr;
    std::shared_ptr<const store::Embeddings> values;
};

/// As kind_colour, but with Okabe and Ito's vermillion for the series: their orange is too pale on white and
/// would be darkened to brown.
[[nodiscard]] QColor paper_colour(int kind);

/// Channel name and window number of row `row` of series or prompts.
struct RowName {
    std::int64_t window = 0;
    QString channel;
};
[[nodiscard]] RowName row_name(const EmbeddedRun& run, std::int64_t row);

/// "146 windows × 7 channels, evenly spaced over the test split": what the rows are, for captions.
[[nodiscard]] QString sample_text(const store::Embeddings& values);

/// Training seed of the run, in the last column of the numbers; empty: unknown.
[[nodiscard]] QString training_seed_text(const EmbeddedRun& run);

/// One kind of embeddings on its own first two principal components.
struct KindPlane {
    int kind = kind_anchor;
    std::int64_t rows = 0;       ///< rows to which axes and variance refer: at least those of `points`
    std::vector<double> points;  ///< [n, 2] the embeddings of EmbeddedRun on the axes of the centred PCA
    /// Fraction of variance explained by PC1 and PC2: around the mean, and around zero (XᵀX / (n − 1), as in
    /// the paper). NaN: unknown.
    std::array<double, 2> centred{}, uncentred{};
};

struct PlanesOfRun {
    EmbeddedRun of;
    std::vector<KindPlane> kinds;
    bool whole_split =
        false;  ///< axes and variance refer to every window and channel, points to those in `of`
};

/// Anchors, series and prompts by condition, each on its own two principal components: kinds are the rows of
/// the grid, or its columns for fewer than three conditions. Each kind has the same axes throughout. The
/// numbers: a row per point, with n of its kind, the sample and the training seed.
[[nodiscard]] Figure pca_planes(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                const QString& note = {});

/// The table of explained variance as a figure: PC1 and PC1 + PC2 of each kind by condition, centred and
/// uncentred. The numbers: condition, kind, centring, n, PC1, PC2, total, sample, training seed.
[[nodiscard]] Figure pca_variance(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                  const QString& note = {});

/// The same table as LaTeX (booktabs) in the paper's layout, with n, the sample and `note`.
[[nodiscard]] QString pca_table_latex(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                      const QString& note = {});

struct LayoutOfRun {
    EmbeddedRun of;
    store::EmbeddingLayout layout;  ///< joint layout of anchors, series and prompts
};

/// A plot per condition of a joint t-SNE of all three kinds: anchors blue, series orange, prompts green.
/// Equal scales. The caption states perplexity, iterations, seed and each plot's KL divergence.
[[nodiscard]] Figure tsne_planes(const QString& cell, const std::vector<LayoutOfRun>& runs,
                                 const QString& note = {});

/// Separate layouts of series and prompts of one run, and their alignment.
struct AlignmentOfRun {
    EmbeddedRun of;
    store::EmbeddingLayout series, prompts;  ///< a t-SNE each
    std::vector<std::int64_t> map_rows;      ///< rows of the heatmap, in its order
    std::vector<float> cosine;               ///< [m, m] series (rows) against prompts (columns)
    /// Mean cosine of series and prompt of the same row and of different rows, over the whole sample.
    double matching = store::not_known, others = store::not_known;
};

/// One row of three plots per condition: series, prompts, and the heatmap of their cosine similarity, on a
/// common colour scale.
[[nodiscard]] Figure alignment(const QString& cell, const std::vector<AlignmentOfRun>& runs,
                               const QString& note = {});

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
