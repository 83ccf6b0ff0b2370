#pragma once
// JSON texts of unknown origin.

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace casp {

/// Nothing that this program writes nests half as deep.
inline constexpr int most_json_levels = 32;

/// As Json::parse(), but refuses values that nest deeper than most_json_levels: putting one into words (dump)
/// calls itself once a level, and a million levels end the program. Throws nlohmann::json::exception. Any
/// thread. For nlohmann::json or ordered_json.
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

/// A discarded value, which is of no type, where parse_json() throws.
template <typename Json = nlohmann::json>
[[nodiscard]] Json parse_json_or_discard(std::string_view text) {
    try {
        return parse_json<Json>(text);
    } catch (const nlohmann::json::exception&) {
        return Json(Json::value_t::discarded);
    }
}

/// The beginning of what stands in a file, for a message to a person: a hostile one is a megabyte long.
[[nodiscard]] inline std::string beginning_of(std::string text, std::size_t most = 300) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;  // a whole character
    text.resize(most);
    return text + "…";
}

}  // namespace casp
