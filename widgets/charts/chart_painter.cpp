#include "charts/chart_painter.h"

#include <QGraphicsScene>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <limits>

#include "charts/plot_item.h"

namespace casp::widgets {

namespace {

/// A heatmap of the figure if all share one visible colour scale, which needs one bar only. Else null.
const figures::Heatmap* common_scale(const figures::Figure& figure) {
    const figures::Heatmap* first = nullptr;
    int maps = 0;
    bool shown = false;
    for (const auto& plot : figure.plots) {
        if (!plot.heatmap) continue;
        const auto& map = *plot.heatmap;
        if (!map.min || !map.max) return nullptr;
        if (first && (map.min != first->min || map.max != first->max || map.colour_map != first->colour_map))
            return nullptr;
        // The visible one has the title.
        if (!first || (map.colour_bar && first->value_title.isEmpty())) first = &map;
        shown = shown || map.colour_bar;
        ++maps;
    }
    return maps > 1 && shown ? first : nullptr;
}

}  // namespace

double legend_room(const figures::Figure& figure, const Look& look, double width, int columns) {
    const Canvas& canvas = look;
    const double pad = canvas.points(16);
    constexpr int any_rows = 16;
    if (const auto common = common_legend(figure, canvas); !common.empty()) {
        Legend legend;
        legend.lay_out(common, canvas, width - pad, any_rows);
        return legend.height();
    }
    const auto each = static_cast<std::size_t>(std::max(columns, 1));
    double sum = 0;
    for (std::size_t first = 0; first < figure.plots.size(); first += each) {
        double highest = 0;
        for (std::size_t i = first; i < std::min(first + each, figure.plots.size()); ++i) {
            Legend legend;
            legend.lay_out(legend_of(figure.plots[i], canvas), canvas, width / columns - pad, any_rows);
            // A single row is placed beside the title.
            if (legend.rows() > 1) highest = std::max(highest, legend.height());
        }
        sum += highest;
    }
    return sum;
}

double min_height(const figures::Figure& figure, const Look& look) {
    if (figure.plots.empty()) return 0;
    // Width of a view in the narrowest window: a height depending on the real width would change the width
    // again through the page's scroll bar.
    constexpr double narrow = 480, lowest_row = 135, smallest_text = 8.25;
    const auto count = static_cast<int>(figure.plots.size());
    const int columns = std::clamp(figure.columns, 1, count), rows = (count + columns - 1) / columns;
    return rows * lowest_row * std::max(1.0, look.style.font_points / smallest_text) +
           legend_room(figure, look, narrow, columns);
}

struct ChartPainter::Parts {
    QGraphicsScene scene;
    std::vector<std::unique_ptr<PlotItem>> plots;
    std::size_t used = 0;
    Canvas canvas;
    QSizeF size;
    Legend legend;  // common legend of all plots, if they have the same one
    QString title, caption;
    QRectF title_place, legend_place, caption_place;
    const figures::Heatmap* bar_map = nullptr;  // the heatmap whose colour bar is right of all plots
    QRectF bar_area;                            // area beside which it is placed

