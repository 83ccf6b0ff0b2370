#pragma once
// Translation of sentences that core composes: "only 3 GB are free" is recognised by its pattern, "only %1
// are free", which packaging/core_messages.py found in the sources (docs/decisions/0032-translations.md).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

namespace casp::widgets {

/// The patterns of one language.
class MessagePatterns {
public:
    /// A recognised sentence.
    struct Match {
        QString pattern;
        std::vector<QString> inserted;  ///< texts of %1, %2, …
        std::vector<bool> is_value;     ///< in quotes or brackets, or a part of a key: never translated
    };
    /// Whether this inserted text is a known sentence itself.
    using Recognised = std::function<bool(const QString& text)>;

    /// Sources of the context "core", with and without placeholders.
    explicit MessagePatterns(const std::vector<QString>& sources);

    [[nodiscard]] bool has(const QString& sentence) const { return whole_.count(sentence) > 0; }
    /// The longest matching pattern; empty if none matches.
    [[nodiscard]] Match match(const QString& sentence, const Recognised& recognised) const;

private:
    struct Pattern {
        QString source;
        QStringList literals;              ///< before, between and after the placeholders
        std::vector<std::size_t> numbers;  ///< of the placeholders, from 0
        qsizetype length = 0;              ///< of the literals
    };
    [[nodiscard]] static bool fits(const Pattern& pattern, const QString& sentence,
                                   const Recognised& recognised, Match& match);

    std::set<QString> whole_;
    std::vector<Pattern> patterns_;  ///< longest first
};

/// Sets the translation file (*.ts, or a resource) whose sources are recognised; it is read when the first
/// message comes. Empty: messages stay English. Thread-safe.
void set_message_file(const QString& ts);

/// A message of core in the window's language: sentences, "place: finding; expected this. Advice.", and lists
/// of such lines. What is not recognised stays English. Thread-safe.
[[nodiscard]] QString translated_message(const QString& english);
[[nodiscard]] QString translated_message(const std::string& english);

/// An Error's parts (util/error.h), of which any may be empty, as one message.
[[nodiscard]] QString translated_message(const QString& where, const QString& found, const QString& expected,
                                         const QString& advice);

/// The same of parts that are translated already.
[[nodiscard]] QString joined_message(const QString& where, const QString& found, const QString& expected,
                                     const QString& advice);

}  // namespace casp::widgets
