#pragma once
// The processes of data-parallel runs of a batch: found in the environment of a launcher, or started here.

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "train/process_group.h"
#include "train/stop.h"

namespace casp::batch {

/// Value of an environment variable; null: not set.
using Environment = std::function<const char*(const char*)>;

/// The place that a launcher's variables give this process; none: started by no launcher, or alone.
///
/// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT (torchrun); a task of srun: SLURM_PROCID, SLURM_NTASKS, with
/// the first host of SLURM_JOB_NODELIST and a port that follows from the job, unless MASTER_ADDR and
/// MASTER_PORT name others; Open MPI's OMPI_COMM_WORLD_RANK and _SIZE, on one machine or with MASTER_ADDR and
/// MASTER_PORT. `independent`: a launcher's processes make runs of their own (--worker, --runs), so only
/// WORLD_SIZE counts. Throws input Errors.
[[nodiscard]] std::optional<train::ProcessPlace> place_from_environment(const Environment& variable,
                                                                        bool independent = false);

/// First host of Slurm's compressed list: "node[03-05,9],other" -> "node03".
[[nodiscard]] std::string first_host(const std::string& list);

/// Trains for rank 0, if this process has another rank; none: it has not. The exit status.
[[nodiscard]] std::optional<int> follow_batch(const CommandLine& line, train::StopControl& stop);

/// Rank 0's processes. Used on the main thread, whose end ends the children.
class BatchProcesses {
public:
    /// Connects to the processes of a launcher.
    explicit BatchProcesses(const CommandLine& line);
    ~BatchProcesses();
    BatchProcesses(const BatchProcesses&) = delete;
    BatchProcesses& operator=(const BatchProcesses&) = delete;

    /// Sets the number of processes for all runs: `wanted` (run.processes), or those of the launcher, which
    /// must be as many unless `wanted` is 1. Returns it. Throws an input Error.
    int use(std::int64_t wanted);
    /// The connection for a run, with the children started; null with one process.
    [[nodiscard]] train::Processes* connect();
    /// How children ended that should run: "process 2 of 4 was ended by signal 9 (Killed)".
    [[nodiscard]] std::vector<std::string> ended_children();
    /// The others end with this exit status. Children are started again by the next connect().
    void end(int status);
    /// After a failed run: the next one gets new children.
    void renew();

private:
    void start_children();
    [[nodiscard]] bool any_child_has_ended() const;

    int size_ = 1;
    std::unique_ptr<train::Processes> processes_;
    std::vector<pid_t> children_;  ///< of ranks 1, 2, …; 0: ended
};

}  // namespace casp::batch
