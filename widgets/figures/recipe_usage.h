#pragma once
// Which of a run's anchor counts a figure is about; their statistics are in analysis/usage.h. Plain
// functions, any thread.

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

/// Whether this is no snapshot, but what a run that goes on has counted since its last one.
[[nodiscard]] bool is_live(const store::AnchorHistory& anchors, std::ptrdiff_t index);

/// Selections per anchor [V']; empty where they are not known.
[[nodiscard]] std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                                     std::optional<std::int64_t> step = {});

/// c̃ of snapshot `index` [V']; empty where coverage is off.
[[nodiscard]] std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index);

}  // namespace casp::figures
