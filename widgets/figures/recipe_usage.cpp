#include "figures/recipe_usage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace casp::figures {

std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors, std::optional<std::int64_t> step) {
    const auto& steps = anchors.snapshot_step;
    if (steps.empty()) return -1;
    if (!step) return static_cast<std::ptrdiff_t>(steps.size()) - 1;
    const auto after = std::upper_bound(steps.begin(), steps.end(), *step);
    return std::max<std::ptrdiff_t>(0, after - steps.begin() - 1);
}

std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                       std::optional<std::int64_t> step) {
    if (of == UsageOf::test) return anchors.usage_test;
    const auto index = snapshot_at(anchors, step);
    const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, anchors.pool_size));
    if (index < 0 || pool == 0) return {};
    const auto last = static_cast<std::size_t>(index);
    if (anchors.usage_train.size() < (last + 1) * pool) return {};
    std::vector<std::int64_t> counts(pool, 0);
    for (std::size_t s = of == UsageOf::training ? 0 : last; s <= last; ++s)
        for (std::size_t i = 0; i < pool; ++i) counts[i] += anchors.usage_train[s * pool + i];
    return counts;
}

std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index) {
    const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, anchors.pool_size));
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, index));
    if (index < 0 || pool == 0 || anchors.coverage_statistic.size() < (at + 1) * pool) return {};
    return std::span(anchors.coverage_statistic).subspan(at * pool, pool);
}

std::vector<std::int64_t> by_usage(std::span<const std::int64_t> counts) {
    std::vector<std::int64_t> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
    });
    return order;
}

UsageNumbers usage_numbers(std::span<const std::int64_t> counts) {
    UsageNumbers numbers;
    std::vector<std::int64_t> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    numbers.selections = std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0});
    if (numbers.selections <= 0) {
        numbers.entropy = numbers.top20 = std::numeric_limits<double>::quiet_NaN();
        return numbers;
    }
    const auto all = static_cast<double>(numbers.selections);
    std::int64_t top = 0;
    for (std::size_t i = 0; i < sorted.size() && sorted[i] > 0; ++i) {
        const double p = static_cast<double>(sorted[i]) / all;
        numbers.entropy -= p * std::log(p);
        ++numbers.distinct;
        if (i < 20) top += sorted[i];
    }
    numbers.top20 = static_cast<double>(top) / all;
    return numbers;
}

}  // namespace casp::figures
