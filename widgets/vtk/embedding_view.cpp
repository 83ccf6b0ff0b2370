#include "vtk/embedding_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "charts/page_wheel.h"
#include "vtk/embedding_canvas.h"
#include "vtk/opengl.h"

namespace casp::widgets {

namespace {

/// Without OpenGL. Caches the image, so that updates of the overlay cost only a copy.
class PainterCanvas final : public QWidget, public EmbeddingCanvas {
public:
    PainterCanvas(const EmbeddingScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_OpaquePaintEvent);
        setFocusPolicy(Qt::NoFocus);
    }
    QWidget* widget() override { return this; }
    void scene_changed() override { invalidate(); }
    void set_camera(const EmbeddingCamera& camera, const EmbeddingAxes& axes) override {
        camera_ = camera;
        axes_ = axes;
        invalidate();
    }
    QImage picture() override {
        draw();
        return image_;
    }

protected:
    void paintEvent(QPaintEvent*) override {
        draw();
        QPainter(this).drawImage(0, 0, image_);
    }

private:
    void invalidate() {
        stale_ = true;
        update();
    }
    void draw() {
        const double ratio = devicePixelRatioF();
        const QSize pixels = size() * ratio;
        if (!stale_ && image_.size() == pixels) return;
        const EmbeddingProjection projection(camera_, size());
        image_ = QImage(pixels, QImage::Format_RGB32);
        image_.setDevicePixelRatio(1);
        paint_cloud(image_, ratio, scene_, axes_, projection);
        image_.setDevicePixelRatio(ratio);
        stale_ = false;
    }

    const EmbeddingScene& scene_;
    EmbeddingCamera camera_;
    EmbeddingAxes axes_;
    QImage image_;
    bool stale_ = true;
};

}  // namespace

/// Overlay above the canvas; a separate widget, because the canvas may be drawn by OpenGL.
class EmbeddingView::Overlay final : public QWidget {
public:
    explicit Overlay(EmbeddingView* view) : QWidget(view), view_(view) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        view_->paint_overlay(painter);
    }

private:
    EmbeddingView* view_;
};

struct EmbeddingView::Links {
    std::vector<EmbeddingView*> views;
    bool fitted = true;  ///< camera not moved since all was shown: a resize shows all again
};

EmbeddingView::EmbeddingView(ViewBackend backend, QWidget* parent)
    : QWidget(parent), links_(std::make_shared<Links>()) {
    links_->views.push_back(this);
    opengl_ = backend == ViewBackend::opengl || (backend == ViewBackend::automatic && opengl_available());
    scene_.set_style(figures::style_of(palette()));
    if (opengl_)
        canvas_ = make_vtk_embedding_canvas(scene_, this);
    else
        canvas_ = new PainterCanvas(scene_, this);
    overlay_ = new Overlay(this);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Embedding"));
    setAccessibleDescription(
        tr("Points in two or three dimensions. Arrow keys pan, plus and minus zoom, 0 shows all points, Page "
           "Up and Page Down step from point to point, Return selects the point."));
    setToolTip(
        tr("Arrow keys pan or rotate, plus and minus zoom, 0 shows all points, 2 and 3 switch between two "
           "and three dimensions, L starts the lasso, Page Up and Page Down step from point to point, Return "
           "selects the point."));
    lay_out();
}

EmbeddingView::~EmbeddingView() {
    auto& views = links_->views;
    views.erase(std::remove(views.begin(), views.end(), this), views.end());
}

void EmbeddingView::set_points(EmbeddingPoints points) {
    scene_.set_points(std::move(points));
    hover_ = -1;
    lay_out();
    scene_changed();
    if (!placed_ && scene_.size() > 0) {
        placed_ = true;
        fit();
    }
    // The axes of linked views span all of their clouds.
    for (EmbeddingView* view : links_->views) view->show_camera();
}

void EmbeddingView::set_highlight(std::set<std::int64_t> ids) {
    if (ids == scene_.highlight()) return;
    scene_.set_highlight(std::move(ids));
    scene_changed();
}

