#pragma once
// Comparison of a text file with the text that it should have, cell by cell. Any thread.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/verify.h"
#include "util/error.h"

namespace casp::evidence {

/// Records of a CSV (RFC 4180). Never throws: a quotation mark that is not closed ends with the text.
[[nodiscard]] std::vector<std::vector<std::string>> csv_records(std::string_view text);

/// Compares `file` with `expected` and adds a finding for each differing cell (.csv) or line. A missing file
/// is not checked: tables may be removed.
void compare_text(const std::filesystem::path& file, const std::string& expected, Verification& result);

/// Adds a finding for a file that cannot be read.
void add_unreadable(const std::filesystem::path& file, const Error& problem, Verification& result);

/// Content of a table; empty, with a finding, if it cannot be read.
[[nodiscard]] std::string text_of(const std::filesystem::path& file, Verification& result);

}  // namespace casp::evidence
