#pragma once
// Learning rates over the epochs.

#include <cstdint>
#include <string>

namespace casp::train {

/// Learning rate of an epoch (from 1) under `train.schedule`:
///   "exponential"  lr·0.9^max(0, epoch − 2): epochs 1 and 2 at lr, then ×0.9 each (S2IP-LLM's type2; B.7-15)
///   "halving"      lr·0.5^max(0, epoch − 2) (type1 of Time-Series-Library)
///   "constant"     lr
[[nodiscard]] double learning_rate(const std::string& schedule, double initial, std::int64_t epoch);

}  // namespace casp::train
