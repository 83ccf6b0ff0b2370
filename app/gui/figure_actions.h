#pragma once
// The Figures menu: exports and copies of the current view, the tables, all open views and figure recipes.

#include <vector>

#include <QObject>
#include <QTimer>

#include "gui/actions.h"

namespace casp::figures {
struct Figure;
}
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
    /// Brings the figures of all open pages up to date; false: some are still being computed, ask again.
    bool prepare();
    void export_all();

    ActionList& actions_;
    Docks& docks_;
    const DockFocus& focus_;
    Notices& notices_;
    widgets::RunLibrary& library_;
    const widgets::Selection& selection_;
    QWidget* window_;
    QTimer again_;       ///< export_all() once more, while figures are being computed
    int waited_ms_ = 0;  ///< so far, by export_all()
};

}  // namespace casp::gui
