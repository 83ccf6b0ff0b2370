#pragma once
// Icons (resources/icons/*.svg) in a given colour, at any size, and the colours of states and messages.

#include <QColor>
#include <QIcon>
#include <QPainter>
#include <QPalette>
#include <QRectF>

#include "store/run_state.h"

#include "words/amount_text.h"

namespace casp::widgets {

/// In the order of the names in icons.cpp.
enum class Glyph {
    queued,
    running,
    finished,
    flag,
    stop,
    pause,
    cross,
    eye,
    eye_closed,
    star,
    warning,
    info,
    wastebasket,
    columns,
    up,
    down,
    note,
    forward
};

[[nodiscard]] Glyph glyph_of(store::RunState state);

/// Colours readable on the palette's Base: for errors, warnings, success and secondary text.
[[nodiscard]] QColor error_colour(const QPalette& palette);
[[nodiscard]] QColor warning_colour(const QPalette& palette);
[[nodiscard]] QColor success_colour(const QPalette& palette);
[[nodiscard]] QColor muted_colour(const QPalette& palette);
[[nodiscard]] QColor state_colour(store::RunState state, const QPalette& palette);

/// Paints a square icon centred in `box`.
void draw_glyph(QPainter& painter, const QRectF& box, Glyph glyph, const QColor& colour);
/// Progress, a fraction, as a bar.
void draw_progress(QPainter& painter, const QRect& box, double fraction, const QColor& colour);
/// The run's colour, as used for curves in this theme: a filled circle if shown, else a ring.
void draw_swatch(QPainter& painter, const QRectF& box, const QColor& colour, bool filled);
/// A filled swatch, `size` logical pixels wide.
[[nodiscard]] QIcon swatch_icon(const QColor& colour, int size = 16, double ratio = 1);
[[nodiscard]] QIcon glyph_icon(Glyph glyph, const QColor& colour);

}  // namespace casp::widgets
