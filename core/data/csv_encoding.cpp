#include "data/csv_encoding.h"

#include <iconv.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "config/text_utils.h"
#include "util/error.h"

namespace casp::data {

namespace {

using namespace std::string_view_literals;

/// Encodings that data.csv.encoding names; a new one is a line.
struct Encoding {
    const char* name;
    const char* iconv_name;
    std::size_t unit;  ///< bytes of the smallest character
};
constexpr std::array<Encoding, 10> encodings{{{"UTF-8", nullptr, 1},
                                              {"Latin-1", "CP1252", 1},
                                              {"UTF-16LE", "UTF-16LE", 2},
                                              {"UTF-16BE", "UTF-16BE", 2},
                                              {"GB18030", "GB18030", 1},
                                              {"Shift-JIS", "CP932", 1},
                                              {"Big5", "BIG5-HKSCS", 1},
                                              {"EUC-KR", "CP949", 1},
                                              {"EUC-JP", "EUC-JP", 1},
                                              {"Windows-1251", "CP1251", 1}}};

/// Bytes that are no character become U+FFFD and are counted in `broken`.
Bytes to_utf8(std::string_view bytes, const Encoding& encoding, std::int64_t& broken) {
    const std::unique_ptr<void, int (*)(void*)> converter(iconv_open("UTF-8", encoding.iconv_name),
                                                          [](void* it) { return iconv_close(it); });
    if (converter.get() == reinterpret_cast<void*>(-1))
        throw input_error("data.csv.encoding", Phrase("this system does not know %1", encoding.iconv_name),
                          {}, "Convert the file to UTF-8.");
    std::string out(bytes.size() + bytes.size() / 2 + 16, '\0');
    auto* in = const_cast<char*>(bytes.data());
    std::size_t left = bytes.size();
    std::size_t written = 0;
    while (left > 0) {
        if (out.size() - written < 16) out.resize(out.size() * 2);
        char* to = out.data() + written;
        std::size_t room = out.size() - written;
        const auto result = iconv(converter.get(), &in, &left, &to, &room);
        written = out.size() - room;
        if (result != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
        ++broken;  // an invalid or, at the end, incomplete character
        const auto skipped = std::min(left, encoding.unit);
        in += skipped;
        left -= skipped;
        out.replace(written, 3, "\xEF\xBF\xBD");
        written += 3;
    }
    Bytes text(written);
    std::memcpy(text.data(), out.data(), written);
    return text;
}

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// How well text beyond ASCII fits an encoding of two bytes per character.
struct Fit {
    std::int64_t usual = 0;   ///< characters of everyday text
    std::int64_t other = 0;   ///< further characters
    std::int64_t broken = 0;  ///< bytes that are none
};

/// Usual: the first level of GB 2312, its punctuation and letters.
Fit fit_gb18030(std::string_view text) {
    Fit fit;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = byte_at(text, i);
        if (lead < 0x80) continue;
        const auto trail = i + 1 < text.size() ? byte_at(text, i + 1) : static_cast<unsigned char>(0);
        if (lead >= 0x81 && lead < 0xFF && trail >= 0x30 && trail <= 0x39 && i + 3 < text.size()) {
            i += 3;
            ++fit.other;
        } else if (lead >= 0x81 && lead < 0xFF && trail >= 0x40 && trail != 0x7F && trail < 0xFF) {
            ++i;
            ++(trail >= 0xA1 && ((lead >= 0xB0 && lead <= 0xD7) || (lead >= 0xA1 && lead <= 0xA3))
                   ? fit.usual
                   : fit.other);
        } else {
            ++fit.broken;
        }
    }
    return fit;
}

/// Usual: kana, full-width letters and the first level of JIS X 0208.
Fit fit_shift_jis(std::string_view text) {
    Fit fit;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = byte_at(text, i);
        if (lead < 0x80) continue;
        const auto trail = i + 1 < text.size() ? byte_at(text, i + 1) : static_cast<unsigned char>(0);
        if (lead >= 0xA1 && lead <= 0xDF) {
            ++fit.other;  // half-width kana
        } else if (((lead >= 0x81 && lead <= 0x9F) || (lead >= 0xE0 && lead <= 0xFC)) && trail >= 0x40 &&
                   trail != 0x7F && trail <= 0xFC) {
            ++i;
            ++(lead <= 0x83 || (lead >= 0x88 && lead <= 0x97) ? fit.usual : fit.other);
        } else {
            ++fit.broken;
        }
    }
    return fit;
}

/// The encoding of a text that is not UTF-8, and why.
struct Guess {
    const char* name;
    const char* why;
};

Guess guess_encoding(std::string_view head) {
    const auto fits = [](const Fit& fit) { return fit.broken == 0 && fit.usual > 3 * fit.other; };
    const Fit japanese = fit_shift_jis(head);
    const Fit chinese = fit_gb18030(head);
    if (fits(chinese) && chinese.usual > 1 && (!fits(japanese) || chinese.usual >= japanese.usual))
        return {"GB18030", "not UTF-8, but every pair of bytes beyond ASCII is a usual Chinese character"};
    if (fits(japanese) && japanese.usual > 1)
        return {"Shift-JIS", "not UTF-8, but every pair of bytes beyond ASCII is a usual Japanese character"};
    return {"Latin-1", "not UTF-8"};
}

/// Removes the byte-order mark and returns its encoding; empty: there is none.
std::string take_mark(std::string_view& bytes) {
    for (const auto& [mark, name] :
         {std::pair{"\xEF\xBB\xBF"sv, "UTF-8"}, std::pair{"\xFF\xFE"sv, "UTF-16LE"},
          std::pair{"\xFE\xFF"sv, "UTF-16BE"}})
        if (bytes.starts_with(mark)) {
            bytes.remove_prefix(mark.size());
            return name;
        }
    return {};
}

/// UTF-16 without a mark: each digit and letter of the first line has a zero byte.
std::string unmarked_utf16(std::string_view bytes) {
    if (bytes.size() < 4) return {};
    if (bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0) return "UTF-16LE";
    if (bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0) return "UTF-16BE";
    return {};
}

void check_name(const std::string& encoding) {
    std::vector<std::string> names;
    for (const auto& known : encodings) {
        if (encoding == known.name) return;
        names.emplace_back(known.name);
    }
    throw input_error("encoding", Phrase("\"%1\" is not known", encoding), config::either(names),
                      Phrase("The nearest is \"%1\".", config::nearest_name(encoding, names)));
}

/// The start is enough: only names and text have letters beyond ASCII, numbers do not depend on it.
std::string_view first_lines(std::string_view text) {
    const auto head = text.substr(0, 1u << 20u);
    return head.size() < text.size() ? head.substr(0, head.find_last_of('\n') + 1) : head;
}

void warn(Table& table, std::int64_t count, Phrase text) {
    table.warnings.push_back({WarningKind::encoding, 0, "", count, std::move(text)});
}

void convert(Text& text, const std::string& encoding, Table& table) {
    const auto known =
        std::ranges::find_if(encodings, [&](const Encoding& one) { return one.name == encoding; });
    if (known->iconv_name == nullptr) return;
    std::int64_t broken = 0;
    text.converted = to_utf8(text.view, *known, broken);
    text.view = text.converted.view();
    if (broken > 0)
        warn(table, broken,
             encoding.starts_with("UTF-16")
                 ? Phrase("%1 broken UTF-16 characters were replaced by U+FFFD", broken)
                 : Phrase("%1 broken %2 characters were replaced by U+FFFD", broken, encoding));
}

/// Zero bytes at the end are space that a logger reserved, or the rest of a write that was cut off.
void cut_zero_bytes(Text& text, const std::string& where, Table& table) {
    const auto size = text.view.size();
    while (text.view.ends_with('\0')) text.view.remove_suffix(1);
    if (const auto zeros = size - text.view.size(); zeros > 0 && !text.view.empty())
        warn(table, static_cast<std::int64_t>(zeros),
             zeros == 1 ? Phrase("%1 zero byte at the end of the file left out", zeros)
                        : Phrase("%1 zero bytes at the end of the file left out", zeros));
    if (const void* nul = std::memchr(text.view.data(), '\0', text.view.size());
        nul != nullptr || text.view.empty())
        throw input_error(where,
                          Phrase("a zero byte at offset %1: this is not a text file",
                                 nul == nullptr ? 0 : static_cast<const char*>(nul) - text.view.data()),
                          "a CSV file", "Give another file, or save this table as CSV.");
}

/// Whether more lines end with CR alone than with LF.
bool mostly_cr(std::string_view head) {
    std::int64_t cr = 0;
    std::int64_t lf = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
        lf += head[i] == '\n' ? 1 : 0;
        cr += head[i] == '\r' && i + 1 < head.size() && head[i + 1] != '\n' && head[i + 1] != '\r' ? 1 : 0;
    }
    return cr > lf;
}

