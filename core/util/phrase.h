#pragma once
// What the program says: English, but with its pattern and arguments, so that the window can translate it.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace casp {

/// "only %1 are free" with what is to stand for %1, %2, …: phrases themselves.
///
/// Literals are words to translate. Other strings, and numbers, are values: names, paths, what a file holds.
/// They stay as they are, whatever their words are.
class Phrase {
public:
    Phrase() = default;
    Phrase(const char* words) : text_(words), is_value_(false) {}  // NOLINT: as a string is made of a literal
    Phrase(std::string value) : text_(std::move(value)) {}         // NOLINT
    Phrase(std::string_view value) : text_(value) {}               // NOLINT
    Phrase(char value) : text_(1, value) {}                        // NOLINT
    template <std::integral Number>
    Phrase(Number value) : text_(std::to_string(value)) {}  // NOLINT
    Phrase(bool) = delete;
    template <class First, class... Rest>
    Phrase(const char* pattern, First&& first, Rest&&... rest)
        : text_(pattern),
          arguments_{Phrase(std::forward<First>(first)), Phrase(std::forward<Rest>(rest))...},
          is_value_(false) {}

    /// Words with arguments.
    Phrase(std::string pattern, std::vector<Phrase> arguments)
        : text_(std::move(pattern)), arguments_(std::move(arguments)), is_value_(false) {}

    /// A value, or a pattern.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool is_value() const { return is_value_; }
    [[nodiscard]] const std::vector<Phrase>& arguments() const { return arguments_; }

    [[nodiscard]] bool empty() const { return text_.empty(); }
    [[nodiscard]] std::string english() const;
    /// Where only English is wanted: the command line, logs and files.
    operator std::string() const { return english(); }  // NOLINT

    /// One after another, each translated for itself: for lists and whole sentences.
    Phrase& operator+=(const Phrase& next);
    friend Phrase operator+(Phrase one, const Phrase& next) { return std::move(one += next); }
    friend bool operator==(const Phrase& a, const Phrase& b) { return a.english() == b.english(); }
    friend bool operator<(const Phrase& a, const Phrase& b) { return a.english() < b.english(); }

private:
    std::string text_;
    std::vector<Phrase> arguments_;
    bool is_value_ = true;
};

/// text with argument(0) for %1, argument(1) for %2, …
[[nodiscard]] std::string filled(const std::string& pattern, const std::vector<std::string>& arguments);

/// Two sentences, of which one may be empty.
[[nodiscard]] Phrase in_turn(const Phrase& one, const Phrase& next);

/// The phrases with that between them.
[[nodiscard]] Phrase joined(const std::vector<Phrase>& phrases, const Phrase& between);

}  // namespace casp
