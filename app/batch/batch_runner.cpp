#include "batch/batch_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "batch/console.h"
#include "batch/table_commands.h"
#include "config/experiment.h"
#include "evidence/batch_tables.h"
#include "evidence/paper_experiments.h"
#include "inspect/checkpoint_evaluation.h"
#include "run/preparation.h"
#include "run/run.h"
#include "store/results.h"
#include "store/run_folder.h"
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

/// SHA-256 digests of data sets; each is read once.
class DataDigests {
public:
    const std::string& of(const config::Config& config) {
        auto& digest = digests_[{config.data.path, config.data.frequency}];
        if (digest.empty()) digest = run::digest_of_data(config);
        return digest;
    }

private:
    std::map<std::pair<std::string, std::string>, std::string> digests_;
};

/// Checks all folders before anything starts.
void check_folders(const fs::path& folder, const std::vector<config::RunPlan>& plans, bool resume) {
    DataDigests digests;
    for (const auto& plan : plans) {
        const auto run = folder / plan.run_name;
        store::RunFolder(run).check_no_links();
        const auto content = run::folder_content(run);
        // First, so that a run in training is not reported as unfinished.
        if (content != run::FolderContent::complete) store::RunLock::check_free(store::RunFolder(run));
        switch (content) {
            case run::FolderContent::empty:
                break;
            case run::FolderContent::complete:
                run::check_finished_run(run, plan.config, digests.of(plan.config));
                break;
            case run::FolderContent::resumable:
            case run::FolderContent::started:
                if (!resume)
                    throw input_error(run.string(), "the folder contains an unfinished run",
                                      "a finished run, or an empty folder",
                                      "Continue it with --resume, or choose another name or --out folder.");
        }
    }
}

run::PlannedRun planned(const fs::path& run_folder, const config::RunPlan& plan) {
    return {plan.config, run_folder, plan.run_name, plan.swept};
}

/// The command that resumes this batch, with its settings: a resume requires them to be equal.
std::string resume_command(const CommandLine& line) {
    auto command = "caspstudio --batch " + shell_word(line.target);
    if (line.out != CommandLine().out) command += " --out " + shell_word(line.out);
    for (const auto& set : line.sets) command += " --set " + shell_word(set);
    return command + " --resume";
}

/// False also if the folder cannot be read.
bool is_finished(const fs::path& run_folder) {
    try {
        return run::folder_content(run_folder) == run::FolderContent::complete;
    } catch (const Error&) {
        return false;
    }
}

/// Rows of the batch's own runs and of those that other batches have finished, in the order of the sweep.
std::vector<store::ResultRow> rows_of(const fs::path& folder, const std::vector<config::RunPlan>& plans,
                                      const std::map<std::string, store::ResultRow>& shared) {
    std::vector<store::ResultRow> rows;
    for (const auto& plan : plans)
        if (const auto other = shared.find(plan.run_name); other != shared.end())
            rows.push_back(other->second);
        else
            for (auto& row : store::collect_rows(folder, {plan.run_name})) rows.push_back(std::move(row));
    return rows;
}

void mark_queued(const fs::path& folder, const std::vector<config::RunPlan>& plans) {
    for (const auto& plan : plans) {
        const auto run_folder = folder / plan.run_name;
        try {
            run::mark_queued(planned(run_folder, plan));
        } catch (const Error& problem) {
            // Problems with its files are reported when this run starts.
            if (problem.kind() != ErrorKind::input) throw;
        }
    }
}

}  // namespace

