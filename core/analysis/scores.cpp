#include "analysis/scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <torch/torch.h>

#include "analysis/rows_read.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t rows_per_product = 2048;  ///< rows held in float64 at once

at::Tensor matrix_of(std::span<const float> values, std::int64_t dimension) {
    const auto rows = static_cast<std::int64_t>(values.size()) / dimension;
    return at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat);
}

at::Tensor directions(const at::Tensor& rows) {
    const auto v = rows.to(at::kDouble);
    return v * v.square().sum(1, true).clamp_min(1e-12).rsqrt();
}

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

std::int64_t check_scores(std::span<const float> similarity, std::int64_t pool_size,
                          std::span<const std::int32_t> retrieved, std::int64_t top_k) {
    if (pool_size < 1 || top_k < 0 || similarity.size() % static_cast<std::size_t>(pool_size) != 0)
        throw std::invalid_argument("scores: inconsistent sizes");
    const auto rows = static_cast<std::int64_t>(similarity.size()) / pool_size;
    if (!retrieved.empty() && static_cast<std::int64_t>(retrieved.size()) != rows * top_k)
        throw std::invalid_argument("scores: inconsistent sizes");
    for (const auto anchor : retrieved)
        if (anchor < 0 || anchor >= pool_size)
            throw std::invalid_argument("scores: a retrieved anchor is not in the pool");
    if (rows == 0)
        throw input_error("similarity scores", "no similarities available", "one or more",
                          "Request the similarities.");
    return rows;
}

/// Number of rows processed between two checks for a stop request.
std::int64_t rows_at_once(std::int64_t values) {
    constexpr std::int64_t values_at_once = std::int64_t{1} << 20;
    return std::max<std::int64_t>(1, values_at_once / std::max<std::int64_t>(1, values));
}

/// Indices of `keys`, largest key first, ties by number.
template <class Key>
std::vector<std::int64_t> descending(const std::vector<Key>& keys) {
    std::vector<std::int64_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return keys[static_cast<std::size_t>(a)] > keys[static_cast<std::size_t>(b)];
    });
    return order;
}

/// Leaf order of the lines of `values` [a, c].
std::vector<std::int64_t> clustered(const at::Tensor& values, const std::stop_token& stop,
                                    const ProgressFn& progress) {
    constexpr std::int64_t portion = 1024;  // columns at a time
    const auto lines = values.size(0), columns = values.size(1);
    auto products = at::zeros({lines, lines}, at::kDouble);
    for (std::int64_t first = 0; first < columns; first += portion) {
        throw_if_stopped(stop);
        if (progress) progress({Stage::comparing_anchors, first, columns, "columns"});
        const auto x = values.slice(1, first, std::min(first + portion, columns)).to(at::kDouble);
        // Subtract the mean line first: differences of nearly equal lines would be lost in |x|² + |y|² − 2xy.
        const auto centred = x - x.mean(0);
        products.addmm_(centred, centred.t());
    }
    if (progress) progress({Stage::comparing_anchors, columns, columns, "columns"});
    const auto squares = products.diagonal();
    const auto distances =
        (squares.unsqueeze(0) + squares.unsqueeze(1) - 2 * products).clamp_min(0).sqrt().contiguous();
    return average_linkage({distances.const_data_ptr<double>(), static_cast<std::size_t>(distances.numel())},
                           lines, stop)
        .order;
}

double quantile_of(std::vector<float>& values, double level, const std::stop_token& stop) {
    // std::nth_element may be slow here and cannot be interrupted otherwise.
    std::uint32_t compared = 0;
    const auto less = [&](float a, float b) {
        if ((++compared & 0xFFFFFU) == 0) throw_if_stopped(stop);
        return a < b;
    };
    // As numpy's default: linear interpolation between the order statistics around level · (n − 1).
    const double place = level * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(std::floor(place));
    std::nth_element(values.begin(), values.begin() + below, values.end(), less);
    const double low = values[static_cast<std::size_t>(below)];
    const double rest = place - std::floor(place);
    if (rest <= 0) return low;
    const double high = *std::min_element(values.begin() + below + 1, values.end(), less);
    return low + (high - low) * rest;
}

