#pragma once
// Labels of windows by which strata are formed, each from the look-back only, never from the target. No
// LibTorch; thread-safe.

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::analysis {

// Change points of a series in its mean: PELT with an l2 cost. No LibTorch.

/// Positions τ_1 < … < τ_k (first value of each segment but the first) that minimise
///
///   Σ over the k + 1 segments of Σ (x_i − mean of the segment)² + k·penalty
///
/// over all segmentations whose segments have at least `min_segment` values. Exact: the pruning of Killick,
/// Fearnhead and Eckley (2012), with a candidate dropped only from where the one that beats it may begin a
/// segment, `min_segment` later. Of equally good segmentations, the one with the earlier last change point.
/// Empty for fewer than 2·min_segment values. Time between O(n) and O(n²), memory O(n). Throws
/// std::invalid_argument for a value that is not finite, a penalty that is negative or not finite, or
/// min_segment < 1. Thread-safe.
[[nodiscard]] std::vector<std::int64_t> change_points(std::span<const double> x, double penalty,
                                                      std::int64_t min_segment);

/// Look-backs of windows of a scaled series. Rows of results are windows, in the order of `start`.
struct LookBacks {
    std::span<const float> series;           ///< [rows, M] row-major, finite
    std::int64_t series_channels = 0;        ///< M
    std::span<const std::int64_t> start;     ///< [n] row of the first look-back value
    std::span<const std::int64_t> channels;  ///< [m] channels that count, each below M
    std::int64_t length = 0;                 ///< L
};

/// Which series the change points are of. They test different hypotheses and need not agree.
enum class ChangeTreatment {
    channel_average,  ///< the mean over the channels
    channel_union     ///< each channel separately; a change point of any channel counts
};

/// Penalties of a sweep, in units of σ² ln L: the number of segments depends on the penalty,
/// so results are read across all of them.
inline constexpr std::array<double, 5> penalty_factors{0.5, 1, 2, 4, 8};
inline constexpr double default_penalty_factor = 2;

struct ChangeSettings {
    std::int64_t trend_length = 1;  ///< of the decomposition; at most L counts
    ChangeTreatment treatment = ChangeTreatment::channel_average;
    /// c of the penalty β = c·σ² ln L. σ² is the variance of a channel in the training split, 1 in scaled
    /// units, for the channel average, too: not the variance of the window, in which every ramp is a change.
    double penalty_factor = default_penalty_factor;
};

/// Number of change points of the look-back's trend (model/decomposition.h): PELT with an l2 cost
/// (change_points()) and segments of at least half the trend length, at least 2, since the moving average
/// blurs a step over its whole length. Union: different positions in any channel. [n]; above zero: the
/// trend has a change.
///
/// This and the following functions throw std::invalid_argument for a look-back or a channel outside the
/// series and for settings out of range, and Cancelled within a part of 4,096 rows. Progress: "Labelling
/// windows" (rows read), complete at the end.
[[nodiscard]] std::vector<double> trend_changes(const LookBacks& of, const ChangeSettings& settings,
                                                const std::stop_token& stop = {},
                                                const ProgressFn& progress = {});

/// Trend strength, mean over the channels of F_T = max(0, 1 − Var(R) / Var(T + R)) for the decomposition
/// x = T + S + R (Wang, Smith and Hyndman 2006, their ratio of the detrended to the deseasonalised series):
/// the fraction of the deseasonalised look-back's variance that the trend explains. 0 for a constant
/// channel. [n], 0 … 1. Lengths of at most L count.
[[nodiscard]] std::vector<double> trend_strengths(const LookBacks& of, std::int64_t trend_length,
                                                  std::int64_t seasonal_length,
                                                  const std::stop_token& stop = {},
                                                  const ProgressFn& progress = {});

/// Mean |R| of the decomposition in the units in which the model reads the window: divided by
/// √(Var(x) + 1e-5), x the look-back, of each channel; mean over the channels. The paper's label is the same
/// before the instance normalisation, where windows of large variance count as difficult. [n], at least 0; 0
/// for a constant channel. Lengths of at most L count.
[[nodiscard]] std::vector<double> normalised_residuals(const LookBacks& of, std::int64_t trend_length,
                                                       std::int64_t seasonal_length,
                                                       const std::stop_token& stop = {},
                                                       const ProgressFn& progress = {});

/// Low-frequency share: fraction of the look-back's power spectrum (discrete Fourier transform of the
/// look-back minus its mean, no taper) at periods longer than `cutoff` rows, mean over the channels:
///
///   Σ_{0 < k < L/cutoff} |X_k|² / Σ_{0 < k ≤ L/2} |X_k|², both sides of the spectrum counted
///
/// The cutoff follows from the sampling frequency: one season (data/calendar_step.h), a day for steps of less
/// than a day, a week for days, a year for weeks, months and quarters. 0 for a constant channel. [n], 0 … 1.
/// cutoff ≥ 2.
[[nodiscard]] std::vector<double> low_frequency_shares(const LookBacks& of, std::int64_t cutoff,
                                                       const std::stop_token& stop = {},
                                                       const ProgressFn& progress = {});

// What windows are divided by: the choices of strata in figures and views. No LibTorch; thread-safe.

enum class StrataLabel {
    residual,
    trend_change,
    trend_change_union,
    trend_strength,
    low_frequency,
    normalised_residual
};

struct StrataAxis {
    StrataLabel label = StrataLabel::residual;
    double penalty_factor = default_penalty_factor;  ///< of trend changes, one of penalty_factors

    /// Two groups, windows without and with a trend change; otherwise deciles of the label.
    [[nodiscard]] bool above_zero() const {
        return label == StrataLabel::trend_change || label == StrataLabel::trend_change_union;
    }
    friend bool operator==(const StrataAxis&, const StrataAxis&) = default;
};

/// "residual", "trend-change" (of the channel average), "trend-change-union" (of any channel),
/// "trend-strength", "low-frequency", "normalised-residual": in the order of StrataLabel.
[[nodiscard]] const std::vector<std::string>& strata_label_names();

/// The name of the label, for trend changes with the penalty factor: "trend-change:4".
[[nodiscard]] std::string name_of(const StrataAxis& axis);

/// The inverse; without a factor, the default one. Throws an input Error at `where` for another name or
/// factor, with the nearest.
[[nodiscard]] StrataAxis parse_strata_axis(const std::string& text, const std::string& where);

}  // namespace casp::analysis