    [[nodiscard]] QRectF heading(const figures::Figure& figure, const std::vector<LegendEntry>& common);
};

ChartPainter::ChartPainter() : parts_(std::make_unique<Parts>()) {
    // Rebuilt on every change: an index would not pay off.
    parts_->scene.setItemIndexMethod(QGraphicsScene::NoIndex);
}

ChartPainter::~ChartPainter() = default;

// Title above, caption below and a common legend; the rest is left for the plots.
QRectF ChartPainter::Parts::heading(const figures::Figure& figure, const std::vector<LegendEntry>& common) {
    QRectF rest(QPointF(0, 0), size);
    const double pad = canvas.points(8);
    title = canvas.style.show_title ? shaped(figure.title, canvas.font(2, true)) : QString();
    caption = canvas.style.show_caption ? shaped(figure.caption, canvas.font()) : QString();
    if (!title.isEmpty()) {
        const QFontMetricsF metrics(canvas.font(2, true));
        const QRectF box =
            metrics.boundingRect(QRectF(pad, 0, size.width() - 2 * pad, 1e5), Qt::TextWordWrap, title);
        title_place = QRectF(pad, canvas.points(4), size.width() - 2 * pad, box.height());
        rest.setTop(title_place.bottom() + canvas.points(2));
    }
    if (!caption.isEmpty()) {
        const QFontMetricsF metrics(canvas.font());
        const QRectF box =
            metrics.boundingRect(QRectF(pad, 0, size.width() - 2 * pad, 1e5), Qt::TextWordWrap, caption);
        caption_place = QRectF(pad, size.height() - box.height() - canvas.points(4), size.width() - 2 * pad,
                               box.height());
        rest.setBottom(caption_place.top() - canvas.points(2));
    }
    legend = {};
    if (!common.empty()) {
        legend.lay_out(common, canvas, size.width() - 2 * pad, legend_rows_in(rest.height(), canvas));
        legend_place = QRectF(pad, rest.top() + canvas.points(4), legend.width(), legend.height());
        rest.setTop(legend_place.bottom());
    }
    return rest;
}

void ChartPainter::set(const figures::Figure& figure, const Look& look, QSizeF size) {
    Parts& p = *parts_;
    p.canvas = look;
    p.size = size;
    const std::size_t count = figure.plots.size();
    p.used = count;
    while (p.plots.size() < count) p.plots.push_back(std::make_unique<PlotItem>(p.scene));
    for (std::size_t i = 0; i < p.plots.size(); ++i) p.plots[i]->set_visible(i < count);
    p.scene.setSceneRect(QRectF(QPointF(0, 0), size));

    const auto common = common_legend(figure, p.canvas);
    QRectF rest = p.heading(figure, common);
    p.bar_map = common_scale(figure);
    if (count == 0) return;
    // One bar right of all plots, so that these keep equal widths.
    if (p.bar_map) rest.setRight(rest.right() - colour_bar_width(p.canvas, *p.bar_map, rest.height() / 2));

    for (std::size_t i = 0; i < count; ++i) {
        const PlotWindow window = i < look.windows.size() ? look.windows[i] : PlotWindow();
        p.plots[i]->set(figure.plots[i], p.canvas, window, look.highlight, common.empty(),
                        p.bar_map == nullptr);
    }
    const auto columns =
        static_cast<std::size_t>(std::clamp<int>(figure.columns, 1, static_cast<int>(count)));
    const std::size_t rows = (count + columns - 1) / columns;
    const double width = rest.width() / static_cast<double>(columns),
                 height = rest.height() / static_cast<double>(rows);

    // Plot areas of a row have the same top and bottom, those of a column the same left and right.
    std::vector<QMarginsF> row_margins(rows), column_margins(columns);
    for (std::size_t i = 0; i < count; ++i) {
        const QMarginsF m = p.plots[i]->vertical_margins({width, height});
        QMarginsF& row = row_margins[i / columns];
        row.setTop(std::max(row.top(), m.top()));
        row.setBottom(std::max(row.bottom(), m.bottom()));
    }
    // Plot areas of all rows have equal heights, whatever surrounds them.
    double around = 0;
    for (const QMarginsF& row : row_margins) around += row.top() + row.bottom();
    const double area_height = std::max((rest.height() - around) / static_cast<double>(rows), 8.0);
    for (std::size_t i = 0; i < count; ++i) {
        const QSizeF area(std::max(width * 0.84, 8.0), area_height);
        const QMarginsF m = p.plots[i]->horizontal_margins(area);
        QMarginsF& column = column_margins[i % columns];
        column.setLeft(std::max(column.left(), m.left()));
        column.setRight(std::max(column.right(), m.right()));
    }
    std::vector<double> tops(rows + 1, rest.top());
    for (std::size_t row = 0; row < rows; ++row)
        tops[row + 1] = tops[row] + row_margins[row].top() + area_height + row_margins[row].bottom();
    p.bar_area = {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / columns, column = i % columns;
        const QRectF cell(rest.left() + static_cast<double>(column) * width, tops[row], width,
                          tops[row + 1] - tops[row]);
        p.plots[i]->place(cell, {column_margins[column].left(), row_margins[row].top(),
                                 column_margins[column].right(), row_margins[row].bottom()});
        if (p.bar_map && figure.plots[i].heatmap) p.bar_area = p.bar_area.united(p.plots[i]->area());
    }
    p.bar_area.setRight(rest.right() - p.canvas.points(6));
}

void ChartPainter::paint(QPainter& painter, const QRectF& target) {
    Parts& p = *parts_;
    painter.save();
    painter.fillRect(target, p.canvas.style.background);
    painter.setRenderHint(QPainter::Antialiasing);
    if (p.used > 0) p.scene.render(&painter, target, p.scene.sceneRect(), Qt::IgnoreAspectRatio);
    painter.translate(target.topLeft());
    if (p.size.width() > 0) painter.scale(target.width() / p.size.width(), target.height() / p.size.height());
    painter.setPen(p.canvas.style.text);
    if (!p.title.isEmpty()) {
        painter.setFont(p.canvas.font(2, true));
        painter.drawText(p.title_place, Qt::TextWordWrap, p.title);
    }
    if (!p.caption.isEmpty()) {
        painter.setFont(p.canvas.font());
        painter.drawText(p.caption_place, Qt::TextWordWrap, p.caption);
    }
    if (p.bar_map && p.used > 0) draw_colour_bar(painter, p.canvas, *p.bar_map, p.bar_area);
    if (p.legend.height() > 0) p.legend.draw(painter, p.canvas, p.legend_place.topLeft());
    painter.restore();
}

int ChartPainter::plots() const { return static_cast<int>(parts_->used); }

int ChartPainter::plot_at(QPointF position) const {
    for (std::size_t i = 0; i < parts_->used; ++i) {
        if (parts_->plots[i]->cell().contains(position)) return static_cast<int>(i);
    }
    return -1;
}

QRectF ChartPainter::cell(int plot) const { return parts_->plots.at(static_cast<std::size_t>(plot))->cell(); }

QRectF ChartPainter::area(int plot) const { return parts_->plots.at(static_cast<std::size_t>(plot))->area(); }

const Scales& ChartPainter::scales(int plot) const {
    return parts_->plots.at(static_cast<std::size_t>(plot))->scales();
}

QPointF ChartPainter::to_scene(int plot, double x, double y, bool secondary) const {
    const Scales& s = scales(plot);
    return in_scene({s.x.at(x), (secondary ? s.y2 : s.y).at(y)}, area(plot));
}

QPointF ChartPainter::values_at(int plot, QPointF position) const {
    const Scales& s = scales(plot);
    const QRectF a = area(plot);
    return {s.x.value((position.x() - a.left()) / a.width()),
            s.y.value((a.bottom() - position.y()) / a.height())};
}

std::pair<std::int64_t, std::int64_t> ChartPainter::cell_at(int plot, QPointF position) const {
    const QPointF values = values_at(plot, position);
    return {static_cast<std::int64_t>(std::floor(values.x())),
            static_cast<std::int64_t>(std::floor(values.y()))};
}

Hit ChartPainter::nearest(QPointF position, double reach, bool lines) const {
    Hit best;
    best.distance = reach;
    const int number = plot_at(position);
    if (number < 0) return best;
    const PlotItem& item = *parts_->plots[static_cast<std::size_t>(number)];
    const auto& plot = item.plot();
    const QRectF area = item.area();
    const auto offer = [&](std::size_t series, std::size_t index, QPointF at, double distance) {
        if (distance > best.distance || (best.plot >= 0 && distance == best.distance)) return;
        best = {number, static_cast<int>(series), index, -1, -1, distance, at};
    };
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const auto& points = item.points()[s];
        for (int i = 0; i < points.places.size(); ++i) {
            const QPointF d = points.places[i] - position;
            offer(s, points.indices[static_cast<std::size_t>(i)], points.places[i], std::hypot(d.x(), d.y()));
        }
        const auto& bars = item.bars()[s];
        for (std::size_t i = 0; i < bars.rectangles.size(); ++i) {
            // The whole column belongs to its bar: low bars could not be hit otherwise.
            const QRectF& bar = bars.rectangles[i];
            const double dx = std::max({bar.left() - position.x(), position.x() - bar.right(), 0.0});
            if (area.contains(position))
                offer(s, bars.indices[i], QPointF(bar.center().x(), bar.top()), dx + 1e-3);
        }
        const auto& series = plot.series[s];
        const bool is_line =
            series.kind == figures::MarkKind::line || series.kind == figures::MarkKind::steps;
        // Raw lines behind smoothed ones are not selectable separately.
        const bool means_something = !series.name.isEmpty() || !series.run.isEmpty() || !series.ids.empty();
        if (!lines || !is_line || !means_something) continue;
        const Scale& x = item.scales().x;
        const Scale& y = item.scales().of(series);
        // Only points with a nearby x: a line of a million points must not be searched completely.
        const double from = values_at(number, position - QPointF(reach, 0)).x();
        const double to = values_at(number, position + QPointF(reach, 0)).x();
        const bool sorted = std::is_sorted(series.x.begin(), series.x.end());
        auto i = sorted ? static_cast<std::size_t>(
                              std::lower_bound(series.x.begin(), series.x.end(), std::min(from, to)) -
                              series.x.begin())
                        : 0;
        if (i > 0) --i;
        QPointF before(std::numeric_limits<double>::quiet_NaN(), 0);
        for (; i < std::min(series.x.size(), series.y.size()); ++i) {
            const QPointF at = in_scene({x.at(series.x[i]), y.at(series.y[i])}, area);
            if (std::isfinite(at.x()) && std::isfinite(at.y())) {
                const QPointF d = at - position;
                offer(s, i, at, std::hypot(d.x(), d.y()));
                if (std::isfinite(before.x())) {
                    const QPointF step = at - before, to_mouse = position - before;
                    const double length = QPointF::dotProduct(step, step);
                    const double share =
                        length > 0 ? std::clamp(QPointF::dotProduct(step, to_mouse) / length, 0.0, 1.0) : 0;
                    const QPointF foot = before + share * step - position;
                    offer(s, share < 0.5 && i > 0 ? i - 1 : i, share < 0.5 ? before : at,
                          std::hypot(foot.x(), foot.y()));
                }
                before = at;
            } else {
                before = QPointF(std::numeric_limits<double>::quiet_NaN(), 0);
            }
            if (sorted && series.x[i] > std::max(from, to)) break;
        }
    }
    if (best.plot < 0 && plot.heatmap) {
        const auto [column, row] = cell_at(number, position);
        const bool above = position.x() >= area.left() && position.x() < area.right(),
                   beside = position.y() >= area.top() && position.y() < area.bottom();
        best.column = above && column < plot.heatmap->columns ? column : -1;
        best.row = beside && row < plot.heatmap->rows ? row : -1;
        const bool there = (best.row >= 0 && (best.column >= 0 || position.x() < area.left())) ||
                           (best.column >= 0 && position.y() >= area.bottom());
        best = there ? Hit{number, -1, 0, best.row, best.column, 0, position} : Hit{};
    }
    return best;
}