/// `values`: equally many of each of `rows`. Read in two passes plus one per level.
void describe(Distribution& d, std::vector<float> values, std::int64_t rows,
              const std::vector<double>& levels, const std::vector<double>& edges, RowsRead& read,
              const std::stop_token& stop) {
    d.count = static_cast<std::int64_t>(values.size());
    d.histogram.assign(edges.size() - 1, 0);
    d.quantile.assign(levels.size(), store::not_known);
    if (values.empty()) return;
    const auto n = static_cast<double>(values.size());
    const auto each = [&](const auto& use) {
        const auto per_row = values.size() / static_cast<std::size_t>(rows);
        in_parts(rows, rows_at_once(static_cast<std::int64_t>(per_row)), read, stop,
                 [&](std::int64_t first, std::int64_t last) {
                     for (auto i = static_cast<std::size_t>(first) * per_row;
                          i < static_cast<std::size_t>(last) * per_row; ++i)
                         use(static_cast<double>(values[i]));
                 });
    };
    double sum = 0;
    const double low = edges.front(), high = edges.back();
    const double per_unit = static_cast<double>(d.histogram.size()) / (high - low);
    const auto last = d.histogram.size() - 1;
    each([&](double v) {
        sum += v;
        if (v < low || v > high) return;
        auto bin = std::min(last, static_cast<std::size_t>((v - low) * per_unit));
        // Rounding may put a value at an edge into the neighbouring bin.
        if (v < edges[bin]) --bin;
        if (bin < last && v >= edges[bin + 1]) ++bin;
        ++d.histogram[bin];
    });
    d.mean = sum / n;
    double squares = 0;
    each([&](double v) { squares += (v - d.mean) * (v - d.mean); });
    if (values.size() > 1) d.sd = std::sqrt(squares / (n - 1));
    for (std::size_t i = 0; i < levels.size(); ++i) {
        throw_if_stopped(stop);
        d.quantile[i] = quantile_of(values, levels[i], stop);
        read.add(rows);
    }
    d.lowest = d.quantile.front();
    d.highest = d.quantile.back();
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

std::vector<double> active_shares(std::span<const float> similarity, std::span<const float> statistic) {
    const auto pool = statistic.size();
    if (pool == 0 || similarity.empty() || similarity.size() % pool != 0)
        throw std::invalid_argument("active_shares: no whole rows");
    std::vector<double> shares(pool, 0);
    for (std::size_t i = 0; i < similarity.size(); ++i)
        if (similarity[i] > 0 && similarity[i] < statistic[i % pool]) ++shares[i % pool];
    const auto rows = static_cast<double>(similarity.size()) / static_cast<double>(pool);
    for (auto& share : shares) share /= rows;
    return shares;
}

std::vector<std::int64_t> evenly_spaced(std::int64_t total, std::int64_t count) {
    count = std::clamp<std::int64_t>(count, 0, total);
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(count));
    if (count == 1) chosen[0] = total / 2;
    for (std::int64_t i = 0; count > 1 && i < count; ++i)
        chosen[static_cast<std::size_t>(i)] = i * (total - 1) / (count - 1);
    return chosen;
}

