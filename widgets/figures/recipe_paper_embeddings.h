#pragma once
// The paper's figures of the embedding space: principal planes with their table of variance, t-SNE over
// λ_cov, alignment of series and prompts. Pure drawing: what is drawn was computed before.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "figures/paper_input.h"
#include "figures/recipe_embeddings.h"
#include "inspect/window_embeddings.h"

namespace casp::figures {

/// A run of a condition with the embeddings of a sample of its windows.
struct EmbeddedRun {
    QString label;  ///< of the condition: "λ_cov = 0.1"
    const RunInput* run = nullptr;
    std::shared_ptr<const inspect::RunEmbeddings> values;
};

/// kind_colour, but with Okabe and Ito's vermillion for the series: their orange is so pale on white that it
/// would be darkened to brown.
[[nodiscard]] QColor paper_colour(int kind);

/// "OT" and the window's number of row `row` of series or prompts.
struct RowName {
    std::int64_t window = 0;
    QString channel;
};
[[nodiscard]] RowName row_name(const EmbeddedRun& run, std::int64_t row);

/// "146 windows × 7 channels, evenly spaced over the test split": what the rows are, for captions.
[[nodiscard]] QString sample_text(const inspect::RunEmbeddings& values);

/// The seed that the run was trained with, in the numbers' last column; empty: not known.
[[nodiscard]] QString training_seed_column();
[[nodiscard]] QString training_seed_text(const EmbeddedRun& run);

/// One kind of embeddings on its own first two principal components.
struct KindPlane {
    int kind = kind_anchor;
    std::int64_t rows = 0;       ///< that axes and shares are of: at least those of `points`
    std::vector<double> points;  ///< [n, 2] the embeddings of EmbeddedRun on the axes of the centred PCA
    /// Shares of the variance on PC1 and PC2: around the mean, and around zero (XᵀX / (n − 1) as the paper
    /// writes it). NaN: not known.
    std::array<double, 2> centred{}, uncentred{};
};

struct PlanesOfRun {
    EmbeddedRun of;
    std::vector<KindPlane> kinds;
    bool whole_split = false;  ///< axes and shares are of every window and channel, points of those in `of`
};

/// Anchors, series and prompts by condition, each on its own principal plane: kinds are the rows of the grid,
/// of fewer than three conditions its columns. Each kind has the same axes throughout. The numbers: a row per
/// point, with n of its kind, what is drawn and the training's seed.
[[nodiscard]] Figure pca_planes(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                const QString& note = {});

/// The table of variance as a picture: PC1 and PC1 + PC2 of each kind over the conditions, centred and
/// uncentred. The numbers: condition, kind, centring, n, PC1, PC2, total, which rows, the training's seed.
[[nodiscard]] Figure pca_variance(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                  const QString& note = {});

/// The same table as LaTeX (booktabs), laid out like the paper's, and as Markdown; both tell n, which rows,
/// and `note`.
[[nodiscard]] QString pca_table_latex(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                      const QString& note = {});
[[nodiscard]] QString pca_table_markdown(const QString& cell, const std::vector<PlanesOfRun>& runs,
                                         const QString& note = {});

struct LayoutOfRun {
    EmbeddedRun of;
    store::EmbeddingLayout layout;  ///< anchors, series and prompts in one plane
};

/// A plot per condition of all three kinds in one t-SNE: anchors blue, series orange, prompts green. Equal
/// scales. The caption tells perplexity, iterations, seed and each plot's KL divergence.
[[nodiscard]] Figure tsne_planes(const QString& cell, const std::vector<LayoutOfRun>& runs,
                                 const QString& note = {});

/// Series and prompts of one run apart, and how they align.
struct AlignmentOfRun {
    EmbeddedRun of;
    store::EmbeddingLayout series, prompts;  ///< a t-SNE each
    std::vector<std::int64_t> map_rows;      ///< rows that the map shows, in its order
    std::vector<float> cosine;               ///< [m, m] series (rows) against prompts (columns)
    /// Mean cosine of a row's own series and prompt, and of different rows', over the whole sample.
    double matching = store::not_known, others = store::not_known;
};

/// Per condition a row of three plots: series, prompts, and the map of their cosine similarity, whose colours
/// have one scale.
[[nodiscard]] Figure alignment(const QString& cell, const std::vector<AlignmentOfRun>& runs,
                               const QString& note = {});

}  // namespace casp::figures
