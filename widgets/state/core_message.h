#pragma once
// Translation of sentences that core composes: "only 3 GB are free" is recognised by its pattern, "only %1
// are free", which packaging/core_messages.py found in the sources (docs/decisions/0032-translations.md).

#include <set>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

namespace casp::widgets {

/// The patterns of one language, and what they match.
class MessagePatterns {
public:
    /// A recognised sentence: the pattern, and the texts of %1, %2, …
    struct Match {
        QString pattern;
        std::vector<QString> inserted;
    };

    /// Sources of the context "core", with and without placeholders.
    explicit MessagePatterns(const std::vector<QString>& sources);

    [[nodiscard]] bool has(const QString& sentence) const { return whole_.count(sentence) > 0; }
    /// Of those that fit, the longest pattern; without pattern if none does.
    [[nodiscard]] Match match(const QString& sentence) const;

private:
    struct Pattern {
        QString source;
        QStringList literals;     ///< before, between and after the placeholders
        std::vector<int> places;  ///< number of each placeholder, from 1
        qsizetype length = 0;     ///< of the literals
        bool is_short = false;    ///< "%1 rows": takes single words only
    };
    std::set<QString> whole_;
    std::vector<Pattern> patterns_;  ///< longest first
};

/// Sets the translation file (*.ts, or a resource) whose sources are recognised; it is read when the first
/// message comes. Empty: messages stay English. Called once per language, before other threads use messages.
void set_message_file(const QString& ts);

/// A message of core in the window's language: sentences, "place: finding; expected this. Advice.", and lists
/// of such lines. What is not recognised stays English. Thread-safe.
[[nodiscard]] QString translated_message(const QString& english);
[[nodiscard]] QString translated_message(const std::string& english);

/// A finding with its place, what was expected and advice (util/error.h), of which any may be empty.
[[nodiscard]] QString translated_message(const QString& where, const QString& found, const QString& expected,
                                         const QString& advice);

}  // namespace casp::widgets
