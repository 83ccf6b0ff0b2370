#include "batch/batch_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "batch/batch_items.h"
#include "batch/commands.h"
#include "batch/console.h"
#include "batch/device_workers.h"
#include "batch/processes.h"
#include "batch/sharing.h"
#include "batch/tuning.h"
#include "config/experiment.h"
#include "evidence/batch_tables.h"
#include "evidence/paper_experiments.h"
#include "inspect/checkpoint_evaluation.h"
#include "model/descriptor.h"
#include "model/trusted_files.h"
#include "run/preparation.h"
#include "run/run.h"
#include "store/folder_lock.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/shell_word.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;
using config::RunPlan;
using std::chrono::milliseconds;

/// Several runs write lines instead of redrawing one.
std::unique_ptr<Console> make_console(LogFormat format, bool several_runs = false) {
    if (format == LogFormat::json) return std::make_unique<JsonConsole>();
    return std::make_unique<TextConsole>(!several_runs && standard_error_is_terminal());
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

/// Lets the other lanes have the batch's state for as long as a run is made.
class Unlocked {
public:
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.unlock(); }
    ~Unlocked() { lock_.lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    std::unique_lock<std::mutex>& lock_;
};

/// The command that resumes this batch, with its settings: a resume requires them to be equal.
std::string resume_command(const CommandLine& line) {
    auto command = "caspstudio --batch " + shell_word(line.target);
    if (line.out != CommandLine().out) command += " --out " + shell_word(line.out);
    for (const auto& set : line.sets) command += " --set " + shell_word(set);
    if (line.part.of > 1)
        command += " --runs " + std::to_string(line.part.number) + "/" + std::to_string(line.part.of);
    return command + (line.worker ? " --worker" : " --resume");
}

/// A batch in progress: makes its runs, or this process' share of them, and writes its tables.
/// More than 25 methods: the steps of one batch, which share its runs, tables and mutex.
class Batch {
public:
    Batch(const CommandLine& line, train::StopControl& stop);
    BatchEnd run();
    void end_processes(int status) { processes_.end(status); }

private:
    void use_processes();
    void report_ended_processes() {
        for (const auto& ended : processes_.ended_children()) warn(ended);
    }
    void check_folders();
    void make_all();
    void work(train::StopControl& stop, Sharing* sharing);
    [[nodiscard]] const RunPlan* next(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] const RunPlan* next_in_order();
    [[nodiscard]] const RunPlan* next_free(std::unique_lock<std::mutex>& lock);
    void look_at_former_runs();
    void make_on_devices();
    void blame_run_of(pid_t pid, const Phrase& what);
    void skip_finished(const RunPlan& item);
    void make(const RunPlan& item, train::StopControl& stop, Sharing* sharing,
              std::unique_lock<std::mutex>& lock);
    [[nodiscard]] store::ResultRow run_alone(const RunPlan& item);
    [[nodiscard]] run::RunRequest request_of(const RunPlan& item);
    void fail(const RunPlan& item, const std::exception& problem);
    void mark_queued();
    [[nodiscard]] bool device_is_lost(const RunPlan& item);
    [[nodiscard]] std::optional<store::FolderLock> lock_tables(bool wait);
    [[nodiscard]] std::vector<store::ResultRow> rows() const;
    void write_tables(bool wait);
    void print_tables() const;
    void say(const std::string& text) { report(train::MessageLevel::info, text); }
    void warn(const std::string& text) { report(train::MessageLevel::warning, text); }
    void report(train::MessageLevel level, const std::string& text) {
        console_->report_as({}, [&] { console_->on_message(level, text); });
    }
    [[nodiscard]] bool is_shared() const {
        return line_.worker || line_.part.of > 1 || !base_.run.devices.empty();
    }
    [[nodiscard]] bool all_finished() const { return std::all_of(items_.begin(), items_.end(), is_finished); }

    const CommandLine& line_;
    train::StopControl& stop_;
    BatchProcesses processes_;
    std::unique_ptr<Console> console_;
    fs::path folder_;
    std::vector<RunPlan> sweep_;                      ///< all of it: for the tables
    std::map<std::string, store::ResultRow> shared_;  ///< finished in other batches
    std::vector<RunPlan> items_;                      ///< this process' share
    config::Config base_;

    std::mutex mutex_;              ///< the lanes': held but while a run is made; for everything below
    std::size_t position_ = 0;      ///< of the next item, in order
    std::int64_t lanes_ = 0;        ///< in work()
    std::optional<FreeRuns> free_;  ///< a worker's
    int status_ = exit_done;
    std::ptrdiff_t finished_ = 0;       ///< runs in the written tables
    bool anything_started_ = false;     ///< or already finished: the batch itself is valid
    bool stopped_early_ = false;        ///< a run was stopped before it was started or resumed
    bool queued_ = false;               ///< the other runs are marked
    std::vector<const RunPlan*> left_;  ///< in training by another process
    const RunPlan* suspect_ = nullptr;  ///< failed while it ran, perhaps because of its device
    bool tables_failed_ = false;        ///< in the last attempt
    std::string reported_;              ///< about the tables
    std::vector<store::Cell> cells_;
    std::vector<evidence::Comparison> comparisons_;
};

Batch::Batch(const CommandLine& line, train::StopControl& stop) : line_(line), stop_(stop), processes_(line) {
    const auto experiment = evidence::load_experiment(line.target, line.sets);
    base_ = experiment.base;
    console_ = make_console(line.log_format, !why_alone(base_));
    folder_ = fs::path(line.out) / base_.name;
    sweep_ = config::expand(experiment, folder_);
    for (const auto& run : sweep_) model::trust_plan(run.config);
    use_processes();
    check_together(base_, sweep_);
    for (const auto* texts : {&experiment.replaced, &experiment.notes})
        for (const auto& text : *texts) warn(text);
    auto plans = sweep_;
    shared_ = leave_out_finished(plans, line, folder_);
    for (const auto& [name, row] : shared_)
        say(name + " is finished in " + (folder_ / row.run).lexically_normal().string());
    for (std::size_t i = 0; i < sweep_.size(); ++i) {
        const bool is_ours = i % line.part.of == line.part.number - 1;
        if (is_ours && shared_.count(sweep_[i].name) == 0) items_.push_back(sweep_[i]);
    }
}

void Batch::use_processes() {
    const auto wanted = sweep_.front().config.run.processes;
    for (auto& plan : sweep_) {
        if (plan.config.run.processes != wanted)
            throw input_error("run.processes", "the runs of this batch have different numbers of processes",
                              "one number", "Take run.processes out of [sweep].");
        plan.config.run.processes = processes_.use(wanted);
    }
    if (sweep_.front().config.run.processes > 1 && !base_.run.devices.empty())
        throw input_error("run.processes", "run.devices trains each run in one process on one device",
                          "one of the two settings",
                          "Leave run.devices out: the processes of a run take one GPU each.");
}

/// Checks all folders before anything starts.
void Batch::check_folders() {
    DataDigests digests;
    for (const auto& item : items_) {
        store::RunFolder(item.folder).check_no_links();
        const auto content = run::folder_content(item.folder);
        // First, so that a run in training is not reported as unfinished. Workers leave it to its process.
        if (content != run::FolderContent::complete && !line_.worker)
            store::RunLock::check_free(store::RunFolder(item.folder));
        switch (content) {
            case run::FolderContent::empty:
                break;
            case run::FolderContent::complete:
                run::check_finished_run(item.folder, item.config, digests.of(item.config));
                break;
            case run::FolderContent::resumable:
            case run::FolderContent::started:
                if (!line_.resume && !line_.worker)
                    throw input_error(item.folder.string(), "the folder contains an unfinished run",
                                      "a finished run, or an empty folder",
                                      "Continue it with --resume, or choose another name or --out folder.");
        }
    }
}

void Batch::mark_queued() {
    if (std::exchange(queued_, true)) return;
    const auto one_at_a_time = lock_tables(true);
    for (const auto& item : items_) {
        try {
            run::mark_queued(item);
        } catch (const Error& problem) {
            // Problems with its files are reported when this run starts.
            if (problem.kind() != ErrorKind::input) throw;
        }
    }
}

void Batch::skip_finished(const RunPlan& item) {
    static_cast<void>(run::finished_row(item));  // its run.json may be lost
    say("run " + std::to_string(*item.position + 1) + " of " + std::to_string(sweep_.size()) + ": " +
        item.name + " is already finished");
    run::clear_up_finished(item.folder, item.config.run.keep_last);
    for (const auto& lost : run::lost_files(item)) warn(lost);
    anything_started_ = true;
}

void Batch::fail(const RunPlan& item, const std::exception& problem) {
    const auto message = casp::plain_message(problem);
    warn(item.name + " failed: " + message);
    processes_.renew();
    run::mark_failed(item, message);
    queued_ = false;  // now there is a batch folder
    mark_queued();
    anything_started_ = true;
    status_ = exit_run_failed;
}

run::RunRequest Batch::request_of(const RunPlan& item) {
    const auto started = [this] {
        const std::scoped_lock lock(mutex_);
        anything_started_ = true;
        mark_queued();
    };
    return {item, line_.resume || line_.worker, started};
}

store::ResultRow Batch::run_alone(const RunPlan& item) {
    auto request = request_of(item);
    if (model::capabilities(item.config).trains) request.processes = processes_.connect();
    stop_.forget_finish_early();
    return run::run(request, *console_, stop_);
}

/// With the lanes' lock, which is released while the run is made.
void Batch::make(const RunPlan& item, train::StopControl& stop, Sharing* sharing,
                 std::unique_lock<std::mutex>& lock) {
    say("run " + std::to_string(*item.position + 1) + " of " + std::to_string(sweep_.size()) + ": " +
        item.name);
    try {
        const auto row = [&] {
            const Unlocked unlocked(lock);
            return sharing != nullptr ? sharing->run(request_of(item), stop, stop_) : run_alone(item);
        }();
        anything_started_ = true;
        if (!store::is_complete(row.state)) status_ = exit_interrupted;
        report_ended_processes();
    } catch (const train::ProcessLost& loss) {
        // Before the first step.
        warn(item.name + ": " + loss.what());
        report_ended_processes();
        stop_.ask(train::StopRequest::interrupt);
        status_ = exit_interrupted;
        stopped_early_ = true;
        return;
    } catch (const Cancelled&) {
        // Before the run was started or resumed. The line also clears the progress bar, which the tables and
        // the advice would overwrite.
        std::error_code unknown;
        if (fs::exists(folder_, unknown)) say(item.name + ": stopped during preparation");
        status_ = exit_interrupted;
        stopped_early_ = stopped_early_ || stop_.must_stop();  // else only this run is cancelled
        return;
    } catch (const store::TakenOver& problem) {
        warn(problem.what());
        if (free_) free_->put_back(item);
    } catch (const std::exception& problem) {
        // Bad input of the first run is bad input of the batch; later, the other runs are still worth
        // running.
        const auto* known = dynamic_cast<const Error*>(&problem);
        const bool input = known != nullptr && known->kind() == ErrorKind::input;
        const bool held = dynamic_cast<const store::HeldError*>(&problem) != nullptr;
        if (free_ && held) return free_->put_back(item);
        if (input && !anything_started_) throw;
        if (input && (held || store::FolderLock::holder(item.folder))) {
            // Another batch or window has started this run, and reports it.
            warn(item.name + " is skipped: " + problem.what());
            left_.push_back(&item);
        } else {
            if (!input) suspect_ = &item;
            fail(item, problem);
        }
    }
    write_tables(false);
}

/// After a failure: a device that does not answer would fail every run it is given.
bool Batch::device_is_lost(const RunPlan& item) {
    if (suspect_ != &item) return false;
    const auto problem = run::silent_device(item.config.run.device);
    if (problem.empty()) return false;
    warn("the device does not answer any more (" + problem +
         "): its other runs are not started here; continue with: " + resume_command(line_));
    status_ = exit_run_failed;
    return true;
}

/// The next run, in the order of the sweep.
const RunPlan* Batch::next_in_order() {
    while (position_ < items_.size() && !stop_.must_stop()) {
        const auto& item = items_[position_++];
        try {
            if (run::folder_content(item.folder) != run::FolderContent::complete) return &item;
            skip_finished(item);
            write_tables(false);
        } catch (const Error& problem) {
            if (problem.kind() == ErrorKind::input && !anything_started_) throw;
            fail(item, problem);
        }
    }
    return nullptr;
}

/// A worker's next run. Runs of a process that may be dead are watched until this is known.
const RunPlan* Batch::next_free(std::unique_lock<std::mutex>& lock) {
    while (!stop_.must_stop() && !stopped_early_) {
        if (const auto* item = free_->take()) {
            // With the folder, its lock is taken first: others need not read data and model in vain.
            std::error_code unknown;
            if (fs::exists(folder_, unknown)) store::RunFolder(item->folder).create();
            return item;
        }
        if (!free_->may_be_left()) return nullptr;
        const Unlocked unlocked(lock);
        std::this_thread::sleep_for(milliseconds(500));
    }
    return nullptr;
}

/// The next run for this process; null: none is left, or the batch stops.
const RunPlan* Batch::next(std::unique_lock<std::mutex>& lock) {
    if (stop_.must_stop() || stopped_early_) return nullptr;
    return free_ ? next_free(lock) : next_in_order();
}

void Batch::work(train::StopControl& stop, Sharing* sharing) {
    std::unique_lock lock(mutex_);
    ++lanes_;
    while (const auto* item = next(lock)) {
        make(*item, stop, sharing, lock);
        if (device_is_lost(*item)) stopped_early_ = true;
        if (sharing != nullptr && lanes_ > sharing->wanted()) break;  // others make the runs that are left
    }
    --lanes_;
}

/// A worker first skips what is finished, and notes what had failed.
void Batch::look_at_former_runs() {
    std::set<const RunPlan*> failed;
    for (const auto& item : items_) {
        if (is_finished(item))
            skip_finished(item);
        else if (has_failed(item))
            failed.insert(&item);
    }
    free_.emplace(items_, std::move(failed));
}

void Batch::make_all() {
    if (line_.worker) look_at_former_runs();
    if (const auto reason = why_alone(base_)) {
        if (!reason->empty()) say(*reason);
        return work(stop_, nullptr);
    }
    Sharing sharing(base_, std::count_if(items_.begin(), items_.end(), std::not_fn(is_finished)), *console_);
    const auto others_may_begin = [this] {
        const std::scoped_lock lock(mutex_);
        return anything_started_;  // else bad input would be reported by each of them
    };
    work_in_lanes(sharing.wanted(), stop_, others_may_begin, [&](train::StopControl& own) {
        own.take_turns(sharing.turns());
        work(own, &sharing);
    });
}

void Batch::make_on_devices() {
    status_ = work_on_devices(line_, base_, *console_, stop_,
                              [this](pid_t pid, const std::string& what) { blame_run_of(pid, what); });
}

/// The run that a killed worker was making fails; otherwise it might kill one worker after the other.
void Batch::blame_run_of(pid_t pid, const Phrase& what) {
    warn(what);
    for (const auto& item : items_) {
        const store::RunFolder folder(item.folder);
        if (store::FolderLock::last_process(item.folder) != pid || is_finished(item)) continue;
        try {
            const store::RunLock lock(folder, run::lock_rule(base_, false));
            auto status =
                store::read_run_status(folder).value_or(store::RunStatus{run::queued_row(item), {}, {}});
            status.row.state = store::RunState::failed;
            status.message = what;
            store::write_run_status(folder, status);
            warn(item.name + " failed: " + what);
        } catch (const Error& problem) {
            warn(problem.what());  // another worker has taken it over
        }
    }
}

/// Several processes write the tables of a shared folder, one at a time. Nothing if another one does, or
/// (after waiting) does not end.
std::optional<store::FolderLock> Batch::lock_tables(bool wait) {
    std::error_code unknown;
    if (!is_shared() || !fs::exists(folder_, unknown)) return std::nullopt;
    constexpr milliseconds pause(50);
    constexpr milliseconds longest(300'000), longest_when_stopped(5'000);
    for (milliseconds waited(0);; waited += pause) {
        try {
            return store::FolderLock(folder_, run::lock_rule(base_));
        } catch (const store::HeldError&) {
            if (!wait || waited > (stop_.must_stop() ? longest_when_stopped : longest)) return std::nullopt;
        }
        std::this_thread::sleep_for(pause);
    }
}

/// Rows of the batch's own runs and of those that other batches have finished, in the order of the sweep.
std::vector<store::ResultRow> Batch::rows() const {
    std::vector<store::ResultRow> rows;
    for (const auto& plan : sweep_)
        if (const auto other = shared_.find(plan.name); other != shared_.end())
            rows.push_back(other->second);
        else
            for (auto& row : store::collect_rows(folder_, {plan.name})) rows.push_back(std::move(row));
    return rows;
}

/// A run.json that became unreadable meanwhile is not bad input, because runs were made.
void Batch::write_tables(bool wait) {
    tables_failed_ = false;
    if (line_.no_tables) return;
    try {
        std::error_code reported_below;
        if (!shared_.empty()) fs::create_directories(folder_, reported_below);  // perhaps without own runs
        const auto lock = lock_tables(wait);
        if (is_shared() && !lock && !wait) return;  // whoever holds it, or ends last, writes them
        const auto all = rows();
        finished_ = std::count_if(all.begin(), all.end(),
                                  [](const store::ResultRow& row) { return store::is_complete(row.state); });
        auto tables = evidence::write_batch_tables(folder_, all);
        comparisons_ = std::move(tables.comparisons);
        cells_ = std::move(tables.cells);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        if (std::exchange(reported_, problem.what()) != problem.what())
            warn(std::string("the tables could not be written: ") + problem.what());
        tables_failed_ = true;
        cells_.clear();
    }
}

void Batch::print_tables() const {
    std::printf("%s\n", store::summary_text(cells_).c_str());
    auto comparisons = comparisons_;
    // The files have the other metrics.
    if (!comparisons.empty())
        std::erase_if(comparisons, [main = comparisons.front().metric](const auto& comparison) {
            return comparison.metric != main;
        });
    if (!comparisons.empty()) std::printf("%s\n", evidence::comparisons_text(comparisons).c_str());
    if (is_shared() && finished_ < std::ssize(sweep_))
        std::printf("Finished: %td of %zu runs\n", finished_, sweep_.size());
    std::printf("Tables and runs: %s\n", folder_.string().c_str());
}

BatchEnd Batch::run() {
    try {
        check_folders();
    } catch (const fs::filesystem_error& problem) {
        throw input_error(problem.path1().string(), problem.code().message(), {},
                          "Choose an --out folder with read and write permission.");
    }
    if (!base_.run.devices.empty())
        make_on_devices();
    else
        make_all();
    if (status_ == exit_bad_input) return {exit_bad_input, false};

    std::error_code unknown;
    if (stop_.must_stop() && !fs::exists(folder_, unknown)) {
        say("stopped before the first run started");
        return {exit_interrupted, false};
    }
    write_tables(true);
    if (tables_failed_) status_ = exit_run_failed;
    for (const auto* item : left_) {
        if (is_finished(*item) || stop_.must_stop() || line_.worker) continue;
        warn(item->name + ", run by another process, is not finished yet");
        if (status_ == exit_done) status_ = exit_run_failed;
    }
    if (!line_.no_tables) print_tables();
    // A signal after the end of the last run has stopped nothing.
    const bool complete = all_finished();
    if ((stop_.must_stop() || status_ == exit_interrupted) && !complete) {
        // A worker of --submit: on the node it is continued by the next one, or by the job when it is
        // requeued.
        const bool submitted = line_.worker && std::getenv("SLURM_ARRAY_JOB_ID") != nullptr;
        say(submitted ? "stopped; submit again to continue, unless the job is requeued"
                      : "stopped; resume with: " + resume_command(line_));
        return {exit_interrupted, false};
    }
    return {status_, complete};
}

}  // namespace

BatchEnd run_batch(const CommandLine& line, train::StopControl& stop) {
    return is_tuning(line) ? run_tuning(line, stop) : run_one_batch(line, stop);
}

BatchEnd run_one_batch(const CommandLine& line, train::StopControl& stop) {
    Batch batch(line, stop);
    const auto end = batch.run();
    batch.end_processes(end.status);
    return end;
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
