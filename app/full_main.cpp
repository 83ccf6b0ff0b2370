// Entry point of caspstudio-bin, the full program: everything that needs LibTorch or the window.

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "batch/archive_command.h"
#include "batch/audit_command.h"
#include "batch/batch_runner.h"
#include "batch/console.h"
#include "batch/evidence_commands.h"
#include "batch/export_command.h"
#include "batch/forecast_command.h"
#include "batch/full_program.h"
#include "batch/merge_command.h"
#include "batch/processes.h"
#include "batch/program.h"
#include "batch/submit_command.h"
#include "batch/table_commands.h"
#include "batch/verify_command.h"
#include "config/experiment.h"
#include "evidence/paper_experiments.h"
#include "remote/serve.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/process.h"

#ifdef CASP_WITH_GUI
#include "figure_jobs/figure_job.h"
#include "figure_jobs/figure_recipes.h"
#include "gui/gui_main.h"
#endif

namespace {

int audit(const casp::batch::CommandLine& line) {
    const casp::batch::SignalWatch watch;
    const auto result = casp::batch::audit(line, watch.token());
    const int status = casp::batch::print(result.text);
    return status == casp::batch::exit_done && !result.clean ? casp::batch::exit_run_failed : status;
}

int verify(const casp::batch::CommandLine& line) {
    const casp::batch::SignalWatch watch;
    const auto figures = [&](const std::filesystem::path& batch, casp::evidence::Verification& result) {
#ifdef CASP_WITH_GUI
        casp::figure_jobs::verify_figures(batch, result, {}, watch.token());
#else
        if (std::error_code unknown; std::filesystem::exists(batch / "figures", unknown))
            result.unchecked["figures: this build does not draw them"].push_back(batch / "figures");
#endif
    };
    const auto result = casp::batch::verify(line, figures, casp::batch::stop_control(), watch.token());
    casp::batch::print(result.text);
    return result.equal ? casp::batch::exit_done : casp::batch::exit_run_failed;
}

int serve(const casp::batch::CommandLine& line) {
    // Nothing is left unfinished: signals end it at once.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    casp::remote::serve(line.target, STDIN_FILENO, STDOUT_FILENO, casp::program_path());
    return casp::batch::exit_done;
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
    const casp::batch::SignalWatch watch;
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
    const auto [status, complete] = run_batch(line, casp::batch::stop_control());
    ended = status == exit_interrupted || status == exit_bad_input || (line.worker && !complete);
    if (ended) return status;
    try {
        const casp::batch::SignalWatch watch;
        const auto name = casp::evidence::load_experiment(line.target, line.sets).base.name;
        if (const auto text = batch_table_text(line, std::filesystem::path(line.out) / name, watch.token());
            !text.empty())
            casp::batch::print("\n" + text);
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
    casp::batch::print("Figures: " + std::to_string(files) + " files in " + (folder / "figures").string());
    return status;
#else
    throw casp::input_error("--figures", "this build does not include figures", {},
                            "Start it with packaging/run.sh, which builds them, or omit --figures.");
#endif
}

int run(const casp::batch::CommandLine& line, [[maybe_unused]] int& argc, [[maybe_unused]] char** argv) {
    using casp::batch::Mode;
    switch (line.mode) {
        case Mode::audit:
            return audit(line);
        case Mode::import_forecasts:
            return casp::batch::print_text_of(casp::batch::import_run, line);
        case Mode::export_forecasts:
            return casp::batch::print_text_of(casp::batch::export_text, line);
        case Mode::merge:
            return casp::batch::print_text_of(casp::batch::merge_text, line);
        case Mode::compare:
            return casp::batch::print_text_of(casp::batch::compare_text, line);
        case Mode::table:
            return casp::batch::print_text_of(casp::batch::table_text, line);
        case Mode::submit:
            return casp::batch::print_text_of(casp::batch::submit_text, line);
        case Mode::archive:
            return casp::batch::print_text_of(casp::batch::archive_text, line);
        case Mode::serve:
            return serve(line);
        case Mode::verify:
            return verify(line);
        case Mode::evaluate:
            return casp::batch::run_evaluation(line, casp::batch::stop_control());
        case Mode::forecast:
            return casp::batch::print(casp::batch::forecast_text(line, casp::batch::stop_control()));
        case Mode::batch:
            if (const auto status = casp::batch::follow_batch(line, casp::batch::stop_control()))
                return *status;
            return batch(line);
        default:  // the window; others were run already
            break;
    }
#ifdef CASP_WITH_GUI
    if (casp::batch::stop_control().must_stop()) return casp::batch::exit_interrupted;
    return casp::gui::run_window(argc, argv, line.files);
#else
    throw casp::input_error(
        "caspstudio", "this build does not include the window", {},
        "Open it with packaging/run.sh, which builds it, or use --batch FILE.toml (see --help).");
#endif
}

}  // namespace

int main(int argc, char** argv) {
    casp::batch::settle_in();
    return casp::batch::run_program(argc, argv, [&](const casp::batch::CommandLine& line) {
        if (const auto status = casp::batch::run_without_tensors(line)) return *status;
        try {
            return run(line, argc, argv);
        } catch (const casp::Error&) {
            throw;
        } catch (const std::exception& problem) {  // LibTorch's, without the stack trace
            throw casp::run_error({}, casp::plain_message(problem));
        }
    });
}
