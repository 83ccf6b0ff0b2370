#pragma once
// The columns of the list of runs, once: table, sorting, filter, column chooser and copied text are all made
// from this list.

#include <optional>
#include <vector>

#include <QString>

#include "state/run_data.h"

namespace casp::widgets {

enum class RunsColumn {
    shown,
    colour,
    state,
    name,
    batch,
    data,
    cell,
    lambda_cov,
    lambda_sim,
    seed,
    val_mse,
    test_mse,
    test_mae,
    last_value_mse,
    entropy,
    distinct_anchors,
    key_cosine,
    backbone,
    epochs,
    best_epoch,
    steps,
    time,
    created,
    updated,
    parent,
    note,
    count
};

/// How a column is called and what it holds.
struct RunsColumnInfo {
    RunsColumn column;
    const char* key;         ///< word of filters and of stored layouts: "lambda_cov"
    QString title;           ///< header: "λ_cov"
    QString help;            ///< one sentence for tooltips, with the paper's symbol where it has one
    bool number = false;     ///< right aligned, sorted by value
    bool by_default = true;  ///< shown until the user chooses
    int width = 80;          ///< pixels at first, at 96 dpi
};

/// All columns in the order in which they first stand; entry i is that of RunsColumn(i).
[[nodiscard]] const std::vector<RunsColumnInfo>& runs_columns();
[[nodiscard]] const RunsColumnInfo& info_of(RunsColumn column);

/// The column that a filter's word means, also by its usual other names ("mse", "λ_cov"); nothing if there is
/// none.
[[nodiscard]] std::optional<RunsColumn> runs_column_named(const QString& word);

/// The state as it really is: a run that says "running" while no process holds its lock was interrupted.
[[nodiscard]] store::RunState state_of(const RunSummary& run);
/// "running", "finished early".
[[nodiscard]] QString state_word(store::RunState state);
/// "17 s", "4 min 12 s", "2 h 05 min"; "–" where not known.
[[nodiscard]] QString run_time_text(double seconds);
/// "40 s left", "4 min left", "2.5 h left"; empty where not known.
[[nodiscard]] QString time_left_text(double seconds);
/// "GPT-2 small", "other checkpoint", "untrained"; empty where it is not known yet.
[[nodiscard]] QString backbone_text(const QString& backbone);

/// What the table shows: four significant digits, "–" for what is not known yet.
[[nodiscard]] QString display_text(const RunSummary& run, RunsColumn column);
/// All digits, empty for what is not known: for files and the clipboard.
[[nodiscard]] QString exact_text(const RunSummary& run, RunsColumn column);
/// Value of a numeric column, NaN where it is not known; also of `cell` (horizon) and `time` (seconds).
[[nodiscard]] double number_of(const RunSummary& run, RunsColumn column);

/// Order of two runs by a column: < 0, 0, > 0. What is not known comes last in either order.
[[nodiscard]] int compare_runs(const RunSummary& a, const RunSummary& b, RunsColumn column, bool descending);

/// Runs as text for a spreadsheet (RFC 4180, LF) or a paper's notes. Columns that only show (eye, colour) are
/// left out.
[[nodiscard]] QString runs_csv(const std::vector<const RunSummary*>& runs,
                               const std::vector<RunsColumn>& columns);
[[nodiscard]] QString runs_markdown(const std::vector<const RunSummary*>& runs,
                                    const std::vector<RunsColumn>& columns);

/// Any table as such text.
[[nodiscard]] QString table_csv(const QStringList& header, const std::vector<QStringList>& rows);
[[nodiscard]] QString table_markdown(const QStringList& header, const std::vector<QStringList>& rows);

}  // namespace casp::widgets
