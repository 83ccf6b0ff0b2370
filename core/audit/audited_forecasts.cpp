#include "audit/audited_forecasts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "audit/axes.h"
#include "audit/channel_items.h"
#include "config/experiment.h"
#include "config/text_utils.h"
#include "util/error.h"

namespace casp::audit {

config::Config settings_of_forecasts(const std::string& data, std::vector<std::string> sets) {
    sets.emplace_back("model.name=\"imported\"");
    sets.push_back("data.path=" + config::in_quotes(data));
    auto config = config::load_text("", "--set", std::filesystem::current_path(), sets).base;
    if (data::has_collection(config))
        throw input_error(data, "it is a collection of series", "a data set with rows and channels",
                          "The forecasts of a collection have no windows to look for.");
    return config;
}

namespace {

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
data::PreparedData arrange(ForeignForecasts& forecasts, config::Config& config,
                           std::vector<std::string>& notes, const ProgressFn& progress,
                           const std::stop_token& stop) {
    const auto expected = std::exchange(config.data.horizon, 1);
    auto data = data::prepare_data(config, progress, stop);
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

AuditedForecasts audit_file(const std::filesystem::path& path, config::Config config,
                            const ProgressFn& progress, const std::stop_token& stop) {
    auto forecasts = read_foreign_forecasts(path, stop);
    const auto expected = config.data.horizon;
    std::vector<std::string> notes;
    auto data = arrange(forecasts, config, notes, progress, stop);
    exchange_if_swapped(forecasts, data, stop);
    join_channels(forecasts, data, stop);
    auto audit =
        audit_forecasts(forecasts, data, expected > 0 ? expected : config.data.horizon, progress, stop);
    audit.notes.insert(audit.notes.begin(), notes.begin(), notes.end());
    // Another data set than the user means has another split, of which the findings would be.
    for (const auto& warning : data.table.warnings) {
        if (warning.kind != data::WarningKind::catalog) continue;
        auto note = warning.text + ".";
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
