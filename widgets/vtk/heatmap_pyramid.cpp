#include "vtk/heatmap_pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace casp::widgets {

static constexpr int colours = 1024;
static constexpr std::size_t kept_values = 20'000'000;  ///< of coarser levels, in total: 80 MB

void HeatmapPyramid::set(figures::Heatmap matrix) {
    const auto length_is = [](std::size_t length, std::int64_t wanted, const char* what, bool may_be_empty) {
        if (length != static_cast<std::size_t>(wanted) && !(may_be_empty && length == 0))
            throw std::invalid_argument("heatmap: " + std::to_string(length) + " " + what + ", expected " +
                                        std::to_string(wanted));
    };
    if (matrix.rows < 0 || matrix.columns < 0) throw std::invalid_argument("heatmap: negative size");
    length_is(matrix.values.size(), matrix.rows * matrix.columns, "values", false);
    length_is(static_cast<std::size_t>(matrix.row_names.size()), matrix.rows, "row names", true);
    length_is(static_cast<std::size_t>(matrix.column_names.size()), matrix.columns, "column names", true);
    length_is(matrix.row_ids.size(), matrix.rows, "row ids", true);
    length_is(matrix.column_ids.size(), matrix.columns, "column ids", true);

    matrix_ = std::move(matrix);
    planes_.clear();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const float value : matrix_.values)
        if (std::isfinite(value)) low = std::min<double>(low, value), high = std::max<double>(high, value);
    if (!(low <= high)) low = 0, high = 1;
    low_ = matrix_.min.value_or(low);
    high_ = matrix_.max.value_or(high);
    table_.resize(colours);
    for (int i = 0; i < colours; ++i)
        table_[static_cast<std::size_t>(i)] =
            figures::map_colour(matrix_.colour_map, static_cast<double>(i) / (colours - 1)) | 0xff000000u;
}

void HeatmapPyramid::set_background(const QColor& colour) { nothing_ = colour.rgb(); }

float HeatmapPyramid::value(std::int64_t row, std::int64_t column) const {
    return matrix_.values[static_cast<std::size_t>(row * matrix_.columns + column)];
}

HeatmapPyramid::Level HeatmapPyramid::level_for(double cell_width, double cell_height) const {
    const auto halvings = [](double pixels, std::int64_t cells) {
        int n = 0;
        while (pixels * std::ldexp(1.0, n) < 1 - 1e-9 && (std::int64_t{1} << n) < cells) ++n;
        return n;
    };
    return {halvings(cell_height, matrix_.rows), halvings(cell_width, matrix_.columns)};
}

static std::int64_t halved(std::int64_t cells, int times) {
    return (cells + (std::int64_t{1} << times) - 1) >> times;
}

std::int64_t HeatmapPyramid::rows_at(Level level) const { return halved(matrix_.rows, level.rows); }
std::int64_t HeatmapPyramid::columns_at(Level level) const { return halved(matrix_.columns, level.columns); }

/// Four independent sums, to avoid a dependency of every addition on the previous one.
static void add_finite(const float* values, std::int64_t n, double& sum, std::int32_t& count) {
    double sums[4] = {};
    std::int32_t counts[4] = {};
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) {
            const float value = values[i + k];
            const bool finite = std::abs(value) <= std::numeric_limits<float>::max();
            sums[k] += finite ? static_cast<double>(value) : 0;
            counts[k] += finite;
        }
    for (; i < n; ++i)
        if (std::isfinite(values[i])) sums[0] += static_cast<double>(values[i]), ++counts[0];
    sum += sums[0] + sums[1] + sums[2] + sums[3];
    count += counts[0] + counts[1] + counts[2] + counts[3];
}

const std::vector<float>& HeatmapPyramid::plane(Level level) const {
    for (auto it = planes_.begin(); it != planes_.end(); ++it)
        if (it->level == level) {
            planes_.splice(planes_.begin(), planes_, it);
            return planes_.front().values;
        }
    const auto rows = static_cast<std::size_t>(rows_at(level)),
               columns = static_cast<std::size_t>(columns_at(level));
    Plane made{level, std::vector<float>(rows * columns)};
    std::vector<double> sum(columns);
    std::vector<std::int32_t> count(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        std::fill(sum.begin(), sum.end(), 0.0);
        std::fill(count.begin(), count.end(), 0);
        const std::int64_t first = static_cast<std::int64_t>(row) << level.rows;
        const std::int64_t last = std::min(matrix_.rows, first + (std::int64_t{1} << level.rows));
        for (std::int64_t source = first; source < last; ++source) {
            const float* values = matrix_.values.data() + source * matrix_.columns;
            for (std::size_t bin = 0; bin < columns; ++bin) {
                const std::int64_t from = static_cast<std::int64_t>(bin) << level.columns;
                add_finite(values + from, std::min(matrix_.columns - from, std::int64_t{1} << level.columns),
                           sum[bin], count[bin]);
            }
        }
        for (std::size_t bin = 0; bin < columns; ++bin)
            made.values[row * columns + bin] = count[bin] ? static_cast<float>(sum[bin] / count[bin])
                                                          : std::numeric_limits<float>::quiet_NaN();
    }
    planes_.push_front(std::move(made));
    std::size_t kept = 0;
    for (auto it = planes_.begin(); it != planes_.end();) {
        kept += it->values.size();
        it = it != planes_.begin() && kept > kept_values ? planes_.erase(it) : std::next(it);
    }
    return planes_.front().values;
}

QRgb HeatmapPyramid::colour(float value) const {
    if (!std::isfinite(value)) return nothing_;
    // Equal intervals: a truncation per cell instead of a rounding call.
    const double share = high_ > low_ ? (static_cast<double>(value) - low_) / (high_ - low_) : 0.5;
    return table_[static_cast<std::size_t>(std::clamp(share * colours, 0.0, colours - 1.0))];
}

QImage HeatmapPyramid::picture(const QRectF& visible, const QSize& pixels) const {
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(nothing_);
    if (empty() || image.isNull() || visible.isEmpty()) return image;
    const Level level = level_for(pixels.width() / visible.width(), pixels.height() / visible.height());
    const bool finest = level == Level{};
    const float* values = finest ? matrix_.values.data() : plane(level).data();
    const std::int64_t columns = columns_at(level);
    const auto cell_at = [](double from, double span, int pixel, int of) {
        return static_cast<std::int64_t>(std::floor(from + (pixel + 0.5) / of * span));
    };
    std::vector<std::int64_t> column(static_cast<std::size_t>(pixels.width()));
    for (int x = 0; x < pixels.width(); ++x) {
        const std::int64_t cell = cell_at(visible.left(), visible.width(), x, pixels.width());
        column[static_cast<std::size_t>(x)] =
            cell < 0 || cell >= matrix_.columns ? -1 : cell >> level.columns;
    }
    for (int y = 0; y < pixels.height(); ++y) {
        const std::int64_t cell = cell_at(visible.top(), visible.height(), y, pixels.height());
        if (cell < 0 || cell >= matrix_.rows) continue;
        const float* row = values + (cell >> level.rows) * columns;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < pixels.width(); ++x)
            if (const std::int64_t at = column[static_cast<std::size_t>(x)]; at >= 0)
                line[x] = colour(row[at]);
    }
    return image;
}

}  // namespace casp::widgets
