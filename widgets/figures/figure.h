#pragma once
// Figures as plain data, the common description of what is shown on screen and what is exported.
//
// A Figure holds one or more plots in a grid (small multiples, each with separate axes). It is independent
// of pixels, themes and fonts: style.h defines its look, charts/ paints it with Qt Charts and exports it as
// PNG, SVG, PDF and CSV. Plain values that can be copied between threads.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

namespace casp::figures {

/// One axis of a plot.
struct Axis {
    QString title;      ///< with the unit in parentheses and the paper's symbols: "validation MSE", "λ_cov"
    bool log = false;   ///< logarithmic; values ≤ 0 are omitted
    bool time = false;  ///< values are seconds since 1970 UTC, labelled as dates
    QStringList categories;          ///< if not empty: a category axis, whose entries are at x = 0, 1, …
    std::optional<double> min, max;  ///< default: from the data
    bool integers = false;           ///< label whole numbers only
    bool numbers = true;             ///< false: ticks without labels (a t-SNE's axes have no unit)
};

enum class MarkKind {
    line,    ///< polyline; NaN in y breaks it
    points,  ///< scatter
    bars,    ///< bar at each x from 0 to y
    area,    ///< between `low` and y
    steps    ///< polyline that holds each value until the next x
};

enum class MarkerShape { circle, square, triangle, diamond, cross };

/// One set of marks. `x` and `y` have the same length.
struct Series {
    QString name;  ///< legend text; empty: not in the legend
    MarkKind kind = MarkKind::line;
    std::vector<double> x, y;
    std::vector<double> low;  ///< area: lower edge; line or points: lower end of an error bar (with `high`)
    std::vector<double> high;
    /// Unsmoothed values if y is smoothed (same length), shown by tooltips and the CSV; else empty.
    std::vector<double> raw;
    QColor colour;       ///< invalid: the style's next series colour
    double width = 1.6;  ///< pen width or marker diameter in points (markers: 6 looks right)
    double opacity = 1;  ///< 0 … 1; raw lines behind smoothed ones: 0.25
    bool dashed = false;
    MarkerShape marker = MarkerShape::circle;
    bool hollow = false;     ///< [points] outlined markers, for points that are excluded or incomplete
    bool secondary = false;  ///< on the right-hand axis `y2`
    QString run;             ///< folder of the run it belongs to, for linked selection; may be empty
    std::vector<std::int64_t>
        ids;  ///< [points, bars] id of each mark (a window or an anchor), for selection; may be empty
    QStringList
        point_names;  ///< [points] name of each in tooltips, instead of the number in `ids`; may be empty
    /// Name in the CSV if it differs from `name`. Empty: omitted from the CSV because it repeats another
    /// series.
    std::optional<QString> csv_name;
};

/// A matrix as coloured cells. Row 0 is drawn at the top.
struct Heatmap {
    std::int64_t rows = 0, columns = 0;
    std::vector<float> values;                       ///< [rows, columns]; NaN: not drawn
    QString value_title;                             ///< of the colour bar
    QString colour_map = QStringLiteral("viridis");  ///< "viridis", "cividis", "magma", "blues"
    std::optional<double> min, max;                  ///< default: of the data
    bool colour_bar = true;                          ///< false: another plot of the figure shows it
    QStringList row_names, column_names;             ///< may be empty: numbers
    std::vector<std::int64_t> row_ids, column_ids;   ///< ids of rows and columns; may be empty
};

/// A straight line across the plot with a label.
struct Rule {
    bool vertical = true;
    double at = 0;
    QString label;
    QColor colour;  ///< invalid: the style's muted text colour
    bool dashed = true;
};

/// A shaded range of the x axis (a split, a selection).
struct Band {
    double from = 0, to = 0;
    QString label;
    QColor colour;
    double opacity = 0.12;
};

/// A remark on one plot: on a series, in its colour (its error, if plots share a legend); invalid: on all.
struct Remark {
    QString text;
    QColor colour;
};

/// One pair of axes with its marks.
struct Plot {
    QString title;                ///< small, above the plot; may be empty
    std::vector<Remark> remarks;  ///< beside the title, or below it
    Axis x, y;
    std::optional<Axis> y2;
    std::vector<Series> series;
    std::optional<Heatmap> heatmap;
    std::vector<Rule> rules;
    std::vector<Band> bands;
    bool legend = true;
};

/// Table of numbers behind a figure, if its series are not suitable for a CSV.
struct Numbers {
    QStringList columns;
    std::vector<QStringList> rows;
    /// Alternative to `rows` for large tables: passes each row to `take` until that returns false. Any
    /// thread; owns the data it reads.
    std::function<void(const std::function<bool(const QStringList&)>& take)> each = {};
    std::int64_t count = 0;  ///< number of rows of `each`
};

/// A table in another text format, written beside the CSV.
struct TextTable {
    QString suffix;  ///< "tex"
    QString text;
};

/// The content of one view, or of one file of --figures.
struct Figure {
    QString id;  ///< for file names: "loss-terms", "concentration"
    QString title;
    std::vector<Plot> plots = {};
    int columns = 1;    ///< plots per row of the grid
    bool grid = false;  ///< rows and columns have a meaning (kinds by λ_cov): never rewrapped in narrow views
    /// Ratio of height to width of a plot with its labels if no height is given; 1 for square maps.
    double aspect = 0.62;
    QString caption = {};  ///< one or two sentences on content and runs; below an exported figure on request
    QString empty_text = {};  ///< shown if there are no plots: what the view will show and what to do
    /// What was omitted and how to show it, one sentence, shown above the views of a page. Else empty.
    QString left_out = {};
    std::optional<Numbers> numbers = {};  ///< for the CSV; default: from the series
    std::vector<TextTable> tables = {};   ///< for papers; written by --figures
};

}  // namespace casp::figures
