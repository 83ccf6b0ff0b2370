#include "vtk/heatmap_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "charts/page_wheel.h"

namespace casp::widgets {

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heatmap"));
    setAccessibleDescription(
        tr("Matrix as coloured cells. Arrow keys move the crosshair, plus and minus zoom, 0 shows all cells, "
           "Return selects the cell."));
    setToolTip(
        tr("Arrow keys move the crosshair (with Shift in larger steps), plus and minus zoom, 0 shows all "
           "cells, R starts a rectangle, Return selects the cell."));
    follow_theme();
}

void HeatmapView::set_matrix(figures::Heatmap matrix) {
    const bool same_shape =
        matrix.rows == pyramid_.matrix().rows && matrix.columns == pyramid_.matrix().columns;
    pyramid_.set(std::move(matrix));
    look_.row = look_.column = -1;
    if (!same_shape || look_.cells.isEmpty())
        look_.cells = QRectF(0, 0, static_cast<double>(pyramid_.matrix().columns),
                             static_cast<double>(pyramid_.matrix().rows));
    resolve_highlight();
    matrix_changed();
}

void HeatmapView::set_titles(const QString& title, const QString& row_title, const QString& column_title) {
    look_.title = title;
    look_.row_title = row_title;
    look_.column_title = column_title;
    if (!title.isEmpty()) setAccessibleName(title);
    lay_out();
}

void HeatmapView::set_empty_text(const QString& text) {
    look_.empty_text = text;
    update();
}

void HeatmapView::set_highlight(const std::set<std::int64_t>& row_ids,
                                const std::set<std::int64_t>& column_ids) {
    lit_row_ids_ = row_ids;
    lit_column_ids_ = column_ids;
    resolve_highlight();
    update();
}

void HeatmapView::resolve_highlight() {
    const auto resolve = [](const std::set<std::int64_t>& wanted, const std::vector<std::int64_t>& ids) {
        if (ids.empty()) return wanted;
        std::set<std::int64_t> found;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (wanted.count(ids[i])) found.insert(static_cast<std::int64_t>(i));
        return found;
    };
    look_.lit_rows = resolve(lit_row_ids_, pyramid_.matrix().row_ids);
    look_.lit_columns = resolve(lit_column_ids_, pyramid_.matrix().column_ids);
}

void HeatmapView::follow_theme() {
    look_.style = figures::style_of(palette());
    pyramid_.set_background(look_.style.background);
    matrix_changed();
}

void HeatmapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) follow_theme();
    QWidget::changeEvent(event);
}

void HeatmapView::set_tool(Tool tool) {
    if (tool == tool_) return;
    tool_ = tool;
    setCursor(tool == Tool::rectangle ? Qt::CrossCursor : Qt::ArrowCursor);
    Q_EMIT tool_changed(tool);
}

void HeatmapView::set_visible_cells(const QRectF& cells) {
    const auto columns = static_cast<double>(pyramid_.matrix().columns),
               rows = static_cast<double>(pyramid_.matrix().rows);
    if (pyramid_.empty()) return;
    // Two cells at least; never beyond the matrix.
    const double w = std::clamp(cells.width(), std::min(2.0, columns), columns);
    const double h = std::clamp(cells.height(), std::min(2.0, rows), rows);
    const QRectF next(std::clamp(cells.left(), 0.0, columns - w), std::clamp(cells.top(), 0.0, rows - h), w,
                      h);
    if (next == look_.cells) return;
    look_.cells = next;
    picture_ = {};
    update();
}

void HeatmapView::fit() {
    set_visible_cells(QRectF(0, 0, static_cast<double>(pyramid_.matrix().columns),
                             static_cast<double>(pyramid_.matrix().rows)));
}

void HeatmapView::set_cursor(std::int64_t row, std::int64_t column) {
    const bool valid =
        row >= 0 && column >= 0 && row < pyramid_.matrix().rows && column < pyramid_.matrix().columns;
    look_.row = valid ? row : -1;
    look_.column = valid ? column : -1;
    update();
}

void HeatmapView::matrix_changed() {
    picture_ = {};
    lay_out();
}

void HeatmapView::lay_out() {
    layout_ = heatmap_layout(pyramid_, look_, size());
    update();
}

void HeatmapView::resizeEvent(QResizeEvent*) { lay_out(); }

void HeatmapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.style.background);
    const QSize pixels = (layout_.cells.size() * devicePixelRatioF()).toSize();
    if (picture_.size() != pixels) picture_ = pyramid_.picture(look_.cells, pixels);
    if (!pyramid_.empty()) painter.drawImage(layout_.cells, picture_);
    paint_heatmap_decoration(painter, pyramid_, look_, layout_);
    painter.setRenderHint(QPainter::Antialiasing);
    if (gesture_ == Gesture::rectangle && moved_) {
        QColor fill = look_.style.accent;
        fill.setAlphaF(0.2f);
        painter.setPen(QPen(look_.style.accent, 1.5));
        painter.setBrush(fill);
        painter.drawRect(QRectF(pressed_, last_).normalized() & layout_.cells);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look_.style.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QPointF HeatmapView::cell_at(const QPointF& pixel) const {
    const QRectF& area = layout_.cells;
    return {look_.cells.left() + (pixel.x() - area.left()) / area.width() * look_.cells.width(),
            look_.cells.top() + (pixel.y() - area.top()) / area.height() * look_.cells.height()};
}

QPointF HeatmapView::place_of(std::int64_t row, std::int64_t column) const {
    const QRectF &area = layout_.cells, &cells = look_.cells;
    return {area.left() + (static_cast<double>(column) + 0.5 - cells.left()) / cells.width() * area.width(),
            area.top() + (static_cast<double>(row) + 0.5 - cells.top()) / cells.height() * area.height()};
}

QRect HeatmapView::cells_rect() const { return layout_.cells.toRect(); }

QImage HeatmapView::to_image(const QSize& wanted, double ratio) {
    HeatmapLook look = look_;
    look.row = look.column = -1;
    return render_heatmap_to_image(pyramid_, look, wanted.isEmpty() ? size() : wanted,
                                   ratio > 0 ? ratio : devicePixelRatioF());
}

void HeatmapView::zoom(double columns_by, double rows_by, const QPointF& at) {
    const QPointF still = cell_at(at);
    QRectF next = look_.cells;
    next.setSize({next.width() / columns_by, next.height() / rows_by});
    // Apply limits first, or the cell under the pointer would move at them.
    next.setWidth(
        std::clamp(next.width(), 2.0, std::max(2.0, static_cast<double>(pyramid_.matrix().columns))));
    next.setHeight(
        std::clamp(next.height(), 2.0, std::max(2.0, static_cast<double>(pyramid_.matrix().rows))));
    next.moveLeft(still.x() - (still.x() - look_.cells.left()) / look_.cells.width() * next.width());
    next.moveTop(still.y() - (still.y() - look_.cells.top()) / look_.cells.height() * next.height());
    set_visible_cells(next);
}

void HeatmapView::point_at(std::int64_t row, std::int64_t column) {
    if (row == look_.row && column == look_.column) return;
    look_.row = row;
    look_.column = column;
    update();
    if (row >= 0) Q_EMIT pointed(row, column, static_cast<double>(pyramid_.value(row, column)));
}

void HeatmapView::pick(const QRectF& cells, bool rows, bool columns, Qt::KeyboardModifiers modifiers) {
    const auto all = [](double from, double to, std::int64_t count, const std::vector<std::int64_t>& ids) {
        std::vector<std::int64_t> found;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(from)));
        for (std::int64_t at = first; at < count && static_cast<double>(at) < std::max(to, from + 1e-9); ++at)
            found.push_back(ids.empty() ? at : ids[static_cast<std::size_t>(at)]);
        return found;
    };
    const figures::Heatmap& matrix = pyramid_.matrix();
    std::vector<std::int64_t> row_ids, column_ids;
    if (rows) row_ids = all(cells.top(), cells.bottom(), matrix.rows, matrix.row_ids);
    if (columns) column_ids = all(cells.left(), cells.right(), matrix.columns, matrix.column_ids);
    Q_EMIT picked(row_ids, column_ids, modifiers);
}

