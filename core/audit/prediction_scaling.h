#pragma once
// Scaling of predictions, which may be another one than that of the truths beside them.

#include <vector>

#include "audit/truth_match.h"

namespace casp::audit {

struct PredictionScaling {
    Scaling scaling;
    bool is_shown = true;  ///< false: the predictions follow the data so little that any units are possible
};

/// Tries the scaling of `truths`, the training rows' mean and standard deviation, original units, and the
/// others that other code uses, on each channel. Another scaling than that of the truths needs evidence,
/// since a forecast may be far off: predictions that are outside the data's range, or that follow the data
/// with a slope or an error that only another scaling explains. `row`: [windows] of RowMatch. Reads some
/// windows.
[[nodiscard]] PredictionScaling scaling_of_predictions(const WindowArray& prediction,
                                                       const ChannelMatch& truths,
                                                       const std::vector<std::int64_t>& row,
                                                       const data::PreparedData& data);

}  // namespace casp::audit
