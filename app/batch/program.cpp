#include "batch/program.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>

#include <poll.h>
#include <unistd.h>

#include "batch/console.h"
#include "batch/data_commands.h"
#include "batch/flags.h"
#include "batch/full_program.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/process.h"
#include "util/threads.h"

namespace casp::batch {

namespace {

train::StopControl control;

/// First signal: stop after this step and save a checkpoint. Second: exit immediately; the last checkpoint is
/// intact. SIGUSR1 and SIGHUP before do not count: a cluster may send SIGTERM after them.
extern "C" void on_signal(int) {
    static volatile std::sig_atomic_t repeated = 0;
    if (repeated != 0) _exit(exit_interrupted);
    repeated = 1;
    control.ask(train::StopRequest::interrupt);
}

/// The terminal was closed (ssh), or a cluster announces the end of the job's time (SIGUSR1): same as the
/// first Ctrl+C, even if the signal is repeated, because shells and clusters send it to processes that have
/// already received it.
extern "C" void on_hangup(int) { control.ask(train::StopRequest::interrupt); }

/// Same as "Finish early and evaluate" in the window.
extern "C" void on_finish_early(int) { control.ask(train::StopRequest::finish_early); }

sigset_t stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    return signals;
}

void handle_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {};
    action.sa_handler = on_hangup;
    sigaction(SIGUSR1, &action, nullptr);
    // Under nohup the program continues without the terminal.
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
    action.sa_handler = on_finish_early;
    action.sa_flags = SA_RESTART;  // the program continues: its writes must not be interrupted
    sigaction(SIGUSR2, &action, nullptr);
    // run_full_program() has blocked them in the process before exec().
    const auto signals = stop_signals();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    // A closed reader (… | head) is a write error and must not end the program in the middle of a file.
    std::signal(SIGPIPE, SIG_IGN);
    // Likewise for a file that exceeds the limit of the shell (ulimit -f).
    std::signal(SIGXFSZ, SIG_IGN);
}

/// Returns `status`, or a failure if standard output could not be written completely: a redirected
/// --print-config or results table must not be truncated silently. A closed reader (… | head) is not a
/// failure.
int checked_output(int status, LogFormat format) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) return status;
    print_error(format, "run",
                "standard output: the output could not be written completely. Check for a full "
                "disk. Files of runs are not affected.");
    return status == exit_done ? exit_run_failed : status;
}

int print_config(const CommandLine& line) {
    const auto experiment = experiment_to_print(line);
    print_warnings(line.log_format, experiment.notes);
    return print(config::to_toml(experiment));
}

/// How waiting threads behave in the full program, which reads it from its environment before main().
/// Otherwise training would slow the window down, and another busy program would make training many times
/// slower.
std::optional<ThreadSleep> thread_sleep_of(const CommandLine& line) {
    switch (line.mode) {
        case Mode::window:
            return ThreadSleep::at_once;
        case Mode::batch:
        case Mode::evaluate:
        case Mode::forecast:
            return ThreadSleep::soon;
        case Mode::verify:
            return line.repeat > 0 ? std::optional(ThreadSleep::soon) : std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace

train::StopControl& stop_control() { return control; }

void SignalWatch::watch(const std::stop_token& ended) {
    // A signal handler cannot notify; the end of the work does.
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wake;
    constexpr std::chrono::milliseconds interval{50};
    while (!ended.stop_requested() && !control.must_stop())
        wake.wait_for(lock, ended, interval, [] { return control.must_stop(); });
    if (control.must_stop()) source_.request_stop();
}

int print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
    return exit_done;
}

int run_program(int argc, char** argv, const std::function<int(const CommandLine&)>& run) {
    handle_signals();
    keep_freed_memory();
    auto format = LogFormat::text;
    try {
        const auto line = parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
        format = line.log_format;
        return checked_output(run(line), format);
    } catch (const Error& problem) {
        switch (problem.kind()) {
            case ErrorKind::input:
                print_error(format, "input", problem.what());
                return exit_bad_input;
            case ErrorKind::run:
                print_error(format, "run", problem.what());
                return exit_run_failed;
            case ErrorKind::interrupted:
                print_error(format, "interrupted", problem.what());
                return exit_interrupted;
        }
    } catch (const std::exception& problem) {
        print_error(format, "run", problem.what());
    }
    return exit_run_failed;
}

std::optional<int> run_without_tensors(const CommandLine& line) {
    switch (line.mode) {
        case Mode::help:
            return print(help_text());
        case Mode::version:
            return print(version_text());
        case Mode::completion:
            return print(line.target == "bash" ? bash_completion() : zsh_completion());
        case Mode::man:
            return print(man_page(date_of_epoch(std::getenv("SOURCE_DATE_EPOCH"))));
        case Mode::list_options:
            return print(options_text());
        case Mode::list_models:
            return print(models_text(line));
        case Mode::list_presets:
            return print(presets_text());
        case Mode::list_catalog:
            return print(catalog_text());
        case Mode::print_config:
            return print_config(line);
        case Mode::describe:
            return print_text_of(describe_text, line);
        case Mode::convert:
            return print_text_of(convert, line);
        case Mode::fetch:
            return print_text_of(fetch, line);
        default:
            return std::nullopt;
    }
}

int run_full_program(const CommandLine& line, char** argv) {
    if (const auto when = thread_sleep_of(line)) set_thread_sleep(*when);
    const auto signals = stop_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    if (control.must_stop()) throw Cancelled();
    if (control.request() == train::StopRequest::finish_early) std::raise(SIGUSR2);
    std::vector<std::string> arguments;
    for (; *argv != nullptr; ++argv) arguments.emplace_back(*argv);
    auto command = full_program(std::move(arguments));
    auto environment = environment_with(command.environment);
    execve(command.file.c_str(), pointers_to(command.arguments).data(), pointers_to(environment).data());
    throw run_error(command.file, std::string("cannot be started: ") + std::strerror(errno), {},
                    "Build or install the program again: it belongs beside caspstudio.");
}

}  // namespace casp::batch
