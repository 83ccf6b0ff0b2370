#pragma once
// Clouds of points in two or three dimensions: what PCA and t-SNE give, up to 100,000 points.
//
// Mouse: drag pans (flat) or turns (in depth), Shift+drag draws a lasso, right or middle drag pans, the wheel
// zooms, a double click shows all. Keys: arrows, + and −, 0 shows all, 2 and 3 switch, L lasso, Page Up/Down
// walk from point to point, Return picks. GUI thread.

#include <memory>
#include <set>

#include <QImage>
#include <QWidget>

#include "figures/style.h"
#include "vtk/embedding_camera.h"
#include "vtk/embedding_paint.h"
#include "vtk/embedding_points.h"
#include "vtk/embedding_scene.h"

namespace casp::widgets {

class EmbeddingCanvas;

/// How a view draws. The same picture, keys and signals either way.
enum class ViewBackend { automatic, opengl, painter };

class EmbeddingView : public QWidget {
    Q_OBJECT
public:
    /// What dragging with the left button does; Shift does the other one.
    enum class Tool { move, lasso };

    /// `backend` opengl needs opengl_available().
    explicit EmbeddingView(ViewBackend backend, QWidget* parent = nullptr);
    ~EmbeddingView() override;

    [[nodiscard]] bool uses_opengl() const { return opengl_; }

    /// The camera moves only where there were no points before. std::invalid_argument with
    /// EmbeddingPoints::problem().
    void set_points(EmbeddingPoints points);
    [[nodiscard]] const EmbeddingPoints& points() const { return scene_.points(); }
    /// Points with these ids stand out, all others are dimmed; empty: all alike.
    void set_highlight(std::set<std::int64_t> ids);
    [[nodiscard]] const std::set<std::int64_t>& highlight() const { return scene_.highlight(); }
    /// Without a call the view follows the palette of the application, light or dark: while it cannot be
    /// seen, only when it is shown or a picture of it is asked for.
    void set_style(const figures::Style& style);
    /// That it is drawn in by now.
    [[nodiscard]] const figures::Style& style() const { return scene_.style(); }
    void set_tool(Tool tool);
    [[nodiscard]] Tool tool() const { return tool_; }

    [[nodiscard]] bool is_flat() const { return camera_.flat; }
    [[nodiscard]] const EmbeddingCamera& camera() const { return camera_; }
    void set_camera(const EmbeddingCamera& camera);
    /// From now on both views, and those linked with either, move as one and share the axes of all their
    /// clouds.
    void link(EmbeddingView* other);

    /// Nobody has moved the camera since fit() or reset(): call fit() to show all of other points, too.
    [[nodiscard]] bool is_fitted() const;

    /// Where a point is drawn, in pixels of this widget.
    [[nodiscard]] QPointF place_of(std::size_t point) const;
    /// The part of the widget in which points are drawn.
    [[nodiscard]] QRect plot_rect() const;
    /// For files and the clipboard; empty size: as large as on the screen. Drawn by the painter
    /// (embedding_paint.h).
    [[nodiscard]] QImage to_image(const QSize& size = {}, double ratio = 0);
    /// What the canvas shows right now, without legend and labels.
    [[nodiscard]] QImage canvas_picture();
    [[nodiscard]] double frame_milliseconds() const;

    [[nodiscard]] QSize sizeHint() const override { return {520, 420}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 160}; }

public Q_SLOTS:
    void set_flat(bool flat);
    /// Shows all points, direction kept; also after a resize, until somebody moves the camera.
    void fit();
    /// Shows all points from the first direction.
    void reset();

Q_SIGNALS:
    /// Clicked or caught by the lasso; ids ascending, each once, empty: a click or lasso beside all points.
    /// What `modifiers` mean (Ctrl: add) is the caller's.
    void picked(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    /// The pointer is over a point now, the place in points() beside it.
    void hovered(std::int64_t id, std::int64_t point);
    void unhovered();
    void camera_changed();
    void flat_changed(bool flat);
    void tool_changed(casp::widgets::EmbeddingView::Tool tool);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Overlay;
    struct Links;
    enum class Gesture { none, move, pan, lasso };

    [[nodiscard]] EmbeddingProjection projection() const;
    [[nodiscard]] EmbeddingBounds shared_bounds() const;
    void lay_out();
    /// Shows all points of all linked views, in the direction of `camera`.
    void fit_from(EmbeddingCamera camera);
    /// New camera for this view and all linked ones.
    void move_camera(const EmbeddingCamera& camera);
    void show_camera();
    void scene_changed();
    void use_style(const figures::Style& style);
    /// Takes the palette's colours, where they are due.
    void follow_theme();
    void set_hover(std::int64_t point, const QPoint& global);
    void walk(int by);
    void paint_overlay(QPainter& painter) const;

    EmbeddingScene scene_;
    EmbeddingCamera camera_;
    EmbeddingAxes axes_;
    EmbeddingLayout layout_;
    bool opengl_ = false, own_style_ = false, placed_ = false;
    bool new_theme_ = false;  ///< that came while it could not be seen
    EmbeddingCanvas* canvas_ = nullptr;
    Overlay* overlay_ = nullptr;
    std::shared_ptr<Links> links_;
    Tool tool_ = Tool::move;
    Gesture gesture_ = Gesture::none;
    QPointF pressed_, last_;
    bool moved_ = false;
    QPolygonF lasso_;
    std::int64_t hover_ = -1;
};

/// With OpenGL where it works, else with the painter.
[[nodiscard]] EmbeddingView* make_embedding_view(QWidget* parent = nullptr,
                                                 ViewBackend backend = ViewBackend::automatic);

}  // namespace casp::widgets
