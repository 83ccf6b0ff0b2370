#include "data/scaler.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace casp::data {

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
    const long double variance = squares / static_cast<long double>(n);
    const long double n_eps = static_cast<long double>(n) * std::numeric_limits<double>::epsilon();
    const bool constant = variance <= n_eps * variance + (n_eps * mean) * (n_eps * mean);
    return {static_cast<double>(mean), constant ? 0.0 : static_cast<double>(std::sqrt(variance))};
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
