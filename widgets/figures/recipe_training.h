#pragma once
// Figures of a training: loss terms, validation, learning rate and pace.

#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

enum class TrainingAxis { step, epoch, time };

struct TrainingOptions {
    TrainingAxis x = TrainingAxis::step;
    bool log_x = false, log_y = false;
    double smoothing = 0.9;            ///< weight of the past, 0 … 0.99; 0: none
    std::optional<std::int64_t> step;  ///< marked with a rule
};

/// Position of each entry of the step history on the x axis: steps, epochs (the end of epoch 1 is 1) or
/// seconds of training since the first step.
[[nodiscard]] std::vector<double> training_positions(const RunInput& run, TrainingAxis axis);

/// Seconds of one unit of the time axis: 1, 60 or 3600, as the longest run asks for.
[[nodiscard]] double time_unit(const std::vector<RunInput>& runs);

/// L_forecast, L_sim, L_cov and their weighted sum, a plot each with a scale of its own. The raw line stays
/// faintly behind the smoothed one; of a fork, what its parent did is dimmed up to the fork.
[[nodiscard]] Figure loss_terms(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Validation MSE and MAE per epoch, the best epoch marked; of a single run also how long nothing was better.
[[nodiscard]] Figure validation(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Learning rate, share of pairs that the gate presses on, seconds per step.
[[nodiscard]] Figure training_pace(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Share of (window, anchor) pairs with 0 < s < c̃, which alone get a gradient of L_cov.
[[nodiscard]] Figure gate_share(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Index into the epoch history of the best epoch (after the fork, of a fork); −1: none yet.
[[nodiscard]] std::ptrdiff_t best_epoch(const RunInput& run);

}  // namespace casp::figures
