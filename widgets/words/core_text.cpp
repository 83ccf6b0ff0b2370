#include "words/core_text.h"

#include <array>
#include <numeric>

#include <QRegularExpression>

namespace casp::widgets {

namespace {

/// Words that core composes or stores in files, which the window shows: stages without a file or split,
/// states of runs, splits, columns of the table of ranks.
[[maybe_unused]] constexpr std::array words{QT_TRANSLATE_NOOP("core", "evaluating"),
                                            QT_TRANSLATE_NOOP("core", "unpacking"),
                                            QT_TRANSLATE_NOOP("core", "paused"),
                                            QT_TRANSLATE_NOOP("core", "stopping"),
                                            QT_TRANSLATE_NOOP("core", "queued"),
                                            QT_TRANSLATE_NOOP("core", "running"),
                                            QT_TRANSLATE_NOOP("core", "finished"),
                                            QT_TRANSLATE_NOOP("core", "finished early"),
                                            QT_TRANSLATE_NOOP("core", "cancelled"),
                                            QT_TRANSLATE_NOOP("core", "interrupted"),
                                            QT_TRANSLATE_NOOP("core", "failed"),
                                            QT_TRANSLATE_NOOP("core", "train"),
                                            QT_TRANSLATE_NOOP("core", "val"),
                                            QT_TRANSLATE_NOOP("core", "test"),
                                            QT_TRANSLATE_NOOP("core", "finishing early"),
                                            QT_TRANSLATE_NOOP("core", "mean rank"),
                                            QT_TRANSLATE_NOOP("core", "seconds"),
                                            QT_TRANSLATE_NOOP("core", "peak memory"),
                                            QT_TRANSLATE_NOOP("core", "validation")};

/// Splits have a translation, files do not, whatever their names are.
bool is_of_split(Stage kind) {
    return kind == Stage::embedding || kind == Stage::evaluating || kind == Stage::repeating;
}

}  // namespace

QString translated(const Phrase& phrase) {
    if (phrase.is_value()) return QString::fromStdString(phrase.text());
    const auto& arguments = phrase.arguments();
    if (phrase.text() == "%*")  // a sum
        return std::accumulate(
            arguments.begin(), arguments.end(), QString(),
            [](const QString& text, const Phrase& next) { return text + translated(next); });
    const auto pattern = QString::fromStdString(phrase.text()), key = pattern.trimmed();
    // Parts of a sentence have blanks around them, which the list of texts does without.
    auto words = key.isEmpty() ? pattern : QString(pattern).replace(key, translated(key));
    static const QRegularExpression place(QStringLiteral("%([1-9])"));
    for (auto found = place.match(words); found.hasMatch();) {
        const auto number = found.capturedView(1).toULongLong() - 1;
        const auto text = number < arguments.size() ? translated(arguments[number]) : found.captured();
        words.replace(found.capturedStart(), found.capturedLength(), text);
        found = place.match(words, found.capturedStart() + text.size());
    }
    return words;
}

QString translated_stage(const StageOf& stage) {
    auto words = std::string(words_of(stage.kind));
    if (stage.of.empty()) return translated(words.substr(0, words.find(" %1")));
    const auto of = QString::fromStdString(stage.of);
    return translated(words).replace(QLatin1String("%1"), is_of_split(stage.kind) ? translated(of) : of);
}

}  // namespace casp::widgets
