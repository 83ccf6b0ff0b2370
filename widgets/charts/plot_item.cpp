#include "charts/plot_item.h"

#include <QGraphicsScene>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "charts/elided_names.h"

namespace casp::widgets {
namespace {

// Series are at 4: our bars below them, many lines above areas.
constexpr double under_z = 0.5, between_z = 3.9, lines_z = 4.1, over_z = 50;
/// Qt Charts outlines each line for the mouse, which takes half as long as drawing it, and has an item for
/// each point (docs/decisions/0007-window.md). Making and removing a series takes 0.15 ms.
constexpr std::size_t max_lines = 100, max_vertices = 12'000, max_points = 2000, max_clouds = 100;

// The opaque colour equal to a half-transparent one on a background.
QColor mixed(const QColor& background, const QColor& colour) {
    const float share = colour.alphaF();
    const auto mix = [share](float a, float b) { return a + share * (b - a); };
    return QColor::fromRgbF(mix(background.redF(), colour.redF()), mix(background.greenF(), colour.greenF()),
                            mix(background.blueF(), colour.blueF()));
}

// Labels of a heatmap's rows (columns): their names, else their ids. Empty: 0, 1, 2, …, with ticks at round
// numbers.
QStringList names_of(const QStringList& names, const std::vector<std::int64_t>& ids) {
    if (!names.isEmpty()) return names;
    bool in_order = true;
    for (std::size_t i = 0; i < ids.size(); ++i)
        in_order = in_order && ids[i] == static_cast<std::int64_t>(i);
    QStringList list;
    if (in_order) return list;
    for (const auto id : ids) list << QString::number(id);
    return list;
}

// Removes the common leading words of all names ("λ_cov = 0", "λ_cov = 0.1"), but never a whole name.
QString take_common_start(QStringList& names) {
    if (names.size() < 2) return {};
    const QStringList first = names.front().split(QLatin1Char(' '));
    qsizetype common = first.size() - 1;
    for (const QString& name : names) {
        const QStringList words = name.split(QLatin1Char(' '));
        common = std::min(common, words.size() - 1);
        for (qsizetype i = 0; i < common; ++i)
            if (words[i] != first[i]) common = i;
    }
    if (common <= 0) return {};
    for (QString& name : names) name = name.split(QLatin1Char(' ')).mid(common).join(QLatin1Char(' '));
    QStringList start = first.mid(0, common);
    while (!start.isEmpty() && (start.back() == QLatin1String("=") || start.back() == QStringLiteral("·")))
        start.removeLast();
    return start.join(QLatin1Char(' '));
}

}  // namespace

PaintItem::PaintItem(QGraphicsItem* parent, double z, std::function<void(QPainter&)> draw)
    : QGraphicsItem(parent), draw_(std::move(draw)) {
    setZValue(z);
}

void PaintItem::set_bounds(const QRectF& bounds) {
    prepareGeometryChange();
    bounds_ = bounds;
    update();
}

void PaintItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    draw_(*painter);
    painter->restore();
}

PlotItem::PlotItem(QGraphicsScene& scene) : chart_(scene) {
    const auto item = [this](double z, void (PlotItem::*draw)(QPainter&) const) {
        return new PaintItem(chart_.item(), z, [this, draw](QPainter& painter) { (this->*draw)(painter); });
    };
    under_ = item(under_z, &PlotItem::draw_under);
    between_ = item(between_z, &PlotItem::draw_all_bars);
    drawn_lines_ = item(lines_z, &PlotItem::draw_lines);
    over_ = item(over_z, &PlotItem::draw_over);
}

