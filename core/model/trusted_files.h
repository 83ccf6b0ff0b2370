#pragma once
// Which of the user's own code may run: what a command named, and not what came with a run from elsewhere.

#include <filesystem>
#include <string>

#include "config/config.h"

namespace casp::model {

/// Notes that the user chose this file to run, by its SHA-256: for now and later, in a list of the user's
/// cache. Any thread.
void trust(const std::string& sha256);

/// Notes that the user chose to run a planned run of a Python file: the file, its interpreter, and modules
/// beside the file. Nothing for other models.
void trust_plan(const config::Config& config);

/// Notes that the user agreed to use a run from elsewhere: its file, interpreter, options, and the states
/// that only the model understands. Other modules beside the file stay unknown.
void trust_run(const config::Config& config, const std::filesystem::path& run);

/// Whether the user chose all that such a run executes: file, interpreter and options, which may say what the
/// file does. True for other models. Any thread.
[[nodiscard]] bool is_trusted_run(const config::Config& config);

/// Digests that trust() takes for an interpreter, the options of a file, and modules beside it that are not
/// in its digest.
[[nodiscard]] std::string digest_of_options(const config::Config::Python& python);
[[nodiscard]] std::string digest_of_interpreter(const std::string& interpreter);
[[nodiscard]] std::string digest_of_folder(const std::filesystem::path& file, const std::string& sha256);

/// A seal that only this user's programs give to a digest: of states that a run here wrote, so that each need
/// not be listed. Any thread.
[[nodiscard]] std::string seal_of(const std::string& digest);

/// From now on everything may run in this process (--trust-model). Any thread.
void trust_everything();

/// Whether the user chose a file of this SHA-256 before. Any thread.
[[nodiscard]] bool is_trusted(const std::string& sha256);

/// Throws an input Error about this file unless it is_trusted(). Any thread.
void require_trusted(const std::filesystem::path& file, const std::string& digest);

}  // namespace casp::model
