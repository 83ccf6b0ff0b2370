#include "evidence/batch_comparisons.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "config/options.h"
#include "config/text_utils.h"
#include "store/result_columns.h"
#include "util/grouping.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

using store::ResultRow;

using store::case_key;
using store::find_setting;
constexpr const char* preset_key = "preset";
constexpr const char* model_key = "model.name";
constexpr const char* lambda_key = "loss.lambda_cov";
const std::string without_coverage = "without coverage";

/// Text of a swept key (or the case) that is compared: runs without coverage have no λ_cov, whatever the
/// setting.
const std::string* compared_text(const ResultRow& row, const std::string& key) {
    return key == lambda_key && std::isnan(row.lambda_cov) ? &without_coverage : find_setting(row.swept, key);
}

/// Swept keys that may distinguish tasks, in order of first appearance.
std::vector<std::string> task_keys(const std::vector<ResultRow>& rows, const std::string& compared) {
    auto keys = store::swept_keys(rows);
    std::erase_if(keys, [&](const std::string& key) {
        // Without coverage is one of the values of λ_cov.
        return key == compared || key == "train.seed" || key == "data.path" || key == "data.horizon" ||
               (compared == lambda_key && key == "coverage.enabled");
    });
    return keys;
}

/// Last parts of the keys where that is enough.
std::map<std::string, std::string> short_names(const std::vector<std::string>& keys) {
    const auto last_part = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
    std::map<std::string, int> count;
    for (const auto& key : keys) ++count[last_part(key)];
    std::map<std::string, std::string> names;
    for (const auto& key : keys) names[key] = count[last_part(key)] == 1 ? last_part(key) : key;
    return names;
}

/// "ETTh1-96". Two files of the same name are told apart by their paths.
std::vector<std::string> cell_names(const std::vector<ResultRow>& rows) {
    std::map<std::string, std::set<std::string>> paths;
    for (const auto& row : rows)
        if (const auto* path = find_setting(row.swept, "data.path")) paths[row.data].insert(*path);
    std::vector<std::string> names;
    for (const auto& row : rows) {
        const auto* path = find_setting(row.swept, "data.path");
        const auto& data = path != nullptr && paths[row.data].size() > 1 ? *path : row.data;
        names.push_back(data + "-" + std::to_string(row.horizon));
    }
    return names;
}

std::string text_or_empty(const ResultRow& row, const std::string& key) {
    const auto* text = find_setting(row.swept, key);
    return text == nullptr ? std::string() : *text;
}

/// Data and horizons of whose tasks the preset is no part: where models are compared and each has one preset.
/// Settings of the model, such as the look-back, come with it.
std::set<std::string> cells_without_preset(const std::vector<ResultRow>& rows,
                                           const std::vector<std::string>& cells,
                                           const std::string& compared) {
    if (compared != model_key) return {};
    std::map<std::pair<std::string, std::string>, std::set<std::string>> presets;  // by cell and model
    for (std::size_t i = 0; i < rows.size(); ++i)
        presets[{cells[i], text_or_empty(rows[i], model_key)}].insert(text_or_empty(rows[i], preset_key));
    std::set<std::string> found(cells.begin(), cells.end());
    for (const auto& [model, names] : presets)
        if (names.size() > 1) found.erase(model.first);
    return found;
}

/// Whether a row without this swept key has another task than those with it. Of other keys, it has a model
/// that does not read them.
bool distinguishes_tasks(const std::string& key) { return key == case_key || config::changes_the_task(key); }

/// The tasks of rows that are compared by a key.
struct Tasks {
    std::vector<std::string> keys;     ///< swept ones that may distinguish tasks
    std::vector<std::string> cells;    ///< [rows] data and horizon
    std::vector<std::string> names;    ///< [rows]
    std::set<std::string> one_preset;  ///< cells_without_preset()

    Tasks(const std::vector<ResultRow>& rows, const std::string& compared)
        : keys(task_keys(rows, compared)),
          cells(cell_names(rows)),
          names(cells),
          one_preset(cells_without_preset(rows, cells, compared)) {
        const auto shorter = short_names(keys);
        std::map<std::pair<std::string, std::string>, std::set<std::string>> texts;  // by cell and key
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (const auto& key : keys)
                if (find_setting(rows[i].swept, key) != nullptr || distinguishes_tasks(key))
                    texts[{cells[i], key}].insert(text_or_empty(rows[i], key));
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (const auto& key : keys)
                if (const auto text = text_or_empty(rows[i], key);
                    !text.empty() && !is_ignored(key, i) && texts[{cells[i], key}].size() > 1)
                    names[i] += ", " + shorter.at(key) + " " + text;
    }

