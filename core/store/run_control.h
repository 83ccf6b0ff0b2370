#pragma once
// Requests to a run that another process trains, on any machine that shares its folder (control.json).

#include <filesystem>
#include <optional>
#include <string_view>

namespace casp::store {

enum class RunCommand {
    pause,
    resume,        ///< ends a pause
    finish_early,  ///< ends training now and evaluates
    cancel         ///< stops after this step with a checkpoint
};

/// "pause", "resume", "finish-early" or "cancel".
[[nodiscard]] std::string_view to_string(RunCommand command) noexcept;
[[nodiscard]] std::optional<RunCommand> run_command_from(std::string_view text) noexcept;

/// Content of control.json. A pause lasts until it is ended; the other requests remain until the run ends.
struct RunControl {
    bool pause = false, finish_early = false, cancel = false;
    bool operator==(const RunControl&) const = default;
};

/// No request if there is no file, or it cannot be read.
[[nodiscard]] RunControl read_control(const std::filesystem::path& run_folder) noexcept;

/// Adds a request. The process that trains the run looks at the file twice a second. Throws an input Error if
/// no process trains the run, and a run Error if the file cannot be written.
void send_command(const std::filesystem::path& run_folder, RunCommand command);

/// When a run starts and ends: requests are for one process only. Never throws.
void remove_control(const std::filesystem::path& run_folder) noexcept;

[[nodiscard]] std::filesystem::path control_file(const std::filesystem::path& run_folder);

}  // namespace casp::store
