#pragma once
// Preparation and clean-up of run folders around run::run(), for batches and the run queue.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/experiment.h"
#include "store/folder_lock.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "util/phrase.h"

namespace casp::run {

/// How a run's folder is held (run.lock, run.lease_seconds), by who makes the run or, for a moment, by who
/// only writes its status: if that process is killed just then, it was not this run's fault.
[[nodiscard]] store::LockRule lock_rule(const config::Config& config, bool makes_the_run = true);

/// Row of a queued run: its settings, without results.
[[nodiscard]] store::ResultRow queued_row(const config::RunPlan& run);

/// Creates the folder and writes a run.json of state "queued" if nothing was started there yet and no process
/// holds it.
void mark_queued(const config::RunPlan& run);

/// Puts a run into a window's queue: writes config.toml and a run.json with state "queued" to its folder,
/// which is created if necessary. Returns the run.json before, of a run to be resumed. Throws an input Error
/// and writes nothing if the folder contains a finished run, an unfinished one without `resume`, other files,
/// or a run of another process.
[[nodiscard]] std::optional<store::RunStatus> queue_in_folder(const config::RunPlan& run, bool resume);

/// Undoes queue_in_folder(): removes the folder of a run that never started, restores the state of a run to
/// be resumed. Never throws.
void take_from_folder(const config::RunPlan& run, const std::optional<store::RunStatus>& before) noexcept;

/// Records a failure in run.json if the run failed before writing its own, so that tables do not list it as
/// queued. Otherwise, and if another process holds it, no effect. Never throws.
void mark_failed(const config::RunPlan& run, const Phrase& message) noexcept;

/// Settings in which results of `config` may differ from those of a run, by its config.toml; nothing if that
/// cannot be read.
[[nodiscard]] std::optional<std::vector<std::string>> differing_settings(const std::filesystem::path& run,
                                                                         const config::Config& config);

/// Whether the settings in a run's config.toml give the same results as `config`; false if it cannot be read.
[[nodiscard]] bool same_settings(const std::filesystem::path& run, const config::Config& config);

/// Settings that change results, one line each: "
/// KEY was A, is now B"; empty: none. Files may have moved, since their content is compared by digest:
/// backbone.path counts only as "untrained" or file, and data.path only if `data_may_move` is false.
/// `dataset_sha256`: of the run's data, by which "auto" is the rule of its catalogue entry; empty: unknown.
[[nodiscard]] std::string difference_text(const config::Config& before, const config::Config& now,
                                          bool data_may_move, std::string_view dataset_sha256);

/// Row of a run that folder_content() reports as complete. A missing run.json is rewritten from run.h5, which
/// contains all of it except `seconds`. Throws an input Error if neither can be read.
store::ResultRow finished_row(const config::RunPlan& run);

/// Removes the checkpoint and the copied snapshots of a complete run that was killed before doing so.
/// `keep_last`: run.keep_last. No effect if a process holds the run, since it is just ending. Never throws:
/// remaining files are harmless.
void clear_up_finished(const std::filesystem::path& run, bool keep_last) noexcept;

/// Missing files of a finished run (best.safetensors, arrays.h5), one sentence each.
[[nodiscard]] std::vector<std::string> lost_files(const config::RunPlan& run);

/// Throws an input Error that lists the differences if `folder` has a finished run with other settings or
/// data.
void check_finished_run(const std::filesystem::path& folder, const config::Config& config,
                        const std::string& dataset_sha256);

/// Throws an input Error that lists the differences if `folder` has a run without checkpoint that was started
/// with other settings or data. Failed runs are accepted, since they may need less memory or another learning
/// rate.
void check_started_run(const std::filesystem::path& folder, const config::Config& config,
                       const std::string& dataset_sha256);

/// Why the unfinished run cannot be resumed, as far as this is known without reading a checkpoint: the
/// checkpoint is lost, or last/current names a missing one. Empty: no such reason. Read-only and without
/// lock; reads run.h5 only if there is no checkpoint.
[[nodiscard]] Phrase why_not_resumable(const std::filesystem::path& folder);

/// Why the backbone of a run is unavailable ("catalog:gpt2 is not on this machine yet …"), without advice;
/// empty if its file exists or `backbone.path` is "untrained". Accesses the disk.
[[nodiscard]] Phrase missing_backbone(const config::Config& config);

/// SHA-256 of the run's data set; empty if it is missing or unreadable: finished runs do not need it, and
/// check_finished_run() then compares the path.
[[nodiscard]] std::string digest_of_data(const config::Config& config);

/// Device selected by `run.device`, as far as known without loading CUDA: "cpu", "cuda:0", … Runs on one
/// device are executed one after another. Thread-safe.
[[nodiscard]] std::string device_key(const std::string& setting);

/// Why the device of `run.device` cannot compute, tried with a small sum; empty: it does. After some errors
/// of CUDA, it does not until the process ends.
[[nodiscard]] Phrase silent_device(const std::string& name);

}  // namespace casp::run
