#pragma once
// The rows of a data set that the truths of other code's forecasts are.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "audit/scalings.h"
#include "audit/window_array.h"
#include "data/prepared.h"
#include "util/progress.h"

namespace casp::audit {

/// Which columns the channels of an array are, and how they were scaled.
struct ChannelMatch {
    std::vector<std::int64_t> column;  ///< [channels of the array] column of the data set; -1: none
    Scaling scaling;
    Rounding rounding = {};  ///< of the truths, if their values are equal only up to it
};

/// `values` of a window, [H, channels of the array] row-major, in the scaling and with the columns of the
/// data set: out [H, columns]; NaN in columns that the array does not have.
void rescale_window(std::span<const double> values, const ChannelMatch& channels,
                    const data::PreparedData& data, std::vector<double>& out);

/// The column and row of a window of one channel.
struct ItemPlace {
    std::int64_t column = 0, row = 0;
};

/// Finds a window of an array of one channel by its values, up to a shift and a factor: at one of the
/// guesses, or anywhere; of equal places the first. Throws Cancelled.
[[nodiscard]] std::optional<ItemPlace> find_item(const WindowArray& truth, std::int64_t item,
                                                 std::span<const ItemPlace> guesses,
                                                 const data::PreparedData& data, const std::stop_token& stop);

/// Finds windows of the truths in the data set that fix channels and scaling: windows whose values follow
/// those of some rows up to a shift and a factor per channel. `numbers`: [windows] expected places in the
/// test split; empty: 0, 1, … Nothing: there is none. Throws Cancelled.
[[nodiscard]] std::optional<ChannelMatch> match_channels(const WindowArray& truth,
                                                         std::span<const std::int64_t> numbers,
                                                         const data::PreparedData& data,
                                                         const std::stop_token& stop);

/// Rows at which windows begin.
struct RowMatch {
    std::vector<std::int64_t> row;  ///< [windows] row of the first target value; -1: no such rows
    std::int64_t ambiguous = 0;     ///< windows whose values occur at several rows
};

/// Finds every window. Of several equal places, the one after the window before is preferred, then the
/// expected one, then a free one of the test split. Values that are not finite are ignored. `numbers`: as for
/// match_channels(). Progress in windows. Throws Cancelled.
[[nodiscard]] RowMatch match_rows(const WindowArray& truth, std::span<const std::int64_t> numbers,
                                  const ChannelMatch& channels, const data::PreparedData& data,
                                  const ProgressFn& progress, const std::stop_token& stop);

}  // namespace casp::audit
