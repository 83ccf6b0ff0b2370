#pragma once
// Slurm's commands: sbatch and squeue. Every function blocks, at most for some seconds; thread-safe.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace casp::cluster {

/// Why jobs cannot be submitted from this machine ("sbatch is not on this machine"); empty: they can.
[[nodiscard]] std::string why_no_slurm();

/// Submits a script and returns the job's number. Throws an input Error with sbatch's reason, or
/// if there is none.
std::string submit(const std::filesystem::path& script);

/// "Slurm job 7: 2 pending (Resources), 3 running", of the tasks that have not ended; empty: all have. Throws
/// a run Error if Slurm does not answer, and Cancelled.
[[nodiscard]] std::string array_state(const std::string& job, const std::stop_token& stop = {});

/// The same from lines "STATE|REASON" (squeue --format=%T|%r).
[[nodiscard]] std::string state_text(const std::string& job, std::string_view lines);

}  // namespace casp::cluster
