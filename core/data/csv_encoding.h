#pragma once
// Characters of a CSV file: encodings, byte-order marks, line endings and zero bytes.

#include <string>
#include <string_view>

#include "data/csv_import.h"
#include "data/file_bytes.h"
#include "data/table.h"

namespace casp::data {

/// A file's text without byte-order mark, in UTF-8, with '\n' at the end of its lines.
struct Text {
    std::string_view view;
    Bytes converted;  ///< storage of the text if it is not part of the file's bytes
};

/// Fills in encoding, mark and line ending of `format`, adds to `readings` and `warnings`. An encoding that
/// is not given is scored on the first MiB: names need it, numbers do not. Throws an input Error for an
/// unknown encoding, a text that is not in a given one, and zero bytes before the file's end.
[[nodiscard]] Text decode(std::string_view bytes, const std::string& where, const CsvOptions& options,
                          Table& table);

}  // namespace casp::data
