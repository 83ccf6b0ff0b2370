#pragma once
// Files with one changed digit, for tests of the verification.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "evidence/verify.h"
#include "util/digest.h"

namespace verify_test {

namespace fs = std::filesystem;

inline std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// SHA-256 of all files below the folder, but locks.
inline std::map<std::string, std::string> digests(const fs::path& folder) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().filename() != ".lock")
            all[entry.path().string()] = casp::sha256_of_file(entry.path());
    return all;
}

/// A digit of a file.
struct Digit {
    fs::path file;
    std::size_t at = 0;
};

/// The digits of all tables and of the rows in run.json below a batch.
inline std::vector<Digit> printed_digits(const fs::path& batch) {
    std::vector<Digit> digits;
    for (const auto& entry : fs::recursive_directory_iterator(batch)) {
        const auto extension = entry.path().extension();
        const bool status = entry.path().filename() == "run.json";
        if (!status && extension != ".csv" && extension != ".md" && extension != ".tex") continue;
        const auto text = content(entry.path());
        for (auto i = status ? text.find("\"row\"") : 0; i < text.size(); ++i)
            if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) digits.push_back({entry.path(), i});
    }
    return digits;
}

/// Changes a random digit of `digits` while it exists.
class ChangedDigit {
public:
    /// The number changes as well: another 17th digit may read back to the same one.
    ChangedDigit(const std::vector<Digit>& digits, std::mt19937& random) {
        std::string text;
        do {
            digit_ = digits[random() % digits.size()];
            text = before_ = content(digit_.file);
            auto& c = text[digit_.at];
            c = static_cast<char>('0' + (c - '0' + 1 + static_cast<int>(random() % 9)) % 10);
        } while (number_at(text) == number_at(before_));
        put(digit_.file, text);
    }
    ~ChangedDigit() { put(digit_.file, before_); }
    ChangedDigit(const ChangedDigit&) = delete;
    ChangedDigit& operator=(const ChangedDigit&) = delete;

    [[nodiscard]] const fs::path& file() const { return digit_.file; }
    /// "results.csv, byte 123: …,0.97|1487,…"
    [[nodiscard]] std::string place() const {
        const auto from = digit_.at > 20 ? digit_.at - 20 : 0;
        return digit_.file.string() + ", byte " + std::to_string(digit_.at) + ": " +
               before_.substr(from, digit_.at - from) + "|" + before_.substr(digit_.at, 20);
    }

private:
    /// The number that the digit is part of.
    [[nodiscard]] double number_at(const std::string& text) const {
        const auto before = text.find_last_not_of("0123456789.eE+-", digit_.at);
        return std::strtod(text.c_str() + (before == std::string::npos ? 0 : before + 1), nullptr);
    }

    Digit digit_;
    std::string before_;
};

inline bool names(const casp::evidence::Verification& result, const fs::path& file) {
    for (const auto& finding : result.findings)
        if (finding.file == file) return true;
    return false;
}

/// The findings, one per line.
inline std::string text_of(const casp::evidence::Verification& result) {
    std::string text;
    for (const auto& finding : result.findings)
        text += finding.file.string() + ": " + finding.cell + ": " + finding.found + "; expected " +
                finding.expected + "\n";
    return text;
}

}  // namespace verify_test