void PlotItem::set(const figures::Plot& plot, const Canvas& canvas, const PlotWindow& window,
                   const Highlight& highlight, bool own_legend, bool own_bar) {
    plot_ = &plot;
    canvas_ = canvas;
    highlight_ = highlight;
    own_bar_ = own_bar && plot.heatmap && plot.heatmap->colour_bar;
    scales_ = scales_of(plot, window);
    legend_entries_ = own_legend ? legend_of(plot, canvas) : std::vector<LegendEntry>();
    for (const auto& remark : plot.remarks) {
        LegendEntry entry;
        entry.name = remark.text;
        entry.note = true;
        if (remark.colour.isValid())
            entry.colour = figures::readable_on(remark.colour, canvas.style.background);
        legend_entries_.push_back(std::move(entry));
    }
    row_names_.clear();
    column_names_.clear();
    x_names_ = plot.x.categories;
    title_ = shaped(plot.title, canvas.font());
    x_title_ = shaped(plot.x.title, canvas.font());
    if (!plot.heatmap) return;
    colours_ = colour_range(*plot.heatmap);
    row_names_ = names_of(plot.heatmap->row_names, plot.heatmap->row_ids);
    column_names_ = names_of(plot.heatmap->column_names, plot.heatmap->column_ids);
    x_names_ = column_names_;
}

namespace {

std::vector<figures::Tick> bar_ticks(const Canvas& canvas, const Range& colours, double height) {
    const QFontMetricsF labels(canvas.font());
    const int most = std::clamp(static_cast<int>(height / (labels.height() * 2.2)), 2, 7);
    return figures::linear_ticks(colours.min, colours.max, most);
}

double widest_of(const std::vector<figures::Tick>& ticks, const Canvas& canvas) {
    const QFontMetricsF metrics(canvas.font());
    double width = 0;
    for (const auto& tick : ticks) width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

}  // namespace

double colour_bar_width(const Canvas& canvas, const figures::Heatmap& map, double height) {
    double width =
        canvas.points(7 + 8 + 4 + 4) + widest_of(bar_ticks(canvas, colour_range(map), height), canvas);
    if (!map.value_title.isEmpty()) width += QFontMetricsF(canvas.font()).height() + canvas.points(2);
    return width;
}

void draw_colour_bar(QPainter& painter, const Canvas& canvas, const figures::Heatmap& map,
                     const QRectF& area) {
    const Range colours = colour_range(map);
    const auto ticks = bar_ticks(canvas, colours, area.height());
    const QRectF bar(area.right() + canvas.points(7), area.top(), canvas.points(8), area.height());
    QImage ramp(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) ramp.setPixel(0, i, figures::map_colour(map.colour_map, 1 - i / 255.0));
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.drawImage(bar, ramp);
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(canvas.line(canvas.style.axis));
    painter.drawRect(QRectF(QPointF(snapped(bar.left()), snapped(bar.top())),
                            QPointF(snapped(bar.right()), snapped(bar.bottom()))));
    const QFontMetricsF metrics(canvas.font());
    painter.setFont(canvas.font());
    painter.setPen(canvas.style.text);
    for (const auto& tick : ticks) {
        const double y = bar.bottom() - (tick.at - colours.min) / (colours.max - colours.min) * bar.height();
        painter.drawText(
            QPointF(bar.right() + canvas.points(4), y + (metrics.ascent() - metrics.descent()) / 2),
            tick.label);
    }
    if (map.value_title.isEmpty()) return;
    const double x =
        bar.right() + canvas.points(4) + widest_of(ticks, canvas) + canvas.points(3) + metrics.height() / 2;
    const QString title = metrics.elidedText(shaped(map.value_title, canvas.font()), Qt::ElideRight,
                                             bar.height() + canvas.points(24));
    painter.save();
    painter.translate(x, bar.center().y());
    painter.rotate(-90);
    painter.drawText(
        QPointF(-metrics.horizontalAdvance(title) / 2, (metrics.ascent() - metrics.descent()) / 2), title);
    painter.restore();
}

double PlotItem::slanted_length(double cell_width) const {
    return std::clamp(cell_width * 0.3, canvas_.points(30), canvas_.points(95));
}

void PlotItem::shorten_labels(std::vector<figures::Tick>& ticks, double longest) const {
    QStringList names;
    for (const auto& tick : ticks) names << tick.label;
    const auto shown = elided_apart(names, QFontMetricsF(canvas_.font()), longest);
    for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i].label = shown[static_cast<qsizetype>(i)];
}

double PlotItem::widest(const std::vector<figures::Tick>& ticks) const { return widest_of(ticks, canvas_); }

