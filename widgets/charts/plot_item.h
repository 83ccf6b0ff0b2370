#pragma once
// One plot in the painter's scene: layout, what Qt Charts draws (plot_chart.h), and our items over it. Part
// of the painter.

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include <QGraphicsItem>
#include <QMarginsF>
#include <QPolygonF>

#include "charts/chart_painter.h"
#include "charts/plot_chart.h"
#include "charts/plot_marks.h"
#include "charts/plot_text.h"
#include "figures/reduce.h"
#include "figures/ticks.h"

namespace casp::widgets {

/// Item drawn by a function, to avoid a class per decoration.
class PaintItem : public QGraphicsItem {
public:
    PaintItem(QGraphicsItem* parent, double z, std::function<void(QPainter&)> draw);
    void set_bounds(const QRectF& bounds);
    [[nodiscard]] QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QRectF bounds_;
    std::function<void(QPainter&)> draw_;
};

/// Of names below the x axis that would overlap.
inline constexpr double slant_degrees = 38;
/// How far they reach to the left and down, by their length.
inline const QSizeF slant(std::cos(slant_degrees* M_PI / 180), std::sin(slant_degrees* M_PI / 180));

/// Width of a heatmap's colour bar right of a plot area of this height, in scene units.
[[nodiscard]] double colour_bar_width(const Canvas& canvas, const figures::Heatmap& map, double height);
/// Draws it right of `area`, with the same height.
void draw_colour_bar(QPainter& painter, const Canvas& canvas, const figures::Heatmap& map,
                     const QRectF& area);

/// Order of calls: set, vertical_margins, horizontal_margins, place.
/// More than 25 methods: one for each kind of marks or decoration; all use the layout computed once.
class PlotItem {
public:
    explicit PlotItem(QGraphicsScene& scene);

    void set(const figures::Plot& plot, const Canvas& canvas, const PlotWindow& window,
             const Highlight& highlight, bool own_legend, bool own_bar);
    /// Margins above and below the plot area: titles, legend, x-axis labels.
    [[nodiscard]] QMarginsF vertical_margins(QSizeF cell);
    /// Margins left and right of it: y-axis labels, colour bar.
    [[nodiscard]] QMarginsF horizontal_margins(QSizeF area);
    void place(const QRectF& cell, const QMarginsF& margins);

    [[nodiscard]] const QRectF& cell() const { return cell_; }
    [[nodiscard]] const QRectF& area() const { return area_; }
    [[nodiscard]] const Scales& scales() const { return scales_; }
    [[nodiscard]] const figures::Plot& plot() const { return *plot_; }
    [[nodiscard]] const std::vector<Points>& points() const { return points_; }
    [[nodiscard]] const std::vector<Bars>& bars() const { return bars_; }
    void set_visible(bool visible) { chart_.item()->setVisible(visible); }

private:
    [[nodiscard]] ChartMarks place_marks();
    void place_lines(ChartMarks& marks);
    void place_points(ChartMarks& marks);
    [[nodiscard]] ChartAxis chart_axis(const std::vector<figures::Tick>& ticks, const Scale& scale,
                                       const QString& title, bool labels, double length) const;
    [[nodiscard]] std::vector<figures::Tick> x_ticks(double width) const;
    [[nodiscard]] std::vector<figures::Tick> y_ticks(const figures::Axis& axis, const Scale& scale,
                                                     QSizeF area) const;
    /// Longest slanted label of the x axis.
    [[nodiscard]] double slanted_length(double cell_width) const;
    /// To at most `longest`; different names stay different.
    void shorten_labels(std::vector<figures::Tick>& ticks, double longest) const;
    [[nodiscard]] double widest(const std::vector<figures::Tick>& ticks) const;

    void draw_under(QPainter& painter) const;
    void draw_all_bars(QPainter& painter) const;
    void draw_lines(QPainter& painter) const;
    void draw_over(QPainter& painter) const;
    void draw_grid(QPainter& painter) const;
    void draw_bands(QPainter& painter) const;
    void draw_heatmap(QPainter& painter) const;
    void draw_highlighted_cells(QPainter& painter) const;
    void draw_slanted_names(QPainter& painter) const;
    void draw_own_axis_titles(QPainter& painter) const;
    void draw_no_data(QPainter& painter) const;
    void draw_titles(QPainter& painter) const;
    void draw_labels_inside(QPainter& painter) const;
    /// Number of points and line vertices (thinned out) that a label there would hide.
    [[nodiscard]] std::size_t marks_in(const QRectF& place) const;

    const figures::Plot* plot_ = nullptr;
    Canvas canvas_;
    Highlight highlight_;
    Scales scales_;
    QRectF cell_, area_;
    double cell_width_ = 0;

    std::vector<LegendEntry> legend_entries_;
    Legend legend_;
    bool legend_beside_title_ = false, own_bar_ = false;
    QString title_;
    QStringList title_lines_;
    QFont title_font_;
    bool slanted_ = false;
    double x_title_below_ = 0;  // distance of the x axis title from the plot area
    std::vector<figures::Tick> x_ticks_, y_ticks_, y2_ticks_;
    QStringList row_names_, column_names_;  // of the heatmap
    QStringList x_names_;                   // of the x axis: its categories or those columns
    QString x_title_;
    Range colours_;
    QImage heatmap_;
    std::vector<Points> points_;
    std::vector<Bars> bars_;
    std::vector<QPolygonF> lonely_;

    PlotChart chart_;
    ChartAxis x_axis_, y_axis_;  // as the chart draws them
    std::optional<ChartAxis> y2_axis_;
    // Too many or otherwise beyond Qt Charts: drawn by our items.
    std::vector<ChartLine> own_lines_;  // in the scene
    bool own_points_ = false;
    PaintItem *under_ = nullptr, *between_ = nullptr, *drawn_lines_ = nullptr, *over_ = nullptr;
};

}  // namespace casp::widgets
