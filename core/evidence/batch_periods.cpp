#include "evidence/batch_periods.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "evidence/common_windows.h"
#include "util/error.h"
#include "util/grouping.h"

namespace casp::evidence {

namespace {

using TargetRows = std::vector<std::int64_t>;
using WindowErrors = std::vector<double> TestWindows::*;

/// Null: it has no test.
WindowErrors errors_of_metric(const Comparison& row) {
    if (row.metric == "test_mse") return &TestWindows::mse;
    return row.metric == "test_mae" ? &TestWindows::mae : nullptr;
}

/// Windows of runs, each read once.
class WindowsOfRuns {
public:
    explicit WindowsOfRuns(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::optional<TestWindows>& of(const Outcome& run) {
        const auto found = known_.find(run.run);
        if (found != known_.end()) return found->second;
        return known_.emplace(run.run, windows_if_stored(folder_ / run.run, run.lookback)).first->second;
    }
    void forget() { known_.clear(); }

private:
    std::filesystem::path folder_;
    std::map<std::string, std::optional<TestWindows>> known_;
};

/// Adds errors/count at the rows, which the run has.
void add_errors(std::vector<double>& sums, const TestWindows& run, WindowErrors metric,
                const TargetRows& rows, std::size_t count) {
    std::size_t w = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        while (run.row[w] < rows[i]) ++w;
        sums[i] += (run.*metric)[w] / static_cast<double>(count);
    }
}

/// The two sides of a comparison, over common windows.
struct WindowSides {
    std::vector<const TestWindows*> base, other;
    TargetRows rows;
    std::int64_t horizon = 0;
    Phrase why;

    WindowSides(const OutcomePairs& paired, WindowsOfRuns& windows) {
        horizon = paired.pairs.front().first->horizon;
        for (const auto& [of_base, of_other] : paired.pairs) {
            add(*of_base, base, windows);
            add(*of_other, other, windows);
        }
    }
    void add(const Outcome& run, std::vector<const TestWindows*>& side, WindowsOfRuns& windows) {
        const auto& found = windows.of(run);
        if (!found) {
            if (why.empty())
                why = Phrase("the errors of the test windows of %1 are not stored (run.store_forecasts)",
                             std::filesystem::path(run.run).filename().string());
            return;
        }
        rows = base.empty() && other.empty() ? found->row : common_rows(rows, found->row);
        side.push_back(&*found);
    }
    [[nodiscard]] PeriodTest test(WindowErrors metric) const {
        if (!why.empty()) return {.why = why};
        std::vector<double> of_base(rows.size(), 0), difference(rows.size(), 0);
        for (const auto* run : base) add_errors(of_base, *run, metric, rows, base.size());
        for (const auto* run : other) add_errors(difference, *run, metric, rows, other.size());
        for (std::size_t i = 0; i < rows.size(); ++i) difference[i] -= of_base[i];
        auto result = test_periods(difference, overlap_of(rows, horizon));
        result.mean_base = store::statistic_of(of_base).mean;
        return result;
    }
};

/// Tests of the tasks of a row over all tasks, by cell.
std::vector<std::vector<const PeriodTest*>> tests_by_cell(const std::vector<Comparison>& rows,
                                                          const Comparison& all,
                                                          const std::map<std::string, std::string>& cells) {
    std::map<std::string, std::vector<const PeriodTest*>> tests;
    for (const auto& row : rows)
        if (row.task != all_tasks && row.metric == all.metric && row.other == all.other &&
            row.periods->windows > 0)
            tests[cells.at(row.task)].push_back(&*row.periods);
    std::vector<std::vector<const PeriodTest*>> by_cell;
    for (auto& [cell, of_cell] : tests) by_cell.push_back(std::move(of_cell));
    return by_cell;
}

}  // namespace

void add_period_tests(std::vector<Comparison>& rows, const std::vector<Outcome>& outcomes,
                      const std::filesystem::path& folder, const std::stop_token& stop) {
    for (auto& row : rows) row.periods.emplace();
    if (std::none_of(rows.begin(), rows.end(), errors_of_metric)) return;
    WindowsOfRuns windows(folder);
    std::string task;
    for (const auto& paired : pairs_of(outcomes, rows.front().base)) {
        throw_if_stopped(stop);
        if (paired.pairs.front().first->horizon == 0) continue;
        if (std::exchange(task, paired.task) != paired.task) windows.forget();
        const WindowSides sides(paired, windows);
        for (auto& row : rows)
            if (const auto metric = errors_of_metric(row);
                metric != nullptr && row.task == paired.task && row.other == paired.other)
                row.periods = sides.test(metric);
    }
    std::map<std::string, std::string> cells;
    for (const auto& outcome : outcomes)
        cells[outcome.task] = outcome.cell.empty() ? outcome.task : outcome.cell;
    for (auto& row : rows)
        if (row.task == all_tasks && errors_of_metric(row) != nullptr)
            if (const auto tests = tests_by_cell(rows, row, cells); !tests.empty())
                row.periods = pooled_periods(tests);
}

void add_period_tests(std::vector<Comparison>& comparisons, const std::vector<store::ResultRow>& rows,
                      const Contrast& contrast, const std::filesystem::path& folder,
                      const std::stop_token& stop) {
    const bool pending = std::any_of(rows.begin(), rows.end(), [](const store::ResultRow& row) {
        return row.state == store::RunState::queued || row.state == store::RunState::running;
    });
    if (!pending)
        return add_period_tests(comparisons, outcomes_of(rows, contrast.key, "test_mse"), folder, stop);
    for (auto& row : comparisons)
        row.periods =
            PeriodTest{.why = errors_of_metric(row) == nullptr ? Phrase() : "a run is queued or running"};
}

}  // namespace casp::evidence
