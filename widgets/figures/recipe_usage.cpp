#include "figures/recipe_usage.h"

#include <algorithm>

namespace casp::figures {

std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors, std::optional<std::int64_t> step) {
    const auto& steps = anchors.snapshot_step;
    if (steps.empty()) return -1;
    if (!step) return static_cast<std::ptrdiff_t>(steps.size()) - 1;
    const auto after = std::upper_bound(steps.begin(), steps.end(), *step);
    return std::max<std::ptrdiff_t>(0, after - steps.begin() - 1);
}

bool is_live(const store::AnchorHistory& anchors, std::ptrdiff_t index) {
    return anchors.last_is_live && index >= 0 &&
           static_cast<std::size_t>(index) + 1 == anchors.snapshot_step.size();
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

}  // namespace casp::figures