    [[nodiscard]] bool is_ignored(const std::string& key, std::size_t row) const {
        return key == preset_key && one_preset.count(cells[row]) != 0;
    }
    /// Whether a row without some swept keys belongs to the task of another one as well.
    [[nodiscard]] bool belongs(const std::vector<ResultRow>& rows, std::size_t row, std::size_t other) const {
        return cells[row] == cells[other] && std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
                   const auto *text = find_setting(rows[row].swept, key),
                              *wanted = find_setting(rows[other].swept, key);
                   if (is_ignored(key, row)) return true;
                   if (text == nullptr) return wanted == nullptr || !distinguishes_tasks(key);
                   return wanted != nullptr && *text == *wanted;
               });
    }
};

double ResultRow::*member_of(const std::string& metric) {
    const auto* column = store::find_column(metric);
    if (column != nullptr && column->real() != nullptr) return column->real();
    throw std::invalid_argument("outcomes_of: no metric is called " + metric);
}

using Seeds = std::set<std::int64_t>;
using SeedsOfValues = std::map<std::string, Seeds>;

std::string seeds_text(const Seeds& seeds) {
    std::vector<std::string> texts;
    for (const auto seed : seeds) texts.push_back(std::to_string(seed));
    return config::listed(texts);
}

/// Why the value has no pair in a task; "" if it has one.
Phrase why_unpaired(const SeedsOfValues& task, const std::string& value, const std::string& base) {
    const auto& seeds = task.at(value);
    if (seeds.empty()) return "the metric is unknown";
    const auto of_base = task.find(base);
    if (of_base == task.end() || of_base->second.empty()) return Phrase("no run with %1", base);
    const bool common = std::any_of(seeds.begin(), seeds.end(),
                                    [&](const auto seed) { return of_base->second.count(seed) != 0; });
    return common ? Phrase()
                  : Phrase("no seed in common with %1 (%2 against %3)", base, seeds_text(seeds),
                           seeds_text(of_base->second));
}

Phrase not_compared(std::int64_t left, std::int64_t total) {
    if (left == total)
        return total == 1 ? Phrase("%1 run is not compared: ", left)
                          : Phrase("%1 runs are not compared: ", left);
    return left == 1 ? Phrase("%1 of %2 runs is not compared: ", left, total)
                     : Phrase("%1 of %2 runs are not compared: ", left, total);
}

}  // namespace

std::vector<std::string> values_of(const std::vector<ResultRow>& rows, const std::string& key) {
    std::vector<std::string> values;
    for (const auto& row : rows)
        if (const auto* text = compared_text(row, key)) add_once(values, *text);
    return values;
}

bool is_comparable(const std::string& key) { return key != "train.seed" && !config::changes_the_task(key); }

std::vector<Contrast> contrasts_of(const std::vector<ResultRow>& rows) {
    std::vector<Contrast> contrasts;
    if (const auto cases = values_of(rows, case_key); cases.size() > 1)
        contrasts.push_back({case_key, cases.front()});
    auto keys = task_keys(rows, case_key);
    // The program's main question, wherever it stands in the sweep.
    std::stable_partition(keys.begin(), keys.end(), [](const auto& key) { return key == lambda_key; });
    for (const auto& key : keys) {
        const auto values = values_of(rows, key);
        // Most presets are other data or another horizon.
        if (key == preset_key || !is_comparable(key) || values.size() < 2) continue;
        contrasts.push_back({key, values.front()});
        break;
    }
    return contrasts;
}

std::vector<std::string> task_names(const std::vector<ResultRow>& rows, const std::string& key) {
    return Tasks(rows, key).names;
}

std::vector<std::string> error_metrics(const std::vector<ResultRow>& rows) {
    const auto is_finished = [](const ResultRow& row) { return store::is_complete(row.state); };
    const auto is_table = [&](const ResultRow& row) { return is_finished(row) && !store::has_scores(row); };
    std::vector<std::string> metrics;
    const auto add = [&](bool scores) {
        for (const auto* column : store::metric_columns())
            if (column->has(store::ResultColumn::main) && column->is_score() == scores)
                metrics.emplace_back(column->name);
    };
    if (std::any_of(rows.begin(), rows.end(), store::has_scores)) add(true);
    if (metrics.empty() || std::any_of(rows.begin(), rows.end(), is_table)) add(false);
    return metrics;
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const auto* column : store::metric_columns()) names.emplace_back(column->name);
    return names;
}

