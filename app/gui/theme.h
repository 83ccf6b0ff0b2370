#pragma once
// Themes of the application (light, dark, system), their palettes, and the application's icon.

#include <QPalette>
#include <QString>

class QApplication;
class QIcon;

namespace casp::gui {

enum class Theme { system, light, dark };

[[nodiscard]] QString theme_name(Theme theme);  ///< "system", "light", "dark", for settings
[[nodiscard]] Theme theme_from(const QString& name);

/// The program's icon, the same in both themes.
[[nodiscard]] QIcon application_icon();

[[nodiscard]] QPalette light_palette();
[[nodiscard]] QPalette dark_palette();

/// Remembers the system's palette; call once, before the first apply_theme().
void remember_system_palette(const QApplication& application);
/// Call after the system's palette has changed: reads it again and applies Theme::system.
void follow_system_palette(QApplication& application);
/// Sets the style once, for all themes. Call before widgets exist, which would have to be
/// polished again.
void apply_style(QApplication& application);
/// Sets the style and its palette. Widgets update in changeEvent. There is no application style sheet:
/// setting one would restore each widget's initial palette and discard its later colours.
void apply_theme(QApplication& application, Theme theme);

}  // namespace casp::gui
