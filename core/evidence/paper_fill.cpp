// fill(): which runs belong to which configuration, and the values of the cells.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/usage.h"
#include "config/experiment.h"
#include "config/options.h"
#include "data/catalog_rules.h"
#include "evidence/paired.h"
#include "evidence/paper_m4.h"
#include "evidence/paper_table.h"
#include "evidence/strata_axes.h"
#include "store/result_columns.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

constexpr std::int64_t first_seed = 2021;
constexpr std::string_view papers_backbone = "openai-gpt2-small";
constexpr std::string_view backbone_key = "backbone";
constexpr std::string_view data_key = "data";

using Keys = std::set<std::string, std::less<>>;

/// Settings that the paper compares: runs that differ in them are never taken for one another.
const Keys compared{"data.percent",   "data.targets",        "model.name",      "model.anchors",
                    "model.prompt",   "model.decomposition", "model.head_ways", "coverage.enabled",
                    "coverage.term",  "coverage.warmup",     "loss.lambda_cov", "selection.rule",
                    "selection.alpha"};

/// Settings that do not change forecasts, and those that are compared in another way.
bool is_no_setting(const std::string& key) {
    return !config::changes_forecasts(key) || key == "train.seed" || key == "data.path" ||
           key == "backbone.path";
}

using Deviations = std::map<std::string, std::string>;  ///< key and the run's value

