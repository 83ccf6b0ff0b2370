#pragma once
// Small helpers for text: numbers, nearest names, quoting.

#include <string>
#include <string_view>
#include <vector>

#include "util/phrase.h"

namespace casp::config {

/// The shortest decimal that reads back to exactly this number: "0.1", "1e-4", "5". "nan", "inf", "-inf" as
/// named.
[[nodiscard]] std::string shortest(double number);

/// Edit distance in bytes, ignoring ASCII case; a swap of two neighbours counts one.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// With ASCII capitals made small; other bytes as they are.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Equality, ignoring the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance; "" if there are none. `nearest` also returns "" if the
/// distance is more than a third of the name's length.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// Text as a TOML basic string, quotes included.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// At most `limit` bytes of text, cut at a UTF-8 boundary and marked with "…" where something was cut.
[[nodiscard]] std::string abbreviated(std::string_view text, std::size_t limit);

/// Text reduced to letters, digits, "._+-" and bytes of UTF-8 sequences; everything else becomes '-'.
[[nodiscard]] std::string file_name_safe(std::string_view text);

/// "a, b or c".
[[nodiscard]] Phrase either(const std::vector<Phrase>& names);
[[nodiscard]] Phrase either(const std::vector<std::string>& names);

/// "a, b, c"; of more than `most` texts the first ones: "a, b and 3 more".
[[nodiscard]] Phrase listed(const std::vector<std::string>& texts, std::size_t most = 8);

/// Columns that text takes in a terminal: UTF-8 characters, combining ones not counted.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// True where the bytes are well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Whether an unquoted text was probably meant as another value than a string: "True", "None", ".5", "0,5",
/// "007". The program does not guess which.
[[nodiscard]] bool is_almost_value(std::string_view text);

}  // namespace casp::config
