#pragma once
// Comparison of a text file with the text that it should have, cell by cell. Any thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/verify.h"
#include "store/result_columns.h"
#include "util/error.h"

namespace casp::evidence {

/// Records of a CSV (RFC 4180). Never throws: a quotation mark that is not closed ends with the text.
[[nodiscard]] std::vector<std::vector<std::string>> csv_records(std::string_view text);

/// Compares `file` with `expected` and adds a finding for each differing cell (.csv) or line. A missing file
/// is not checked: tables may be removed. `ignored`: last columns of the CSV that `expected` lacks.
void compare_text(const std::filesystem::path& file, const std::string& expected, Verification& result,
                  std::size_t ignored = 0);

/// Adds a finding for a file that cannot be read.
void add_unreadable(const std::filesystem::path& file, const Error& problem, Verification& result);

/// Content of a table; empty, with a finding, if it cannot be read.
[[nodiscard]] std::string text_of(const std::filesystem::path& file, Verification& result);

// Differing elements of one data set as one finding.

/// Differing elements of one data set: one finding, of the first.
class Differences {
public:
    explicit Differences(std::string dataset) : dataset_(std::move(dataset)) {}

    void add(const std::string& element, double found, double expected) {
        if (++count_ > 1) return;
        cell_ = dataset_ + element;
        found_ = store::shortest(found);
        expected_ = store::shortest(expected);
    }
    /// Adds the finding, if any, and sets `sound` to false.
    void report(const std::filesystem::path& file, Verification& result, bool& sound) {
        if (count_ == 0) return;
        sound = false;
        if (count_ > 1) cell_ += Phrase(" and %1 more", count_ - 1);
        result.findings.push_back({file, cell_, found_, expected_});
    }

private:
    std::string dataset_, cell_, found_, expected_;
    std::int64_t count_ = 0;
};

}  // namespace casp::evidence
