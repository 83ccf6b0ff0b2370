#pragma once
// User marks of a run, note and colour (marks.json in the run's folder).

#include <filesystem>
#include <string>

namespace casp::store {

struct RunMarks {
    std::string note;
    int colour_index = -1;  ///< index in the palette of runs; -1: none assigned
    std::string colour;     ///< "#rrggbb" of a user-defined colour; empty: from the palette
    bool operator==(const RunMarks&) const = default;
};

/// Marks of a run; default values if there is no file. Throws an input Error if it is damaged.
[[nodiscard]] RunMarks read_marks(const std::filesystem::path& run_folder);

/// Replaces marks.json atomically, keeping unknown keys of newer versions. `flushed`: wait for the disk (for
/// user input; not for colours assigned automatically to thousands of runs). Throws a run Error if it cannot
/// be written.
void write_marks(const std::filesystem::path& run_folder, const RunMarks& marks, bool flushed = true);

}  // namespace casp::store
