#pragma once
// Widget showing a figure, with zoom, pan, crosshair, selection and highlighting.
//
// Mouse: Ctrl and the wheel zoom the x axis around the pointer (Ctrl+Shift: the y axis; over an axis: that
// axis; scatter plots and heatmaps: both); the plain wheel scrolls the page, or zooms if there is nothing to
// scroll; Shift and the wheel pan. Dragging zooms to a box, or selects marks and cells with ids (Shift
// or Ctrl: add, see `picked`), the middle button or Space and drag pans, a double click
// shows everything again. Plots with the same x axis title zoom together. Keys: arrows pan, + and − zoom,
// Home shows everything, Page Up and Page Down change the active plot, Esc cancels a drag. GUI thread only.

#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include "charts/chart_painter.h"
#include "figures/figure.h"

namespace casp::widgets {

/// More than 25 methods: Qt events and signals; the others share zoom, drag and crosshair.
class FigureView : public QWidget {
    Q_OBJECT
public:
    explicit FigureView(QWidget* parent = nullptr);
    ~FigureView() override;

    /// Shows the figure (pass by move to avoid a copy); keeps the zoom if number and titles of the plots are
    /// unchanged. Repaints at most 20 times a second, and not while hidden, so it may be called as often as
    /// data arrive.
    void set_figure(figures::Figure figure);
    [[nodiscard]] const figures::Figure& figure() const { return figure_; }

    /// Dims the picture while a new one is computed.
    void set_busy(bool busy);
    [[nodiscard]] bool busy() const { return busy_; }

    /// Highlights these points and bars and dims the others; empty: none.
    void set_highlight(std::unordered_set<std::int64_t> ids);
    /// The same by run (Series::run), if ids have different meanings in each run; other runs are painted as
    /// usual. Empty: none.
    void set_highlight_of_runs(std::unordered_map<QString, std::unordered_set<std::int64_t>> ids);
    /// Frames rows and columns of heatmaps (Heatmap::row_ids, column_ids; indices if these are empty).
    void set_highlight_of_cells(std::set<std::int64_t> rows, std::set<std::int64_t> columns);
    [[nodiscard]] const Highlight& highlight() const { return highlight_; }
    /// Ids have different meanings in each run: a frame around marks of several runs picks those of one.
    void set_ids_of_runs() { ids_of_runs_ = true; }
    /// Run of the marks last reported by picked(); empty: none.
    [[nodiscard]] const QString& picked_run() const { return picked_run_; }

    void reset_zoom();
    [[nodiscard]] bool zoomed() const;
    /// Visible range of a plot.
    void set_window(int plot, const PlotWindow& window);
    [[nodiscard]] PlotWindow window(int plot) const;

    /// The current picture, at `ratio` device pixels per pixel.
    [[nodiscard]] QImage picture(double ratio = 2) const;
    /// Tooltip text of the mark there: its name and unsmoothed values; empty: none.
    [[nodiscard]] QString text_at(QPointF position) const;
    /// The crosshair at this x in all plots with this x axis title, besides the one under the mouse: a faint
    /// line, and the values there. NaN: none.
    void point_at(const QString& x_title, double x);
    /// Texts at these crosshairs, by plot; empty: none there.
    [[nodiscard]] QStringList pointed_texts() const;
    /// Geometry for tests and overlays, as of the last paint.
    [[nodiscard]] const ChartPainter& painter() const;

    /// Minimum height in pixels at which the figure is readable: legends, titles and labels, and at least 135
    /// pixels per row of plots. Depends on figure and font, not on the widget's size, so that the layout of a
    /// page using it converges. 0: nothing to show.
    [[nodiscard]] int needed_height() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Points or bars were clicked or framed; their Series::ids. Empty: a click beside all marks (clear). The
    /// receiver implements Shift (add) and Ctrl (toggle).
    void picked(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    /// Cells of a heatmap were clicked or framed: their row and column ids (numbers where it has no ids). A
    /// click left of the cells is a row without columns, one below them a column without rows.
    void cells_picked(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                      Qt::KeyboardModifiers modifiers);
    /// A line of a run was clicked: Series::run.
    void run_picked(const QString& run, Qt::KeyboardModifiers modifiers);
    /// A position on the x axis was clicked: on a run's line (the x of that point, after run_picked) or
    /// beside all marks. The value is a step or a time.
    void x_picked(double x, Qt::KeyboardModifiers modifiers);
    /// The mouse is at this x of a plot with this x axis title; NaN: it has left. For point_at() of other
    /// views.
    void pointed(const QString& x_title, double x);
    void zoom_changed();
    /// needed_height() has changed with the figure or font.
    void needed_height_changed(int pixels);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag { none, undecided, box, select, pan };

    void changed();
    void report_needed_height();
    void relayout() const;
    void finish_drag(Qt::KeyboardModifiers modifiers);
    void click(QPointF position, Qt::KeyboardModifiers modifiers);
    void pick(const std::vector<Hit>& hits, Qt::KeyboardModifiers modifiers);
    void zoom(int plot, double x_factor, double y_factor, QPointF around);
    void pan(int plot, QPointF by, const PlotWindow& from);
    void share_x(int plot);
    [[nodiscard]] bool pickable(int plot) const;
    [[nodiscard]] Look look() const;
    void point(QPointF position);
    /// The plot under the mouse; −1: none.
    [[nodiscard]] int hovered_plot() const;
    /// Values of all lines at the nearest x; empty: none.
    [[nodiscard]] QString line_text(int plot, double x) const;
    void paint_pointed(QPainter& painter);
    void paint_overlay(QPainter& painter);
    void paint_tip(QPainter& painter, QPointF position, const QString& text);
    void paint_empty(QPainter& painter);

    figures::Figure figure_;
    std::vector<PlotWindow> windows_;
    Highlight highlight_;
    bool busy_ = false, ids_of_runs_ = false;
    int reported_height_ = 0;
    QString picked_run_;

    std::unique_ptr<ChartPainter> painter_;
    mutable bool layout_stale_ = true, picture_stale_ = true;
    QPixmap picture_;
    QTimer throttle_;
    QElapsedTimer since_paint_;

    Drag drag_ = Drag::none;
    bool space_ = false;
    int drag_plot_ = -1, key_plot_ = 0;
    QPointF press_, mouse_;
    bool mouse_inside_ = false;
    QString pointed_title_;
    double pointed_x_ = std::numeric_limits<double>::quiet_NaN();
    PlotWindow drag_window_;
};

}  // namespace casp::widgets
