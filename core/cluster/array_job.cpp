#include "cluster/array_job.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "data/catalog.h"
#include "data/preset_data.h"
#include "evidence/paper_experiments.h"
#include "model/descriptor.h"
#include "model/gpt2_weights.h"
#include "run/folder_content.h"
#include "run/preparation.h"
#include "run/preview.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/new_folders.h"
#include "util/process.h"
#include "util/shell_word.h"
#include "util/whole_path.h"

namespace casp::cluster {

namespace {

constexpr std::chrono::seconds answer_limit{30};
constexpr const char* when_slurm_is_down =
    "Slurm's controller may be down: try sinfo in a terminal, then try again.";

/// The last line of a failed command without "sbatch: error: ", which says what was wrong.
Phrase reason_of(const ProcessResult& failed) {
    std::istringstream lines(failed.errors + failed.output);
    std::string reason;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) reason = line;
    if (reason.empty()) return Phrase("it ended with status %1 without a message", failed.status);
    constexpr std::string_view mark = "error: ";
    const auto at = reason.find(mark);
    return at == std::string::npos ? reason : reason.substr(at + mark.size());
}

/// @WORD@ is replaced. The traps come before anything that takes time: without one, a signal ends the shell.
constexpr std::string_view script_template = R"sh(#!/bin/bash
# Workers for the experiment @EXPERIMENT@, written by caspstudio --submit. It may be changed and submitted
# with sbatch; the folder @LOGS@ for the logs must exist.
@OPTIONS@
export OMP_NUM_THREADS=$((SLURM_CPUS_PER_TASK / @PROCESSES@))

echo "Job ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID} on $(hostname), $(date)"

# Each of these signals makes the worker save a checkpoint and end with status 130. USR1 comes some time before
# the limit; TERM with scancel, preemption and the limit. TERM is passed on as HUP: some clusters send TERM to
# the worker as well, and a second TERM would end it at once.
near_limit=no
cancelled=no
worker=
trap 'near_limit=yes; [ -z "$worker" ] || kill -USR1 "$worker"' USR1
trap 'near_limit=no; cancelled=yes; [ -z "$worker" ] || kill -HUP "$worker"' TERM

@SETUP@
[ -x @PROGRAM@ ] || {
    echo @PROGRAM@" is not on $(hostname). Nodes must see the program, the data and --out under the same paths." >&2
    exit 1
}

# What has been reached: the last checkpoint of each run, and the finished runs.
reached() {
    grep -s . /dev/null ./*/last/current
    grep -ls '"state": "finished' ./*/run.json
}
reached_before=$(reached)

@WORKER@ &
worker=$!
# For a signal that came before: as soon as the worker handles it.
[ "$near_limit" = no ] || { sleep 1; kill -USR1 "$worker"; }
[ "$cancelled" = no ] || { sleep 1; kill -HUP "$worker"; }
while kill -0 "$worker" 2>/dev/null; do wait "$worker"; done
wait "$worker"
status=$?

# Work that is left at the time limit is continued by the same job, unless nothing was reached this time.
requeue=@REQUEUE@
if [ "$requeue" = yes ] && [ "$status" -eq 130 ] && [ "$near_limit" = yes ]; then
    if [ "$(reached)" = "$reached_before" ]; then
        echo "Not requeued: no run got as far as another checkpoint. Raise scheduler.time (--time)." >&2
        exit 1
    fi
    echo "Requeued at $(date)."
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$status"
)sh";

/// A value in an #SBATCH line. sbatch takes '#' for the beginning of a comment, and splits at spaces.
std::string sbatch_word(const std::string& text) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("_-+=:,./%@").find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return quoted + "\"";
}

/// sbatch replaces %A, %a, … in names of logs.
std::string with_doubled_percents(const std::string& text) {
    std::string doubled;
    for (const char c : text) doubled.append(c == '%' ? 2 : 1, c);
    return doubled;
}

