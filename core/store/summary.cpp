// Cells of a batch: grouping of runs, statistics, and the best cell.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "config/options.h"
#include "store/result_columns.h"
#include "store/results.h"

namespace casp::store {

namespace {

constexpr std::string_view seed_key = "train.seed";

std::string key_of(const std::vector<std::pair<std::string, std::string>>& settings) {
    std::string key;
    for (const auto& [name, value] : settings) key += name + '\x1f' + value + '\x1e';
    return key;
}

std::string task_of(const Cell& cell) {
    std::vector<std::pair<std::string, std::string>> settings{{"data", cell.data},
                                                              {"horizon", std::to_string(cell.horizon)}};
    for (const auto& setting : cell.swept)
        if (config::changes_the_task(setting.first)) settings.push_back(setting);
    return key_of(settings);
}

struct Gathered {
    Cell cell;
    std::vector<const ResultRow*> finished;
};

void add_name(std::string& all, const std::string& one) {
    if (one.empty() || (" + " + all + " + ").find(" + " + one + " + ") != std::string::npos) return;
    all += (all.empty() ? "" : " + ") + one;
}

/// Mean over the cell's runs.
double validation_error(const Cell& cell) {
    return cell.val_smape.n > 0 ? cell.val_smape.mean : cell.val_mse.mean;
}

}  // namespace

void set_metrics(ResultRow& row, const RunRecord& record) {
    if (record.val) {
        row.val_mse = record.val->mse;
        row.val_smape = record.val->smape;
    }
    if (!record.test) return;
    row.test_mse = record.test->mse;
    row.test_mae = record.test->mae;
    row.last_value_mse = record.test->last_value_mse;
    row.usage_entropy = record.test->usage_entropy;
    row.distinct_anchors = record.test->distinct_anchors;
    row.key_cosine = record.test->key_cosine;
    row.test_smape = record.test->smape;
    row.test_mase = record.test->mase;
    row.test_owa = record.test->owa;
}

void set_record(ResultRow& row, const RunRecord& record) {
    const auto& attributes = record.attributes;
    row.state = attributes.state;
    row.backbone = attributes.backbone;
    row.precision = attributes.precision;
    set_metrics(row, record);
    const auto& epochs = record.epochs;
    const auto& steps = record.steps;
    if (attributes.best_step < 0 && epochs.epoch.empty()) return;
    row.epochs = std::ssize(epochs.epoch);
    row.steps = steps.step.empty() ? 0 : steps.step.back();
    const auto best = std::find(steps.step.begin(), steps.step.end(), attributes.best_step);
    if (best != steps.step.end())
        row.best_epoch = steps.epoch[static_cast<std::size_t>(best - steps.step.begin())];
    else if (attributes.best_step == 0 && !epochs.epoch.empty())
        row.best_epoch = epochs.epoch.front();  // of a model that is not trained in steps
    const auto epoch = std::find(epochs.epoch.begin(), epochs.epoch.end(), row.best_epoch);
    if (epoch == epochs.epoch.end()) return;
    // As the run does, whose validation split may be evaluated once more at the end.
    const auto i = static_cast<std::size_t>(epoch - epochs.epoch.begin());
    row.val_mse = epochs.val_mse[i];
    if (i < epochs.val_smape.size()) row.val_smape = epochs.val_smape[i];
}

Statistic statistic_of(const std::vector<double>& values) {
    Statistic result;
    std::vector<double> known;
    for (const double value : values)
        if (!std::isnan(value)) known.push_back(value);
    if (known.empty()) return result;
    result.n = std::ssize(known);
    // Rounding of the sum would give equal values a deviation.
    const bool all_equal =
        std::all_of(known.begin(), known.end(), [&](double v) { return v == known.front(); });
    result.mean = all_equal
                      ? known.front()
                      : std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(result.n);
    if (result.n < 2) return result;
    double squares = 0;
    for (const double value : known) squares += (value - result.mean) * (value - result.mean);
    result.sd = std::sqrt(squares / static_cast<double>(result.n - 1));
    return result;
}

std::vector<std::pair<std::string, std::string>> cell_settings(
    std::vector<std::pair<std::string, std::string>> swept) {
    std::erase_if(swept, [](const auto& setting) { return setting.first == seed_key; });
    return swept;
}

std::vector<Cell> summarise(const std::vector<ResultRow>& rows) {
    std::vector<Gathered> gathered;
    std::map<std::string, std::size_t> index;
    for (const auto& row : rows) {
        auto settings = cell_settings(row.swept);
        const auto [found, is_new] = index.emplace(key_of(settings), gathered.size());
        if (is_new) {
            gathered.emplace_back();
            gathered.back().cell.swept = std::move(settings);
            gathered.back().cell.data = row.data;
            gathered.back().cell.horizon = row.horizon;
        }
        auto& group = gathered[found->second];
        ++group.cell.runs;
        add_name(group.cell.backbone, row.backbone);
        if (!is_complete(row.state)) continue;
        add_name(group.cell.precision, row.precision);
        if (group.cell.n + group.cell.early ==
            0) {  // a run that failed before reading its data knows only the path
            group.cell.data = row.data;
            group.cell.horizon = row.horizon;
        }
        if (row.state == RunState::finished_early) {
            ++group.cell.early;
            group.cell.only_early.reset();
            if (group.cell.n + group.cell.early == 1) group.cell.only_early = row;
            continue;
        }
        group.cell.only_early.reset();
        // The same run again: it has the same numbers, and is no further sample.
        if (std::any_of(group.finished.begin(), group.finished.end(),
                        [&](const ResultRow* other) { return other->seed == row.seed; }))
            continue;
        ++group.cell.n;
        group.finished.push_back(&row);
    }
    std::vector<Cell> cells;
    for (auto& group : gathered) {
        auto& cell = group.cell;
        for (const auto& column : statistic_columns()) {
            std::vector<double> values;
            for (const auto* row : group.finished) values.push_back(row->*column.of_row);
            cell.*column.of_cell = statistic_of(values);
        }
        cells.push_back(std::move(cell));
    }
    std::map<std::string, Cell*> best;
    for (auto& cell : cells) {
        if (!std::isfinite(validation_error(cell))) continue;
        auto& leader = best[task_of(cell)];
        if (leader == nullptr || validation_error(cell) < validation_error(*leader)) leader = &cell;
    }
    for (auto& [task, cell] : best) cell->best = true;
    return cells;
}

}  // namespace casp::store
