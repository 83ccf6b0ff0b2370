#include "batch/batch_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "batch/console.h"
#include "config/experiment.h"
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

/// SHA-256 of data files, each read once.
class DataDigests {
public:
    const std::string& of(const std::string& setting) {
        auto& digest = digests_[setting];
        if (digest.empty()) digest = run::digest_of_data(setting);
        return digest;
    }

private:
    std::map<std::string, std::string> digests_;
};

/// Looks at all folders before anything starts.
void check_folders(const fs::path& folder, const std::vector<config::RunPlan>& plans, bool resume) {
    DataDigests digests;
    for (const auto& plan : plans) {
        const auto run = folder / plan.run_name;
        store::RunFolder(run).check_no_links();
        const auto content = run::folder_content(run);
        // Before "unfinished" would be said of a run that is being trained at this moment.
        if (content != run::FolderContent::complete) store::RunLock::check_free(store::RunFolder(run));
        switch (content) {
            case run::FolderContent::empty:
                break;
            case run::FolderContent::complete:
                run::check_finished_run(run, plan.config, digests.of(plan.config.data.path));
                break;
            case run::FolderContent::resumable:
            case run::FolderContent::started:
                if (!resume)
                    throw input_error(run.string(), "an unfinished run is there", "a finished one, or none",
                                      "Continue it with --resume, or choose another name or --out folder.");
        }
    }
}

run::PlannedRun planned(const fs::path& run_folder, const config::RunPlan& plan) {
    return {plan.config, run_folder, plan.run_name, plan.swept};
}

/// An argument as a POSIX shell wants it.
std::string shell_word(const std::string& text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-+=:,./%@", c) != nullptr;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// The command that continues this batch: a resume wants the settings that it was started with.
std::string resume_command(const CommandLine& line) {
    auto command = "caspstudio --batch " + shell_word(line.target);
    if (line.out != CommandLine().out) command += " --out " + shell_word(line.out);
    for (const auto& set : line.sets) command += " --set " + shell_word(set);
    return command + " --resume";
}

/// False also where that cannot be told.
bool is_finished(const fs::path& run_folder) {
    try {
        return run::folder_content(run_folder) == run::FolderContent::complete;
    } catch (const Error&) {
        return false;
    }
}

void mark_queued(const fs::path& folder, const std::vector<config::RunPlan>& plans) {
    for (const auto& plan : plans) {
        const auto run_folder = folder / plan.run_name;
        try {
            run::mark_queued(planned(run_folder, plan));
        } catch (const Error& problem) {
            // What is wrong with this one's files is told when it is its turn.
            if (problem.kind() != ErrorKind::input) throw;
        }
    }
}

}  // namespace

int run_batch(const CommandLine& line, train::StopControl& stop) {
    const auto console = make_console(line.log_format);
    const auto experiment = config::load(line.target, line.sets);
    const auto plans = config::expand(experiment);
    const auto folder = fs::path(line.out) / experiment.base.name;
    try {
        check_folders(folder, plans, line.resume);
    } catch (const fs::filesystem_error& problem) {
        throw input_error(problem.path1().string(), problem.code().message(), {},
                          "Choose an --out folder that you may read and write.");
    }

    std::vector<std::string> names;
    for (const auto& plan : plans) names.push_back(plan.run_name);
    int status = exit_done;
    std::vector<fs::path> left_to_others;  // runs that another process is training
    bool anything_started = false;         // or finished before: the batch as a whole is sound
    const auto started = [&, marked = false]() mutable {
        anything_started = true;
        if (!std::exchange(marked, true)) mark_queued(folder, plans);
    };
    // A run.json that became unreadable meanwhile is no bad input: runs were made.
    bool tables_failed = false;  // the last time
    auto write_tables = [&, told = std::string()]() mutable -> std::vector<store::Cell> {
        tables_failed = false;
        try {
            return store::write_tables(folder, names);
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            if (std::exchange(told, problem.what()) != problem.what())
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
                say(*console, position + " is finished already");
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
            // Before the run had begun or gone on; the tables and the advice follow, where there are any. The
            // line also takes the progress bar away that they would be written over.
            std::error_code unknown;
            if (fs::exists(folder, unknown))
                say(*console, plan.run_name + ": stopped while it was being prepared");
            break;
        } catch (const std::exception& problem) {
            // Bad input of the first run is bad input of the batch; later on the other runs are worth going
            // on with.
            const auto* known = dynamic_cast<const Error*>(&problem);
            if (known != nullptr && known->kind() == ErrorKind::input && !anything_started) throw;
            const auto message = run::plain_message(problem);
            if (known != nullptr && known->kind() == ErrorKind::input &&
                store::RunLock::holder(store::RunFolder(run_folder))) {
                // Another batch, or a window, came to it first: it is that one's to train and to tell of.
                console->on_message(train::MessageLevel::warning,
                                    plan.run_name + " is passed over: " + message);
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
        say(*console, "stopped before anything was started");
        return exit_interrupted;
    }
    const auto cells = write_tables();
    if (tables_failed) status = exit_run_failed;
    for (const auto& run : left_to_others) {
        if (is_finished(run) || stop.must_stop()) continue;
        console->on_message(train::MessageLevel::warning,
                            run.filename().string() + ", left to another process, is not finished yet");
        if (status == exit_done) status = exit_run_failed;
    }
    std::printf("%s\n", store::summary_text(cells).c_str());
    std::printf("Tables and runs: %s\n", folder.string().c_str());
    // A signal that came when the last run was done stopped nothing.
    const bool all_done = std::all_of(plans.begin(), plans.end(), [&](const config::RunPlan& plan) {
        return is_finished(folder / plan.run_name);
    });
    if (stop.must_stop() && !all_done) {
        say(*console, "stopped; continue with: " + resume_command(line));
        return exit_interrupted;
    }
    return status;
}

int run_evaluation(const CommandLine& line, train::StopControl& stop) {
    auto console = make_console(line.log_format);
    const auto row =
        inspect::evaluate_checkpoint({line.target, line.data, line.out, line.sets}, *console, stop);
    console.reset();  // takes its progress bar away before the table
    std::printf("%s\n", store::results_markdown({row}).c_str());
    std::printf("Files: %s\n", (fs::path(line.out) / "evaluations" / row.run).string().c_str());
    return exit_done;
}

}  // namespace casp::batch
