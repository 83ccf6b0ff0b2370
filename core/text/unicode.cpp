#include "text/unicode.h"

#include <algorithm>
#include <array>

namespace casp::text {

namespace {

struct Range {
    char32_t first, last;
};

#include "text/unicode_classes.inc"

bool in_ranges(const auto& ranges, char32_t code) {
    const auto next =
        std::upper_bound(ranges.begin(), ranges.end(), code,
                         [](char32_t value, const Range& range) { return value < range.first; });
    return next != ranges.begin() && code <= (next - 1)->last;
}

bool is_space(char32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == ' ' || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
           code == 0x205F || code == 0x3000;
}

}  // namespace

Character character_at(std::string_view text, std::size_t place) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(place);
    if (first < 0x80) return {1, first};
    const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first >= 0xF5 || place + length > text.size()) return {};
    char32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(place + i) & 0xC0U) != 0x80U) return {};
        code = (code << 6) | (byte(place + i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
    return {length, code};
}

CharacterClass class_of(char32_t code) {
    if (in_ranges(letters, code)) return CharacterClass::letter;
    if (in_ranges(numbers, code)) return CharacterClass::number;
    return is_space(code) ? CharacterClass::space : CharacterClass::other;
}

}  // namespace casp::text
