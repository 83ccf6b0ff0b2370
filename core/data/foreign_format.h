#pragma once
// Common file formats that no reader understands, recognised by their first bytes.

#include <string_view>

namespace casp::data {

struct ForeignFormat {
    const char* name;    ///< completes "this is": "gzip-compressed", "a PDF document"
    const char* advice;  ///< how to get a readable file from it
};

/// The format of a file that begins with `head` (64 bytes or more), or nullptr.
[[nodiscard]] const ForeignFormat* foreign_format(std::string_view head);

}  // namespace casp::data