ScoreMatrix score_matrix(std::span<const float> similarity, std::int64_t pool_size,
                         std::span<const std::int32_t> retrieved, std::int64_t top_k,
                         const ScoreOptions& options, const std::stop_token& stop,
                         const ProgressFn& progress) {
    const auto rows = check_scores(similarity, pool_size, retrieved, top_k);
    if (options.anchors < 0 || options.columns < 1)
        throw std::invalid_argument("scores: no anchors requested");
    const torch::NoGradGuard no_gradient;
    ScoreMatrix m;
    m.rows_total = rows;
    m.row = evenly_spaced(rows, options.columns);
    auto shown = at::from_blob(const_cast<float*>(similarity.data()), {rows, pool_size}, at::kFloat);
    if (std::cmp_less(m.row.size(), rows))
        shown = shown.index_select(0, at::tensor(at::ArrayRef<std::int64_t>(m.row)));
    throw_if_stopped(stop);
    const auto means = shown.mean(0, false, at::kDouble).contiguous();
    if (!at::isfinite(means).all().item<bool>())
        throw input_error("similarity scores", "the values are not all finite", {},
                          "The weights of this run are damaged or its training diverged.");
    const std::vector<double> mean(means.data_ptr<double>(), means.data_ptr<double>() + pool_size);
    std::vector<std::int64_t> usage(mean.size(), 0);
    if (!retrieved.empty())
        for (const auto row : m.row)
            for (const auto anchor :
                 retrieved.subspan(static_cast<std::size_t>(row * top_k), static_cast<std::size_t>(top_k)))
                ++usage[static_cast<std::size_t>(anchor)];

    auto top = descending(mean);
    if (options.anchors > 0 && std::cmp_less(options.anchors, top.size()))
        top.resize(static_cast<std::size_t>(options.anchors));
    throw_if_stopped(stop);
    const auto lines = [&](const std::vector<std::int64_t>& anchors) {
        return shown.index_select(1, at::tensor(at::ArrayRef<std::int64_t>(anchors))).t().contiguous();
    };
    if (options.order != AnchorOrder::mean_similarity) std::sort(top.begin(), top.end());
    if (options.order == AnchorOrder::usage)
        std::stable_sort(top.begin(), top.end(), [&](std::int64_t a, std::int64_t b) {
            return usage[static_cast<std::size_t>(a)] > usage[static_cast<std::size_t>(b)];
        });
    if (options.order == AnchorOrder::clustering && top.size() > 1) {
        std::vector<std::int64_t> ordered;
        for (const auto line : clustered(lines(top), stop, progress))
            ordered.push_back(top[static_cast<std::size_t>(line)]);
        top = std::move(ordered);
    }
    throw_if_stopped(stop);
    const auto values = lines(top);
    m.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
    const auto [lowest, highest] = std::minmax_element(m.values.begin(), m.values.end());
    m.lowest = *lowest;
    m.highest = *highest;
    for (const auto anchor : top) {
        m.mean_similarity.push_back(mean[static_cast<std::size_t>(anchor)]);
        m.usage.push_back(usage[static_cast<std::size_t>(anchor)]);
    }
    m.anchor = std::move(top);
    return m;
}

