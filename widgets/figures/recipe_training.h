#pragma once
// Figures of training: loss terms, validation, learning rate, step time and coverage gate.

#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

enum class TrainingAxis { step, epoch, time };

struct TrainingOptions {
    TrainingAxis x = TrainingAxis::step;
    bool log_x = false, log_y = false;
    std::optional<double> smoothing;   ///< weight of the past, 0 … 0.99; 0: none; empty: smoothing_of()
    std::optional<std::int64_t> step;  ///< marked with a rule
};

/// Weight of the past that suits the longest of the runs: none up to 200 steps, whose curves it would
/// distort, an average over a 200th of the steps of longer runs, at most 0.9.
[[nodiscard]] double smoothing_of(const std::vector<RunInput>& runs);

/// Position of each entry of the step history on the x axis: steps, epochs (the end of epoch 1 is 1) or
/// seconds of training since the first step.
[[nodiscard]] std::vector<double> training_positions(const RunInput& run, TrainingAxis axis);

/// Seconds per unit of the time axis: 1, 60 or 3600, depending on the longest run.
[[nodiscard]] double time_unit(const std::vector<RunInput>& runs);

/// L_forecast, L_sim, L_cov and their weighted sum, a plot each with a separate scale. The raw curve is shown
/// faintly behind the smoothed one; the parent's part of a fork is dimmed.
[[nodiscard]] Figure loss_terms(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Validation MSE and MAE per epoch with the best epoch marked, of collections of series also sMAPE, which
/// early stopping watches there; for a single run also the epochs without improvement.
[[nodiscard]] Figure validation(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Learning rate and time per step.
[[nodiscard]] Figure training_pace(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Fraction of (window, anchor) pairs for which the coverage gate is active (0 < s < c̃): only these receive a
/// gradient of L_cov.
[[nodiscard]] Figure gate_share(const std::vector<RunInput>& runs, const TrainingOptions& options);

/// Index into the epoch history of the best epoch (after the fork, of a fork); −1: none yet.
[[nodiscard]] std::ptrdiff_t best_epoch(const RunInput& run);

}  // namespace casp::figures
