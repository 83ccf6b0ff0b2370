#pragma once
// An experiment as a Slurm job array: checked, written to its batch folder, submitted.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "cluster/slurm_script.h"
#include "config/experiment.h"

namespace casp::cluster {

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
