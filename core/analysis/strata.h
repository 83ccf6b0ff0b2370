#pragma once
// Difficulty strata (B.7-29): windows in deciles of the mean size of their lookback's residual, and what
// errors and selections look like from the easiest to the hardest. Plain numbers, no LibTorch; thread-safe.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "analysis/usage.h"
#include "util/progress.h"

namespace casp::analysis {

/// Windows of one run as inspect::RunEmbeddings has them; rows are window-major, channel-minor.
struct StrataInput {
    std::span<const std::int64_t> start;  ///< [n] row in the file of the first lookback value: which windows
    std::span<const std::int64_t> channels;  ///< [m]
    std::span<const float> residual;         ///< [n·m] mean |R| of the lookback
    std::span<const float> mse, mae;         ///< [n·m] each; may be empty: NaN in the results
    std::span<const std::int32_t> selected;  ///< [n·m, K]; may be empty
    std::int64_t top_k = 0;                  ///< K
    std::int64_t pool_size = 0;              ///< V'
};

/// One stratum. Means over its windows and all channels.
struct Stratum {
    std::vector<std::int64_t> windows;  ///< places in the input (0 … n − 1), ascending
    double lowest = 0, highest = 0;     ///< difficulty of its easiest and hardest window
    double difficulty = 0;              ///< mean
    double mse = store::not_known, mae = store::not_known;
    std::vector<std::int64_t> usage;  ///< [V'] selections; empty without
    UsageSummary summary;             ///< of usage: entropy, distinct anchors, …
};

struct Strata {
    std::vector<double> difficulty;        ///< [n] mean |R| over the lookback and the channels
    std::vector<std::int32_t> stratum_of;  ///< [n] 0: the easiest
    std::vector<double> edges;  ///< [strata + 1] lowest difficulty of each stratum, then the highest of all
    std::vector<Stratum> strata;
};

/// Cuts n windows into `count` strata by rank: sorted by difficulty, stratum i takes the ranks from i·n div
/// count to before (i + 1)·n div count, so sizes differ by at most one. Ties: of equally difficult windows
/// the earlier one in the input ranks lower, so that equal windows may part at an edge. Throws an input Error
/// for fewer windows than strata or a difficulty that is not finite, std::invalid_argument where lengths do
/// not fit, Cancelled within a part of 65,536 rows. Progress: "Difficulty strata" (rows read: each is read in
/// one pass for the residual, one for each error and two for the selection), complete at the end.
[[nodiscard]] Strata strata_of(const StrataInput& input, std::int64_t count = 10,
                               const std::stop_token& stop = {}, const ProgressFn& progress = {});

/// What b has over a in some strata: negative differences mean that b errs less.
struct StrataDifference {
    std::int64_t windows = 0;
    double mse_a = store::not_known, mse_b = store::not_known;
    double mae_a = store::not_known, mae_b = store::not_known;
    double difference = store::not_known;      ///< mean over windows of mse_b − mse_a
    double standard_error = store::not_known;  ///< of that mean, from the sample deviation; windows overlap,
                                               ///< so it says less than it seems
    double relative = store::not_known;        ///< difference / mse_a
    double improved = store::not_known;        ///< share of the windows where b's MSE is the lower one
    double jaccard = store::not_known;         ///< of the sets of anchors that each selects at all there
    double entropy_a = store::not_known, entropy_b = store::not_known;  ///< usage entropy, nats
};

struct PairedStrata {
    Strata strata;                             ///< of a: labels are fixed before errors are looked at
    std::vector<StrataDifference> difference;  ///< [strata]
    StrataDifference all;                      ///< of all windows
    StrataDifference easiest;                  ///< the lower three tenths of the strata (of ten: three)
    StrataDifference hardest;                  ///< the last stratum
};

/// Two runs on the same windows and channels, window by window. The strata are a's. Throws an input Error
/// where the windows or channels differ (which, how many), where errors are missing, and as strata_of.
/// Progress: "Comparing strata" (rows read), complete at the end.
[[nodiscard]] PairedStrata compare_strata(const StrataInput& a, const StrataInput& b, std::int64_t count = 10,
                                          const std::stop_token& stop = {}, const ProgressFn& progress = {});

}  // namespace casp::analysis
