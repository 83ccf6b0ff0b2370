#include "evidence/paper_table.h"

#include <toml++/toml.h>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "config/experiment.h"
#include "config/text_utils.h"
#include "data/csv_text.h"
#include "evidence/strata_axes.h"
#include "evidence/tuning.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

using Line = std::vector<std::string>;

constexpr std::string_view strata_prefix = "strata:";

std::string resource(std::string_view file) { return "resources/paper/" + std::string(file); }

Line split_text(std::string_view text, char separator) {
    Line parts;
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, separator);)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

/// Records of a CSV file of ours: no blank lines, LF.
std::vector<Line> records_of(std::string_view text) {
    const data::Dialect dialect{.has_quotes = true};
    std::vector<Line> lines;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        Line line;
        do {
            data::Cell cell;
            p = data::read_cell(p, end, dialect, cell);
            line.push_back(data::unescaped(cell, dialect.quote));
        } while (data::next_cell(p, end, dialect));
        lines.push_back(std::move(line));
        if (p != end) ++p;
    }
    return lines;
}

/// A record by column name.
class Record {
public:
    Record(const Line& header, const Line& line) : header_(header), line_(line) {}
    const std::string& operator[](std::string_view name) const {
        const auto at = std::find(header_.begin(), header_.end(), name) - header_.begin();
        return line_.at(static_cast<std::size_t>(at));
    }

private:
    const Line& header_;
    const Line& line_;
};

Mark mark_of(const std::string& text) {
    if (text == "bold") return Mark::bold;
    return text == "underline" ? Mark::underline : Mark::none;
}

std::int64_t count_of(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::size_t index_of(std::vector<Line>& labels, const std::string& text) {
    auto parts = split_text(text, '|');
    const auto at = std::find(labels.begin(), labels.end(), parts);
    const auto index = static_cast<std::size_t>(at - labels.begin());
    if (at == labels.end()) labels.push_back(std::move(parts));
    return index;
}

NeededRuns needed(const std::string& preset, const std::string& set, std::int64_t seeds) {
    NeededRuns need{preset, set, seeds, {}, {}, {}};
    need.found.resize(static_cast<std::size_t>(seeds));
    try {
        need.config =
            config::load_text("preset = " + config::in_quotes(preset), "paper", {}, split_text(set, ' '))
                .base;
    } catch (const Error& error) {
        need.problem = phrase_of(error);
    }
    return need;
}

/// Index in table.needs. Settings that the preset has anyway give no further configuration.
std::size_t need_of(PaperTable& table, const std::string& preset, const std::string& set,
                    std::int64_t seeds) {
    auto& needs = table.needs;
    const auto index_if = [&](const auto& same) {
        const auto at = std::find_if(needs.begin(), needs.end(), [&](const NeededRuns& need) {
            return need.preset == preset && need.seeds == seeds && same(need);
        });
        return static_cast<std::size_t>(at - needs.begin());
    };
    const auto named = index_if([&](const NeededRuns& need) { return need.set == set; });
    if (named < needs.size()) return named;
    auto need = needed(preset, set, seeds);
    const auto equal = index_if([&](const NeededRuns& other) {
        return need.problem.empty() && other.problem.empty() &&
               config::differences(need.config, other.config).empty();
    });
    if (equal == needs.size()) needs.push_back(std::move(need));
    return equal;
}

/// Indices in table.needs of the runs of each preset, "etth1-96 etth1-192:7", with the settings of `set`.
std::vector<std::size_t> needs_of(PaperTable& table, const std::string& presets, const std::string& set,
                                  std::int64_t seeds) {
    std::vector<std::size_t> indices;
    for (const auto& item : split_text(presets, ' ')) {
        const auto colon = item.find(':');
        const auto n =
            colon == std::string::npos ? seeds : count_of(std::string_view(item).substr(colon + 1));
        indices.push_back(need_of(table, item.substr(0, colon), set, n));
    }
    return indices;
}

Line texts_of(const toml::table& table, std::string_view key) {
    Line texts;
    if (const auto* list = table[key].as_array())
        for (const auto& item : *list) texts.push_back(item.value_or(std::string()));
    return texts;
}

/// Section of a table in tables.toml.
const toml::table& description_of(const std::string& name) {
    static const toml::table all = toml::parse(embedded_file(resource("tables.toml")));
    return *all[name].as_table();
}

void read_description(PaperTable& table) {
    const auto& section = description_of(table.name);
    table.title = section["title"].value_or(std::string());
    table.source = section["source"].value_or(std::string());
    table.headings = texts_of(section, "headings");
    table.experiments = texts_of(section, "experiments");
    for (const auto& note : texts_of(section, "notes"))
        table.notes.emplace_back(note);  // English: of the paper
    table.second = section["second"].value_or(false);
    const auto best = section["best"].value_or(std::string());
    if (best == "row") table.best = PaperTable::Best::in_row;
    if (best == "column") table.best = PaperTable::Best::in_column;
}

void read_cells(PaperTable& table) {
    const auto file = table.name.substr(0, table.name.find(':'));  // an axis has the runs of strata
    const auto lines = records_of(embedded_file(resource(file + ".csv")));
    std::map<std::pair<std::size_t, std::size_t>, PaperCell> cells;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const Record record(lines[0], lines[i]);
        PaperCell cell;
        cell.metric = record["metric"];
        cell.printed = record["value"];
        cell.printed_sd = record["sd"];
        cell.printed_mark = mark_of(record["mark"]);
        cell.note = record["note"];
        const auto seeds = count_of(record["seeds"]);
        const auto own = needs_of(table, record["presets"], record["set"], seeds);
        cell.runs = own;
        for (const auto& base : split_text(record["base"], '|')) {
            if (!cell.base.empty()) cell.runs.insert(cell.runs.end(), own.begin(), own.end());
            const auto further = needs_of(table, record["presets"], base, seeds);
            cell.base.insert(cell.base.end(), further.begin(), further.end());
        }
        const auto row = index_of(table.rows, record["row"]);
        cells[{row, index_of(table.columns, record["column"])}] = std::move(cell);
    }
    table.cells.resize(table.rows.size() * table.columns.size());
    for (auto& [place, cell] : cells)
        table.cells[place.first * table.columns.size() + place.second] = std::move(cell);
}

}  // namespace

