#pragma once
// Access to a run's anchor counts for figures; their statistics are in analysis/usage.h. Plain functions, any
// thread.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "store/run_record.h"

namespace casp::figures {

/// Which retrievals are counted.
enum class UsageOf {
    training,  ///< training up to a step
    snapshot,  ///< since the previous snapshot
    test       ///< over the test windows at the best checkpoint
};

/// Index of the last snapshot at or before `step`, else of the first; without a step the latest. −1: none.
[[nodiscard]] std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors,
                                         std::optional<std::int64_t> step);

/// Whether this entry is not a snapshot but the counts of a running run since its last one.
[[nodiscard]] bool is_live(const store::AnchorHistory& anchors, std::ptrdiff_t index);

/// Retrievals per anchor [V']; empty if unknown.
[[nodiscard]] std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                                     std::optional<std::int64_t> step = {});

/// c̃ of snapshot `index` [V']; empty if coverage is off.
[[nodiscard]] std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index);

}  // namespace casp::figures
