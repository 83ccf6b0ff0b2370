#include "analysis/compare_usage.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "analysis/rows_read.h"

namespace casp::analysis {

std::vector<double> key_cosines(std::span<const float> anchors, std::int64_t dimension,
                                std::span<const std::int32_t> retrieved, std::int64_t top_k,
                                const std::stop_token& stop, const ProgressFn& progress) {
    const auto d = static_cast<std::size_t>(dimension), k = static_cast<std::size_t>(top_k);
    if (dimension < 1 || top_k < 1 || anchors.size() % d != 0 || retrieved.size() % k != 0)
        throw std::invalid_argument("key_cosines: inconsistent sizes");
    const auto pool = anchors.size() / d;
    std::vector<double> keys(anchors.begin(), anchors.end());
    for (std::size_t i = 0; i < pool; ++i) {
        double square = 0;
        for (std::size_t j = 0; j < d; ++j) square += keys[i * d + j] * keys[i * d + j];
        const double scale = 1 / std::sqrt(std::max(square, 1e-12));
        for (std::size_t j = 0; j < d; ++j) keys[i * d + j] *= scale;
    }
    std::vector<double> result;
    std::vector<double> sum(d);
    const auto cosine_of = [&](std::span<const std::int32_t> row) {
        // Σ_{i≠j} k_i·k_j = |Σ k_i|² − Σ |k_i|².
        std::fill(sum.begin(), sum.end(), 0.0);
        double own = 0;
        for (const auto anchor : row) {
            if (anchor < 0 || static_cast<std::size_t>(anchor) >= pool)
                throw std::invalid_argument("key_cosines: a retrieved anchor is not in the pool");
            const auto* key = keys.data() + static_cast<std::size_t>(anchor) * d;
            for (std::size_t j = 0; j < d; ++j) {
                sum[j] += key[j];
                own += key[j] * key[j];
            }
        }
        double whole = 0;
        for (const double value : sum) whole += value * value;
        return k < 2 ? store::not_known : (whole - own) / static_cast<double>(k * (k - 1));
    };
    const auto rows = static_cast<std::int64_t>(retrieved.size() / k);
    RowsRead read("Cosines of keys", rows, progress);
    in_parts(rows, 4096, read, stop, [&](std::int64_t first, std::int64_t last) {
        for (auto row = first; row < last; ++row)
            result.push_back(cosine_of(retrieved.subspan(static_cast<std::size_t>(row) * k, k)));
    });
    return result;
}

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
