#pragma once
// Run folder: paths, status, lock and checkpoint generations.
//
//     DIR/<name>/<run>/config.toml  run.json  run.h5  arrays.h5  best.safetensors  initial.safetensors
//                      log.txt  audit.json
//                      last/current           one line: name of the current generation
//                      last/gen-<step>/...    files for a bit-exact resume, with state.json
//                      .lock                  held by the process that writes the run
//                      .lease-N               its lease, where the file system needs one (lease.h)

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "store/folder_lock.h"
#include "store/results.h"
#include "util/error.h"

namespace casp::store {

/// Paths inside a run folder.
class RunFolder {
public:
    explicit RunFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }
    [[nodiscard]] std::filesystem::path config() const { return folder_ / "config.toml"; }
    [[nodiscard]] std::filesystem::path run_json() const { return folder_ / "run.json"; }
    [[nodiscard]] std::filesystem::path run_file() const { return folder_ / "run.h5"; }
    [[nodiscard]] std::filesystem::path arrays_file() const { return folder_ / "arrays.h5"; }
    [[nodiscard]] std::filesystem::path best() const { return folder_ / "best.safetensors"; }
    [[nodiscard]] std::filesystem::path initial() const { return folder_ / "initial.safetensors"; }
    [[nodiscard]] std::filesystem::path last() const { return folder_ / "last"; }
    [[nodiscard]] std::filesystem::path last_model() const { return last() / "model.safetensors"; }
    [[nodiscard]] std::filesystem::path log() const { return folder_ / "log.txt"; }
    /// Of imported forecasts (audit/audit.h).
    [[nodiscard]] std::filesystem::path audit() const { return folder_ / "audit.json"; }
    [[nodiscard]] std::filesystem::path lock() const { return folder_ / ".lock"; }

    /// Throws an input Error if this folder or its experiment's folder is a symbolic link, since an untrusted
    /// folder must not lead elsewhere.
    void check_no_links() const;
    /// Creates the folder and its parents. Throws an input Error if that fails or one of them is a link.
    void create() const;

private:
    std::filesystem::path folder_;
};

/// Content of run.json: the state and the row of results.csv.
struct RunStatus {
    ResultRow row;        ///< row.state is the run's state
    Phrase message;       ///< reason of a failure; empty otherwise
    std::string updated;  ///< ISO 8601 UTC; set by write_run_status
    /// When the run was first queued or started, ISO 8601 UTC with microseconds: the order of a sweep, which
    /// copies keep. Of a run.json without it (written by an earlier version): `updated`.
    std::string created = {};
    std::optional<std::int64_t> position = {};  ///< of the run within its sweep, from 0; where it is known
};

/// Writes run.json. An empty `created` becomes that of the run.json it replaces, or the current time;
/// likewise `position`.
void write_run_status(const RunFolder& folder, const RunStatus& status);

/// Content of run.json; nothing if it does not exist. Throws an input Error if it is damaged or from a newer
/// version.
[[nodiscard]] std::optional<RunStatus> read_run_status(const RunFolder& folder);

/// Run Error: the lease of a run was taken over; its files belong to another process now.
class TakenOver : public Error {
public:
    explicit TakenOver(const std::filesystem::path& run);
};

/// Exclusive right to write a run: its folder's lock (folder_lock.h).
///
/// Acquiring it also removes temporary files of killed writers and completes an interrupted replacement
/// (staged_files.h).
class RunLock {
public:
    /// Throws HeldError, which names the holder.
    explicit RunLock(const RunFolder& folder, const LockRule& rule = {});

    /// Throws TakenOver if it is no longer held: call before writing files.
    void check_ours() const;

    /// Holder of the lock ("process 123 on host since ..."), or nothing. Does not acquire the lock.
    [[nodiscard]] static std::optional<std::string> holder(const RunFolder& folder);

    /// Throws the constructor's HeldError if the lock is held; does not acquire it.
    static void check_free(const RunFolder& folder);

private:
    FolderLock lock_;
    std::filesystem::path folder_;
};

/// Writer of a checkpoint generation. The previous generation remains current until commit().
///
///     CheckpointWriter checkpoint(folder, step);
///     ... write files into checkpoint.folder(), state.json among them ...
///     checkpoint.commit();
///
/// state.json must contain "files": {"model.safetensors": "<sha256>", ...} for verify_generation(); its other
/// content is defined by the trainer. Destruction without commit() removes the written files.
class CheckpointWriter {
public:
    CheckpointWriter(const RunFolder& folder, std::int64_t step);
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;
    ~CheckpointWriter();

    /// Empty temporary folder for the files, beside the generations.
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return temporary_; }

    /// Flushes all files and folders, renames the folder to last/gen-<step>, replaces last/current and
    /// removes older generations. Returns the generation's folder.
    std::filesystem::path commit();

private:
    std::filesystem::path last_;
    std::filesystem::path temporary_;
    std::int64_t step_;
    bool committed_ = false;
};

/// Input Error for a damaged or incomplete checkpoint. Its advice names what is left to resume from. Not used
/// for checkpoints of a newer version.
class DamagedCheckpoint : public Error {
public:
    /// `where`: last/current, a generation, or a file in one.
    DamagedCheckpoint(const std::filesystem::path& where, Phrase found, Phrase expected);
};

/// The complete checkpoint to resume from, or nothing. Incomplete and outdated generations are ignored.
/// Throws DamagedCheckpoint if last/current names a missing generation.
[[nodiscard]] std::optional<std::filesystem::path> current_checkpoint(const RunFolder& folder);

/// Checkpoint generations found when last/current is missing.
struct FoundGenerations {
    std::optional<std::filesystem::path> complete;  ///< newest generation accepted by verify_generation()
    Phrase problem;  ///< what is wrong with the newest generation; empty: valid, or there is none
};
/// Reads every byte of the generations it verifies. Ignores temporary folders of killed writers.
[[nodiscard]] FoundGenerations find_generations(const RunFolder& folder);

/// Whether last/ contains any generation, complete or not. Checks names only.
[[nodiscard]] bool has_generations(const RunFolder& folder);

/// Makes `generation` the current one if it is not. The caller holds the lock.
void adopt_generation(const RunFolder& folder, const std::filesystem::path& generation);

/// Removes all generations except the current one (all if none is current). The caller holds the lock and
/// does not need the others.
void clean_checkpoints(const RunFolder& folder);

/// Text of `generation`/state.json. Throws DamagedCheckpoint if it is missing.
[[nodiscard]] std::string read_checkpoint_state(const std::filesystem::path& generation);

/// Checks that each file listed in `generation`/state.json exists with its SHA-256. Throws DamagedCheckpoint
/// with the file, found and expected digest.
void verify_generation(const std::filesystem::path& generation);

/// Removes all generations, at the end of a run. keep_model: keeps the current model.safetensors as
/// last/model.safetensors (run.keep_last).
void remove_checkpoints(const RunFolder& folder, bool keep_model);

}  // namespace casp::store
