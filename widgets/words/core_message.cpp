#include "words/core_message.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// Minimum length of a pattern's literals: shorter patterns ("%1 rows") take only single words, lists and
/// known sentences; from long_length on, also what begins with a place ("a.csv: …").
constexpr qsizetype short_length = 12, long_length = 30;
/// Longer lines are no messages of ours.
constexpr qsizetype longest_line = 4000;

/// How core lists a setting's choices.
[[maybe_unused]] constexpr std::array choices{
    QT_TRANSLATE_NOOP("core", "%1 or %2"),
    QT_TRANSLATE_NOOP("core", "a path or %1"),
    QT_TRANSLATE_NOOP("core", "a path, %1"),
    QT_TRANSLATE_NOOP("core", "%1 to %2"),
    QT_TRANSLATE_NOOP("core", "%1 of %2"),
    QT_TRANSLATE_NOOP("core", "%1 or three row counts [train, val, test]")};

/// How messages are put together.
[[maybe_unused]] constexpr std::array frames{
    QT_TRANSLATE_NOOP("core", "%1: %2"), QT_TRANSLATE_NOOP("core", "%1; expected %2"),
    QT_TRANSLATE_NOOP("core", "%1; %2"), QT_TRANSLATE_NOOP("core", "%1, %2"),
    QT_TRANSLATE_NOOP("core", "%1."),    QT_TRANSLATE_NOOP("core", "%1 %2")};

/// Single words that core inserts into sentences. Others may be names and values.
constexpr std::array inserted_words{QT_TRANSLATE_NOOP("core", "training"),
                                    QT_TRANSLATE_NOOP("core", "validation"),
                                    QT_TRANSLATE_NOOP("core", "test"), QT_TRANSLATE_NOOP("core", "lower"),
                                    QT_TRANSLATE_NOOP("core", "higher")};

const QRegularExpression& placeholder() {
    static const QRegularExpression found(QStringLiteral("%([1-9])"));
    return found;
}

/// The end of a sentence before another one; as split_sentences() in packaging/core_messages.py.
const QRegularExpression& sentence_end() {
    static const QRegularExpression found(QStringLiteral("[^.][.?!]\\)? (?=[A-Z])"));
    return found;
}

/// "train.epochs = 0", "name": what "is out of range", "is empty".
const QRegularExpression& setting() {
    static const QRegularExpression found(QStringLiteral("^[a-z][\\w.-]*( = .+)?$"));
    return found;
}

/// Values, no sentence: "\"a\", \"b\" or \"c\"", "32 or 64", "ETTh1".
bool is_list(const QString& text) {
    static const QRegularExpression list(
        QStringLiteral("^(\"[^\"]*\"|[^\\s\"]+)((, | or )(\"[^\"]*\"|[^\\s\"]+))*$"));
    return list.match(text).hasMatch();
}

bool has_balanced_brackets(const QString& text) {
    for (const auto* pair : {"()", "[]"})
        if (text.count(QLatin1Char(pair[0])) != text.count(QLatin1Char(pair[1]))) return false;
    return true;
}

/// Whether this can have been inserted into a sentence.
bool is_insertable(const QString& text) {
    return !text.isEmpty() && !text.contains(QLatin1String("; expected ")) &&
           !text.contains(sentence_end()) && has_balanced_brackets(text);
}

QString framed(const char* frame, const QString& first, const QString& second = {}) {
    const auto text = translated(frame);
    return second.isEmpty() ? text.arg(first) : text.arg(first, second);
}

QString with_inserted(const QString& form, const std::vector<QString>& texts) {
    QString result;
    qsizetype end = 0;
    for (auto found = placeholder().globalMatch(form); found.hasNext();) {
        const auto one = found.next();
        const auto number = static_cast<std::size_t>(one.capturedView(1).toInt()) - 1;
        result += form.mid(end, one.capturedStart() - end);
        result += number < texts.size() ? texts[number] : one.captured();
        end = one.capturedEnd();
    }
    return result + form.mid(end);
}

/// A file or setting, maybe with a line: no sentence, and its name stays.
QString place_translated(const MessagePatterns& patterns, const QString& text) {
    const auto match = patterns.match(text, [](const QString&) { return false; });
    return match.pattern.isEmpty() ? text : with_inserted(translated(match.pattern), match.inserted);
}

/// Translates one message: its parts are looked up once.
class Translation {
public:
    explicit Translation(const MessagePatterns& patterns) : patterns_(patterns) {}

