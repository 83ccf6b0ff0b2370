#pragma once
// A large matrix at several resolutions, as colours.

#include <cstdint>
#include <list>
#include <vector>

#include <QImage>
#include <QRectF>

#include "figures/figure.h"
#include "figures/style.h"

namespace casp::widgets {

/// The matrix in display order. Coarser levels hold means of 2ⁿ × 2ᵐ cells (NaN left out), so that nothing is
/// skipped where a pixel covers many cells. Levels are made when first asked for: one pass over the matrix
/// (some 20 ms for 1,000 × 20,000), the last few are kept. One thread at a time.
class HeatmapPyramid {
public:
    /// How many halvings of rows and of columns.
    struct Level {
        int rows = 0, columns = 0;
        bool operator==(const Level&) const = default;
    };

    /// std::invalid_argument where values, names or ids do not fit to rows and columns, or `row_order` is no
    /// permutation (empty: as they are). Row `row_order[0]` is shown at the top.
    void set(figures::Heatmap matrix, std::vector<std::int64_t> row_order);
    void set_background(const QColor& colour);  ///< where values are NaN

    [[nodiscard]] const figures::Heatmap& matrix() const { return matrix_; }
    [[nodiscard]] bool empty() const { return matrix_.rows == 0 || matrix_.columns == 0; }
    [[nodiscard]] std::int64_t source_row(std::int64_t shown) const;
    [[nodiscard]] std::int64_t shown_row(std::int64_t source) const;
    [[nodiscard]] float value(std::int64_t shown_row, std::int64_t column) const;
    [[nodiscard]] std::pair<double, double> range() const { return {low_, high_}; }

    /// The coarsest resolution that a view needs in which a cell is so many device pixels large.
    [[nodiscard]] Level level_for(double cell_width, double cell_height) const;
    [[nodiscard]] std::int64_t rows_at(Level level) const;
    [[nodiscard]] std::int64_t columns_at(Level level) const;

    static constexpr int tile_side = 1024;  ///< every OpenGL has textures that large
    /// Part of a level, at most tile_side × tile_side, row 0 at the top.
    [[nodiscard]] QImage tile(Level level, std::int64_t tile_row, std::int64_t tile_column) const;
    /// What a view shows of the cells `visible` (x: columns, y: shown rows), each pixel by the cell under its
    /// centre.
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
