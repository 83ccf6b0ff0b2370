#pragma once
// Arguments and environment of a child process, for execve().

#include <string>
#include <vector>

namespace casp::batch {

/// The environment of this process with some variables ("NAME=value") replaced or added.
[[nodiscard]] std::vector<std::string> environment_with(const std::vector<std::string>& replaced);

/// For argv and envp: pointers into `words`, and null.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& words);

}  // namespace casp::batch
