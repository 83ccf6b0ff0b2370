#pragma once
// Where the time of a training step goes.

#include <cstdint>
#include <string>

namespace casp::bench {

/// Profiles training steps of settings_of(`settings`) with LibTorch's own profiler and prints a Markdown
/// table: on a GPU its kernels, on the CPU the operators without those that they call; the most expensive
/// first, with counts and shares of a step's wall time (on a GPU of one that is not profiled).
void print_breakdown(std::int64_t windows, const std::string& settings);

}  // namespace casp::bench
