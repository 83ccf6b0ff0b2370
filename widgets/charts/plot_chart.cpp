#include "charts/plot_chart.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QGraphicsLayout>
#include <QGraphicsLineItem>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>

#include <algorithm>
#include <cmath>

namespace casp::widgets {
namespace {

constexpr Qt::Alignment sides[] = {Qt::AlignBottom, Qt::AlignLeft, Qt::AlignRight};
constexpr double axes_z = 5, chart_axes_z = 3;  // Qt Charts' own: below the series
// Qt Charts': length of ticks, space around titles, margin of every text, and what it adds to an axis.
constexpr double tick_length = 4, title_gap = 2, text_margin = 0.5, x_rest = 1, y_rest = 2;
const QChar thin_space(0x2009);

/// Labels of a category axis must differ, and are HTML.
QString label_html(const figures::Tick& tick, std::size_t number, std::size_t side, const QColor& muted) {
    QString text = tick.label.toHtmlEscaped();
    if (!text.isEmpty() && side == 1) text += thin_space;
    if (!text.isEmpty() && side == 2) text.prepend(thin_space);
    if (!tick.context.isEmpty())
        text = QStringLiteral("<center>%1<br><span style=\"color:%2\">%3</span></center>")
                   .arg(text, muted.name(), tick.context.toHtmlEscaped());
    return QStringLiteral("<!--%1-->").arg(number) + text;
}

}  // namespace

PlotChart::PlotChart(QGraphicsScene& scene) : chart_(new QChart) {
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->setBackgroundVisible(false);
    chart_->setPlotAreaBackgroundVisible(false);
    chart_->setDropShadowEnabled(false);
    chart_->setMargins(QMargins());
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    chart_->setMinimumSize(0, 0);
    chart_->legend()->hide();
    scene.addItem(chart_);
    for (std::size_t side = 0; side < axes_.size(); ++side) {
        auto* axis = axes_[side] = new QCategoryAxis;
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setRange(0, 1);
        axis->setStartValue(-1);  // the first label would begin there
        axis->setGridLineVisible(false);
        axis->setShadesVisible(false);
        axis->setTruncateLabels(false);
        chart_->addAxis(axis, sides[side]);
    }
}

PlotChart::~PlotChart() { delete chart_; }

double PlotChart::height_of_x(const Canvas& canvas, int label_rows, bool title) {
    const double row = QFontMetricsF(canvas.font()).lineSpacing();
    return tick_length + x_rest + label_rows * row + 2 * text_margin +
           (title ? row + 2 * (text_margin + title_gap) : 0);
}

double PlotChart::width_of_y(const Canvas& canvas, double widest_label, bool title) {
    const QFontMetricsF metrics(canvas.font());
    return tick_length + y_rest + widest_label + metrics.horizontalAdvance(thin_space) + 2 * text_margin +
           (title ? metrics.lineSpacing() + 2 * (text_margin + title_gap) : 0);
}

void PlotChart::set(const ChartAxis& x, const ChartAxis& y, const std::optional<ChartAxis>& y2,
                    const ChartMarks& marks, const Canvas& canvas, const QRectF& area) {
    bool moved = area != chart_->plotArea() || axes_[2]->isVisible() != y2.has_value();
    axes_[2]->setVisible(y2.has_value());
    moved |= set_axis(0, x, canvas) | set_axis(1, y, canvas) | (y2 && set_axis(2, *y2, canvas));
    // Wide enough for any label: Qt Charts hides those outside and squeezes axes above 40 %.
    chart_->setGeometry(QRectF(QPointF(0, 0), area.bottomRight() * 3));
    chart_->setPlotArea(area);

    // Points last: each call computes a path, and its outline for the mouse.
    if (counts_ != std::array{marks.areas.size(), marks.lines.size(), marks.points.size()}) {
        make_series(marks);
        moved = true;
    }
    for (std::size_t i = 0; i < areas_.size(); ++i) {
        areas_[i]->setBrush(marks.areas[i].colour);
        areas_[i]->upperSeries()->replace(marks.areas[i].upper);
        areas_[i]->lowerSeries()->replace(marks.areas[i].lower);
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        lines_[i]->setPen(marks.lines[i].pen);
        lines_[i]->replace(marks.lines[i].points);
    }
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const auto& given = marks.points[i];
        points_[i]->setMarkerShape(given.shape);
        points_[i]->setMarkerSize(given.size);
        points_[i]->setBrush(given.fill);
        points_[i]->replace(given.points);
    }
    if (!moved) return;  // the axes are as they were
    chart_->layout()->invalidate();
    chart_->layout()->activate();
    mend(area);
}

