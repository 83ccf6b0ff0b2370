#pragma once
// The sentence below a table that names the backbones of its runs. Thread-safe.

#include <set>
#include <string>

namespace casp::evidence {

/// "Backbone of the runs: GPT-2, as in the paper." `backbones`: as in results.csv. Runs without a backbone
/// ("none") are mentioned only if all are. Empty if no backbone is known.
[[nodiscard]] std::string backbone_note(std::set<std::string> backbones);

}  // namespace casp::evidence
