#pragma once
// What the user gave a run: a note and a colour, in marks.json in the run's folder.

#include <filesystem>
#include <string>

namespace casp::store {

struct RunMarks {
    std::string note;
    int colour_index = -1;  ///< in the palette of runs; -1: none was given yet
    std::string colour;     ///< "#rrggbb" where the user chose one of their own; empty: the palette's
    bool operator==(const RunMarks&) const = default;
};

/// Marks of a run; empty ones where there are none. An input Error where the file is damaged.
[[nodiscard]] RunMarks read_marks(const std::filesystem::path& run_folder);

/// Replaces marks.json whole; what a newer version keeps in it stays. `flushed` waits until the disk has it
/// (for what the user typed; not for the colours that ten thousand runs get at first sight). A run Error
/// where it cannot be written.
void write_marks(const std::filesystem::path& run_folder, const RunMarks& marks, bool flushed = true);

}  // namespace casp::store
