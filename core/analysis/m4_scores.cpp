#include "analysis/m4_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace casp::analysis {

namespace {

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// Sum of products of values `lag` steps apart.
double lagged_sum(std::span<const double> values, std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < values.size(); ++i) sum += values[i] * values[i - lag];
    return sum;
}

/// Centred moving average over one season at `at`; an even season has half weights at both ends.
double trend_at(std::span<const double> series, std::size_t at, std::size_t season) {
    const std::size_t half = season / 2, first = at - half, last = at + half;
    double sum = 0;
    for (std::size_t i = first; i <= last; ++i) {
        const bool end = season % 2 == 0 && (i == first || i == last);
        sum += end ? series[i] / 2 : series[i];
    }
    return sum / static_cast<double>(season);
}

std::size_t season_from(std::int64_t season) {
    if (season < 1) throw std::invalid_argument("Naive2: the season is less than 1");
    return static_cast<std::size_t>(season);
}

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

void check_lengths(std::span<const double> forecast, std::span<const double> truth) {
    if (forecast.size() != truth.size())
        throw std::invalid_argument("M4 scores: forecast and truth have different lengths");
}

}  // namespace

double smape(std::span<const double> forecast, std::span<const double> truth) {
    check_lengths(forecast, truth);
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const double size = std::abs(truth[i]) + std::abs(forecast[i]);
        if (size == 0) continue;
        sum += 200 * std::abs(forecast[i] - truth[i]) / size;
    }
    return truth.empty() ? not_known : sum / static_cast<double>(truth.size());
}

double seasonal_difference(std::span<const double> training, std::int64_t season) {
    if (season < 1) throw std::invalid_argument("M4 scores: the season is less than 1");
    const auto step = static_cast<std::size_t>(season);
    if (training.size() <= step) return not_known;
    double sum = 0;
    for (std::size_t i = step; i < training.size(); ++i) sum += std::abs(training[i] - training[i - step]);
    return sum / static_cast<double>(training.size() - step);
}

double mase(std::span<const double> forecast, std::span<const double> truth, std::span<const double> training,
            std::int64_t season) {
    check_lengths(forecast, truth);
    const double scale = seasonal_difference(training, season);
    if (truth.empty() || scale == 0) return not_known;
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) sum += std::abs(forecast[i] - truth[i]);
    return sum / static_cast<double>(truth.size()) / scale;
}

double mean_of_known(std::span<const double> values) {
    double sum = 0;
    std::size_t n = 0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        sum += value;
        ++n;
    }
    return n == 0 ? not_known : sum / static_cast<double>(n);
}

double owa(double smape, double mase, double naive2_smape, double naive2_mase) {
    return (smape / naive2_smape + mase / naive2_mase) / 2;
}

bool is_seasonal(std::span<const double> series, std::int64_t season) {
    const auto s = season_from(season), n = series.size();
    if (s == 1 || n / 3 < s) return false;
    if (static_cast<double>(s) > std::floor(10 * std::log10(static_cast<double>(n)))) return false;
    // Its mean need not be exact, and the remainders would correlate.
    if (std::adjacent_find(series.begin(), series.end(), std::not_equal_to<>()) == series.end()) return false;
    const double mean = mean_of(series);
    std::vector<double> centred;
    centred.reserve(n);
    for (const double value : series) centred.push_back(value - mean);
    const double variance = lagged_sum(centred, 0);
    double squares = 0;
    for (std::size_t lag = 1; lag < s; ++lag) {
        const double r = lagged_sum(centred, lag) / variance;
        squares += r * r;
    }
    const double limit = 1.645 * std::sqrt((1 + 2 * squares) / static_cast<double>(n));
    return std::abs(lagged_sum(centred, s) / variance) > limit;
}

std::vector<double> seasonal_indices(std::span<const double> series, std::int64_t season) {
    const auto s = season_from(season), n = series.size();
    if (n / 2 < s) throw std::invalid_argument("Naive2: the series is shorter than two seasons");
    if (s == 1) return {1};
    std::vector<double> indices(s);
    std::vector<std::size_t> ratios(s);
    for (std::size_t i = s / 2; i + s / 2 < n; ++i) {
        const double ratio = series[i] / trend_at(series, i, s);
        if (std::isnan(ratio)) continue;
        indices[i % s] += ratio;
        ++ratios[i % s];
    }
    for (std::size_t i = 0; i < s; ++i) indices[i] /= static_cast<double>(ratios[i]);
    const double mean = mean_of(indices);
    for (double& index : indices) index /= mean;
    return indices;
}

std::vector<double> naive2(std::span<const double> series, std::int64_t season, std::int64_t horizon) {
    if (series.empty()) throw std::invalid_argument("Naive2: the series is empty");
    if (horizon < 0) throw std::invalid_argument("Naive2: the horizon is negative");
    const auto n = series.size();
    const std::vector<double> persistence(static_cast<std::size_t>(horizon), series.back());
    if (!is_seasonal(series, season)) return persistence;
    const auto indices = seasonal_indices(series, season);
    const double adjusted = series.back() / indices[(n - 1) % indices.size()];
    auto forecast = persistence;
    for (std::size_t i = 0; i < forecast.size(); ++i) {
        forecast[i] = adjusted * indices[(n + i) % indices.size()];
        if (!std::isfinite(forecast[i])) return persistence;
    }
    return forecast;
}

}  // namespace casp::analysis
