#pragma once
// Token texts of GPT-2's vocabulary (vocab.json), decoded. No LibTorch; thread-safe after reading.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casp::text {

/// A tokenizer's vocabulary as bytes.
///
/// GPT-2's byte-level BPE writes each byte of a token as one printable character (a space as "Ġ"); this class
/// converts them back. A token may be part of a UTF-8 character, and about a third begin with a space.
class Tokens {
public:
    Tokens() = default;
    /// Reads {"token": number, …} in the format of Hugging Face's GPT-2, with each number 0 … n − 1 once.
    /// Throws an input Error with file, found and expected.
    [[nodiscard]] static Tokens read(const std::filesystem::path& file);

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(bytes_.size()); }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    /// Bytes of a token, " the"; nothing for a number outside the vocabulary.
    [[nodiscard]] std::optional<std::string_view> bytes(std::int64_t token) const;
    /// Displayable UTF-8: "␣the" (U+2423 for each space), "\n", "\xE2" for bytes of an incomplete character,
    /// "#50300" for a number outside the vocabulary.
    [[nodiscard]] std::string label(std::int64_t token) const;

private:
    std::filesystem::path file_;
    std::vector<std::string> bytes_;
};

/// Path of vocab.json, the first of: `given` (a file or folder, unless empty; an input Error if it has none),
/// the folder of `checkpoint` (unless empty), the folder of "catalog:gpt2" in the user's cache.
[[nodiscard]] std::optional<std::filesystem::path> find_vocabulary(const std::filesystem::path& given,
                                                                   const std::filesystem::path& checkpoint);

}  // namespace casp::text
