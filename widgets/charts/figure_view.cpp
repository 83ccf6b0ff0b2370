#include "charts/figure_view.h"

#include <QEvent>
#include <QPainter>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace casp::widgets {
namespace {

constexpr int shortest_interval_ms = 50;

bool same_frame(const figures::Figure& a, const figures::Figure& b) {
    if (a.id != b.id || a.plots.size() != b.plots.size()) return false;
    for (std::size_t i = 0; i < a.plots.size(); ++i) {
        const auto &x = a.plots[i], &y = b.plots[i];
        if (x.title != y.title || x.x.title != y.x.title || x.x.time != y.x.time || x.x.log != y.x.log ||
            x.y.log != y.y.log || x.x.categories.size() != y.x.categories.size() ||
            x.heatmap.has_value() != y.heatmap.has_value())
            return false;
    }
    return true;
}

}  // namespace

FigureView::FigureView(QWidget* parent) : QWidget(parent), painter_(std::make_unique<ChartPainter>()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Figure"));
    setToolTip(
        tr("Plus and minus zoom (with Ctrl the y axis), arrow keys pan, Home shows everything, "
           "Page Up and Page Down switch to another plot. The wheel zooms around the pointer, a "
           "click selects the mark under it."));
    setToolTipDuration(0);
    throttle_.setSingleShot(true);
    throttle_.setTimerType(Qt::PreciseTimer);
    connect(&throttle_, &QTimer::timeout, this, [this] { update(); });
}

FigureView::~FigureView() = default;

void FigureView::set_figure(figures::Figure figure) {
    const bool same = same_frame(figure_, figure);
    figure_ = std::move(figure);
    if (!same) {
        windows_.clear();
        key_plot_ = 0;
        drag_ = Drag::none;
    }
    windows_.resize(figure_.plots.size());
    setAccessibleName(figure_.title.isEmpty() ? tr("Figure") : figure_.title);
    setAccessibleDescription(figure_.plots.empty() ? figure_.empty_text : figure_.caption);
    changed();
    report_needed_height();
}

void FigureView::set_busy(bool busy) {
    if (busy_ == busy) return;
    busy_ = busy;
    update();
}

void FigureView::set_highlight(std::unordered_set<std::int64_t> ids) {
    if (highlight_.ids == ids) return;
    highlight_.ids = std::move(ids);
    changed();
}

void FigureView::set_highlight_of_runs(std::unordered_map<QString, std::unordered_set<std::int64_t>> ids) {
    if (highlight_.of_runs == ids) return;
    highlight_.of_runs = std::move(ids);
    changed();
}

void FigureView::set_highlight_of_cells(std::set<std::int64_t> rows, std::set<std::int64_t> columns) {
    if (highlight_.rows == rows && highlight_.columns == columns) return;
    highlight_.rows = std::move(rows);
    highlight_.columns = std::move(columns);
    changed();
}

void FigureView::changed() {
    layout_stale_ = picture_stale_ = true;
    if (!since_paint_.isValid() || since_paint_.elapsed() >= shortest_interval_ms) {
        throttle_.stop();
        update();
    } else if (!throttle_.isActive()) {
        throttle_.start(static_cast<int>(shortest_interval_ms - since_paint_.elapsed()));
    }
}

Look FigureView::look() const {
    Look look;
    look.style = figures::style_of(palette());
    // The figure uses the window's text size, but at least 11 pixels.
    const double pixels = std::max(QFontMetricsF(font()).height() * 0.78, 11.0);
    look.style.font_points = std::clamp(std::round(pixels) * 0.75, 8.25, 18.0);
    look.windows = windows_;
    look.highlight = highlight_;
    return look;
}

int FigureView::needed_height() const { return static_cast<int>(std::ceil(min_height(figure_, look()))); }

void FigureView::report_needed_height() {
    const int now = needed_height();
    if (now == reported_height_) return;
    reported_height_ = now;
    Q_EMIT needed_height_changed(now);
}

void FigureView::relayout() const {
    if (!layout_stale_) return;
    painter_->set(figure_, look(), QSizeF(size()));
    layout_stale_ = false;
}

const ChartPainter& FigureView::painter() const {
    relayout();
    return *painter_;
}

