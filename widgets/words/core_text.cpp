#include "words/core_text.h"

#include <array>

namespace casp::widgets {

namespace {

/// Words that core composes or stores in files, which the window shows: stages without a file or split,
/// states of runs, splits, columns of the table of ranks, intervals.
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
                                            QT_TRANSLATE_NOOP("core", "validation"),
                                            QT_TRANSLATE_NOOP("core", "%1 year"),
                                            QT_TRANSLATE_NOOP("core", "%1 years"),
                                            QT_TRANSLATE_NOOP("core", "%1 month"),
                                            QT_TRANSLATE_NOOP("core", "%1 months"),
                                            QT_TRANSLATE_NOOP("core", "%1 business day"),
                                            QT_TRANSLATE_NOOP("core", "%1 week"),
                                            QT_TRANSLATE_NOOP("core", "%1 weeks"),
                                            QT_TRANSLATE_NOOP("core", "%1 day"),
                                            QT_TRANSLATE_NOOP("core", "%1 days"),
                                            QT_TRANSLATE_NOOP("core", "%1 hour"),
                                            QT_TRANSLATE_NOOP("core", "%1 hours"),
                                            QT_TRANSLATE_NOOP("core", "%1 minute"),
                                            QT_TRANSLATE_NOOP("core", "%1 minutes"),
                                            QT_TRANSLATE_NOOP("core", "%1 second"),
                                            QT_TRANSLATE_NOOP("core", "%1 seconds")};

/// Splits have a translation, files do not, whatever their names are.
bool is_of_split(Stage kind) {
    return kind == Stage::embedding || kind == Stage::evaluating || kind == Stage::repeating;
}

}  // namespace

QString translated_amount(const QString& amount) {
    const auto space = amount.indexOf(QLatin1Char(' '));
    return space < 0 ? amount : translated(QStringLiteral("%1") + amount.mid(space)).arg(amount.left(space));
}

QString translated_stage(const StageOf& stage) {
    auto words = std::string(words_of(stage.kind));
    if (stage.of.empty()) return translated(words.substr(0, words.find(" %1")));
    const auto of = QString::fromStdString(stage.of);
    return translated(words).replace(QLatin1String("%1"), is_of_split(stage.kind) ? translated(of) : of);
}

}  // namespace casp::widgets
