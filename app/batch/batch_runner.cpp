#include "batch/batch_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "batch/console.h"
#include "config/experiment.h"
#include "store/atomic_file.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "train/checkpoint_evaluation.h"
#include "train/run.h"
#include "util/error.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

std::unique_ptr<train::TrainObserver> make_console(LogFormat format) {
    if (format == LogFormat::json) return std::make_unique<JsonConsole>();
    return std::make_unique<TextConsole>(isatty(STDERR_FILENO) != 0);
}

void say(train::TrainObserver& console, const std::string& text) {
    console.on_message(train::MessageLevel::info, text);
}

/// A finished run under the same name but with other settings must not pass for a result of these.
void check_same_settings(const fs::path& folder, const config::Config& config) {
    const store::RunFolder run(folder);
    const auto before =
        config::load_text(store::read_small_file(run.config()), run.config().string(), {}).base;
    std::string text;
    for (const auto& d : config::differences(before, config))
        if (train::changes_results(d.key)) text += "\n  " + d.key + " was " + d.a + ", is now " + d.b;
    if (!text.empty())
        throw input_error(folder.string(), "a finished run with other settings is there:" + text, {},
                          "Give the experiment another name, or another --out folder.");
}

/// Looks at all folders before anything starts.
void check_folders(const fs::path& folder, const std::vector<config::RunPlan>& plans, bool resume) {
    for (const auto& plan : plans) {
        const auto run = folder / plan.run_name;
        switch (train::folder_content(run)) {
            case train::FolderContent::empty:
                break;
            case train::FolderContent::complete:
                check_same_settings(run, plan.config);
                break;
            case train::FolderContent::resumable:
            case train::FolderContent::started:
                if (!resume)
                    throw input_error(run.string(), "an unfinished run is there", {},
                                      "Continue it with --resume, or choose another name or --out folder.");
        }
    }
}

store::ResultRow queued_row(const config::RunPlan& plan) {
    store::ResultRow row;
    row.run = plan.run_name;
    row.state = store::RunState::queued;
    row.data = fs::path(plan.config.data.path).stem().string();
    row.model = plan.config.model.name;
    row.lookback = plan.config.data.lookback;
    row.horizon = plan.config.data.horizon;
    row.lambda_sim = plan.config.loss.lambda_sim;
    row.lambda_cov = plan.config.loss.lambda_cov;
    row.seed = plan.config.train.seed;
    row.swept = plan.swept;
    return row;
}

void mark_queued(const fs::path& folder, const std::vector<config::RunPlan>& plans) {
    for (const auto& plan : plans) {
        const store::RunFolder run(folder / plan.run_name);
        if (train::folder_content(run.path()) != train::FolderContent::empty) continue;
        run.create();
        store::write_run_status(run, {queued_row(plan), {}, {}});
    }
}

}  // namespace

int run_batch(const CommandLine& line, train::StopControl& stop) {
    const auto console = make_console(line.log_format);
    const auto experiment = config::load(line.target, line.sets);
    const auto plans = config::expand(experiment);
    const auto folder = fs::path(line.out) / experiment.base.name;
    check_folders(folder, plans, line.resume);

    std::vector<std::string> names;
    for (const auto& plan : plans) names.push_back(plan.run_name);
    int status = exit_done;
    bool anything_started = false;
    for (std::size_t i = 0; i < plans.size() && !stop.must_stop(); ++i) {
        const auto& plan = plans[i];
        const auto run_folder = folder / plan.run_name;
        const auto position =
            "run " + std::to_string(i + 1) + " of " + std::to_string(plans.size()) + ": " + plan.run_name;
        if (train::folder_content(run_folder) == train::FolderContent::complete) {
            say(*console, position + " is finished already");
            continue;
        }
        say(*console, position);
        try {
            const auto row =
                train::run({plan.config, run_folder, plan.run_name, plan.swept, line.resume}, *console, stop);
            if (!anything_started) mark_queued(folder, plans);
            anything_started = true;
            if (!store::is_complete(row.state)) status = exit_interrupted;
        } catch (const Error& problem) {
            // Bad input of the first run is bad input of the batch; later on the other runs are worth going
            // on with.
            if (problem.kind() == ErrorKind::input && !anything_started) throw;
            console->on_message(train::MessageLevel::warning, plan.run_name + " failed: " + problem.what());
            anything_started = true;
            status = exit_run_failed;
        } catch (const std::exception& problem) {  // LibTorch's or the standard library's own
            console->on_message(train::MessageLevel::warning, plan.run_name + " failed: " + problem.what());
            anything_started = true;
            status = exit_run_failed;
        }
        store::write_tables(folder, names);
    }
    const auto cells = store::write_tables(folder, names);
    std::printf("%s\n", store::summary_text(cells).c_str());
    std::printf("Tables and runs: %s\n", folder.string().c_str());
    // A signal that came when the last run was done stopped nothing.
    const bool all_done = std::all_of(plans.begin(), plans.end(), [&](const config::RunPlan& plan) {
        return train::folder_content(folder / plan.run_name) == train::FolderContent::complete;
    });
    if (stop.must_stop() && !all_done) {
        say(*console, "stopped; continue with: caspstudio --batch " + line.target + " --resume");
        return exit_interrupted;
    }
    return status;
}

int run_evaluation(const CommandLine& line, train::StopControl& stop) {
    const auto console = make_console(line.log_format);
    const auto row =
        train::evaluate_checkpoint({line.target, line.data, line.out, line.sets}, *console, stop);
    std::printf("%s\n", store::results_markdown({row}).c_str());
    std::printf("Files: %s\n", (fs::path(line.out) / "evaluations" / row.run).string().c_str());
    return exit_done;
}

}  // namespace casp::batch