/// `compared`, and the settings in which the table's own configurations of a preset differ (K, V').
Keys compared_in(const PaperTable& table) {
    auto keys = compared;
    std::map<std::string, const config::Config*> first;  // of a preset
    for (const auto& need : table.needs) {
        if (!need.problem.empty()) continue;
        const auto* base = first.emplace(need.preset, &need.config).first->second;
        for (const auto& difference : config::differences(*base, need.config)) keys.insert(difference.key);
    }
    return keys;
}

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
std::optional<Deviations> deviations_of(const NeededRuns& need, const PaperRun& run, const Keys& fixed) {
    const bool same_task =
        run.row.data == data_of(need) && run.config.data.horizon == need.config.data.horizon;
    if (!need.problem.empty() || (run.config.preset != need.preset && !same_task)) return {};
    if (run.row.seed < first_seed || run.row.seed >= first_seed + need.seeds) return {};
    Deviations result;
    for (const auto& difference : config::differences(need.config, data::with_catalog_rules(run.config))) {
        if (is_no_setting(difference.key)) continue;
        if (fixed.contains(difference.key)) return {};
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

bool is_pooled(const std::string& metric) {
    return metric.starts_with("hard_") || metric.starts_with("easy_") || metric.starts_with("contrast_");
}

std::vector<Candidate> candidates_of(const PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto fixed = compared_in(table);
    std::vector<Candidate> candidates;
    for (std::size_t need = 0; need < table.needs.size(); ++need)
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (runs[run].row.state != store::RunState::finished) continue;
            if (auto deviations = deviations_of(table.needs[need], runs[run], fixed))
                candidates.push_back({need, run, std::move(*deviations)});
        }
    return candidates;
}

/// Column of results.csv; nullptr: the metric is none.
double store::ResultRow::*column_of(const std::string& metric) {
    const auto* column = store::find_column(metric);
    return column == nullptr ? nullptr : column->real();
}

/// Whether the run has a value for the cell. Pairs are of test_mse, which every run has.
bool has_measure(const PaperRun& run, const PaperCell& cell) {
    if (cell.metric == "jaccard") return !run.usage_test.empty();
    if (is_pooled(cell.metric)) return run.measures.contains(strata_measure("hard_mse", cell.axis));
    return !cell.base.empty() || column_of(cell.metric) != nullptr ||
           run.measures.contains(strata_measure(cell.metric, cell.axis));
}

/// Without candidates that have a value for none of the cells of their configuration: another run with equal
/// settings may have stored what they lack.
void erase_unmeasured(std::vector<Candidate>& candidates, const PaperTable& table,
                      const std::vector<PaperRun>& runs) {
    std::vector<std::vector<const PaperCell*>> cells(table.needs.size());
    for (const auto& cell : table.cells) {
        if (!cell) continue;
        for (const auto* indices : {&cell->runs, &cell->base})
            for (const auto index : *indices) cells[index].push_back(&*cell);
    }
    std::erase_if(candidates, [&](const Candidate& candidate) {
        const auto& own = cells[candidate.need];
        return std::none_of(own.begin(), own.end(),
                            [&](const auto* cell) { return has_measure(runs[candidate.run], *cell); });
    });
}

/// Number of configurations and seeds that the runs of a group fill.
std::size_t places_of(const Deviations& group, const std::vector<Candidate>& candidates,
                      const PaperTable& table, const std::vector<PaperRun>& runs) {
    std::set<std::pair<std::size_t, std::int64_t>> places;
    for (const auto& candidate : candidates)
        if (fits(candidate, group, table, runs)) places.emplace(candidate.need, runs[candidate.run].row.seed);
    return places.size();
}

/// Both together; nothing if they have other values for a setting.
std::optional<Deviations> united(Deviations group, const Deviations& other) {
    for (const auto& [key, value] : other)
        if (group.emplace(key, value).first->second != value) return {};
    return group;
}

/// The way of deviating in which most runs agree; of equally many, the one with the fewest settings. Presets
/// of several models differ, so that equal settings deviate from one in other keys than from another.
Deviations largest_group(const std::vector<Candidate>& candidates, const PaperTable& table,
                         const std::vector<PaperRun>& runs) {
    std::set<Deviations> groups;
    for (const auto& candidate : candidates) groups.insert(candidate.deviations);
    Deviations best;
    std::size_t most = 0;
    for (auto group : groups) {
        auto places = places_of(group, candidates, table, runs);
        for (const auto& other : groups) {
            const auto both = united(group, other);
            if (!both || both->size() == group.size()) continue;
            const auto filled = places_of(*both, candidates, table, runs);
            if (filled <= places) continue;
            group = *both;
            places = filled;
        }
        if (places < most || (places == most && group.size() >= best.size())) continue;
        most = places;
        best = group;
    }
    return best;
}

/// The runs that fill the table: any with the paper's settings rather than many without.
Deviations chosen_group(const std::vector<Candidate>& candidates, const PaperTable& table,
                        const std::vector<PaperRun>& runs) {
    auto largest = largest_group(candidates, table, runs);
    // Models without a backbone belong to groups with other backbones, too, and are not lost there.
    const bool loses_the_papers = std::any_of(candidates.begin(), candidates.end(), [&](const auto& one) {
        return one.deviations.empty() && !fits(one, largest, table, runs);
    });
    return loses_the_papers ? Deviations() : largest;
}

/// Settings of a candidate and its table's group in which they differ, with the candidate's values.
void add_other_settings(std::set<std::string>& settings, const Candidate& candidate, const Deviations& group,
                        const PaperTable& table) {
    for (const auto& [key, value] : candidate.deviations)
        if (const auto at = group.find(key); at == group.end() || at->second != value)
            settings.insert(key + " = " + value);
    for (const auto& [key, value] : group)
        if (!candidate.deviations.contains(key))
            settings.insert(key + " = " + value_of_key(table.needs[candidate.need], key));
}

void count_left_out(PaperTable& table, const std::vector<Candidate>& candidates, const Deviations& group,
                    const std::vector<PaperRun>& runs) {
    std::set<std::size_t> taken, left_out;
    for (const auto& candidate : candidates)
        if (fits(candidate, group, table, runs)) taken.insert(candidate.run);
    std::set<std::string> settings;
    for (const auto& candidate : candidates) {
        if (taken.contains(candidate.run)) continue;
        left_out.insert(candidate.run);
        add_other_settings(settings, candidate, group, table);
    }
    table.left_out = std::ssize(left_out);
    table.other_settings.assign(settings.begin(), settings.end());
}

void assign_runs(PaperTable& table, const std::vector<PaperRun>& runs) {
    auto candidates = candidates_of(table, runs);
    erase_unmeasured(candidates, table, runs);
    const auto group = chosen_group(candidates, table, runs);
    std::set<std::string> backbones;
    for (const auto& candidate : candidates) {
        if (!fits(candidate, group, table, runs)) continue;
        const auto& row = runs[candidate.run].row;
        auto& place = table.needs[candidate.need].found[static_cast<std::size_t>(row.seed - first_seed)];
        if (place && runs[*place].measures.size() >= runs[candidate.run].measures.size()) continue;
        place = candidate.run;
        backbones.insert(row.backbone);
        if (!row.precision.empty()) table.precisions.insert(row.precision);
    }
    if (backbones.size() > 1) backbones.erase("none");
    table.backbone = backbones.empty() ? std::string() : *backbones.begin();
    for (const auto& [key, value] : group)
        if (key != backbone_key) table.deviations.push_back(key + " = " + value);
    count_left_out(table, candidates, group, runs);
}

/// Of a run: a column of results.csv or one of its further measures.
double metric_of(const PaperRun& run, const std::string& metric) {
    if (const auto column = column_of(metric)) return run.row.*column;
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
    if (fewest->n == 0) return;
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
std::vector<Pair> pairs_of(const PaperCell& cell, const PaperTable& table,
                           const std::vector<PaperRun>& runs) {
    std::vector<Pair> all;
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
        const auto pairs = seed_pairs(table.needs[cell.runs[i]], table.needs[cell.base[i]], runs, "test_mse");
        if (pairs.empty()) continue;
        if (cell.runs.size() == 1)
            all.insert(all.end(), pairs.begin(), pairs.end());
        else
            all.push_back(mean_of(pairs));
    }
    return all;
}

double statistic_of_pairs(std::string_view statistic, const std::vector<Pair>& pairs) {
    std::vector<double> differences;
    for (const auto& pair : pairs) differences.push_back(pair.value - pair.base);
    if (statistic == "improved")
        return static_cast<double>(
            std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; }));
    if (statistic == "w") return signed_rank(differences).w;
    if (statistic == "p") return signed_rank(differences).p;
    const auto mean = store::statistic_of(differences).mean;
    return statistic == "delta_percent" ? 100 * mean / mean_of(pairs).base : mean;
}

