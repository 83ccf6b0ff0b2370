#pragma once
// JSON lines: an object with a series in each line, as GluonTS writes them.

#include <filesystem>
#include <stop_token>
#include <string_view>

#include "data/series_collection.h"

namespace casp::data {

/// Whether a file that begins with `head` is one: an object with a member "target".
[[nodiscard]] bool begins_as_json_lines(std::string_view head);

/// Reads a file with a JSON object per line: `target`, an array of numbers (null, NaN and "NaN": missing);
/// `item_id`, text or a number (without it: the number of the line); `freq`, the frequency as pandas writes
/// it, unless the options give it. `start` is not needed; other keys are left out, with one warning that
/// names them. Throws as read_collection(), and for a line that is no such object, a target of several
/// dimensions, and series of different frequencies.
[[nodiscard]] SeriesCollection read_json_lines(const std::filesystem::path& path,
                                               const CollectionOptions& options, const ProgressFn& progress,
                                               const std::stop_token& stop);

}  // namespace casp::data
