#include "analysis/m4_scores.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace casp::analysis {

namespace {

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

}  // namespace casp::analysis
