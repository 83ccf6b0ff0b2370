#pragma once
// Strata of windows by a label of their look-back, with errors and anchor usage per stratum: in deciles of
// the difficulty, which is the mean |R| with R the residual of the decomposition, or by another label
// (analysis/window_labels.h). No LibTorch; thread-safe.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "analysis/usage.h"
#include "util/progress.h"

namespace casp::analysis {

/// Windows of one run, as in store::Embeddings; rows are window-major, channel-minor.
struct StrataInput {
    std::span<const std::int64_t>
        start;  ///< [n] row of the file of the first look-back value; identifies the windows
    std::span<const std::int64_t> channels;   ///< [m]
    std::span<const float> residual;          ///< [n·m] mean |R| of the look-back
    std::span<const float> mse, mae;          ///< [n·m] each; may be empty (NaN in the results)
    std::span<const std::int32_t> retrieved;  ///< [n·m, K]; may be empty
    std::int64_t top_k = 0;                   ///< K
    std::int64_t pool_size = 0;               ///< V'
    /// [n] label of each window, in place of its difficulty; empty: the mean of `residual` over the channels.
    std::span<const double> label = {};
    /// Two strata instead of those requested: windows whose label is 0 (or below), and the others.
    bool above_zero = false;
};

/// One stratum, with means over its windows and all channels.
struct Stratum {
    std::vector<std::int64_t> windows;  ///< indices of the input (0 … n − 1), ascending
    double lowest = 0, highest = 0;     ///< difficulty (or label) of its easiest and hardest window
    double difficulty = 0;              ///< mean
    double mse = store::not_known, mae = store::not_known;
    std::vector<std::int64_t> usage;  ///< [V'] retrievals; empty without `retrieved`
    UsageSummary summary;             ///< of `usage`: entropy, distinct anchors, …
};

struct Strata {
    std::vector<double> difficulty;        ///< [n] mean |R| over the look-back and the channels, or the label
    std::vector<std::int32_t> stratum_of;  ///< [n] 0: the easiest
    std::vector<double> edges;  ///< [strata + 1] lowest difficulty of each stratum, then the overall highest
    std::vector<Stratum> strata;
};

/// Divides n windows into `count` strata by rank: sorted by difficulty, stratum i has ranks i·n div count to
/// (i + 1)·n div count − 1, so that sizes differ by at most one. Of equally difficult windows, the earlier
/// one in the input ranks lower. With `above_zero` there are two strata, whatever `count`. Throws an input
/// Error for fewer windows than strata, a non-finite difficulty, or labels that leave all windows in one
/// group, std::invalid_argument for inconsistent sizes, and Cancelled within a part of 65,536 rows. Progress:
/// "Difficulty strata" (rows read: one pass for the residual, one for each error and two for the selection),
/// complete at the end.
[[nodiscard]] Strata strata_of(const StrataInput& input, std::int64_t count = 10,
                               const std::stop_token& stop = {}, const ProgressFn& progress = {});

/// Run b minus run a over the windows of one or more strata; negative: b has smaller errors.
struct StrataDifference {
    std::int64_t windows = 0;
    double mse_a = store::not_known, mse_b = store::not_known;
    double mae_a = store::not_known, mae_b = store::not_known;
    double difference = store::not_known;  ///< mean over windows of mse_b − mse_a
    double standard_error =
        store::not_known;  ///< of that mean; underestimated, since overlapping windows are correlated
    double relative = store::not_known;  ///< difference / mse_a
    double improved = store::not_known;  ///< fraction of windows where b has the lower MSE
    double jaccard = store::not_known;   ///< of the sets of anchors retrieved at least once
    double entropy_a = store::not_known, entropy_b = store::not_known;  ///< usage entropy, nats
};

struct PairedStrata {
    Strata strata;                             ///< of a: independent of the errors
    std::vector<StrataDifference> difference;  ///< [strata]
    StrataDifference all;                      ///< over all windows
    StrataDifference easiest;  ///< lower three tenths of the strata (of ten: three), at least the first
    StrataDifference hardest;  ///< last stratum
};

/// Compares two runs on the same windows and channels, window by window, in the strata of a. Throws an input
/// Error if windows or channels differ (with the difference) or errors are missing, and as strata_of().
/// Progress: "Comparing strata" (rows read), complete at the end.
[[nodiscard]] PairedStrata compare_strata(const StrataInput& a, const StrataInput& b, std::int64_t count = 10,
                                          const std::stop_token& stop = {}, const ProgressFn& progress = {});

}  // namespace casp::analysis