void EmbeddingView::follow_theme() {
    if (!std::exchange(new_theme_, false)) return;
    scene_.set_style(figures::style_of(palette()));
    lay_out();
    scene_changed();
}

void EmbeddingView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        new_theme_ = true;
        if (isVisible()) follow_theme();
    }
    QWidget::changeEvent(event);
}

void EmbeddingView::showEvent(QShowEvent* event) {
    follow_theme();
    QWidget::showEvent(event);
}

void EmbeddingView::set_tool(Tool tool) {
    if (tool == tool_) return;
    tool_ = tool;
    setCursor(tool == Tool::lasso ? Qt::CrossCursor : Qt::ArrowCursor);
    Q_EMIT tool_changed(tool);
}

void EmbeddingView::set_flat(bool flat) {
    if (flat == camera_.flat) return;
    EmbeddingCamera next = camera_;
    next.flat = flat;
    for (EmbeddingView* view : links_->views) {
        view->scene_.set_flat(flat);
        view->camera_.flat = flat;
        view->lay_out();
        view->scene_changed();
    }
    fit_from(next);
    for (EmbeddingView* view : links_->views) Q_EMIT view->flat_changed(flat);
}

void EmbeddingView::fit() { fit_from(camera_); }

bool EmbeddingView::is_fitted() const { return links_->fitted; }

void EmbeddingView::reset() {
    EmbeddingCamera next;
    next.flat = camera_.flat;
    fit_from(next);
}

void EmbeddingView::fit_from(EmbeddingCamera camera) {
    // Linked views may have different shapes: all of them must show everything.
    double half_height = 0;
    for (const EmbeddingView* view : links_->views) {
        if (view != this && view->scene_.size() == 0) continue;  // hidden: its shape is ignored
        camera = fitted_camera(view->scene_, shared_bounds(), camera, view->layout_.plot.size());
        half_height = std::max(half_height, camera.half_height);
    }
    camera.half_height = half_height;
    move_camera(camera);
    links_->fitted = true;
}

void EmbeddingView::set_camera(const EmbeddingCamera& camera) {
    if (camera.flat != camera_.flat) set_flat(camera.flat);
    move_camera(camera);
}

void EmbeddingView::link(EmbeddingView* other) {
    if (!other || other->links_ == links_) return;
    const auto joined = links_;
    const std::vector<EmbeddingView*> theirs = other->links_->views;
    for (EmbeddingView* view : theirs) {
        joined->views.push_back(view);
        view->links_ = joined;
        if (view->camera_.flat != camera_.flat) {
            view->scene_.set_flat(camera_.flat);
            view->camera_.flat = camera_.flat;
            view->lay_out();
            view->scene_changed();
        }
        placed_ = placed_ || view->placed_;
    }
    for (EmbeddingView* view : joined->views) view->placed_ = placed_;
    fit();
}

EmbeddingBounds EmbeddingView::shared_bounds() const {
    EmbeddingBounds bounds;
    for (const EmbeddingView* view : links_->views) bounds.add(view->scene_.bounds());
    return bounds;
}

EmbeddingProjection EmbeddingView::projection() const { return {camera_, layout_.plot.size()}; }

void EmbeddingView::move_camera(const EmbeddingCamera& camera) {
    links_->fitted = false;
    for (EmbeddingView* view : links_->views) {
        view->camera_ = camera;
        view->show_camera();
    }
}

void EmbeddingView::show_camera() {
    axes_ = embedding_axes(scene_, shared_bounds(), camera_, layout_.plot.size());
    canvas_->set_camera(camera_, axes_);
    overlay_->update();
}

void EmbeddingView::scene_changed() {
    canvas_->scene_changed();
    show_camera();
    update();
}

void EmbeddingView::lay_out() {
    layout_ = embedding_layout(scene_, size());
    canvas_->widget()->setGeometry(layout_.plot.toRect());
    overlay_->setGeometry(rect());
    overlay_->raise();
    show_camera();
}

void EmbeddingView::resizeEvent(QResizeEvent*) {
    lay_out();
    if (links_->fitted) fit();
}

void EmbeddingView::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), scene_.style().background); }

