#include "data/csv_text.h"

#include <fast_float/fast_float.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/csv_import.h"

namespace casp::data {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool ends_cell(const char* p, const Dialect& dialect) { return *p == dialect.delimiter || *p == '\n'; }

/// End of an unquoted cell.
const char* find_end(const char* p, const char* end, const Dialect& dialect) {
    while (p < end && !ends_cell(p, dialect)) ++p;
    return p;
}

std::string_view without_cr(const char* begin, const char* at, const char* end) {
    if ((at == end || *at == '\n') && at > begin && at[-1] == '\r') --at;
    return {begin, static_cast<std::size_t>(at - begin)};
}

bool same_word(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != lower[i]) return false;
    }
    return true;
}

void append_utf8(char32_t code, char*& out) {
    const auto put = [&](char32_t byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0u | (code >> 6u));
        put(0x80u | (code & 0x3Fu));
    } else if (code < 0x10000) {
        put(0xE0u | (code >> 12u));
        put(0x80u | ((code >> 6u) & 0x3Fu));
        put(0x80u | (code & 0x3Fu));
    } else {
        put(0xF0u | (code >> 18u));
        put(0x80u | ((code >> 12u) & 0x3Fu));
        put(0x80u | ((code >> 6u) & 0x3Fu));
        put(0x80u | (code & 0x3Fu));
    }
}

}  // namespace

const std::vector<std::string_view>& missing_markers() {
    static const std::vector<std::string_view> markers{"",     "na",  "n/a", "#n/a", "<na>", "nan", "null",
                                                       "none", "nil", "-",   "--",   "?",    "."};
    return markers;
}

const char* read_cell(const char* p, const char* end, const Dialect& dialect, Cell& cell) {
    cell = {};
    const char* const begin = p;
    if (dialect.has_quotes) {
        while (p < end && is_blank(*p) && *p != dialect.delimiter) ++p;
        if (p < end && *p == dialect.quote) {
            const char* const inner = ++p;
            while (true) {
                while (p < end && *p != dialect.quote) {
                    cell.newlines += *p == '\n' ? 1 : 0;
                    ++p;
                }
                if (p == end) {
                    cell.unclosed = true;
                    cell.text = {inner, static_cast<std::size_t>(p - inner)};
                    return p;
                }
                if (p + 1 < end && p[1] == dialect.quote) {
                    p += 2;
                    continue;
                }
                break;
            }
            cell.text = {inner, static_cast<std::size_t>(p - inner)};
            cell.quoted = true;
            const char* const rest = ++p;
            p = find_end(p, end, dialect);
            if (!trimmed(without_cr(rest, p, end)).empty()) {
                cell.text = without_cr(begin, p, end);
                cell.quoted = false;
            }
            return p;
        }
        p = begin;
    }
    p = find_end(p, end, dialect);
    cell.text = without_cr(begin, p, end);
    return p;
}

const char* begin_record(const char* p, const char* end, const Dialect& dialect) {
    if (dialect.merges())
        while (p < end && *p == ' ') ++p;
    return p;
}

bool next_cell(const char*& p, const char* end, const Dialect& dialect) {
    if (p >= end || *p != dialect.delimiter) return false;
    ++p;
    if (!dialect.merges()) return true;
    while (p < end && *p == ' ') ++p;
    return p < end && *p != '\n' && !(*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

std::string unescaped(const Cell& cell, char quote) {
    std::string text;
    text.reserve(cell.text.size());
    for (std::size_t i = 0; i < cell.text.size(); ++i) {
        text += cell.text[i];
        if (cell.quoted && cell.text[i] == quote && i + 1 < cell.text.size() && cell.text[i + 1] == quote)
            ++i;
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (is_blank(text.front()) || text.front() == '\r')) text.remove_prefix(1);
    while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

CellKind read_number(std::string_view text, char decimal, double& value) {
    text = trimmed(text);
    value = std::numeric_limits<double>::quiet_NaN();
    if (text.empty()) return CellKind::missing;
    std::string_view digits = text;
    if (digits.front() == '+' && digits.size() > 1 && digits[1] != '-') digits.remove_prefix(1);
    double parsed = 0;
    const auto result = fast_float::from_chars_advanced(
        digits.data(), digits.data() + digits.size(), parsed,
        fast_float::parse_options(fast_float::chars_format::general, decimal));
    if (result.ec == std::errc() && result.ptr == digits.data() + digits.size()) {
        if (std::isnan(parsed)) return CellKind::nan;
        if (std::isinf(parsed)) return CellKind::infinite;
        value = parsed;
        return CellKind::number;
    }
    for (const auto marker : missing_markers())
        if (same_word(text, marker)) return CellKind::missing;
    return CellKind::text;
}

bool valid_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char lead = byte(i);
        std::size_t more = 0;
        char32_t code = 0;
        if (lead < 0x80) {
            ++i;
            continue;
        }
        if (lead >= 0xC2 && lead < 0xE0) {
            more = 1;
            code = lead & 0x1Fu;
        } else if (lead >= 0xE0 && lead < 0xF0) {
            more = 2;
            code = lead & 0x0Fu;
        } else if (lead >= 0xF0 && lead < 0xF5) {
            more = 3;
            code = lead & 0x07u;
        } else {
            return false;
        }
        if (i + more >= text.size()) return false;
        for (std::size_t k = 1; k <= more; ++k) {
            if ((byte(i + k) & 0xC0u) != 0x80u) return false;
            code = (code << 6u) | (byte(i + k) & 0x3Fu);
        }
        if ((more == 2 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
            (more == 3 && (code < 0x10000 || code > 0x10FFFF)))
            return false;
        i += more + 1;
    }
    return true;
}

std::string readable(std::string_view text, bool latin1) {
    std::string out;
    const bool convert = latin1 || !valid_utf8(text);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            out += ' ';
        } else if (byte < 0x80 || !convert) {
            out += c;
        } else {
            out += static_cast<char>(0xC0u | (byte >> 6u));
            out += static_cast<char>(0x80u | (byte & 0x3Fu));
        }
    }
    return out;
}

Bytes utf16_to_utf8(std::string_view bytes, bool big_endian, std::int64_t& broken) {
    const std::size_t units = bytes.size() / 2;
    const auto unit = [&](std::size_t i) -> char32_t {
        const auto low = static_cast<unsigned char>(bytes[2 * i + (big_endian ? 1 : 0)]);
        const auto high = static_cast<unsigned char>(bytes[2 * i + (big_endian ? 0 : 1)]);
        return static_cast<char32_t>((high << 8u) | low);
    };
    Bytes buffer(units * 3 + 3);
    char* out = buffer.data();
    for (std::size_t i = 0; i < units; ++i) {
        char32_t code = unit(i);
        if (code >= 0xD800 && code < 0xE000) {
            const char32_t next = code < 0xDC00 && i + 1 < units ? unit(i + 1) : 0;
            if (next >= 0xDC00 && next < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10u) + (next - 0xDC00);
                ++i;
            } else {
                code = 0xFFFD;
                ++broken;
            }
        }
        append_utf8(code, out);
    }
    if (bytes.size() % 2 != 0) {
        append_utf8(0xFFFD, out);
        ++broken;
    }
    const auto size = static_cast<std::size_t>(out - buffer.data());
    Bytes result(size);
    std::memcpy(result.data(), buffer.data(), size);
    return result;
}

}  // namespace casp::data
