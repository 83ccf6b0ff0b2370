#pragma once
// What windows are divided by: the choices of strata in figures and views. No LibTorch; thread-safe.

#include <string>
#include <vector>

#include "analysis/window_labels.h"

namespace casp::analysis {

enum class StrataLabel { residual, trend_change, trend_change_union, trend_strength, low_frequency };

struct StrataAxis {
    StrataLabel label = StrataLabel::residual;
    double penalty_factor = default_penalty_factor;  ///< of trend changes, one of penalty_factors

    /// Two groups, windows without and with a trend change; otherwise deciles of the label.
    [[nodiscard]] bool above_zero() const {
        return label == StrataLabel::trend_change || label == StrataLabel::trend_change_union;
    }
    friend bool operator==(const StrataAxis&, const StrataAxis&) = default;
};

/// "residual", "trend-change" (of the channel average), "trend-change-union" (of any channel),
/// "trend-strength", "low-frequency": in the order of StrataLabel.
[[nodiscard]] const std::vector<std::string>& strata_label_names();

/// The name of the label, for trend changes with the penalty factor: "trend-change:4".
[[nodiscard]] std::string name_of(const StrataAxis& axis);

/// The inverse; without a factor, the default one. Throws an input Error at `where` for another name or
/// factor, with the nearest.
[[nodiscard]] StrataAxis parse_strata_axis(const std::string& text, const std::string& where);

}  // namespace casp::analysis
