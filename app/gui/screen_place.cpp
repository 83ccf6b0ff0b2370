#include "gui/screen_place.h"

#include <algorithm>

namespace casp::gui {

QRect placed_on_screen(const QRect& window, const QList<QRect>& screens, int title_height) {
    if (screens.isEmpty()) return window;
    const auto framed = window.adjusted(0, -title_height, 0, 0);
    const QRect* screen = &screens.front();
    qint64 most = 0;
    for (const auto& other : screens) {
        const auto common = framed.intersected(other);
        const auto pixels = static_cast<qint64>(common.width()) * common.height();
        if (pixels <= most) continue;
        most = pixels;
        screen = &other;
    }
    const auto room = screen->adjusted(0, title_height, 0, 0);
    const auto size = window.size().boundedTo(room.size());
    const auto kept_inside = [](int first, int length, int from, int all) {
        return std::clamp(first, from, from + all - length);
    };
    return {{kept_inside(window.x(), size.width(), room.x(), room.width()),
             kept_inside(window.y(), size.height(), room.y(), room.height())},
            size};
}

}  // namespace casp::gui
