#pragma once
// The batch script of a Slurm job array whose tasks are workers of one experiment. Pure.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/scheduler.h"

namespace casp::cluster {

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

}  // namespace casp::cluster
