#pragma once
// Checked conversion of JSON numbers to 64-bit integers.

#include <cstdint>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

namespace casp {

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
            302, "type must be a whole number of 64 bits, but is " + value.dump().substr(0, 40), &value);
    return value.template get<std::int64_t>();
}

/// json_integer() of an object's member; `otherwise` if there is no such member.
template <typename Json>
[[nodiscard]] std::int64_t json_integer(const Json& object, const char* name, std::int64_t otherwise) {
    const auto found = object.find(name);
    return found == object.end() ? otherwise : json_integer(*found);
}

}  // namespace casp
