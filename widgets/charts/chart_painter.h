#pragma once
// Painter of figures for screen, clipboard and files.
//
// Each plot is a chart of Qt Charts (plot_chart.h: axes, lines, areas, bars, points) with our items for what
// it does not draw, or too slowly (plot_paint.cpp).
//
// Requires a QApplication (the offscreen platform suffices) and its thread.

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "charts/plot_text.h"
#include "figures/figure.h"
#include "figures/scale.h"

class QPainter;

namespace casp::widgets {

using figures::PlotWindow;
using figures::Range;
using figures::Scale;
using figures::Scales;

/// Highlighted marks; the rest is dimmed. All empty: nothing is dimmed.
struct Highlight {
    std::unordered_set<std::int64_t> ids;  ///< points and bars
    /// Replaces `ids` for the points and bars of these runs (Series::run), whose ids have different meanings.
    std::unordered_map<QString, std::unordered_set<std::int64_t>> of_runs;
    std::set<std::int64_t> rows, columns;  ///< ids of rows and columns of heatmaps, which are framed
    bool operator==(const Highlight&) const = default;
};

/// Rendering options and visible ranges.
struct Look : Canvas {
    std::vector<PlotWindow> windows;  ///< visible range per plot; missing: all data
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

/// Height taken by legends in a figure of width `width` with this many plots per row, in scene units: the
/// common legend, or those that are not beside a title.
[[nodiscard]] double legend_room(const figures::Figure& figure, const Look& look, double width, int columns);

/// Minimum height at which `figure` is readable, in scene units: legends and labels as laid out in a narrow
/// view, and 135 pixels (at the smallest text) per row of plots. 0: no plots.
[[nodiscard]] double min_height(const figures::Figure& figure, const Look& look);

class ChartPainter {
public:
    ChartPainter();
    ~ChartPainter();
    ChartPainter(const ChartPainter&) = delete;
    ChartPainter& operator=(const ChartPainter&) = delete;

    /// Lays out the figure in `size` (scene units). Reuses charts and series of the previous call, so that
    /// new data are cheap: a line of 1,000,000 points takes some milliseconds. `figure` must stay alive until
    /// the next call.
    void set(const figures::Figure& figure, const Look& look, QSizeF size);

    /// Paints the scene into `target` of the painter, background included.
    void paint(QPainter& painter, const QRectF& target);

    [[nodiscard]] int plots() const;
    /// The plot whose cell contains the point; −1: none.
    [[nodiscard]] int plot_at(QPointF position) const;
    /// Its cell including labels, and the rectangle between its axes.
    [[nodiscard]] QRectF cell(int plot) const;
    [[nodiscard]] QRectF area(int plot) const;
    [[nodiscard]] const Scales& scales(int plot) const;
    [[nodiscard]] QPointF to_scene(int plot, double x, double y, bool secondary = false) const;
    /// Values of the x axis and the first y axis there.
    [[nodiscard]] QPointF values_at(int plot, QPointF position) const;

    /// The nearest point, bar or cell within `reach` scene units; none: plot −1. Includes lines if `lines`.
    /// Left of a heatmap it is a whole row (column −1), below it a whole column (row −1).
    [[nodiscard]] Hit nearest(QPointF position, double reach, bool lines) const;
    /// Points and cells in a box, and bars above or below it.
    [[nodiscard]] std::vector<Hit> inside(int plot, const QRectF& box) const;

private:
    /// Column and row of a heatmap; may be outside.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> cell_at(int plot, QPointF position) const;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace casp::widgets
