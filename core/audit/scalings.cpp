#include "audit/scalings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/text_utils.h"
#include "util/phrase.h"

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

Scaling mixed_scaling(const std::vector<const Scaling*>& of_column, const data::PreparedData& data) {
    std::vector<std::pair<const Scaling*, std::vector<std::string>>> groups;
    Scaling mixed{Scaling::Kind::foreign, {}, data.scaler};
    for (std::size_t c = 0; c < of_column.size(); ++c) {
        const auto* const scaling = of_column[c];
        if (scaling == nullptr) continue;
        mixed.scaler.mean[c] = scaling->scaler.mean[c];
        mixed.scaler.std[c] = scaling->scaler.std[c];
        if (scaling->kind == Scaling::Kind::original_units) mixed.kind = Scaling::Kind::partly_original;
        auto group =
            std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == scaling; });
        if (group == groups.end()) group = groups.insert(groups.end(), {scaling, {}});
        group->second.push_back(data.table.columns[c].name);
    }
    for (const auto& [scaling, names] : groups)
        mixed.description += (mixed.description.empty() ? "" : ", ") + scaling->description + " in " +
                             config::listed(names, 4);
    return mixed;
}

bool same_scaling(const Scaling& a, const Scaling& b) {
    return a.kind == b.kind && (a.kind == Scaling::Kind::expected || a.description == b.description);
}

Phrase units_of(const Scaling& scaling) {
    using Kind = Scaling::Kind;
    if (scaling.kind == Kind::original_units) return "in original units";
    return scaling.kind == Kind::partly_original
               ? Phrase("partly in original units: scaled with %1", scaling.description)
               : Phrase("scaled with %1", scaling.description);
}

std::vector<Scaling> possible_scalings(const data::PreparedData& data) {
    using Kind = Scaling::Kind;
    const auto& table = data.table;
    const auto& plan = data.plan;
    const auto rows = table.rows();
    const Rows train{0, plan.scaler_rows};
    const auto test_begin = plan.test.target_begin;
    const auto val_begin = plan.val.target_begin;

    std::vector<Scaling> all;
    all.push_back(
        {Kind::expected, "the mean and standard deviation of the training rows", data.scaler, true});
    all.push_back({Kind::original_units, "nothing (original units)",
                   scaler_of(table, [](const auto&) { return std::pair(0.0, 1.0); }), true});
    // Of thousands of rows, n - 1 instead of n changes no error that is printed.
    auto sample = data.scaler;
    const auto n = static_cast<double>(plan.scaler_rows);
    for (auto& std : sample.std) std *= std::sqrt(n / (n - 1));
    all.push_back({Kind::expected, "the mean and sample standard deviation of the training rows", sample});
    const auto add_moments = [&](const Phrase& of, Rows part) {
        if (part.first < part.second && part.second <= rows && part != train)
            all.push_back({Kind::foreign, Phrase("the mean and standard deviation of %1", of),
                           moments_of_rows(table, part)});
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
        add_moments(Phrase("the first %1 % of the rows", percent), {0, rows * percent / 100});
    add_moments("the first 8,640 rows (12 months of hours)", {0, 8640});
    add_moments("the first 34,560 rows (12 months of quarter hours)", {0, 34560});
    all.push_back({Kind::foreign, "one mean and standard deviation of all channels' training rows",
                   moments_of_all_channels(table, train), true});
    all.push_back(
        {Kind::foreign, "the minimum and range of the training rows", range_of_rows(table, train), true});
    all.push_back({Kind::foreign, "the minimum and range of all rows", range_of_rows(table, {0, rows})});
    return all;
}

}  // namespace casp::audit
