#pragma once
// The name a user most probably meant.

#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

/// The candidate with the fewest edits (without regard to case); empty where `candidates` is.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// Without regard to the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

}  // namespace casp::data
