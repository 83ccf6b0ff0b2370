#include "data/csv_detect.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "config/text_utils.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// Samples the whole file: more lines at the start, a few of every chunk, fewer in wide files.
Sample take_sample(const std::vector<Chunk>& chunks, const Dialect& dialect) {
    Sample sample;
    constexpr std::size_t enough_cells = 1u << 20u;
    std::size_t cells = 0;
    for (std::size_t i = 0; i < chunks.size() && (i == 0 || cells < enough_cells); ++i) {
        const char* p = chunks[i].begin;
        std::int64_t passed = 0;
        const bool wide = !sample.empty() && sample.records.front().size() > 100;
        const std::size_t most = chunks.size() == 1 ? 1000 : i == 0 ? 100 : wide ? 3 : 6;
        for (std::size_t k = 0; k < most && p < chunks[i].end && (sample.size() < 3 || cells < enough_cells);
             ++k) {
            const auto before = passed;
            sample.records.emplace_back();
            auto& record = sample.records.back();
            p = read_record(p, chunks[i].end, dialect, record, passed);
            cells += record.size();
            std::int64_t inside = 0;
            for (const auto& cell : record) inside += cell.newlines;
            const bool ends = p > chunks[i].begin && p[-1] == '\n';
            sample.lines.push_back(std::max(before, passed - inside - (ends ? 1 : 0)) + chunks[i].first_line);
            if (record.empty()) {
                sample.records.pop_back();
                sample.lines.pop_back();
            }
        }
    }
    return sample;
}

/// Removes the first `count` records and what is before them.
void cut_head(std::vector<Chunk>& chunks, std::size_t count, const Dialect& dialect) {
    auto left = static_cast<std::int64_t>(count);
    std::int64_t removed = 0;
    for (auto& chunk : chunks) {
        chunk.first_row -= removed;
        while (left > 0 && chunk.records > 0) {
            std::vector<Cell> skipped;
            std::int64_t lines = 0;
            chunk.begin = read_record(chunk.begin, chunk.end, dialect, skipped, lines);
            chunk.lines -= lines;
            chunk.first_line += lines;
            --chunk.records;
            --left;
            ++removed;
        }
    }
}

std::int64_t rows_in(const std::vector<Chunk>& chunks) {
    std::int64_t rows = 0;
    for (const auto& chunk : chunks) rows += chunk.records;
    return rows;
}

/// Lines at the end that are no rows.
struct Footer {
    std::int64_t records = 0;
    std::int64_t empty = 0;  ///< of these, with delimiters only
    std::int64_t first_line = 0;
    std::vector<std::string> texts;  ///< of the first ones that are not empty
};

/// Removes records from the end of the table.
class FooterCutter {
public:
    FooterCutter(std::vector<Chunk>& chunks, const Layout& layout, const std::vector<Content>& body,
                 const CsvOptions& options)
        : chunks_(chunks), layout_(layout), body_(body), options_(options) {}

