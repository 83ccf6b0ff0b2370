#pragma once
// The File menu.

#include <QObject>

#include "gui/actions.h"

namespace casp::widgets {
class RunLibrary;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class FileExports;
class FileOpener;
class Notices;

class FileActions : public QObject {
    Q_OBJECT
public:
    /// What the actions act on; all outlive them.
    struct Parts {
        ActionList& actions;
        FileOpener& opener;
        FileExports& exports;
        Docks& docks;
        Notices& notices;
        const widgets::RunLibrary& library;
        const widgets::Selection& selection;
    };
    FileActions(const Parts& parts, QWidget& window);

private:
    void add_open_actions();
    void add_data_actions();
    void add_experiment_actions();
    void add_export_actions();
    void name_exports();  ///< after the highlighted run

    const Parts p_;
};

}  // namespace casp::gui
