#pragma once
// Translation of core's texts: the English text is the key (docs/decisions/0032-translations.md).

#include <string>
#include <string_view>

#include <QCoreApplication>
#include <QString>

#include "util/phrase.h"
#include "util/progress.h"

namespace casp::widgets {

/// A text of core in the window's language; unchanged if it has no translation. Thread-safe.
[[nodiscard]] inline QString translated(const char* text) {
    return QCoreApplication::translate("core", text);
}
[[nodiscard]] inline QString translated(const std::string& text) { return translated(text.c_str()); }
[[nodiscard]] inline QString translated(std::string_view text) { return translated(std::string(text)); }
[[nodiscard]] inline QString translated(const QString& text) { return translated(text.toUtf8().constData()); }

/// A phrase of core in the window's language: each pattern is looked up, values stay. Thread-safe.
[[nodiscard]] QString translated(const Phrase& phrase);

/// The stage of a progress report: "evaluating test", "reading ETTh1.csv".
[[nodiscard]] QString translated_stage(const StageOf& stage);

}  // namespace casp::widgets
