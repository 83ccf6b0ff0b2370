#pragma once
// Names, descriptions, formatting and parsing of settings in the window, from config::options().

#include <optional>

#include <QColor>
#include <QPalette>
#include <QString>
#include <QStringList>

#include "config/options.h"

namespace casp::widgets {

/// "Learning rate"; only the symbol if it is the name in Greek: "λ_cov".
[[nodiscard]] QString option_name(const config::OptionSpec& option);
/// Name and symbol: "Lookback  L".
[[nodiscard]] QString option_label(const config::OptionSpec& option);
/// The same with its group: "Lookback  L  (Data)".
[[nodiscard]] QString option_in_group(const config::OptionSpec& option);
/// Title of a setting among those of all sections: "λ_cov", "Lookback  L", "learning rate", "PatchTST
/// dropout"; also of "case".
[[nodiscard]] QString setting_title(const QString& key);
/// A title of figures::key_title() in the window's language.
[[nodiscard]] QString translated_title(const QString& title);
/// Key, symbol, help, expected values and default as rich text.
[[nodiscard]] QString option_tooltip(const config::OptionSpec& option);
/// The same in one plain sentence or two, for screen readers.
[[nodiscard]] QString option_description(const config::OptionSpec& option);
/// Topic of the in-app help: "options/loss.lambda_cov".
[[nodiscard]] QString option_help_topic(const config::OptionSpec& option);

/// Whether a search matches: key, name, symbol (also in Latin letters), group and help; every word must be
/// found. A search that equals a setting's symbol ("K") finds only that symbol.
[[nodiscard]] bool option_matches(const config::OptionSpec& option, const QString& search);

/// A value as shown in a field: shortest number, comma-separated list items, unquoted text.
[[nodiscard]] QString value_text(const config::Value& value);
/// A value as TOML, cut after `longest` characters.
[[nodiscard]] QString short_value(const config::Value& value, int longest = 24);

/// A typed value, or why it is invalid.
struct Parsed {
    std::optional<config::Value> value;
    QString problem;  ///< whole sentence without full stop: "0 is out of range; expected a number above 0 …"
};
/// Parses text typed into the field of an integer, number, string or list. Never rounds or clips.
[[nodiscard]] Parsed parse_value(const config::OptionSpec& option, const QString& typed);

/// Items separated by commas; "…" and '…' keep commas inside. An unfinished quote runs to the end.
[[nodiscard]] QStringList split_items(const QString& typed);

/// Text colours that are readable (contrast of at least 4.5) on that palette's window.
enum class Tone { error, warning, good, accent, muted };
[[nodiscard]] QColor tone_colour(const QPalette& palette, Tone tone);

/// Prevents the mouse wheel from changing the value of `editor` (a spin box, combo box or slider) while
/// scrolling; the event is passed to its parent.
void ignore_wheel(QWidget* editor);

}  // namespace casp::widgets