std::vector<Outcome> outcomes_of(const std::vector<ResultRow>& rows, const std::string& key,
                                 const std::string& metric) {
    const auto member = member_of(metric);
    const Tasks tasks(rows, key);
    std::map<std::string, std::size_t> first_of_task;
    for (std::size_t i = 0; i < rows.size(); ++i) first_of_task.emplace(tasks.names[i], i);
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const auto* group = compared_text(row, key);
        if (group == nullptr || row.state != store::RunState::finished) continue;
        outcomes.push_back({tasks.names[i],
                            *group,
                            row.seed,
                            row.*member,
                            row.backbone,
                            tasks.cells[i],
                            {},
                            row.run,
                            row.precision,
                            row.lookback,
                            store::has_scores(row) ? 0 : row.horizon});
        const auto lacks = [&](const auto& name) { return find_setting(row.swept, name) == nullptr; };
        if (std::none_of(tasks.keys.begin(), tasks.keys.end(), lacks)) continue;
        for (const auto& [task, first] : first_of_task)
            if (task != tasks.names[i] && tasks.belongs(rows, i, first)) outcomes.back().also.push_back(task);
    }
    return outcomes;
}

std::vector<Comparison> compare_rows(const std::vector<ResultRow>& rows, const Contrast& contrast,
                                     const std::vector<std::string>& metrics) {
    std::vector<Comparison> all;
    for (const auto& metric : metrics)
        for (auto& row : compare_pairs(outcomes_of(rows, contrast.key, metric), metric, contrast.base))
            all.push_back(std::move(row));
    return all;
}

std::vector<Phrase> unpaired_runs(const std::vector<ResultRow>& rows, const Contrast& contrast,
                                  const std::string& metric) {
    std::map<std::string, SeedsOfValues> tasks;
    std::map<std::pair<std::string, std::string>, std::int64_t> runs;  // by task and value
    std::vector<std::string> names;                                    // of the tasks, in order
    const auto outcomes = outcomes_of(rows, contrast.key, metric);
    for (const auto& outcome : outcomes) {
        // A run of several tasks is a counterpart in each of them; it is missed in none.
        for (const auto& task : outcome.also)
            if (std::isfinite(outcome.value)) tasks[task][outcome.group].insert(outcome.seed);
        auto& seeds = tasks[outcome.task][outcome.group];
        if (std::isfinite(outcome.value)) seeds.insert(outcome.seed);
        if (!outcome.also.empty()) continue;
        add_once(names, outcome.task);
        ++runs[{outcome.task, outcome.group}];
    }
    std::vector<Phrase> sentences;
    for (const auto& value : values_of(rows, contrast.key)) {
        if (value == contrast.base) continue;
        std::int64_t total = 0, left = 0, left_tasks = 0;
        Phrase reason;
        for (const auto& task : names) {
            const auto of_task = runs.find({task, value});
            if (of_task == runs.end()) continue;
            total += of_task->second;
            const auto why = why_unpaired(tasks[task], value, contrast.base);
            if (why.empty()) continue;
            left += of_task->second;
            if (++left_tasks == 1) reason = task + ": " + why;
        }
        if (left == 0) continue;
        if (left_tasks > 1)
            reason += left_tasks > 2 ? Phrase("; and in %1 more tasks", left_tasks - 1)
                                     : Phrase("; and in %1 more task", left_tasks - 1);
        sentences.push_back(contrast.key + " = " + value + ": " + not_compared(left, total) + reason);
    }
    const auto finished = std::count_if(
        rows.begin(), rows.end(), [](const auto& row) { return row.state == store::RunState::finished; });
    if (const auto lacking = finished - std::ssize(outcomes); lacking > 0)
        sentences.push_back(not_compared(lacking, finished) + "no " + contrast.key);
    return sentences;
}

TableTexts comparison_texts(const std::vector<Comparison>& comparisons, const std::string& further) {
    return {{"comparisons.csv", comparisons_csv(comparisons)},
            {"comparisons.md", comparisons_markdown(comparisons) + further},
            {"comparisons.tex", comparisons_latex(comparisons)}};
}

}  // namespace casp::evidence
