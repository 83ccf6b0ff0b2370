#pragma once
// Parsing of untrusted JSON text, and its integers.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "util/phrase.h"

namespace casp {

/// Maximum nesting depth accepted: twice what this program writes.
inline constexpr int max_json_levels = 32;

/// Json::parse() with a limit of max_json_levels on the nesting depth: dump() is recursive, so that a
/// million levels would overflow the stack. Throws nlohmann::json::exception. `Json`: nlohmann::json or
/// ordered_json. Thread-safe.
template <typename Json = nlohmann::json>
[[nodiscard]] Json parse_json(std::string_view text) {
    const auto check = [](int depth, typename Json::parse_event_t, Json&) {
        if (depth > max_json_levels)
            throw nlohmann::json::other_error::create(
                501, Phrase("it nests deeper than %1 levels", max_json_levels), nullptr);
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

/// Value of an integer. Throws nlohmann::json::type_error for anything else, including fractions, numbers in
/// floating-point notation (1e3) and values beyond 64 bits; nlohmann's get<std::int64_t>() would truncate 1.5
/// to 1 and convert 9.9e20 with undefined behaviour. `Json`: nlohmann::json or ordered_json. Thread-safe.
template <typename Json>
[[nodiscard]] std::int64_t json_integer(const Json& value) {
    const bool fits = value.is_number_unsigned()
                          ? value.template get<std::uint64_t>() <=
                                static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                          : value.is_number_integer();
    if (!fits)
        throw nlohmann::json::type_error::create(
            302, Phrase("type must be a whole number of 64 bits, but is %1", value.dump().substr(0, 40)),
            &value);
    return value.template get<std::int64_t>();
}

/// json_integer() of an object's member; `otherwise` if there is no such member.
template <typename Json>
[[nodiscard]] std::int64_t json_integer(const Json& object, const char* name, std::int64_t otherwise) {
    const auto found = object.find(name);
    return found == object.end() ? otherwise : json_integer(*found);
}

}  // namespace casp
