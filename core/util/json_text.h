#pragma once
// Parsing of untrusted JSON text.

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace casp {

/// Maximum nesting depth accepted: twice what this program writes.
inline constexpr int most_json_levels = 32;

/// Json::parse() with a limit of most_json_levels on the nesting depth: dump() is recursive, so that a
/// million levels would overflow the stack. Throws nlohmann::json::exception. `Json`: nlohmann::json or
/// ordered_json. Thread-safe.
template <typename Json = nlohmann::json>
[[nodiscard]] Json parse_json(std::string_view text) {
    const auto check = [](int depth, typename Json::parse_event_t, Json&) {
        if (depth > most_json_levels)
            throw nlohmann::json::other_error::create(
                501, "it nests deeper than " + std::to_string(most_json_levels) + " levels", nullptr);
        return true;
    };
    return Json::parse(text, check);
}

/// parse_json(), with a discarded value (Json::is_discarded()) instead of an exception.
template <typename Json = nlohmann::json>
[[nodiscard]] Json parse_json_or_discard(std::string_view text) {
    try {
        return parse_json<Json>(text);
    } catch (const nlohmann::json::exception&) {
        return Json(Json::value_t::discarded);
    }
}

/// The first `most` bytes of a text, for messages: text from a hostile file can be a megabyte long.
[[nodiscard]] inline std::string beginning_of(std::string text, std::size_t most = 300) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;  // do not cut a UTF-8 character
    text.resize(most);
    return text + "…";
}

}  // namespace casp
