#include "analysis/compare_usage.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace casp::analysis {

std::vector<std::int64_t> retrieved_set(std::span<const std::int64_t> counts) {
    std::vector<std::int64_t> set;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) set.push_back(static_cast<std::int64_t>(i));
    return set;
}

UsageComparison compare_usage(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                              std::int64_t top) {
    if (a.size() != b.size()) throw std::invalid_argument("compare_usage: pools of different size");
    UsageComparison c;
    c.a = summarise_usage(a);
    c.b = summarise_usage(b);
    c.jaccard = jaccard(retrieved_set(a), retrieved_set(b));
    c.jaccard_top = jaccard(most_used(a, top), most_used(b, top));
    double moved = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        c.both += a[i] > 0 && b[i] > 0 ? 1 : 0;
        c.only_a += a[i] > 0 && b[i] == 0 ? 1 : 0;
        c.only_b += a[i] == 0 && b[i] > 0 ? 1 : 0;
        moved += std::abs(static_cast<double>(a[i]) / static_cast<double>(c.a.retrievals) -
                          static_cast<double>(b[i]) / static_cast<double>(c.b.retrievals));
    }
    if (c.a.retrievals > 0 && c.b.retrievals > 0) c.total_variation = moved / 2;
    return c;
}

RetrievalOverlaps retrieval_overlaps(const std::vector<std::vector<std::int64_t>>& usages, std::int64_t top) {
    RetrievalOverlaps overlaps;
    const auto n = overlaps.usages = usages.size();
    std::vector<std::vector<std::int64_t>> all, most;
    for (const auto& usage : usages) {
        all.push_back(retrieved_set(usage));
        most.push_back(most_used(usage, top));
    }
    overlaps.jaccard.assign(n * n, store::not_known);
    overlaps.jaccard_top.assign(n * n, store::not_known);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
            if (usages[i].size() != usages[j].size()) continue;
            overlaps.jaccard[i * n + j] = overlaps.jaccard[j * n + i] = jaccard(all[i], all[j]);
            overlaps.jaccard_top[i * n + j] = overlaps.jaccard_top[j * n + i] = jaccard(most[i], most[j]);
        }
    return overlaps;
}

}  // namespace casp::analysis