QMarginsF PlotItem::vertical_margins(QSizeF cell) {
    const double cell_width = cell_width_ = cell.width();
    const QFontMetricsF labels(canvas_.font()), titles(canvas_.font(1, true));
    double top = canvas_.points(title_.isEmpty() && legend_entries_.empty() ? 5 : 3);
    legend_beside_title_ = false;
    const double pad = canvas_.points(8);
    // In narrow plots, prefer smaller text, then several lines, to eliding.
    title_font_ = canvas_.font(1, true);
    title_lines_.clear();
    if (!title_.isEmpty()) {
        for (const double larger : {1.0, 0.0, -1.0}) {
            title_font_ = canvas_.font(larger, true);
            if (QFontMetricsF(title_font_).horizontalAdvance(title_) <= cell_width - 2 * pad) break;
        }
        title_lines_ = wrapped(title_, QFontMetricsF(title_font_), cell_width - 2 * pad);
    }
    const double title_height = titles.height() * static_cast<double>(title_lines_.size());
    const double title_width =
        title_lines_.isEmpty() ? 0
                               : QFontMetricsF(title_font_).horizontalAdvance(title_) + canvas_.points(12);
    legend_.lay_out(legend_entries_, canvas_, cell_width - title_width - 2 * pad, 1);
    bool complete = legend_.rows() <= 1 && (title_lines_.size() < 2 || legend_entries_.empty());
    if (complete && !legend_entries_.empty()) {
        // One row beside the title, if it fits completely.
        double needed = 0;
        for (const auto& entry : legend_entries_)
            needed += canvas_.points(24.5) + labels.horizontalAdvance(entry.name);
        complete = needed - canvas_.points(10) <= cell_width - title_width - 2 * pad;
    }
    if (complete) {
        legend_beside_title_ = true;
        top += std::max(title_height, legend_.height());
    } else {
        legend_.lay_out(legend_entries_, canvas_, cell_width - 2 * pad,
                        legend_rows_in(cell.height(), canvas_));
        top += (title_lines_.isEmpty() ? 0 : title_height + canvas_.points(1)) + legend_.height();
    }
    top += canvas_.points(4);

    const int label_rows = !plot_->x.numbers ? 0 : plot_->x.time && x_names_.isEmpty() ? 2 : 1;
    double bottom = PlotChart::height_of_x(canvas_, label_rows, false);
    slanted_ = false;
    if (!x_names_.isEmpty()) {
        const auto longest_of = [&labels](const QStringList& names) {
            double longest = 0;
            for (const QString& name : names) longest = std::max(longest, labels.horizontalAdvance(name));
            return longest;
        };
        const double spacing =
            std::max(cell_width - canvas_.points(46), cell_width / 3) / static_cast<double>(x_names_.size());
        const auto crowded = [&] { return longest_of(x_names_) + canvas_.points(6) > spacing; };
        // Numbers and long lists are thinned out.
        constexpr qsizetype long_list = 500;
        const bool words =
            x_names_.size() < long_list && (!plot_->heatmap || !plot_->heatmap->column_names.isEmpty());
        // The common part of all names is shown once below them, so that the differing part is not elided.
        if (words && crowded() && longest_of(x_names_) > slanted_length(cell_width)) {
            const QString start = take_common_start(x_names_);
            if (x_title_.isEmpty()) x_title_ = start;
        }
        const double longest = words ? longest_of(x_names_) : 0;
        if (words && crowded() && longest > labels.height() * 1.6) {
            slanted_ = true;
            const double length = std::min(longest, slanted_length(cell_width));
            bottom = canvas_.points(4) + length * slant.height() + labels.height() * slant.width();
        }
    }
    x_title_below_ = bottom;
    if (!x_title_.isEmpty())
        bottom += PlotChart::height_of_x(canvas_, 0, true) - PlotChart::height_of_x(canvas_, 0, false);
    bottom += canvas_.points(1);
    return {0, top, 0, bottom};
}

