// Entry point of caspstudio: command line, signals, exit status.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "batch/archive_command.h"
#include "batch/audit_command.h"
#include "batch/batch_runner.h"
#include "batch/command_line.h"
#include "batch/console.h"
#include "batch/data_commands.h"
#include "batch/evidence_commands.h"
#include "batch/export_command.h"
#include "batch/forecast_command.h"
#include "batch/merge_command.h"
#include "batch/processes.h"
#include "batch/submit_command.h"
#include "batch/table_commands.h"
#include "batch/verify_command.h"
#include "config/experiment.h"
#include "evidence/paper_experiments.h"
#include "remote/serve.h"
#include "run/preparation.h"
#include "train/stop.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/threads.h"

#ifdef CASP_WITH_GUI
#include "figure_jobs/figure_job.h"
#include "figure_jobs/figure_recipes.h"
#include "figure_jobs/verify_figures.h"
#include "gui/gui_main.h"
#endif

namespace {

casp::train::StopControl stop_control;

/// First signal: stop after this step and save a checkpoint. Second: exit immediately; the last checkpoint is
/// intact. SIGUSR1 and SIGHUP before do not count: a cluster may send SIGTERM after them.
extern "C" void on_signal(int) {
    static volatile std::sig_atomic_t repeated = 0;
    if (repeated != 0) _exit(casp::batch::exit_interrupted);
    repeated = 1;
    stop_control.ask(casp::train::StopRequest::interrupt);
}

/// The terminal was closed (ssh), or a cluster announces the end of the job's time (SIGUSR1): same as the
/// first Ctrl+C, even if the signal is repeated, because shells and clusters send it to processes that have
/// already received it.
extern "C" void on_hangup(int) { stop_control.ask(casp::train::StopRequest::interrupt); }

/// Same as "Finish early and evaluate" in the window.
extern "C" void on_finish_early(int) { stop_control.ask(casp::train::StopRequest::finish_early); }

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
    // restart_for() may have blocked them.
    const auto signals = stop_signals();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    // A closed reader (… | head) is a write error and must not end the program in the middle of a file.
    std::signal(SIGPIPE, SIG_IGN);
    // Likewise for a file that exceeds the limit of the shell (ulimit -f).
    std::signal(SIGXFSZ, SIG_IGN);
}

int print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
    return casp::batch::exit_done;
}

/// Returns `status`, or a failure if standard output could not be written completely: a redirected
/// --print-config or results table must not be truncated silently. A closed reader (… | head) is not a
/// failure.
int checked_output(int status, casp::batch::LogFormat format) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) return status;
    casp::batch::print_error(format, "run",
                             "standard output: the output could not be written completely. Check for a full "
                             "disk. Files of runs are not affected.");
    return status == casp::batch::exit_done ? casp::batch::exit_run_failed : status;
}

/// A stop token for work without a StopControl; requested when a signal arrives.
class SignalWatch {
public:
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watcher_{[this](const std::stop_token& ended) {
        while (!ended.stop_requested() && !stop_control.must_stop())
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (stop_control.must_stop()) source_.request_stop();
    }};
};

int fetch(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::fetch(line, watch.token()));
}

int describe(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::describe_text(line, watch.token()));
}

int table(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::table_text(line, watch.token()));
}

int audit(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    const auto result = casp::batch::audit(line, watch.token());
    const int status = print(result.text);
    return status == casp::batch::exit_done && !result.clean ? casp::batch::exit_run_failed : status;
}

int import_run(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::import_run(line, watch.token()));
}

int export_forecasts(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::export_text(line, watch.token()));
}

int verify(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    const auto figures = [&](const std::filesystem::path& batch, casp::evidence::Verification& result) {
#ifdef CASP_WITH_GUI
        casp::figure_jobs::verify_figures(batch, result, {}, watch.token());
#else
        if (std::error_code unknown; std::filesystem::exists(batch / "figures", unknown))
            result.unchecked["figures: this build does not draw them"].push_back(batch / "figures");
#endif
    };
    const auto result = casp::batch::verify(line, figures, stop_control, watch.token());
    print(result.text);
    return result.equal ? casp::batch::exit_done : casp::batch::exit_run_failed;
}

