#pragma once
// Retrieval statistics of the shown runs: a row per run and usage (in training, over the test windows), and
// pairwise overlaps. Pure functions of plain values; any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "analysis/usage.h"
#include "figures/figure.h"
#include "figures/recipe_anchors.h"

namespace casp::widgets {

/// Maximum number of compared rows; a note reports omissions.
inline constexpr std::size_t max_retrieval_rows = 64;

/// One usage of a run's anchor pool.
struct RetrievalRow {
    QString folder;      ///< of the run
    QString run;         ///< its name on the page (names_among)
    QString name;        ///< short and unique: "λ_cov 0.1, test"
    QColor colour;       ///< of the run
    QString lambda_cov;  ///< "0.1"; "off" without coverage, "–" if unknown
    std::optional<std::int64_t> seed;
    std::int64_t top_k = 0;  ///< K; 0: unknown
    figures::UsageOf of = figures::UsageOf::training;
    std::int64_t step = -1;            ///< of the snapshot; −1: test windows at the best checkpoint
    std::vector<std::int64_t> counts;  ///< [V']
    analysis::UsageSummary usage;
    double top_share = store::not_known;   ///< of the 20 most used anchors, 0 … 1
    double key_cosine = store::not_known;  ///< of test windows only: not measured in training
};

struct RetrievalStatistics {
    std::vector<RetrievalRow> rows;
    analysis::RetrievalOverlaps overlaps;  ///< of the rows
    QStringList notes;                     ///< omissions, and limits of the comparison
};

/// Statistics of `of` and, with `both`, of training and test windows. Runs without the usage have no row and
/// are named in a note. Runs keep their unique names of the page.
[[nodiscard]] RetrievalStatistics retrieval_statistics(const std::vector<figures::RunInput>& runs,
                                                       figures::UsageOf of, std::optional<std::int64_t> step,
                                                       bool both);

/// A column of the table: title, description, and whether it is numeric.
struct RetrievalColumn {
    QString title, help;
    bool number = true;
};
[[nodiscard]] const std::vector<RetrievalColumn>& retrieval_columns();
/// The cells of a row; the last three columns compare it with the row `reference`.
[[nodiscard]] QStringList retrieval_cells(const RetrievalStatistics& statistics, std::size_t row,
                                          std::size_t reference);
/// Basis of the comparison with the reference: "8 anchors in both, 3 only here, …".
[[nodiscard]] QString retrieval_comparison_text(const RetrievalStatistics& statistics, std::size_t row,
                                                std::size_t reference);

/// The table as LaTeX (booktabs) or Markdown.
[[nodiscard]] QString retrieval_latex(const RetrievalStatistics& statistics, std::size_t reference);
[[nodiscard]] QString retrieval_markdown(const RetrievalStatistics& statistics, std::size_t reference);

/// Pairwise Jaccard overlap of all retrieved anchors and of the top 20; row and column ids are rows of
/// `statistics`. Its numbers hold the table with all digits and both matrices. No plots for fewer than two
/// comparable rows.
[[nodiscard]] figures::Figure retrieval_figure(const RetrievalStatistics& statistics);

}  // namespace casp::widgets