void EmbeddingView::paint_overlay(QPainter& painter) const {
    paint_decoration(painter, scene_, axes_, layout_);
    painter.setRenderHint(QPainter::Antialiasing);
    const figures::Style& style = scene_.style();
    if (hover_ >= 0) {
        const auto point = static_cast<std::size_t>(hover_);
        const double radius = scene_.kind_look(scene_.kind(point)).size / 2 + 3;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.background, 4));
        painter.drawEllipse(place_of(point), radius, radius);
        painter.setPen(QPen(style.text, 2));
        painter.drawEllipse(place_of(point), radius, radius);
    }
    if (gesture_ == Gesture::lasso && lasso_.size() > 1) {
        QColor fill = style.accent;
        fill.setAlphaF(0.12f);
        painter.setPen(QPen(style.accent, 1.5));
        painter.setBrush(fill);
        painter.drawPolygon(lasso_);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QPointF EmbeddingView::place_of(std::size_t point) const {
    const float* at = scene_.positions().data() + 3 * point;
    return layout_.plot.topLeft() + projection()(at[0], at[1], at[2]).point();
}

QRect EmbeddingView::plot_rect() const { return layout_.plot.toRect(); }

QImage EmbeddingView::to_image(const QSize& wanted, double ratio) {
    follow_theme();
    return embedding_picture(scene_, camera_, shared_bounds(), wanted.isEmpty() ? size() : wanted,
                             ratio > 0 ? ratio : devicePixelRatioF());
}

QImage EmbeddingView::canvas_picture() { return canvas_->picture(); }

void EmbeddingView::set_hover(std::int64_t point, const QPoint& global) {
    if (point == hover_) return;
    hover_ = point;
    overlay_->update();
    if (point >= 0) {
        const auto at = static_cast<std::size_t>(point);
        QToolTip::showText(
            global, scene_.label(at).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")), this);
    } else {
        QToolTip::hideText();
    }
}

bool EmbeddingView::event(QEvent* event) {
    // Tooltips of points are shown by set_hover(); Qt's own would hide them.
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<const QHelpEvent*>(event);
        if (layout_.legend.contains(help->pos()) && !scene_.coloured_by_scalar())
            QToolTip::showText(
                help->globalPos(),
                legend_tip(scene_, embedding_legend(scene_, layout_.legend.width(), layout_.legend_rows)),
                this, layout_.legend.toAlignedRect());
        else if (!layout_.plot.contains(help->pos()))
            QToolTip::showText(help->globalPos(), toolTip(), this);
        return true;
    }
    return QWidget::event(event);
}

void EmbeddingView::mousePressEvent(QMouseEvent* event) {
    pressed_ = last_ = event->position();
    moved_ = false;
    if (event->button() == Qt::LeftButton) {
        const bool lasso = (tool_ == Tool::lasso) != event->modifiers().testFlag(Qt::ShiftModifier);
        gesture_ = lasso ? Gesture::lasso : Gesture::move;
        lasso_ = QPolygonF({event->position()});
    } else if (event->button() == Qt::RightButton || event->button() == Qt::MiddleButton) {
        gesture_ = Gesture::pan;
    }
    event->accept();
}

void EmbeddingView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position(), by = at - last_;
    if (gesture_ == Gesture::none) {
        const bool inside = layout_.plot.contains(at);
        const auto point = inside ? scene_.pick(projection(), at - layout_.plot.topLeft()) : -1;
        set_hover(point, event->globalPosition().toPoint());
        return;
    }
    if (!moved_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance() / 2.0) return;
    moved_ = true;
    last_ = at;
    set_hover(-1, {});
    if (gesture_ == Gesture::lasso) {
        lasso_ << at;
        overlay_->update();
        return;
    }
    EmbeddingCamera next = camera_;
    if (gesture_ == Gesture::pan || camera_.flat)
        next.pan(by, layout_.plot.size());
    else
        next.rotate(-0.4 * by.x(), 0.4 * by.y());
    move_camera(next);
}

