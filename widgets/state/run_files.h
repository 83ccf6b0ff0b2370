#pragma once
// What the user keeps with a run (note and colour), and the wastebasket of an output folder. Plain files; any
// thread.

#include <filesystem>
#include <string>
#include <vector>

namespace casp::widgets {

/// marks.json of a run folder: {"note": …, "colour": "#rrggbb"}; other keys in it are left alone.
struct RunMarks {
    std::string note;
    std::string colour;  ///< empty: none given yet
    bool operator==(const RunMarks&) const = default;
};

/// Nothing where there is no marks.json or where it is damaged.
[[nodiscard]] RunMarks read_marks(const std::filesystem::path& run_folder);
/// Replaces the file in one step; `flushed` waits until the disk has it (for what the user typed). Throws a
/// run Error. Does nothing where the folder is gone.
void write_marks(const std::filesystem::path& run_folder, const RunMarks& marks, bool flushed);

/// DIR/.wastebasket/<number>/<experiment>/<run>: moved there by a rename, so at once and whole.
class Wastebasket {
public:
    explicit Wastebasket(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Moves a run of DIR there. Throws an input Error: no run of DIR, one that some process writes; a run
    /// Error where it cannot be moved.
    void discard(const std::filesystem::path& run_folder) const;
    /// Where the runs in it came from, oldest first.
    [[nodiscard]] std::vector<std::filesystem::path> content() const;
    /// Moves the one discarded last from that place back. Throws an input Error where there is none or where
    /// the place is taken.
    void restore(const std::filesystem::path& run_folder) const;
    /// Deletes everything in it for good. Takes its time.
    void empty() const;

private:
    struct Item {
        int number;
        std::filesystem::path path, origin;
    };
    [[nodiscard]] std::vector<Item> items() const;
    [[nodiscard]] std::filesystem::path basket() const { return folder_ / ".wastebasket"; }
    std::filesystem::path folder_;
};

}  // namespace casp::widgets
