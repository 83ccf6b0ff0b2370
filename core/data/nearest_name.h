#pragma once
// Suggestion of the nearest known name for a misspelled one.

#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

/// Candidate with the smallest edit distance, case-insensitive; empty if there are no candidates.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// Equality, ignoring the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

}  // namespace casp::data