std::string options_of(const ArrayJob& job) {
    const auto& s = job.scheduler;
    const std::pair<const char*, std::string> values[] = {
        {"--job-name", s.name},
        {"--array", "1-" + std::to_string(s.workers)},
        {"--partition", s.partition},
        {"--account", s.account},
        {"--qos", s.qos},
        {"--time", s.time},
        {"--nodes", "1"},
        {"--ntasks", "1"},
        {"--cpus-per-task", std::to_string(s.cpus)},
        {"--mem", s.memory},
        {"--gres", s.gpus > 0 ? "gpu:" + std::to_string(s.gpus) : ""},
        {"--signal", "B:USR1@" + std::to_string(s.signal_seconds)},
        {"--chdir", job.folder.string()},
        {"--output", with_doubled_percents(job.logs().string()) + "/%A_%a.out"},
        {"--open-mode", "append"}};
    std::string lines = std::string("#SBATCH ") + (s.requeue ? "--requeue" : "--no-requeue") + "\n";
    for (const auto& [option, value] : values)
        if (!value.empty()) lines += std::string("#SBATCH ") + option + "=" + sbatch_word(value) + "\n";
    for (const auto& option : s.extra) lines += "#SBATCH " + option + "\n";
    return lines;
}

std::string worker_command(const ArrayJob& job) {
    auto command = shell_word(job.program.string());
    for (const auto& word : job.worker_options) (command += ' ') += shell_word(word);
    return Phrase("%1 --out %2 --worker", command, shell_word(job.out.string()));
}

namespace fs = std::filesystem;

constexpr std::int64_t max_workers = 16;  // without scheduler.workers
constexpr std::int64_t usual_cpus = 4;
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double min_gpu_gibibytes = 8;

/// Bytes of memory for the run's steps and data.
double bytes_of(const config::Config& config, const data::FileFacts& facts, bool on_gpu) {
    run::Machine device;
    device.device = on_gpu ? "cuda" : "cpu";
    const auto preview = run::preview(config, facts, device);
    // On a GPU, weights pass through this memory when they are read and saved.
    const auto model = on_gpu ? static_cast<double>(preview.parameters_total) * 3 * sizeof(float)
                              : static_cast<double>(preview.step_bytes);
    return model + static_cast<double>(facts.rows) * static_cast<double>(facts.channels) *
                       static_cast<double>(run::bytes_per_value);
}

/// The runs, checked as a worker would. Throws input Errors.
struct CheckedRuns {
    std::int64_t unfinished = 0, processes = 1, together = 1, threads = 0;
    bool is_auto_together = false;
    double bytes = 0;  ///< largest of a run
};

CheckedRuns checked_runs(const std::vector<config::RunPlan>& plans, bool on_gpu,
                         const std::stop_token& stop) {
    CheckedRuns all;
    for (const auto& plan : plans) {
        const auto& config = plan.config;
        throw_if_stopped(stop);
        const auto facts = data::read_facts(config, stop);
        all.bytes = std::max(all.bytes, bytes_of(config, facts, on_gpu));
        all.processes = std::max(all.processes, config.run.processes);
        all.together = std::max(all.together, config.run.together);
        all.is_auto_together = all.is_auto_together || config.run.together == 0;
        all.threads = std::max(all.threads, config.run.threads);
        const auto& path = plan.folder;
        store::RunFolder(path).check_no_links();
        const auto content = run::folder_content(path);
        if (content == run::FolderContent::complete) {
            run::check_finished_run(path, config, facts.sha256);
            continue;
        }
        if (content == run::FolderContent::started) run::check_started_run(path, config, facts.sha256);
        if (model::reads_backbone_file(config))
            static_cast<void>(model::find_backbone_file(config.backbone.path));
        ++all.unfinished;
    }
    return all;
}

/// GPUs that a worker uses: those of run.devices, or one if run.device is a GPU.
std::int64_t gpus_of(const std::vector<config::RunPlan>& plans, const std::vector<std::string>& devices) {
    const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
    std::set<std::string> gpus;
    std::copy_if(devices.begin(), devices.end(), std::inserter(gpus, gpus.end()), is_gpu);
    const bool one = devices.empty() && std::any_of(plans.begin(), plans.end(), [&](const auto& plan) {
                         return is_gpu(plan.config.run.device);
                     });
    return one ? 1 : std::ssize(gpus);
}

