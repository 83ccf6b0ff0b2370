#pragma once
// What is done with a run's folder before and after run::run: by a batch and by the window's queue alike.

#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "store/results.h"

namespace casp::run {

/// A run that somebody plans: what run::RunRequest says about it.
struct PlannedRun {
    const config::Config& config;
    const std::filesystem::path& folder;
    const std::string& name;
    const std::vector<std::pair<std::string, std::string>>& swept;
};

/// The row of a run that waits: what its settings tell, nothing measured.
[[nodiscard]] store::ResultRow queued_row(const PlannedRun& run);

/// Makes the folder and writes a run.json of state "queued" where nothing was started in it yet.
void mark_queued(const PlannedRun& run);

/// Notes in run.json that a run failed before it wrote a run.json of its own; such a run must not stand in
/// the tables as waiting. Does nothing for others. Never throws.
void mark_failed(const PlannedRun& run, const std::string& message) noexcept;

/// Whether what a run's config.toml says would give the results of `config`; false where it cannot be read.
[[nodiscard]] bool same_settings(const std::filesystem::path& run, const config::Config& config);

/// The settings that would change results, a line for each: "\n  KEY was A, is now B"; empty: none. Files may
/// have moved, since what they hold is compared by digest: backbone.path counts only between "untrained" and
/// a file, data.path only where `data_may_move` is false.
[[nodiscard]] std::string difference_text(const config::Config& before, const config::Config& now,
                                          bool data_may_move);

/// The row of a run that folder_content() calls complete. Where its run.json is not there, it is written anew
/// from run.h5, which knows all of it but `seconds`. Throws an input Error where neither can be read.
store::ResultRow finished_row(const PlannedRun& run);

/// Removes what a kill right after the last word left of a complete run: the checkpoint and the snapshots
/// that were gathered. `keep_last` as in finishing (run.keep_last). Does nothing where a process holds the
/// run: it is just ending, and does this itself. Never throws: what may not be removed is in nobody's way.
void clear_up_finished(const std::filesystem::path& run, bool keep_last) noexcept;

/// What a finished run should have and has not, a sentence each: best.safetensors, arrays.h5.
[[nodiscard]] std::vector<std::string> lost_files(const PlannedRun& run);

/// Throws an input Error that lists the differences where `folder` holds a finished run of other settings or
/// other data than these: it must not pass for their result.
void check_finished_run(const std::filesystem::path& folder, const config::Config& config,
                        const std::string& dataset_sha256);

/// Throws an input Error that lists the differences where `folder` holds a run that was started with other
/// settings or other data than these and has no checkpoint yet: it must not go on as another one. A run that
/// failed may: less memory or another learning rate may be what it needs.
void check_started_run(const std::filesystem::path& folder, const config::Config& config,
                       const std::string& dataset_sha256);

/// What would be said to somebody who resumes the unfinished run there, as far as that can be known without
/// reading a checkpoint: that it is lost, or that last/current leads to nothing. Empty: it can go on, or only
/// its checkpoint tells. Changes nothing and needs no lock; reads run.h5 only where there is no checkpoint.
[[nodiscard]] std::string why_not_resumable(const std::filesystem::path& folder);

/// Why the backbone that a run needs cannot be had ("catalog:gpt2 is not on this machine yet …"), without
/// what to do about it; empty where its file is there or `backbone.path` is "untrained". Looks at the disk.
[[nodiscard]] std::string missing_backbone(const config::Config& config);

/// SHA-256 of the file that `data.path` means; empty where it is not there or cannot be read: finished runs
/// do not need it, and check_finished_run() then compares its path instead.
[[nodiscard]] std::string digest_of_data(const std::string& setting);

/// The words of a failure. LibTorch appends a stack trace of its own to what went wrong, and says "out of
/// memory" in words of its allocator.
[[nodiscard]] std::string plain_message(const std::exception& problem);

/// Which device `run.device` means as far as that can be told without loading CUDA: "cpu", "cuda:0", … Runs
/// of one device go one after another. Any thread.
[[nodiscard]] std::string device_key(const std::string& setting);

}  // namespace casp::run