    QString line(const QString& text) {
        if (const auto known = known_.find(text); known != known_.end()) return known->second;
        known_[text] = text;  // while it is translated: a text is no part of itself
        auto result = translated_line(text);
        known_[text] = result;
        return result;
    }

private:
    QString translated_line(const QString& text) {
        const auto whole = text.endsWith(u'.') ? text.chopped(1) : text;
        if (patterns_.has(text)) return translated(text);
        if (patterns_.has(whole)) return framed("%1.", translated(whole));
        const auto expected = QStringLiteral("; expected ");
        if (const auto at = text.indexOf(expected); at > 0)
            return both("%1; expected %2", text, at, at + expected.size());
        if (const auto end = sentence_end().match(text); end.hasMatch())
            return both("%1 %2", text, end.capturedEnd() - 1, end.capturedEnd());
        if (auto result = by_pattern(text); !result.isEmpty()) return result;
        if (whole != text)
            if (const auto result = by_pattern(whole); !result.isEmpty()) return framed("%1.", result);
        if (auto result = setting_with_problem(text); !result.isEmpty()) return result;
        const auto colon = text.indexOf(QLatin1String(": ")), semicolon = text.indexOf(QLatin1String("; "));
        if (colon > 0 && (semicolon < 0 || colon < semicolon)) {
            const auto rest = text.mid(colon + 2), result = line(rest);
            if (result != rest) return framed("%1: %2", inserted(text.left(colon)), result);
        }
        if (semicolon > 0) return both("%1; %2", text, semicolon, semicolon + 2);
        // "3 pending, 2 running"
        if (const auto comma = text.indexOf(QLatin1String(", ")); comma > 0) {
            const auto first = text.left(comma), rest = text.mid(comma + 2);
            const auto one = line(first), two = line(rest);
            if (one != first && two != rest) return framed("%1, %2", one, two);
        }
        return text;
    }

    /// Empty: no pattern matches.
    QString by_pattern(const QString& text) {
        auto match = patterns_.match(text, [this](const QString& part) { return inserted(part) != part; });
        if (match.pattern.isEmpty()) return {};
        for (std::size_t i = 0; i < match.inserted.size(); ++i) {
            const auto own = match.inserted[i].trimmed();
            if (match.is_value[i]) continue;
            if (auto theirs = inserted(own); theirs != own) match.inserted[i] = std::move(theirs);
        }
        return with_inserted(translated(match.pattern), match.inserted);
    }

    /// Single words stay, since they may be names: of columns, labels, settings.
    QString inserted(const QString& text) {
        const auto own = text.trimmed();
        if (own.contains(u' ')) return line(own);
        const bool is_word = std::any_of(inserted_words.begin(), inserted_words.end(),
                                         [&](const char* word) { return own == QLatin1String(word); });
        return is_word ? translated(own) : own;
    }

    /// "train.epochs = 0 is out of range"
    [[nodiscard]] QString setting_with_problem(const QString& text) const {
        for (auto space = text.indexOf(u' '); space > 0; space = text.indexOf(u' ', space + 1))
            if (patterns_.has(text.mid(space + 1)) && text.left(space).contains(setting()))
                return framed("%1 %2", text.left(space + 1), translated(text.mid(space + 1)));
        return {};
    }

    /// Two parts in that frame; as they are, with what is between them, if neither is recognised.
    QString both(const char* frame, const QString& text, qsizetype end, qsizetype begin) {
        const auto first = text.left(end), second = text.mid(begin);
        const auto one = line(first), two = line(second);
        if (one == first && two == second) return text;
        // An English sentence needs its space.
        return one == first && begin == end + 1 ? one + u' ' + two : framed(frame, one, two);
    }

    const MessagePatterns& patterns_;
    std::map<QString, QString> known_;
};

/// The patterns of the window's language.
class Messages {
public:
    void set_file(const QString& ts) {
        const std::lock_guard lock(mutex_);
        file_ = ts;
        patterns_.reset();
    }
    /// Null in English.
    std::shared_ptr<const MessagePatterns> patterns() {
        const std::lock_guard lock(mutex_);
        if (!patterns_ && !file_.isEmpty()) patterns_ = std::make_shared<MessagePatterns>(sources_of(file_));
        return patterns_;
    }

private:
    static std::vector<QString> sources_of(const QString& name) {
        std::vector<QString> sources;
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly)) return sources;
        bool core = false;
        for (QXmlStreamReader xml(&file); !xml.atEnd(); xml.readNext()) {
            if (!xml.isStartElement()) continue;
            if (xml.name() == QLatin1String("name")) core = xml.readElementText() == QLatin1String("core");
            if (core && xml.name() == QLatin1String("source")) sources.push_back(xml.readElementText());
        }
        return sources;
    }

    std::mutex mutex_;
    QString file_;
    std::shared_ptr<const MessagePatterns> patterns_;
};