std::vector<Hit> ChartPainter::inside(int number, const QRectF& box) const {
    std::vector<Hit> hits;
    if (number < 0 || number >= plots()) return hits;
    const PlotItem& item = *parts_->plots[static_cast<std::size_t>(number)];
    const auto& plot = item.plot();
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const auto& points = item.points()[s];
        for (int i = 0; i < points.places.size(); ++i) {
            if (box.contains(points.places[i]))
                hits.push_back({number, static_cast<int>(s), points.indices[static_cast<std::size_t>(i)], -1,
                                -1, 0, points.places[i]});
        }
        const auto& bars = item.bars()[s];
        for (std::size_t i = 0; i < bars.rectangles.size(); ++i) {
            const QRectF& bar = bars.rectangles[i];
            if (bar.right() >= box.left() && bar.left() <= box.right())
                hits.push_back({number, static_cast<int>(s), bars.indices[i], -1, -1, 0, bar.center()});
        }
    }
    const QRectF area = item.area(), part = box.intersected(area);
    if (plot.heatmap && !part.isEmpty()) {
        const auto& map = *plot.heatmap;
        const auto [first, top] = cell_at(number, part.topLeft());
        const auto [last, bottom] = cell_at(number, part.bottomRight());
        const auto until = [](std::int64_t cell, std::int64_t size) { return std::min(cell, size - 1); };
        for (auto r = std::max<std::int64_t>(top, 0); r <= until(bottom, map.rows); ++r)
            for (auto c = std::max<std::int64_t>(first, 0); c <= until(last, map.columns); ++c)
                hits.push_back({number, -1, 0, r, c, 0, {}});
    }
    return hits;
}

}  // namespace casp::widgets
