#pragma once
// A run's folder: where things are, who writes it, and the generations of its checkpoint.
//
//     DIR/<name>/<run>/config.toml  run.json  run.h5  arrays.h5  best.safetensors  initial.safetensors
//     log.txt
//                      last/current           one line: name of the generation that counts
//                      last/gen-<step>/...    what a bit-exact resume needs, with state.json
//                      .lock                  who writes this run

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
    [[nodiscard]] std::filesystem::path lock() const { return folder_ / ".lock"; }

    /// A foreign tree of runs must not lead elsewhere: an input Error where this folder or its experiment's
    /// is a link.
    void check_no_links() const;
    /// Makes the folder and those above it; an input Error says why it cannot, or that one is a link.
    void create() const;

private:
    std::filesystem::path folder_;
};

/// run.json: the state and the row of results.csv.
struct RunStatus {
    ResultRow row;        ///< row.state is the run's state
    std::string message;  ///< why it failed; empty otherwise
    std::string updated;  ///< ISO 8601 UTC; set by write_run_status
};

void write_run_status(const RunFolder& folder, const RunStatus& status);

/// Nothing where there is no run.json; an input Error where it is damaged or from a newer version.
[[nodiscard]] std::optional<RunStatus> read_run_status(const RunFolder& folder);

/// The right to write a run, held by one process (and one object) at a time.
///
/// An flock on `.lock`, which the system drops when the process ends in whatever way: no lock of a dead
/// process is ever in the way. The file holds pid, host and time for the message of the one who comes second.
/// Acquiring it also removes temporaries that a killed writer left, and ends a replacement of files that it
/// had begun (staged_files.h).
class RunLock {
public:
    /// Throws an input Error that names the holder.
    explicit RunLock(const RunFolder& folder);
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    ~RunLock();

    /// Who holds the lock ("process 123 on host since ..."), or nothing. Does not take it.
    [[nodiscard]] static std::optional<std::string> holder(const RunFolder& folder);

    /// Throws the constructor's input Error where somebody holds the lock; does not take it.
    static void check_free(const RunFolder& folder);

private:
    int descriptor_ = -1;
};

/// One new generation of a run's checkpoint. The generation before stays the current one until commit().
///
///     CheckpointWriter checkpoint(folder, step);
///     ... write files into checkpoint.folder(), state.json among them ...
///     checkpoint.commit();
///
/// state.json must hold "files": {"model.safetensors": "<sha256>", ...} for verify_generation(); the rest of
/// it is the trainer's. Destruction without commit() removes what was written.
class CheckpointWriter {
public:
    CheckpointWriter(const RunFolder& folder, std::int64_t step);
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;
    ~CheckpointWriter();

    /// Empty folder to write into (beside the generations, under a temporary name).
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return temporary_; }

    /// fsync of every file and folder, rename to last/gen-<step>, then `last/current` is replaced, then older
    /// generations are removed. Returns the generation's folder.
    std::filesystem::path commit();

private:
    std::filesystem::path last_;
    std::filesystem::path temporary_;
    std::int64_t step_;
    bool committed_ = false;
};

/// An input Error: a checkpoint is damaged or a part of it lost. Its advice names what is still there to go
/// on from. One that a newer version wrote is not damaged.
class DamagedCheckpoint : public Error {
public:
    /// where: last/current, a generation or a file in one.
    DamagedCheckpoint(const std::filesystem::path& where, std::string found, std::string expected);
};

/// The complete checkpoint to resume from, or nothing. Incomplete and outdated generations are ignored.
/// Throws DamagedCheckpoint where last/current leads to nothing.
[[nodiscard]] std::optional<std::filesystem::path> current_checkpoint(const RunFolder& folder);

/// What there is where last/current is lost.
struct FoundGenerations {
    std::optional<std::filesystem::path> complete;  ///< the newest one that verify_generation() accepts
    std::string problem;  ///< what is wrong with the newest; empty: nothing, or none is there
};
/// Reads every byte of a generation. Temporaries of a killed writer are no generations.
[[nodiscard]] FoundGenerations find_generations(const RunFolder& folder);

/// Whether last/ holds a generation, be it current, complete or not. Looks at names only.
[[nodiscard]] bool has_generations(const RunFolder& folder);

/// Makes a generation the current one, where it is not; only for who holds the lock.
void adopt_generation(const RunFolder& folder, const std::filesystem::path& generation);

/// Removes all generations but the current one, so all of them where there is none; only for who holds the
/// lock and knows that none of them is needed.
void clean_checkpoints(const RunFolder& folder);

/// The text of `generation`/state.json; DamagedCheckpoint where it is not there.
[[nodiscard]] std::string read_checkpoint_state(const std::filesystem::path& generation);

/// Checks that each file named in `generation`/state.json is there with its SHA-256; DamagedCheckpoint names
/// the file, found and expected digest.
void verify_generation(const std::filesystem::path& generation);

/// Removes all generations, at the end of a run. keep_model: the current one's model.safetensors becomes
/// last/model.safetensors (run.keep_last).
void remove_checkpoints(const RunFolder& folder, bool keep_model);

}  // namespace casp::store
