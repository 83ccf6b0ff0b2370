#pragma once
// Scalings that other code may have applied to the values of a data set.

#include <string>
#include <vector>

#include "data/prepared.h"

namespace casp::audit {

/// scaled = (value - mean) / std of each channel.
struct Scaling {
    enum class Kind { expected, original_units, foreign };

    Kind kind = Kind::expected;
    std::string description;  ///< completes "scaled with …": "the mean and standard deviation of all rows"
    data::Scaler scaler;      ///< [channels of the data set]
};

/// The expected scaling (the data set's scaler: training rows, population standard deviation) first, then
/// that with the sample standard deviation, original units, then those of other rows, of other split rules'
/// training rows, of all channels together, and minimum and range.
[[nodiscard]] std::vector<Scaling> possible_scalings(const data::PreparedData& data);

}  // namespace casp::audit