/// Whether there are enough pairs: one is no test, so it has neither W nor p.
bool can_be_computed(const PaperCell& cell) {
    return cell.n > (cell.is_p() || cell.metric == "w" || cell.metric.ends_with("_w") ? 1 : 0);
}

void fill_pairs(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto pairs = pairs_of(cell, table, runs);
    cell.n = std::ssize(pairs);
    if (can_be_computed(cell)) cell.value = statistic_of_pairs(cell.metric, pairs);
}

/// Over seeds; NaN where a run or its measure is missing.
std::vector<StrataChange> strata_changes(const NeededRuns& need, const NeededRuns& base,
                                         const std::vector<PaperRun>& runs, const std::string& axis) {
    const auto percent = [](double value, double of) { return 100 * (value - of) / of; };
    const auto easy_mse = strata_measure("easy_mse", axis), hard_mse = strata_measure("hard_mse", axis);
    const auto easy = values_of(need, runs, easy_mse), easy_base = values_of(base, runs, easy_mse);
    const auto hard = values_of(need, runs, hard_mse), hard_base = values_of(base, runs, hard_mse);
    std::vector<StrataChange> changes;
    for (std::size_t i = 0; i < std::min(easy.size(), easy_base.size()); ++i)
        changes.push_back({percent(easy[i], easy_base[i]), percent(hard[i], hard_base[i])});
    return changes;
}

double statistic_of_pooled(std::string_view statistic, const PooledChange& change) {
    if (statistic == "pairs") return static_cast<double>(change.test.pairs);
    if (statistic == "improved") return static_cast<double>(change.improved);
    if (statistic == "w") return change.test.w;
    if (statistic == "p_uncorrected") return change.test.p_uncorrected;
    return statistic == "p" ? change.test.p : change.percent;
}

void fill_pooled(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    std::vector<StrataChange> changes;
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
        const auto further =
            strata_changes(table.needs[cell.runs[i]], table.needs[cell.base[i]], runs, cell.axis);
        changes.insert(changes.end(), further.begin(), further.end());
    }
    const auto pooled = pool_strata(changes);
    const auto& change = cell.metric.starts_with("hard_")   ? pooled.hardest
                         : cell.metric.starts_with("easy_") ? pooled.easiest
                                                            : pooled.contrast;
    cell.n = pooled.n;
    if (can_be_computed(cell) || cell.metric.ends_with("_pairs"))
        cell.value = statistic_of_pooled(cell.metric.substr(cell.metric.find('_') + 1), change);
}

