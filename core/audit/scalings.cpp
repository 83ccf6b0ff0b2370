#include "audit/scalings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace casp::audit {

namespace {

using Rows = std::pair<std::int64_t, std::int64_t>;  ///< first, one past the last

template <class Moments>
data::Scaler scaler_of(const data::Table& table, Moments moments_of) {
    data::Scaler scaler;
    for (const auto& column : table.columns) {
        const auto [mean, std] = moments_of(column.values);
        scaler.mean.push_back(mean);
        scaler.std.push_back(std > 0 ? std : 1);
    }
    return scaler;
}

data::Scaler moments_of_rows(const data::Table& table, Rows rows) {
    return scaler_of(table, [&](const std::vector<double>& values) {
        const auto moments =
            data::moments(values.data() + rows.first, static_cast<std::size_t>(rows.second - rows.first));
        return std::pair(moments.mean, moments.std);
    });
}

data::Scaler range_of_rows(const data::Table& table, Rows rows) {
    return scaler_of(table, [&](const std::vector<double>& values) {
        const auto [low, high] =
            std::minmax_element(values.begin() + rows.first, values.begin() + rows.second);
        return std::pair(*low, *high - *low);
    });
}

data::Scaler moments_of_all_channels(const data::Table& table, Rows rows) {
    std::vector<double> all;
    for (const auto& column : table.columns)
        all.insert(all.end(), column.values.begin() + rows.first, column.values.begin() + rows.second);
    const auto moments = data::moments(all.data(), all.size());
    return scaler_of(table, [&](const auto&) { return std::pair(moments.mean, moments.std); });
}

}  // namespace

std::vector<Scaling> possible_scalings(const data::PreparedData& data) {
    using Kind = Scaling::Kind;
    const auto& table = data.table;
    const auto& plan = data.plan;
    const auto rows = table.rows();
    const Rows train{0, plan.scaler_rows};
    const auto test_begin = plan.test.target_begin;
    const auto val_begin = plan.val.target_begin;

    std::vector<Scaling> all;
    all.push_back({Kind::expected, "the mean and standard deviation of the training rows", data.scaler});
    all.push_back({Kind::original_units, "nothing (original units)",
                   scaler_of(table, [](const auto&) { return std::pair(0.0, 1.0); })});
    // Of thousands of rows, n - 1 instead of n changes no error that is printed.
    auto sample = data.scaler;
    const auto n = static_cast<double>(plan.scaler_rows);
    for (auto& std : sample.std) std *= std::sqrt(n / (n - 1));
    all.push_back({Kind::expected, "the mean and sample standard deviation of the training rows", sample});
    const auto add_moments = [&](const std::string& of, Rows part) {
        if (part.first < part.second && part.second <= rows && part != train)
            all.push_back(
                {Kind::foreign, "the mean and standard deviation of " + of, moments_of_rows(table, part)});
    };
    add_moments("all rows", {0, rows});
    add_moments("the training and validation rows", {0, test_begin});
    add_moments("the training, validation and test rows", {0, plan.test.end});
    add_moments("the validation rows", {val_begin, test_begin});
    add_moments("the test rows", {test_begin, plan.test.end});
    add_moments("the test rows with the look-back before them", {plan.test.begin, plan.test.end});
    add_moments("the first 10 % of the training rows",
                {0, (plan.scaler_rows - plan.lookback) / 10 + plan.lookback});
    for (const int percent : {60, 70, 80, 90})
        add_moments("the first " + std::to_string(percent) + " % of the rows", {0, rows * percent / 100});
    add_moments("the first 8,640 rows (12 months of hours)", {0, 8640});
    add_moments("the first 34,560 rows (12 months of quarter hours)", {0, 34560});
    all.push_back({Kind::foreign, "one mean and standard deviation of all channels' training rows",
                   moments_of_all_channels(table, train)});
    all.push_back({Kind::foreign, "the minimum and range of the training rows", range_of_rows(table, train)});
    all.push_back({Kind::foreign, "the minimum and range of all rows", range_of_rows(table, {0, rows})});
    return all;
}

}  // namespace casp::audit
