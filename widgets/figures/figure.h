#pragma once
// A figure as plain data: what is drawn on the screen and what is exported are made from the same
// description.
//
// A Figure holds one or more plots in a grid (small multiples, each with axes of its own). It knows nothing
// of pixels, themes or fonts: style.h says how it looks, charts/ paints it with Qt Charts, export.h writes
// PNG, SVG, PDF and the numbers as CSV. Plain values: copy them between threads as you like.

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
    bool log = false;   ///< values ≤ 0 are then left out
    bool time = false;  ///< values are seconds since 1970 UTC, labelled as dates
    QStringList categories;          ///< not empty: a category axis; x values 0, 1, … are its entries
    std::optional<double> min, max;  ///< else from the data
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

/// One set of marks. `x`, `y` are equally long.
struct Series {
    QString name;  ///< legend text; empty: not in the legend
    MarkKind kind = MarkKind::line;
    std::vector<double> x, y;
    std::vector<double> low;  ///< area: lower edge; line or points: lower end of an error bar (with `high`)
    std::vector<double> high;
    /// Where y is smoothed: the values before, equally long; tooltips and CSV show these. Else empty.
    std::vector<double> raw;
    QColor colour;       ///< invalid: the style's next series colour
    double width = 1.6;  ///< pen width or marker diameter in points (markers: 6 looks right)
    double opacity = 1;  ///< 0 … 1; raw lines behind smoothed ones: 0.25
    bool dashed = false;
    MarkerShape marker = MarkerShape::circle;
    bool hollow = false;     ///< [points] outlines: such points are set apart (not counted, not complete)
    bool secondary = false;  ///< on the right-hand axis `y2`
    QString run;             ///< run folder that it belongs to, for linked selection; may be empty
    std::vector<std::int64_t>
        ids;  ///< [points, bars] what each stands for (window, anchor), for selection; may be empty
    QStringList
        point_names;  ///< [points] what tooltips call each, instead of the number in `ids`; may be empty
    /// Its name in the CSV, where that is not `name`. Empty: not in the CSV, it repeats another series.
    std::optional<QString> csv_name;
};

/// A matrix as coloured cells. Row 0 is drawn at the top.
struct Heatmap {
    std::int64_t rows = 0, columns = 0;
    std::vector<float> values;  ///< [rows, columns]; NaN: not drawn
    QString value_title;        ///< of the colour bar
    QString colour_map =
        QStringLiteral("viridis");        ///< "viridis", "cividis", "magma", "blues", "blue-white-red"
    std::optional<double> min, max;       ///< else of the data
    bool colour_bar = true;               ///< false: another plot of the figure shows it
    QStringList row_names, column_names;  ///< may be empty: numbers
    std::vector<std::int64_t> row_ids, column_ids;  ///< what rows and columns stand for; may be empty
};

/// A straight line across the plot with a label.
struct Rule {
    bool vertical = true;
    double at = 0;
    QString label;
    QColor colour;  ///< invalid: the style's muted text colour
    bool dashed = true;
};

/// A shaded stretch of the x axis (a split, a selection).
struct Band {
    double from = 0, to = 0;
    QString label;
    QColor colour;
    double opacity = 0.12;
};

/// A few words about one series of one plot, in its colour: its error here, where the legend is of all plots.
struct Remark {
    QString text;
    QColor colour;
};

/// One pair of axes and what is drawn between them.
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

/// Rows of numbers behind a figure, when the series themselves are not what a person wants in a CSV.
struct Numbers {
    QStringList columns;
    std::vector<QStringList> rows;
    /// Instead of `rows` where they are too many to be kept as texts: hands each to `take` in turn until that
    /// returns false. Any thread; owns what it reads.
    std::function<void(const std::function<bool(const QStringList&)>& take)> each = {};
    std::int64_t count = 0;  ///< of the rows that `each` has
};

/// A table in a text format of its own, beside the CSV.
struct TextTable {
    QString suffix;  ///< "tex", "md"
    QString text;
};

/// What one view shows, or one file of --figures holds.
struct Figure {
    QString id;  ///< for file names: "loss-terms", "concentration"
    QString title;
    std::vector<Plot> plots;
    int columns = 1;    ///< plots per row of the grid
    bool grid = false;  ///< rows and columns mean something (kinds by λ_cov): never wrapped, however narrow
    /// Height of a plot with its labels by its width, where no height is asked for: square maps want 1.
    double aspect = 0.62;
    QString caption;  ///< one or two sentences: what is drawn, from which runs; goes below an exported figure
                      ///< if asked for
    QString empty_text;  ///< shown instead where there are no plots: what the view will show and what to do
    QString left_out;    ///< a sentence where not all is drawn that was asked for: how much of how much, and
                         ///< how to choose others; a page shows it above its views. Else empty.
    std::optional<Numbers> numbers;  ///< for the CSV; else made from the series
    std::vector<TextTable> tables;   ///< for papers; written by --figures
};

}  // namespace casp::figures
