#include "analysis/tsne_affinities.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ATen/Parallel.h>

namespace casp::analysis {

namespace {

constexpr std::int64_t row_padding = 16;

}  // namespace

void conditional_probabilities(const float* squares, std::int64_t k, double perplexity, double* p) {
    if (k <= 0) return;
    const double nearest = static_cast<double>(*std::min_element(squares, squares + k));
    double spread = 0;
    for (std::int64_t j = 0; j < k; ++j) spread += static_cast<double>(squares[j]) - nearest;
    spread /= static_cast<double>(k);
    if (!(spread > 0)) {
        std::fill(p, p + k, 1.0 / static_cast<double>(k));
        return;
    }
    // Distances in units of their mean, so that ln β is of order 0. With S = Σ e, M1 = Σ e d, M2 = Σ e d²: H
    // = ln S + β M1/S and dH/dlnβ = −β² (M2/S − (M1/S)²).
    const double target = std::log(perplexity);
    double low = -40, high = 40, log_beta = 0, total = 0;
    for (int round = 0; round < 100; ++round) {
        const double beta = std::exp(log_beta);
        double first = 0, second = 0;
        total = 0;
        for (std::int64_t j = 0; j < k; ++j) {
            const double d = (static_cast<double>(squares[j]) - nearest) / spread;
            const double e = std::exp(-beta * d);
            p[j] = e;
            total += e;
            first += e * d;
            second += e * d * d;
        }
        const double mean = first / total;
        const double excess = std::log(total) + beta * mean - target;
        if (std::abs(excess) < 1e-10) break;
        (excess > 0 ? low : high) = log_beta;
        const double slope = -beta * beta * (second / total - mean * mean);
        const double newton = log_beta - excess / slope;
        // Far from the solution H is flat in ln β, and Newton's step would leave the bracket.
        const bool usable = slope < 0 && newton > low && newton < high && std::abs(newton - log_beta) < 3;
        log_beta = usable ? newton : std::max(low, std::min(high, log_beta + (excess > 0 ? 1.0 : -1.0)));
        if (!usable && high - low < 2) log_beta = 0.5 * (low + high);
        if (high - low < 1e-13) break;
    }
    for (std::int64_t j = 0; j < k; ++j) p[j] /= total;
}

TsneAffinities tsne_affinities(const Neighbours& neighbours, double perplexity) {
    const auto n = neighbours.rows, k = neighbours.count;
    const auto cells = static_cast<std::size_t>(n * k);
    // Each row's neighbours by number.
    std::vector<std::int32_t> column(cells);
    std::vector<float> p(cells);
    at::parallel_for(0, n, 64, [&](std::int64_t begin, std::int64_t end) {
        const auto width = static_cast<std::size_t>(k);
        std::vector<double> row(width);
        std::vector<std::int32_t> order(width);
        for (std::int64_t i = begin; i < end; ++i) {
            conditional_probabilities(neighbours.square.data() + i * k, k, perplexity, row.data());
            const auto* index = neighbours.index.data() + i * k;
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](auto a, auto b) { return index[a] < index[b]; });
            for (std::size_t j = 0; j < width; ++j) {
                column[static_cast<std::size_t>(i * k) + j] = index[order[j]];
                p[static_cast<std::size_t>(i * k) + j] =
                    static_cast<float>(row[static_cast<std::size_t>(order[j])]);
            }
        }
    });
    // The transposed rows; also ascending, since rows are visited in order.
    std::vector<std::int64_t> place(static_cast<std::size_t>(n) + 1, 0);
    for (const auto j : column) ++place[static_cast<std::size_t>(j) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<std::int32_t> back_column(cells);
    std::vector<float> back_p(cells);
    {
        auto next = place;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t e = i * k; e < (i + 1) * k; ++e) {
                const auto to = static_cast<std::size_t>(
                    next[static_cast<std::size_t>(column[static_cast<std::size_t>(e)])]++);
                back_column[to] = static_cast<std::int32_t>(i);
                back_p[to] = p[static_cast<std::size_t>(e)];
            }
    }
    // Merges both: calls `use` with each column of row i and the sum of both entries.
    const auto merge = [&](std::int64_t i, auto use) {
        auto a = static_cast<std::size_t>(i * k);
        auto b = static_cast<std::size_t>(place[static_cast<std::size_t>(i)]);
        const auto a_end = static_cast<std::size_t>((i + 1) * k);
        const auto b_end = static_cast<std::size_t>(place[static_cast<std::size_t>(i) + 1]);
        while (a < a_end || b < b_end) {
            const bool take_a = b == b_end || (a < a_end && column[a] <= back_column[b]);
            const bool take_b = a == a_end || (b < b_end && back_column[b] <= column[a]);
            const auto j = take_a ? column[a] : back_column[b];
            float sum = 0;
            if (take_a) sum += p[a++];
            if (take_b) sum += back_p[b++];
            use(j, sum);
        }
    };
    TsneAffinities result;
    result.first.assign(static_cast<std::size_t>(n) + 1, 0);
    at::parallel_for(0, n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            std::int64_t count = 0;
            merge(i, [&](std::int32_t, float) { ++count; });
            result.first[static_cast<std::size_t>(i) + 1] =
                (count + row_padding - 1) / row_padding * row_padding;
        }
    });
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.column.resize(static_cast<std::size_t>(result.first.back()));
    result.p.assign(static_cast<std::size_t>(result.first.back()), 0.0F);
    const double scale = 1.0 / (2.0 * static_cast<double>(n));  // each conditional row sums to 1
    at::parallel_for(0, n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            auto to = static_cast<std::size_t>(result.first[static_cast<std::size_t>(i)]);
            merge(i, [&](std::int32_t j, float sum) {
                result.column[to] = j;
                result.p[to++] = static_cast<float>(static_cast<double>(sum) * scale);
            });
            while (to < static_cast<std::size_t>(result.first[static_cast<std::size_t>(i) + 1]))
                result.column[to++] = static_cast<std::int32_t>(i);
        }
    });
    return result;
}

}  // namespace casp::analysis
