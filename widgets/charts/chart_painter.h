#pragma once
// The one painter of figures: the screen, the clipboard and the files all come from here.
//
// Each plot is a QChart in a QGraphicsScene; its lines are Qt Charts series. Ticks, labels, legends, bars,
// points and heatmaps are items of ours on the same chart: Qt Charts has one graphics item per point, bars
// only at whole numbers, labels that end in dots and no logarithmic ticks worth showing.
//
// Needs a QApplication (the offscreen platform will do) and its thread.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "charts/plot_scale.h"
#include "figures/figure.h"
#include "figures/style.h"

class QPainter;

namespace casp::widgets {

/// What is emphasised; the rest is dimmed. All empty: nothing is dimmed.
struct Highlight {
    std::unordered_set<std::int64_t> ids;  ///< points and bars
    /// Instead of `ids` for the points and bars of these runs (Series::run): one number means another thing
    /// in each.
    std::unordered_map<QString, std::unordered_set<std::int64_t>> of_runs;
    std::unordered_set<std::int64_t> rows, columns;  ///< of heatmaps, by their ids
    bool operator==(const Highlight&) const = default;
};

/// How and which part is drawn.
struct Look {
    figures::Style style;
    double unit = 96.0 / 72.0;        ///< scene units (pixels) per point of text
    bool hinting = true;              ///< glyphs on the pixel grid (screen), not for files
    bool vector = false;              ///< for SVG and PDF: a line is one path; pixels are faster without
    std::vector<PlotWindow> windows;  ///< per plot; missing: all data
    Highlight highlight;
};

/// A mark under the mouse.
struct Hit {
    int plot = -1;
    int series = -1;  ///< −1: a heatmap's cell
    std::size_t index = 0;
    std::int64_t row = -1, column = -1;
    double distance = 0;  ///< in scene units
    QPointF position;     ///< in the scene
};

/// What legends take of the height of a figure that is `width` wide with so many plots a row, in scene units:
/// the common one, or those of plots that do not stand beside the title.
[[nodiscard]] double legend_room(const figures::Figure& figure, const Look& look, double width, int columns);

/// Least height at which `figure` can be read, in scene units: legends and labels as laid out in a narrow
/// view, and 135 pixels (at the smallest text) for each row of plots. 0: it has no plots.
[[nodiscard]] double least_height(const figures::Figure& figure, const Look& look);

class ChartPainter {
public:
    ChartPainter();
    ~ChartPainter();
    ChartPainter(const ChartPainter&) = delete;
    ChartPainter& operator=(const ChartPainter&) = delete;

    /// Lays the figure out in `size` (scene units). Charts and series of the last call are used again, so
    /// that new data are cheap: 1,000,000 points of a line cost some milliseconds. `figure` must stay alive
    /// until the next call.
    void set(const figures::Figure& figure, const Look& look, QSizeF size);

    /// Paints the scene into `target` of the painter, background included.
    void paint(QPainter& painter, const QRectF& target);

    [[nodiscard]] int plots() const;
    /// The plot whose cell contains the point; −1: none.
    [[nodiscard]] int plot_at(QPointF position) const;
    /// Its cell with labels and all, and the rectangle between its axes.
    [[nodiscard]] QRectF cell(int plot) const;
    [[nodiscard]] QRectF area(int plot) const;
    [[nodiscard]] const Scales& scales(int plot) const;
    [[nodiscard]] QPointF to_scene(int plot, double x, double y, bool secondary = false) const;

    /// The nearest point, bar or cell within `reach` scene units; none: plot −1. Lines count where `lines`.
    [[nodiscard]] Hit nearest(QPointF position, double reach, bool lines) const;
    /// Points and bars inside a shape, and cells that a rectangle touches.
    [[nodiscard]] std::vector<Hit> inside(int plot, const QPolygonF& shape) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace casp::widgets
