// fill(): which runs belong to which configuration, and the values of the cells.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/compare_usage.h"
#include "config/experiment.h"
#include "evidence/paired.h"
#include "evidence/paper_table.h"
#include "store/result_columns.h"

namespace casp::evidence {

namespace {

constexpr std::int64_t first_seed = 2021;
constexpr std::string_view papers_backbone = "openai-gpt2-small";
constexpr std::string_view backbone_key = "backbone";
constexpr std::string_view data_key = "data";

/// Settings that the paper compares: runs that differ in them are never taken for one another.
const std::set<std::string, std::less<>> compared{
    "data.percent",        "model.name",      "model.anchors",    "model.prompt",
    "model.decomposition", "model.head_ways", "coverage.enabled", "coverage.term",
    "coverage.warmup",     "loss.lambda_cov", "selection.rule",   "selection.alpha"};

/// Settings that name a run or its files, or that change how it runs and not what it gives.
bool is_no_setting(const std::string& key) {
    return key == "name" || key == "preset" || key == "train.seed" || key == "data.path" ||
           key == "backbone.path" || (key.starts_with("run.") && key != "run.precision");
}

using Deviations = std::map<std::string, std::string>;  ///< key and the run's value

/// A run that may stand for a configuration.
struct Candidate {
    std::size_t need, run;
    Deviations deviations;
};

std::string data_of(const NeededRuns& need) {
    const auto& path = need.config.data.path;
    return path.substr(path.find(':') + 1);
}

std::string value_of_key(const NeededRuns& need, const std::string& key) {
    if (key == data_key) return data_of(need);
    if (key == backbone_key) return std::string(papers_backbone);
    return config::to_toml(config::get(need.config, key));
}

/// In what the run deviates from the configuration; nothing: it is another one.
std::optional<Deviations> deviations_of(const NeededRuns& need, const PaperRun& run) {
    const bool same_task =
        run.row.data == data_of(need) && run.config.data.horizon == need.config.data.horizon;
    if (!need.problem.empty() || (run.config.preset != need.preset && !same_task)) return {};
    if (run.row.seed < first_seed || run.row.seed >= first_seed + need.seeds) return {};
    Deviations result;
    for (const auto& difference : config::differences(need.config, run.config)) {
        if (is_no_setting(difference.key)) continue;
        if (compared.contains(difference.key)) return {};
        result[difference.key] = difference.b;
    }
    if (run.row.data != data_of(need)) result[std::string(data_key)] = run.row.data;
    if (run.row.backbone != papers_backbone && run.row.backbone != "none")
        result[std::string(backbone_key)] = run.row.backbone;
    return result;
}

/// Whether the candidate deviates as `group`, in as far as its configuration has another value there.
bool fits(const Candidate& candidate, const Deviations& group, const PaperTable& table,
          const std::vector<PaperRun>& runs) {
    const auto& own = candidate.deviations;
    if (!std::includes(group.begin(), group.end(), own.begin(), own.end())) return false;
    return std::all_of(group.begin(), group.end(), [&](const auto& item) {
        if (own.contains(item.first)) return true;
        if (item.first == backbone_key) return runs[candidate.run].row.backbone == "none";
        return value_of_key(table.needs[candidate.need], item.first) == item.second;
    });
}

std::vector<Candidate> candidates_of(const PaperTable& table, const std::vector<PaperRun>& runs) {
    std::vector<Candidate> candidates;
    for (std::size_t need = 0; need < table.needs.size(); ++need)
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (runs[run].row.state != store::RunState::finished) continue;
            if (auto deviations = deviations_of(table.needs[need], runs[run]))
                candidates.push_back({need, run, std::move(*deviations)});
        }
    return candidates;
}

/// The way of deviating in which most runs agree; of equally many, the one with the fewest settings.
Deviations largest_group(const std::vector<Candidate>& candidates, const PaperTable& table,
                         const std::vector<PaperRun>& runs) {
    std::set<Deviations> groups;
    for (const auto& candidate : candidates) groups.insert(candidate.deviations);
    Deviations best;
    std::size_t most = 0;
    for (const auto& group : groups) {
        std::set<std::pair<std::size_t, std::int64_t>> places;
        for (const auto& candidate : candidates)
            if (fits(candidate, group, table, runs))
                places.emplace(candidate.need, runs[candidate.run].row.seed);
        if (places.size() < most || (places.size() == most && group.size() >= best.size())) continue;
        most = places.size();
        best = group;
    }
    return best;
}

void assign_runs(PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto candidates = candidates_of(table, runs);
    const auto group = largest_group(candidates, table, runs);
    std::set<std::string> backbones;
    for (const auto& candidate : candidates) {
        if (!fits(candidate, group, table, runs)) continue;
        const auto& row = runs[candidate.run].row;
        auto& place = table.needs[candidate.need].found[static_cast<std::size_t>(row.seed - first_seed)];
        if (place && runs[*place].measures.size() >= runs[candidate.run].measures.size()) continue;
        place = candidate.run;
        backbones.insert(row.backbone);
    }
    if (backbones.size() > 1) backbones.erase("none");
    table.backbone = backbones.empty() ? std::string() : *backbones.begin();
    for (const auto& [key, value] : group)
        if (key != backbone_key) table.deviations.push_back(key + " = " + value);
}

/// Of a run: a column of results.csv or one of its further measures.
double metric_of(const PaperRun& run, const std::string& metric) {
    for (const auto& column : store::result_columns())
        if (const auto* number = std::get_if<double store::ResultRow::*>(&column.member);
            number != nullptr && column.name == metric)
            return run.row.*(*number);
    const auto measure = run.measures.find(metric);
    return measure == run.measures.end() ? store::not_known : measure->second;
}

/// [seeds] NaN: no run, or not known.
std::vector<double> values_of(const NeededRuns& need, const std::vector<PaperRun>& runs,
                              const std::string& metric) {
    std::vector<double> values;
    for (const auto& run : need.found)
        values.push_back(run ? metric_of(runs[*run], metric) : store::not_known);
    return values;
}

/// The mean over the configurations' means, none of which may be missing: an average over what happens to be
/// there would not be comparable.
void fill_mean(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    std::vector<store::Statistic> statistics;
    for (const auto index : cell.runs)
        statistics.push_back(store::statistic_of(values_of(table.needs[index], runs, cell.metric)));
    const auto fewest = std::min_element(statistics.begin(), statistics.end(),
                                         [](const auto& a, const auto& b) { return a.n < b.n; });
    // M4's frequencies are weighted by their number of series.
    const bool weighted = statistics.size() > 1 && table.name == "m4";
    if (fewest->n == 0 || weighted) return;
    cell.n = fewest->n;
    cell.value = std::accumulate(statistics.begin(), statistics.end(), 0.0,
                                 [](double sum, const auto& one) { return sum + one.mean; }) /
                 static_cast<double>(statistics.size());
    if (statistics.size() == 1) cell.sd = fewest->sd;
}

struct Pair {
    double value, base;
};

std::vector<Pair> seed_pairs(const NeededRuns& need, const NeededRuns& base,
                             const std::vector<PaperRun>& runs, const std::string& metric) {
    const auto values = values_of(need, runs, metric);
    const auto bases = values_of(base, runs, metric);
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < std::min(values.size(), bases.size()); ++i)
        if (std::isfinite(values[i]) && std::isfinite(bases[i])) pairs.push_back({values[i], bases[i]});
    return pairs;
}

