#pragma once
// GPT-2's byte-level BPE tokenizer (Radford et al. 2019). No LibTorch; thread-safe after construction.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokens.h"

namespace casp::text {

/// Text to tokens.
///
/// The text is cut into pieces: an English contraction ('s, 't, 're, 've, 'm, 'll, 'd); letters, numbers or
/// other characters with at most one space before them; white space. Within a piece, which begins as
/// single bytes, the two neighbours that form the token with the smallest number are joined until none form
/// a token.
///
/// merges.txt is not needed: GPT-2's tokens are numbered in the order of their merges, so a token's number is
/// its merge's rank (docs/decisions/0019-time-llm.md). Special tokens (<|endoftext|>) are text like any
/// other.
class Gpt2Tokenizer {
public:
    /// Throws an input Error for a vocabulary that lacks a token for one of the 256 bytes.
    explicit Gpt2Tokenizer(const Tokens& tokens);

    /// Numbers of the tokens of `text` (UTF-8; bytes that are not are taken as they are).
    [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const;

    /// Size of the vocabulary.
    [[nodiscard]] std::int64_t count() const { return count_; }

private:
    void encode_piece(std::string_view piece, std::vector<std::int64_t>& out) const;
    [[nodiscard]] std::int64_t number_of(std::string_view bytes) const;  ///< INT64_MAX: no token

    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
    std::int64_t count_ = 0;
};

/// The pieces of `text`, in order; views into it.
[[nodiscard]] std::vector<std::string_view> gpt2_pieces(std::string_view text);

}  // namespace casp::text
