#pragma once
// Rules of resources/translations/README.md: what a translation has in common with its source, and a help
// page with the English one.

#include <QFile>
#include <QRegularExpression>
#include <QStringList>
#include <QXmlStreamReader>

namespace casp::test {

struct TranslatedMessage {
    QString context;
    QString source;
    QStringList translations;  ///< one for each plural form
    bool finished = true;
};

/// The messages of a .ts file; `problem` is not empty if it cannot be read.
inline std::vector<TranslatedMessage> read_messages(const QString& path, QString& problem) {
    std::vector<TranslatedMessage> messages;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        problem = path + " cannot be read";
        return messages;
    }
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const auto name = xml.name();
        if (name == QLatin1String("name"))
            context = xml.readElementText();
        else if (name == QLatin1String("message"))
            messages.push_back({context, {}, {}, true});
        else if (name == QLatin1String("source"))
            messages.back().source = xml.readElementText();
        else if (name == QLatin1String("translation")) {
            auto& message = messages.back();
            message.finished = !xml.attributes().hasAttribute("type");
            QString text;
            while (!xml.atEnd() && xml.readNext() != QXmlStreamReader::EndElement) {
                if (xml.isStartElement())
                    message.translations << xml.readElementText();
                else
                    text += xml.text();
            }
            if (message.translations.isEmpty()) message.translations << text;
        }
    }
    if (xml.hasError()) problem = path + ": " + xml.errorString();
    return messages;
}

/// All matches of a pattern, or of its first group, sorted: the order may differ between languages.
inline QStringList found_in(const QString& text, const QString& pattern) {
    const QRegularExpression expression(pattern, QRegularExpression::DotMatchesEverythingOption);
    QStringList found;
    for (auto it = expression.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        found << match.captured(match.lastCapturedIndex() > 0 ? 1 : 0);
    }
    found.sort();
    return found;
}

/// The letters after "&", in capitals.
inline QStringList mnemonics_of(QString text) {
    text.remove("&&");
    text.remove(QRegularExpression("&[a-z]+;"));
    return found_in(text.toUpper(), "&(\\w)");
}

inline bool ends_with_one_of(const QString& text, const QString& ends) {
    const auto trimmed = text.trimmed();
    return !trimmed.isEmpty() && ends.contains(trimmed.back());
}

/// What is wrong with a translation; empty if nothing is.
inline QStringList translation_problems(const QString& source, const QString& translation) {
    if (translation.trimmed().isEmpty()) return {"no translation"};
    QStringList problems;
    const auto same = [&](const char* what, const QStringList& wanted, const QStringList& found) {
        if (wanted != found)
            problems << QStringLiteral("%1: \"%2\" instead of \"%3\"")
                            .arg(QLatin1String(what), found.join(' '), wanted.join(' '));
    };
    const auto both = [&](const char* what, const QString& pattern) {
        same(what, found_in(source, pattern), found_in(translation, pattern));
    };
    both("placeholders", "%L?[0-9]{1,2}|%n");
    both("tags", "</?[A-Za-z][^>]*>");
    both("code", "`[^`]*`");
    both("line breaks", "\n");
    both("space at the beginning", "^\\s*");
    both("space at the end", "\\s*$");
    same("mnemonic", mnemonics_of(source), mnemonics_of(translation));
    if (!mnemonics_of(translation).isEmpty() && found_in(translation, "\\(&[A-Z0-9]\\)").isEmpty())
        problems << "mnemonic: not at the end in parentheses, as (&O)";
    if (ends_with_one_of(source, "…") != ends_with_one_of(translation, "…"))
        problems << "ellipsis at the end";
    if (ends_with_one_of(source, ":") != ends_with_one_of(translation, ":：")) problems << "colon at the end";
    return problems;
}

/// What is wrong with a translated help page; empty if nothing is.
inline QStringList help_page_problems(const QString& english, const QString& translated) {
    if (translated.trimmed().isEmpty()) return {"no page"};
    QStringList problems;
    const auto found_words = [](const QString& text, const QString& pattern) {
        auto found = found_in(text, pattern);
        for (auto& one : found) one = one.simplified();
        return found;
    };
    const auto same = [&](const char* what, const QString& pattern) {
        const auto wanted = found_words(english, pattern);
        const auto found = found_words(translated, pattern);
        for (const auto& one : wanted)
            if (wanted.count(one) > found.count(one))
                problems << QStringLiteral("%1 missing: %2").arg(QLatin1String(what), one);
        for (const auto& one : found)
            if (found.count(one) > wanted.count(one))
                problems << QStringLiteral("%1 not in the English page: %2").arg(QLatin1String(what), one);
    };
    same("code block", "```.*?```");
    same("code", "(?<!`)`(?!`)[^`]*`");  // may be broken into lines at another place
    same("link", "\\]\\(([^)]*)\\)");
    same("place of the tables", "\\[actions\\]");
    const auto count = [&](const char* what, const QString& pattern) {
        const auto wanted = found_in(english, pattern).size();
        const auto found = found_in(translated, pattern).size();
        if (wanted != found)
            problems
                << QStringLiteral("%1: %2 instead of %3").arg(QLatin1String(what)).arg(found).arg(wanted);
    };
    count("titles", "(?:^|\n)#+ ");
    count("rows of tables", "(?:^|\n)\\|");
    problems.removeDuplicates();
    return problems;
}

}  // namespace casp::test