int merge(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::merge_text(line, watch.token()));
}

int submit(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::submit_text(line, watch.token()));
}

int archive(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::archive_text(line, watch.token()));
}

int serve(const casp::batch::CommandLine& line) {
    // Nothing is left unfinished: signals end it at once.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    casp::remote::serve(line.target, STDIN_FILENO, STDOUT_FILENO,
                        std::filesystem::read_symlink("/proc/self/exe"));
    return casp::batch::exit_done;
}

int compare(const casp::batch::CommandLine& line) {
    const SignalWatch watch;
    return print(casp::batch::compare_text(line, watch.token()));
}

#ifdef CASP_WITH_GUI
/// Prints notes to standard error on destruction, also after an exception.
class NotesAtTheEnd {
public:
    explicit NotesAtTheEnd(const std::vector<std::string>& notes) : notes_(notes) {}
    ~NotesAtTheEnd() {
        for (const auto& note : notes_) std::fprintf(stderr, "%s\n", note.c_str());
    }
    NotesAtTheEnd(const NotesAtTheEnd&) = delete;
    NotesAtTheEnd& operator=(const NotesAtTheEnd&) = delete;

private:
    const std::vector<std::string>& notes_;
};

/// Returns the number of written files.
std::size_t draw_figures(const casp::batch::CommandLine& line, const std::filesystem::path& folder,
                         const std::vector<std::string>& runs, const std::vector<std::string>& figures) {
    std::vector<std::string> notes;
    const NotesAtTheEnd printing(notes);  // after the progress bar is cleared
    const SignalWatch watch;
    const auto console =
        line.log_format == casp::batch::LogFormat::json
            ? std::unique_ptr<casp::train::TrainObserver>(std::make_unique<casp::batch::JsonConsole>())
            : std::make_unique<casp::batch::TextConsole>(isatty(STDERR_FILENO) != 0);
    return casp::figure_jobs::write_figures(
               folder, runs, figures, notes,
               [&console](const casp::Progress& progress) { console->on_progress(progress); }, watch.token())
        .size();
}
#endif

/// Trains the runs and, if they are those of a table of the paper, prints the table. `ended`: nothing is left
/// to do: it was interrupted, or other workers have not finished.
int batch_with_table(const casp::batch::CommandLine& line, bool& ended) {
    using namespace casp::batch;
    const auto [status, complete] = run_batch(line, stop_control);
    ended = status == exit_interrupted || status == exit_bad_input || (line.worker && !complete);
    if (ended) return status;
    try {
        const SignalWatch watch;
        const auto name = casp::evidence::load_experiment(line.target, line.sets).base.name;
        if (const auto text = batch_table_text(line, std::filesystem::path(line.out) / name, watch.token());
            !text.empty())
            print("\n" + text);
    } catch (const casp::Cancelled&) {
        ended = true;
        return exit_interrupted;
    } catch (const casp::Error& problem) {
        // The runs were made: not bad input of the batch.
        print_error(line.log_format, "run", std::string("the table could not be written: ") + problem.what());
        return exit_run_failed;
    }
    return status;
}

/// Trains the runs, then draws their figures.
int batch(const casp::batch::CommandLine& line) {
    bool ended = false;
    if (line.figures.empty()) return batch_with_table(line, ended);
#ifdef CASP_WITH_GUI
    const auto figures = casp::figure_jobs::checked_figures(line.figures);  // before anything starts
    const auto experiment = casp::evidence::load_experiment(line.target, line.sets);
    const auto folder = std::filesystem::path(line.out) / experiment.base.name;
    (void)casp::figure_jobs::figures_folder(folder);
    const int status = batch_with_table(line, ended);
    if (ended) return status;
    std::vector<std::string> runs;
    for (const auto& plan : casp::config::expand(experiment)) runs.push_back(plan.run_name);
    const auto files = draw_figures(line, folder, runs, figures);
    print("Figures: " + std::to_string(files) + " files in " + (folder / "figures").string());
    return status;
#else
    throw casp::input_error("--figures", "this build does not include figures", {},
                            "Omit --figures, or build with -DCASP_GUI=ON.");
#endif
}

