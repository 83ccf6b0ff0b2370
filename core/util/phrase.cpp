#include "util/phrase.h"

#include <numeric>

namespace casp {

namespace {

/// Pattern of a sum: its arguments, however many, one after another.
constexpr const char* all_arguments = "%*";

}  // namespace

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
    return text_ == all_arguments ? std::accumulate(texts.begin(), texts.end(), std::string())
                                  : filled(text_, texts);
}

Phrase& Phrase::operator+=(const Phrase& next) {
    if (next.empty()) return *this;
    if (empty()) return *this = next;
    if (is_value_ || text_ != all_arguments) *this = Phrase(all_arguments, {std::move(*this)});
    arguments_.push_back(next);
    return *this;
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
