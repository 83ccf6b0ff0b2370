#pragma once
// The channels of a table as a figure: reduced to what a screen can show, with the borders of the split.

#include <cstdint>
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

    /// Time where the file has one that never goes back and has no holes; else, or if not wanted, rows.
    [[nodiscard]] static std::shared_ptr<const ChannelAxis> of(const data::Table& table, bool want_time);
    /// True where of(table, true) gives time.
    [[nodiscard]] static bool has_time(const data::Table& table);
};

struct ChannelFigureOptions {
    std::vector<int> channels;  ///< columns of the table, in the order in which they are drawn
    bool overlay = false;       ///< one plot with all, else one below the other
    bool scaled = false;        ///< (x − μ) / σ with the review's numbers
    /// The stretch of x that is looked at closely; none: everything. The x axes always span the whole length,
    /// and what lies outside the stretch is there at a coarser resolution; the y axes span the stretch.
    std::optional<std::pair<double, double>> range;
    std::vector<double> left_out;  ///< values that are drawn as gaps (sentinels)
    int pixel_columns = 1000;
    double pixel_ratio = 1;  ///< device pixels per pixel
};

/// Exact extremes per pixel column (figures/reduce.h). Any thread. `review` may be null: no borders, and
/// `scaled` is ignored.
[[nodiscard]] figures::Figure channel_figure(const data::Table& table, const ChannelAxis& axis,
                                             const DataReview* review, const ChannelFigureOptions& options,
                                             const figures::Style& style);

/// The numbers behind it: every row of the stretch that is looked at closely, not only what the screen can
/// show. Keeps table and axis.
[[nodiscard]] figures::Numbers channel_numbers(std::shared_ptr<const data::Table> table,
                                               std::shared_ptr<const ChannelAxis> axis,
                                               const DataReview* review, const ChannelFigureOptions& options);

/// The border bands alone: training, validation, test.
[[nodiscard]] std::vector<figures::Band> split_bands(const ChannelAxis& axis, const data::SplitPlan& plan,
                                                     const figures::Style& style, bool labels);

}  // namespace casp::widgets
