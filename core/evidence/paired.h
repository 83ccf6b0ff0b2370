#pragma once
// Statistics of paired differences: Wilcoxon's signed-rank test, Holm's correction, the paired bootstrap and
// the number of pairs that an effect takes. Pure functions without LibTorch; any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "store/run_record.h"

namespace casp::evidence {

/// Two-sided Wilcoxon signed-rank test of paired differences.
struct SignedRank {
    std::int64_t pairs = 0;  ///< given differences
    std::int64_t zeros = 0;  ///< those equal to zero, which have no rank
    double w =
        store::not_known;  ///< min(W+, W−), ties with their mean rank; NaN without a non-zero difference
    double p = store::not_known;  ///< NaN likewise
    bool exact = false;  ///< by enumeration of the signs: no ties, no zeros, at most 50 pairs; else normal
                         ///< approximation
};

/// Tests whether the differences (finite) are symmetric about zero. Throws std::invalid_argument for others.
[[nodiscard]] SignedRank signed_rank(std::span<const double> differences);

/// Smallest two-sided p that `pairs` differences can give: 2^(1 − n). Above 0.05 for fewer than six.
[[nodiscard]] double smallest_p(std::int64_t pairs);

/// Holm's step-down adjustment over a family, in the given order; NaN stays NaN and does not count.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

struct Interval {
    double low = store::not_known, high = store::not_known;
};

struct BootstrapSettings {
    double level = 0.95;
    std::int64_t resamples = 10000;
    std::uint64_t seed = 2021;
};

/// Percentile interval of the mean over resamples of the differences. NaN for fewer than two.
[[nodiscard]] Interval bootstrap_interval(std::span<const double> differences,
                                          const BootstrapSettings& settings = {});

/// Pairs that the signed-rank test needs to find a mean difference of `effect` where differences have the
/// sample standard deviation `sd`: ((z_{1−α/2} + z_power)·sd/effect)²·π/3 (normal differences; asymptotic
/// relative efficiency 3/π), at least six. 0: cannot be said (effect or sd is zero or not finite).
[[nodiscard]] std::int64_t pairs_needed(double effect, double sd, double alpha = 0.05, double power = 0.8);

}  // namespace casp::evidence
