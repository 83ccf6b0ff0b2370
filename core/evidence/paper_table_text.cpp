#include "evidence/paper_table_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "evidence/latex.h"
#include "store/result_columns.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

using Line = std::vector<std::string>;
using Marked = std::string (*)(const std::string&, Mark);

constexpr std::string_view no_value = "–";

/// A statistic over the pairs of an axis of strata, which has a column with their number.
bool is_of_pairs(const PaperCell& cell) { return !cell.axis.empty() && !cell.base.empty(); }

int decimals_of(const PaperCell& cell) {
    if (cell.metric == "distinct_anchors") return 1;  // a mean over seeds of what is printed as a count
    const auto dot = cell.printed.find('.');
    if (!cell.printed.empty())
        return dot == std::string::npos ? 0 : static_cast<int>(cell.printed.size() - dot - 1);
    const auto ends = [&](const char* suffix) { return cell.metric.ends_with(suffix); };
    if (cell.is_rank() || ends("improved") || ends("_pairs")) return 0;
    if (ends("_kappa") || (ends("percent") && is_of_pairs(cell))) return 2;
    if (ends("percent") || ends("_w")) return 1;
    const auto* column = store::find_column(cell.metric);
    return column != nullptr && column->is_score() ? 3 : 4;
}

/// With a sign where the value is a difference.
std::string number_text(double value, int decimals, bool sign) {
    if (!std::isfinite(value)) return std::string(no_value);
    const auto digits = store::digits(std::abs(value), std::chars_format::fixed, decimals);
    if (value < 0 && digits.find_first_of("123456789") != std::string::npos) return "−" + digits;
    return (sign ? "+" : "") + digits;
}

bool is_difference(const PaperCell& cell) { return cell.metric.find("delta") != std::string::npos; }

std::string with_sd(std::string mean, const std::string& sd) {
    return sd.empty() ? mean : std::move(mean) + " ± " + sd;
}

Phrase ours_text(const PaperCell& cell) {
    auto text = paper_value_text(cell, cell.value);
    if (!cell.axis.empty())
        return cell.metric.ends_with("_pairs") && cell.n < cell.wanted ? Phrase("%1 of %2", text, cell.wanted)
                                                                       : Phrase(text);
    if (std::isfinite(cell.sd)) text = with_sd(text, number_text(cell.sd, decimals_of(cell), false));
    if (cell.n == 0 || cell.n >= cell.wanted) return text;
    if (cell.is_rank()) return Phrase("%1 (%2 of %3 cells)", text, cell.n, cell.wanted);
    return cell.base.empty() ? Phrase("%1 (%2 of %3 seeds)", text, cell.n, cell.wanted)
                             : Phrase("%1 (%2 of %3 pairs)", text, cell.n, cell.wanted);
}

std::string mark_text(Mark mark) {
    return mark == Mark::bold ? "bold" : mark == Mark::underline ? "underline" : "";
}

std::string joined(const Line& parts, const std::string& separator) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : separator) + part;
    return text;
}

std::string note_number(const PaperCell& cell, const std::vector<Phrase>& notes) {
    if (cell.note.empty()) return {};
    const auto at = std::find(notes.begin(), notes.end(), cell.note) - notes.begin();
    return " [" + std::to_string(at + 1) + "]";
}

/// "1 run is", "2 runs are".
Phrase runs_text(std::int64_t runs, const std::string& one, const std::string& several) {
    return runs == 1 ? Phrase("%1 run %2", runs, one) : Phrase("%1 runs %2", runs, several);
}

/// Ends with the shell commands, which therefore have no full stop behind them.
Phrase missing_note(const PaperTable& table) {
    const bool differs =
        !table.deviations.empty() ||
        (!table.backbone.empty() && table.backbone != "openai-gpt2-small" && table.backbone != "none");
    const std::string same_settings = differs ? " (add the settings above with --set)" : "";
    return Phrase("%1 missing. Command%2: caspstudio --batch paper:%3", runs_text(table.missing, "is", "are"),
                  same_settings, joined(table.experiments, "; caspstudio --batch paper:"));
}

Line run_notes(const PaperTable& table) {
    Line notes;
    if (table.missing > 0) notes.push_back(missing_note(table));
    if (table.not_offered > 0)
        notes.push_back(Phrase("%1 models or data that this version does not have.",
                               runs_text(table.not_offered, "needs", "need")));
    if (table.left_out > 0)
        notes.push_back(table.left_out == 1 ? Phrase("%1 further run with other settings is left out: %2.",
                                                     table.left_out, joined(table.other_settings, ", "))
                                            : Phrase("%1 further runs with other settings are left out: %2.",
                                                     table.left_out, joined(table.other_settings, ", ")));
    return notes;
}

