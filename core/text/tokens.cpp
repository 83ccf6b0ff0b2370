#include "text/tokens.h"

#include <array>
#include <cstddef>
#include <system_error>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "data/catalog.h"
#include "store/atomic_file.h"
#include "text/unicode.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::text {

namespace {

/// The character for each byte, as a code point: printable bytes map to themselves, the others, in order, to
/// U+0100 and up (the rule of GPT-2's tokenizer).
std::array<char32_t, 256> characters_of_bytes() {
    std::array<char32_t, 256> table{};
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        table[byte] = printable ? byte : next++;
    }
    return table;
}

/// Nothing if a character does not encode a byte.
std::optional<std::string> decoded(const std::string& token) {
    static const auto bytes = [] {
        std::unordered_map<char32_t, char> map;
        const auto table = characters_of_bytes();
        for (std::size_t i = 0; i < table.size(); ++i) map[table[i]] = static_cast<char>(i);
        return map;
    }();
    std::string result;
    for (std::size_t i = 0; i < token.size();) {
        const auto character = character_at(token, i);
        const auto found = bytes.find(character.code);
        if (character.length == 0 || found == bytes.end()) return {};
        result += found->second;
        i += character.length;
    }
    return result;
}

std::string hex(unsigned char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
}

}  // namespace

Tokens Tokens::read(const std::filesystem::path& file) {
    const auto text = store::read_small_file(file);
    const auto json = parse_json_or_discard(text);
    const auto wrong = [&](const Phrase& found, const Phrase& expected) {
        return input_error(file.string(), found, expected, "Use the vocab.json of GPT-2.");
    };
    if (!json.is_object() || json.empty())
        throw wrong("this is not a vocabulary", "a JSON object of tokens and their numbers");
    Tokens tokens;
    tokens.file_ = file;
    tokens.bytes_.resize(json.size());
    std::vector<bool> seen(json.size(), false);
    for (const auto& [token, number] : json.items()) {
        const auto expected = Phrase("each number from 0 to %1 once", json.size() - 1);
        if (!number.is_number_unsigned())
            throw wrong(Phrase("the number of a token is %1", beginning_of(number.dump())), expected);
        const auto id = number.get<std::uint64_t>();
        if (id >= json.size() || seen[id])
            throw wrong(id < json.size() ? Phrase("the number %1 is used twice", id)
                                         : Phrase("the number %1 is too large", id),
                        expected);
        seen[id] = true;
        // Tokens that are not byte-level (special tokens of other tokenizers) are kept unchanged.
        tokens.bytes_[id] = decoded(token).value_or(token);
    }
    return tokens;
}

std::optional<std::string_view> Tokens::bytes(std::int64_t token) const {
    if (token < 0 || token >= count()) return {};
    return bytes_[static_cast<std::size_t>(token)];
}

std::string Tokens::label(std::int64_t token) const {
    const auto found = bytes(token);
    if (!found) return "#" + std::to_string(token);
    const auto text = *found;
    std::string label;
    for (std::size_t i = 0; i < text.size();) {
        const auto character = character_at(text, i);
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == ' ') {
            label += "\u2423";
        } else if (byte == '\n') {
            label += "\\n";
        } else if (byte == '\r') {
            label += "\\r";
        } else if (byte == '\t') {
            label += "\\t";
        } else if (character.length == 0 || byte < 0x20 || byte == 0x7F ||
                   (character.code >= 0x80 && character.code < 0xA0)) {
            label += hex(byte);
            ++i;
            continue;
        } else {
            label += text.substr(i, character.length);
        }
        i += character.length;
    }
    return label;
}

std::optional<std::filesystem::path> find_vocabulary(const std::filesystem::path& given,
                                                     const std::filesystem::path& checkpoint) {
    constexpr const char* name = "vocab.json";
    std::error_code problem;
    if (!given.empty()) {
        const auto file = std::filesystem::is_directory(given, problem) ? given / name : given;
        if (!std::filesystem::exists(file, problem))
            throw input_error(file.string(), "there is no such file", "the vocab.json of GPT-2's tokenizer");
        return file;
    }
    if (!checkpoint.empty())
        if (auto beside = checkpoint.parent_path() / name; std::filesystem::exists(beside, problem))
            return beside;
    if (auto kept = data::catalog_path("gpt2").parent_path() / name; std::filesystem::exists(kept, problem))
        return kept;
    return {};
}

}  // namespace casp::text
