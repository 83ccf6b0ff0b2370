#include "audit/audited_forecasts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "audit/truth_match.h"
#include "audit/window_array.h"
#include "config/experiment.h"
#include "config/text_utils.h"
#include "util/error.h"

namespace casp::audit {

namespace {

// Arrays whose items are windows of one channel each, as loaders with one channel per item leave them.

/// Joins the channels of arrays [items, H, 1] in which the windows of one channel follow those of another, or
/// the channels of one window those of another; the last items may be missing, with which their windows are
/// left out. Truths show the order; without them the first one is assumed. Sets window_numbers where windows
/// are left out. Throws Cancelled.
void join_channels(ForeignForecasts& forecasts, const data::PreparedData& data,
                   const std::stop_token& stop = {});

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

/// Whether the arrays have all channels of the data set, and not only those of data.targets.
bool has_all_channels(const ForeignForecasts& forecasts, std::int64_t targets, std::int64_t all) {
    const auto& array = forecasts.prediction;
    const std::array sizes{array.windows(), array.horizon(), array.channels()};
    const auto has = [&](std::int64_t size) {
        return forecasts.channels.empty() ? std::find(sizes.begin(), sizes.end(), size) != sizes.end()
                                          : std::ssize(forecasts.channels) == size;
    };
    return has(all) && !has(targets);
}

/// The data set at the horizon of the arrays, whose axes are set by the sizes of its test split.
data::PreparedData arrange(ForeignForecasts& forecasts, config::Config& config, std::vector<Phrase>& notes,
                           const ProgressFn& progress, const std::stop_token& stop) {
    const auto expected = std::exchange(config.data.horizon, 1);
    auto data = *data::prepare_data(config, progress, stop);
    if (!data.targets.empty() &&
        has_all_channels(forecasts, std::ssize(data.targets), std::ssize(data.table.columns))) {
        config.data.targets.clear();
        data.targets.clear();
        notes.emplace_back(
            "The arrays have all channels of the data set: they are audited over all of them, not over "
            "data.targets.");
    }
    data = data::with_targets_only(std::move(data), config);
    if (forecasts.channels.empty()) {  // of a CSV file, columns have names
        const ExpectedSizes sizes{data.plan.test.windows, expected, std::ssize(data.table.columns)};
        for (auto* array : {&forecasts.prediction, forecasts.truth ? &*forecasts.truth : nullptr})
            if (array != nullptr)
                if (auto note = arrange_axes(*array, sizes); !note.empty()) notes.push_back(std::move(note));
    }
    require_equal_shapes(forecasts);
    config.data.horizon = forecasts.prediction.horizon();
    try {
        data.plan =
            data::plan_split(config, data.entry, data.plan.rows, {data.table.time, data.table.step.local});
    } catch (const Error& problem) {
        auto parts = problem.parts();
        parts.where += " of " + data.table.path.string();
        throw Error(problem.kind(), parts);
    }
    return data;
}

/// Exchanges predictions and truths where the predictions are the test windows of the data set, and the
/// truths no part of it.
void exchange_if_swapped(ForeignForecasts& forecasts, const data::PreparedData& data,
                         const std::stop_token& stop) {
    if (!forecasts.truth || match_channels(*forecasts.truth, {}, data, stop)) return;
    const auto match = match_channels(forecasts.prediction, {}, data, stop);
    if (!match || std::count(match->column.begin(), match->column.end(), -1) > 0) return;
    const auto rows = match_rows(forecasts.prediction, {}, *match, data, {}, stop);
    if (rows.row.front() != data.plan.test.target_begin) return;  // a seasonal naive forecast has rows, too
    std::swap(forecasts.prediction, *forecasts.truth);
    forecasts.are_exchanged = true;
}

}  // namespace

config::Config settings_of_forecasts(const std::string& data, std::vector<std::string> sets) {
    sets.emplace_back("model.name=\"imported\"");
    sets.push_back("data.path=" + config::in_quotes(data));
    auto config = config::load_text("", "--set", std::filesystem::current_path(), sets).base;
    if (data::has_collection(config))
        throw input_error(data, "it is a collection of series", "a data set with rows and channels",
                          "The forecasts of a collection have no windows to look for.");
    return config;
}

AuditedForecasts audit_file(const std::filesystem::path& path, config::Config config,
                            const ProgressFn& progress, const std::stop_token& stop) {
    auto forecasts = read_foreign_forecasts(path, stop);
    const auto expected = config.data.horizon;
    std::vector<Phrase> notes;
    auto data = arrange(forecasts, config, notes, progress, stop);
    exchange_if_swapped(forecasts, data, stop);
    join_channels(forecasts, data, stop);
    auto audit =
        audit_forecasts(forecasts, data, expected > 0 ? expected : config.data.horizon, progress, stop);
    audit.notes.insert(audit.notes.begin(), notes.begin(), notes.end());
    // Another data set than the user means has another split, of which the findings would be.
    for (const auto& warning : data.table.warnings) {
        if (warning.kind != data::WarningKind::catalog) continue;
        auto note = warning.text.english() + ".";
        note.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(note.front())));
        audit.notes.push_back(std::move(note));
    }
    audit.hints = pipeline_hints(path, stop);
    if (const auto windows = test_windows(audit, data);  // nothing was dropped
        std::find(windows.begin(), windows.end(), -1) == windows.end())
        std::erase_if(audit.hints, [](const Hint& hint) { return hint.what == dropped_last_batch; });
    return {std::move(forecasts), std::move(config), std::move(data), std::move(audit)};
}

}  // namespace casp::audit
