#include "text/gpt2_tokenizer.h"

#include <limits>

#include "text/unicode.h"
#include "util/error.h"

namespace casp::text {

namespace {

constexpr auto no_token = std::numeric_limits<std::int64_t>::max();

/// A character with its class; a byte that is not UTF-8 counts as one character.
struct Classified {
    std::size_t length;
    CharacterClass kind;
};

Classified classified(std::string_view text, std::size_t place) {
    const auto found = character_at(text, place);
    if (found.length == 0) return {1, CharacterClass::other};
    return {found.length, class_of(found.code)};
}

/// End of the characters of `kind` from `place` on.
std::size_t end_of_run(std::string_view text, std::size_t place, CharacterClass kind) {
    while (place < text.size()) {
        const auto next = classified(text, place);
        if (next.kind != kind) break;
        place += next.length;
    }
    return place;
}

/// White space from `place` to `end` as one piece, but without its last character if more text follows: that
/// one goes before the next piece, or is a piece.
std::size_t end_of_space(std::string_view text, std::size_t place, std::size_t end) {
    if (end == text.size()) return end;
    std::size_t last = place;
    for (std::size_t next = place; next < end; next += classified(text, next).length) last = next;
    return last > place ? last : end;
}

std::size_t end_of_piece(std::string_view text, std::size_t place) {
    using namespace std::string_view_literals;
    for (const auto contraction : {"'s"sv, "'t"sv, "'re"sv, "'ve"sv, "'m"sv, "'ll"sv, "'d"sv})
        if (text.substr(place).starts_with(contraction)) return place + contraction.size();
    const auto start = place + (text[place] == ' ' ? 1 : 0);
    if (start < text.size()) {
        const auto kind = classified(text, start).kind;
        if (kind != CharacterClass::space) return end_of_run(text, start, kind);
    }
    return end_of_space(text, place, end_of_run(text, place, CharacterClass::space));
}

}  // namespace

std::vector<std::string_view> gpt2_pieces(std::string_view text) {
    std::vector<std::string_view> pieces;
    for (std::size_t place = 0; place < text.size();) {
        const auto end = end_of_piece(text, place);
        pieces.push_back(text.substr(place, end - place));
        place = end;
    }
    return pieces;
}

Gpt2Tokenizer::Gpt2Tokenizer(const Tokens& tokens) : count_(tokens.count()) {
    for (std::int64_t token = 0; token < count_; ++token)
        numbers_.emplace(std::string(*tokens.bytes(token)), token);
    for (int byte = 0; byte < 256; ++byte)
        if (number_of(std::string(1, static_cast<char>(byte))) == no_token)
            throw input_error(tokens.file().string(), Phrase("there is no token for the byte %1", byte),
                              "a token for each of the 256 bytes", "Use the vocab.json of GPT-2.");
}

std::int64_t Gpt2Tokenizer::number_of(std::string_view bytes) const {
    const auto found = numbers_.find(bytes);
    return found != numbers_.end() ? found->second : no_token;
}

std::vector<std::int64_t> Gpt2Tokenizer::encode(std::string_view text) const {
    std::vector<std::int64_t> tokens;
    for (const auto piece : gpt2_pieces(text)) encode_piece(piece, tokens);
    return tokens;
}

void Gpt2Tokenizer::encode_piece(std::string_view piece, std::vector<std::int64_t>& out) const {
    std::vector<std::size_t> borders(piece.size() + 1);  // part i: borders[i] to borders[i + 1]
    for (std::size_t i = 0; i < borders.size(); ++i) borders[i] = i;
    const auto joined = [&](std::size_t part) {
        return number_of(piece.substr(borders[part], borders[part + 2] - borders[part]));
    };
    while (borders.size() > 2) {
        std::size_t best = 0;
        auto smallest = no_token;
        for (std::size_t part = 0; part + 2 < borders.size(); ++part)
            if (const auto number = joined(part); number < smallest) {
                smallest = number;
                best = part;
            }
        if (smallest == no_token) break;
        borders.erase(borders.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    for (std::size_t part = 0; part + 1 < borders.size(); ++part)
        out.push_back(number_of(piece.substr(borders[part], borders[part + 1] - borders[part])));
}

}  // namespace casp::text
