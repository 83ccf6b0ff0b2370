#pragma once
// Differing elements of one data set as one finding.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "evidence/verify.h"
#include "store/result_columns.h"

namespace casp::evidence {

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
        if (count_ > 1) cell_ += " and " + std::to_string(count_ - 1) + " more";
        result.findings.push_back({file, cell_, found_, expected_});
    }

private:
    std::string dataset_, cell_, found_, expected_;
    std::int64_t count_ = 0;
};

}  // namespace casp::evidence
