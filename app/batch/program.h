#pragma once
// What both executables share: signals, exit status, and the commands that need no tensors.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "batch/command_line.h"
#include "train/stop.h"

namespace casp::batch {

/// Exit statuses of the program.
enum ExitStatus : int { exit_done = 0, exit_run_failed = 1, exit_bad_input = 2, exit_interrupted = 130 };

/// Asked by signals: SIGINT, SIGTERM, SIGHUP and SIGUSR1 interrupt, SIGUSR2 finishes early.
[[nodiscard]] train::StopControl& stop_control();

/// A stop token for work without a StopControl; requested when a signal arrives.
class SignalWatch {
public:
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watcher_{[this](const std::stop_token& ended) { watch(ended); }};
    void watch(const std::stop_token& ended);
};

/// Prints to standard output, with a line break at the end. Returns exit_done.
int print(const std::string& text);

/// Prints the text that a command returns; a signal requests its stop. Returns exit_done.
template <class Command>
int print_text_of(const Command& command, const CommandLine& line) {
    const SignalWatch watch;
    return print(command(line, watch.token()));
}

/// Handles signals, parses the command line and calls `run`. Returns the exit status; Errors are printed, and
/// so is a standard output that cannot be written completely.
int run_program(int argc, char** argv, const std::function<int(const CommandLine&)>& run);

/// Runs a command that needs neither LibTorch nor Qt: --help, --version, --completion, --man, --list-…,
/// --print-config, --describe, --convert and --fetch. Nothing: it is another one.
[[nodiscard]] std::optional<int> run_without_tensors(const CommandLine& line);

/// Replaces this process by the full program (caspstudio-bin beside it), with the same arguments. Signals
/// that arrive meanwhile stay pending for it. Throws a run Error if it cannot be started.
int run_full_program(const CommandLine& line, char** argv);

}  // namespace casp::batch
