#pragma once
// The Figures menu: exports and copies of the current view, the tables, all open views and figure recipes.

#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "figure_jobs/figure_job.h"
#include "gui/actions.h"

namespace casp::widgets {
class RunLibrary;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class DockFocus;
class Notices;

class FigureActions : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    FigureActions(ActionList& actions, Docks& docks, const DockFocus& focus, Notices& notices,
                  widgets::RunLibrary& library, const widgets::Selection& selection, QWidget* window);

    /// Figures of all open pages.
    [[nodiscard]] std::vector<figures::Figure> open_figures() const;

private:
    void add_view_actions();
    void add_table_actions();
    void add_export_actions();
    void add_paper_actions();
    /// Brings the figures of all open pages up to date; false: some are still being computed, ask again.
    bool prepare();
    void export_all();
    /// Draws a figure of the paper (for each task of a sweep; "all": every one) from the shown runs in the
    /// background and opens it in an export dialog. Slow figures are announced in the bar instead, with a
    /// button that opens the dialog, so that it does not interrupt other work.
    void draw(const std::string& name);
    void drawn(figure_jobs::DrawnFigures made);
    void open_dialog(std::vector<figures::Figure> figures);

    ActionList& actions_;
    Docks& docks_;
    const DockFocus& focus_;
    Notices& notices_;
    widgets::RunLibrary& library_;
    const widgets::Selection& selection_;
    QWidget* window_;
    QTimer again_;       ///< export_all() once more, while figures are being computed
    int waited_ms_ = 0;  ///< so far, by export_all()
    QElapsedTimer since_start_;
    bool all_ = false;  ///< every figure of the paper was requested
    figure_jobs::FigureJob job_;
};

}  // namespace casp::gui
