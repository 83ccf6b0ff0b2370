#pragma once
// The JSON at the beginning of a .safetensors file, read entry by entry.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "util/error.h"

namespace casp::store {

/// More tensors (or texts of __metadata__) than any model has: what a header of 100 MB may cost stays
/// bounded.
inline constexpr std::size_t most_header_names = 1'000'000;
inline constexpr std::size_t maximum_rank = 64;

/// What a header holds, in the order of the file. Both may throw.
struct HeaderEntries {
    /// `entry` has the value of each key, whatever its type; or is no object at all.
    std::function<void(std::string name, const nlohmann::json& entry)> tensor;
    std::function<void(std::string key, std::string text)> metadata;
};

/// Reads `text` without ever holding more than one entry of it, in a time proportional to its length. Throws
/// an input Error that begins with `file`: no JSON, no object, nested too deep, a list or an entry that is
/// too long, too many names, __metadata__ that is no texts, a key of one entry twice. Whether the name of a
/// tensor or of a text comes twice is for the caller to see.
void read_header(const std::string& file, std::string_view text, const HeaderEntries& entries);

/// What no library that knows the format writes: the reader can only get the file anew.
[[nodiscard]] Error damaged_safetensors(const std::string& where, const std::string& found,
                                        const std::string& expected);

/// The header has `name` twice, which JSON itself allows.
[[nodiscard]] Error named_twice(const std::string& file, const std::string& name);

}  // namespace casp::store
