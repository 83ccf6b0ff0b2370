#pragma once
// Texts and runs of the cells of a table of the paper, as the page Paper shows them. Pure functions; any
// thread.

#include <cstddef>
#include <vector>

#include <QString>
#include <QStringList>

#include "evidence/paper_table.h"

namespace casp::widgets {

/// What a line of a cell shows.
enum class PaperLine { ours, paper, difference };

/// "0.3702 ± 0.0026 (3 of 8 seeds)", "0.3714 ± 0.0036 †1", "−0.0012"; "–": no value.
[[nodiscard]] QString paper_line_text(const evidence::PaperTable& table, const evidence::PaperCell& cell,
                                      PaperLine line);
/// How the line is set: ours among our values, the paper's as printed.
[[nodiscard]] evidence::Mark paper_line_mark(const evidence::PaperCell& cell, PaperLine line);

/// Labels of a row or column: "ETTh1 · 96".
[[nodiscard]] QString paper_label(const std::vector<std::string>& parts);

/// Everything about a cell, one item per line, for tooltips and screen readers. Empty: there is no cell.
[[nodiscard]] QStringList paper_cell_description(const evidence::PaperTable& table, std::size_t row,
                                                 std::size_t column);

/// Finished runs behind a cell, those of its base included, each once: indices in the runs given to fill().
[[nodiscard]] std::vector<std::size_t> paper_cell_runs(const evidence::PaperTable& table,
                                                       const evidence::PaperCell& cell);

/// The table's place in the paper, its notes, and the printed faults: "†1 …".
[[nodiscard]] QStringList paper_footnotes(const evidence::PaperTable& table);

}  // namespace casp::widgets
