#pragma once
// Scalings that other code may have applied to the values of a data set.

#include <string>
#include <vector>

#include "data/prepared.h"
#include "util/phrase.h"

namespace casp::audit {

/// scaled = (value - mean) / std of each channel.
struct Scaling {
    enum class Kind {
        expected,
        original_units,
        partly_original,  ///< some channels in original units
        foreign
    };

    Kind kind = Kind::expected;
    Phrase description;   ///< completes "scaled with …": "the mean and standard deviation of all rows"
    data::Scaler scaler;  ///< [channels of the data set]
    bool of_training_rows = false;  ///< of all training rows and no others, or of none
};

/// The scaling of arrays whose channels have different ones. `of_column`: [channels of the data set] elements
/// of possible_scalings(); null: the arrays do not have this channel.
[[nodiscard]] Scaling mixed_scaling(const std::vector<const Scaling*>& of_column,
                                    const data::PreparedData& data);

/// Whether no error shows a difference; population and sample standard deviation of the training rows count
/// as the same.
[[nodiscard]] bool same_scaling(const Scaling& a, const Scaling& b);

/// "in original units", "scaled with the mean and standard deviation of all rows".
[[nodiscard]] Phrase units_of(const Scaling& scaling);

/// The expected scaling (the data set's scaler: training rows, population standard deviation) first, then
/// that with the sample standard deviation, original units, then those of other rows, of other split rules'
/// training rows, of all channels together, and minimum and range.
[[nodiscard]] std::vector<Scaling> possible_scalings(const data::PreparedData& data);

}  // namespace casp::audit
