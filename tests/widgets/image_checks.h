#pragma once
// What tests ask of a picture.

#include <QImage>

namespace casp::test {

/// Number of pixels on the outermost frame that are not the background: more than none where something is cut
/// off.
inline int marks_on_border(const QImage& image) {
    const QRgb background = image.pixel(0, 0);
    int count = 0;
    for (int x = 0; x < image.width(); ++x)
        count += (image.pixel(x, 0) != background) + (image.pixel(x, image.height() - 1) != background);
    for (int y = 0; y < image.height(); ++y)
        count += (image.pixel(0, y) != background) + (image.pixel(image.width() - 1, y) != background);
    return count;
}

}  // namespace casp::test