QMarginsF PlotItem::horizontal_margins(QSizeF area) {
    const QFontMetricsF labels(canvas_.font());
    y_ticks_ = y_ticks(plot_->y, scales_.y, area);
    const double edge = canvas_.points(2);
    double left = edge + PlotChart::width_of_y(canvas_, widest(y_ticks_), !plot_->y.title.isEmpty());
    double right = canvas_.points(6);
    y2_ticks_.clear();
    if (plot_->y2) {
        y2_ticks_ = y_ticks(*plot_->y2, scales_.y2, area);
        right = edge + PlotChart::width_of_y(canvas_, widest(y2_ticks_), !plot_->y2->title.isEmpty());
    }
    if (own_bar_) right = colour_bar_width(canvas_, *plot_->heatmap, area.height());
    // Labels at the ends of the x axis reach beyond it.
    if (!slanted_ && plot_->x.categories.isEmpty()) {
        const auto ticks = x_ticks(area.width());
        for (const auto& tick : ticks) {
            const double at = scales_.x.at(tick.at) * area.width();
            const double half =
                std::max(labels.horizontalAdvance(tick.label), labels.horizontalAdvance(tick.context)) / 2 +
                canvas_.points(4);
            right = std::max(right, at + half - area.width());
            left = std::max(left, half - at);
        }
    } else if (slanted_) {
        // The first names reach to the left of the plot area.
        for (const auto& tick : x_ticks(area.width()))
            left = std::max(left, labels.horizontalAdvance(tick.label) * slant.width() -
                                      scales_.x.at(tick.at) * area.width());
    }
    return {left, 0, right, 0};
}

std::vector<figures::Tick> PlotItem::x_ticks(double width) const {
    const QFontMetricsF metrics(canvas_.font());
    const Scale& x = scales_.x;
    const QStringList& names = x_names_;
    if (slanted_) {
        const int most = std::max(1, static_cast<int>(width / (metrics.height() * 1.15)));
        auto ticks = plot_->heatmap ? figures::category_ticks(names, x.min - 0.5, x.max - 0.5, most)
                                    : figures::category_ticks(names, x.min, x.max, most);
        if (plot_->heatmap) {
            for (auto& tick : ticks) tick.at += 0.5;
        }
        shorten_labels(ticks, slanted_length(cell_width_));
        return ticks;
    }
    std::vector<figures::Tick> ticks;
    const int start = std::clamp(static_cast<int>(width / canvas_.points(22)), 2, names.isEmpty() ? 9 : 200);
    for (int most = start; most >= 2; --most) {
        if (plot_->heatmap) {
            ticks = names.isEmpty() ? figures::linear_ticks(x.min, x.max - 1, most, true)
                                    : figures::category_ticks(names, x.min - 0.5, x.max - 0.5, most);
            for (auto& tick : ticks) tick.at += 0.5;
        } else if (!names.isEmpty()) {
            ticks = figures::category_ticks(names, x.min, x.max, most);
        } else if (plot_->x.time) {
            ticks = figures::time_ticks(x.min, x.max, most);
        } else if (plot_->x.log) {
            ticks = figures::log_ticks(x.min, x.max, most, plot_->x.integers);
        } else {
            ticks = figures::linear_ticks(x.min, x.max, most, plot_->x.integers);
        }
        double edge = -1e9;
        bool fits = true;
        for (const auto& tick : ticks) {
            if (tick.label.isEmpty()) continue;
            const double centre = x.at(tick.at) * width, half = metrics.horizontalAdvance(tick.label) / 2;
            if (centre - half < edge) fits = false;
            edge = centre + half + canvas_.points(plot_->x.log ? 4 : 8);
        }
        if (fits) break;
    }
    if (!plot_->x.numbers)
        for (auto& tick : ticks) tick.label.clear();
    // Days and years that would overlap the one before.
    double context_edge = -1e9;
    for (auto& tick : ticks) {
        const double half = metrics.horizontalAdvance(tick.context) / 2, centre = x.at(tick.at) * width;
        if (half == 0) continue;
        if (centre - half < context_edge)
            tick.context.clear();
        else
            context_edge = centre + half + canvas_.points(6);
    }
    return ticks;
}