Pair mean_of(const std::vector<Pair>& pairs) {
    Pair mean{0, 0};
    for (const auto& pair : pairs) {
        mean.value += pair.value / static_cast<double>(pairs.size());
        mean.base += pair.base / static_cast<double>(pairs.size());
    }
    return mean;
}

/// Over seeds, or over the means of several configurations.
std::vector<Pair> pairs_of(const PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs,
                           const std::string& metric, bool pooled) {
    std::vector<Pair> all;
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
        const auto pairs = seed_pairs(table.needs[cell.runs[i]], table.needs[cell.base[i]], runs, metric);
        if (pairs.empty()) continue;
        if (pooled || cell.runs.size() == 1)
            all.insert(all.end(), pairs.begin(), pairs.end());
        else
            all.push_back(mean_of(pairs));
    }
    return all;
}

std::vector<double> differences_of(const std::vector<Pair>& pairs, bool relative) {
    std::vector<double> differences;
    for (const auto& pair : pairs)
        differences.push_back((pair.value - pair.base) * (relative ? 100 / pair.base : 1));
    return differences;
}

double statistic_of_pairs(std::string_view statistic, const std::vector<double>& differences,
                          const Pair& means, bool relative) {
    if (statistic == "improved")
        return static_cast<double>(
            std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; }));
    if (statistic == "w") return signed_rank(differences).w;
    if (statistic == "p") return signed_rank(differences).p;
    const auto mean = store::statistic_of(differences).mean;
    return statistic == "delta_percent" && !relative ? 100 * mean / means.base : mean;
}

void fill_pairs(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    std::string_view statistic = cell.metric;
    std::string source = "test_mse";
    bool pooled = false;
    for (const std::string_view stratum : {"hard_", "easy_"})
        if (statistic.starts_with(stratum)) {
            statistic.remove_prefix(stratum.size());
            source = std::string(stratum) + "mse";
            pooled = true;
        }
    const auto pairs = pairs_of(cell, table, runs, source, pooled);
    cell.n = std::ssize(pairs);
    if (pairs.empty()) return;
    cell.value = statistic_of_pairs(statistic, differences_of(pairs, pooled), mean_of(pairs), pooled);
}