/// Replaces automatic settings. `processes`: that a worker starts.
void resolve(config::SchedulerSettings& settings, const std::string& experiment, const CheckedRuns& runs,
             std::int64_t processes) {
    auto together = runs.together;
    // "auto": as many as the cores that were asked for have room for. On a GPU the measured number is not
    // known before.
    if (runs.is_auto_together && settings.gpus == 0 && runs.threads > 0)
        together = std::clamp<std::int64_t>(settings.cpus / runs.threads, 1,
                                            std::max<std::int64_t>(runs.unfinished, 1));
    if (settings.name.empty()) settings.name = experiment;
    if (settings.workers == 0) settings.workers = std::clamp<std::int64_t>(runs.unfinished, 1, max_workers);
    if (settings.cpus == 0)  // without threads, runs together take turns
        settings.cpus = (runs.threads == 0 ? usual_cpus : runs.threads * together) * processes;
    if (settings.memory == "auto") {
        auto gibibytes = std::ceil((runs.bytes * 1.2 * static_cast<double>(together) / gibibyte + 1) *
                                   static_cast<double>(processes));
        if (settings.gpus > 0) gibibytes = std::max(gibibytes, min_gpu_gibibytes);
        settings.memory = std::to_string(static_cast<std::int64_t>(gibibytes)) + "G";
    }
}

/// Its file is in the program, and after the runs a table is made.
bool is_shipped(const Submission& submission) { return evidence::is_shipped_target(submission.target); }

std::vector<std::string> copied_experiment(const ArrayJob& job) {
    return {"--batch", job.settings().string()};
}

/// With absolute paths: workers start in the batch folder.
std::vector<std::string> original_experiment(const Submission& submission) {
    std::vector<std::string> options{
        "--batch", is_shipped(submission) ? submission.target : whole_path(submission.target).string()};
    const auto add_set = [&](const std::string& set) { options.insert(options.end(), {"--set", set}); };
    for (const auto& assignment : submission.experiment.sets)
        add_set(assignment.key + "=" + config::to_toml(assignment.value));
    for (const auto& set : submission.sets)
        if (set.starts_with("sweep.")) add_set(set);
    return options;
}

/// The text of the workers' copy. They need no [scheduler].
std::string copy_of(config::Experiment experiment) {
    experiment.scheduler.clear();
    return config::to_toml(experiment);
}

/// Workers read the copy when they start, not when they are submitted.
void check_waiting_jobs(const ArrayJob& job, const std::string& copy, const std::stop_token& stop) {
    std::error_code unknown;
    if (!why_no_slurm().empty() || !fs::exists(job.settings(), unknown) ||
        store::read_small_file(job.settings()) == copy)
        return;
    const auto jobs = jobs_of(job.folder);
    if (jobs.empty()) return;
    if (const auto state = array_state(jobs, stop); !state.empty())
        throw input_error(job.folder.string(),
                          Phrase("%1, and its workers would take over other settings or runs", state), {},
                          Phrase("Cancel it (scancel %1), or give the experiment another name.", jobs));
}

}  // namespace

std::string slurm_script(const ArrayJob& job) {
    if (job.folder.string().find_first_of("\"\\\n\r") != std::string::npos)
        throw input_error(job.folder.string(), "the path has a quotation mark, a backslash or a line break",
                          "a path that sbatch can read", "Choose another --out folder.");
    std::string setup;
    for (const auto& line : job.scheduler.setup) setup += line + "\n";
    const std::pair<std::string_view, std::string> words[] = {
        {"EXPERIMENT", job.experiment},
        {"LOGS", job.logs().string()},
        {"OPTIONS", options_of(job)},
        {"PROCESSES", std::to_string(job.processes)},
        {"SETUP", setup},
        {"PROGRAM", shell_word(job.program.string())},
        {"WORKER", worker_command(job)},
        {"REQUEUE", job.scheduler.requeue ? "yes" : "no"}};
    std::string text;
    std::string_view rest = script_template;
    for (std::size_t at = 0; (at = rest.find('@')) != std::string_view::npos;) {
        const auto end = rest.find('@', at + 1);
        const auto* const word = std::find_if(std::begin(words), std::end(words), [&](const auto& one) {
            return one.first == rest.substr(at + 1, end - at - 1);
        });
        text.append(rest.substr(0, at)).append(word->second);
        rest.remove_prefix(end + 1);
    }
    return text.append(rest);
}

Phrase why_no_slurm() {
    return find_program("sbatch") ? std::string() : "Slurm's sbatch is not on this machine";
}

