#pragma once
// Placement of the main window within the available area of a screen.

#include <QList>
#include <QRect>

namespace casp::gui {

/// Returns `window` (without its frame), moved and if necessary shrunk so that it fits, with a title bar of
/// `title_height`, on the screen that contains most of it. `screens`: available geometry of each screen
/// (QScreen::availableGeometry), the default one first. In logical pixels. A completely visible window is not
/// changed, nor is any window if there is no screen.
[[nodiscard]] QRect placed_on_screen(const QRect& window, const QList<QRect>& screens, int title_height);

}  // namespace casp::gui