Messages& messages() {
    static Messages all;
    return all;
}

}  // namespace

MessagePatterns::MessagePatterns(const std::vector<QString>& sources) {
    for (const auto& source : sources) {
        if (!source.contains(placeholder())) {
            whole_.insert(source);
            continue;
        }
        Pattern pattern{source, {}, {}, 0};
        qsizetype end = 0;
        for (auto found = placeholder().globalMatch(source); found.hasNext();) {
            const auto one = found.next();
            pattern.literals.push_back(source.mid(end, one.capturedStart() - end));
            pattern.numbers.push_back(static_cast<std::size_t>(one.capturedView(1).toInt()) - 1);
            end = one.capturedEnd();
        }
        pattern.literals.push_back(source.mid(end));
        const auto literal = pattern.literals.join(QString());
        pattern.length = literal.size();
        // One without words, like "%1: %2", would match everything.
        if (std::any_of(literal.begin(), literal.end(), [](QChar c) { return c.isLetter(); }))
            patterns_.push_back(std::move(pattern));
    }
    std::stable_sort(patterns_.begin(), patterns_.end(),
                     [](const Pattern& a, const Pattern& b) { return a.length > b.length; });
}

bool MessagePatterns::fits(const Pattern& pattern, const QString& sentence, const Recognised& recognised,
                           Match& match) {
    const auto& literals = pattern.literals;
    if (!sentence.startsWith(literals.front()) || !sentence.endsWith(literals.back())) return false;
    const auto count = *std::max_element(pattern.numbers.begin(), pattern.numbers.end()) + 1;
    match = {pattern.source, std::vector<QString>(count), std::vector<bool>(count)};
    qsizetype at = literals.front().size();
    for (std::size_t i = 0; i < pattern.numbers.size(); ++i) {
        const auto& before = literals[static_cast<qsizetype>(i)];
        const auto& after = literals[static_cast<qsizetype>(i) + 1];
        const bool is_last = i + 1 == pattern.numbers.size();
        const auto end = is_last ? sentence.size() - after.size() : sentence.indexOf(after, at + 1);
        const auto text = end > at ? sentence.mid(at, end - at) : QString();
        if (!is_insertable(text)) return false;
        // A stop at the end is that of the sentence, and "a.csv: …" at the beginning a place.
        if (is_last && after.isEmpty() && text.endsWith(u'.')) return false;
        if (i == 0 && before.isEmpty() && pattern.length < long_length && text.contains(QLatin1String(": ")))
            return false;
        if (pattern.length < short_length && !is_list(text.trimmed()) && !recognised(text.trimmed()))
            return false;
        match.inserted[pattern.numbers[i]] = text;
        match.is_value[pattern.numbers[i]] =
            !before.isEmpty() && QStringLiteral("\"'[.-/").contains(before.back());
        at = end + after.size();
    }
    return true;
}

MessagePatterns::Match MessagePatterns::match(const QString& sentence, const Recognised& recognised) const {
    Match match;
    for (const auto& pattern : patterns_)
        if (fits(pattern, sentence, recognised, match)) return match;
    return {};
}

void set_message_file(const QString& ts) { messages().set_file(ts); }

QString translated_message(const QString& english) {
    const auto patterns = messages().patterns();
    if (!patterns || english.isEmpty()) return english;
    Translation translation(*patterns);
    QStringList lines = english.split(u'\n');
    for (auto& line : lines) {
        const auto text = line.trimmed();
        if (!text.isEmpty() && text.size() <= longest_line) line.replace(text, translation.line(text));
    }
    return lines.join(u'\n');
}

QString translated_message(const std::string& english) {
    return translated_message(QString::fromStdString(english));
}

QString translated_message(const QString& where, const QString& found, const QString& expected,
                           const QString& advice) {
    const auto patterns = messages().patterns();
    return joined_message(patterns && !where.isEmpty() ? place_translated(*patterns, where) : where,
                          translated_message(found), translated_message(expected),
                          translated_message(advice));
}

QString joined_message(const QString& where, const QString& found, const QString& expected,
                       const QString& advice) {
    auto text = expected.isEmpty() ? found : framed("%1; expected %2", found, expected);
    if (!where.isEmpty()) text = framed("%1: %2", where, text);
    if (!text.endsWith(u'.') && !text.endsWith(u'。')) text = framed("%1.", text);
    return advice.isEmpty() ? text : framed("%1 %2", text, advice);
}

}  // namespace casp::widgets