double PaperCell::paper() const {
    double number = store::not_known;
    std::from_chars(printed.data(), printed.data() + printed.size(), number);
    return number;
}

bool PaperCell::is_rank() const { return metric == "best" || metric == "best_or_second"; }

bool PaperCell::is_p() const {
    return metric == "p" || metric.ends_with("_p") || metric.ends_with("_p_uncorrected");
}

const std::vector<std::string>& paper_table_names() {
    static const auto all = [] {
        std::vector<std::string> names{
            "longterm", "averages", "lambda", "components", "anchors", "crossed",     "mmr",     "balancing",
            "paired",   "seeds",    "strata", "jaccard",    "pca",     "sensitivity", "fewshot", "m4"};
        const auto& axes = strata_axis_tables();
        names.insert(names.end(), axes.begin(), axes.end());
        return names;
    }();
    return all;
}

std::string paper_table_title(const std::string& name) {
    return description_of(name)["title"].value_or(std::string());
}

PaperTable paper_table(std::string_view name) {
    const auto& names = paper_table_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const bool is_axis = name.starts_with(strata_prefix);
        auto all = names;
        all.emplace_back(tuning_name);
        const auto near =
            is_axis ? config::nearest_name(name, strata_axis_tables()) : config::nearest(name, all);
        throw input_error("--table", Phrase("%1 is no table of the paper", config::in_quotes(name)),
                          config::either(all), near.empty() ? Phrase() : Phrase("Nearest name: %1.", near));
    }
    PaperTable table;
    table.name = name;
    read_description(table);
    read_cells(table);
    if (name.starts_with(strata_prefix)) make_strata_axes(table);
    return table;
}

}  // namespace casp::evidence
