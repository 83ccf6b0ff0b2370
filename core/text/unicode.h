#pragma once
// UTF-8 characters and their Unicode classes. No LibTorch; thread-safe.

#include <cstddef>
#include <string_view>

namespace casp::text {

/// A UTF-8 character: its bytes and its code point; length 0 if there is none.
struct Character {
    std::size_t length = 0;
    char32_t code = 0;
};

/// The character at byte `place` < text.size(); length 0 for bytes that are not UTF-8.
[[nodiscard]] Character character_at(std::string_view text, std::size_t place);

/// Unicode's general category L (letters) or N (numbers), White_Space, or none of them.
enum class CharacterClass { letter, number, space, other };

[[nodiscard]] CharacterClass class_of(char32_t code);

}  // namespace casp::text