void unify_lines(Text& text, Table& table) {
    const void* lf = std::memchr(text.view.data(), '\n', text.view.size());
    if (mostly_cr(text.view.substr(0, 1u << 16u))) {
        Bytes copy(text.view.size());
        for (std::size_t i = 0; i < text.view.size(); ++i) {
            const bool lone = text.view[i] == '\r' && (i + 1 == text.view.size() || text.view[i + 1] != '\n');
            copy.data()[i] = lone ? '\n' : text.view[i];
        }
        text.converted = std::move(copy);
        text.view = text.converted.view();
        table.format.line_ending = "CR";
    } else if (lf != nullptr) {
        const char* at = static_cast<const char*>(lf);
        if (at > text.view.data() && at[-1] == '\r') table.format.line_ending = "CRLF";
    }
}

}  // namespace

Text decode(std::string_view bytes, const std::string& where, const CsvOptions& options, Table& table) {
    Text text;
    auto encoding = options.encoding.value_or("");
    if (!encoding.empty()) check_name(encoding);
    const auto marked = take_mark(bytes);
    table.format.bom = !marked.empty();
    text.view = bytes;
    Phrase why = !encoding.empty() ? "set" : !marked.empty() ? "by its byte-order mark" : "";
    if (encoding.empty()) encoding = !marked.empty() ? marked : unmarked_utf16(bytes);
    if (!encoding.empty()) convert(text, encoding, table);
    if (encoding == "UTF-8" && !config::is_utf8(first_lines(text.view)))
        warn(table, 1,
             "the text is not UTF-8, as it is said to be: letters beyond ASCII may be others "
             "(data.csv.encoding sets it)");
    if (text.view.empty()) return text;
    cut_zero_bytes(text, where, table);
    if (encoding.empty()) {
        const auto head = first_lines(text.view);
        const bool utf8 = config::is_utf8(head);
        const auto guess = utf8 ? Guess{"UTF-8", ""} : guess_encoding(head);
        encoding = guess.name;
        why = guess.why;
        if (!utf8)
            warn(table, 1,
                 Phrase("the text is not UTF-8; it was read as %1 (data.csv.encoding sets it)", encoding));
        convert(text, encoding, table);
    } else if (why.empty()) {
        why = "by its zero bytes";
    }
    unify_lines(text, table);
    table.format.encoding = encoding;
    table.readings.push_back({"encoding", encoding, why, "data.csv.encoding"});
    return text;
}

}  // namespace casp::data
