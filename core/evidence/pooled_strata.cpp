#include "evidence/pooled_strata.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace casp::evidence {

namespace {

PooledChange pooled_change(const std::vector<double>& changes) {
    PooledChange pooled;
    pooled.improved = std::count_if(changes.begin(), changes.end(), [](double c) { return c < 0; });
    if (!changes.empty())
        pooled.percent =
            std::accumulate(changes.begin(), changes.end(), 0.0) / static_cast<double>(changes.size());
    pooled.test = signed_rank(changes);
    return pooled;
}

}  // namespace

StrataChange strata_change(const analysis::PairedStrata& pair) {
    return {100 * pair.easiest.relative, 100 * pair.hardest.relative};
}

PooledStrata pool_strata(std::span<const StrataChange> pairs) {
    std::vector<double> easiest, hardest, contrast;
    for (const auto& pair : pairs) {
        if (!std::isfinite(pair.easiest) || !std::isfinite(pair.hardest)) continue;
        easiest.push_back(pair.easiest);
        hardest.push_back(pair.hardest);
        contrast.push_back(pair.hardest - pair.easiest);
    }
    return {std::ssize(easiest), pooled_change(easiest), pooled_change(hardest), pooled_change(contrast)};
}

}  // namespace casp::evidence
