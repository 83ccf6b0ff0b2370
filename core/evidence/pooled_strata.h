#pragma once
// The paper's test of strata: relative changes in the hardest and the easiest windows, pooled over pairs of
// runs. Without LibTorch; any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/strata.h"
#include "evidence/paired.h"

namespace casp::evidence {

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
