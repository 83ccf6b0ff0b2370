#pragma once
// Light, dark, or as the system: the application's palette.

#include <QPalette>
#include <QString>

class QApplication;

namespace casp::gui {

enum class Theme { system, light, dark };

[[nodiscard]] QString theme_name(Theme theme);  ///< "system", "light", "dark", for settings
[[nodiscard]] Theme theme_from(const QString& name);

[[nodiscard]] QPalette light_palette();
[[nodiscard]] QPalette dark_palette();

/// Remembers what the system's palette was; call once, before the first apply_theme().
void remember_system_palette(const QApplication& application);
/// The system's palette has changed: looks at it anew and applies Theme::system.
void follow_system_palette(QApplication& application);
/// Sets the style (field_style.h), once: it stays, whatever the theme. Best before there are widgets, all of
/// which would have to be polished again.
void apply_style(QApplication& application);
/// Sets the style and its palette. Every widget follows through changeEvent. There is no
/// style sheet of the application: each new one would give the widgets the palettes back that they had when
/// they were first shown, and what they coloured themselves since then would be lost.
void apply_theme(QApplication& application, Theme theme);

}  // namespace casp::gui
