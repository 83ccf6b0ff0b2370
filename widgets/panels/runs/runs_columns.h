#pragma once
// Definition of the columns of the list of runs, used by table, sorting, filter, column chooser and copied
// text.

#include <optional>
#include <string_view>
#include <vector>

#include <QString>

#include "state/run_data.h"

namespace casp::widgets {

/// A column: one of the list's own, or from `results` on one of the table of results.
enum class RunsColumn {
    shown,
    colour,
    state,
    name,
    batch,
    data,
    model,
    cell,
    best,
    created,
    updated,
    parent,
    note,
    results
};

/// Description of a column.
struct RunsColumnInfo {
    RunsColumn column;
    const char* key;                       ///< in filters, stored layouts and copied CSV: "lambda_cov"
    QString title;                         ///< header: "λ_cov"
    QString help;                          ///< one sentence for tooltips, with the paper's symbol if any
    bool number = false;                   ///< right aligned, sorted by value
    bool by_default = true;                ///< shown by default
    int width = 80;                        ///< initial pixels at 96 dpi
    QString RunSummary::*field = nullptr;  ///< the text that it shows; null: another one
    const store::ResultColumn* result = nullptr;  ///< of the table of results; null: the list's own
};

/// All columns in default order.
[[nodiscard]] const std::vector<RunsColumnInfo>& runs_columns();
/// Of a column of the list.
[[nodiscard]] const RunsColumnInfo& info_of(RunsColumn column);
/// "test_mse" of the table of results.
[[nodiscard]] RunsColumn result_column(std::string_view name);
/// Whether only runs on collections of series have values in the column.
[[nodiscard]] bool is_score(RunsColumn column);

/// The column of a filter word, including aliases ("mse", "λ_cov"); nothing if there is none.
[[nodiscard]] std::optional<RunsColumn> runs_column_named(const QString& word);

/// The actual state: a run in state "running" whose lock no process holds was interrupted.
[[nodiscard]] store::RunState state_of(const RunSummary& run);
/// "running", "finished early".
[[nodiscard]] QString state_word(store::RunState state);
/// "17 s", "4 min 12 s", "2 h 05 min"; "–" if unknown.
[[nodiscard]] QString run_time_text(double seconds);

/// Displayed text: four significant digits, "–" for unknown values.
[[nodiscard]] QString display_text(const RunSummary& run, RunsColumn column);
/// All digits, empty for unknown values: for files and the clipboard.
[[nodiscard]] QString exact_text(const RunSummary& run, RunsColumn column);
/// Value of a numeric column, NaN if unknown; also of `cell` (horizon) and `time` (seconds).
[[nodiscard]] double number_of(const RunSummary& run, RunsColumn column);

/// Order of two runs by a column: < 0, 0, > 0. Unknown values come last in either order.
[[nodiscard]] int compare_runs(const RunSummary& a, const RunSummary& b, RunsColumn column, bool descending);

/// Runs as CSV (RFC 4180, LF) or Markdown. Display-only columns (shown, colour) are omitted.
[[nodiscard]] QString runs_csv(const std::vector<const RunSummary*>& runs,
                               const std::vector<RunsColumn>& columns);
[[nodiscard]] QString runs_markdown(const std::vector<const RunSummary*>& runs,
                                    const std::vector<RunsColumn>& columns);

/// Any table as CSV or Markdown.
[[nodiscard]] QString table_csv(const QStringList& header, const std::vector<QStringList>& rows);
[[nodiscard]] QString table_markdown(const QStringList& header, const std::vector<QStringList>& rows);

}  // namespace casp::widgets
