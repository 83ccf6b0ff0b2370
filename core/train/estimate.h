#pragma once
// What a run will need, told before it starts.

#include <cstdint>
#include <functional>
#include <string>

#include <c10/core/Device.h>

#include "config/config.h"

namespace casp::train {

/// Sizes and operations of one training step of CASP-LLM, from the shapes alone (protocol D.1, D.4).
struct Estimate {
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t fixed_bytes = 0;  ///< weights, gradients, moments, anchors' temporaries
    std::int64_t bytes_per_row =
        0;                 ///< activations kept and temporaries, per row (window × channel) of a batch
    double step_flop = 0;  ///< of a full batch, forward and backward
    double evaluation_flop_per_row = 0;
    /// Evaluating a row takes at least that: nothing is kept, the widest moment of one block counts.
    std::int64_t evaluation_bytes_per_row = 0;

    [[nodiscard]] std::int64_t step_bytes(std::int64_t rows) const {
        return sum_of(rows, bytes_per_row, fixed_bytes);
    }
    [[nodiscard]] std::int64_t weight_bytes() const { return sum_of(parameters_total, 4, 0); }
    [[nodiscard]] std::int64_t evaluation_bytes(std::int64_t rows) const {
        return sum_of(rows, evaluation_bytes_per_row, weight_bytes());
    }

private:
    static std::int64_t sum_of(std::int64_t rows, std::int64_t bytes_per_row, std::int64_t more) {
        std::int64_t bytes = 0;
        const bool beyond = __builtin_mul_overflow(rows, bytes_per_row, &bytes) ||
                            __builtin_add_overflow(bytes, more, &bytes);
        return beyond ? INT64_MAX : bytes;  // no machine has as much
    }
};

/// Throws a run Error, with the batch that would fit, where a step of `windows` windows of `rows_per_window`
/// rows needs more than is free on `device`. Where that cannot be told, nothing is said.
void check_memory(const Estimate& estimate, std::int64_t windows, std::int64_t rows_per_window,
                  const c10::Device& device);

/// Throws an input Error where the model and the forecasts of `windows` windows of `rows_per_window` rows at
/// once need more than `available` bytes. Forecasts that are stored go to the file batch by batch and do not
/// count. Lets everything pass where `available` is 0: it cannot be told. `advice`: for so many windows as
/// would fit; negative where the model alone does not.
void check_evaluation_memory(const Estimate& estimate, std::int64_t windows, std::int64_t rows_per_window,
                             std::int64_t available,
                             const std::function<std::string(std::int64_t fitting_windows)>& advice);

/// `rows`: rows of a training batch (windows × channels, or single-channel windows). On a GPU dropout keeps
/// byte masks.
[[nodiscard]] Estimate estimate(const config::Config& config, std::int64_t rows, bool on_gpu = false);

/// FLOP/s that a training step of `config` reaches on a device, counted as estimate() counts them: one block
/// of the backbone at the configuration's own width, heads, tokens and dropout is taken forward and backward,
/// for about 0.1 s, once per process and shape (tokens to the next power of two, at most 256). Narrow
/// backbones reach a fraction of measured_flop_rate(), since they are bound by memory. `rows`: as for
/// estimate(). Any thread.
[[nodiscard]] double measured_training_rate(const config::Config& config, std::int64_t rows,
                                            const c10::Device& device = c10::Device(c10::kCPU));

/// Multiply-add rate of a device's fp32 (or bf16) matrix products in FLOP/s, measured for about 50 ms, once
/// per process, device, precision and number of threads. Any thread.
[[nodiscard]] double measured_flop_rate(bool half, const c10::Device& device = c10::Device(c10::kCPU));

}  // namespace casp::train
