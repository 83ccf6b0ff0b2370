#pragma once
// Words of a shell command.

#include <string>

namespace casp {

/// The text as one word of a POSIX shell, in single quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace casp
