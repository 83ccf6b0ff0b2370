#pragma once
// Keyboard focus among the docks: the current panel and view, and steps from panel to panel.

#include <QDockWidget>
#include <QObject>
#include <QPointer>

#include "charts/view_frame.h"

namespace casp::gui {

class Docks;

class DockFocus : public QObject {
    Q_OBJECT
public:
    /// `docks` must outlive it.
    DockFocus(const Docks& docks, QObject* parent);

    /// The panel with the keyboard focus, else the last one that had it, else the first visible one; null if
    /// none is visible.
    [[nodiscard]] QDockWidget* current_dock() const;
    /// The same for views.
    [[nodiscard]] widgets::ViewFrame* current_frame() const;
    [[nodiscard]] QDockWidget* last_dock() const { return last_dock_; }

    /// Focuses the control of the panel that had the focus last, else the first that takes it.
    static void focus(QDockWidget* dock);
    /// The visible panel `by` places after the focused one, in the order of the picture; null if none is
    /// visible.
    [[nodiscard]] QDockWidget* neighbour(int by) const;
    /// Tab and Shift+Tab for `window`, passing over panels that are hidden behind others. False: there is
    /// nothing to focus.
    static bool focus_next(QWidget* window, bool next);

private:
    void follow(QWidget* now);

    const Docks& docks_;
    QPointer<QDockWidget> last_dock_;
    QPointer<widgets::ViewFrame> last_frame_;
};

}  // namespace casp::gui