std::string submit(const std::filesystem::path& script) {
    const auto result = run_process({"sbatch", "--parsable", script.string()}, answer_limit);
    const auto job = result.output.substr(0, result.output.find_first_of(";\n"));  // JOB;CLUSTER
    if (result.status != 0 || job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
        throw input_error(
            script.string(), Phrase("sbatch did not accept it: %1", reason_of(result)), {},
            "Change the settings ([scheduler] in the experiment's file), or the script itself.");
    return job;
}

std::string array_state(const std::string& job, const std::stop_token& stop) {
    const auto queued = run_process({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%T|%r"},
                                    answer_limit, stop);
    if (queued.status == 0) return state_text(job, queued.output);
    // squeue forgets jobs some minutes after their end.
    if (queued.errors.find("Invalid job id") != std::string::npos) return {};
    throw run_error("squeue", reason_of(queued), {}, when_slurm_is_down);
}

Phrase state_text(const std::string& job, std::string_view lines) {
    std::int64_t pending = 0, running = 0;
    Phrase reason;  // why the first pending task waits
    std::istringstream stream{std::string(lines)};
    for (std::string line; std::getline(stream, line);) {
        const auto bar = line.find('|');
        const auto state = line.substr(0, bar);
        if (state == "RUNNING" || state == "COMPLETING") {
            ++running;
        } else if (!state.empty()) {
            ++pending;
            const auto why = bar == std::string::npos ? "None" : line.substr(bar + 1);
            if (reason.empty() && why != "None") reason = " (" + why + ")";
        }
    }
    const auto waiting = Phrase("%1 pending%2", pending, reason);
    const auto active = Phrase("%1 running", running);
    if (pending + running == 0) return {};
    return running == 0   ? Phrase("Slurm job %1: %2", job, waiting)
           : pending == 0 ? Phrase("Slurm job %1: %2", job, active)
                          : Phrase("Slurm job %1: %2, %3", job, waiting, active);
}

ArrayJob plan_array_job(const Submission& submission, const std::stop_token& stop) {
    const auto& experiment = submission.experiment;
    ArrayJob job;
    job.scheduler = config::scheduler_settings(experiment.scheduler);
    job.experiment = experiment.base.name;
    job.program = program_path();
    job.out = whole_path(submission.out);
    job.folder = job.out / job.experiment;
    const auto plans = config::expand(experiment, job.folder);
    job.runs = std::ssize(plans);
    if (job.scheduler.gpus < 0) job.scheduler.gpus = gpus_of(plans, experiment.base.run.devices);
    const auto runs = checked_runs(plans, job.scheduler.gpus > 0, stop);
    job.unfinished = runs.unfinished;
    // Of each run, or of a run on each device.
    job.processes = runs.processes * std::max<std::int64_t>(1, std::ssize(experiment.base.run.devices));
    resolve(job.scheduler, job.experiment, runs, job.processes);
    job.worker_options = submission.target.empty() ? copied_experiment(job) : original_experiment(submission);
    return job;
}

void write_array_job(ArrayJob job, const Submission& submission, const std::stop_token& stop) {
    const bool has_copy = !is_shipped(submission);
    const auto copy = copy_of(submission.experiment);
    if (has_copy) {
        job.worker_options = copied_experiment(job);
        check_waiting_jobs(job, copy, stop);
    }
    const auto script = slurm_script(job);
    NewFolders made(job.logs());
    if (has_copy) store::write_file_atomically(job.settings(), copy);
    store::write_file_atomically(job.script(), script);
    made.keep();
}

std::string submit_array_job(const ArrayJob& job) {
    const auto before = jobs_of(job.folder);
    auto number = submit(job.script());
    const nlohmann::ordered_json record{{"scheduler", "slurm"},
                                        {"jobs", (before.empty() ? "" : before + ",") + number},
                                        {"submitted", store::utc_now()}};
    store::write_file_atomically(job.folder / "submit.json", record.dump(2) + "\n");
    return number;
}

std::string jobs_of(const fs::path& batch_folder) {
    constexpr std::size_t most = 10'000;
    try {
        const auto record =
            nlohmann::json::parse(store::read_small_file(batch_folder / "submit.json", 2 * most));
        // "job": of version 1.0.
        auto jobs = record.value("jobs", record.value("job", std::string()));
        // They become an argument of squeue.
        return jobs.size() <= most && jobs.find_first_not_of("0123456789,") == std::string::npos ? jobs : "";
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace casp::cluster
