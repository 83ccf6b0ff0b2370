#pragma once
// Where the time of a training step goes.

#include <cstdint>
#include <string>

namespace casp::bench {

/// Runs a few training steps of settings_of(`settings`) and prints LibTorch's operators by their own time
/// (without the operators they call), most expensive first, with counts and shares of the steps' wall time.
void print_breakdown(std::int64_t windows, const std::string& settings);

}  // namespace casp::bench
