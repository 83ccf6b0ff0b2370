#pragma once
// An experiment as a Slurm job array: checked, written to its batch folder, submitted.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cluster/slurm_client.h"
#include "cluster/slurm_script.h"
#include "config/experiment.h"

namespace casp::cluster {

/// What to submit, and where its runs go.
struct Submission {
    config::Experiment experiment;
    std::string target = {};             ///< FILE.toml or paper:NAME; empty: the window's form
    std::vector<std::string> sets = {};  ///< arguments of --set
    std::filesystem::path out = "runs";
    std::filesystem::path program = {};  ///< caspstudio; empty: this program
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
/// Throws input and run Errors, among them one if an open array of this folder reads other settings or more
/// runs, and Cancelled. Blocks as open_arrays().
void write_array_job(ArrayJob job, const Submission& submission, const std::stop_token& stop = {});

/// A job array of a batch folder (submit.json).
struct SubmittedJob {
    std::string job;  ///< Slurm's number
    std::int64_t workers = 0;
    std::string submitted;             ///< ISO 8601 UTC
    std::vector<std::string> earlier;  ///< arrays that had not ended when this one was submitted
};

/// Numbers of a batch folder's job arrays that may be open: the last one, last, and those that were open
/// then.
[[nodiscard]] std::vector<std::string> jobs_of(const std::filesystem::path& batch_folder);

/// Job arrays submitted from a batch folder that have not ended, or whose state is unknown because Slurm does
/// not answer (no state). Empty on a machine without Slurm. Blocks as array_state() for each.
[[nodiscard]] std::map<std::string, std::optional<ArrayState>> open_arrays(
    const std::filesystem::path& batch_folder, const std::stop_token& stop = {});

/// What the user should know before a submission, one sentence each: other open arrays of the folder, workers
/// without the GPU that the experiment asks for. Blocks as open_arrays().
[[nodiscard]] std::vector<std::string> warnings_before(const ArrayJob& job, const config::Config& base,
                                                       const std::stop_token& stop = {});

/// Submits the written script, and keeps the job's number in the batch folder. Throws as submit(), and
/// Cancelled before the submission.
SubmittedJob submit_array_job(const ArrayJob& job, const std::stop_token& stop = {});

/// The last job array submitted from a batch folder; nothing: none, or its file cannot be read.
[[nodiscard]] std::optional<SubmittedJob> submitted_job(const std::filesystem::path& batch_folder);

}  // namespace casp::cluster
