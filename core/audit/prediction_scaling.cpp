#include "audit/prediction_scaling.h"

#include <algorithm>
#include <cmath>

namespace casp::audit {

namespace {

constexpr std::int64_t max_windows = 256;
constexpr double min_correlation = 0.3;
constexpr double largest_slope = 3;  ///< of the data on a forecast that is scaled right, or its inverse
constexpr double sure_slope = 10;    ///< or its inverse: of no forecast that is scaled right
constexpr double min_error = 1e-12;

/// Means and (co)variances of the predictions of a channel and of the data, which is scaled as our runs.
struct ChannelMoments {
    double n = 0, prediction = 0, truth = 0, pp = 0, tt = 0, pt = 0;  ///< pp, tt, pt: sums

    void add(double p, double t) {
        ++n;
        const double dp = p - prediction, dt = t - truth;
        prediction += dp / n;
        truth += dt / n;
        pp += dp * (p - prediction);
        tt += dt * (t - truth);
        pt += dp * (t - truth);
    }
};

/// How a channel's predictions are, if they have a scaling.
struct UnitReading {
    double mse = 0, slope = 0;  ///< scaled as our runs; slope of the data on the predictions
    double factor = 1, mean = 0;
    bool is_wild = false;  ///< most values are far outside the data
};

UnitReading unit_reading_of(const ChannelMoments& moments, const Scaling& scaling,
                            const data::PreparedData& data, std::size_t column) {
    const auto& values = data.table.columns[column].values;
    const double mean = data.scaler.mean[column], std = data.scaler.std[column];
    const auto range = data::extremes(values.data(), values.size());
    const double low = (range.least - mean) / std, high = (range.most - mean) / std;
    UnitReading reading;
    reading.factor = scaling.scaler.std[column] / std;
    reading.mean =
        (moments.prediction * scaling.scaler.std[column] + scaling.scaler.mean[column] - mean) / std;
    const double spread = reading.factor * std::sqrt(moments.pp / moments.n);
    const double squares =
        reading.factor * reading.factor * moments.pp - 2 * reading.factor * moments.pt + moments.tt;
    reading.mse = std::max(min_error, squares / moments.n) + std::pow(reading.mean - moments.truth, 2);
    reading.slope = moments.pp > 0 ? moments.pt / (reading.factor * moments.pp) : 0;
    const double reach = 2 * (high - low) + 1;
    reading.is_wild = reading.mean < low - reach || reading.mean > high + reach || spread > reach;
    return reading;
}

bool is_slope(double slope, double largest = largest_slope) { return slope > 1 / largest && slope < largest; }

/// What a channel shows of two scalings.
struct Evidence {
    bool differ = false;  ///< the scalings do
    bool first = false, second = false;
    bool is_strong = false;  ///< for the second
    double log_ratio = 0;    ///< of the errors, second to first
};

bool explains(const UnitReading& right, const UnitReading& wrong, bool follows) {
    const double ratio = right.mse / wrong.mse;
    if (wrong.is_wild && !right.is_wild && ratio < 0.25) return true;
    if (!follows || !is_slope(right.slope)) return false;
    return ratio < 0.05 || (ratio < 0.8 && !is_slope(wrong.slope));
}

Evidence evidence_of(const ChannelMoments& moments, const Scaling& first, const Scaling& second,
                     const data::PreparedData& data, std::size_t column) {
    const auto a = unit_reading_of(moments, first, data, column),
               b = unit_reading_of(moments, second, data, column);
    Evidence evidence;
    evidence.differ = std::abs(std::log(a.factor / b.factor)) > 0.05 || std::abs(a.mean - b.mean) > 0.05;
    if (!evidence.differ) return evidence;
    const bool follows = moments.pt > min_correlation * std::sqrt(moments.pp * moments.tt);
    evidence.second = explains(b, a, follows);
    evidence.first = !evidence.second &&
                     (explains(a, b, follows) || (follows && is_slope(a.slope) && a.mse < 0.8 * b.mse));
    evidence.is_strong = evidence.second &&
                         ((a.mse > 4 && b.mse < 0.05 * a.mse) || (follows && !is_slope(a.slope, sure_slope)));
    evidence.log_ratio = std::log(b.mse / a.mse);
    return evidence;
}

/// ChannelMoments of each channel of the array, over windows that were found.
std::vector<ChannelMoments> channel_moments_of(const WindowArray& prediction, const ChannelMatch& truths,
                                               const std::vector<std::int64_t>& row,
                                               const data::PreparedData& data) {
    const auto channels = truths.column.size();
    std::vector<ChannelMoments> moments(channels);
    std::vector<double> values(static_cast<std::size_t>(prediction.horizon()) * channels);
    const auto step = std::max<std::int64_t>(1, prediction.windows() / max_windows);
    for (std::int64_t window = 0; window < prediction.windows(); window += step) {
        const auto first = row[static_cast<std::size_t>(window)];
        if (first < 0) continue;
        prediction.read(window, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto column = truths.column[i % channels];
            if (column < 0 || !std::isfinite(values[i])) continue;
            const auto c = static_cast<std::size_t>(column);
            const double truth = data.table.columns[c].values[static_cast<std::size_t>(first) + i / channels];
            moments[i % channels].add(values[i], (truth - data.scaler.mean[c]) / data.scaler.std[c]);
        }
    }
    return moments;
}

/// Evidence of all channels for one scaling against that of the truths.
struct ScalingCase {
    const Scaling* scaling = nullptr;
    std::vector<Evidence> channels;
    std::int64_t differ = 0, against = 0, supporting = 0, strong = 0;
    double undecided = 0;  ///< sum of log_ratio over channels without evidence
};

ScalingCase scaling_case_of(const std::vector<ChannelMoments>& moments, const ChannelMatch& truths,
                            const Scaling& scaling, const data::PreparedData& data) {
    ScalingCase one{&scaling, {}};
    for (std::size_t k = 0; k < moments.size(); ++k) {
        Evidence evidence;
        if (truths.column[k] >= 0 && moments[k].n > 0)
            evidence = evidence_of(moments[k], truths.scaling, scaling, data,
                                   static_cast<std::size_t>(truths.column[k]));
        one.differ += evidence.differ ? 1 : 0;
        one.against += evidence.first ? 1 : 0;
        one.supporting += evidence.second ? 1 : 0;
        one.strong += evidence.is_strong ? 1 : 0;
        if (!evidence.first && !evidence.second) one.undecided += evidence.log_ratio;
        one.channels.push_back(evidence);
    }
    return one;
}

}  // namespace

PredictionScaling scaling_of_predictions(const WindowArray& prediction, const ChannelMatch& truths,
                                         const std::vector<std::int64_t>& row,
                                         const data::PreparedData& data) {
    const auto moments = channel_moments_of(prediction, truths, row, data);
    const auto scalings = possible_scalings(data);
    ScalingCase best;
    bool is_shown = true;
    for (const auto& scaling : scalings) {
        if (!scaling.of_training_rows) continue;
        auto one = scaling_case_of(moments, truths, scaling, data);
        if (scaling.kind != Scaling::Kind::foreign && one.differ > 0)
            is_shown = is_shown && one.against + one.supporting > 0;
        if (one.supporting > best.supporting) best = std::move(one);
    }
    if (best.supporting == 0) return {truths.scaling, is_shown};
    const bool all = best.against == 0 && (2 * best.supporting >= best.differ || best.undecided < 0);
    if (all || best.supporting >= 4 * best.against + 4) return {*best.scaling, true};
    if (best.strong == 0) return {truths.scaling, true};
    std::vector<const Scaling*> of_column(data.table.columns.size(), nullptr);
    for (std::size_t k = 0; k < moments.size(); ++k)
        if (truths.column[k] >= 0)
            of_column[static_cast<std::size_t>(truths.column[k])] =
                best.channels[k].is_strong ? best.scaling : &truths.scaling;
    return {mixed_scaling(of_column, data), true};
}

}  // namespace casp::audit
