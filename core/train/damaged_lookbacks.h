#pragma once
// Look-backs whose order or content is damaged, for the question whether a model uses them ("Are Language
// Models Actually Useful for Time Series Forecasting?", Tan et al. 2024).

#include <array>
#include <cstdint>

#include <ATen/core/Tensor.h>

#include "store/run_record.h"

namespace casp::train {

/// What is done to a window's look-back; all of its channels alike.
enum class Damage {
    shuffled,  ///< its rows in random order
    masked,  ///< half of its rows, drawn at random (⌊L/2⌋ of L), set to 0, the mean of the training rows
    exchanged  ///< its halves exchanged: the last L − ⌊L/2⌋ rows first
};

/// The test error of each.
struct DamagedError {
    Damage damage;
    double store::SplitMetrics::*mse;
};
inline constexpr std::array damaged_errors{
    DamagedError{Damage::shuffled, &store::SplitMetrics::shuffled_mse},
    DamagedError{Damage::masked, &store::SplitMetrics::masked_mse},
    DamagedError{Damage::exchanged, &store::SplitMetrics::exchanged_mse}};

/// lookback [B, L, M] of the windows first … first + B − 1 of a split, in scaled units. What is drawn depends
/// on the seed and the window's number only.
[[nodiscard]] at::Tensor damaged(const at::Tensor& lookback, Damage damage, std::uint64_t seed,
                                 std::int64_t first);

}  // namespace casp::train
