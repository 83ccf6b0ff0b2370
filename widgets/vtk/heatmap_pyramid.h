#pragma once
// Multi-resolution colour images of a large matrix.

#include <cstdint>
#include <list>
#include <vector>

#include <QImage>
#include <QRectF>

#include "figures/figure.h"
#include "figures/style.h"

namespace casp::widgets {

/// The matrix. Coarser levels hold means of 2ⁿ × 2ᵐ cells (ignoring NaN), so that no cell is
/// skipped if a pixel covers many. Levels are created on demand in one pass over the matrix (about 20 ms for
/// 1,000 × 20,000); the last few are cached. One thread at a time.
class HeatmapPyramid {
public:
    /// Throws std::invalid_argument if values, names or ids do not match rows and columns.
    void set(figures::Heatmap matrix);
    void set_background(const QColor& colour);  ///< for NaN values

    [[nodiscard]] const figures::Heatmap& matrix() const { return matrix_; }
    [[nodiscard]] bool empty() const { return matrix_.rows == 0 || matrix_.columns == 0; }
    [[nodiscard]] float value(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] std::pair<double, double> range() const { return {low_, high_}; }

    /// Image of the cells `visible` (x: columns, y: rows), each pixel from the cell under its centre.
    [[nodiscard]] QImage picture(const QRectF& visible, const QSize& pixels) const;

private:
    /// Number of halvings of rows and of columns.
    struct Level {
        int rows = 0, columns = 0;
        bool operator==(const Level&) const = default;
    };
    struct Plane {
        Level level;
        std::vector<float> values;
    };
    /// The coarsest resolution sufficient for this cell size in device pixels.
    [[nodiscard]] Level level_for(double cell_width, double cell_height) const;
    [[nodiscard]] std::int64_t rows_at(Level level) const;
    [[nodiscard]] std::int64_t columns_at(Level level) const;
    [[nodiscard]] const std::vector<float>& plane(Level level) const;
    [[nodiscard]] QRgb colour(float value) const;

    figures::Heatmap matrix_;
    double low_ = 0, high_ = 1;
    std::vector<QRgb> table_;
    QRgb nothing_ = 0xffffffffu;
    mutable std::list<Plane> planes_;  ///< most recently used first
};

}  // namespace casp::widgets