void EmbeddingView::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture gesture = std::exchange(gesture_, Gesture::none);
    if (gesture == Gesture::none) return;
    const QPointF corner = layout_.plot.topLeft();
    if (gesture == Gesture::lasso && moved_) {
        const auto ids = scene_.ids_of(scene_.within(projection(), lasso_.translated(-corner)));
        lasso_.clear();
        overlay_->update();
        Q_EMIT picked(ids, event->modifiers());
    } else if (gesture != Gesture::pan && !moved_ && layout_.plot.contains(event->position())) {
        const auto point = scene_.pick(projection(), event->position() - corner);
        Q_EMIT picked(point < 0 ? std::vector<std::int64_t>{}
                                : std::vector<std::int64_t>{scene_.id(static_cast<std::size_t>(point))},
                      event->modifiers());
    }
}

void EmbeddingView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) fit();
}

void EmbeddingView::wheelEvent(QWheelEvent* event) {
    const double turns = event->angleDelta().y() / 120.0;
    // The plain wheel scrolls the page until the view is clicked.
    if (turns == 0 || (!hasFocus() && wheel_scrolls_page(*this, *event))) {
        event->ignore();
        return;
    }
    EmbeddingCamera next = camera_;
    next.zoom(std::pow(1.2, turns), event->position() - layout_.plot.topLeft(), layout_.plot.size());
    move_camera(next);
    event->accept();
}

void EmbeddingView::walk(int by) {
    const auto n = static_cast<std::int64_t>(scene_.size());
    if (n == 0) return;
    // Only visible points.
    const auto project = projection();
    std::int64_t point = hover_ < 0 && by < 0 ? n : hover_;
    for (std::int64_t tried = 0; tried < n; ++tried) {
        point = (point + by + n) % n;
        const float* at = scene_.positions().data() + 3 * point;
        const auto place = project(at[0], at[1], at[2]);
        if (place.visible && QRectF({0, 0}, layout_.plot.size()).contains(place.point())) {
            set_hover(point, mapToGlobal((place.point() + layout_.plot.topLeft()).toPoint()));
            return;
        }
    }
}

void EmbeddingView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
            return QWidget::keyPressEvent(event);
    }
    EmbeddingCamera next = camera_;
    const QSizeF view = layout_.plot.size();
    const QPointF middle(view.width() / 2, view.height() / 2);
    const bool turn = !camera_.flat && !event->modifiers().testFlag(Qt::ShiftModifier);
    const auto step = [&](double x, double y) {
        if (turn)
            next.rotate(5 * x, -5 * y);
        else
            next.pan({-40 * x, -40 * y}, view);
    };
    switch (event->key()) {
        case Qt::Key_Left:
            step(-1, 0);
            break;
        case Qt::Key_Right:
            step(1, 0);
            break;
        case Qt::Key_Up:
            step(0, -1);
            break;
        case Qt::Key_Down:
            step(0, 1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            next.zoom(1.25, middle, view);
            break;
        case Qt::Key_Minus:
            next.zoom(0.8, middle, view);
            break;
        case Qt::Key_0:
            return reset();
        case Qt::Key_2:
            return set_flat(true);
        case Qt::Key_3:
            return set_flat(false);
        case Qt::Key_L:
            return set_tool(tool_ == Tool::lasso ? Tool::move : Tool::lasso);
        case Qt::Key_PageDown:
            return walk(1);
        case Qt::Key_PageUp:
            return walk(-1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (hover_ >= 0) Q_EMIT picked({scene_.id(static_cast<std::size_t>(hover_))}, event->modifiers());
            return;
        case Qt::Key_Escape:
            if (gesture_ == Gesture::none) return QWidget::keyPressEvent(event);  // the window's: clear
            gesture_ = Gesture::none;
            lasso_.clear();
            overlay_->update();
            return;
        default:
            return QWidget::keyPressEvent(event);
    }
    move_camera(next);
}

void EmbeddingView::leaveEvent(QEvent*) {
    if (gesture_ == Gesture::none) set_hover(-1, {});
}

void EmbeddingView::focusInEvent(QFocusEvent*) { overlay_->update(); }
void EmbeddingView::focusOutEvent(QFocusEvent*) { overlay_->update(); }

}  // namespace casp::widgets
