#include "data/csv_text.h"

#include <fast_float/fast_float.h>
#include <cmath>
#include <limits>

#include "config/text_utils.h"
#include "util/marked_text.h"

namespace casp::data {

namespace {

constexpr std::string_view no_break = "\xC2\xA0";  // U+00A0, which web pages put around cells

/// Texts of a missing cell; compared ignoring case and surrounding blanks.
constexpr std::string_view missing_markers[] = {
    "",    "na", "n/a", "#n/a", "<na>", "nan",     "null",    "none",    "nil",   "-",    "--",
    "---", "?",  ".",   "n.a.", "n.d.", "missing", "#value!", "#div/0!", "#ref!", "#num!"};

bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }

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

}  // namespace

const char* read_cell(const char* p, const char* end, const Dialect& dialect, Cell& cell) {
    cell = {};
    const char* const begin = p;
    if (dialect.has_quotes) {
        while (p < end && is_space_or_tab(*p) && *p != dialect.delimiter) ++p;
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
                if (dialect.escape != '\0' && p > inner && p[-1] == dialect.escape &&
                    !(p > inner + 1 && p[-2] == dialect.escape)) {
                    ++p;
                    continue;
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
    while (!text.empty() && (is_space_or_tab(text.front()) || text.front() == '\r')) text.remove_prefix(1);
    while (!text.empty() && (is_space_or_tab(text.back()) || text.back() == '\r')) text.remove_suffix(1);
    while (text.starts_with(no_break)) text.remove_prefix(no_break.size());
    while (text.ends_with(no_break)) text.remove_suffix(no_break.size());
    return text;
}

namespace {

/// Length of the blank at the beginning of `text`: ASCII, no-break, narrow or thin; 0: there is none.
std::size_t blank_at(std::string_view text) {
    if (text.starts_with(' ')) return 1;
    if (text.starts_with("\xC2\xA0")) return 2;
    return text.starts_with("\xE2\x80\xAF") || text.starts_with("\xE2\x80\x89") ? 3 : 0;
}

/// Length of the sign between groups of digits at the beginning of `text`; 0: there is none.
std::size_t group_sign_at(std::string_view text, char thousands) {
    if (thousands == '\0' || text.empty()) return 0;
    if (thousands == ' ') return blank_at(text);
    if (thousands == '\'' && text.starts_with("\xE2\x80\x99")) return 3;
    return text.front() == thousands ? 1 : 0;
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// A number's text with plain signs only, in a buffer.
class PlainNumber {
public:
    /// False: this is no number of the forms that read_number() allows beside the plain one.
    bool take(std::string_view text, char decimal, char thousands) {
        text = without_unit(text);
        const bool in_brackets = text.starts_with('(') && text.ends_with(')');
        if (in_brackets || text.ends_with('-')) {  // how accounts write negative numbers
            put('-');
            text.remove_suffix(1);
            if (in_brackets) text.remove_prefix(1);
        }
        for (const std::string_view minus : {"\u2212", "–", "-"})
            if (text.starts_with(minus) && size_ == 0) {
                put('-');
                text = trimmed(text.substr(minus.size()));
            }
        text = without_unit(text);
        bool in_whole = true;  // before decimal sign and exponent
        std::size_t group = 0;
        std::size_t groups = 0;
        while (!text.empty()) {
            const char c = text.front();
            if (const auto sign = in_whole && group > 0 ? group_sign_at(text, thousands) : 0; sign > 0) {
                if (groups == 0 ? group > 3 : group != 3) return false;
                ++groups;
                group = 0;
                text.remove_prefix(sign);
                continue;
            }
            const bool exponent = (c == 'D' || c == 'd') && size_ > 0;
            if (in_whole && !is_decimal_digit(c) && size_ + groups > 0 && groups > 0 && group != 3)
                return false;
            if (is_decimal_digit(c))
                ++group;
            else if (size_ > 0)
                in_whole = false;
            put(exponent ? 'e' : c == decimal ? '.' : c == '.' ? '\0' : c);
            text.remove_prefix(1);
            if (size_ == sizeof buffer_) return false;
        }
        return !in_whole || groups == 0 || group == 3;
    }
    [[nodiscard]] std::string_view text() const { return {buffer_, size_}; }

private:
    /// Without a sign of currency or percent before or behind the number.
    static std::string_view without_unit(std::string_view text) {
        if (text.empty() || (is_decimal_digit(text.front()) && is_decimal_digit(text.back()))) return text;
        for (const std::string_view unit :
             {"$", "€", "£", "¥", "%", "USD", "EUR", "GBP", "CHF", "JPY", "CNY"}) {
            if (text.starts_with(unit)) return trimmed(text.substr(unit.size()));
            if (text.ends_with(unit)) return trimmed(text.substr(0, text.size() - unit.size()));
        }
        return text;
    }
    void put(char c) { buffer_[size_++] = c; }
    char buffer_[128] = {};
    std::size_t size_ = 0;
};

bool parse_number(std::string_view digits, char decimal, double& parsed) {
    if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
    const auto result = fast_float::from_chars_advanced(
        digits.data(), digits.data() + digits.size(), parsed,
        fast_float::parse_options(fast_float::chars_format::general, decimal));
    return result.ec == std::errc() && result.ptr == digits.data() + digits.size();
}

bool parse_other_number(std::string_view text, char decimal, char thousands, double& parsed) {
    PlainNumber plain;
    return text.size() < 120 && text.find_first_of("0123456789") != std::string_view::npos &&
           text.find(':') == std::string_view::npos && plain.take(text, decimal, thousands) &&
           parse_number(plain.text(), '.', parsed);
}

}  // namespace

CellKind read_number(std::string_view text, char decimal, double& value, char thousands) {
    text = trimmed(text);
    value = std::numeric_limits<double>::quiet_NaN();
    if (text.empty()) return CellKind::missing;
    double parsed = 0;
    if (parse_number(text, decimal, parsed) || parse_other_number(text, decimal, thousands, parsed)) {
        if (std::isnan(parsed)) return CellKind::nan;
        if (std::isinf(parsed)) return CellKind::infinite;
        value = parsed;
        return CellKind::number;
    }
    for (const auto marker : missing_markers)
        if (text.size() == marker.size() && config::same_name(text, marker)) return CellKind::missing;
    return CellKind::text;
}

Phrase sign_name(char sign) {
    switch (sign) {
        case ',':
            return CASP_TEXT("comma");
        case ';':
            return CASP_TEXT("semicolon");
        case '\t':
            return CASP_TEXT("tab");
        case '|':
            return CASP_TEXT("bar");
        case ' ':
            return CASP_TEXT("blanks");
        case '.':
            return CASP_TEXT("point");
        case '\'':
            return CASP_TEXT("apostrophe");
        case '"':
            return CASP_TEXT("double quote");
        case '\0':
            return CASP_TEXT("none");
        case '\x1F':
            return CASP_TEXT("U+001F");
        default:
            return std::string("'") + sign + "'";
    }
}

std::string readable(std::string_view text) {
    std::string out;
    const bool convert = !config::is_utf8(text);
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

}  // namespace casp::data
