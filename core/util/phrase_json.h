#pragma once
// Phrases in JSON files, beside their English text: the window translates them when it reads the file.

#include <string>

#include <nlohmann/json.hpp>

#include "util/phrase.h"

namespace casp {

/// A value as a string; words as a list of the pattern and its arguments.
[[nodiscard]] nlohmann::ordered_json json_of(const Phrase& phrase);

/// Adds it to the object under its English text; values are not added.
void keep(nlohmann::ordered_json& phrases, const Phrase& phrase);

/// The phrase with that English text, which is a value where `document` has none under "phrases".
[[nodiscard]] Phrase kept_phrase(const nlohmann::json& document, const std::string& english);

}  // namespace casp
