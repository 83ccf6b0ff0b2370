#pragma once
// Parameters, memory and operations of a model, estimated from its shapes. Free of LibTorch.

#include <cstdint>
#include <string>
#include <vector>

namespace casp::model {

/// Parameters of a part of a model.
struct ParameterPart {
    std::string name;  ///< "anchor projection"
    std::int64_t parameters = 0;
    bool trainable = true;
};

/// The batch that an estimate is for.
struct BatchShape {
    std::int64_t rows = 1;      ///< windows × channels, or single-channel windows
    std::int64_t channels = 1;  ///< M of a window; 1 with single-channel batches
    bool on_gpu = false;        ///< dropout keeps byte masks there
};

/// Sizes and operations of one training step. A row is one channel of one window.
struct Estimate {
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t patches = 0;  ///< N_p; 0: the model has no patches
    std::int64_t tokens = 0;   ///< tokens per row that a transformer reads; 0: there is none
    std::int64_t fixed_bytes =
        0;  ///< weights, gradients, moments and whatever else does not grow with the batch
    std::int64_t bytes_per_row = 0;  ///< activations kept for the backward pass, and temporaries
    double step_flop = 0;            ///< of a full batch, forward and backward
    double evaluation_flop_per_row = 0;
    std::int64_t evaluation_bytes_per_row = 0;  ///< lower bound: the widest layer only

    /// Of training steps and the evaluation of rows.
    [[nodiscard]] double flop(double steps, double evaluated_rows) const {
        return step_flop * steps + evaluation_flop_per_row * evaluated_rows;
    }
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

}  // namespace casp::model
