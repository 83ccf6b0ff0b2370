// Cells of a batch: grouping of runs, statistics, and the best cell.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <variant>

#include "config/options.h"
#include "store/results.h"
#include "util/grouping.h"

namespace casp::store {

namespace {

void add_name(std::string& all, const std::string& one) {
    if (one.empty() || (" + " + all + " + ").find(" + " + one + " + ") != std::string::npos) return;
    all += (all.empty() ? "" : " + ") + one;
}

/// Mean over the cell's runs.
double validation_error(const Cell& cell) {
    const auto& smape = cell.of_metric(&ResultRow::val_smape);
    return smape.n > 0 ? smape.mean : cell.of_metric(&ResultRow::val_mse).mean;
}

}  // namespace

void set_values(ResultRow& row, const RunRecord& record, std::span<const ResultColumn> columns) {
    for (const auto& column : columns) {
        const auto& source = column.source;
        if (source.attribute != nullptr)
            row.*std::get<std::string ResultRow::*>(column.member) = record.attributes.*source.attribute;
        if (source.split != nullptr && record.*source.split)
            row.*std::get<double ResultRow::*>(column.member) = *(record.*source.split).*source.metric;
    }
}

void set_record(ResultRow& row, const RunRecord& record) {
    const auto& attributes = record.attributes;
    row.state = attributes.state;
    set_values(row, record);
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

const Statistic& Cell::of_metric(double ResultRow::*metric) const {
    static const Statistic none;
    const auto& metrics = metric_columns();
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const auto* column) { return column->real() == metric; });
    const auto place = static_cast<std::size_t>(found - metrics.begin());
    return place < statistics.size() ? statistics[place] : none;
}

Settings cell_settings(Settings swept) {
    std::erase_if(swept, [](const auto& setting) { return setting.first == "train.seed"; });
    return swept;
}

std::vector<Cell> summarise(const std::vector<ResultRow>& rows) {
    std::vector<Cell> cells;
    for (const auto& [settings, runs] :
         grouped(rows, [](const ResultRow& row) { return cell_settings(row.swept); })) {
        Cell cell;
        cell.swept = settings;
        cell.runs = std::ssize(runs);
        std::vector<const ResultRow*> complete, finished;
        std::set<std::int64_t> seeds;
        for (const auto* run : runs) {
            add_name(cell.backbone, run->backbone);
            if (!is_complete(run->state)) continue;
            complete.push_back(run);
            add_name(cell.precision, run->precision);
            if (run->state == RunState::finished_early)
                ++cell.early;
            else if (seeds.insert(run->seed).second)  // the same run again is no further sample
                finished.push_back(run);
        }
        cell.n = std::ssize(finished);
        // A run that failed before reading its data knows only the path.
        const auto& first = complete.empty() ? *runs.front() : *complete.front();
        cell.data = first.data;
        cell.horizon = first.horizon;
        if (complete.size() == 1 && cell.early == 1) cell.only_early = first;
        for (const auto* column : metric_columns()) {
            std::vector<double> values;
            for (const auto* row : finished) values.push_back(row->*column->real());
            cell.statistics.push_back(statistic_of(values));
        }
        cells.push_back(std::move(cell));
    }
    std::map<std::tuple<std::string, std::int64_t, Settings>, Cell*> best;
    for (auto& cell : cells) {
        if (!std::isfinite(validation_error(cell))) continue;
        auto task = cell.swept;
        std::erase_if(task, [](const auto& setting) { return !config::changes_the_task(setting.first); });
        auto& leader = best[{cell.data, cell.horizon, task}];
        if (leader == nullptr || validation_error(cell) < validation_error(*leader)) leader = &cell;
    }
    for (auto& [task, cell] : best) cell->best = true;
    return cells;
}

}  // namespace casp::store
