#pragma once
// Tests of two models over the test windows of a series: the Diebold-Mariano test and an interval from
// blocks. They ask whether the difference holds in other periods of the same series, and need no seeds.
// Without LibTorch; any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "evidence/paired.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Periods without overlap (windows / overlap) that a test takes. With fewer, it would reject too often for
/// errors whose dependence lasts longer than the horizon.
inline constexpr std::int64_t fewest_periods = 6;

/// One model's errors against another's, window by window.
struct PeriodTest {
    std::int64_t windows = 0;             ///< that both have; 0: not known
    std::int64_t cells = 0;               ///< over which it is pooled; 0: of one task
    double mean_base = store::not_known;  ///< over the windows
    double delta = store::not_known;      ///< mean of other − base over the windows
    double error = store::not_known;      ///< standard error of delta; NaN, like those below, without a test
    double dm = store::not_known;         ///< delta / error
    double p = store::not_known;          ///< two-sided
    Interval blocks = {};                 ///< 95 % interval of delta
    Phrase why = {};                      ///< there is no test; empty also for other metrics
};

/// Largest number of windows that share a target row: those beginning within `horizon` rows. `rows`:
/// ascending. With stride 1 the horizon.
[[nodiscard]] std::int64_t overlap_of(std::span<const std::int64_t> rows, std::int64_t horizon);

/// Two-sided p of a mean divided by its Newey-West (Bartlett) standard error whose bandwidth is the number of
/// values (b = 1; Kiefer & Vogelsang 2005), for large numbers of them:
///
///     p(t) = 2/π ∫ √(x / sinh x) / cosh s ds over s from 0 to ∞, with x = √2·|t| cosh s
///
/// t² = Z² / 2∫B², Z standard normal and independent of the Brownian bridge B. P(|Z| > c) = 2/π ∫ exp(−c²
/// cosh² s / 2) / cosh s ds (Craig's formula), and E exp(−u∫B²) = √(√(2u) / sinh √(2u)).
[[nodiscard]] double fixed_b_p(double t);

/// Test of the differences of consecutive windows, in time order, of which `overlap` share a target row
/// (L ≤ n):
///
///     dm = d̄ / √(Ω/n) · (1 − 1.5·L/n), with Ω = γ₀ + 2·Σ (1 − k/n)·γ_k over k < n, p = fixed_b_p(dm)
///
/// The factor corrects Ω, which is too small where windows overlap. The interval is that of
/// bootstrap_interval() with blocks of l windows, l = L or, if that is more, √n (at most n/6), and wider
/// about the mean by 1/√(1 − (L − 1/L)/3l) / (1 − 2.5·l/n): the means of l overlapping windows vary less than
/// those of more of them, and few blocks still less. The constants 1.5 and 2.5 are from simulation:
/// docs/guide/compare.md. No test for fewer than fewest_periods, or if all differences are equal.
[[nodiscard]] PeriodTest test_periods(std::span<const double> differences, std::int64_t overlap);

/// Mean over cells of the mean over the tasks of each. Its standard error, and the distances of the
/// interval's ends, are the means of theirs: the largest possible ones, however tasks depend on each other
/// (horizons of the same data, or data recorded at the same time). Tasks without a test do not count.
[[nodiscard]] PeriodTest pooled_periods(const std::vector<std::vector<const PeriodTest*>>& cells);

}  // namespace casp::evidence
