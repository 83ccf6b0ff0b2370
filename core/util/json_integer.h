#pragma once
// Whole numbers from JSON of unknown origin.

#include <cstdint>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

namespace casp {

/// The whole number that `value` is. nlohmann's own get<std::int64_t>() casts 9.9e20 to an integer, which is
/// undefined, and 1.5 to 1. Throws nlohmann::json::type_error, as get() does for a text: of a fraction, of a
/// number written as one (1e3), and of one beyond 64 bits. Any thread. Of nlohmann::json or ordered_json.
template <typename Json>
[[nodiscard]] std::int64_t json_integer(const Json& value) {
    const bool fits = value.is_number_unsigned()
                          ? value.template get<std::uint64_t>() <=
                                static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                          : value.is_number_integer();
    if (!fits)
        throw nlohmann::json::type_error::create(
            302, "type must be a whole number of 64 bits, but is " + value.dump().substr(0, 40), &value);
    return value.template get<std::int64_t>();
}

/// That of a member of an object; `otherwise` where there is none.
template <typename Json>
[[nodiscard]] std::int64_t json_integer(const Json& object, const char* name, std::int64_t otherwise) {
    const auto found = object.find(name);
    return found == object.end() ? otherwise : json_integer(*found);
}

}  // namespace casp
