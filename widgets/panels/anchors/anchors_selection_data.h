#pragma once
// What the shown runs select, as numbers: a row per run and usage (in training, over the test windows), and
// how alike every two of them are. Pure functions of plain values; any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "analysis/selection.h"
#include "figures/figure.h"
#include "figures/recipe_anchors.h"

namespace casp::widgets {

/// More rows than this are not compared; the note says so.
inline constexpr std::size_t most_selection_rows = 64;

/// One usage of a run's pool.
struct SelectionRow {
    QString folder;      ///< of the run
    QString run;         ///< its name on the page (names_among)
    QString name;        ///< short and of no other row: "λ_cov 0.1, test"
    QColor colour;       ///< of the run
    QString lambda_cov;  ///< "0.1"; "off" without coverage, "–" where it is not known
    std::optional<std::int64_t> seed;
    std::int64_t top_k = 0;  ///< K; 0: not known
    figures::UsageOf of = figures::UsageOf::training;
    std::int64_t step = -1;            ///< of the snapshot; −1: test windows at the best checkpoint
    std::vector<std::int64_t> counts;  ///< [V']
    analysis::UsageSummary usage;
    double top_share = store::not_known;   ///< of the 20 most used anchors, 0 … 1
    double key_cosine = store::not_known;  ///< of test windows alone: in training nobody measures it
};

struct SelectionStatistics {
    std::vector<SelectionRow> rows;
    analysis::SelectionOverlaps overlaps;  ///< of the rows
    QStringList notes;                     ///< what is missing, and what not to read into the numbers
};

/// `of` and, with `both`, the usage beside it: the test windows beside the training, the training beside the
/// test windows. Runs without that usage have no row; a note names them. Runs keep the names that they have
/// on the whole page, which tell them apart.
[[nodiscard]] SelectionStatistics selection_statistics(const std::vector<figures::RunInput>& runs,
                                                       figures::UsageOf of, std::optional<std::int64_t> step,
                                                       bool both);

/// A column of the table: its title, what it is in a sentence or two, and whether it holds numbers.
struct SelectionColumn {
    QString title, help;
    bool number = true;
};
[[nodiscard]] const std::vector<SelectionColumn>& selection_columns();
/// The cells of a row, of as many columns; `reference` is the row that the last three compare it with.
[[nodiscard]] QStringList selection_cells(const SelectionStatistics& statistics, std::size_t row,
                                          std::size_t reference);
/// What the comparison with the reference rests on: "8 anchors in both, 3 only here, …".
[[nodiscard]] QString selection_comparison_text(const SelectionStatistics& statistics, std::size_t row,
                                                std::size_t reference);

/// The table for a paper (booktabs) or for notes.
[[nodiscard]] QString selection_latex(const SelectionStatistics& statistics, std::size_t reference);
[[nodiscard]] QString selection_markdown(const SelectionStatistics& statistics, std::size_t reference);

/// Jaccard overlap of every two rows, of all selected anchors and of the top 20; row and column ids are rows
/// of `statistics`. Its numbers hold the table, all digits, and both matrices. No plots for fewer than two
/// rows that may be compared.
[[nodiscard]] figures::Figure selection_figure(const SelectionStatistics& statistics);

}  // namespace casp::widgets
