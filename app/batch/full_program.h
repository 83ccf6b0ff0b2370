#pragma once
// Starting caspstudio-bin, the program with LibTorch: directly, or by the loader of a portable tree; with the
// LibTorch that `--fetch cuda` downloaded, where there is a driver; also as a child process.

#include <sys/types.h>

#include <string>
#include <vector>

#include "util/process.h"

namespace casp::batch {

/// A file to execute, its argv, and variables of the environment that are to be set for it ("NAME=value").
struct StartCommand {
    std::string file;
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
};

/// Starts the full program with `arguments`, of which the first is the program's name. If this process was
/// started by the loader of a portable tree, so is that one. Throws a run Error if /proc is not readable.
[[nodiscard]] StartCommand full_program(std::vector<std::string> arguments);

/// At the start of caspstudio-bin: the name that ps and pkill show, which is the loader's otherwise; and
/// programs that it starts do not get the library path that was set for it.
void settle_in();

/// The arguments of this process, without the loader's.
[[nodiscard]] std::vector<std::string> own_arguments();

/// Of a child process that does not outlive this one.
struct ChildSetup {
    StandardStreams streams;  ///< -1: this process's
    int signal_at_our_end;
    bool own_group = false;  ///< Ctrl+C in the terminal does not reach it
};

/// Starts the full program once more and does not wait. Throws a run Error of this setting if it cannot be
/// started.
[[nodiscard]] pid_t start_child(std::vector<std::string> arguments, std::vector<std::string> environment,
                                const ChildSetup& setup, const std::string& setting);

}  // namespace casp::batch
