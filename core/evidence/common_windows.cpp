#include "evidence/common_windows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "data/describe.h"
#include "model/descriptor.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

/// Restricts the runs of one task; the sentence is empty if nothing was changed.
Phrase restrict_task(const std::vector<SettledRun*>& runs, const std::stop_token& stop) {
    std::vector<std::optional<TestWindows>> windows;
    std::optional<std::vector<std::int64_t>> common;
    std::size_t most = 0;
    for (const auto* run : runs) {
        throw_if_stopped(stop);
        // Forecasts of other windows are no test forecasts.
        windows.push_back(std::isnan(run->row.test_mse)
                              ? std::optional<TestWindows>()
                              : windows_if_stored(run->folder, run->config.data.lookback));
        if (!windows.back()) continue;
        const auto& rows = windows.back()->row;
        most = std::max(most, rows.size());
        common = common ? common_rows(*common, rows) : rows;
    }
    if (!common) return {};
    bool all_equal = true;
    for (std::size_t i = 0; i < runs.size(); ++i)
        all_equal = all_equal && (windows[i] ? windows[i]->row.size() == common->size()
                                             : std::isnan(runs[i]->row.test_mse));
    if (all_equal) return {};
    std::vector<std::string> without;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto& row = runs[i]->row;
        if (!windows[i] && !std::isnan(row.test_mse)) without.push_back(runs[i]->folder.string());
        set_test_errors(row, windows[i] ? errors_over(*windows[i], *common) : MeanErrors());
    }
    const auto& row = runs.front()->row;
    auto text =
        Phrase("%1-%2: test errors are over the %3 of %4 windows of which all compared runs have forecasts",
               row.data, row.horizon, data::with_commas(std::ssize(*common)),
               data::with_commas(static_cast<std::int64_t>(most)));
    if (!without.empty())
        text +=
            Phrase("; left out, because their test forecasts are not stored: %1", config::listed(without));
    return text;
}

}  // namespace

std::string task_of_run(const SettledRun& run) {
    auto task = run.row.data + "-" + std::to_string(run.row.horizon);
    for (const auto& option : config::options())
        if (config::changes_the_task(option.key) && option.key != "data.path" && option.key != "data.missing")
            task += '\n' + config::plain_text(option.get(run.config));
    return task;
}

TestWindows read_test_windows(const std::filesystem::path& run_folder, std::int64_t lookback) {
    const auto errors = store::read_forecast_errors(store::RunFolder(run_folder).arrays_file(), "test");
    TestWindows windows;
    const auto channels = static_cast<std::size_t>(errors.channels);
    std::vector<std::size_t> order(errors.start.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return errors.start[a] < errors.start[b]; });
    constexpr std::int64_t max_rows = std::int64_t{1} << 48;
    for (const auto w : order) {
        if (errors.start[w] < -max_rows || errors.start[w] > max_rows)
            throw input_error(store::RunFolder(run_folder).arrays_file().string(),
                              Phrase("a window begins at row %1", errors.start[w]), "a row of the data set");
        windows.row.push_back(errors.start[w] + lookback);
        double squares = 0, sizes = 0;
        for (std::size_t m = 0; m < channels; ++m) {
            squares += errors.mse[w * channels + m];
            sizes += errors.mae[w * channels + m];
        }
        windows.mse.push_back(squares / static_cast<double>(channels));
        windows.mae.push_back(sizes / static_cast<double>(channels));
    }
    return windows;
}

std::optional<TestWindows> windows_if_stored(const std::filesystem::path& run_folder, std::int64_t lookback) {
    try {
        return read_test_windows(run_folder, lookback);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

std::vector<std::int64_t> common_rows(const std::vector<std::int64_t>& a,
                                      const std::vector<std::int64_t>& b) {
    std::vector<std::int64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

MeanErrors errors_over(const TestWindows& windows, const std::vector<std::int64_t>& rows) {
    if (rows.empty()) return {};
    MeanErrors sums{0, 0};
    std::size_t w = 0;
    for (const auto row : rows) {
        while (windows.row[w] < row) ++w;
        sums.mse += windows.mse[w];
        sums.mae += windows.mae[w];
    }
    const auto n = static_cast<double>(rows.size());
    return {sums.mse / n, sums.mae / n};
}

void set_test_errors(store::ResultRow& row, const MeanErrors& errors) {
    const auto forget_errors = [&row](const auto& columns) {
        for (const auto& column : columns)
            if (column.source.split == &store::RunRecord::test && column.is_error()) forget(row, column);
    };
    forget_errors(store::result_columns);
    forget_errors(store::run_file_metrics);
    row.test_mse = errors.mse;
    row.test_mae = errors.mae;
}

std::vector<Phrase> use_common_windows(std::vector<SettledRun>& runs, const std::stop_token& stop) {
    std::map<std::string, std::vector<SettledRun*>> tasks;
    for (auto& run : runs) tasks[task_of_run(run)].push_back(&run);
    std::vector<Phrase> sentences;
    for (const auto& [name, members] : tasks) {
        const bool some_imported = std::any_of(members.begin(), members.end(), [](const auto* run) {
            return model::capabilities(run->config).imported;
        });
        if (!some_imported || members.size() < 2) continue;
        if (auto sentence = restrict_task(members, stop); !sentence.empty())
            sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace casp::evidence
