#include "analysis/usage.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "store/results.h"

namespace casp::analysis {

namespace {

double total_of(std::span<const std::int64_t> counts) {
    double total = 0;
    for (const auto count : counts) total += static_cast<double>(count);
    return total;
}

}  // namespace

double usage_entropy(std::span<const std::int64_t> counts) {
    const double total = total_of(counts);
    if (!(total > 0)) return store::not_known;
    double entropy = 0;
    for (const auto count : counts) {
        if (count == 0) continue;
        const double p = static_cast<double>(count) / total;
        entropy -= p * std::log(p);
    }
    return entropy;
}

std::int64_t distinct_anchors(std::span<const std::int64_t> counts) {
    return std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
}

UsageSummary summarise_usage(std::span<const std::int64_t> counts) {
    UsageSummary s;
    s.retrievals = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    s.distinct = distinct_anchors(counts);
    s.entropy = usage_entropy(counts);
    if (std::isnan(s.entropy)) return s;
    if (counts.size() > 1) s.evenness = s.entropy / std::log(static_cast<double>(counts.size()));
    s.effective = std::exp(s.entropy);
    return s;
}

Concentration concentration_of(std::span<const std::int64_t> counts) {
    Concentration c;
    c.anchor.resize(counts.size());
    std::iota(c.anchor.begin(), c.anchor.end(), std::int64_t{0});
    const auto count_of = [&](std::int64_t anchor) { return counts[static_cast<std::size_t>(anchor)]; };
    std::stable_sort(c.anchor.begin(), c.anchor.end(),
                     [&](std::int64_t a, std::int64_t b) { return count_of(a) > count_of(b); });
    const double total = total_of(counts);
    // Summed as integers, so that the last fraction is exactly 1.
    std::int64_t so_far = 0;
    for (const auto anchor : c.anchor) {
        so_far += count_of(anchor);
        c.share.push_back(total > 0 ? static_cast<double>(so_far) / total : store::not_known);
    }
    return c;
}

double top_share(std::span<const std::int64_t> counts, std::int64_t n) {
    const auto c = concentration_of(counts);
    if (c.share.empty() || std::isnan(c.share.front())) return store::not_known;
    if (n <= 0) return 0;
    return c.share[std::min(static_cast<std::size_t>(n), c.share.size()) - 1];
}

std::vector<std::int64_t> most_used(std::span<const std::int64_t> counts, std::int64_t n) {
    auto anchors = concentration_of(counts).anchor;
    const auto used = std::clamp<std::int64_t>(n, 0, distinct_anchors(counts));
    anchors.resize(static_cast<std::size_t>(used));
    std::sort(anchors.begin(), anchors.end());
    return anchors;
}

double jaccard(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    const std::set<std::int64_t> x(a.begin(), a.end()), y(b.begin(), b.end());
    const auto both = std::count_if(x.begin(), x.end(), [&](std::int64_t i) { return y.count(i) > 0; });
    const auto either = static_cast<double>(x.size() + y.size()) - static_cast<double>(both);
    return either == 0 ? store::not_known : static_cast<double>(both) / either;
}

Band band_of(const std::vector<std::vector<double>>& curves) {
    std::size_t length = 0;
    for (const auto& curve : curves) length = std::max(length, curve.size());
    Band band;
    std::vector<double> at_point;
    for (std::size_t i = 0; i < length; ++i) {
        at_point.clear();
        for (const auto& curve : curves)
            if (i < curve.size()) at_point.push_back(curve[i]);
        const auto statistic = store::statistic_of(at_point);  // leaves NaN out
        band.mean.push_back(statistic.mean);
        band.sd.push_back(statistic.sd);
        band.n.push_back(statistic.n);
    }
    return band;
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
