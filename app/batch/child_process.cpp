#include "batch/child_process.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "batch/full_program.h"
#include "util/error.h"
#include "util/process.h"

namespace casp::batch {

pid_t start_child(std::vector<std::string> arguments, std::vector<std::string> environment,
                  const ChildSetup& setup, const std::string& setting) {
    constexpr int not_started = 127;
    auto command = full_program(std::move(arguments));
    environment = replaced_in(environment, command.environment);
    const auto argv = pointers_to(command.arguments), envp = pointers_to(environment);
    const auto parent = ::getpid();
    const auto child = ::fork();  // posix_spawn() cannot ask for a signal at the parent's end
    if (child < 0)
        throw run_error(setting,
                        "no further process can be started: " + std::generic_category().message(errno), {},
                        "Choose fewer processes or devices.");
    if (child > 0) return child;
    // Only calls that are safe between fork() and exec() of a program with threads.
    ::prctl(PR_SET_PDEATHSIG, setup.signal_at_our_end);
    if (::getppid() != parent) ::_exit(not_started);
    if (setup.own_group) ::setpgid(0, 0);
    if (setup.streams.in >= 0) ::dup2(setup.streams.in, STDIN_FILENO);
    if (setup.streams.out >= 0) ::dup2(setup.streams.out, STDOUT_FILENO);
    if (setup.streams.err >= 0) ::dup2(setup.streams.err, STDERR_FILENO);
    ::execve(command.file.c_str(), argv.data(), envp.data());
    ::_exit(not_started);
}

}  // namespace casp::batch
