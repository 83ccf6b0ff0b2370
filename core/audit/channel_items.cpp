#include "audit/channel_items.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "audit/shards.h"
#include "audit/truth_match.h"
#include "data/describe.h"

namespace casp::audit {

namespace {

using data::with_commas;

/// Number of an item in the whole data set: first + step · item.
struct Layout {
    bool by_channel = true;  ///< all windows of the first channel are first
    std::int64_t first = 0, step = 1;
};

struct Sizes {
    std::int64_t items = 0, windows = 0, channels = 0;  ///< of the arrays; of the data set
    [[nodiscard]] std::int64_t all() const { return windows * channels; }
};

std::int64_t number_of(const Sizes& sizes, bool by_channel, std::int64_t window, std::int64_t channel) {
    return by_channel ? channel * sizes.windows + window : window * sizes.channels + channel;
}

/// The layout in which some items have the columns and rows of their values.
std::optional<Layout> layout_of(const WindowArray& truth, const Sizes& sizes, const data::PreparedData& data,
                                const std::stop_token& stop) {
    const auto begin = data.plan.test.target_begin;
    const std::vector<std::int64_t> items{0, 1, sizes.items / 3, sizes.items / 2, sizes.items - 2};
    std::vector<ItemPlace> places;  // row: of the test split
    for (const auto item : items) {
        // Of a whole array, and of one channel: without a search.
        std::vector<ItemPlace> guesses{{item / sizes.windows, begin + item % sizes.windows}};
        if (!places.empty()) guesses.push_back({places[0].column, begin + places[0].row + item});
        const auto place = find_item(truth, item, guesses, data, stop);
        const auto window = place ? place->row - begin : -1;
        if (window < 0 || window >= sizes.windows) return {};
        places.push_back({place->column, window});
    }
    for (const bool by_channel : {true, false}) {
        const auto number = [&](std::size_t i) {
            return number_of(sizes, by_channel, places[i].row, places[i].column);
        };
        const Layout layout{by_channel, number(0), number(1) - number(0)};
        bool all = layout.step > 0;
        for (std::size_t i = 2; i < items.size(); ++i)
            all = all && number(i) == layout.first + layout.step * items[i];
        if (all) return layout;
    }
    return {};
}

/// Items of every window that has one.
struct Joined {
    std::vector<std::int64_t> windows, items;  ///< items: [windows, channels]
    std::int64_t channels = 0, complete = 0;

    void add(std::int64_t window, const std::vector<std::int64_t>& its_items) {
        windows.push_back(window);
        items.insert(items.end(), its_items.begin(), its_items.end());
    }
};

Joined joined(const Sizes& sizes, const Layout& layout, bool only_complete) {
    const auto item_of = [&](std::int64_t window, std::int64_t channel) -> std::int64_t {
        const auto at = number_of(sizes, layout.by_channel, window, channel) - layout.first;
        return at >= 0 && at % layout.step == 0 && at / layout.step < sizes.items ? at / layout.step : -1;
    };
    std::vector<std::int64_t> present;  // channels
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel)
        for (std::int64_t window = 0; window < sizes.windows; ++window)
            if (item_of(window, channel) >= 0) {
                present.push_back(channel);
                break;
            }
    Joined all, whole;
    all.channels = whole.channels = std::ssize(present);
    for (std::int64_t window = 0; window < sizes.windows; ++window) {
        std::vector<std::int64_t> items;
        for (const auto channel : present) items.push_back(item_of(window, channel));
        const auto missing = std::count(items.begin(), items.end(), -1);
        if (missing == all.channels) continue;
        all.add(window, items);
        if (missing == 0) whole.add(window, items);
    }
    all.complete = whole.complete = std::ssize(whole.windows);
    if (only_complete && whole.complete > 0) return whole;
    return all;
}

}  // namespace

void join_channels(ForeignForecasts& forecasts, const data::PreparedData& data, const std::stop_token& stop) {
    const Sizes sizes{forecasts.prediction.windows(), data.plan.test.windows, std::ssize(data.table.columns)};
    if (forecasts.prediction.channels() != 1 || sizes.channels < 2 || !forecasts.channels.empty() ||
        sizes.items < 4 || sizes.items > sizes.all())
        return;
    const bool is_whole = sizes.items > sizes.all() - sizes.windows;
    auto layout = forecasts.truth ? layout_of(*forecasts.truth, sizes, data, stop) : std::nullopt;
    if (!layout && is_whole) layout = Layout{};
    if (!layout) return;
    auto whole = joined(sizes, *layout, is_whole);
    if (whole.channels < 2) return;
    const bool has_complete = whole.complete == std::ssize(whole.windows);
    forecasts.prediction.join(whole.items, whole.channels);
    if (forecasts.truth) forecasts.truth->join(std::move(whole.items), whole.channels);
    if (has_complete && is_whole) return;
    forecasts.window_numbers = std::move(whole.windows);
    if (has_complete) return;
    forecasts.part = with_commas(sizes.all() - sizes.items) + " of " + with_commas(sizes.all()) +
                     " windows of one channel each are missing: " +
                     share_text({layout->first, layout->step, sizes.items, sizes.all()});
}

}  // namespace casp::audit
