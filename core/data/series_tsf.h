#pragma once
// Monash's .tsf files: a header of @ lines, then a line per series.

#include <filesystem>
#include <stop_token>
#include <string_view>

#include "data/series_collection.h"

namespace casp::data {

/// Whether a file that begins with `head` is one: after comments, its first line is \@relation, \@attribute,
/// \@frequency or another of its words.
[[nodiscard]] bool begins_as_tsf(std::string_view head);

/// Reads a .tsf file in UTF-8 or Latin-1. A series' id is its attribute `series_name`, else its first text
/// attribute, else its number. `?` is a missing value. \@frequency gives the frequency unless the options do,
/// \@horizon the horizon unless the options do. Throws as read_collection(), and for a header without
/// \@attribute or \@data, a line with another number of fields, and a frequency that is not known.
[[nodiscard]] SeriesCollection read_tsf(const std::filesystem::path& path, const CollectionOptions& options,
                                        const ProgressFn& progress, const std::stop_token& stop);

}  // namespace casp::data