bool PlotChart::set_axis(std::size_t side, const ChartAxis& given, const Canvas& canvas) {
    Shown wanted{{}, given.title, canvas.font(), canvas.style.text, canvas.style.axis, canvas.points(0.75)};
    for (const auto& tick : given.ticks) {
        const double at = given.scale.at(tick.at);
        // Others would be written at the end of the axis. Minor ticks are lines of the grid only.
        if (tick.minor || !(at >= -1e-9 && at <= 1 + 1e-9)) continue;
        // A label of a y axis takes the room of a line even if it is empty, and hides others.
        if (side != 0 && given.labels && tick.label.isEmpty()) continue;
        wanted.labels.emplace_back(std::clamp(at, 0.0, 1.0),
                                   label_html(given.labels ? tick : figures::Tick{}, wanted.labels.size(),
                                              side, canvas.style.muted));
    }
    std::sort(wanted.labels.begin(), wanted.labels.end());  // they must ascend
    // An axis without any is not laid out at all: an empty one outside.
    if (wanted.labels.empty()) wanted.labels.emplace_back(2, label_html({}, 0, side, {}));
    if (wanted == shown_[side]) return false;
    auto* axis = axes_[side];
    for (const auto& label : axis->categoriesLabels()) axis->remove(label);
    for (const auto& [at, label] : wanted.labels) axis->append(label, at);
    axis->setLabelsFont(wanted.font);
    axis->setTitleFont(wanted.font);
    axis->setLabelsBrush(wanted.text);
    axis->setTitleBrush(wanted.text);
    axis->setLinePen(canvas.line(wanted.line));
    axis->setTitleText(wanted.title.toHtmlEscaped());
    shown_[side] = std::move(wanted);
    return true;
}

void PlotChart::make_series(const ChartMarks& marks) {
    chart_->removeAllSeries();
    areas_.clear();
    lines_.clear();
    points_.clear();
    const auto add = [this](auto* series) {
        chart_->addSeries(series);
        series->attachAxis(axes_[0]);
        series->attachAxis(axes_[1]);
        return series;
    };
    for (std::size_t i = 0; i < marks.areas.size(); ++i) {
        auto *upper = new QLineSeries, *lower = new QLineSeries;
        auto* area = new QAreaSeries(upper, lower);
        upper->setParent(area);
        lower->setParent(area);
        areas_.push_back(add(area));
        area->setPen(Qt::NoPen);
    }
    for (std::size_t i = 0; i < marks.lines.size(); ++i) lines_.push_back(add(new QLineSeries));
    for (std::size_t i = 0; i < marks.points.size(); ++i) {
        points_.push_back(add(new QScatterSeries));
        points_.back()->setPen(Qt::NoPen);
    }
    counts_ = {marks.areas.size(), marks.lines.size(), marks.points.size()};
}

// What no setting reaches: axes above the curves, exactly beside the plot area (Qt Charts places them at
// whole numbers after adding fractions) and on whole pixels like the grid; markers at the border whole.
void PlotChart::mend(const QRectF& area) {
    for (auto* item : chart_->childItems()) {
        if (item->zValue() != chart_axes_z && item->zValue() != axes_z) {
            item->setFlag(QGraphicsItem::ItemClipsChildrenToShape, false);
            continue;
        }
        item->setZValue(axes_z);
        const auto parts = item->childItems();
        const auto* axis = parts.isEmpty() ? nullptr : qgraphicsitem_cast<QGraphicsLineItem*>(parts.front());
        if (!axis) continue;  // labels
        const auto [x, y] = std::pair(axis->line().x1(), axis->line().y1());
        const bool upright = axis->line().dx() == 0;
        const double side =
            std::abs(x - area.left()) < std::abs(x - area.right()) ? area.left() : area.right();
        const double across = upright ? snapped(side) - x : snapped(area.bottom()) - y;
        for (auto* part : parts) {
            const auto* tick = qgraphicsitem_cast<QGraphicsLineItem*>(part);
            const QPointF at = tick->line().p1();
            const double along = part == parts.front() ? 0
                                 : upright             ? snapped(at.y()) - at.y()
                                                       : snapped(at.x()) - at.x();
            part->setPos(upright ? QPointF(across, along) : QPointF(along, across));
        }
    }
}

}  // namespace casp::widgets
