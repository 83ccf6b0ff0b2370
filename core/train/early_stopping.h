#pragma once
// Early stopping: the best epoch, and when to stop.

#include <cstdint>
#include <limits>

namespace casp::train {

/// Keeps the lowest validation MSE; `patience` epochs in a row that are worse end the training.
/// A tie counts as an improvement (A.8). Plain data, so that a checkpoint can hold it.
struct EarlyStopping {
    double best = std::numeric_limits<double>::infinity();  ///< lowest validation MSE
    std::int64_t best_epoch = 0;                            ///< from 1; 0: none yet
    std::int64_t best_step = -1;                            ///< steps done when it was reached; -1: none yet
    std::int64_t waited = 0;                                ///< epochs without improvement

    /// Takes an epoch's validation MSE; true where it is the best so far.
    bool improves(double validation_mse, std::int64_t epoch, std::int64_t step) {
        if (!(validation_mse <= best)) {
            ++waited;
            return false;
        }
        best = validation_mse;
        best_epoch = epoch;
        best_step = step;
        waited = 0;
        return true;
    }

    [[nodiscard]] bool exhausted(std::int64_t patience) const { return waited >= patience; }
};

}  // namespace casp::train
