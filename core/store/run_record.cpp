#include "store/run_record.h"

#include <cstddef>

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

}  // namespace

void StepHistory::cut_after(std::int64_t last) {
    const auto count = kept(step, last);
    shorten(step, count);
    shorten(epoch, count);
    for (auto* values : {&learning_rate, &forecast, &total, &gate_share, &seconds}) shorten(*values, count);
    for (auto& curve : terms) shorten(curve.values, count);
}

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

void StepHistory::add_terms(const std::vector<LossValue>& values) {
    for (const auto& value : values) (void)term(value.name);
    for (auto& curve : terms) curve.values.resize(forecast.size(), 0.0);
    for (const auto& value : values) term(value.name).back() = value.value;
}

void EpochHistory::cut_after(std::int64_t last) {
    const auto count = kept(epoch, last);
    shorten(epoch, count);
    for (auto* values : {&train_forecast, &val_mse, &val_mae, &learning_rate, &seconds})
        shorten(*values, count);
    if (!val_smape.empty()) shorten(val_smape, count);
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
