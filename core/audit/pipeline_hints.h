#pragma once
// Lines of scripts and logs beside forecasts that show how they were made. Any thread.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "util/phrase.h"

namespace casp::audit {

/// A line that shows a fixed seed, stopping or selection on the test split, or a dropped last test batch.
struct Hint {
    std::filesystem::path file;  ///< relative to the folder of the arrays: "../../run.py"
    std::int64_t line = 0;       ///< from 1
    std::string text;            ///< the line, without spaces around it; at most 160 bytes
    Phrase what;                 ///< completes "shows …": "the fixed seed 2021"
};

/// Hint::what of a line that drops the last batch of the test loader.
inline constexpr std::string_view dropped_last_batch = "a dropped last test batch";

/// Searches *.py, *.sh, *.txt, *.log and args.json in the folder of the arrays (`forecasts`: the folder, or a
/// file in it), in the folder above, and in the repository: the nearest of the two folders above that has
/// .git or run*.py, down to three levels below it. Links and hidden folders are skipped, as are files of more
/// than 4 MiB; at most 500 files and 64 MiB are read. Of each kind, the first five lines are returned, in the
/// order of the folders above and then of names. What cannot be read is skipped. Throws Cancelled.
[[nodiscard]] std::vector<Hint> pipeline_hints(const std::filesystem::path& forecasts,
                                               const std::stop_token& stop = {});

/// The hints in one file; `name`: its file name, whose suffix selects the comments that are skipped.
[[nodiscard]] std::vector<Hint> hints_in(const std::string& name, std::string_view text);

}  // namespace casp::audit
