#pragma once
// Training step or evaluation of any model, for compare_models.py.

#include <cstdint>
#include <string>
#include <vector>

namespace casp::bench {

/// Of at least one value.
[[nodiscard]] double median_of(std::vector<double> values);

/// Measures "step" or "evaluation" of settings_of(`name`): a training step of `windows` windows, or the
/// evaluation of twice as many in batches of `windows`. After one repetition as warm-up, at least `repeats`
/// repetitions and half a second. Prints one JSON line: `seconds` (median), `repeats`, `windows`, `threads`,
/// `parameters` (trainable), `base_rss_bytes` (before the model was made), `peak_rss_bytes`. Returns the exit
/// status: 2 for another `what`.
int measure_model(const std::string& name, const std::string& what, std::int64_t windows,
                  std::int64_t repeats);

}  // namespace casp::bench