QImage FigureView::picture(double ratio) const {
    relayout();
    QImage image((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return image;
    image.setDevicePixelRatio(ratio);
    image.fill(palette().color(QPalette::Base));
    QPainter painter(&image);
    if (!figure_.plots.empty()) painter_->paint(painter, QRectF(rect()));
    return image;
}

bool FigureView::zoomed() const {
    return std::any_of(windows_.begin(), windows_.end(), [](const PlotWindow& w) { return w.x || w.y; });
}

void FigureView::reset_zoom() {
    if (!zoomed()) return;
    windows_.assign(figure_.plots.size(), {});
    changed();
    Q_EMIT zoom_changed();
}

void FigureView::set_window(int plot, const PlotWindow& window) {
    if (plot < 0 || static_cast<std::size_t>(plot) >= windows_.size()) return;
    windows_[static_cast<std::size_t>(plot)] = window;
    share_x(plot);
    changed();
    Q_EMIT zoom_changed();
}

PlotWindow FigureView::window(int plot) const {
    return plot >= 0 && static_cast<std::size_t>(plot) < windows_.size()
               ? windows_[static_cast<std::size_t>(plot)]
               : PlotWindow();
}

// Plots with the same x quantity zoom together.
void FigureView::share_x(int plot) {
    const auto source = static_cast<std::size_t>(plot);
    const auto& axis = figure_.plots[source].x;
    if (axis.title.isEmpty() || figure_.plots[source].heatmap) return;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        const auto& other = figure_.plots[i];
        if (i != source && !other.heatmap && other.x.title == axis.title && other.x.time == axis.time &&
            other.x.log == axis.log && other.x.categories.isEmpty() == axis.categories.isEmpty())
            windows_[i].x = windows_[source].x;
    }
}

void FigureView::zoom(int plot, double x_factor, double y_factor, QPointF around) {
    if (plot < 0 || plot >= painter().plots()) return;
    const QRectF area = painter_->area(plot);
    const Scales& scales = painter_->scales(plot);
    PlotWindow window = windows_[static_cast<std::size_t>(plot)];
    const auto narrowed = [](const Scale& scale, double centre, double factor) -> std::optional<Range> {
        const double first = scale.value(centre + (0 - centre) * factor),
                     second = scale.value(centre + (1 - centre) * factor);
        const Range range{std::min(first, second), std::max(first, second)};
        // Limit the zoom to the precision of the numbers and of the axis.
        const double size = std::max(std::abs(range.min), std::abs(range.max));
        if (!std::isfinite(size) || !(range.max - range.min > size * 1e-10)) return std::nullopt;
        return range;
    };
    if (x_factor != 1) {
        if (const auto range =
                narrowed(scales.x, std::clamp((around.x() - area.left()) / area.width(), 0.0, 1.0), x_factor))
            window.x = range;
    }
    if (y_factor != 1) {
        if (const auto range = narrowed(
                scales.y, std::clamp((area.bottom() - around.y()) / area.height(), 0.0, 1.0), y_factor))
            window.y = range;
    }
    // Zoomed out beyond all data: reset the zoom.
    const Scales full = scales_of(figure_.plots[static_cast<std::size_t>(plot)]);
    if (window.x && window.x->min <= full.x.min && window.x->max >= full.x.max) window.x.reset();
    if (window.y && window.y->min <= full.y.min && window.y->max >= full.y.max) window.y.reset();
    set_window(plot, window);
}

void FigureView::pan(int plot, QPointF by, const PlotWindow& from) {
    const auto& description = figure_.plots[static_cast<std::size_t>(plot)];
    const QRectF area = painter().area(plot);
    const Scales start = scales_of(description, from), full = scales_of(description);
    const auto moved = [](const Scale& scale, const Scale& all, double share) -> std::optional<Range> {
        double low = share, high = 1 + share;
        // Not beyond the data.
        const double first = scale.at(all.value(0)), last = scale.at(all.value(1));
        if (low < first) high += first - low, low = first;
        if (high > last) low = std::max(first, low - (high - last)), high = last;
        const double a = scale.value(low), b = scale.value(high);
        return Range{std::min(a, b), std::max(a, b)};
    };
    PlotWindow window = from;
    if (by.x() != 0 && from.x) window.x = moved(start.x, full.x, -by.x() / area.width());
    if (by.y() != 0 && from.y) window.y = moved(start.y, full.y, by.y() / area.height());
    set_window(plot, window);
}

bool FigureView::pickable(int plot) const {
    if (plot < 0 || static_cast<std::size_t>(plot) >= figure_.plots.size()) return false;
    const auto& description = figure_.plots[static_cast<std::size_t>(plot)];
    if (description.heatmap)
        return !description.heatmap->row_ids.empty() || !description.heatmap->column_ids.empty();
    return std::any_of(
        description.series.begin(), description.series.end(), [](const figures::Series& series) {
            return !series.ids.empty() &&
                   (series.kind == figures::MarkKind::points || series.kind == figures::MarkKind::bars);
        });
}

void FigureView::resizeEvent(QResizeEvent* event) {
    layout_stale_ = picture_stale_ = true;
    QWidget::resizeEvent(event);
}

void FigureView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        layout_stale_ = picture_stale_ = true;
        update();  // a hidden view is not painted until it is shown
        // Colours do not affect the height, and computing it lays out the legends of all pages.
        if (event->type() != QEvent::PaletteChange) report_needed_height();
    }
    QWidget::changeEvent(event);
}

QSize FigureView::sizeHint() const { return {420, 280}; }

QSize FigureView::minimumSizeHint() const { return {160, 110}; }

}  // namespace casp::widgets
