#include "batch/commands.h"

#include <algorithm>
#include <string>

#include "batch/console.h"
#include "batch/tuning.h"
#include "cluster/array_job.h"
#include "evidence/paper_experiments.h"
#include "run/folder_content.h"
#include "run/preparation.h"
#include "util/error.h"
#include "util/units.h"

namespace casp::batch {

namespace {

std::string resources_text(const config::SchedulerSettings& s) {
    return counted(s.cpus, "core") + ", " + s.memory + " of memory, " +
           (s.gpus == 0 ? "no GPU" : counted(s.gpus, "GPU")) + ", time limit " +
           (s.time.empty() ? "of the partition" : s.time);
}

/// "The longest run takes up to about 3 h …"; empty: unknown, or the workers have GPUs and this machine has
/// none.
std::string longest_run(const config::Experiment& experiment, const cluster::ArrayJob& job,
                        const std::stop_token& stop) {
    const auto time_of = run_times();
    double longest = 0;
    std::string device;
    for (const auto& plan : config::expand(experiment, job.folder)) {
        if (run::folder_content(plan.folder) == run::FolderContent::complete) continue;
        device = run::device_key(plan.config.run.device);
        const auto seconds = time_of(plan.config, stop).seconds;
        if (seconds <= 0 || (job.scheduler.gpus > 0 && device == "cpu")) return {};
        longest = std::max(longest, seconds);
    }
    return "The longest run takes up to about " + duration_text(longest) + " on this machine (" + device +
           "), without early stopping.\n";
}

}  // namespace

std::string submit_text(const CommandLine& line, const std::stop_token& stop) {
    if (is_tuning(line))
        throw input_error(
            line.target,
            "the second stage of the search depends on the results of the first, and a job array "
            "is planned as a whole",
            {}, "Start caspstudio --batch paper:tuning --worker in jobs of your scheduler.");
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
    const auto longest = longest_run(submission.experiment, job, stop);
    cluster::write_array_job(job, submission, stop);
    const auto number = cluster::submit_array_job(job);
    return "Slurm job " + number + ": " + counted(job.scheduler.workers, "worker") + " for " +
           counted(job.unfinished, "unfinished run") + " of " + std::to_string(job.runs) + "; each has " +
           resources_text(job.scheduler) + ".\n" + longest + "Watch:  squeue --job " + number +
           "\nCancel: scancel " + number + " (runs keep their checkpoints; submit again to continue)\n" +
           "Script: " + job.script().string() + "\nLogs:   " + job.logs().string() + "\n";
}

}  // namespace casp::batch
