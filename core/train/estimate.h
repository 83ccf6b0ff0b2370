#pragma once
// Checks of memory before a run starts, and measured arithmetic rates of a device.

#include <cstdint>
#include <functional>
#include <string>

#include <c10/core/Device.h>

#include "config/config.h"
#include "model/estimate.h"

namespace casp::train {

/// Throws a run Error with the largest batch that fits if a step of `windows` windows of `rows_per_window`
/// rows needs more than the free memory of `device`. Passes if the free memory is not known. Returns a
/// message about other programs on the GPU; empty: they do not matter (notable_others()).
[[nodiscard]] std::string check_memory(const model::Estimate& estimate, std::int64_t windows,
                                       std::int64_t rows_per_window, const c10::Device& device);

/// Throws an input Error if the model and the forecasts of `windows` windows of `rows_per_window` rows at
/// once need more than `available` bytes (0: unknown, passes). Stored forecasts are written batch by batch
/// and do not count. `advice` gets the number of windows that fit; negative if the model itself does not.
void check_evaluation_memory(const model::Estimate& estimate, std::int64_t windows,
                             std::int64_t rows_per_window, std::int64_t available,
                             const std::function<std::string(std::int64_t fitting_windows)>& advice);

/// FLOP/s that a training step of `config` reaches on a device, counted as estimate() counts them: one block
/// of the backbone at the configuration's own width, heads, tokens and dropout is taken forward and backward,
/// for about 0.1 s, once per process and shape (tokens to the next power of two, at most 256); the result is
/// the best of what the machine_record() knows. Narrow backbones reach a fraction of measured_flop_rate(),
/// since they are bound by memory. For a model without tokens: measured_flop_rate() in its precision. `rows`:
/// as for estimate(). Any thread.
[[nodiscard]] double measured_training_rate(const config::Config& config, std::int64_t rows,
                                            const c10::Device& device = c10::Device(c10::kCPU));

/// Multiply-add rate of a device's matrix products in "fp32", "tf32" or "bf16" in FLOP/s, of random values,
/// measured for about 50 ms, once per process, device, precision and number of threads; the best of what the
/// machine_record() knows. Any thread.
[[nodiscard]] double measured_flop_rate(const std::string& precision,
                                        const c10::Device& device = c10::Device(c10::kCPU));

}  // namespace casp::train
