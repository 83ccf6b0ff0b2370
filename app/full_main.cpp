// Entry point of caspstudio-bin, the full program: everything that needs LibTorch or the window.

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <unistd.h>

#include "batch/batch_runner.h"
#include "batch/commands.h"
#include "batch/console.h"
#include "batch/full_program.h"
#include "batch/processes.h"
#include "batch/program.h"
#include "config/experiment.h"
#include "data/catalog.h"
#include "evidence/paper_experiments.h"
#include "model/trusted_files.h"
#include "remote/serve.h"
#include "train/machine_record.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/process.h"

#ifdef CASP_WITH_GUI
#include "figure_jobs/figure_job.h"
#include "figure_jobs/figure_recipes.h"
#include "gui/gui_main.h"
#endif

namespace {

using namespace casp::batch;

int run_audit(const CommandLine& line) {
    const SignalWatch watch;
    const auto result = audit(line, watch.token());
    const int status = print(result.text);
    return status == exit_done && !result.clean ? exit_run_failed : status;
}

int run_verify(const CommandLine& line) {
    const SignalWatch watch;
    const auto figures = [&](const std::filesystem::path& batch, casp::evidence::Verification& result) {
#ifdef CASP_WITH_GUI
        casp::figure_jobs::verify_figures(batch, result, {}, watch.token());
#else
        if (std::error_code unknown; std::filesystem::exists(batch / "figures", unknown))
            result.unchecked["figures: this build does not draw them"].push_back(batch / "figures");
#endif
    };
    const auto result = verify(line, figures, stop_control(), watch.token());
    print(result.text);
    return result.equal ? exit_done : exit_run_failed;
}

int serve(const CommandLine& line) {
    // Nothing is left unfinished: signals end it at once.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    casp::remote::serve(line.target, STDIN_FILENO, STDOUT_FILENO, casp::program_path());
    return exit_done;
}

#ifdef CASP_WITH_GUI
/// Returns the number of written files.
std::size_t draw_figures(const CommandLine& line, const std::filesystem::path& folder,
                         const std::vector<std::string>& runs, const std::vector<std::string>& figures) {
    std::vector<casp::Phrase> notes;
    // After the progress bar is cleared, also after an exception.
    const std::shared_ptr<void> printing(nullptr, [&notes](void*) {
        for (const auto& note : notes) std::fprintf(stderr, "%s\n", note.english().c_str());
    });
    const SignalWatch watch;
    const auto console = line.log_format == LogFormat::json
                             ? std::unique_ptr<casp::train::TrainObserver>(std::make_unique<JsonConsole>())
                             : std::make_unique<TextConsole>();
    return casp::figure_jobs::write_figures(
               folder, runs, figures, notes,
               [&console](const casp::Progress& progress) { console->on_progress(progress); }, watch.token())
        .size();
}
#endif

/// Trains the runs and, if they are those of a table of the paper, prints the table. `ended`: nothing is left
/// to do: it was interrupted, or other workers have not finished.
int batch_with_table(const CommandLine& line, bool& ended) {
    const auto [status, complete] = run_batch(line, stop_control());
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
int batch(const CommandLine& line) {
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
    for (const auto& plan : casp::config::expand(experiment)) runs.push_back(plan.name);
    const auto files = draw_figures(line, folder, runs, figures);
    print("Figures: " + std::to_string(files) + " files in " + (folder / "figures").string());
    return status;
#else
    throw casp::input_error("--figures", "this build does not include figures", {},
                            "Start it with packaging/run.sh, which builds them, or omit --figures.");
#endif
}

void keep_measurements() {
    try {
        casp::train::machine_record().keep_in(casp::data::cache_folder() / "caspstudio" / "machine.json");
    } catch (const casp::Error&) {  // without a home folder
    }
}

int run(const CommandLine& line, [[maybe_unused]] int& argc, [[maybe_unused]] char** argv) {
    using Text = std::string (*)(const CommandLine&, const std::stop_token&);
    static const std::map<Mode, Text> texts{{Mode::import_forecasts, import_run},
                                            {Mode::export_forecasts, export_text},
                                            {Mode::merge, merge_text},
                                            {Mode::compare, compare_text},
                                            {Mode::table, table_text},
                                            {Mode::submit, submit_text},
                                            {Mode::archive, archive_text}};
    if (const auto text = texts.find(line.mode); text != texts.end())
        return print_text_of(text->second, line);
    if (line.trust_model) casp::model::trust_everything();
    switch (line.mode) {
        case Mode::audit:
            return run_audit(line);
        case Mode::serve:
            return serve(line);
        case Mode::verify:
            return run_verify(line);
        case Mode::evaluate:
            return run_evaluation(line, stop_control());
        case Mode::forecast:
            return print(forecast_text(line, stop_control()));
        case Mode::batch:
            if (const auto status = follow_batch(line, stop_control())) return *status;
            return batch(line);
        default:  // the window; others were run already
            break;
    }
#ifdef CASP_WITH_GUI
    if (stop_control().must_stop()) return exit_interrupted;
    return casp::gui::run_window(argc, argv, line.files);
#else
    throw casp::input_error(
        "caspstudio", "this build does not include the window", {},
        "Open it with packaging/run.sh, which builds it, or use --batch FILE.toml (see --help).");
#endif
}

}  // namespace

int main(int argc, char** argv) {
    settle_in();
    return run_program(argc, argv, [&](const CommandLine& line) {
        if (const auto status = run_without_tensors(line)) return *status;
        try {
            keep_measurements();
            return run(line, argc, argv);
        } catch (const casp::Error&) {
            throw;
        } catch (const std::exception& problem) {  // LibTorch's, without the stack trace
            throw casp::run_error({}, casp::plain_message(problem));
        }
    });
}
