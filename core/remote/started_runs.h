#pragma once
// Experiments that a mirror starts on the other side.

#include <filesystem>
#include <string>

namespace casp::remote {

/// Keeps the experiment as <folder>/.remote/<key>.toml and starts `program --batch` with it, detached from
/// this process, with its output in <key>.log. Waits a moment for a failure, which it throws as an input
/// Error with the program's message. A key that exists already has been started: nothing is done. `key`:
/// letters and digits. Any thread.
void start_experiment(const std::filesystem::path& folder, const std::filesystem::path& program,
                      const std::string& key, const std::string& toml);

}  // namespace casp::remote
