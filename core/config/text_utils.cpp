#include "config/text_utils.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "util/phrase.h"

namespace casp::config {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string shortest(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    std::string text(buffer.data(), end);
    // to_chars writes exponents with a sign and two digits at least: 1e-04, 1e+20.
    const auto e = text.find('e');
    if (e == std::string::npos) return text;
    std::size_t digits = e + 1;
    const bool negative = text[digits] == '-';
    if (text[digits] == '-' || text[digits] == '+') ++digits;
    while (digits + 1 < text.size() && text[digits] == '0') ++digits;
    return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = lower(c);
    return result;
}

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
    // The distance is quadratic in the length; 200 characters tell names apart.
    const auto distance = [&](std::string_view candidate) {
        return edit_distance(name.substr(0, 200), candidate.substr(0, 200));
    };
    std::string best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const auto& candidate : candidates)
        if (const auto edits = distance(candidate); edits < fewest) {
            fewest = edits;
            best = candidate;
        }
    return best;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.empty() || name.size() > 200) return {};
    auto best = nearest_name(name, candidates);
    const auto edits = edit_distance(name, best);
    const bool near =
        edits <= std::max<std::size_t>(2, name.size() / 3) && edits < std::max(name.size(), best.size());
    return near ? best : std::string();
}

std::string in_quotes(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (result += '\\') += c;
        else if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (c == '\r')
            result += "\\r";
        else if (byte < 0x20 || byte == 0x7F)
            ((result += "\\u00") += hex[byte >> 4U]) += hex[byte & 15U];
        else
            result += c;
    }
    return result + '"';
}

std::string abbreviated(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return std::string(text);
    while (limit > 0 && continues(text[limit])) --limit;
    return std::string(text.substr(0, limit)) + "…";
}

std::string file_name_safe(std::string_view text) {
    constexpr std::string_view others = "._+-";
    std::string result(text);
    for (char& c : result) {
        const bool letter = lower(c) >= 'a' && lower(c) <= 'z';
        const bool digit = c >= '0' && c <= '9';
        const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
        if (!letter && !digit && !beyond_ascii && others.find(c) == std::string_view::npos) c = '-';
    }
    return result;
}

Phrase either(const std::vector<Phrase>& names) {
    if (names.size() < 2) return names.empty() ? Phrase() : names.front();
    return Phrase("%1 or %2", joined({names.begin(), names.end() - 1}, ", "), names.back());
}

Phrase either(const std::vector<std::string>& names) {
    return either(std::vector<Phrase>(names.begin(), names.end()));
}

Phrase listed(const std::vector<std::string>& texts, std::size_t most) {
    std::string list;
    for (std::size_t i = 0; i < std::min(most, texts.size()); ++i) list += (i > 0 ? ", " : "") + texts[i];
    return texts.size() > most ? Phrase("%1 and %2 more", list, texts.size() - most) : Phrase(list);
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (continues(text[i])) continue;
        // U+0300..U+036F, the combining accents, are CC 80 .. CD AF.
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if (byte == 0xCC || (byte == 0xCD && next <= 0xAF)) continue;
        ++width;
    }
    return width;
}

bool is_almost_value(std::string_view text) {
    std::string lower;
    for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const char* word : {"true", "false", "none", "null"})
        if (lower == word) return true;
    return !lower.empty() &&
           std::string_view("0123456789+-.").find(lower.front()) != std::string_view::npos &&
           lower.find_first_of("0123456789") != std::string::npos &&
           lower.find_first_not_of("0123456789+-.,_ex") == std::string::npos;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (i + length > text.size() || lead < 0xC0 || lead > 0xF4) return false;
        std::uint32_t code = lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) {
            if (!continues(text[i + k])) return false;
            code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
        }
        constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
        if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
        i += length;
    }
    return true;
}

}  // namespace casp::config
