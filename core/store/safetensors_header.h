#pragma once
// Streaming parser for the JSON header of .safetensors files.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "util/error.h"

namespace casp::store {

/// Limit on the number of tensors (or texts in __metadata__), above that of any model: bounds the cost of a
/// 100 MB header.
inline constexpr std::size_t most_header_names = 1'000'000;
inline constexpr std::size_t maximum_rank = 64;

/// Callbacks for the entries of a header, in file order. They may throw.
struct HeaderEntries {
    /// `entry`: the value of the key, of any JSON type; not necessarily an object.
    std::function<void(std::string name, const nlohmann::json& entry)> tensor;
    std::function<void(std::string key, std::string text)> metadata;
};

/// Parses `text` one entry at a time, in linear time. Throws an input Error that begins with `file` for
/// invalid JSON, a non-object, excessive nesting, an overlong list or entry, too many names, non-text values
/// in __metadata__, and duplicate keys within an entry. Duplicate names of tensors or texts are left to the
/// caller.
void read_header(const std::string& file, std::string_view text, const HeaderEntries& entries);

/// Error for content that no conforming library writes; advises getting the file again.
[[nodiscard]] Error damaged_safetensors(const std::string& where, const std::string& found,
                                        const std::string& expected);

/// Error for a name that occurs twice in the header, which JSON itself allows.
[[nodiscard]] Error named_twice(const std::string& file, const std::string& name);

}  // namespace casp::store
