#pragma once
// The sentences below a table that name the backbones and precisions of its runs. Thread-safe.

#include <set>
#include <string>
#include <vector>

namespace casp::evidence {

/// "Backbone of the runs: GPT-2, as in the paper." `backbones`: as in results.csv. Runs without a backbone
/// ("none") are mentioned only if all are. Empty if no backbone is known.
[[nodiscard]] std::string backbone_note(std::set<std::string> backbones);

/// The precisions of all rows of a table.
template <class Row>
[[nodiscard]] std::set<std::string> precisions_of(const std::vector<Row>& rows) {
    std::set<std::string> precisions;
    for (const auto& row : rows) precisions.insert(row.precisions.begin(), row.precisions.end());
    return precisions;
}

/// "Precision of the runs: bf16.", or that runs of several precisions are compared. `precisions`: as in
/// results.csv. Empty if none is known.
[[nodiscard]] std::string precision_note(const std::set<std::string>& precisions);
/// "bf16 + fp32", for a cell of a table.
[[nodiscard]] std::string precisions_text(const std::set<std::string>& precisions);

}  // namespace casp::evidence