void HeatmapView::click(const QPointF& at, Qt::KeyboardModifiers modifiers) {
    if (pyramid_.empty()) return;
    const QRectF& area = layout_.cells;
    const QRectF cell(cell_at(at), QSizeF(0, 0));
    const bool beside_columns = at.x() >= area.left() && at.x() < area.right();
    const bool beside_rows = at.y() >= area.top() && at.y() < area.bottom();
    if (beside_columns && beside_rows)
        pick(cell, true, true, modifiers);
    else
        pick(cell, beside_rows && at.x() < area.left(), beside_columns && at.y() >= area.bottom(), modifiers);
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && layout_.cells.contains(mapFromGlobal(QCursor::pos())))
        return true;
    return QWidget::event(event);
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    pressed_ = last_ = event->position();
    moved_ = false;
    const bool rectangle = (tool_ == Tool::rectangle) != event->modifiers().testFlag(Qt::ShiftModifier);
    gesture_ = event->button() == Qt::LeftButton && rectangle ? Gesture::rectangle : Gesture::move;
    event->accept();
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (pyramid_.empty()) return;
    if (gesture_ == Gesture::none) {
        const QPointF cell = cell_at(at);
        const QRectF& area = layout_.cells;
        const bool inside =
            at.x() >= area.left() && at.x() < area.right() && at.y() >= area.top() && at.y() < area.bottom();
        const auto row = std::min(static_cast<std::int64_t>(cell.y()), pyramid_.matrix().rows - 1);
        const auto column = std::min(static_cast<std::int64_t>(cell.x()), pyramid_.matrix().columns - 1);
        return inside ? point_at(row, column) : point_at(-1, -1);
    }
    if (!moved_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance() / 2.0) return;
    moved_ = true;
    if (gesture_ == Gesture::move) {
        const QPointF by = cell_at(last_) - cell_at(at);
        set_visible_cells(look_.cells.translated(by));
    }
    last_ = at;
    update();
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture gesture = std::exchange(gesture_, Gesture::none);
    update();
    if (gesture == Gesture::none || pyramid_.empty()) return;
    if (!moved_) {
        if (event->button() == Qt::LeftButton) click(event->position(), event->modifiers());
        return;
    }
    if (gesture != Gesture::rectangle) return;
    const QRectF area = QRectF(pressed_, event->position()).normalized() & layout_.cells;
    if (area.isEmpty()) return;
    pick(QRectF(cell_at(area.topLeft()), cell_at(area.bottomRight())), true, true, event->modifiers());
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) fit();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    // The plain wheel scrolls the page until the view is clicked.
    if (pyramid_.empty() || event->angleDelta().y() == 0 ||
        (!hasFocus() && wheel_scrolls_page(*this, *event))) {
        event->ignore();
        return;
    }
    const double by = std::pow(1.2, event->angleDelta().y() / 120.0);
    const QPointF at = event->position();
    const bool rows_only = at.x() < layout_.cells.left();
    const bool columns_only =
        event->modifiers().testFlag(Qt::ShiftModifier) || at.y() > layout_.cells.bottom();
    zoom(rows_only ? 1 : by, columns_only && !rows_only ? 1 : by, at);
    event->accept();
}

void HeatmapView::step(std::int64_t rows, std::int64_t columns) {
    if (pyramid_.empty()) return;
    const QPointF middle = look_.cells.center();
    std::int64_t row = look_.row, column = look_.column;
    if (row < 0)
        row = static_cast<std::int64_t>(middle.y()), column = static_cast<std::int64_t>(middle.x());
    else
        row += rows, column += columns;
    row = std::clamp<std::int64_t>(row, 0, pyramid_.matrix().rows - 1);
    column = std::clamp<std::int64_t>(column, 0, pyramid_.matrix().columns - 1);
    point_at(row, column);
    // The view follows.
    QRectF next = look_.cells;
    const auto r = static_cast<double>(row), c = static_cast<double>(column);
    if (r < next.top()) next.moveTop(r);
    if (r + 1 > next.bottom()) next.moveBottom(r + 1);
    if (c < next.left()) next.moveLeft(c);
    if (c + 1 > next.right()) next.moveRight(c + 1);
    set_visible_cells(next);
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter && event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return QWidget::keyPressEvent(event);
    // With Shift by a tenth of the visible range.
    const bool far = event->modifiers().testFlag(Qt::ShiftModifier);
    const auto rows =
        far ? std::max<std::int64_t>(1, static_cast<std::int64_t>(look_.cells.height() / 10)) : 1;
    const auto columns =
        far ? std::max<std::int64_t>(1, static_cast<std::int64_t>(look_.cells.width() / 10)) : 1;
    const bool pointing = look_.row >= 0;
    const QPointF about = pointing ? place_of(look_.row, look_.column) : layout_.cells.center();
    switch (event->key()) {
        case Qt::Key_Left:
            return step(0, -columns);
        case Qt::Key_Right:
            return step(0, columns);
        case Qt::Key_Up:
            return step(-rows, 0);
        case Qt::Key_Down:
            return step(rows, 0);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(1.25, 1.25, about);
        case Qt::Key_Minus:
            return zoom(0.8, 0.8, about);
        case Qt::Key_0:
            return fit();
        case Qt::Key_R:
            return set_tool(tool_ == Tool::rectangle ? Tool::move : Tool::rectangle);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (pointing)
                pick(QRectF(static_cast<double>(look_.column), static_cast<double>(look_.row), 0, 0), true,
                     true, event->modifiers());
            return;
        case Qt::Key_Escape:
            if (gesture_ == Gesture::none) return QWidget::keyPressEvent(event);  // the window's: clear
            gesture_ = Gesture::none;
            update();
            return;
        default:
            return QWidget::keyPressEvent(event);
    }
}

void HeatmapView::leaveEvent(QEvent*) {
    if (gesture_ == Gesture::none) point_at(-1, -1);
}

void HeatmapView::focusInEvent(QFocusEvent*) { update(); }
void HeatmapView::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace casp::widgets