int run_batch(const CommandLine& line, train::StopControl& stop) {
    const auto console = make_console(line.log_format);
    const auto experiment = evidence::load_experiment(line.target, line.sets);
    auto plans = config::expand(experiment);
    for (const auto* texts : {&experiment.replaced, &experiment.notes})
        for (const auto& text : *texts) console->on_message(train::MessageLevel::warning, text);
    const auto folder = fs::path(line.out) / experiment.base.name;
    const auto all_plans = plans;
    const auto shared = leave_out_finished(plans, line, folder);
    for (const auto& [name, row] : shared)
        say(*console, name + " is finished in " + (folder / row.run).lexically_normal().string());
    try {
        check_folders(folder, plans, line.resume);
    } catch (const fs::filesystem_error& problem) {
        throw input_error(problem.path1().string(), problem.code().message(), {},
                          "Choose an --out folder with read and write permission.");
    }

    int status = exit_done;
    std::vector<fs::path> left_to_others;  // runs in training by another process
    bool anything_started = false;         // or already finished: the batch itself is valid
    const auto started = [&, marked = false]() mutable {
        anything_started = true;
        if (!std::exchange(marked, true)) mark_queued(folder, plans);
    };
    // A run.json that became unreadable meanwhile is not bad input, because runs were made.
    bool tables_failed = false;  // in the last attempt
    std::vector<evidence::Comparison> comparisons;
    auto write_tables = [&, reported = std::string()]() mutable -> std::vector<store::Cell> {
        tables_failed = false;
        try {
            std::error_code reported_below;
            if (!shared.empty()) fs::create_directories(folder, reported_below);  // perhaps without own runs
            auto tables = evidence::write_batch_tables(folder, rows_of(folder, all_plans, shared));
            comparisons = std::move(tables.comparisons);
            return std::move(tables.cells);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            if (std::exchange(reported, problem.what()) != problem.what())
                console->on_message(train::MessageLevel::warning,
                                    std::string("the tables could not be written: ") + problem.what());
            tables_failed = true;
            return {};
        }
    };
    for (std::size_t i = 0; i < plans.size() && !stop.must_stop(); ++i) {
        const auto& plan = plans[i];
        const auto run_folder = folder / plan.run_name;
        const auto position =
            "run " + std::to_string(i + 1) + " of " + std::to_string(plans.size()) + ": " + plan.run_name;
        try {
            if (run::folder_content(run_folder) == run::FolderContent::complete) {
                static_cast<void>(run::finished_row(planned(run_folder, plan)));  // its run.json may be lost
                say(*console, position + " is already finished");
                run::clear_up_finished(run_folder, plan.config.run.keep_last);
                for (const auto& lost : run::lost_files(planned(run_folder, plan)))
                    console->on_message(train::MessageLevel::warning, lost);
                anything_started = true;
                continue;
            }
            say(*console, position);
            stop.forget_finish_early();
            const auto row = run::run(
                {plan.config, run_folder, plan.run_name, plan.swept, line.resume, started}, *console, stop);
            anything_started = true;
            if (!store::is_complete(row.state)) status = exit_interrupted;
        } catch (const Cancelled&) {
            // Before the run was started or resumed. The line also clears the progress bar, which the tables
            // and the advice would overwrite.
            std::error_code unknown;
            if (fs::exists(folder, unknown)) say(*console, plan.run_name + ": stopped during preparation");
            break;
        } catch (const std::exception& problem) {
            // Bad input of the first run is bad input of the batch; later, the other runs are still worth
            // running.
            const auto* known = dynamic_cast<const Error*>(&problem);
            if (known != nullptr && known->kind() == ErrorKind::input && !anything_started) throw;
            const auto message = run::plain_message(problem);
            if (known != nullptr && known->kind() == ErrorKind::input &&
                store::RunLock::holder(store::RunFolder(run_folder))) {
                // Another batch or window has started this run, and reports it.
                console->on_message(train::MessageLevel::warning, plan.run_name + " is skipped: " + message);
                left_to_others.push_back(run_folder);
                write_tables();
                continue;
            }
            console->on_message(train::MessageLevel::warning, plan.run_name + " failed: " + message);
            run::mark_failed(planned(run_folder, plan), message);
            mark_queued(folder, plans);
            anything_started = true;
            status = exit_run_failed;
        }
        write_tables();
    }
    std::error_code unknown;
    if (stop.must_stop() && !fs::exists(folder, unknown)) {
        say(*console, "stopped before the first run started");
        return exit_interrupted;
    }
    const auto cells = write_tables();
    if (tables_failed) status = exit_run_failed;
    for (const auto& run : left_to_others) {
        if (is_finished(run) || stop.must_stop()) continue;
        console->on_message(train::MessageLevel::warning,
                            run.filename().string() + ", run by another process, is not finished yet");
        if (status == exit_done) status = exit_run_failed;
    }
    std::printf("%s\n", store::summary_text(cells).c_str());
    // The files have the other metrics.
    if (!comparisons.empty())
        std::erase_if(comparisons, [main = comparisons.front().metric](const auto& comparison) {
            return comparison.metric != main;
        });
    if (!comparisons.empty()) std::printf("%s\n", evidence::comparisons_text(comparisons).c_str());
    std::printf("Tables and runs: %s\n", folder.string().c_str());
    // A signal after the end of the last run has stopped nothing.
    const bool all_done = std::all_of(plans.begin(), plans.end(), [&](const config::RunPlan& plan) {
        return is_finished(folder / plan.run_name);
    });
    if (stop.must_stop() && !all_done) {
        say(*console, "stopped; resume with: " + resume_command(line));
        return exit_interrupted;
    }
    return status;
}

int run_evaluation(const CommandLine& line, train::StopControl& stop) {
    auto console = make_console(line.log_format);
    const auto row =
        inspect::evaluate_checkpoint({line.target, line.data, line.out, line.sets}, *console, stop);
    console.reset();  // clears the progress bar before the table
    std::printf("%s\n", store::results_markdown({row}).c_str());
    std::printf("Files: %s\n", (fs::path(line.out) / "evaluations" / row.run).string().c_str());
    return exit_done;
}

}  // namespace casp::batch
