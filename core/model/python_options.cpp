#include "model/python_options.h"

#include <charconv>
#include <optional>
#include <regex>
#include <string>

namespace casp::model {

namespace {

template <class Number>
std::optional<Number> number_of(const std::string& text) {
    Number number{};
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<config::FreeValue> literal(const std::string& text) {
    if (text == "True" || text == "False") return text == "True";
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\''))
        return text.substr(1, text.size() - 2);
    if (const auto integer = number_of<std::int64_t>(text)) return *integer;
    if (const auto number = number_of<double>(text)) return *number;
    return std::nullopt;
}

}  // namespace

config::OptionTable options_in(std::string_view source) {
    static const std::regex form(
        R"re(options\.(?:get|pop|setdefault)\(\s*["']([A-Za-z0-9_-]{1,64})["']\s*,\s*("[^"\\\n]*"|'[^'\\\n]*'|[A-Za-z0-9.+-]+)\s*\))re");
    config::OptionTable found;
    const std::string text(source);
    for (auto match = std::sregex_iterator(text.begin(), text.end(), form); match != std::sregex_iterator();
         ++match)
        if (const auto value = literal((*match)[2])) found.emplace((*match)[1], *value);
    return found;
}

}  // namespace casp::model
