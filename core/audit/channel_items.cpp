#include "audit/channel_items.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "audit/truth_match.h"

namespace casp::audit {

namespace {

struct Sizes {
    std::int64_t items = 0, windows = 0, channels = 0;  ///< of the arrays; of the data set
};

std::int64_t item_of(const Sizes& sizes, bool by_channel, std::int64_t window, std::int64_t channel) {
    return by_channel ? channel * sizes.windows + window : window * sizes.channels + channel;
}

/// Whether all windows of the first channel are first, by the values of some items; nothing: in no such
/// order.
std::optional<bool> is_by_channel(const WindowArray& truth, const Sizes& sizes,
                                  const data::PreparedData& data, const std::stop_token& stop) {
    const auto begin = data.plan.test.target_begin;
    bool by_channel = true, by_window = true;
    for (const auto item : {std::int64_t{0}, std::int64_t{1}, sizes.items / 2, sizes.items - 2}) {
        const std::vector<ItemPlace> guesses{{item / sizes.windows, begin + item % sizes.windows},
                                             {item % sizes.channels, begin + item / sizes.channels}};
        const auto place = find_item(truth, item, guesses, data, stop);
        const auto is_at = [&](bool order) {
            return place && item_of(sizes, order, place->row - begin, place->column) == item;
        };
        by_channel = by_channel && is_at(true);
        by_window = by_window && is_at(false);
    }
    return by_channel || by_window ? std::optional(by_channel) : std::nullopt;
}

}  // namespace

void join_channels(ForeignForecasts& forecasts, const data::PreparedData& data, const std::stop_token& stop) {
    const Sizes sizes{forecasts.prediction.windows(), data.plan.test.windows, std::ssize(data.table.columns)};
    const auto all = sizes.windows * sizes.channels;
    if (forecasts.prediction.channels() != 1 || sizes.channels < 2 || !forecasts.channels.empty() ||
        sizes.items < 4 || sizes.items > all || sizes.items <= all - sizes.windows)
        return;
    const auto order = forecasts.truth ? is_by_channel(*forecasts.truth, sizes, data, stop) : true;
    if (!order) return;
    std::vector<std::int64_t> windows, items;
    for (std::int64_t window = 0; window < sizes.windows; ++window) {
        if (item_of(sizes, *order, window, sizes.channels - 1) >= sizes.items) continue;
        windows.push_back(window);
        for (std::int64_t channel = 0; channel < sizes.channels; ++channel)
            items.push_back(item_of(sizes, *order, window, channel));
    }
    forecasts.prediction.join(items, sizes.channels);
    if (forecasts.truth) forecasts.truth->join(std::move(items), sizes.channels);
    if (std::ssize(windows) < sizes.windows) forecasts.window_numbers = std::move(windows);
}

}  // namespace casp::audit
