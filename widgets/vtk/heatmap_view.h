#pragma once
// View of a large matrix as coloured cells (similarity of anchors and windows), up to 1,000 × 20,000.
//
// Mouse: drag pans, Shift+drag selects a rectangle, the wheel zooms (with Shift, or beside the rows: one
// direction), a click selects a cell, beside the rows a row, below the columns a column, a double click shows
// all. Keys: arrows move the crosshair, + and − zoom, 0 shows all, R starts a rectangle, Return selects the
// cell. GUI thread.

#include <set>

#include <QImage>
#include <QWidget>

#include "figures/figure.h"
#include "vtk/embedding_view.h"
#include "vtk/heatmap_paint.h"
#include "vtk/heatmap_pyramid.h"

namespace casp::widgets {

class HeatmapCanvas;

class HeatmapView : public QWidget {
    Q_OBJECT
public:
    /// Action of dragging with the left button; Shift selects the other one.
    enum class Tool { move, rectangle };

    /// Backend opengl requires opengl_available().
    explicit HeatmapView(ViewBackend backend, QWidget* parent = nullptr);
    ~HeatmapView() override;

    [[nodiscard]] bool uses_opengl() const { return opengl_; }

    /// Keeps the visible range if the size of the matrix is unchanged, and the highlights. Row `row_order[0]`
    /// is shown at the top; empty: unchanged order. Throws std::invalid_argument if lengths do not match.
    void set_matrix(figures::Heatmap matrix, std::vector<std::int64_t> row_order = {});
    [[nodiscard]] const figures::Heatmap& matrix() const { return pyramid_.matrix(); }
    void set_row_order(std::vector<std::int64_t> row_order);
    /// Titles of rows and columns, in the singular: "anchor", "window".
    void set_titles(const QString& title, const QString& row_title, const QString& column_title);
    void set_empty_text(const QString& text);
    /// Ids of rows and columns to highlight (Heatmap::row_ids, column_ids; indices if these are empty).
    void set_highlight(const std::set<std::int64_t>& row_ids, const std::set<std::int64_t>& column_ids);
    [[nodiscard]] const std::set<std::int64_t>& highlighted_rows() const { return lit_row_ids_; }
    [[nodiscard]] const std::set<std::int64_t>& highlighted_columns() const { return lit_column_ids_; }
    /// By default the view follows the application's palette, light or dark; while hidden, only when it is
    /// shown or its picture is requested.
    void set_style(const figures::Style& style);
    /// The current style.
    [[nodiscard]] const figures::Style& style() const { return look_.style; }
    void set_tool(Tool tool);
    [[nodiscard]] Tool tool() const { return tool_; }

    /// Visible cells: x columns, y rows as shown, fractions at the borders.
    [[nodiscard]] QRectF visible_cells() const { return look_.cells; }
    void set_visible_cells(const QRectF& cells);
    /// Moves the crosshair to a cell: row of the matrix, not as shown; −1: none.
    void set_cursor(std::int64_t row, std::int64_t column);

    /// Centre of a cell in pixels of this widget; row of the matrix.
    [[nodiscard]] QPointF place_of(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] QRect cells_rect() const;
    /// For files and the clipboard; empty size: size on screen. Drawn by the painter.
    [[nodiscard]] QImage to_image(const QSize& size = {}, double ratio = 0);
    /// Current image of the canvas, without labels.
    [[nodiscard]] QImage canvas_picture();

    [[nodiscard]] QSize sizeHint() const override { return {520, 360}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 160}; }

public Q_SLOTS:
    void fit();

Q_SIGNALS:
    /// Selected cell (one id each), row (no column ids), column (no row ids) or rectangle; ids in displayed
    /// order. Both empty: a click beside all cells. The receiver interprets `modifiers` (Ctrl: add).
    void picked(const std::vector<std::int64_t>& row_ids, const std::vector<std::int64_t>& column_ids,
                Qt::KeyboardModifiers modifiers);
    /// The crosshair has moved to this cell (row and column of the matrix, not ids).
    void pointed(std::int64_t row, std::int64_t column, double value);
    void unpointed();
    void view_changed();
    void tool_changed(casp::widgets::HeatmapView::Tool tool);

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
    enum class Gesture { none, move, rectangle };

    [[nodiscard]] QPointF cell_at(const QPointF& pixel) const;
    void lay_out();
    void matrix_changed();
    void use_style(const figures::Style& style);
    /// Applies the palette's colours if pending.
    void follow_theme();
    void zoom(double columns_by, double rows_by, const QPointF& at);
    /// Shown row and column; −1: none.
    void point_at(std::int64_t shown_row, std::int64_t column);
    void step(std::int64_t rows, std::int64_t columns);
    void pick(const QRectF& cells, bool rows, bool columns, Qt::KeyboardModifiers modifiers);
    void click(const QPointF& at, Qt::KeyboardModifiers modifiers);
    void resolve_highlight();
    void paint_overlay(QPainter& painter) const;

    HeatmapPyramid pyramid_;
    HeatmapLook look_;
    HeatmapLayout layout_;
    std::set<std::int64_t> lit_row_ids_, lit_column_ids_;
    bool opengl_ = false, own_style_ = false;
    bool new_theme_ = false;  ///< changed while hidden
    HeatmapCanvas* canvas_ = nullptr;
    Overlay* overlay_ = nullptr;
    Tool tool_ = Tool::move;
    Gesture gesture_ = Gesture::none;
    QPointF pressed_, last_;
    bool moved_ = false;
};

/// Uses OpenGL if available, else the painter.
[[nodiscard]] HeatmapView* make_heatmap_view(QWidget* parent = nullptr,
                                             ViewBackend backend = ViewBackend::automatic);

}  // namespace casp::widgets
