#pragma once
// Styles of figures: colours, fonts and line widths, for the screen (light, dark) and for print.

#include <QColor>
#include <QString>
#include <QStringList>
#include <vector>

class QPalette;

namespace casp::figures {

struct Style {
    QColor background, text, muted, grid, axis, accent;
    std::vector<QColor> series;  ///< colour-blind-safe order (Okabe and Ito, then Tol's muted)
    QString font_family;         ///< empty: the application's
    double font_points = 9;      ///< of axis labels; titles are one point larger
    bool show_title = false;     ///< on screen the frame shows it
    bool show_caption = false;
};

[[nodiscard]] Style light_style();
[[nodiscard]] Style dark_style();
/// White, black text, for papers.
[[nodiscard]] Style print_style();

/// The style for widgets with this palette: light or dark, with its Base and Text colours.
[[nodiscard]] Style style_of(const QPalette& palette);

/// Whether texts are light on dark.
[[nodiscard]] bool is_dark(const QPalette& palette);

/// WCAG contrast ratio, 1 … 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
/// `colour`, lightened or darkened to a contrast of 3 on a light `background` and of 4.2 on a dark one.
/// Colours of runs have others on dark, which differ as much from one another.
[[nodiscard]] QColor readable_on(const QColor& colour, const QColor& background);

/// Palettes offered by the export dialog: "Okabe–Ito", "Tol bright", "Tol muted", "greys".
[[nodiscard]] QStringList palette_names();
[[nodiscard]] std::vector<QColor> palette(const QString& name);

/// The colour of run `index` (0, 1, …) in this palette; repeats with changed lightness, so that neighbours
/// among 1,000 runs differ.
[[nodiscard]] QColor run_colour(int index);

/// Colour of a value in 0 … 1 in a perceptual colour map (names: Heatmap::colour_map); NaN: transparent.
[[nodiscard]] QRgb map_colour(const QString& map, double value);

}  // namespace casp::figures
