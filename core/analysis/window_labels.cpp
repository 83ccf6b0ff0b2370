#include "analysis/window_labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "analysis/change_points.h"
#include "analysis/rows_read.h"
#include "model/decompose_row.h"

namespace casp::analysis {

namespace {

void check_look_backs(const LookBacks& of) {
    const auto outside = [](std::int64_t value, std::int64_t size) { return value < 0 || value >= size; };
    bool fits = of.length >= 1 && of.series_channels >= 1 && !of.channels.empty();
    if (fits) {
        const auto rows = static_cast<std::int64_t>(of.series.size()) / of.series_channels;
        for (const auto start : of.start) fits = fits && !outside(start, rows - of.length + 1);
        for (const auto channel : of.channels) fits = fits && !outside(channel, of.series_channels);
    }
    if (!fits) throw std::invalid_argument("window labels: a look-back or a channel is outside the series");
}

void check_length(std::int64_t length) {
    if (length < 1) throw std::invalid_argument("window labels: a length of the decomposition is below 1");
}

/// Copies the look-back of window `window` and channel `channel` to `x` [L].
void read_look_back(const LookBacks& of, std::size_t window, std::int64_t channel, std::vector<double>& x) {
    for (std::int64_t i = 0; i < of.length; ++i)
        x[static_cast<std::size_t>(i)] = static_cast<double>(
            of.series[static_cast<std::size_t>((of.start[window] + i) * of.series_channels + channel)]);
}

/// The values of label(window) for all windows, with progress and cancellation.
template <class Label>
std::vector<double> label_windows(const LookBacks& of, const std::stop_token& stop,
                                  const ProgressFn& progress, Label label) {
    constexpr std::int64_t rows_at_once = 4096;
    const auto channels = std::ssize(of.channels);
    const auto rows = std::ssize(of.start) * channels;
    RowsRead read("Labelling windows", rows, progress);
    std::vector<double> labels;
    labels.reserve(of.start.size());
    in_parts(rows, std::max<std::int64_t>(1, rows_at_once / channels) * channels, read, stop,
             [&](std::int64_t first, std::int64_t last) {
                 for (auto i = first / channels; i < last / channels; ++i)
                     labels.push_back(label(static_cast<std::size_t>(i)));
             });
    return labels;
}

/// The same for a label that is the mean of each(x), x the look-back of a channel.
template <class Each>
std::vector<double> label_by_channel(const LookBacks& of, const std::stop_token& stop,
                                     const ProgressFn& progress, Each each) {
    std::vector<double> x(static_cast<std::size_t>(of.length));
    return label_windows(of, stop, progress, [&](std::size_t window) {
        double sum = 0;
        for (const auto channel : of.channels) {
            read_look_back(of, window, channel, x);
            sum += each(x);
        }
        return sum / static_cast<double>(of.channels.size());
    });
}

/// Σ (x − mean)².
double squares_about_mean(const std::vector<double>& x) {
    double mean = 0, squares = 0;
    for (const double value : x) mean += value;
    mean /= static_cast<double>(x.size());
    for (const double value : x) squares += (value - mean) * (value - mean);
    return squares;
}

/// Sums of squares of a constant look-back are rounding errors: zero beside the values' own squares.
bool is_constant(double squares, const std::vector<double>& x) {
    double size = 0;
    for (const double value : x) size += value * value;
    return !(squares > 1e-20 * size);
}

}  // namespace

std::vector<double> trend_changes(const LookBacks& of, const ChangeSettings& settings,
                                  const std::stop_token& stop, const ProgressFn& progress) {
    check_look_backs(of);
    check_length(settings.trend_length);
    if (!(settings.penalty_factor >= 0))
        throw std::invalid_argument("window labels: the penalty factor is negative");
    const auto trend_length = std::min(settings.trend_length, of.length);
    const auto min_segment = std::max<std::int64_t>(2, trend_length / 2);
    const double penalty = settings.penalty_factor * std::log(static_cast<double>(of.length));
    model::RowDecomposition decomposition(of.length, trend_length, 1);
    std::vector<double> x(static_cast<std::size_t>(of.length)), average(x.size()), trend(x.size());
    const auto points_of = [&](const std::vector<double>& row) {
        decomposition.trend(row.data(), trend.data());
        return change_points(trend, penalty, min_segment);
    };
    return label_windows(of, stop, progress, [&](std::size_t window) {
        std::set<std::int64_t> points;
        std::fill(average.begin(), average.end(), 0.0);
        for (const auto channel : of.channels) {
            read_look_back(of, window, channel, x);
            if (settings.treatment == ChangeTreatment::channel_union) {
                const auto found = points_of(x);
                points.insert(found.begin(), found.end());
            } else {
                for (std::size_t i = 0; i < x.size(); ++i)
                    average[i] += x[i] / static_cast<double>(of.channels.size());
            }
        }
        if (settings.treatment == ChangeTreatment::channel_union) return static_cast<double>(points.size());
        return static_cast<double>(points_of(average).size());
    });
}

std::vector<double> trend_strengths(const LookBacks& of, std::int64_t trend_length,
                                    std::int64_t seasonal_length, const std::stop_token& stop,
                                    const ProgressFn& progress) {
    check_look_backs(of);
    check_length(std::min(trend_length, seasonal_length));
    model::RowDecomposition decomposition(of.length, std::min(trend_length, of.length),
                                          std::min(seasonal_length, of.length));
    std::vector<double> trend(static_cast<std::size_t>(of.length)), seasonal(trend.size()),
        rest(trend.size());
    return label_by_channel(of, stop, progress, [&](const std::vector<double>& x) {
        decomposition.parts(x.data(), trend.data(), seasonal.data(), rest.data());
        const double residual = squares_about_mean(rest);
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] += trend[i];
        const double deseasonalised = squares_about_mean(rest);
        return is_constant(deseasonalised, x) ? 0.0 : std::max(0.0, 1 - residual / deseasonalised);
    });
}

std::vector<double> low_frequency_shares(const LookBacks& of, std::int64_t cutoff,
                                         const std::stop_token& stop, const ProgressFn& progress) {
    check_look_backs(of);
    if (cutoff < 2) throw std::invalid_argument("window labels: the cutoff is below two rows");
    const auto size = static_cast<std::size_t>(of.length);
    std::vector<double> cosine(size), sine(size), centred(size);
    for (std::size_t i = 0; i < size; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
        cosine[i] = std::cos(angle);
        sine[i] = std::sin(angle);
    }
    // Few frequencies are below the cutoff, and the whole power is L Σ (x − mean)² (Parseval).
    const auto frequencies = static_cast<std::size_t>((of.length - 1) / cutoff);
    return label_by_channel(of, stop, progress, [&](const std::vector<double>& x) {
        const double squares = squares_about_mean(x);
        if (is_constant(squares, x)) return 0.0;
        double mean = 0, low = 0;
        for (const double value : x) mean += value / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i) centred[i] = x[i] - mean;
        for (std::size_t k = 1; k <= frequencies; ++k) {
            double real = 0, imaginary = 0;
            for (std::size_t i = 0, phase = 0; i < size; ++i) {
                real += centred[i] * cosine[phase];
                imaginary += centred[i] * sine[phase];
                phase += k;
                if (phase >= size) phase -= size;
            }
            low += 2 * (real * real + imaginary * imaginary);
        }
        return std::min(1.0, low / (static_cast<double>(size) * squares));
    });
}

}  // namespace casp::analysis
