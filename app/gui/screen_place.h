#pragma once
// A window that can be seen: it stands on a screen and is no larger than what is free there.

#include <QList>
#include <QRect>

namespace casp::gui {

/// `window` (without its frame) moved and, where it must be, made smaller, so that it stands with a title of
/// `title_height` above it on one of `screens`: what is free of each (QScreen::availableGeometry), the one to
/// be taken when in doubt first. All in logical pixels. It is taken to the screen that has most of it; one
/// that can be seen whole stays as it is, and so does any where there is no screen.
[[nodiscard]] QRect placed_on_screen(const QRect& window, const QList<QRect>& screens, int title_height);

}  // namespace casp::gui
