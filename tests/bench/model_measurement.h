#pragma once
// Training step or evaluation of any model, for compare_models.py.

#include <cstdint>
#include <string>
#include <vector>

namespace casp::bench {

/// Of at least one value.
[[nodiscard]] double median_of(std::vector<double> values);

/// Measures `works` ("step", "evaluation") of settings_of(`name`): a training step of `windows` windows, or
/// the evaluation of twice as many in batches of `windows`, in each of these precisions: "fp32", "tf32",
/// "bf16". After one repetition as warm-up, at least `repeats` repetitions and half a second. Prints a JSON
/// line for each: `seconds` (median), `repeats`, `windows`, `threads`, `parameters` (trainable),
/// `base_rss_bytes` (before the model was made), `peak_rss_bytes`, on a GPU `peak_tensor_bytes`, and of a
/// step by the model's estimate `estimated_bytes` and `step_flop`; `product_rate`: FLOP/s of this device's
/// matrix products. Returns the exit status: 2 for another kind of work.
int measure_model(const std::string& name, const std::vector<std::string>& works, std::int64_t windows,
                  std::int64_t repeats, const std::vector<std::string>& precisions = {"fp32"});

}  // namespace casp::bench
