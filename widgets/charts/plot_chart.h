#pragma once
// What Qt Charts draws of one plot: axes with ticks, labels and titles, lines, areas, points. Part of the
// painter.
//
// Everything is in unit coordinates (0 … 1 from left to right and from bottom to top of the plot area), on
// fixed axes: logarithms, second axes, zoom and clipping are arithmetic that is done before
// (figures/reduce.h). Series are kept from one call to the next, since replacing their points takes a
// fraction of making them.

#include <array>
#include <optional>
#include <vector>

#include <QChart>
#include <QColor>
#include <QPen>
#include <QPolygonF>
#include <QScatterSeries>
#include <QString>

#include "charts/plot_text.h"
#include "figures/scale.h"
#include "figures/ticks.h"

class QAreaSeries;
class QCategoryAxis;
class QGraphicsScene;
class QLineSeries;

namespace casp::widgets {

/// A curve, or a piece of it between two gaps.
struct ChartLine {
    QPen pen;
    QPolygonF points;
};

/// The area between two edges.
struct ChartArea {
    QColor colour;
    QPolygonF upper, lower;
};

struct ChartPoints {
    QScatterSeries::MarkerShape shape = QScatterSeries::MarkerShapeCircle;
    double size = 6;  ///< scene units
    QColor fill;
    QPolygonF points;
};

struct ChartMarks {
    std::vector<ChartArea> areas;  ///< lowest
    std::vector<ChartLine> lines;
    std::vector<ChartPoints> points;  ///< topmost
};

/// One axis. Ticks beyond 0 … 1 are left out.
struct ChartAxis {
    std::vector<figures::Tick> ticks;
    figures::Scale scale;
    QString title;  ///< must not be longer than the axis
    bool labels = true;
};

class PlotChart {
public:
    /// `scene` must live longer.
    explicit PlotChart(QGraphicsScene& scene);
    ~PlotChart();
    PlotChart(const PlotChart&) = delete;
    PlotChart& operator=(const PlotChart&) = delete;

    /// Parent of items over the chart. Z values: axes 5, series 4.
    [[nodiscard]] QChart* item() const { return chart_; }

    /// `area`: whole numbers, so that plots are aligned exactly.
    void set(const ChartAxis& x, const ChartAxis& y, const std::optional<ChartAxis>& y2,
             const ChartMarks& marks, const Canvas& canvas, const QRectF& area);

    /// Room that an axis takes beside the plot area, in scene units. Qt Charts' paddings are fixed in them.
    [[nodiscard]] static double height_of_x(const Canvas& canvas, int label_rows, bool title);
    [[nodiscard]] static double width_of_y(const Canvas& canvas, double widest_label, bool title);

private:
    /// What an axis shows: setting it again lays the labels out.
    struct Shown {
        std::vector<std::pair<double, QString>> labels;
        QString title;
        QFont font;
        QColor text, line;
        double width = 0;
        bool operator==(const Shown&) const = default;
    };
    /// Whether it has changed.
    bool set_axis(std::size_t side, const ChartAxis& axis, const Canvas& canvas);
    void make_series(const ChartMarks& marks);
    void mend(const QRectF& area);

    QChart* chart_;
    std::array<QCategoryAxis*, 3> axes_{};  // x, y, second y
    std::array<Shown, 3> shown_;
    std::array<std::size_t, 3> counts_{};  // areas, lines, points
    std::vector<QAreaSeries*> areas_;
    std::vector<QLineSeries*> lines_;
    std::vector<QScatterSeries*> points_;
};

}  // namespace casp::widgets
