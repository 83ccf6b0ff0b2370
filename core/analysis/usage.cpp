#include "analysis/usage.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "analysis/rows_read.h"
#include "store/results.h"

namespace casp::analysis {

namespace {

double total_of(std::span<const std::int64_t> counts) {
    double total = 0;
    for (const auto count : counts) total += static_cast<double>(count);
    return total;
}

template <class T>
double jaccard_of(std::span<const T> a, std::span<const T> b) {
    const auto as_set = [](std::span<const T> list) {
        std::vector<T> set(list.begin(), list.end());
        std::sort(set.begin(), set.end());
        set.erase(std::unique(set.begin(), set.end()), set.end());
        return set;
    };
    const auto x = as_set(a), y = as_set(b);
    std::vector<T> both;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
    const auto either = x.size() + y.size() - both.size();
    return either == 0 ? store::not_known : static_cast<double>(both.size()) / static_cast<double>(either);
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
    s.selections = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    s.distinct = distinct_anchors(counts);
    s.entropy = usage_entropy(counts);
    if (std::isnan(s.entropy)) return s;
    if (counts.size() > 1) s.evenness = s.entropy / std::log(static_cast<double>(counts.size()));
    s.effective = std::exp(s.entropy);
    s.largest_share = top_share(counts, 1);
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

double jaccard(std::span<const std::int64_t> a, std::span<const std::int64_t> b) { return jaccard_of(a, b); }
double jaccard(std::span<const std::int32_t> a, std::span<const std::int32_t> b) { return jaccard_of(a, b); }

std::vector<double> jaccard_per_row(std::span<const std::int32_t> a, std::int64_t k_a,
                                    std::span<const std::int32_t> b, std::int64_t k_b,
                                    const std::stop_token& stop, const ProgressFn& progress) {
    if (k_a < 1 || k_b < 1 || a.size() % static_cast<std::size_t>(k_a) != 0 ||
        b.size() % static_cast<std::size_t>(k_b) != 0 ||
        a.size() / static_cast<std::size_t>(k_a) != b.size() / static_cast<std::size_t>(k_b))
        throw std::invalid_argument("jaccard_per_row: different numbers of rows");
    const auto first = static_cast<std::size_t>(k_a), second = static_cast<std::size_t>(k_b);
    std::vector<double> values(a.size() / first);
    RowsRead read("Overlap of selections", static_cast<std::int64_t>(values.size()), progress);
    in_parts(static_cast<std::int64_t>(values.size()), 16384, read, stop,
             [&](std::int64_t from, std::int64_t to) {
                 for (auto row = static_cast<std::size_t>(from); std::cmp_less(row, to); ++row)
                     values[row] = jaccard_of(a.subspan(row * first, first), b.subspan(row * second, second));
             });
    return values;
}

std::vector<UsageSummary> usage_over_time(const store::AnchorHistory& history) {
    std::vector<UsageSummary> all;
    const auto width = static_cast<std::size_t>(std::max<std::int64_t>(0, history.pool_size));
    if (width == 0) return all;
    const std::span<const std::int64_t> usage(history.usage_train);
    for (std::size_t first = 0; first + width <= usage.size(); first += width)
        all.push_back(summarise_usage(usage.subspan(first, width)));
    return all;
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

}  // namespace casp::analysis
