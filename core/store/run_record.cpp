#include "store/run_record.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace casp::store {

namespace {

/// Number of entries of `order` (ascending) that are <= `last`.
std::size_t kept(const std::vector<std::int64_t>& order, std::int64_t last) {
    std::size_t count = 0;
    while (count < order.size() && order[count] <= last) ++count;
    return count;
}

template <class T>
void shorten(std::vector<T>& values, std::size_t count) {
    if (values.size() > count) values.resize(count);
}

template <class T>
void append_rest(std::vector<T>& values, const std::vector<T>& longer) {
    if (longer.size() > values.size())
        values.insert(values.end(), longer.begin() + std::ssize(values), longer.end());
}

}  // namespace

std::vector<double>& StepHistory::term(std::string_view name) {
    for (auto& curve : terms)
        if (curve.name == name) return curve.values;
    terms.push_back({std::string(name), {}});
    return terms.back().values;
}

const std::vector<double>* StepHistory::find_term(std::string_view name) const {
    for (const auto& curve : terms)
        if (curve.name == name) return &curve.values;
    return nullptr;
}

void StepHistory::append(const StepEntry& entry) {
    step.push_back(entry.step);
    epoch.push_back(entry.epoch);
    for (const auto& column : step_columns) (this->*column.values).push_back(entry.*column.value);
    for (const auto& value : entry.terms) (void)term(value.name);
    for (auto& curve : terms) curve.values.resize(step.size(), 0.0);
    for (const auto& value : entry.terms) term(value.name).back() = value.value;
}

void StepHistory::catch_up(const StepHistory& longer) {
    for (const auto& curve : longer.terms) {
        auto& values = term(curve.name);
        values.resize(step.size(), 0.0);
        append_rest(values, curve.values);
    }
    append_rest(step, longer.step);
    append_rest(epoch, longer.epoch);
    for (const auto& column : step_columns) append_rest(this->*column.values, longer.*column.values);
}

void StepHistory::cut_after(std::int64_t last) {
    const auto count = kept(step, last);
    shorten(step, count);
    shorten(epoch, count);
    for (const auto& column : step_columns) shorten(this->*column.values, count);
    for (auto& curve : terms) shorten(curve.values, count);
}

void GradientHistory::append(const GradientEntry& entry) {
    step.push_back(entry.step);
    for (const auto& norm : entry.norms) {
        auto curve =
            std::find_if(norms.begin(), norms.end(), [&](const auto& one) { return one.name == norm.name; });
        if (curve == norms.end()) curve = norms.insert(norms.end(), LossCurve{norm.name, {}});
        curve->values.resize(step.size() - 1, 0.0);
        curve->values.push_back(norm.value);
    }
    for (auto& curve : norms) curve.values.resize(step.size(), 0.0);  // terms that the step does not have
}

void GradientHistory::catch_up(const GradientHistory& longer) {
    for (std::size_t i = 0; i < longer.norms.size(); ++i) {
        if (i == norms.size()) norms.push_back({longer.norms[i].name, std::vector<double>(step.size(), 0.0)});
        append_rest(norms[i].values, longer.norms[i].values);
    }
    append_rest(step, longer.step);
}

void GradientHistory::cut_after(std::int64_t last) {
    const auto count = kept(step, last);
    shorten(step, count);
    for (auto& curve : norms) shorten(curve.values, count);
}

void EpochHistory::append(const EpochEntry& entry) {
    epoch.push_back(entry.epoch);
    for (const auto& column : epoch_columns) (this->*column.values).push_back(entry.*column.value);
    if (std::isfinite(entry.val_smape)) val_smape.push_back(entry.val_smape);
}

void EpochHistory::catch_up(const EpochHistory& longer) {
    append_rest(epoch, longer.epoch);
    for (const auto& column : epoch_columns) append_rest(this->*column.values, longer.*column.values);
    append_rest(val_smape, longer.val_smape);
}

void EpochHistory::cut_after(std::int64_t last) {
    const auto count = kept(epoch, last);
    shorten(epoch, count);
    for (const auto& column : epoch_columns) shorten(this->*column.values, count);
    shorten(val_smape, count);
}

void AnchorHistory::append(const AnchorSnapshot& snapshot) {
    pool_size = static_cast<std::int64_t>(snapshot.usage.size());
    snapshot_step.push_back(snapshot.step);
    // A parent's snapshots may have none.
    if (!snapshot.coverage_statistic.empty())
        coverage_statistic.resize(usage_train.size(), std::numeric_limits<float>::quiet_NaN());
    usage_train.insert(usage_train.end(), snapshot.usage.begin(), snapshot.usage.end());
    coverage_statistic.insert(coverage_statistic.end(), snapshot.coverage_statistic.begin(),
                              snapshot.coverage_statistic.end());
}

void AnchorHistory::catch_up(const AnchorHistory& longer) {
    pool_size = longer.pool_size;
    append_rest(snapshot_step, longer.snapshot_step);
    append_rest(usage_train, longer.usage_train);
    append_rest(coverage_statistic, longer.coverage_statistic);
}

void AnchorHistory::cut_after(std::int64_t last) {
    const auto count = kept(snapshot_step, last);
    if (count < snapshot_step.size()) last_is_live = false;
    const auto size = static_cast<std::size_t>(pool_size);
    shorten(snapshot_step, count);
    shorten(usage_train, count * size);
    shorten(coverage_statistic, count * size);
}

}  // namespace casp::store
