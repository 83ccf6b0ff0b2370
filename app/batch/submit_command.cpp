#include "batch/submit_command.h"

#include <cstdint>
#include <optional>

#include "batch/console.h"
#include "cluster/array_job.h"
#include "cluster/slurm_client.h"
#include "evidence/paper_experiments.h"
#include "util/error.h"

namespace casp::batch {

namespace {

std::string counted(std::int64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string resources_text(const config::SchedulerSettings& s) {
    return counted(s.cpus, "core") + ", " + s.memory + " of memory, " +
           (s.gpus == 0 ? "no GPU" : counted(s.gpus, "GPU")) + ", time limit " +
           (s.time.empty() ? "of the partition" : s.time);
}

/// A job array of the same batch that has not ended; workers of both share the runs.
std::optional<std::string> open_array(const cluster::ArrayJob& job, const std::stop_token& stop) {
    const auto before = cluster::submitted_job(job.folder);
    if (!before) return std::nullopt;
    const auto state = cluster::array_state(before->job, stop);
    if (!state || !state->is_open()) return std::nullopt;
    return cluster::state_text(before->job, *state);
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
    if (const auto other = open_array(job, stop))
        print_warnings(line.log_format,
                       {"this batch has another job array, whose workers take the same runs: " + *other});
    cluster::write_array_job(job, submission);
    const auto submitted = cluster::submit_array_job(job);
    return "Slurm job " + submitted.job + ": " + counted(submitted.workers, "worker") + " for " +
           counted(job.unfinished, "unfinished run") + " of " + std::to_string(job.runs) + "; each has " +
           resources_text(job.scheduler) + ".\n" + "Watch:  squeue --job " + submitted.job +
           "\nCancel: scancel " + submitted.job +
           " (runs keep their checkpoints; submit again to continue)\n" + "Script: " + job.script().string() +
           "\nLogs:   " + job.logs().string() + "\n";
}

}  // namespace casp::batch
