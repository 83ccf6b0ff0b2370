#include "panels/paper/paper_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <QObject>

#include "evidence/paper_table_text.h"
#include "words/core_text.h"

namespace casp::widgets {

using evidence::Mark;
using evidence::PaperCell;
using evidence::PaperTable;

namespace {

/// A cell's configurations, those of its base included.
std::vector<std::size_t> needs_of_cell(const PaperCell& cell) {
    auto needs = cell.runs;
    needs.insert(needs.end(), cell.base.begin(), cell.base.end());
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    return needs;
}

std::int64_t wanted_runs(const PaperTable& table, const PaperCell& cell) {
    std::int64_t wanted = 0;
    for (const auto need : needs_of_cell(cell)) wanted += table.needs[need].seeds;
    return wanted;
}

QString counted_of(std::int64_t there, std::int64_t wanted, const QString& what) {
    return QObject::tr("%1 of %2 %3").arg(there).arg(wanted).arg(what);
}

/// "3 of 8 seeds"; of a value that cannot be computed yet, the number of runs.
QString coverage_text(const PaperTable& table, const PaperCell& cell) {
    if (!std::isfinite(cell.value))
        return counted_of(std::ssize(paper_cell_runs(table, cell)), wanted_runs(table, cell),
                          QObject::tr("runs"));
    return counted_of(cell.n, cell.wanted,
                      cell.is_rank()      ? QObject::tr("rows")
                      : cell.base.empty() ? QObject::tr("seeds")
                                          : QObject::tr("pairs"));
}

QString value_of_ours(const PaperCell& cell) {
    auto text = QString::fromStdString(paper_value_text(cell, cell.value));
    if (std::isfinite(cell.sd))
        text += QStringLiteral(" ± ") + QString::fromStdString(paper_value_text(cell, cell.sd));
    return text;
}

QString mark_word(Mark mark) {
    if (mark == Mark::bold) return QObject::tr(", bold");
    return mark == Mark::underline ? QObject::tr(", underlined") : QString();
}

/// " †1"; empty: no note.
QString dagger(const PaperTable& table, const PaperCell& cell) {
    if (cell.note.empty()) return {};
    const auto notes = paper_cell_notes(table);
    return QStringLiteral(" †%1").arg(std::find(notes.begin(), notes.end(), cell.note) - notes.begin() + 1);
}

/// Why this version cannot make some run of the cell; empty: it can.
QString why_not_offered(const PaperTable& table, const PaperCell& cell) {
    for (const auto need : needs_of_cell(cell))
        if (const auto& problem = table.needs[need].problem; !problem.empty())
            return translated(problem).section(u'\n', 0, 0);
    return {};
}

}  // namespace

QString paper_line_text(const PaperTable& table, const PaperCell& cell, PaperLine line) {
    if (line == PaperLine::paper)
        return QString::fromStdString(paper_printed_text(cell)) + dagger(table, cell);
    if (line == PaperLine::difference)
        return QString::fromStdString(paper_difference_text(cell)) + dagger(table, cell);
    const bool known = std::isfinite(cell.value);
    const bool partial = known ? cell.n < cell.wanted : !paper_cell_runs(table, cell).empty();
    return value_of_ours(cell) +
           (partial ? QStringLiteral(" (%1)").arg(coverage_text(table, cell)) : QString());
}

Mark paper_line_mark(const PaperCell& cell, PaperLine line) {
    if (line == PaperLine::difference) return Mark::none;
    return line == PaperLine::ours ? cell.mark : cell.printed_mark;
}

QString paper_label(const std::vector<std::string>& parts) {
    QStringList texts;
    for (const auto& part : parts) texts << QString::fromStdString(part);
    return texts.join(QStringLiteral(" · "));
}

QStringList paper_cell_description(const PaperTable& table, std::size_t row, std::size_t column) {
    const auto& cell = table.cell(row, column);
    if (!cell) return {};
    QStringList lines{paper_label(table.rows[row]) + QStringLiteral(", ") +
                      paper_label(table.columns[column])};
    lines << QObject::tr("Ours: %1%2, %3")
                 .arg(value_of_ours(*cell), mark_word(cell->mark), coverage_text(table, *cell));
    lines << QObject::tr("Paper: %1%2")
                 .arg(QString::fromStdString(paper_printed_text(*cell)), mark_word(cell->printed_mark));
    if (std::isfinite(cell->value - cell->paper()))
        lines << QObject::tr("Difference: %1").arg(QString::fromStdString(paper_difference_text(*cell)));
    if (!cell->note.empty())
        lines << QObject::tr("Note%1: %2.").arg(dagger(table, *cell), QString::fromStdString(cell->note));
    if (const auto why = why_not_offered(table, *cell); !why.isEmpty())
        lines << QObject::tr("This version cannot make these runs: %1").arg(why);
    return lines;
}

std::vector<std::size_t> paper_cell_runs(const PaperTable& table, const PaperCell& cell) {
    std::vector<std::size_t> runs;
    for (const auto need : needs_of_cell(cell))
        for (const auto& run : table.needs[need].found)
            if (run && std::find(runs.begin(), runs.end(), *run) == runs.end()) runs.push_back(*run);
    return runs;
}

QStringList paper_footnotes(const PaperTable& table) {
    QStringList lines{QObject::tr("Printed values: label %1 in the paper's LaTeX source.")
                          .arg(QString::fromStdString(table.source))};
    for (const auto& note : table.notes) lines << translated(note);
    int number = 0;
    for (const auto& note : paper_cell_notes(table))
        lines << QStringLiteral("†%1 %2").arg(++number).arg(translated(Phrase("%1.", note)));
    return lines;
}

}  // namespace casp::widgets
