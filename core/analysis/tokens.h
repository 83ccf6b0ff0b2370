#pragma once
// The words behind the rows of GPT-2's token table: vocab.json, decoded. No LibTorch; thread-safe once read.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casp::analysis {

/// A tokenizer's vocabulary as bytes.
///
/// GPT-2's byte-level BPE writes each byte of a token as one printable character (a space as "Ġ"); here they
/// are bytes again. A token may be a part of a UTF-8 character, and about a third begin with a space.
class Tokens {
public:
    Tokens() = default;
    /// Reads {"token": number, …} as Hugging Face's GPT-2 has it: numbers 0 … n − 1, each once. Input Errors:
    /// file, what was found, what was expected.
    [[nodiscard]] static Tokens read(const std::filesystem::path& file);

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(bytes_.size()); }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    /// The bytes of a token, " the"; nothing for a number that is not in the vocabulary.
    [[nodiscard]] std::optional<std::string_view> bytes(std::int64_t token) const;
    /// For people, valid UTF-8: "␣the" (U+2423 for each space), "\n", "\xE2" for bytes that are no whole
    /// character;
    /// "#50300" for a number that is not in the vocabulary (or where there is none at all).
    [[nodiscard]] std::string label(std::int64_t token) const;

private:
    std::filesystem::path file_;
    std::vector<std::string> bytes_;
};

/// Where vocab.json is, the first of: `given` (a file or a folder, where not empty: an input Error names it
/// if there is none), the folder of `checkpoint` (where not empty), the folder of "catalog:gpt2" in the
/// user's cache.
[[nodiscard]] std::optional<std::filesystem::path> find_vocabulary(const std::filesystem::path& given,
                                                                   const std::filesystem::path& checkpoint);

}  // namespace casp::analysis
