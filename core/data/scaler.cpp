#include "data/scaler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "util/vector_clones.h"

namespace casp::data {

namespace {

using Lanes = std::array<double, 8>;  // kept in vector registers by the compiler

/// Calls `step(lane, value)` for each value; consecutive values belong to consecutive lanes.
template <typename Step>
CASP_INLINE void in_lanes(const double* values, std::size_t n, const Step& step) {
    constexpr std::size_t lanes = std::tuple_size_v<Lanes>;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) step(lane, values[i + lane]);
    for (; i < n; ++i) step(i % lanes, values[i]);
}

Moments moments_of(long double mean, long double variance, std::size_t n) {
    const long double n_eps = static_cast<long double>(n) * std::numeric_limits<double>::epsilon();
    const bool constant = variance <= n_eps * variance + (n_eps * mean) * (n_eps * mean);
    return {static_cast<double>(mean), constant ? 0.0 : static_cast<double>(std::sqrt(variance))};
}

}  // namespace

Moments moments(const double* values, std::size_t n) {
    if (n == 0) return {};
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += values[i];
    const long double mean = sum / static_cast<long double>(n);
    long double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const long double d = values[i] - mean;
        squares += d * d;
    }
    return moments_of(mean, squares / static_cast<long double>(n), n);
}

CASP_VECTOR_CLONES Moments fast_moments(const double* values, std::size_t n) {
    if (n == 0) return {};
    const auto total = [n](const Lanes& lanes) {
        return std::accumulate(lanes.begin(), lanes.end(), 0.0) / static_cast<double>(n);
    };
    Lanes sums{};
    in_lanes(values, n, [&](std::size_t lane, double v) { sums[lane] += v; });
    const double mean = total(sums);
    Lanes squares{};
    in_lanes(values, n, [&](std::size_t lane, double v) { squares[lane] += (v - mean) * (v - mean); });
    if (!std::isfinite(total(squares))) return moments(values, n);  // squares beyond float64
    return moments_of(mean, total(squares), n);
}

CASP_VECTOR_CLONES Extremes extremes(const double* values, std::size_t n) {
    Lanes least;
    Lanes most;
    least.fill(Extremes{}.least);
    most.fill(Extremes{}.most);
    in_lanes(values, n, [&](std::size_t lane, double v) {  // comparisons with NaN are false
        least[lane] = v < least[lane] ? v : least[lane];
        most[lane] = v > most[lane] ? v : most[lane];
    });
    return {*std::ranges::min_element(least), *std::ranges::max_element(most)};
}

Scaler fit_scaler(const Table& table, std::int64_t rows) {
    if (rows < 1 || rows > table.rows()) throw std::invalid_argument("fit_scaler: rows outside the table");
    Scaler scaler;
    for (const auto& column : table.columns) {
        const Moments m = moments(column.values.data(), static_cast<std::size_t>(rows));
        if (!std::isfinite(m.mean) || !std::isfinite(m.std))
            throw std::invalid_argument("fit_scaler: column \"" + column.name +
                                        "\" holds values that are not finite");
        scaler.mean.push_back(m.mean);
        scaler.std.push_back(m.std == 0 ? 1 : m.std);
    }
    return scaler;
}

std::vector<float> scaled_values(const Table& table, const Scaler& scaler) {
    const auto rows = static_cast<std::size_t>(table.rows());
    const auto channels = table.columns.size();
    std::vector<float> values(rows * channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const auto& column = table.columns[c].values;
        for (std::size_t r = 0; r < rows; ++r)
            values[r * channels + c] = static_cast<float>((column[r] - scaler.mean[c]) / scaler.std[c]);
    }
    return values;
}

}  // namespace casp::data
