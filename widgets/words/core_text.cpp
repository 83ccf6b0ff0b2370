#include "words/core_text.h"

#include <array>

namespace casp::widgets {

namespace {

/// Words that core composes or stores in files, which the window shows: stages with a file or a split, states
/// of runs, splits, columns of the table of ranks, intervals.
[[maybe_unused]] constexpr std::array words{QT_TRANSLATE_NOOP("core", "reading %1"),
                                            QT_TRANSLATE_NOOP("core", "importing %1"),
                                            QT_TRANSLATE_NOOP("core", "parsing %1"),
                                            QT_TRANSLATE_NOOP("core", "downloading %1"),
                                            QT_TRANSLATE_NOOP("core", "evaluating %1"),
                                            QT_TRANSLATE_NOOP("core", "repeating %1"),
                                            QT_TRANSLATE_NOOP("core", "embedding %1"),
                                            QT_TRANSLATE_NOOP("core", "training %1"),
                                            QT_TRANSLATE_NOOP("core", "validating %1"),
                                            QT_TRANSLATE_NOOP("core", "training"),
                                            QT_TRANSLATE_NOOP("core", "validating"),
                                            QT_TRANSLATE_NOOP("core", "evaluating"),
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

}  // namespace

QString translated_amount(const QString& amount) {
    const auto space = amount.indexOf(QLatin1Char(' '));
    return space < 0 ? amount : translated(QStringLiteral("%1") + amount.mid(space)).arg(amount.left(space));
}

QString translated_stage(const QString& stage) {
    const auto whole = translated(stage);
    const auto space = stage.indexOf(QLatin1Char(' '));
    if (whole != stage || space < 0) return whole;
    if (stage.endsWith(QLatin1String(" %"))) {  // "evaluating test 32 %"
        const auto number = stage.lastIndexOf(QLatin1Char(' '), stage.size() - 3);
        return number < 0 ? stage : translated_stage(stage.left(number)) + stage.mid(number);
    }
    // A verb with the name of a file or split.
    const QString pattern = stage.left(space) + QStringLiteral(" %1");
    const auto form = translated(pattern);
    return form == pattern ? stage : form.arg(translated(stage.mid(space + 1)));
}

}  // namespace casp::widgets
