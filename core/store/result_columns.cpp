#include "store/result_columns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "util/units.h"

namespace casp::store {

namespace {

/// Number of decimals for `significant` digits; -1 if only exponent form has them.
int decimals_for(double value, int significant) {
    if (value == 0) return 0;
    // Round first: 9.9996 has the digits of 10.00.
    const auto text = digits(value, std::chars_format::scientific, significant - 1);
    const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
    if (exponent < -5 || exponent > 14) return -1;
    return std::max(0, significant - 1 - exponent);
}

}  // namespace

std::string digits(double value, std::chars_format format, int precision) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, value, format, precision).ptr;
    return {text, end};
}

const std::vector<ResultColumn>& result_columns() {
    static const std::vector<ResultColumn> columns{
        {"run", &ResultRow::run},
        {"state", &ResultRow::state},
        {"data", &ResultRow::data, "data.path"},
        {"model", &ResultRow::model, "model.name"},
        {"lookback", &ResultRow::lookback, "data.lookback"},
        {"horizon", &ResultRow::horizon, "data.horizon"},
        {"lambda_sim", &ResultRow::lambda_sim, "loss.lambda_sim"},
        {"lambda_cov", &ResultRow::lambda_cov, "loss.lambda_cov"},
        {"seed", &ResultRow::seed, "train.seed"},
        {"epochs", &ResultRow::epochs, nullptr, true},
        {"best_epoch", &ResultRow::best_epoch, nullptr, true},
        {"steps", &ResultRow::steps, nullptr, true},
        {"val_mse", &ResultRow::val_mse, nullptr, true},
        {"test_mse", &ResultRow::test_mse, nullptr, true},
        {"test_mae", &ResultRow::test_mae, nullptr, true},
        {"last_value_mse", &ResultRow::last_value_mse, nullptr, true},
        {"usage_entropy", &ResultRow::usage_entropy, nullptr, true},
        {"distinct_anchors", &ResultRow::distinct_anchors, nullptr, true},
        {"key_cosine", &ResultRow::key_cosine, nullptr, true},
        {"seconds", &ResultRow::seconds, nullptr, true},
        {"backbone", &ResultRow::backbone}};
    return columns;
}

const std::vector<ResultColumn>& score_columns() {
    static const std::vector<ResultColumn> columns{{"test_smape", &ResultRow::test_smape, nullptr, true},
                                                   {"test_mase", &ResultRow::test_mase, nullptr, true},
                                                   {"test_owa", &ResultRow::test_owa, nullptr, true},
                                                   {"val_smape", &ResultRow::val_smape, nullptr, true}};
    return columns;
}

std::vector<ResultColumn> metric_columns() {
    std::vector<ResultColumn> metrics;
    for (const auto* columns : {&result_columns(), &score_columns()})
        for (const auto& column : *columns)
            if (column.measured && std::holds_alternative<double ResultRow::*>(column.member))
                metrics.push_back(column);
    return metrics;
}

bool has_scores(const ResultRow& row) { return !std::isnan(row.test_smape); }

const std::vector<StatisticColumn>& statistic_columns() {
    static const std::vector<StatisticColumn> columns{
        {"val_mse", &ResultRow::val_mse, &Cell::val_mse},
        {"test_mse", &ResultRow::test_mse, &Cell::test_mse},
        {"test_mae", &ResultRow::test_mae, &Cell::test_mae},
        {"last_value_mse", &ResultRow::last_value_mse, &Cell::last_value_mse},
        {"usage_entropy", &ResultRow::usage_entropy, &Cell::usage_entropy},
        {"distinct_anchors", &ResultRow::distinct_anchors, &Cell::distinct_anchors},
        {"key_cosine", &ResultRow::key_cosine, &Cell::key_cosine},
        {"seconds", &ResultRow::seconds, &Cell::seconds},
        {"test_smape", &ResultRow::test_smape, &Cell::test_smape},
        {"test_mase", &ResultRow::test_mase, &Cell::test_mase},
        {"test_owa", &ResultRow::test_owa, &Cell::test_owa},
        {"val_smape", &ResultRow::val_smape, &Cell::val_smape}};
    return columns;
}

bool is_score(const StatisticColumn& column) {
    return column.of_row == &ResultRow::test_smape || column.of_row == &ResultRow::test_mase ||
           column.of_row == &ResultRow::test_owa || column.of_row == &ResultRow::val_smape;
}

std::string column_for_key(const std::string& key) {
    for (const auto& column : result_columns())
        if (column.key != nullptr && key == column.key) return column.name;
    return key;
}

std::string shortest(double value) {
    if (std::isnan(value)) return "nan";
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string four_digits(double value) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return shortest(value);
    const int decimals = decimals_for(value, 4);
    if (decimals < 0) return digits(value, std::chars_format::scientific, 3);
    return digits(value, std::chars_format::fixed, decimals);
}

std::string score_text(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "–" : shortest(value);
    return digits(rounded_score(value), std::chars_format::fixed, 3);
}

std::string score_and_sd(const Statistic& statistic) {
    const auto mean = score_text(statistic.mean);
    return statistic.n < 2 || !std::isfinite(statistic.sd) ? mean : mean + " ± " + score_text(statistic.sd);
}

std::string mean_and_sd(const Statistic& statistic) {
    const auto mean = four_digits(statistic.mean);
    if (statistic.n < 2 || !std::isfinite(statistic.sd) || !std::isfinite(statistic.mean)) return mean;
    // As many decimals as the mean, but enough for a non-zero deviation.
    int decimals = decimals_for(statistic.mean, 4);
    if (decimals < 0) return mean + " ± " + four_digits(statistic.sd);
    if (statistic.sd > 0 && statistic.sd < 0.5 * std::pow(10.0, -decimals)) {
        decimals = decimals_for(statistic.sd, 2);
        if (decimals < 0) return mean + " ± " + digits(statistic.sd, std::chars_format::scientific, 1);
    }
    return mean + " ± " + digits(statistic.sd, std::chars_format::fixed, decimals);
}

std::string submission_csv(const std::vector<std::string>& ids, std::int64_t horizon,
                           std::span<const double> forecasts) {
    const auto columns = std::max<std::int64_t>(horizon, 48);  // the longest of the competition, Hourly's
    std::string text = "id";
    for (std::int64_t step = 1; step <= columns; ++step) text += ",F" + std::to_string(step);
    text += '\n';
    const auto width = static_cast<std::size_t>(horizon);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        text += csv_cell(ids[i]);
        for (const double value : forecasts.subspan(i * width, width)) text += ',' + shortest(value);
        for (auto step = horizon; step < columns; ++step) text += ",NA";
        text += '\n';
    }
    return text;
}

}  // namespace casp::store