/// Notes of cells with their numbers. Notes that differ only in what follows "with" are one, which states
/// their common clause once.
Line numbered_notes(const PaperTable& table) {
    static constexpr std::string_view with = ", with ";
    Line notes;
    for (const auto& note : paper_cell_notes(table)) notes.push_back(note.english());
    const auto number = [](std::size_t i) { return "[" + std::to_string(i + 1) + "] "; };
    const auto clause_of = [](const std::string& note) { return note.substr(0, note.find(with)); };
    std::map<std::string, std::vector<std::size_t>> of_clause;
    for (std::size_t i = 0; i < notes.size(); ++i) of_clause[clause_of(notes[i])].push_back(i);
    Line texts;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const auto clause = clause_of(notes[i]);
        auto& same = of_clause[clause];
        if (same.empty()) continue;
        // The clause without an addition first.
        std::stable_partition(same.begin(), same.end(), [&](std::size_t k) { return notes[k] == clause; });
        auto text = number(same.front()) + notes[same.front()];
        for (std::size_t k = 1; k < same.size(); ++k)
            text += "; " + number(same[k]) + notes[same[k]].substr(clause.size() + 2);
        texts.push_back(text + ".");
        same.clear();
    }
    return texts;
}

bool has_ours(const PaperTable& table, std::size_t row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (const auto& cell = table.cell(row, i); cell && std::isfinite(cell->value)) return true;
    return false;
}

/// Counts of pairs and rank sums, which depend on the number of pairs.
bool depends_on_n(const PaperCell& cell) {
    return cell.metric.ends_with("improved") || cell.metric == "w" || cell.metric.ends_with("_w") ||
           cell.is_rank();
}

/// NaN for p values, whose difference means nothing, and for counts of fewer pairs than the paper's.
double difference_of(const PaperCell& cell) {
    const bool none = cell.is_p() || (depends_on_n(cell) && cell.n != cell.wanted);
    return none ? store::not_known : cell.value - cell.paper();
}

bool has_printed(const PaperTable& table) {
    return std::any_of(table.cells.begin(), table.cells.end(),
                       [](const auto& cell) { return cell && !cell->printed.empty(); });
}

/// The line of one row of a table without printed values.
Line line_of_ours(const PaperTable& table, std::size_t row, Marked marked) {
    Line line;
    for (const auto& label : table.rows[row]) line.push_back(marked(label, Mark::none));
    line.emplace_back("ours");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& cell = table.cell(row, i);
        line.push_back(cell ? marked(ours_text(*cell), cell->mark) : std::string());
    }
    return line;
}

/// The lines of one row: paper, ours, difference; only the first if we have no value.
std::vector<Line> lines_of_row(const PaperTable& table, std::size_t row, Marked marked) {
    if (!has_printed(table)) return {line_of_ours(table, row, marked)};
    const auto notes = paper_cell_notes(table);
    const bool ours = has_ours(table, row);
    std::vector<Line> lines(ours ? 3 : 1);
    for (const auto& label : table.rows[row]) lines[0].push_back(marked(label, Mark::none));
    for (auto& line : lines) line.resize(table.headings.size());
    static constexpr std::array<const char*, 3> names{"paper", "ours", "difference"};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].emplace_back(names[i]);
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& cell = table.cell(row, i);
        lines[0].push_back(cell ? marked(paper_printed_text(*cell), cell->printed_mark) +
                                      marked(note_number(*cell, notes), Mark::none)
                                : std::string());
        if (!ours) continue;
        lines[1].push_back(cell ? marked(ours_text(*cell), cell->mark) : std::string());
        lines[2].push_back(cell ? marked(paper_difference_text(*cell), Mark::none) : std::string());
    }
    return lines;
}

}  // namespace

std::string paper_value_text(const PaperCell& cell, double value) {
    return number_text(value, decimals_of(cell), is_difference(cell));
}

std::string paper_printed_text(const PaperCell& cell) {
    if (cell.printed.empty()) return std::string(no_value);
    return with_sd(paper_value_text(cell, cell.paper()), cell.printed_sd);
}

std::string paper_difference_text(const PaperCell& cell) {
    if (cell.is_p()) return {};
    return number_text(difference_of(cell), decimals_of(cell), true);
}

std::vector<Phrase> paper_cell_notes(const PaperTable& table) {
    std::vector<Phrase> notes;
    for (const auto& cell : table.cells)
        if (cell && !cell->note.empty() && std::find(notes.begin(), notes.end(), cell->note) == notes.end())
            notes.push_back(cell->note);
    return notes;
}

