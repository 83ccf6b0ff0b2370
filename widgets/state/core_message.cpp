#include "state/core_message.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include "state/core_text.h"

namespace casp::widgets {

namespace {

const QRegularExpression& placeholder() {
    static const QRegularExpression found(QStringLiteral("%([1-9])"));
    return found;
}

/// The end of a sentence before another one.
const QRegularExpression& sentence_end() {
    static const QRegularExpression found(QStringLiteral("[.?!]\\)? (?=[A-Z])"));
    return found;
}

/// Whether this can have been inserted into a sentence.
bool is_insertable(const QString& text) {
    return !text.isEmpty() && !text.contains(QLatin1String("; expected ")) && !text.contains(sentence_end());
}

/// "train.epochs = 0 is out of range", "name is empty": a setting and what is wrong with it.
const QRegularExpression& setting() {
    static const QRegularExpression found(QStringLiteral("^[a-z][\\w.-]*( = .+)?$"));
    return found;
}

/// Of a pattern without its placeholders: shorter ones with one word ("%1 rows") fit unknown sentences too,
/// longer ones fit none by chance.
constexpr qsizetype short_length = 12, long_length = 30;

/// "\"a\", \"b\" or \"c\"", "32 or 64": values, no sentence.
bool is_list(const QString& text) {
    static const QRegularExpression list(
        QStringLiteral("^(\"[^\"]*\"|[0-9]+)((, | or )(\"[^\"]*\"|[0-9]+))*$"));
    return list.match(text).hasMatch();
}

int words_of(const QString& text) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]+"));
    int count = 0;
    for (auto found = word.globalMatch(text); found.hasNext(); found.next()) ++count;
    return count;
}

/// Settings' choices, which core lists: "\"a\", \"b\" or \"c\"".
[[maybe_unused]] constexpr std::array choices{
    QT_TRANSLATE_NOOP("core", "%1 or %2"), QT_TRANSLATE_NOOP("core", "a path or %1"),
    QT_TRANSLATE_NOOP("core", "a path, %1"),
    QT_TRANSLATE_NOOP("core", "%1 or three row counts [train, val, test]")};

/// How a message is put together; with others of core they are in the translation file.
[[maybe_unused]] constexpr std::array frames{
    QT_TRANSLATE_NOOP("core", "%1: %2"), QT_TRANSLATE_NOOP("core", "%1; expected %2"),
    QT_TRANSLATE_NOOP("core", "%1; %2"), QT_TRANSLATE_NOOP("core", "%1."),
    QT_TRANSLATE_NOOP("core", "%1 %2")};

QString framed(const char* frame, const QString& first, const QString& second = {}) {
    const auto text = translated(frame);
    return second.isEmpty() ? text.arg(first) : text.arg(first, second);
}

