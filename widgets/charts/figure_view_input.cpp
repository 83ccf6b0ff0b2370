// Mouse and keyboard of a FigureView.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <set>

#include "charts/figure_view.h"
#include "charts/page_wheel.h"

namespace casp::widgets {

bool FigureView::event(QEvent* event) {
    // During a drag, Esc cancels the drag instead of triggering the window's shortcut.
    if (event->type() == QEvent::ShortcutOverride && drag_ != Drag::none &&
        static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    // Between the axes the marks' tooltips are shown; without axes nothing can be zoomed.
    if (event->type() == QEvent::ToolTip) {
        const QPointF at = static_cast<const QHelpEvent*>(event)->pos();
        const int plot = painter().plot_at(at);
        if (plot < 0 || painter().area(plot).contains(at)) return true;
    }
    return QWidget::event(event);
}

void FigureView::wheelEvent(QWheelEvent* event) {
    const QPointF at = event->position();
    const int plot = painter().plot_at(at);
    // Alt turns the wheel sideways on some platforms.
    const double turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (plot < 0 || turned == 0 || wheel_scrolls_page(*this, *event)) {
        event->ignore();
        return;
    }
    const QRectF area = painter_->area(plot);
    const double factor = std::pow(0.85, turned / 120.0);
    const auto& description = figure_.plots[static_cast<std::size_t>(plot)];
    const bool control = event->modifiers().testFlag(Qt::ControlModifier),
               shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (shift && !control) {
        pan(plot, QPointF(turned / 120.0 * area.width() * 0.1, 0), window(plot));
        event->accept();
        return;
    }
    const bool only_points =
        !description.series.empty() &&
        std::all_of(description.series.begin(), description.series.end(),
                    [](const figures::Series& s) { return s.kind == figures::MarkKind::points; });
    bool x = true, y = description.heatmap.has_value() || only_points;
    if ((control && shift) || at.x() < area.left() || at.x() > area.right())
        x = false, y = true;
    else if (at.y() > area.bottom())
        y = false;
    zoom(plot, x ? factor : 1, y ? factor : 1, at);
    event->accept();
}

void FigureView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    press_ = mouse_ = event->position();
    drag_plot_ = painter().plot_at(press_);
    if (drag_plot_ < 0) {
        QWidget::mousePressEvent(event);
        return;
    }
    key_plot_ = drag_plot_;
    drag_window_ = window(drag_plot_);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
        drag_ = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton &&
               (painter_->area(drag_plot_).contains(press_) ||
                figure_.plots[static_cast<std::size_t>(drag_plot_)].heatmap)) {
        drag_ = Drag::undecided;
    } else {
        QWidget::mousePressEvent(event);
        return;
    }
    event->accept();
    update();
}

void FigureView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    mouse_inside_ = true;
    if (drag_ == Drag::undecided && (mouse_ - press_).manhattanLength() > 5)
        drag_ = pickable(drag_plot_) ? Drag::select : Drag::box;
    if (drag_ == Drag::pan) pan(drag_plot_, mouse_ - press_, drag_window_);
    point(mouse_);
    update();
}

void FigureView::point(QPointF position) {
    const int plot = painter().plots() > 0 ? hovered_plot() : -1;
    const bool here = plot >= 0 && !figure_.plots[static_cast<std::size_t>(plot)].heatmap;
    const QString title = here ? figure_.plots[static_cast<std::size_t>(plot)].x.title : QString();
    const double x =
        title.isEmpty() ? std::numeric_limits<double>::quiet_NaN() : painter_->values_at(plot, position).x();
    if (std::isnan(x) && std::isnan(pointed_x_)) return;
    point_at(title, x);
    Q_EMIT pointed(title, x);
}

void FigureView::point_at(const QString& x_title, double x) {
    const auto has = [this](const QString& title) {
        return std::any_of(figure_.plots.begin(), figure_.plots.end(),
                           [&](const auto& plot) { return plot.x.title == title; });
    };
    // Only the overlay is painted anew, and only where something changes.
    const bool shown =
        (std::isfinite(x) && has(x_title)) || (std::isfinite(pointed_x_) && has(pointed_title_));
    pointed_title_ = x_title;
    pointed_x_ = x;
    if (shown && isVisible()) update();
}

void FigureView::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_ == Drag::none) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    mouse_ = event->position();
    finish_drag(event->modifiers());
    event->accept();
}

void FigureView::finish_drag(Qt::KeyboardModifiers modifiers) {
    const Drag what = drag_;
    drag_ = Drag::none;
    unsetCursor();
    update();
    if (drag_plot_ < 0 || drag_plot_ >= painter().plots()) return;
    const QRectF area = painter_->area(drag_plot_);
    const QRectF box = QRectF(press_, mouse_).normalized().intersected(area);
    switch (what) {
        case Drag::none:
        case Drag::pan:
            return;
        case Drag::undecided:
            click(press_, modifiers);
            return;
        case Drag::select:
            pick(painter_->inside(drag_plot_, box), modifiers);
            return;
        case Drag::box:
            break;
    }
    // A flat or narrow box zooms only one axis.
    const bool x = box.width() > 8, y = box.height() > 8;
    if (!x && !y) return;
    const QPointF first = painter_->values_at(drag_plot_, box.topLeft()),
                  last = painter_->values_at(drag_plot_, box.bottomRight());
    PlotWindow window = this->window(drag_plot_);
    if (x) window.x = Range{std::min(first.x(), last.x()), std::max(first.x(), last.x())};
    if (y) window.y = Range{std::min(first.y(), last.y()), std::max(first.y(), last.y())};
    set_window(drag_plot_, window);
}

