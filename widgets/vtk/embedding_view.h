#pragma once
// View of a point cloud in two or three dimensions (PCA, t-SNE), up to 100,000 points.
//
// Mouse: drag pans (2D) or rotates (3D), Shift+drag draws a lasso, right or middle drag pans, the wheel
// zooms, a double click shows all. Keys: arrows, + and −, 0 shows all, 2 and 3 switch dimensions, L lasso,
// Page Up/Down step from point to point, Return selects. GUI thread.

#include <memory>
#include <set>

#include <QImage>
#include <QWidget>

#include "figures/style.h"
#include "vtk/embedding_camera.h"
#include "vtk/embedding_paint.h"
#include "vtk/embedding_scene.h"

namespace casp::widgets {

class EmbeddingCanvas;

/// Drawing backend; automatic: OpenGL if it is available. Picture, keys and signals are the same.
enum class ViewBackend { automatic, opengl, painter };

/// More than 25 methods: many handle Qt events; scene, camera and layout are separate types.
class EmbeddingView : public QWidget {
    Q_OBJECT
public:
    /// Action of dragging with the left button; Shift selects the other one.
    enum class Tool { move, lasso };

    /// Backend opengl requires opengl_available().
    explicit EmbeddingView(ViewBackend backend, QWidget* parent = nullptr);
    ~EmbeddingView() override;

    [[nodiscard]] bool uses_opengl() const { return opengl_; }

    /// Moves the camera only if there were no points before. Throws as EmbeddingScene::set_points().
    void set_points(EmbeddingPoints points);
    [[nodiscard]] const EmbeddingPoints& points() const { return scene_.points(); }
    /// Highlights points with these ids and dims all others; empty: no highlight.
    void set_highlight(std::set<std::int64_t> ids);
    [[nodiscard]] const std::set<std::int64_t>& highlight() const { return scene_.highlight(); }
    /// Follows the palette, light or dark; while hidden, only when it is shown or its picture is requested.
    [[nodiscard]] const figures::Style& style() const { return scene_.style(); }
    void set_tool(Tool tool);
    [[nodiscard]] Tool tool() const { return tool_; }

    [[nodiscard]] bool is_flat() const { return camera_.flat; }
    [[nodiscard]] const EmbeddingCamera& camera() const { return camera_; }
    void set_camera(const EmbeddingCamera& camera);
    /// Links the cameras of both views, and of those linked with either; all share the axes of all their
    /// clouds.
    void link(EmbeddingView* other);

    /// The camera has not been moved since fit() or reset(); call fit() after changing the points.
    [[nodiscard]] bool is_fitted() const;

    /// Position of a point, in pixels of this widget.
    [[nodiscard]] QPointF place_of(std::size_t point) const;
    /// The part of the widget that shows points.
    [[nodiscard]] QRect plot_rect() const;
    /// For files and the clipboard; empty size: size on screen. Drawn by the painter (embedding_paint.h).
    [[nodiscard]] QImage to_image(const QSize& size = {}, double ratio = 0);
    /// Current image of the canvas, without legend and labels.
    [[nodiscard]] QImage canvas_picture();

    [[nodiscard]] QSize sizeHint() const override { return {520, 420}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 160}; }

public Q_SLOTS:
    void set_flat(bool flat);
    /// Shows all points, keeping the direction; also after a resize, until the user moves the camera.
    void fit();
    /// Shows all points from the first direction.
    void reset();

Q_SIGNALS:
    /// Points clicked or selected by lasso; ids ascending and unique, empty: beside all points. The receiver
    /// interprets `modifiers` (Ctrl: add).
    void picked(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
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
    /// Applies the palette's colours if pending.
    void follow_theme();
    void set_hover(std::int64_t point, const QPoint& global);
    void walk(int by);
    void paint_overlay(QPainter& painter) const;

    EmbeddingScene scene_;
    EmbeddingCamera camera_;
    EmbeddingAxes axes_;
    EmbeddingViewLayout layout_;
    bool opengl_ = false, placed_ = false;
    bool new_theme_ = false;  ///< changed while hidden
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

}  // namespace casp::widgets
