#pragma once
// Common formats of data and of weights that are not read, recognised by their content, and how to convert
// them.

#include <filesystem>
#include <string>
#include <string_view>

#include "util/error.h"

namespace casp::data {

struct ForeignFormat {
    const char* name;                           ///< completes "this is": "a Parquet file"
    Phrase (*advice)(const std::string& line);  ///< "Convert it with Python: LINE"
    /// The line of Python (or R) that writes the table as CSV; "{in}" and "{out}" are the names of the files.
    /// Empty: none.
    const char* line = "";
    /// The line of Python that writes the weights as .safetensors, likewise. Empty: the format holds none.
    const char* weights = "";
};

/// The format of a file that begins with `head` (64 KiB, or the whole file), or nullptr. Of a zip archive:
/// "PK\x03\x04" and the names in it, each on a line.
[[nodiscard]] const ForeignFormat* foreign_format(std::string_view head);

/// The input Error for such a file: names the format, and the line that converts this file. `expected`
/// completes "expected".
[[nodiscard]] Error foreign_error(const ForeignFormat& format, const std::string& where,
                                  const Phrase& expected);

/// The same where weights are expected.
[[nodiscard]] Error foreign_weights_error(const ForeignFormat& format, const std::string& where);

/// How to write the weights as .safetensors, by the command and by hand; empty: the format holds none.
[[nodiscard]] Phrase weights_advice(const ForeignFormat& format, const std::string& where);

/// The line of Python that converts a file called `source` to one called `target`: a table, or weights.
/// Empty: none, or it could run code of the file.
[[nodiscard]] std::string conversion_line(const ForeignFormat& format, bool weights);

/// How to run the format's line: "Convert it with Python: LINE".
[[nodiscard]] Phrase by_hand(const ForeignFormat& format, const std::string& where, bool weights);

/// Where a file is converted to: data.csv beside data.parquet; if that exists, data-converted.csv.
[[nodiscard]] std::filesystem::path conversion_name(const std::filesystem::path& file,
                                                    const std::string& extension);

/// A text as a literal of Python and R: in double quotes, with backslashes.
[[nodiscard]] std::string python_literal(std::string_view text);

}  // namespace casp::data
