#pragma once
// Files of runs below a served folder, opened so that no name and no link leads out of it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "util/descriptor.h"

namespace casp::remote {

/// Files of every run, kept in step for the list. marks.json: the newer one of both sides.
inline constexpr std::array<std::string_view, 3> listed_files{"run.json", "config.toml", "marks.json"};
/// Files of runs that are looked at, kept in step.
inline constexpr std::array<std::string_view, 3> followed_files{"run.h5", "audit.json", "control.json"};
/// Files of runs that are looked at, copied on request.
inline constexpr std::array<std::string_view, 7> requested_files{
    "arrays.h5", "best.safetensors", "best.state", "initial.safetensors",
    "log.txt",   "model.py",         "python.json"};

/// Whether a file of this name may be transferred.
[[nodiscard]] bool is_run_file(std::string_view name);

/// "<batch>/<run>", or "<run>" if the served folder is that of a batch: no other folder, none hidden, no
/// "..".
[[nodiscard]] bool is_run_name(std::string_view run);

/// Identity of a file's content: runs replace their files, and copies get the time of the original.
struct Stamp {
    std::int64_t time = 0;   ///< of the last change, ns since 1970
    std::int64_t size = -1;  ///< bytes; -1: there is no such file
    bool operator==(const Stamp&) const = default;
    [[nodiscard]] bool exists() const { return size >= 0; }
};

/// Files of the runs below one folder. Links are not followed, only regular files are opened. Thread-safe.
class RunFiles {
public:
    /// Throws an input Error if the folder cannot be opened.
    explicit RunFiles(const std::filesystem::path& folder);

    struct Open {
        Descriptor file;
        Stamp stamp;
    };
    /// Nothing: there is no such file, or it is a link, or the names are not those of a run and its file.
    [[nodiscard]] std::optional<Open> open(std::string_view run, std::string_view name) const;
    /// Opens the file, because a shared file system may return an old size and time otherwise.
    [[nodiscard]] Stamp stamp(std::string_view run, std::string_view name) const;
    /// Text of `.lock`; empty: no process has ever held it, or it has released it.
    [[nodiscard]] std::string lock_text(std::string_view run) const;
    /// Whether the run's folder exists, and no part of its path is a link.
    [[nodiscard]] bool has(std::string_view run) const { return folder_of(run).is_open(); }

private:
    [[nodiscard]] Descriptor folder_of(std::string_view run) const;
    [[nodiscard]] static std::optional<Open> open_in(const Descriptor& folder, const std::string& name);
    Descriptor folder_;
};

/// Bytes of an open file from `offset`; fewer than `count` at its end. Throws a run Error.
[[nodiscard]] std::string read_part(const Descriptor& file, std::int64_t offset, std::size_t count);

}  // namespace casp::remote
