#include "evidence/paper_m4.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analysis/m4_scores.h"
#include "data/catalog.h"
#include "data/series_collection.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

using Frequencies = std::set<std::string>;

/// Number of series of a frequency of M4.
std::int64_t series_of(const std::string& frequency) { return data::catalog_entry("M4-" + frequency).rows; }

const std::string& frequency_of(const NeededRuns& need) { return need.config.data.frequency; }

bool is_average(const PaperCell& cell) { return cell.runs.size() > 1; }

/// Frequencies of which the cell's model has a run.
Frequencies found_in(const PaperCell& cell, const PaperTable& table) {
    Frequencies found;
    for (const auto index : cell.runs) {
        const auto& need = table.needs[index];
        if (std::any_of(need.found.begin(), need.found.end(),
                        [](const auto& run) { return run.has_value(); }))
            found.insert(frequency_of(need));
    }
    return found;
}

/// Means of one seed over frequencies.
struct SeedAverage {
    double smape = 0, mase = 0, naive2_smape = 0, naive2_mase = 0, series = 0;

    void add(const PaperRun& run, double count) {
        const auto measure = [&](const char* name) {
            const auto found = run.measures.find(name);
            return found == run.measures.end() ? store::not_known : found->second;
        };
        smape += count * run.row.test_smape;
        mase += count * run.row.test_mase;
        naive2_smape += count * measure("naive2_smape");
        naive2_mase += count * measure("naive2_mase");
        series += count;
    }
    [[nodiscard]] double value_of(const std::string& metric) const {
        if (metric == "test_smape") return smape / series;
        if (metric == "test_mase") return mase / series;
        return analysis::owa(smape, mase, naive2_smape, naive2_mase);
    }
};

/// Nothing where a frequency has no run of the seed.
std::optional<SeedAverage> average_of(const PaperCell& cell, const Frequencies& over, std::size_t seed,
                                      const PaperTable& table, const std::vector<PaperRun>& runs) {
    SeedAverage average;
    for (const auto index : cell.runs) {
        const auto& need = table.needs[index];
        if (!over.contains(frequency_of(need))) continue;
        if (seed >= need.found.size() || !need.found[seed]) return {};
        average.add(runs[*need.found[seed]], static_cast<double>(series_of(frequency_of(need))));
    }
    return average;
}

void fill_average(PaperCell& cell, const Frequencies& over, const PaperTable& table,
                  const std::vector<PaperRun>& runs) {
    std::vector<double> values;
    for (std::size_t seed = 0; seed < static_cast<std::size_t>(cell.wanted); ++seed)
        if (const auto average = average_of(cell, over, seed, table, runs))
            values.push_back(average->value_of(cell.metric));
    const auto statistic = store::statistic_of(values);
    cell.n = statistic.n;
    cell.value = statistic.mean;
    cell.sd = statistic.sd;
}

/// The frequencies that most models have; of several such sets the largest.
Frequencies shared_by_most(const PaperTable& table) {
    std::map<Frequencies, std::set<std::size_t>> models;
    for (std::size_t i = 0; i < table.cells.size(); ++i)
        if (const auto& cell = table.cells[i]; cell && is_average(*cell))
            if (auto found = found_in(*cell, table); found.size() > 1)
                models[std::move(found)].insert(i % table.columns.size());
    Frequencies best;
    std::size_t most = 0;
    for (const auto& [frequencies, columns] : models)
        if (columns.size() > most || (columns.size() == most && frequencies.size() > best.size())) {
            best = frequencies;
            most = columns.size();
        }
    return best;
}

std::string list_of(const Frequencies& frequencies, bool present) {
    std::string text;
    for (const auto& frequency : data::frequencies())
        if (const std::string name(frequency.name); frequencies.contains(name) == present)
            text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// Whether the row is the average over all frequencies.
bool is_over_all(const PaperTable& table, std::size_t row) { return table.rows[row].front() == "Average"; }

/// Inserts a row for each row "Average", with the same runs and without a printed value.
void insert_rows(PaperTable& table, std::size_t at, const std::string& name, const Frequencies& over,
                 const std::vector<PaperRun>& runs) {
    const auto width = table.columns.size();
    std::vector<std::vector<std::string>> labels;
    std::vector<std::optional<PaperCell>> cells;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (!is_over_all(table, row)) continue;
        labels.push_back({name, table.rows[row].back()});
        for (std::size_t column = 0; column < width; ++column) {
            auto cell = *table.cell(row, column);
            cell.printed.clear();
            cell.printed_sd.clear();
            cell.note.clear();
            cell.printed_mark = Mark::none;
            fill_average(cell, over, table, runs);
            cells.emplace_back(std::move(cell));
        }
    }
    const auto row = static_cast<std::ptrdiff_t>(at);
    table.rows.insert(table.rows.begin() + row, labels.begin(), labels.end());
    table.cells.insert(table.cells.begin() + row * static_cast<std::ptrdiff_t>(width), cells.begin(),
                       cells.end());
}

std::size_t first_average(const PaperTable& table) {
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (is_over_all(table, row)) return row;
    return table.rows.size();
}

/// The average of the frequencies that are there, in place of that over all.
void append_partial_average(PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto over = shared_by_most(table);
    if (over.size() < 2) return;
    const auto name = Phrase("Average of %1", list_of(over, true));
    insert_rows(table, table.rows.size(), name, over, runs);
    table.notes.push_back(Phrase("%1: runs of %2 are missing, so it cannot be compared with Average.", name,
                                 list_of(over, false)));
}

void remove_empty_rows(PaperTable& table) {
    const auto width = table.columns.size();
    for (auto row = table.rows.size(); row-- > 0;) {
        const auto begin = table.cells.begin() + static_cast<std::ptrdiff_t>(row * width);
        const auto end = begin + static_cast<std::ptrdiff_t>(width);
        const auto has_number = [](const auto& cell) {
            return cell && (!cell->printed.empty() || std::isfinite(cell->value));
        };
        if (std::any_of(begin, end, has_number)) continue;
        table.cells.erase(begin, end);
        table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(row));
    }
}

}  // namespace

void fill_m4_averages(PaperTable& table, const std::vector<PaperRun>& runs) {
    Frequencies all;
    for (const auto& frequency : data::frequencies()) all.emplace(frequency.name);
    bool complete = false;
    for (auto& cell : table.cells) {
        if (!cell || !is_average(*cell)) continue;
        fill_average(*cell, all, table, runs);
        complete = complete || cell->n > 0;
    }
    if (!complete) append_partial_average(table, runs);
    insert_rows(table, first_average(table), "Others", {"Weekly", "Daily", "Hourly"}, runs);
    remove_empty_rows(table);
}

}  // namespace casp::evidence
