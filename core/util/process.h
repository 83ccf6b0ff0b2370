#pragma once
// Other programs as child processes, without a shell.

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <sys/types.h>

#include "util/phrase.h"

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

/// Descriptors that become a program's standard streams.
struct StandardStreams {
    int in = -1, out = -1, err = -1;
};

/// Starts a program as run_process() does, and does not wait. With `own_session`, Ctrl+C in this terminal
/// does not reach it, and it cannot ask there. Thread-safe.
///
/// Throws an input Error with this hint if it cannot be started.
[[nodiscard]] pid_t start_process(const std::vector<std::string>& command, const StandardStreams& streams,
                                  bool own_session = false, const Phrase& hint = {});

/// Waits for the end of a child process, at most this long: its exit status, 128 + N after signal N, or
/// nothing. Returns early at a requested stop. Looks every 20 ms. Thread-safe.
[[nodiscard]] std::optional<int> wait_for_end(pid_t process, std::chrono::milliseconds limit,
                                              const std::stop_token& stop = {});

/// Of the status of waitpid(): exit status; 128 + N after signal N.
[[nodiscard]] int exit_status(int wait_status);

/// For argv and envp: pointers into `words`, and null.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& words);

/// This process's environment with some variables ("NAME=value") replaced or added.
[[nodiscard]] std::vector<std::string> environment_with(const std::vector<std::string>& replaced);
/// The same of another environment.
[[nodiscard]] std::vector<std::string> replaced_in(const std::vector<std::string>& environment,
                                                   const std::vector<std::string>& replaced);

/// The full program, in the folder of caspstudio.
inline constexpr const char* full_program_name = "caspstudio-bin";

/// The file that the system executes for this process: the program, or the loader that starts it. Throws a
/// run Error if /proc is not readable.
[[nodiscard]] std::filesystem::path executed_file();

/// PROGRAMS/glibc/ld-linux-x86-64.so.2, by which packaging/portable/caspstudio starts the program.
[[nodiscard]] bool is_loader(const std::filesystem::path& file);

/// The folder of caspstudio and the full program. Throws like executed_file().
[[nodiscard]] std::filesystem::path program_folder();

/// The program to start for another process of this kind, also on other machines of a cluster: the start
/// script of a portable tree or the AppImage (environment variable CASPSTUDIO_STARTED_AS, if the tree of
/// CASPSTUDIO_TREE is this program's), else caspstudio in this program's folder. Throws like executed_file().
[[nodiscard]] std::filesystem::path program_path();

/// The executable file of that name in PATH, or nothing.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace casp
