#pragma once
// An experiment as a Slurm job array: checked, written to its batch folder, submitted.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.h"
#include "config/scheduler.h"
#include "util/phrase.h"

namespace casp::cluster {

// The batch script of a Slurm job array whose tasks are workers of one experiment. Pure.

/// A job array. All paths are absolute.
struct ArrayJob {
    config::SchedulerSettings scheduler;      ///< without automatic values
    std::string experiment;                   ///< its name
    std::int64_t runs = 0;                    ///< of the experiment
    std::int64_t unfinished = 0;              ///< of these
    std::int64_t processes = 1;               ///< that a worker starts, and that share its cores
    std::filesystem::path program;            ///< caspstudio
    std::filesystem::path out;                ///< --out
    std::filesystem::path folder;             ///< batch folder: out / experiment
    std::vector<std::string> worker_options;  ///< experiment and settings: "--batch", "…/submit.toml", …

    [[nodiscard]] std::filesystem::path script() const { return folder / "submit.slurm"; }
    [[nodiscard]] std::filesystem::path settings() const { return folder / "submit.toml"; }
    [[nodiscard]] std::filesystem::path logs() const { return folder / "slurm"; }
};

/// The text for sbatch: options of sbatch, scheduler.setup, then a worker.
///
/// The shell stays and passes signals on, because what it does afterwards depends on them: a worker that
/// saved its checkpoint for the time limit (USR1; status 130) is requeued, unless no checkpoint and no
/// finished run has been added since the job was started, which would repeat forever. Throws an input Error
/// if the path of the folder has a character that sbatch cannot read.
[[nodiscard]] std::string slurm_script(const ArrayJob& job);

// Slurm's commands: sbatch and squeue. Every function blocks, at most for some seconds; thread-safe.

/// Why jobs cannot be submitted from this machine ("sbatch is not on this machine"); empty: they can.
[[nodiscard]] Phrase why_no_slurm();

/// Submits a script and returns the job's number. Throws an input Error with sbatch's reason, or
/// if there is none.
std::string submit(const std::filesystem::path& script);

/// "Slurm job 7: 2 pending (Resources), 3 running", of the tasks that have not ended; empty: all have. Throws
/// a run Error if Slurm does not answer, and Cancelled.
[[nodiscard]] std::string array_state(const std::string& job, const std::stop_token& stop = {});

/// The same from lines "STATE|REASON" (squeue --format=%T|%r).
[[nodiscard]] Phrase state_text(const std::string& job, std::string_view lines);

/// What to submit, and where its runs go.
struct Submission {
    config::Experiment experiment;
    std::string target = {};             ///< FILE.toml or paper:NAME; empty: the window's form
    std::vector<std::string> sets = {};  ///< arguments of --set
    std::filesystem::path out = "runs";
};

/// Checks a submission as a worker would: settings, data, windows, backbone, folders and their runs, which
/// may be unfinished; and replaces automatic settings of [scheduler]. Reads each data set. Throws input
/// Errors, and Cancelled. Blocks; thread-safe.
///
/// Automatic memory is the largest estimate over the runs of a training step and the data, for each of
/// run.devices and run.processes, with a fifth more and 1 GiB for the program, in whole GiB; with a GPU at
/// least 8 GiB. The
/// workers read the target itself.
[[nodiscard]] ArrayJob plan_array_job(const Submission& submission, const std::stop_token& stop = {});

/// Writes submit.slurm and creates the folder of the logs. The workers of a file or form read a copy of the
/// experiment with all settings and absolute paths, submit.toml, so that the file may change while jobs wait.
/// Throws input and run Errors, among them one if jobs of this folder have not ended and read another copy,
/// and Cancelled. Blocks as array_state().
void write_array_job(ArrayJob job, const Submission& submission, const std::stop_token& stop = {});

/// Submits the written script, and keeps the job's number, which it returns, in the batch folder
/// (submit.json). Throws as submit().
std::string submit_array_job(const ArrayJob& job);

/// Numbers of the job arrays submitted from a batch folder, the last one last: "4710,4711", for
/// array_state(). Empty: none, or their file cannot be read.
[[nodiscard]] std::string jobs_of(const std::filesystem::path& batch_folder);

}  // namespace casp::cluster
