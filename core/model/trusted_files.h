#pragma once
// Which of the user's own code may run: what a command named, and not what came with a run from elsewhere.

#include <filesystem>
#include <string>

namespace casp::model {

/// Notes that the user chose this file to run, by its SHA-256: for now and later, in a list of the user's
/// cache. Any thread.
void trust(const std::string& sha256);

/// From now on everything may run in this process (--trust-model). Any thread.
void trust_everything();

/// Whether the user chose a file of this SHA-256 before. Any thread.
[[nodiscard]] bool is_trusted(const std::string& sha256);

/// Throws an input Error unless it is_trusted(). Any thread.
void require_trusted(const std::filesystem::path& file, const std::string& sha256);

}  // namespace casp::model
