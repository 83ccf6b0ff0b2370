#pragma once
// Other programs as child processes, without a shell.

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace casp {

/// Output of a program that has ended.
struct ProcessResult {
    int status = 0;      ///< exit status; 128 + N after signal N
    std::string output;  ///< standard output
    std::string errors;  ///< standard error
};

/// Runs a program (from PATH, unless its name has a slash) with these arguments, an empty standard input and
/// this process's environment, and waits for its end. Blocks; thread-safe.
///
/// Throws an input Error if it cannot be started, a run Error if it has not ended within `limit` or prints
/// more than 64 MiB, and Cancelled; it is killed in these cases.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit,
                                        const std::stop_token& stop = {});

/// The executable file of that name in PATH, or nothing.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace casp