std::vector<Phrase> paper_settings_notes(const PaperTable& table) {
    std::vector<Phrase> notes{table.backbone.empty() ? "Ours: no finished runs."
                                                     : backbone_note({table.backbone})};
    if (!table.precisions.empty()) notes.push_back(precision_note(table.precisions));
    if (!table.deviations.empty())
        notes.push_back(Phrase("Our settings other than the paper's: %1.", joined(table.deviations, ", ")));
    return notes;
}

std::vector<std::string> paper_table_notes(const PaperTable& table) {
    std::vector<std::string> notes{
        Phrase("Printed values: label %1 in the paper's LaTeX source.", table.source)};
    for (const auto& note : paper_settings_notes(table)) notes.push_back(note.english());
    for (auto& note : run_notes(table)) notes.push_back(std::move(note));
    for (const auto& note : table.notes) notes.push_back(note.english());
    for (auto& note : numbered_notes(table)) notes.push_back(std::move(note));
    return notes;
}

std::string paper_table_csv(const PaperTable& table) {
    const auto number = [](double value) {
        return std::isfinite(value) ? store::shortest(value) : std::string("nan");
    };
    const auto optional = [](double value) {
        return std::isfinite(value) ? store::shortest(value) : std::string();
    };
    std::vector<Line> lines{{"table", "row", "column", "metric", "paper", "paper_sd", "paper_mark", "ours",
                             "ours_sd", "ours_mark", "n", "wanted", "difference", "note", "backbone"}};
    const bool with_precision = !table.precisions.empty();
    if (with_precision) lines[0].emplace_back(store::precision_column);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const auto& cell = table.cell(row, column);
            if (!cell) continue;
            lines.push_back({table.name, joined(table.rows[row], "|"), joined(table.columns[column], "|"),
                             cell->metric, cell->printed, cell->printed_sd, mark_text(cell->printed_mark),
                             number(cell->value), optional(cell->sd), mark_text(cell->mark),
                             std::to_string(cell->n), std::to_string(cell->wanted),
                             optional(difference_of(*cell)), cell->note, table.backbone});
            if (with_precision) lines.back().push_back(precisions_text(table.precisions));
        }
    return store::csv(lines);
}

std::string paper_table_markdown(const PaperTable& table) {
    std::vector<Line> lines{table.headings};
    lines[0].emplace_back("");
    std::vector<bool> right(lines[0].size(), false);
    for (const auto& column : table.columns) lines[0].push_back(joined(column, " "));
    right.resize(lines[0].size(), true);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (auto& line : lines_of_row(table, row, markdown_marked)) lines.push_back(std::move(line));
    auto text = table.title + "\n\n" + store::markdown(lines, right) + "\n";
    for (const auto& note : paper_table_notes(table)) text += "- " + note + "\n";
    return text;
}

std::string paper_table_latex(const PaperTable& table) {
    const auto escaped = [](Line line) {
        for (auto& cell : line) cell = latex_escaped(cell);
        return line;
    };
    Line first(table.headings.size() + 1), last = table.headings;
    last.emplace_back("");
    for (const auto& column : table.columns) {
        first.push_back(column.front());
        last.push_back(column.back());
    }
    std::vector<Line> lines;
    if (std::any_of(table.columns.begin(), table.columns.end(), [](const auto& c) { return c.size() > 1; }))
        lines.push_back(escaped(first));
    lines.push_back(escaped(last));
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const bool same_group =
            row > 0 && (table.headings.size() < 2 || table.rows[row].front() == table.rows[row - 1].front());
        if (!same_group) lines.emplace_back();
        for (auto& line : lines_of_row(table, row, latex_marked)) lines.push_back(std::move(line));
    }
    const auto columns = std::string(table.headings.size() + 1, 'l') + std::string(table.columns.size(), 'r');
    std::string text =
        "\\begin{table}[htbp]\n\\centering\n\\scriptsize\n\\setlength{\\tabcolsep}{2pt}\n\\caption{" +
        latex_escaped(table.title) + ".}\n" + latex_tabular(columns, lines) + "\n\n\\raggedright\n";
    for (const auto& note : paper_table_notes(table)) text += latex_escaped(note) + "\\par\n";
    text += "\\end{table}\n";
    return latex_head(text) + text;
}

std::string paper_table_stem(std::string name) {
    std::replace(name.begin(), name.end(), ':', '-');
    return name;
}

TableTexts paper_table_texts(const PaperTable& table) {
    const auto stem = paper_table_stem(table.name);
    return {{stem + ".csv", paper_table_csv(table)},
            {stem + ".md", paper_table_markdown(table)},
            {stem + ".tex", paper_table_latex(table)}};
}

}  // namespace casp::evidence
