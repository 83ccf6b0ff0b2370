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
#include "vtk/heatmap_paint.h"
#include "vtk/heatmap_pyramid.h"

namespace casp::widgets {

class HeatmapView : public QWidget {
    Q_OBJECT
public:
    /// Action of dragging with the left button; Shift selects the other one.
    enum class Tool { move, rectangle };

    explicit HeatmapView(QWidget* parent = nullptr);

    /// Keeps the visible range if the size of the matrix is unchanged, and the highlights. Throws
    /// std::invalid_argument if lengths do not match.
    void set_matrix(figures::Heatmap matrix);
    [[nodiscard]] const figures::Heatmap& matrix() const { return pyramid_.matrix(); }
    /// Titles of rows and columns, in the singular: "anchor", "window".
    void set_titles(const QString& title, const QString& row_title, const QString& column_title);
    void set_empty_text(const QString& text);
    /// Ids of rows and columns to highlight (Heatmap::row_ids, column_ids; indices if these are empty).
    void set_highlight(const std::set<std::int64_t>& row_ids, const std::set<std::int64_t>& column_ids);
    [[nodiscard]] const std::set<std::int64_t>& highlighted_rows() const { return lit_row_ids_; }
    [[nodiscard]] const std::set<std::int64_t>& highlighted_columns() const { return lit_column_ids_; }
    /// The style of the palette, light or dark.
    [[nodiscard]] const figures::Style& style() const { return look_.style; }
    void set_tool(Tool tool);
    [[nodiscard]] Tool tool() const { return tool_; }

    /// Visible cells: x columns, y rows, fractions at the borders.
    [[nodiscard]] QRectF visible_cells() const { return look_.cells; }
    void set_visible_cells(const QRectF& cells);
    /// Moves the crosshair to a cell; −1: none.
    void set_cursor(std::int64_t row, std::int64_t column);

    /// Centre of a cell in pixels of this widget.
    [[nodiscard]] QPointF place_of(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] QRect cells_rect() const;
    /// For files and the clipboard; empty size: size on screen.
    [[nodiscard]] QImage to_image(const QSize& size = {}, double ratio = 0);

    [[nodiscard]] QSize sizeHint() const override { return {520, 360}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 160}; }

public Q_SLOTS:
    void fit();

Q_SIGNALS:
    /// Selected cell (one id each), row (no column ids), column (no row ids) or rectangle; ids in displayed
    /// order. Both empty: a click beside all cells. The receiver interprets `modifiers` (Ctrl: add).
    void picked(const std::vector<std::int64_t>& row_ids, const std::vector<std::int64_t>& column_ids,
                Qt::KeyboardModifiers modifiers);
    /// The crosshair has moved to this cell (row and column, not ids).
    void pointed(std::int64_t row, std::int64_t column, double value);
    void tool_changed(casp::widgets::HeatmapView::Tool tool);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
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
    enum class Gesture { none, move, rectangle };

    [[nodiscard]] QPointF cell_at(const QPointF& pixel) const;
    void lay_out();
    void matrix_changed();
    void follow_theme();
    void zoom(double columns_by, double rows_by, const QPointF& at);
    /// −1: none.
    void point_at(std::int64_t row, std::int64_t column);
    void step(std::int64_t rows, std::int64_t columns);
    void pick(const QRectF& cells, bool rows, bool columns, Qt::KeyboardModifiers modifiers);
    void click(const QPointF& at, Qt::KeyboardModifiers modifiers);
    void resolve_highlight();

    HeatmapPyramid pyramid_;
    HeatmapLook look_;
    HeatmapLayout layout_;
    std::set<std::int64_t> lit_row_ids_, lit_column_ids_;
    QImage picture_;  ///< of the visible cells; null: to be drawn again
    Tool tool_ = Tool::move;
    Gesture gesture_ = Gesture::none;
    QPointF pressed_, last_;
    bool moved_ = false;
};

}  // namespace casp::widgets
