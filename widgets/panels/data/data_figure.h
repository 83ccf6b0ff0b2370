#pragma once
// Figure of a table's channels, reduced to screen resolution, with the borders of the splits.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "data/table.h"
#include "figures/figure.h"
#include "figures/style.h"
#include "panels/data/data_review.h"

namespace casp::widgets {

/// The x axis of a table's channels.
struct ChannelAxis {
    bool time = false;      ///< seconds since 1970; else row numbers from 0
    std::vector<double> x;  ///< [rows], never decreasing

    /// Time if the file's time never decreases and has no missing values; else, or if not requested, rows.
    [[nodiscard]] static std::shared_ptr<const ChannelAxis> of(const data::Table& table, bool want_time);
    /// True where of(table, true) gives time.
    [[nodiscard]] static bool has_time(const data::Table& table);
};

struct ChannelFigureOptions {
    std::vector<int> channels;  ///< columns of the table, in plotting order
    bool overlay = false;       ///< one plot for all, else one below another
    bool scaled = false;        ///< (x − μ) / σ with the review's statistics
    /// Zoomed range of x; none: everything. The x axes always span the whole length, with coarser resolution
    /// outside the range; the y axes span the range.
    std::optional<std::pair<double, double>> range;
    std::vector<double> left_out;  ///< values plotted as gaps (sentinels)
    int pixel_columns = 1000;
    double pixel_ratio = 1;  ///< device pixels per pixel
};

/// Exact extremes per pixel column (figures/reduce.h). Any thread. `review` may be null: no borders, and
/// `scaled` is ignored.
[[nodiscard]] figures::Figure channel_figure(const data::Table& table, const ChannelAxis& axis,
                                             const DataReview* review, const ChannelFigureOptions& options,
                                             const figures::Style& style);

/// The numbers behind it: every row of the zoomed range at full resolution. Keeps table and axis alive.
[[nodiscard]] figures::Numbers channel_numbers(std::shared_ptr<const data::Table> table,
                                               std::shared_ptr<const ChannelAxis> axis,
                                               const DataReview* review, const ChannelFigureOptions& options);

/// Only the bands of the splits: training, validation, test.
[[nodiscard]] std::vector<figures::Band> split_bands(const ChannelAxis& axis, const data::SplitPlan& plan,
                                                     const figures::Style& style, bool labels);

}  // namespace casp::widgets
