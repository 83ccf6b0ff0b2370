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

/// The matrix in display order. Coarser levels hold means of 2ⁿ × 2ᵐ cells (ignoring NaN), so that no cell is
/// skipped if a pixel covers many. Levels are created on demand in one pass over the matrix (about 20 ms for
/// 1,000 × 20,000); the last few are cached. One thread at a time.
class HeatmapPyramid {
public:
    /// Number of halvings of rows and of columns.
    struct Level {
        int rows = 0, columns = 0;
        bool operator==(const Level&) const = default;
    };

    /// Throws std::invalid_argument if values, names or ids do not match rows and columns, or `row_order` is
    /// not a permutation (empty: unchanged order). Row `row_order[0]` is shown at the top.
    void set(figures::Heatmap matrix, std::vector<std::int64_t> row_order);
    void set_background(const QColor& colour);  ///< for NaN values

    [[nodiscard]] const figures::Heatmap& matrix() const { return matrix_; }
    [[nodiscard]] bool empty() const { return matrix_.rows == 0 || matrix_.columns == 0; }
    [[nodiscard]] std::int64_t source_row(std::int64_t shown) const;
    [[nodiscard]] std::int64_t shown_row(std::int64_t source) const;
    [[nodiscard]] float value(std::int64_t shown_row, std::int64_t column) const;
    [[nodiscard]] std::pair<double, double> range() const { return {low_, high_}; }

    /// The coarsest resolution sufficient for this cell size in device pixels.
    [[nodiscard]] Level level_for(double cell_width, double cell_height) const;
    [[nodiscard]] std::int64_t rows_at(Level level) const;
    [[nodiscard]] std::int64_t columns_at(Level level) const;

    static constexpr int tile_side = 1024;  ///< supported by every OpenGL
    /// Part of a level, at most tile_side × tile_side, row 0 at the top.
    [[nodiscard]] QImage tile(Level level, std::int64_t tile_row, std::int64_t tile_column) const;
    /// Image of the cells `visible` (x: columns, y: shown rows), each pixel from the cell under its centre.
    [[nodiscard]] QImage picture(const QRectF& visible, const QSize& pixels) const;

private:
    struct Plane {
        Level level;
        std::vector<float> values;
    };
    [[nodiscard]] const std::vector<float>& plane(Level level) const;
    [[nodiscard]] QRgb colour(float value) const;

    figures::Heatmap matrix_;
    std::vector<std::int64_t> order_, place_;
    double low_ = 0, high_ = 1;
    std::vector<QRgb> table_;
    QRgb nothing_ = 0xffffffffu;
    mutable std::list<Plane> planes_;  ///< most recently used first
};

}  // namespace casp::widgets