std::vector<figures::Tick> PlotItem::y_ticks(const figures::Axis& axis, const Scale& scale,
                                             QSizeF area) const {
    const double height = area.height();
    if (scales_.no_data) return {};
    const double row = QFontMetricsF(canvas_.font()).lineSpacing();
    const int most = std::clamp(static_cast<int>(height / (row * 1.7)), height > row * 2.4 ? 3 : 2, 9);
    if (plot_->heatmap) {
        const QStringList& names = row_names_;
        const int rows = std::max(2, static_cast<int>(height / (row + 2)));
        auto ticks = names.isEmpty() ? figures::linear_ticks(scale.min, scale.max - 1, most, true)
                                     : figures::category_ticks(names, scale.min - 0.5, scale.max - 0.5, rows);
        const double longest = std::clamp(area.width() * 0.3, canvas_.points(80), canvas_.points(150));
        for (auto& tick : ticks) tick.at += 0.5;
        shorten_labels(ticks, longest);
        return ticks;
    }
    auto ticks = !axis.categories.isEmpty()
                     ? figures::category_ticks(axis.categories, scale.min, scale.max, most * 2)
                 : axis.log ? figures::log_ticks(scale.min, scale.max, most, axis.integers)
                            : figures::linear_ticks(scale.min, scale.max, most, axis.integers);
    // In very low plots even two labels may be too many.
    double edge = -1e9;
    for (auto& tick : ticks) {
        if (tick.label.isEmpty()) continue;
        const double place = scale.at(tick.at) * height;
        if (place - edge < row + 2)
            tick.label.clear();
        else
            edge = place;
    }
    if (!axis.numbers)
        for (auto& tick : ticks) tick.label.clear();
    return ticks;
}

// Qt Charts cuts titles that are longer than the axis, and keeps room for labels that are not there.
ChartAxis PlotItem::chart_axis(const std::vector<figures::Tick>& ticks, const Scale& scale,
                               const QString& title, bool labels, double length) const {
    const bool fits = QFontMetricsF(canvas_.font()).horizontalAdvance(title) + 1 <= length;
    const bool any = labels && std::any_of(ticks.begin(), ticks.end(),
                                           [](const figures::Tick& tick) { return !tick.label.isEmpty(); });
    return {ticks, scale, fits && any ? title : QString(), labels};
}

void PlotItem::place(const QRectF& cell, const QMarginsF& margins) {
    cell_ = cell;
    area_ = cell.marginsRemoved(margins);
    // Whole pixels: hairlines and cells of heatmaps stay sharp on the screen; plots of a row remain equal.
    area_ = QRectF(std::round(area_.left()), std::round(area_.top()), std::round(area_.width()),
                   std::round(area_.height()));
    if (area_.width() < 4) area_.setWidth(4);
    if (area_.height() < 4) area_.setHeight(4);
    x_ticks_ = x_ticks(area_.width());
    for (auto* item : {under_, between_, drawn_lines_, over_}) item->set_bounds(cell);
    const auto upright = [this](const figures::Axis& axis, const Scale& scale,
                                const std::vector<figures::Tick>& ticks) {
        return chart_axis(ticks, scale, shaped(axis.title, canvas_.font()), axis.numbers, area_.height());
    };
    x_axis_ = chart_axis(x_ticks_, scales_.x, x_title_, !slanted_, area_.width());
    y_axis_ = upright(plot_->y, scales_.y, y_ticks_);
    y2_axis_.reset();
    if (plot_->y2) y2_axis_ = upright(*plot_->y2, scales_.y2, y2_ticks_);
    chart_.set(x_axis_, y_axis_, y2_axis_, place_marks(), canvas_, area_);
}

ChartMarks PlotItem::place_marks() {
    ChartMarks marks;
    const std::size_t size = plot_->series.size();
    points_.assign(size, {});
    bars_.assign(size, {});
    lonely_.assign(size, {});
    for (std::size_t i = 0; i < size; ++i) {
        const auto& series = plot_->series[i];
        if (series.kind == figures::MarkKind::points) points_[i] = point_places(series, scales_, area_);
        if (series.kind == figures::MarkKind::bars) bars_[i] = bar_rectangles(series, scales_, area_);
        if (series.kind != figures::MarkKind::area) continue;
        for (auto& [upper, lower] : area_pieces(series, scales_, canvas_.columns(area_.width())))
            marks.areas.push_back({canvas_.colour_of(series, i), std::move(upper), std::move(lower)});
    }
    place_lines(marks);
    place_points(marks);
    heatmap_ = {};
    if (plot_->heatmap) {
        heatmap_ = heatmap_image(*plot_->heatmap, scales_, canvas_.columns(area_.width()),
                                 canvas_.columns(area_.height()));
    }
    return marks;
}