    Footer cut() {
        while (last_ > 0 && chunks_[last_ - 1].records == 0) --last_;
        const auto whole = chunks_;
        while (last_ > 0) {
            auto& chunk = chunks_[last_ - 1];
            if (chunk.records == 0) {
                --last_;
                continue;
            }
            const char* const begin = last_line(chunk);
            Record record;
            std::int64_t lines = 0;
            read_record(begin, chunk.end, layout_.dialect, record, lines);
            const bool many_lines = std::ranges::any_of(
                record, [](const Cell& cell) { return cell.newlines > 0 || cell.unclosed; });
            if (record.empty() || many_lines || has_open_quote(begin, chunk.end)) break;
            if (options_.footer_lines >= 0 ? footer_.records >= options_.footer_lines : !is_footer(record))
                break;
            note(record);
            first_chunk_ = &chunk;
            first_ = begin;
            chunk.end = begin;
            --chunk.records;
            chunk.lines -= lines;
        }
        // A quoted cell of several lines may have been cut in two.
        if (first_ != nullptr && layout_.dialect.has_quotes && !ends_with_record(*first_chunk_)) {
            chunks_ = whole;
            return {};
        }
        if (first_ != nullptr)
            footer_.first_line = first_chunk_->first_line + std::count(first_chunk_->begin, first_, '\n');
        return footer_;
    }

private:
    /// Beginning of the last line of a chunk that is not empty; lines behind it are removed.
    static const char* last_line(Chunk& chunk) {
        const char* end = chunk.end;
        while (end > chunk.begin && (end[-1] == '\n' || end[-1] == '\r')) --end;
        const char* begin = end;
        while (begin > chunk.begin && begin[-1] != '\n') --begin;
        return begin;
    }
    /// Whether a chunk still holds as many whole records as it says.
    [[nodiscard]] bool ends_with_record(const Chunk& chunk) const {
        std::int64_t records = 0;
        std::int64_t lines = 0;
        std::vector<Cell> cells;
        for (const char* p = chunk.begin; p < chunk.end;) {
            cells.clear();
            p = read_record(p, chunk.end, layout_.dialect, cells, lines);
            records += cells.empty() ? 0 : 1;
            if (std::ranges::any_of(cells, [](const Cell& cell) { return cell.unclosed; })) return false;
        }
        return records == chunk.records;
    }
    [[nodiscard]] bool has_open_quote(const char* begin, const char* end) const {
        return layout_.dialect.has_quotes && std::count(begin, end, layout_.dialect.quote) % 2 != 0;
    }
    [[nodiscard]] bool is_footer(const Record& record) const {
        const auto first = trimmed(record.front().text);
        if (!layout_.comment.empty() && first.starts_with(layout_.comment)) return true;
        if (is_empty(record)) return record.size() > 1;
        const auto fit = fit_of(record, body_, layout_.dialect);
        // A row of missing values keeps its place in time, unless it is text: "n.a." is missing.
        return fit.time_is_text || (fit.good == 0 && fit.bad > 0 && (fit.bad > 1 || body_.size() > 1)) ||
               (fit.time_is_missing && fit.good > 0) || (!fit.has_time && is_name_of_total(record));
    }
    /// Without a time axis: a text in a first column that otherwise holds numbers.
    [[nodiscard]] bool is_name_of_total(const Record& record) const {
        double value = 0;
        const auto& column = body_.front();
        return body_.size() > 1 && column.is_number() && column.numbers > 0 &&
               column.text <= footer_.records - footer_.empty + 1 &&
               read_number(record.front().text, layout_.dialect.decimal, value, layout_.dialect.thousands) ==
                   CellKind::text;
    }
    [[nodiscard]] static bool is_empty(const Record& record) {
        return std::ranges::all_of(record, [](const Cell& cell) { return trimmed(cell.text).empty(); });
    }
    void note(const Record& record) {
        ++footer_.records;
        if (is_empty(record)) {
            ++footer_.empty;
            return;
        }
        std::string text;
        for (std::size_t i = 0; i < record.size() && i < 4; ++i)
            if (const auto cell = trimmed(record[i].text); !cell.empty())
                text += (text.empty() ? "" : ", ") + readable(cell);
        footer_.texts.insert(footer_.texts.begin(), config::abbreviated(text, 60));
        if (footer_.texts.size() > 3) footer_.texts.pop_back();
    }

    std::vector<Chunk>& chunks_;
    const Layout& layout_;
    const std::vector<Content>& body_;
    const CsvOptions& options_;
    std::size_t last_ = chunks_.size();
    const Chunk* first_chunk_ = nullptr;
    const char* first_ = nullptr;  ///< beginning of the first line that was removed
    Footer footer_;
};

void note_footer(Layout& layout, const Footer& footer) {
    if (footer.records == 0) return;
    const auto lines =
        footer.records == 1 ? Phrase("%1 line", footer.records) : Phrase("%1 lines", footer.records);
    std::string texts;
    for (const auto& text : footer.texts) texts += (texts.empty() ? "\"" : ", \"") + text + "\"";
    const auto why = footer.texts.empty() ? Phrase("they hold only delimiters")
                                          : Phrase("no rows of the table: %1", texts);
    layout.readings.push_back(
        {"footer", Phrase("%1 from line %2", lines, footer.first_line), why, "data.csv.footer_lines"});
    if (footer.records > footer.empty)
        layout.warnings.push_back({WarningKind::no_row, footer.first_line, "", footer.records,
                                   footer.records == 1
                                       ? Phrase("%1 at the end of the file is no row of the table and left "
                                                "out (%2); data.csv.footer_lines sets their number",
                                                lines, texts)
                                       : Phrase("%1 at the end of the file are no rows of the table and left "
                                                "out (%2); data.csv.footer_lines sets their number",
                                                lines, texts)});
}

/// Makes names unique as pandas does: x, x.1, x.2.
void name_columns(Layout& layout, const std::vector<std::string>& names) {
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, int> next;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        auto& column = layout.columns[j];
        if (j < names.size()) column.name = names[j];
        column.named = !column.name.empty();
        if (!column.named) column.name = "column " + std::to_string(j + 1);
        const std::string wanted = column.name;
        while (!taken.insert(column.name).second) column.name = wanted + "." + std::to_string(++next[wanted]);
        if (column.name != wanted)
            layout.warnings.push_back(
                {WarningKind::duplicate_column, layout.header_line, wanted, 1,
                 Phrase("column \"%1\" occurs more than once; column %2 is called \"%3\" here", wanted, j + 1,
                        column.name)});
        if (column.name.find("\xEF\xBF\xBD") != std::string::npos)
            layout.warnings.push_back(
                {WarningKind::encoding, layout.header_line, column.name, 1,
                 Phrase("the name \"%1\" holds a replacement character: an earlier conversion of the file "
                        "lost a letter; the numbers are not affected",
                        column.name)});
    }
}