ScoreDistributions score_distributions(std::span<const float> similarity, std::int64_t pool_size,
                                       std::span<const std::int32_t> retrieved, std::int64_t top_k,
                                       std::int64_t bins, std::optional<std::pair<double, double>> range,
                                       const std::stop_token& stop, const ProgressFn& progress) {
    const auto rows = check_scores(similarity, pool_size, retrieved, top_k);
    if (bins < 1 || (range && !(range->first < range->second)))
        throw std::invalid_argument("scores: no bins requested");
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    bool finite = true;
    ScoreDistributions result;
    result.levels = {0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
    RowsRead read(Stage::distribution, rows * (3 + static_cast<std::int64_t>(result.levels.size())),
                  progress);
    in_parts(rows, rows_at_once(pool_size), read, stop, [&](std::int64_t first, std::int64_t last) {
        for (const float value : similarity.subspan(static_cast<std::size_t>(first * pool_size),
                                                    static_cast<std::size_t>((last - first) * pool_size))) {
            finite = finite && std::isfinite(value);
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
    });
    if (!finite)
        throw input_error("similarity scores", "the values are not all finite", {},
                          "The weights of this run are damaged or its training diverged.");
    double low = range ? range->first : lowest, high = range ? range->second : highest;
    if (!(low < high)) {  // all equal
        low -= 0.5;
        high += 0.5;
    }
    for (std::int64_t i = 0; i <= bins; ++i)
        result.edges.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(bins));
    result.edges.back() = high;
    // Only K of V' scores: negligible time, so they come first and report no progress.
    const ProgressFn no_listener;
    RowsRead unreported(Stage::none, 0, no_listener);
    std::vector<float> chosen;
    chosen.reserve(retrieved.size());
    in_parts(retrieved.empty() ? 0 : rows, rows_at_once(top_k), unreported, stop,
             [&](std::int64_t first, std::int64_t last) {
                 for (auto row = first; row < last; ++row)
                     for (std::int64_t k = 0; k < top_k; ++k) {
                         const auto anchor = retrieved[static_cast<std::size_t>(row * top_k + k)];
                         chosen.push_back(similarity[static_cast<std::size_t>(row * pool_size + anchor)]);
                     }
             });
    describe(result.chosen, std::move(chosen), rows, result.levels, result.edges, unreported, stop);
    describe(result.all, {similarity.begin(), similarity.end()}, rows, result.levels, result.edges, read,
             stop);
    return result;
}

CosineMap cosine_map(std::span<const float> series, std::span<const float> prompts, std::int64_t dimension,
                     std::int64_t max_rows, const std::stop_token& stop, const ProgressFn& progress) {
    if (dimension < 1 || max_rows < 1 || series.size() != prompts.size() ||
        series.size() % static_cast<std::size_t>(dimension) != 0)
        throw std::invalid_argument("cosine_map: inconsistent sizes");
    const torch::NoGradGuard no_gradient;
    const auto s = matrix_of(series, dimension), p = matrix_of(prompts, dimension);
    CosineMap map;
    map.rows_total = s.size(0);
    if (map.rows_total == 0) return map;
    map.row = evenly_spaced(map.rows_total, max_rows);
    RowsRead read(Stage::cosine_similarity, map.rows_total + static_cast<std::int64_t>(map.row.size()),
                  progress);
    // The mean over all pairs is the product of the mean directions.
    auto mean_s = at::zeros({dimension}, at::kDouble), mean_p = mean_s.clone();
    for (std::int64_t first = 0; first < map.rows_total; first += rows_per_product) {
        throw_if_stopped(stop);
        const auto last = std::min(first + rows_per_product, map.rows_total);
        const auto a = directions(s.slice(0, first, last)), b = directions(p.slice(0, first, last));
        mean_s += a.sum(0);
        mean_p += b.sum(0);
        const auto own = (a * b).sum(1).to(at::kFloat).contiguous();
        map.diagonal.insert(map.diagonal.end(), own.data_ptr<float>(), own.data_ptr<float>() + own.numel());
        read.add(last - first);
    }
    if (!at::isfinite(mean_s + mean_p).all().item<bool>())
        throw input_error("cosine map", "the embeddings are not all finite", {},
                          "The weights of this run are damaged or its training diverged.");
    const auto n = static_cast<double>(map.rows_total);
    double on = 0;
    for (const float value : map.diagonal) on += static_cast<double>(value);
    const double all = mean_s.dot(mean_p).item<double>();
    map.diagonal_mean = on / n;
    map.mean = all / (n * n);
    if (map.rows_total > 1) map.off_diagonal_mean = (all - on) / (n * n - n);

    const auto shown = at::tensor(at::ArrayRef<std::int64_t>(map.row));
    const auto across = directions(p.index_select(0, shown)).t();
    const auto down = directions(s.index_select(0, shown));
    map.values.reserve(map.row.size() * map.row.size());
    for (std::int64_t first = 0; first < down.size(0); first += rows_per_product) {
        throw_if_stopped(stop);
        const auto last = std::min(first + rows_per_product, down.size(0));
        const auto part = at::mm(down.slice(0, first, last), across).to(at::kFloat);
        map.values.insert(map.values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
        read.add(last - first);
    }
    const auto [lowest, highest] = std::minmax_element(map.values.begin(), map.values.end());
    map.lowest = *lowest;
    map.highest = *highest;
    return map;
}

}  // namespace casp::analysis