void fill_contrast(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto hard = differences_of(pairs_of(cell, table, runs, "hard_mse", true), true);
    const auto easy = differences_of(pairs_of(cell, table, runs, "easy_mse", true), true);
    if (hard.empty() || hard.size() != easy.size()) return;
    cell.n = std::ssize(hard);
    cell.value = store::statistic_of(hard).mean - store::statistic_of(easy).mean;
}

void fill_overlap(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto& with = table.needs[cell.runs.front()].found;
    const auto& without = table.needs[cell.base.front()].found;
    std::vector<double> overlaps;
    for (std::size_t i = 0; i < with.size(); ++i)
        if (with[i] && without[i])
            overlaps.push_back(analysis::jaccard(analysis::retrieved_set(runs[*with[i]].usage_test),
                                                 analysis::retrieved_set(runs[*without[i]].usage_test)));
    const auto statistic = store::statistic_of(overlaps);
    cell.n = statistic.n;
    cell.value = statistic.mean;
    cell.sd = statistic.sd;
}

bool is_pooled(const std::string& metric) {
    return metric.starts_with("hard_") || metric.starts_with("easy_") || metric.starts_with("contrast_");
}

/// n of a cell without missing runs.
std::int64_t wanted_of(const PaperCell& cell, const PaperTable& table) {
    std::int64_t sum = 0;
    std::int64_t fewest = table.needs[cell.runs.front()].seeds;
    for (const auto index : cell.runs) {
        sum += table.needs[index].seeds;
        fewest = std::min(fewest, table.needs[index].seeds);
    }
    if (is_pooled(cell.metric)) return sum;
    const bool over_means = !cell.base.empty() && cell.runs.size() > 1;
    return over_means ? std::ssize(cell.runs) : fewest;
}

void fill_cell(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    cell.wanted = wanted_of(cell, table);
    if (cell.base.empty())
        fill_mean(cell, table, runs);
    else if (cell.metric == "jaccard")
        fill_overlap(cell, table, runs);
    else if (cell.metric == "contrast_delta_percent")
        fill_contrast(cell, table, runs);
    else
        fill_pairs(cell, table, runs);
    if (cell.metric == "p" && cell.value < 0.05) cell.mark = PaperMark::bold;
}

/// Marks the best of the cells with one error metric, and the second-best. A single value is not the best.
void mark_errors(const std::vector<PaperCell*>& line, bool second) {
    for (const auto* metric : {"test_mse", "test_mae", "test_smape", "test_mase", "test_owa"}) {
        std::set<double> values;
        for (const auto* cell : line)
            if (cell->metric == metric && std::isfinite(cell->value)) values.insert(cell->value);
        if (values.size() < 2) continue;
        for (auto* cell : line) {
            if (cell->metric != metric) continue;
            if (cell->value == *values.begin()) cell->mark = PaperMark::bold;
            if (second && cell->value == *std::next(values.begin())) cell->mark = PaperMark::underline;
        }
    }
}

void mark_best(PaperTable& table) {
    if (table.best == PaperTable::Best::none) return;
    std::map<std::size_t, std::vector<PaperCell*>> lines;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        const auto width = table.columns.size();
        if (table.cells[i])
            lines[table.best == PaperTable::Best::in_row ? i / width : i % width].push_back(&*table.cells[i]);
    }
    for (const auto& [line, cells] : lines) mark_errors(cells, table.second);
}

/// Measures that assigned runs lack: how many, and the reason of the first.
void note_problems(PaperTable& table, const std::vector<PaperRun>& runs) {
    std::set<std::size_t> lacking;
    for (const auto& need : table.needs)
        for (const auto& run : need.found)
            if (run && !runs[*run].problem.empty()) lacking.insert(*run);
    if (lacking.empty()) return;
    const auto& first = runs[*lacking.begin()];
    table.notes.push_back(std::to_string(lacking.size()) + (lacking.size() == 1 ? " run is" : " runs are") +
                          " not in the values: " + first.folder.string() + ": " + first.problem);
}

}  // namespace

PaperTable fill(PaperTable table, const std::vector<PaperRun>& runs) {
    assign_runs(table, runs);
    for (auto& cell : table.cells)
        if (cell) fill_cell(*cell, table, runs);
    mark_best(table);
    note_problems(table, runs);
    for (const auto& need : table.needs) {
        const auto found = need.seeds - std::count(need.found.begin(), need.found.end(), std::nullopt);
        (need.problem.empty() ? table.missing : table.not_offered) += need.seeds - found;
    }
    return table;
}

}  // namespace casp::evidence
