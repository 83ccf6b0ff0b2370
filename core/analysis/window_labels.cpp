#include "analysis/window_labels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

#include "analysis/rows_read.h"
#include "config/text_utils.h"
#include "model/decompose_row.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

std::vector<std::string> factor_texts() {
    std::vector<std::string> texts;
    for (const double factor : penalty_factors) texts.push_back(config::shortest(factor));
    return texts;
}

/// Index of `name`. `what`: "label", "penalty".
std::size_t index_among(const std::vector<std::string>& names, const std::string& name,
                        const std::string& where, const Phrase& what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto nearest = config::nearest_name(name, names);
    throw input_error(where, Phrase("strata have no %1 \"%2\"", what, name), config::either(names),
                      nearest.empty() ? Phrase() : Phrase("Did you mean %1?", nearest));
}

/// A position where the last segment may begin.
struct SegmentStart {
    std::int64_t at = 0;
    std::int64_t until = std::numeric_limits<std::int64_t>::max();  ///< ends from here on need it no more
};

/// Sums of x and x² before each position, about the mean of x: differences of sums keep their digits.
class SegmentCost {
public:
    explicit SegmentCost(std::span<const double> x) : sum_(x.size() + 1), squares_(x.size() + 1) {
        double mean = 0;
        for (const double value : x) mean += value / static_cast<double>(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double value = x[i] - mean;
            sum_[i + 1] = sum_[i] + value;
            squares_[i + 1] = squares_[i] + value * value;
        }
    }

    /// Σ (x − mean)² over [from, to).
    [[nodiscard]] double operator()(std::int64_t from, std::int64_t to) const {
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        const double sum = sum_[b] - sum_[a];
        return squares_[b] - squares_[a] - sum * sum / static_cast<double>(to - from);
    }

private:
    std::vector<double> sum_, squares_;
};

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
    RowsRead read(Stage::labelling_windows, rows, progress);
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

std::vector<std::int64_t> change_points(std::span<const double> x, double penalty, std::int64_t min_segment) {
    if (min_segment < 1 || !(penalty >= 0) || std::isinf(penalty) ||
        !std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("change points: a value, the penalty or the segment is out of range");
    const auto n = static_cast<std::int64_t>(x.size());
    if (n < 2 * min_segment) return {};
    const SegmentCost cost(x);
    // best[t]: cost of the first t values, plus a penalty for every segment; last[t]: where its last begins.
    std::vector<double> best(x.size() + 1, 0.0), with(x.size() + 1);
    std::vector<std::int64_t> last(x.size() + 1, 0);
    std::vector<SegmentStart> starts{{}};
    for (std::int64_t end = min_segment; end <= n; ++end) {
        if (end >= 2 * min_segment) starts.push_back({end - min_segment});
        std::erase_if(starts, [end](const SegmentStart& s) { return end >= s.until; });
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto from = starts[i].at;
            with[i] = best[static_cast<std::size_t>(from)] + cost(from, end);
            if (with[i] < lowest) {
                lowest = with[i];
                last[static_cast<std::size_t>(end)] = from;
            }
        }
        best[static_cast<std::size_t>(end)] = lowest + penalty;
        // Whatever follows, a segment from `end` costs less than one that continues from there.
        for (std::size_t i = 0; i < starts.size(); ++i)
            if (with[i] > lowest + penalty) starts[i].until = std::min(starts[i].until, end + min_segment);
    }
    std::vector<std::int64_t> points;
    for (auto t = last[x.size()]; t > 0; t = last[static_cast<std::size_t>(t)]) points.push_back(t);
    std::reverse(points.begin(), points.end());
    return points;
}

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

namespace {

constexpr double norm_epsilon = 1e-5;  // of the model's instance normalisation

/// The label that `of_parts(look-back, trend, residual)` gives a channel, for decompositions of these
/// lengths.
template <class OfParts>
std::vector<double> label_by_parts(const LookBacks& of, std::int64_t trend_length,
                                   std::int64_t seasonal_length, const std::stop_token& stop,
                                   const ProgressFn& progress, OfParts of_parts) {
    check_look_backs(of);
    check_length(std::min(trend_length, seasonal_length));
    model::RowDecomposition decomposition(of.length, std::min(trend_length, of.length),
                                          std::min(seasonal_length, of.length));
    std::vector<double> trend(static_cast<std::size_t>(of.length)), seasonal(trend.size()),
        rest(trend.size());
    return label_by_channel(of, stop, progress, [&](const std::vector<double>& x) {
        decomposition.parts(x.data(), trend.data(), seasonal.data(), rest.data());
        return of_parts(x, trend, rest);
    });
}

}  // namespace

std::vector<double> trend_strengths(const LookBacks& of, std::int64_t trend_length,
                                    std::int64_t seasonal_length, const std::stop_token& stop,
                                    const ProgressFn& progress) {
    const auto strength = [](const auto& x, const auto& trend, auto& rest) {
        const double residual = squares_about_mean(rest);
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] += trend[i];
        const double deseasonalised = squares_about_mean(rest);
        return is_constant(deseasonalised, x) ? 0.0 : std::max(0.0, 1 - residual / deseasonalised);
    };
    return label_by_parts(of, trend_length, seasonal_length, stop, progress, strength);
}

std::vector<double> normalised_residuals(const LookBacks& of, std::int64_t trend_length,
                                         std::int64_t seasonal_length, const std::stop_token& stop,
                                         const ProgressFn& progress) {
    const auto mean_size = [](const auto& x, const auto& /*trend*/, const auto& rest) {
        const auto length = static_cast<double>(x.size());
        double sum = 0;
        for (const double value : rest) sum += std::abs(value);
        return sum / length / std::sqrt(squares_about_mean(x) / length + norm_epsilon);
    };
    return label_by_parts(of, trend_length, seasonal_length, stop, progress, mean_size);
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

const std::vector<std::string>& strata_label_names() {
    static const std::vector<std::string> names{"residual",       "trend-change",  "trend-change-union",
                                                "trend-strength", "low-frequency", "normalised-residual"};
    return names;
}

std::string name_of(const StrataAxis& axis) {
    auto name = strata_label_names()[static_cast<std::size_t>(axis.label)];
    if (axis.above_zero()) name += ':' + config::shortest(axis.penalty_factor);
    return name;
}

StrataAxis parse_strata_axis(const std::string& text, const std::string& where) {
    const auto colon = text.find(':');
    StrataAxis axis{
        static_cast<StrataLabel>(index_among(strata_label_names(), text.substr(0, colon), where, "label"))};
    if (colon == std::string::npos) return axis;
    if (!axis.above_zero())
        throw input_error(where, Phrase("the label %1 has no penalty", text.substr(0, colon)),
                          text.substr(0, colon));
    axis.penalty_factor =
        penalty_factors[index_among(factor_texts(), text.substr(colon + 1), where, "penalty")];
    return axis;
}

}  // namespace casp::analysis
