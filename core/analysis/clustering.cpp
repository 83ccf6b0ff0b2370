#include "analysis/clustering.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "util/error.h"

namespace casp::analysis {

namespace {

/// A merge in the order of the chains; each part is named by one of its items.
struct Merge {
    std::size_t a, b;
    double height;
};

std::vector<Merge> merges_of(std::vector<double> d, std::size_t n, const std::stop_token& stop) {
    std::vector<double> size(n, 1);
    std::vector<bool> gone(n, false);
    std::vector<std::size_t> chain;
    std::vector<Merge> merges;
    merges.reserve(n - 1);
    while (merges.size() + 1 < n) {
        throw_if_stopped(stop);
        if (chain.empty())
            chain.push_back(
                static_cast<std::size_t>(std::find(gone.begin(), gone.end(), false) - gone.begin()));
        const auto last = chain.back();
        // The previous item wins ties; otherwise the chain could cycle.
        const auto before = chain.size() > 1 ? chain[chain.size() - 2] : n;
        auto nearest = before;
        double shortest = before < n ? d[last * n + before] : std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < n; ++i)
            if (!gone[i] && i != last && d[last * n + i] < shortest) {
                shortest = d[last * n + i];
                nearest = i;
            }
        if (nearest != before) {
            chain.push_back(nearest);
            continue;
        }
        chain.resize(chain.size() - 2);
        const auto kept = std::max(last, nearest), dropped = std::min(last, nearest);
        merges.push_back({dropped, kept, shortest});
        gone[dropped] = true;
        for (std::size_t i = 0; i < n; ++i) {
            if (gone[i] || i == kept) continue;
            const double mean = (size[dropped] * d[dropped * n + i] + size[kept] * d[kept * n + i]) /
                                (size[dropped] + size[kept]);
            d[kept * n + i] = d[i * n + kept] = mean;
        }
        size[kept] += size[dropped];
    }
    return merges;
}

}  // namespace

Clustering average_linkage(std::span<const double> distances, std::int64_t count,
                           const std::stop_token& stop) {
    const auto n = static_cast<std::size_t>(std::max<std::int64_t>(0, count));
    if (count < 0 || distances.size() != n * n)
        throw std::invalid_argument("average_linkage: not [n, n] distances");
    Clustering result;
    if (n == 0) return result;
    auto merges = merges_of({distances.begin(), distances.end()}, n, stop);
    std::stable_sort(merges.begin(), merges.end(),
                     [](const Merge& x, const Merge& y) { return x.height < y.height; });

    // Converts item names of parts to numbers of merges.
    std::vector<std::size_t> parent(n), number(n);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    std::iota(number.begin(), number.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto a = root(merges[i].a), b = root(merges[i].b);
        result.left.push_back(static_cast<std::int64_t>(std::min(number[a], number[b])));
        result.right.push_back(static_cast<std::int64_t>(std::max(number[a], number[b])));
        result.height.push_back(merges[i].height);
        parent[a] = b;
        number[b] = n + i;
    }
    std::vector<std::int64_t> open{static_cast<std::int64_t>(2 * n - 2)};
    while (!open.empty()) {
        const auto node = open.back();
        open.pop_back();
        if (std::cmp_less(node, n)) {
            result.order.push_back(node);
            continue;
        }
        const auto merge = static_cast<std::size_t>(node) - n;
        open.push_back(result.right[merge]);
        open.push_back(result.left[merge]);
    }
    return result;
}

}  // namespace casp::analysis