class Messages {
public:
    void set_file(const QString& ts) {
        const std::lock_guard lock(mutex_);
        file_ = ts;
        patterns_.reset();
    }
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

QString inserted_into(const QString& form, const std::vector<QString>& texts) {
    QString result;
    qsizetype end = 0;
    for (auto found = placeholder().globalMatch(form); found.hasNext();) {
        const auto one = found.next();
        result += form.mid(end, one.capturedStart() - end);
        const auto number = one.capturedView(1).toInt();
        result += texts.at(static_cast<std::size_t>(number) - 1);
        end = one.capturedEnd();
    }
    return result + form.mid(end);
}

QString line_translated(const MessagePatterns& patterns, const QString& line);

/// Two parts in that frame; as they are, with what is between them, if neither is recognised.
QString both(const MessagePatterns& patterns, const char* frame, const QString& line, qsizetype end,
             qsizetype begin) {
    const auto first = line.left(end), second = line.mid(begin);
    const auto one = line_translated(patterns, first), two = line_translated(patterns, second);
    if (one == first && two == second) return line;
    // An English sentence needs its space.
    return one == first && begin == end + 1 ? one + u' ' + two : framed(frame, one, two);
}

/// A file or setting, maybe with a line: no sentence.
QString place_translated(const QString& place) {
    const auto patterns = messages().patterns();
    if (!patterns) return place;
    if (patterns->has(place)) return translated(place);
    const auto match = patterns->match(place);
    return match.pattern.isEmpty() ? place : inserted_into(translated(match.pattern), match.inserted);
}

QString line_translated(const MessagePatterns& patterns, const QString& line) {
    if (patterns.has(line)) return translated(line);
    if (line.endsWith(u'.') && patterns.has(line.chopped(1)))
        return framed("%1.", translated(line.chopped(1)));
    const auto expected = QStringLiteral("; expected ");
    if (const auto at = line.indexOf(expected); at > 0)
        return both(patterns, "%1; expected %2", line, at, at + expected.size());
    if (const auto end = sentence_end().match(line); end.hasMatch())
        return both(patterns, "%1 %2", line, end.capturedEnd() - 1, end.capturedEnd());
    for (const bool without_stop : {false, true}) {
        if (without_stop && !line.endsWith(u'.')) continue;
        auto match = patterns.match(without_stop ? line.chopped(1) : line);
        if (match.pattern.isEmpty()) continue;
        for (auto& text : match.inserted)
            if (const auto own = text.trimmed(), theirs = line_translated(patterns, own); theirs != own)
                text = theirs;
        const auto text = inserted_into(translated(match.pattern), match.inserted);
        return without_stop ? framed("%1.", text) : text;
    }
    if (const auto at = line.indexOf(QLatin1String("; ")); at > 0)
        if (const auto text = both(patterns, "%1; %2", line, at, at + 2); text != line) return text;
    for (auto space = line.indexOf(u' '); space > 0; space = line.indexOf(u' ', space + 1))
        if (patterns.has(line.mid(space + 1)) && line.left(space).contains(setting()))
            return framed("%1 %2", line.left(space) + u' ', translated(line.mid(space + 1)));
    if (const auto colon = line.indexOf(QLatin1String(": ")); colon > 0) {
        const auto rest = line.mid(colon + 2), text = line_translated(patterns, rest);
        if (text != rest) return framed("%1: %2", line_translated(patterns, line.left(colon)), text);
    }
    return line;
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
            pattern.places.push_back(one.capturedView(1).toInt());
            end = one.capturedEnd();
        }
        pattern.literals.push_back(source.mid(end));
        const auto literal = pattern.literals.join(QString());
        pattern.length = literal.size();
        const int words = words_of(pattern.literals.join(u' '));
        pattern.is_short = words < 2 && pattern.length < short_length;
        // One without words, like "%1: %2", would fit everything.
        if (words > 0) patterns_.push_back(std::move(pattern));
    }
    std::stable_sort(patterns_.begin(), patterns_.end(),
                     [](const Pattern& a, const Pattern& b) { return a.length > b.length; });
}

MessagePatterns::Match MessagePatterns::match(const QString& sentence) const {
    for (const auto& pattern : patterns_) {
        const auto& first = pattern.literals.front();
        const auto& last = pattern.literals.back();
        if (!sentence.startsWith(first) || !sentence.endsWith(last)) continue;
        const auto most = *std::max_element(pattern.places.begin(), pattern.places.end());
        std::vector<QString> inserted(static_cast<std::size_t>(most));
        qsizetype at = first.size();
        bool fits = true;
        for (std::size_t i = 0; i < pattern.places.size() && fits; ++i) {
            const bool is_last = i + 1 == pattern.places.size();
            const auto end = is_last
                                 ? sentence.size() - last.size()
                                 : sentence.indexOf(pattern.literals[static_cast<qsizetype>(i) + 1], at + 1);
            const auto text = end > at ? sentence.mid(at, end - at) : QString();
            // A stop at the end is that of the sentence, and "a.csv: …" at the beginning a place.
            fits = is_insertable(text) &&
                   !(pattern.is_short && text.trimmed().contains(u' ') && !is_list(text)) &&
                   !(is_last && last.isEmpty() && text.endsWith(u'.')) &&
                   !(i == 0 && first.isEmpty() && pattern.length < long_length &&
                     text.contains(QLatin1String(": ")));
            if (!fits) break;
            inserted.at(static_cast<std::size_t>(pattern.places[i]) - 1) = text;
            at = end + pattern.literals[static_cast<qsizetype>(i) + 1].size();
        }
        if (fits) return {pattern.source, std::move(inserted)};
    }
    return {};
}

void set_message_file(const QString& ts) { messages().set_file(ts); }

QString translated_message(const QString& english) {
    const auto patterns = messages().patterns();
    if (!patterns || english.isEmpty()) return english;
    QStringList lines = english.split(u'\n');
    for (auto& line : lines) {
        const auto text = line.trimmed();
        if (!text.isEmpty()) line.replace(text, line_translated(*patterns, text));
    }
    return lines.join(u'\n');
}

QString translated_message(const std::string& english) {
    return translated_message(QString::fromStdString(english));
}

QString translated_message(const QString& where, const QString& found, const QString& expected,
                           const QString& advice) {
    auto text = translated_message(found);
    if (!expected.isEmpty()) text = framed("%1; expected %2", text, translated_message(expected));
    if (!where.isEmpty()) text = framed("%1: %2", place_translated(where), text);
    if (!text.endsWith(u'.') && !text.endsWith(u'。')) text = framed("%1.", text);
    return advice.isEmpty() ? text : framed("%1 %2", text, translated_message(advice));
}

}  // namespace casp::widgets
