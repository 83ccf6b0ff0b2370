#pragma once
// What coverage does to training: gradient norms of the loss terms, and the anchors that the gate presses on.

#include <vector>

#include "figures/recipe_paper_embeddings.h"

namespace casp::figures {

/// Euclidean norms of the gradients of the weighted loss terms over the training steps, a plot per run, a
/// curve per term (run.gradient_steps).
[[nodiscard]] Figure gradient_norms(const std::vector<RunInput>& runs);

/// Per anchor of one run: how often it is retrieved, and how often the gate is active.
struct GateOfRun {
    EmbeddedRun of;
    QColor colour;
    std::vector<double> retrieved;  ///< [V'] fraction of rows that retrieve the anchor
    std::vector<double> active;     ///< [V'] fraction of rows with 0 < s < c̃
};

/// Scatter of the two, a plot per condition, at the best checkpoint.
[[nodiscard]] Figure gate_by_usage(const QString& cell, const std::vector<GateOfRun>& runs,
                                   const QString& note = {});

}  // namespace casp::figures
