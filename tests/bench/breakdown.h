#pragma once
// Where the time of a training step goes.

#include <cstdint>

namespace casp::bench {

/// Runs a few training steps and prints LibTorch's operators by their own time (without the operators they
/// call), most expensive first, with counts and shares of the steps' wall time.
void print_breakdown(std::int64_t windows);

}  // namespace casp::bench
