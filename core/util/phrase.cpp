#include "util/phrase.h"

namespace casp {

std::string filled(const std::string& pattern, const std::vector<std::string>& arguments) {
    std::string text;
    std::size_t end = 0;
    for (std::size_t at = pattern.find('%'); at != std::string::npos; at = pattern.find('%', at + 1)) {
        const auto number = at + 1 < pattern.size() ? static_cast<std::size_t>(pattern[at + 1] - '1') : 9;
        if (number >= arguments.size()) continue;
        text += pattern.substr(end, at - end) + arguments[number];
        end = at + 2;
    }
    return text + pattern.substr(end);
}

std::string Phrase::english() const {
    if (arguments_.empty()) return text_;
    std::vector<std::string> texts;
    for (const auto& argument : arguments_) texts.push_back(argument.english());
    return filled(text_, texts);
}

Phrase& Phrase::operator+=(const Phrase& next) {
    if (next.empty()) return *this;
    if (empty()) return *this = next;
    return *this = Phrase("%1%2", std::move(*this), next);
}

Phrase in_turn(const Phrase& one, const Phrase& next) {
    return one.empty() ? next : next.empty() ? one : Phrase("%1 %2", one, next);
}

Phrase joined(const std::vector<Phrase>& phrases, const Phrase& between) {
    Phrase all;
    for (const auto& phrase : phrases) {
        if (!all.empty()) all += between;
        all += phrase;
    }
    return all;
}

}  // namespace casp
