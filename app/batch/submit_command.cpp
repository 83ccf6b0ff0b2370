#include "batch/submit_command.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "batch/console.h"
#include "batch/run_times.h"
#include "cluster/array_job.h"
#include "cluster/slurm_client.h"
#include "evidence/paper_experiments.h"
#include "util/error.h"
#include "util/units.h"

namespace casp::batch {

namespace {

std::string counted(std::int64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string resources_text(const config::SchedulerSettings& s) {
    return counted(s.cpus, "core") + ", " + s.memory + " of memory, " +
           (s.gpus == 0 ? "no GPU" : counted(s.gpus, "GPU")) + ", time limit " +
           (s.time.empty() ? "of the partition" : cluster::limit_text(s.time));
}

/// What the user should know before the submission: one sentence each.
std::vector<std::string> warnings_of(const cluster::ArrayJob& job, const config::Config& base,
                                     const std::stop_token& stop) {
    std::vector<std::string> warnings;
    if (base.run.device.starts_with("cuda") && job.scheduler.gpus == 0)
        warnings.push_back("workers get no GPU (scheduler.gpus = 0), but run.device is \"" + base.run.device +
                           "\"");
    for (const auto& [number, state] : cluster::open_arrays(job.folder, stop))
        warnings.push_back(
            (state ? cluster::state_text(number, *state) : "Slurm job " + number + ": state unknown") +
            "; its workers take the same runs (cancel it with: scancel " + number + ")");
    return warnings;
}

/// "The longest run takes up to about 3 h …"; empty: unknown.
std::string longest_run(const config::Experiment& experiment, const std::stop_token& stop) {
    RunTimes times;
    double longest = 0;
    for (const auto& plan : config::expand(experiment))
        longest = std::max(longest, times.of(plan.config, stop).seconds);
    if (longest <= 0) return {};
    return "The longest run takes up to about " + duration_text(longest) +
           " on this machine with all of its cores, without early stopping.\n";
}

}  // namespace

std::string submit_text(const CommandLine& line, const std::stop_token& stop) {
    if (const auto problem = cluster::why_no_slurm(); !line.print && !problem.empty())
        throw input_error("--submit", problem, "a login node of the cluster",
                          "Run this there, or write the script with --print.");
    const cluster::Submission submission{.experiment = evidence::load_experiment(line.target, line.sets),
                                         .target = line.target,
                                         .sets = line.sets,
                                         .out = line.out};
    for (const auto* texts : {&submission.experiment.replaced, &submission.experiment.notes})
        print_warnings(line.log_format, *texts);
    const auto job = cluster::plan_array_job(submission, stop);
    if (line.print) return cluster::slurm_script(job);
    if (job.unfinished == 0)
        return "Nothing to submit: " + counted(job.runs, "run") + " finished in " + job.folder.string();
    print_warnings(line.log_format, warnings_of(job, submission.experiment.base, stop));
    const auto longest = longest_run(submission.experiment, stop);
    cluster::write_array_job(job, submission);
    const auto submitted = cluster::submit_array_job(job);
    return "Slurm job " + submitted.job + ": " + counted(submitted.workers, "worker") + " for " +
           counted(job.unfinished, "unfinished run") + " of " + std::to_string(job.runs) + "; each has " +
           resources_text(job.scheduler) + ".\n" + longest + "Watch:  squeue --job " + submitted.job +
           "\nCancel: scancel " + submitted.job +
           " (runs keep their checkpoints; submit again to continue)\n" + "Script: " + job.script().string() +
           "\nLogs:   " + job.logs().string() + "\n";
}

}  // namespace casp::batch
