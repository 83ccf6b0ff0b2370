#pragma once
// What a Python file of the user's reads as options, found in its text.

#include <string_view>

#include "config/config.h"

namespace casp::model {

/// Options with a default written as a literal: task.options.get("d_model", 256). The text is only read,
/// never executed. Any thread.
[[nodiscard]] config::OptionTable options_in(std::string_view source);

}  // namespace casp::model