/// Labels of windows are those of any seed, with or without coverage: the mean over cells that have them.
void fill_labels(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    const auto measure = strata_measure(cell.metric, cell.axis);
    std::vector<double> values;
    for (const auto index : cell.runs) {
        const auto of_cell = values_of(table.needs[index], runs, measure);
        const auto known =
            std::find_if(of_cell.begin(), of_cell.end(), [](double value) { return std::isfinite(value); });
        if (known != of_cell.end()) values.push_back(*known);
    }
    const auto statistic = store::statistic_of(values);
    cell.n = statistic.n;
    cell.wanted = std::ssize(cell.runs);
    cell.value = statistic.mean;
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

/// n of a cell without missing runs.
std::int64_t wanted_of(const PaperCell& cell, const PaperTable& table) {
    std::int64_t sum = 0;
    std::int64_t fewest = table.needs[cell.runs.front()].seeds;
    for (const auto index : cell.runs) {
        sum += table.needs[index].seeds;
        fewest = std::min(fewest, table.needs[index].seeds);
    }
    if (is_pooled(cell.metric)) return sum;
    if (cell.is_rank()) return std::ssize(cell.runs);
    const bool over_means = !cell.base.empty() && cell.runs.size() > 1;
    return over_means ? std::ssize(cell.runs) : fewest;
}

void fill_cell(PaperCell& cell, const PaperTable& table, const std::vector<PaperRun>& runs) {
    cell.wanted = wanted_of(cell, table);
    const bool weighted = table.name == "m4" && cell.runs.size() > 1;
    if (weighted || cell.is_rank()) return;  // fill_m4_averages(), fill_rank()
    if (cell.base.empty() && !cell.axis.empty())
        fill_labels(cell, table, runs);
    else if (cell.base.empty())
        fill_mean(cell, table, runs);
    else if (cell.metric == "jaccard")
        fill_overlap(cell, table, runs);
    else if (is_pooled(cell.metric))
        fill_pooled(cell, table, runs);
    else
        fill_pairs(cell, table, runs);
    if (cell.metric == "p" && cell.value < 0.05) cell.mark = Mark::bold;
}

/// A single run is not the best where the paper has several seeds.
bool may_win(const PaperCell& cell) { return std::isfinite(cell.value) && (cell.n > 1 || cell.wanted == 1); }

/// Number of cells in the row of `own` with a lower value of the same metric; nothing: one is missing.
std::optional<std::int64_t> lower_in_row(const PaperTable& table, std::size_t row, const PaperCell& own) {
    std::int64_t lower = 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const auto& other = table.cell(row, column);
        if (!other || other->metric != own.metric) continue;
        if (!may_win(*other)) return {};
        if (other->value < own.value) ++lower;
    }
    return lower;
}

void fill_rank(PaperCell& cell, std::size_t column, const PaperTable& table) {
    const std::int64_t most = cell.metric == "best" ? 0 : 1;
    std::int64_t count = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto& own = table.cell(row, column);
        if (!own || own->is_rank()) continue;
        const auto lower = lower_in_row(table, row, *own);
        if (!lower) continue;
        ++cell.n;
        if (*lower <= most) ++count;
    }
    if (cell.n > 0) cell.value = static_cast<double>(count);
}

/// Marks the best of the cells with one error metric, and the second-best. A single value is not the best.
void mark_errors(const std::vector<PaperCell*>& line, bool second) {
    for (const auto* column : store::metric_columns()) {
        if (!column->has(store::ResultColumn::main)) continue;
        const std::string metric = column->name;
        std::set<double> values;
        for (const auto* cell : line)
            if (cell->metric == metric && may_win(*cell)) values.insert(cell->value);
        if (values.size() < 2) continue;
        for (auto* cell : line) {
            if (cell->metric != metric || !may_win(*cell)) continue;
            if (cell->value == *values.begin()) cell->mark = Mark::bold;
            if (second && cell->value == *std::next(values.begin())) cell->mark = Mark::underline;
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
    for (const auto& candidate : candidates_of(table, runs))
        if (!runs[candidate.run].problem.empty()) lacking.insert(candidate.run);
    if (lacking.empty()) return;
    const auto& first = runs[*lacking.begin()];
    table.notes.push_back(lacking.size() == 1 ? Phrase("%1 run is not in the values: %2: %3", lacking.size(),
                                                       first.folder.string(), first.problem)
                                              : Phrase("%1 runs are not in the values: %2: %3",
                                                       lacking.size(), first.folder.string(), first.problem));
}

}  // namespace

PaperTable fill(PaperTable table, const std::vector<PaperRun>& runs) {
    assign_runs(table, runs);
    for (auto& cell : table.cells)
        if (cell) fill_cell(*cell, table, runs);
    if (table.name == "m4") fill_m4_averages(table, runs);
    for (std::size_t i = 0; i < table.cells.size(); ++i)
        if (auto& cell = table.cells[i]; cell && cell->is_rank())
            fill_rank(*cell, i % table.columns.size(), table);
    mark_best(table);
    note_problems(table, runs);
    for (const auto& need : table.needs) {
        const auto found = need.seeds - std::count(need.found.begin(), need.found.end(), std::nullopt);
        (need.problem.empty() ? table.missing : table.not_offered) += need.seeds - found;
    }
    return table;
}

}  // namespace casp::evidence