void FigureView::click(QPointF position, Qt::KeyboardModifiers modifiers) {
    const Hit hit = painter().nearest(position, 8, true);
    if (hit.plot >= 0 && hit.series >= 0) {
        const auto& series =
            figure_.plots[static_cast<std::size_t>(hit.plot)].series[static_cast<std::size_t>(hit.series)];
        if (hit.index < series.ids.size()) {
            picked_run_ = series.run;
            Q_EMIT picked({series.ids[hit.index]}, modifiers);
            return;
        }
        if (!series.run.isEmpty()) {
            Q_EMIT run_picked(series.run, modifiers);
            // A click on a curve selects its step, too.
            if (!pickable(hit.plot) && hit.index < series.x.size())
                Q_EMIT x_picked(series.x[hit.index], modifiers);
            return;
        }
    }
    if (hit.plot >= 0 && hit.series < 0) {
        pick({hit}, modifiers);
        return;
    }
    if (pickable(drag_plot_)) {
        picked_run_.clear();
        Q_EMIT picked({}, modifiers);
        return;
    }
    Q_EMIT x_picked(painter_->values_at(drag_plot_, position).x(), modifiers);
}

void FigureView::pick(const std::vector<Hit>& hits, Qt::KeyboardModifiers modifiers) {
    std::vector<std::int64_t> ids;
    std::set<std::int64_t> rows, columns, seen;
    picked_run_.clear();
    for (const Hit& hit : hits) {
        const auto& plot = figure_.plots[static_cast<std::size_t>(hit.plot)];
        if (hit.series >= 0) {
            const auto& series = plot.series[static_cast<std::size_t>(hit.series)];
            if (picked_run_.isEmpty()) picked_run_ = series.run;
            if (ids_of_runs_ && series.run != picked_run_) continue;
            if (hit.index < series.ids.size() && seen.insert(series.ids[hit.index]).second)
                ids.push_back(series.ids[hit.index]);
        } else if (plot.heatmap) {
            const auto row = static_cast<std::size_t>(hit.row), column = static_cast<std::size_t>(hit.column);
            const auto& map = *plot.heatmap;
            if (hit.row >= 0) rows.insert(row < map.row_ids.size() ? map.row_ids[row] : hit.row);
            if (hit.column >= 0)
                columns.insert(column < map.column_ids.size() ? map.column_ids[column] : hit.column);
        }
    }
    if (!rows.empty() || !columns.empty())
        Q_EMIT cells_picked({rows.begin(), rows.end()}, {columns.begin(), columns.end()}, modifiers);
    else
        Q_EMIT picked(ids, modifiers);
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = Drag::none;
    reset_zoom();
    event->accept();
}

void FigureView::keyPressEvent(QKeyEvent* event) {
    const int plots = painter().plots();
    if (plots == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    key_plot_ = std::clamp(key_plot_, 0, plots - 1);
    const QRectF area = painter_->area(key_plot_);
    const PlotWindow now = window(key_plot_);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    // Keys with Ctrl belong to the window's shortcuts, except + and −, which zoom the y axis.
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(key_plot_, control ? 1 : 0.8, control ? 0.8 : 1, area.center());
            break;
        case Qt::Key_Minus:
            zoom(key_plot_, control ? 1 : 1.25, control ? 1.25 : 1, area.center());
            break;
        case Qt::Key_Left:
            pan(key_plot_, {area.width() * 0.1, 0}, now);
            break;
        case Qt::Key_Right:
            pan(key_plot_, {-area.width() * 0.1, 0}, now);
            break;
        case Qt::Key_Up:
            pan(key_plot_, {0, area.height() * 0.1}, now);
            break;
        case Qt::Key_Down:
            pan(key_plot_, {0, -area.height() * 0.1}, now);
            break;
        case Qt::Key_Home:
            reset_zoom();
            break;
        case Qt::Key_PageDown:
            key_plot_ = (key_plot_ + 1) % plots;
            break;
        case Qt::Key_PageUp:
            key_plot_ = (key_plot_ + plots - 1) % plots;
            break;
        case Qt::Key_Space:
            space_ = true;
            break;
        case Qt::Key_Escape:
            if (drag_ == Drag::none) {
                QWidget::keyPressEvent(event);
                return;
            }
            if (drag_ == Drag::pan) set_window(drag_plot_, drag_window_);
            drag_ = Drag::none;
            unsetCursor();
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
    event->accept();
    update();
}

void FigureView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) space_ = false;
    QWidget::keyReleaseEvent(event);
}

void FigureView::leaveEvent(QEvent* event) {
    mouse_inside_ = false;
    point(mouse_);
    update();
    QWidget::leaveEvent(event);
}

void FigureView::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

void FigureView::focusOutEvent(QFocusEvent* event) {
    space_ = false;
    update();
    QWidget::focusOutEvent(event);
}

}  // namespace casp::widgets
