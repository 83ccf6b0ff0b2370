#include "figures/style.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>

namespace casp::figures {
namespace {

std::vector<QColor> colours(std::initializer_list<QRgb> list) {
    std::vector<QColor> result;
    result.reserve(list.size());
    for (const QRgb colour : list) result.emplace_back(colour);
    return result;
}

// Okabe and Ito (2008). Yellow and black come last: one is hard to see on white, the other on dark.
std::vector<QColor> okabe_ito() {
    return colours({0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0xF0E442, 0x555555});
}
// Paul Tol, "Colour schemes" (2021), bright and muted.
std::vector<QColor> tol_bright() {
    return colours({0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0xBBBBBB});
}
std::vector<QColor> tol_muted() {
    return colours(
        {0x332288, 0xCC6677, 0x117733, 0xDDCC77, 0x88CCEE, 0x882255, 0x44AA99, 0x999933, 0xAA4499});
}
std::vector<QColor> greys() { return colours({0x222222, 0x777777, 0xAAAAAA, 0x4D4D4D, 0x919191, 0xC4C4C4}); }

// The order in which series and runs take colours: Okabe and Ito's four that can be seen on white as they are
// (their orange and sky blue, made dark enough for lines, are vermillion and blue to many colour-blind eyes),
// then two of Tol's that stay apart from them, then others.
constexpr std::array<QRgb, 11> run_colours = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0x117733, 0x6699CC,
                                              0x332288, 0x999933, 0x882255, 0x44AA99, 0x8C6D31};
// The same on dark: lightened alone, blue would meet the pale blue and dark green the bluish one.
constexpr std::array<QRgb, run_colours.size()> run_colours_on_dark = {0x3490F2, 0xDD6A14, 0x10A37F, 0xE07BB4,
                                                                      0x98E06A, 0xA5D8FF, 0xC19FF4, 0xEFF3B8,
                                                                      0xE5AFBB, 0x77F0E9, 0xE9C735};

std::vector<QColor> series_colours(bool dark) {
    std::vector<QColor> result;
    for (const QRgb rgb : run_colours) {
        const QColor colour(rgb);
        result.push_back(dark ? readable_on(colour, QColor(0x1E, 0x20, 0x23)) : colour);
    }
    return result;
}

double luminance(const QColor& colour) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

}  // namespace

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor readable_on(const QColor& colour, const QColor& background) {
    const bool lighter = luminance(background) < 0.18;
    // Thin lines on dark need more contrast than the 3 that suffices on white.
    const double least = lighter ? 4.2 : 3;
    QColor result = colour;
    const auto* known = std::find(run_colours.begin(), run_colours.end(), colour.rgb() & RGB_MASK);
    if (lighter && known != run_colours.end()) {
        result = QColor(run_colours_on_dark[static_cast<std::size_t>(known - run_colours.begin())]);
        result.setAlpha(colour.alpha());
    }
    for (int step = 0; step < 14 && contrast(result, background) < least; ++step) {
        float h = 0, s = 0, l = 0, a = 0;
        result.getHslF(&h, &s, &l, &a);
        l = std::clamp(l + (lighter ? 0.05F : -0.05F), 0.0F, 1.0F);
        result = QColor::fromHslF(std::max(h, 0.0F), s, l, a);
    }
    return result;
}

Style light_style() {
    Style style;
    style.background = QColor(0xFF, 0xFF, 0xFF);
    style.text = QColor(0x20, 0x24, 0x2A);
    style.muted = QColor(0x5F, 0x66, 0x70);
    style.grid = QColor(0xE6, 0xE9, 0xED);
    style.axis = QColor(0xA3, 0xAA, 0xB4);
    style.accent = QColor(0x00, 0x72, 0xB2);
    style.series = series_colours(false);
    return style;
}

Style dark_style() {
    Style style;
    style.background = QColor(0x1E, 0x20, 0x23);
    style.text = QColor(0xE4, 0xE7, 0xEB);
    style.muted = QColor(0xA2, 0xA9, 0xB3);
    style.grid = QColor(0x33, 0x37, 0x3D);
    style.axis = QColor(0x6B, 0x73, 0x7E);
    style.accent = QColor(0x56, 0xB4, 0xE9);
    style.series = series_colours(true);
    return style;
}

Style print_style() {
    Style style = light_style();
    style.text = QColor(0, 0, 0);
    style.muted = QColor(0x40, 0x40, 0x40);
    style.grid = QColor(0xE3, 0xE3, 0xE3);
    style.axis = QColor(0x40, 0x40, 0x40);
    style.font_points = 8;
    return style;
}

namespace {

Style made_of(const QColor& base, const QColor& text) {
    const bool dark = luminance(base) < 0.18;
    Style style = dark ? dark_style() : light_style();
    style.background = base;
    style.text = text;
    const auto mixed = [&](double share) {
        const auto mix = [share](int a, int b) { return static_cast<int>(a + share * (b - a)); };
        return QColor(mix(base.red(), style.text.red()), mix(base.green(), style.text.green()),
                      mix(base.blue(), style.text.blue()));
    };
    style.grid = mixed(0.10);
    style.axis = mixed(0.38);
    style.muted = mixed(0.70);
    if (dark) {
        for (QColor& colour : style.series) colour = readable_on(colour, base);
    }
    return style;
}

}  // namespace

Style style_of(const QPalette& palette) {
    // Cached: every view calls this on each repaint, every form row on a theme change, and the contrast of
    // dark backgrounds takes many pow() calls.
    thread_local QColor base, text;
    thread_local Style style;
    const QColor &now = palette.color(QPalette::Base), &pen = palette.color(QPalette::Text);
    if (now != base || pen != text) {
        style = made_of(now, pen);
        base = now;
        text = pen;
    }
    return style;
}

bool is_dark(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

QStringList palette_names() {
    return {QStringLiteral("Okabe–Ito"), QStringLiteral("Tol bright"), QStringLiteral("Tol muted"),
            QStringLiteral("greys")};
}

std::vector<QColor> palette(const QString& name) {
    if (name == QLatin1String("Tol bright")) return tol_bright();
    if (name == QLatin1String("Tol muted")) return tol_muted();
    if (name == QLatin1String("greys")) return greys();
    return okabe_ito();
}

QColor run_colour(int index) {
    const auto count = static_cast<int>(run_colours.size());
    const int safe = std::max(index, 0);
    const QColor base(run_colours[static_cast<std::size_t>(safe % count)]);
    // Rounds two to five of the palette are lighter and darker; after that it repeats.
    constexpr std::array<float, 5> shifts = {0.0F, 0.16F, -0.12F, 0.26F, -0.20F};
    const float shift = shifts[static_cast<std::size_t>(safe / count) % shifts.size()];
    float h = 0, s = 0, l = 0;
    base.getHslF(&h, &s, &l);
    return QColor::fromHslF(std::max(h, 0.0F), s, std::clamp(l + shift, 0.15F, 0.85F));
}

}  // namespace casp::figures