/// R writes no name for its row names: there is one name less than cells, and the last column is not only the
/// empty cell after a delimiter at the end of the line. Throws an input Error if a cell more has another
/// reason: decimal commas between commas.
void name_row_names(std::vector<std::string>& names, const std::vector<Content>& body, const Dialect& dialect,
                    const std::string& where, std::int64_t line) {
    if (names.empty() || names.size() + 1 != body.size() || body.back().is_empty()) return;
    const auto& first = body.front();
    const bool numbers = first.is_number() && first.numbers > 0;
    const bool counts = numbers && first.whole && (first.rising || first.falling);
    const bool shifted = first.is_time() && suggests_time(names.front()) && !body[1].is_time();
    if (dialect.delimiter == ',' && (shifted || (numbers && !counts)))
        throw input_error(
            Phrase("%1, line %2", where, line),
            Phrase("the header has %1 names, but the rows have %2 cells", names.size(), body.size()),
            "a name for each column",
            "If the comma is also the decimal separator, write the file with semicolons between "
            "the cells; else complete the header.");
    if (!shifted) names.insert(names.begin(), std::string());
}

}  // namespace

Phrase advice_without_rows(const CsvOptions& options) {
    const bool set = options.first_line > 0 || options.header_lines > 0 || options.unit_lines > 0 ||
                     options.footer_lines > 0;
    return set ? "Lower data.csv.first_line, header_lines, unit_lines or footer_lines: they leave no row."
               : export_again;
}

Layout detect_layout(std::vector<Chunk>& chunks, const Dialect& dialect, const Beginning& beginning,
                     const std::string& where, const CsvOptions& options) {
    Layout layout;
    layout.dialect = dialect;
    layout.comment = options.comment ? *options.comment : beginning.comment.empty() ? "#" : beginning.comment;
    for (const auto& text : options.missing) layout.missing_texts.push_back(text);
    auto sample = take_sample(chunks, dialect);
    if (sample.empty())
        throw input_error(where, "the file holds only empty lines", "a table of numbers", export_again);
    const auto widest = std::ranges::max_element(
        sample.records, [](const Record& a, const Record& b) { return a.size() < b.size(); });
    if (widest->size() > options.max_columns)
        throw input_error(where, Phrase("%1 columns", widest->size()),
                          Phrase("at most %1", options.max_columns),
                          "If the delimiter is wrong, set data.csv.delimiter; otherwise split the file.");
    if (beginning.comments > 0)
        layout.readings.push_back({"comments",
                                   beginning.comments == 1
                                       ? Phrase("%1 line before the table", beginning.comments)
                                       : Phrase("%1 lines before the table", beginning.comments),
                                   Phrase("they begin with %1", beginning.comment), "data.csv.comment"});
    detect_numbers(layout.dialect, sample.records, std::min<std::size_t>(1, sample.size() - 1), options,
                   layout.readings, layout.warnings);
    auto structure =
        detect_structure(sample, beginning, layout.dialect, where, options, layout.readings, layout.warnings);
    layout.has_header = structure.has_header;
    layout.header_line = structure.header_line;
    layout.joined_names = structure.joined;
    // Names may have more cells than the rows; rows that are longer than most are reported by the parser.
    const auto width =
        std::max(structure.width, structure.has_header ? structure.names.size() : sample.records[0].size());
    auto body = contents(sample, std::min(structure.first_row, sample.size() - 1), width, layout.dialect);
    name_row_names(structure.names, body, dialect, where, structure.header_line);
    if (structure.has_header && structure.names.size() < body.size() && !body.back().is_empty())
        layout.warnings.push_back(
            {WarningKind::ragged_row, structure.header_line, "", 1,
             Phrase("the header has %1 names for %2 columns; they may stand above the wrong ones",
                    structure.names.size(), body.size())});
    layout.columns.resize(std::max(width, structure.names.size()));
    body.resize(layout.columns.size());
    cut_head(chunks, structure.first_row, dialect);
    name_columns(layout, structure.names);
    const auto footer = FooterCutter(chunks, layout, body, options).cut();
    note_footer(layout, footer);
    if (footer.records > 0) {  // the lines that were cut off say nothing of the columns
        const auto rows = static_cast<std::size_t>(
            std::lower_bound(sample.lines.begin(), sample.lines.end(), footer.first_line) -
            sample.lines.begin());
        sample.records.resize(rows);
        sample.lines.resize(rows);
        std::erase_if(layout.readings, [](const Reading& reading) {
            return reading.key == "data.csv.decimal" || reading.key == "data.csv.thousands";
        });
        std::erase_if(layout.warnings, [](const Warning& w) { return w.kind == WarningKind::decimal_sign; });
        detect_numbers(layout.dialect, sample.records, structure.first_row, options, layout.readings,
                       layout.warnings);
        body = contents(sample, std::min(structure.first_row, sample.size() - 1), layout.columns.size(),
                        layout.dialect);
    }
    if (rows_in(chunks) == 0)
        throw input_error(
            where, layout.has_header ? "the file holds a header and no rows" : "the file holds no rows",
            "at least one row of numbers", advice_without_rows(options));
    detect_meaning(layout, body, where, options);
    return layout;
}

}  // namespace casp::data
