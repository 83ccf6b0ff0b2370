#pragma once
// The presets embedded in the program (resources/presets/*.toml): the paper's tuned cells and baselines.

#include <string>
#include <string_view>
#include <vector>

namespace casp::config {

/// Names such as "etth1-96" (CASP-LLM, first), "dlinear-etth1-96" and "dlinear-m4-yearly": by model, by data
/// set as in the paper, by horizon; M4 last, by frequency.
[[nodiscard]] const std::vector<std::string>& preset_names();

/// The preset's TOML text. Throws an input Error that names the nearest preset.
[[nodiscard]] std::string_view preset_text(std::string_view name);

}  // namespace casp::config
