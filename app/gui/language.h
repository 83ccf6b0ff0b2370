#pragma once
// The window's language: the choice in the settings, and its translations
// (docs/decisions/0032-translations.md).

#include <vector>

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace casp::gui {

struct Language {
    QString code;  ///< "zh_CN": of resources/translations/caspstudio_zh_CN.ts
    QString name;  ///< in the language, then in English
};

/// All languages of the window, English first.
[[nodiscard]] const std::vector<Language>& languages();

/// The choice in the settings: "system" or the code of a language. CASP_LANGUAGE overrides it.
[[nodiscard]] QString chosen_language();
/// Stores the choice; it takes effect at the next start.
void choose_language(const QString& choice);
/// The language for a choice: itself, or the first of `preferred` ("zh-Hans-CN", "de-DE") that the window
/// has, else English.
[[nodiscard]] QString language_for(const QString& choice, const QStringList& preferred);

/// Installs the translations of a language, and those of Qt's own texts, in addition to any before. Returns
/// false if the window has no translation for it. Before the first widget is created.
bool install_language(QCoreApplication& application, const QString& code);
/// The language of install_language(); English before.
[[nodiscard]] QString language_in_use();

/// The help page of a topic in the window's language, else in English; empty if there is none.
[[nodiscard]] QString help_page(const QString& topic);

}  // namespace casp::gui