int print_config(const casp::batch::CommandLine& line) {
    const auto experiment = casp::batch::experiment_to_print(line);
    casp::batch::print_warnings(line.log_format, experiment.notes);
    return print(casp::config::to_toml(experiment));
}

/// Calls let_waiting_threads_sleep(), which re-executes the program. Signals that arrive meanwhile stay
/// pending for the new program instead of being lost.
void restart_for(casp::ThreadSleep when, char** argv) {
    const auto signals = stop_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    if (!stop_control.must_stop()) casp::let_waiting_threads_sleep(when, argv);
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

int run(const casp::batch::CommandLine& line, [[maybe_unused]] int& argc, [[maybe_unused]] char** argv) {
    using casp::batch::Mode;
    switch (line.mode) {
        case Mode::help:
            return print(casp::batch::help_text());
        case Mode::version:
            return print(casp::batch::version_text());
        case Mode::list_options:
            return print(casp::batch::options_text());
        case Mode::list_models:
            return print(casp::batch::models_text());
        case Mode::list_presets:
            return print(casp::batch::presets_text());
        case Mode::list_catalog:
            return print(casp::batch::catalog_text());
        case Mode::print_config:
            return print_config(line);
        case Mode::describe:
            return describe(line);
        case Mode::fetch:
            return fetch(line);
        case Mode::audit:
            return audit(line);
        case Mode::import_forecasts:
            return import_run(line);
        case Mode::export_forecasts:
            return export_forecasts(line);
        case Mode::merge:
            return merge(line);
        case Mode::compare:
            return compare(line);
        case Mode::table:
            return table(line);
        case Mode::submit:
            return submit(line);
        case Mode::archive:
            return archive(line);
        case Mode::serve:
            return serve(line);
        case Mode::verify:
            if (line.repeat > 0) restart_for(casp::ThreadSleep::soon, argv);
            return verify(line);
        case Mode::evaluate:
            restart_for(casp::ThreadSleep::soon, argv);
            return casp::batch::run_evaluation(line, stop_control);
        case Mode::forecast:
            restart_for(casp::ThreadSleep::soon, argv);
            return print(casp::batch::forecast_text(line, stop_control));
        case Mode::batch:
            // Otherwise another busy program makes training many times slower.
            restart_for(casp::ThreadSleep::soon, argv);
            if (const auto status = casp::batch::follow_batch(line, stop_control)) return *status;
            return batch(line);
        case Mode::window:
            break;
    }
#ifdef CASP_WITH_GUI
    // Otherwise training would slow the window down.
    restart_for(casp::ThreadSleep::at_once, argv);
    if (stop_control.must_stop()) return casp::batch::exit_interrupted;
    return casp::gui::run_window(argc, argv, line.files);
#else
    throw casp::input_error("caspstudio", "this build does not include the window", {},
                            "Use --batch FILE.toml (see --help), or build with -DCASP_GUI=ON.");
#endif
}

}  // namespace

int main(int argc, char** argv) {
    handle_signals();
    casp::keep_freed_memory();
    auto format = casp::batch::LogFormat::text;
    try {
        const auto line = casp::batch::parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
        format = line.log_format;
        return checked_output(run(line, argc, argv), format);
    } catch (const casp::Error& problem) {
        switch (problem.kind()) {
            case casp::ErrorKind::input:
                casp::batch::print_error(format, "input", problem.what());
                return casp::batch::exit_bad_input;
            case casp::ErrorKind::run:
                casp::batch::print_error(format, "run", problem.what());
                return casp::batch::exit_run_failed;
            case casp::ErrorKind::interrupted:
                casp::batch::print_error(format, "interrupted", problem.what());
                return casp::batch::exit_interrupted;
        }
    } catch (const std::exception& problem) {
        casp::batch::print_error(format, "run", casp::run::plain_message(problem));
    }
    return casp::batch::exit_run_failed;
}
