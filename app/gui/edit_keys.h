#pragma once
// Which keys of a focused text field are the window's.

#include <QObject>

namespace casp::gui {

/// Filters the application's events during its lifetime. Text fields claim more keys than those of editing
/// (Ctrl+U deletes a line on X11) and, on the other hand, leave the deletion of a word to the menus.
class EditKeys : public QObject {
public:
    explicit EditKeys(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace casp::gui
