#include "util/phrase_json.h"

namespace casp {

namespace {

Phrase phrase_in(const nlohmann::json& json) {
    if (!json.is_array()) return json.get<std::string>();
    std::vector<Phrase> arguments;
    for (std::size_t i = 1; i < json.size(); ++i) arguments.push_back(phrase_in(json[i]));
    return {json.at(0).get<std::string>(), std::move(arguments)};
}

}  // namespace

nlohmann::ordered_json json_of(const Phrase& phrase) {
    if (phrase.is_value()) return phrase.text();
    auto json = nlohmann::ordered_json::array({phrase.text()});
    for (const auto& argument : phrase.arguments()) json.push_back(json_of(argument));
    return json;
}

void keep(nlohmann::ordered_json& phrases, const Phrase& phrase) {
    if (!phrase.is_value() && !phrase.empty()) phrases[phrase.english()] = json_of(phrase);
}

Phrase kept_phrase(const nlohmann::json& document, const std::string& english) {
    const auto phrases = document.find("phrases");
    if (phrases == document.end() || !phrases->is_object() || !phrases->contains(english)) return english;
    const auto phrase = phrase_in(phrases->at(english));
    return phrase.english() == english ? phrase : Phrase(english);
}

}  // namespace casp
