#pragma once
// Numbers of anchor usage that figures are made of. Plain functions, any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "store/run_record.h"

namespace casp::figures {

/// Which selections are counted.
enum class UsageOf {
    training,  ///< all of the training up to a step
    snapshot,  ///< since the snapshot before
    test       ///< over the test windows at the best checkpoint
};

/// Index of the last snapshot at or before `step`, else of the first; without a step the latest. −1: none.
[[nodiscard]] std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors,
                                         std::optional<std::int64_t> step);

/// Selections per anchor [V']; empty where they are not known.
[[nodiscard]] std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                                     std::optional<std::int64_t> step = {});

/// c̃ of snapshot `index` [V']; empty where coverage is off.
[[nodiscard]] std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index);

/// Anchors by descending count; equal counts in the order of their numbers.
[[nodiscard]] std::vector<std::int64_t> by_usage(std::span<const std::int64_t> counts);

/// Concentration of one set of counts.
struct UsageNumbers {
    std::int64_t selections = 0;
    std::int64_t distinct = 0;  ///< anchors selected at least once
    double entropy = 0;         ///< −Σ p ln p; NaN without selections
    double top20 = 0;           ///< share of the 20 most used anchors, 0 … 1; NaN without selections
};
[[nodiscard]] UsageNumbers usage_numbers(std::span<const std::int64_t> counts);

}  // namespace casp::figures
