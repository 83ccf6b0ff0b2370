#pragma once
// Slurm's commands: sbatch, squeue and sacct. Every function blocks, at most for some seconds; thread-safe.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace casp::cluster {

/// Why jobs cannot be submitted from this machine ("sbatch is not on this machine"); empty: they can.
[[nodiscard]] std::string why_no_slurm();

/// Submits a script and returns the job's number. Throws an input Error with sbatch's reason and `requested`
/// ("partition gpu, memory 8G"), or that of why_no_slurm().
std::string submit(const std::filesystem::path& script, const std::string& requested);

/// Tasks of a job array by state.
struct ArrayState {
    std::int64_t pending = 0;   ///< waiting, held or requeued
    std::int64_t running = 0;   ///< or ending
    std::int64_t finished = 0;  ///< with exit status 0
    std::int64_t failed = 0;    ///< ended otherwise: failed, cancelled, time limit, …
    std::string reason;         ///< why the first pending task waits ("Resources"); empty: none waits

    [[nodiscard]] bool is_open() const { return pending + running > 0; }
    bool operator==(const ArrayState&) const = default;
};

/// State of an array, from squeue, or from sacct once squeue has forgotten it. Nothing: neither knows it,
/// as where jobs are not accounted for. Throws a run Error if Slurm does not answer, and Cancelled.
[[nodiscard]] std::optional<ArrayState> array_state(const std::string& job, const std::stop_token& stop = {});

/// "Slurm job 7: 2 pending (Resources), 3 running, 1 finished".
[[nodiscard]] std::string state_text(const std::string& job, const ArrayState& state);

/// From lines "STATE|REASON" or "STATE" (squeue --format=%T|%r, sacct --format=State).
[[nodiscard]] ArrayState parse_states(std::string_view lines);

}  // namespace casp::cluster