void PlotItem::place_lines(ChartMarks& marks) {
    own_lines_.clear();
    // Faint raw lines first, whatever their run: they must not hide others.
    std::vector<std::size_t> order(plot_->series.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [this](std::size_t i) { return plot_->series[i].opacity < 0.5; });
    for (const std::size_t i : order) {
        const auto& series = plot_->series[i];
        if (series.kind != figures::MarkKind::line && series.kind != figures::MarkKind::steps) continue;
        auto pieces = line_pieces(series, scales_, canvas_.columns(area_.width()));
        for (const QPointF& point : pieces.lonely) lonely_[i] << in_scene(point, area_);
        QColor colour = canvas_.colour_of(series, i);
        // In pixels, half-transparent segments would show where they meet.
        if (!canvas_.vector && !series.dashed) colour = mixed(canvas_.style.background, colour);
        QPen pen(colour, canvas_.points(series.width), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (series.dashed) {
            pen.setDashPattern({3.2, 2.2});
        } else if (canvas_.vector) {
            // A line with dashes is one path in a file; without, each of its segments is a line.
            pen.setDashPattern({1e5, 1e-3});
            pen.setCapStyle(Qt::RoundCap);
        } else {
            // Round ends of segments take four times as long, and cannot be seen on the thin lines of a
            // screen.
            pen.setCapStyle(canvas_.hinting ? Qt::SquareCap : Qt::RoundCap);
        }
        for (QPolygonF& piece : pieces.pieces) marks.lines.push_back({pen, std::move(piece)});
    }
    std::size_t vertices = 0;
    for (const auto& line : marks.lines) vertices += static_cast<std::size_t>(line.points.size());
    if (marks.lines.size() <= max_lines && vertices <= max_vertices) return;
    own_lines_ = std::move(marks.lines);
    marks.lines.clear();
    for (auto& line : own_lines_)
        for (QPointF& point : line.points) point = in_scene(point, area_);
}

void PlotItem::place_points(ChartMarks& marks) {
    using figures::MarkerShape;
    std::size_t count = 0, clouds = 0;
    own_points_ = !own_lines_.empty();  // which are above what Qt Charts draws
    for (const auto& series : plot_->series) {
        if (series.kind != figures::MarkKind::points) continue;
        count += series.x.size();
        // Qt Charts has no crosses, and places outlined marks beside their values by half a pen.
        own_points_ = own_points_ || count > max_points || ++clouds > max_clouds || series.hollow ||
                      series.marker == MarkerShape::cross || is_any_highlighted(series, highlight_);
    }
    const auto snapped_to_border = [](double at) {
        return std::abs(at - std::round(at)) < 1e-9 ? std::round(at) : at;
    };
    for (std::size_t i = 0; i < plot_->series.size() && !own_points_; ++i) {
        const auto& series = plot_->series[i];
        if (series.kind != figures::MarkKind::points) continue;
        auto& cloud = marks.points.emplace_back();
        cloud.size = canvas_.points(std::max(series.width, 1.0)) * marker_extent(series.marker);
        cloud.shape = series.marker == MarkerShape::square     ? QScatterSeries::MarkerShapeRectangle
                      : series.marker == MarkerShape::triangle ? QScatterSeries::MarkerShapeTriangle
                      : series.marker == MarkerShape::diamond  ? QScatterSeries::MarkerShapeRotatedRectangle
                                                               : QScatterSeries::MarkerShapeCircle;
        cloud.fill = canvas_.colour_of(series, i);
        // Those beyond the range, too, which Qt Charts hides: as many as before are moved, not made.
        for (std::size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k) {
            const QPointF at(scales_.x.at(series.x[k]), scales_.of(series).at(series.y[k]));
            if (std::isfinite(at.x()) && std::isfinite(at.y()))
                cloud.points << QPointF(snapped_to_border(at.x()), snapped_to_border(at.y()));
        }
    }
}

}  // namespace casp::widgets
