#pragma once
// This program started once more, as a child process that does not outlive it.

#include <string>
#include <vector>

#include <sys/types.h>

#include "util/process.h"

namespace casp::batch {

struct ChildSetup {
    StandardStreams streams;  ///< -1: this process's
    int signal_at_our_end;
    bool own_group = false;  ///< Ctrl+C in the terminal does not reach it
};

/// Starts it and does not wait. Throws a run Error of this setting if it cannot be started.
[[nodiscard]] pid_t start_child(std::vector<std::string> arguments, std::vector<std::string> environment,
                                const ChildSetup& setup, const std::string& setting);

}  // namespace casp::batch
