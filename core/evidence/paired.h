#pragma once
// Statistics of paired differences: Wilcoxon's signed-rank test, Holm's correction, the paired bootstrap and
// the number of pairs that an effect requires. Pure functions without LibTorch; any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/strata.h"
#include "store/run_record.h"

namespace casp::evidence {

/// A difference with a smaller p is more than seed noise.
inline constexpr double significance_level = 0.05;

/// Two-sided Wilcoxon signed-rank test of paired differences.
struct SignedRank {
    std::int64_t pairs = 0;  ///< given differences
    std::int64_t zeros = 0;  ///< those equal to zero, which have no rank
    double w =
        store::not_known;  ///< min(W+, W−), ties with their mean rank; NaN without a non-zero difference
    double p = store::not_known;  ///< NaN likewise
    bool exact = false;           ///< no ties, no zeros, at most 50 pairs; otherwise the normal approximation
    double p_uncorrected = store::not_known;  ///< without continuity correction; NaN also where p is exact
    double w_plus = store::not_known;         ///< W+, the ranks of the positive differences; NaN likewise
};

/// Tests whether the differences (finite) are symmetric about zero. Throws std::invalid_argument if one is
/// not finite.
///
/// Exact: p = min(1, 2·P(W ≤ w)) over the 2^n equally likely signs, as scipy.stats.wilcoxon(d) computes it.
/// Otherwise zeros are dropped (Wilcoxon 1945) and p is that of the normal approximation with variance
/// n(n+1)(2n+1)/24 − Σ(t³ − t)/48 (t: size of each group of ties) and continuity correction ½, which equals
/// scipy.stats.wilcoxon(d, method="asymptotic", correction=True). scipy's default for these data differs
/// slightly: up to 13 pairs it enumerates the signs of the tied ranks, above it omits the continuity
/// correction (64 pairs with W = 782: 0.0845 instead of 0.0851; exact: 0.0851). `p_uncorrected` omits it for
/// any number of pairs.
[[nodiscard]] SignedRank signed_rank(std::span<const double> differences);

/// Smallest two-sided p that `pairs` differences can give: 2^(1 − n), at most 1. Above 0.05 for fewer than
/// six.
[[nodiscard]] double smallest_p(std::int64_t pairs);

/// Fewest pairs with which a two-sided test can give p < alpha: six for 0.05. `alpha` in (0, 1).
[[nodiscard]] std::int64_t fewest_pairs(double alpha = significance_level);

/// Holm's step-down adjustment over a family, in the given order; NaN stays NaN and does not count.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

struct Interval {
    double low = store::not_known, high = store::not_known;
};

struct BootstrapSettings {
    double level = 0.95;
    std::int64_t resamples = 10000;
    std::uint64_t seed = 2021;
    std::int64_t block = 1;  ///< consecutive differences that are drawn together
};

/// Percentile interval of the mean over resamples of the differences, quantiles interpolated linearly. With
/// blocks, a resample is n differences from moving blocks (Künsch 1989), the last one shorter. NaN
/// for fewer than two. Indices are a function of seed, resample, position and n only (SplitMix64), not of the
/// standard library's distributions. Throws std::invalid_argument for a level outside (0, 1), fewer than
/// one resample, or blocks outside [1, n].
[[nodiscard]] Interval bootstrap_interval(std::span<const double> differences,
                                          const BootstrapSettings& settings = {});

/// Pairs that the signed-rank test needs to find a mean difference of `effect` where differences have the
/// sample standard deviation `sd`: ((z_{1−α/2} + z_power)·sd/effect)²·π/3 (normal differences; asymptotic
/// relative efficiency 3/π), at least fewest_pairs(alpha). 0: unknown (effect or sd is zero or not finite).
[[nodiscard]] std::int64_t pairs_needed(double effect, double sd, double alpha = significance_level,
                                        double power = 0.8);

// The paper's test of strata: relative changes in the hardest and the easiest windows, pooled over pairs of
// runs. Without LibTorch; any thread.

/// A pair of runs of one cell and seed: change of the mean error from `base` to `other`, in per cent of that
/// of `base`; below zero: `other` has smaller errors.
struct StrataChange {
    double easiest = store::not_known;  ///< easiest three tenths; windows without a trend change
    double hardest = store::not_known;  ///< hardest tenth; windows with a trend change
};

/// Changes of the MSE.
[[nodiscard]] StrataChange strata_change(const analysis::PairedStrata& pair);

/// Changes over the pairs.
struct PooledChange {
    std::int64_t improved = 0;          ///< pairs below zero
    double percent = store::not_known;  ///< mean
    SignedRank test;                    ///< of the changes against zero
};

struct PooledStrata {
    std::int64_t n = 0;  ///< pairs in which both changes are finite; others do not count
    PooledChange easiest, hardest;
    PooledChange contrast;  ///< hardest − easiest, pair by pair, in percentage points
};

/// Pools pairs, as the paper does over (cell, seed); each weighs the same. NaN without pairs.
[[nodiscard]] PooledStrata pool_strata(std::span<const StrataChange> pairs);

}  // namespace casp::evidence
