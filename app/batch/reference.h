#pragma once
// Texts made from the list of flags and the list of settings: the man page and the shell completions. No
// input or output.

#include <string>
#include <string_view>

namespace casp::batch {

/// caspstudio(1) in roff, without characters outside ASCII. `date`: "2026-11-26", or empty.
[[nodiscard]] std::string man_page(std::string_view date = {});

/// The day of SOURCE_DATE_EPOCH (seconds since 1970, UTC), or empty if it is not a number.
[[nodiscard]] std::string date_of_epoch(const char* seconds);

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();

}  // namespace casp::batch
