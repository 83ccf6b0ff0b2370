#pragma once
// How close a training step or an evaluation is to the time of its matrix products alone.

#include <cstdint>
#include <string>

namespace casp::bench {

/// Records every matrix product (mm, addmm, bmm: shapes and strides) of a training step of `windows` windows,
/// or of the evaluation of twice as many in two batches, and computes the same products alone, operands and
/// results in memory already. Both alternately for `rounds` rounds. Prints one JSON line: `seconds` and
/// `products` (medians), `share`: products / seconds, its median over the rounds, with `least` and `most`;
/// `gflop` of the products. `what`: "step" or "evaluation"; `settings`: a name for settings_of().
/// Returns the exit status: 2 for another `what`.
int print_floor(const std::string& settings, const std::string& what, std::int64_t windows, int rounds);

}  // namespace casp::bench
