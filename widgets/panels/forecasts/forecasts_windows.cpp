// Windows of the Forecasts page: look-back, truth and predictions, and notes on omissions.
#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QLabel>

#include "panels/forecasts/forecasts_page.h"
#include "panels/view/view_flow.h"
#include "state/run_names.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t block_bytes = 4 << 20;

/// "b (window 40)", "c (windows 3, 7)".
QString with_numbers(const QString& run, const std::vector<std::int64_t>& windows) {
    QStringList numbers;
    for (const auto number : windows) numbers << counted(number);
    return (windows.size() == 1 ? QObject::tr("%1 (window %2)") : QObject::tr("%1 (windows %2)"))
        .arg(run, numbers.join(QStringLiteral(", ")));
}

}  // namespace

QString ForecastsPage::left_out(const std::vector<figures::RunInput>& runs) const {
    const bool probe = source() == ForecastSource::probe;
    QStringList lines, without;
    bool any = false, may_be_stored = false;
    for (const auto& run : runs) {
        const auto* shown = library()->data(run.folder);
        if (!run.record || !shown) continue;
        any = any || is_drawn(*shown);
        if (is_drawn(*shown)) continue;
        const auto& summary = shown->summary();
        const bool waits = summary.row.state == store::RunState::queued;
        may_be_stored = may_be_stored || !(waits || summary.live);
        without << (waits          ? tr("%1 (queued)").arg(run.label)
                    : summary.live ? tr("%1 (running)").arg(run.label)
                                   : run.label);
    }
    // If nothing is plotted, the view itself gives the reason.
    if (any && !without.isEmpty())
        lines << (probe
                      ? tr("Omitted, because they have no validation forecasts in this session: %1.%2")
                            .arg(some_names(without),
                                 may_be_stored ? tr(" Set “Windows” to “Test” to see their stored forecasts.")
                                               : QString())
                      : tr("Omitted, because they have no stored forecasts of %1 windows: %2.")
                            .arg(split_name(split()), some_names(without)));
    if (any && !lacking_.empty()) {
        QStringList lacking;
        for (const auto& [run, windows] : lacking_) lacking << with_numbers(run, windows);
        lines << tr("Omitted, because they lack the plotted windows: %1. Press [ or ] for other windows.")
                     .arg(some_names(lacking));
    }
    const auto& state = selection()->state();
    if (any && !state.windows.empty() && chosen_windows().empty())
        lines << tr("None of the %1 selected %2 windows is shown here.")
                     .arg(counted(static_cast<std::int64_t>(state.windows.size())),
                          split_name(state.split.isEmpty() ? split() : state.split));
    return lines.join(QLatin1Char('\n'));
}

std::optional<figures::ForecastWindow> ForecastsPage::stored_window(const figures::RunInput& run,
                                                                    RunData& shown, std::int64_t number) {
    auto lookback = run.config ? run.config->data.lookback : 0;
    const auto horizon = run.config ? run.config->data.horizon : 1;
    const auto channels =
        static_cast<std::int64_t>(std::max<std::size_t>(1, run.record->data.channel_names.size()));
    const auto errors = shown.window_errors(split());
    // Do not wait for unreadable data: the page reports the problem.
    if (!errors) {
        if (shown.problem().isEmpty()) wait_for(QStringLiteral("forecasts"));
        return {};
    }
    if (number >= errors->windows) {
        lacking_[run.label].push_back(number);
        return {};
    }
    // Read neighbours as well, so that stepping through the windows does not wait for each.
    const auto per_window = static_cast<std::int64_t>(sizeof(float)) * (lookback + 2 * horizon) * channels;
    const auto block = std::clamp<std::int64_t>(block_bytes / std::max<std::int64_t>(1, per_window), 1, 64);
    const auto first = number / block * block, count = std::min(block, errors->windows - first);
    const auto arrays = shown.forecasts(split(), first, count);
    const auto lookbacks = shown.lookbacks(split(), first, count);
    if ((!arrays && shown.problem().isEmpty()) || (!lookbacks && shown.problem_with_data().isEmpty()))
        wait_for(QStringLiteral("forecasts"));
    if (!arrays) return {};
    if (!shown.problem_with_data().isEmpty()) data_problem_ = shown.problem_with_data();
    if (lookback == 0 && lookbacks)
        lookback = static_cast<std::int64_t>(lookbacks->size()) / std::max<std::int64_t>(1, count * channels);
    return figures::window_of(run, *arrays, first, number - first, lookbacks.get(), lookback);
}

std::optional<figures::ForecastWindow> ForecastsPage::probed_window(const figures::RunInput& run,
                                                                    std::int64_t number) {
    const auto probe = figures::forecast_probe_at(run, selection()->state().step);
    if (!probe) return {};
    const auto at = std::find(probe->windows.begin(), probe->windows.end(), number);
    if (at != probe->windows.end()) return figures::window_of(run, *probe, at - probe->windows.begin());
    lacking_[run.label].push_back(number);
    return {};
}

std::vector<figures::ForecastWindow> ForecastsPage::windows_of(const figures::RunInput& run) {
    std::vector<figures::ForecastWindow> found;
    auto* shown = library()->data(run.folder);
    const bool probe = source() == ForecastSource::probe;
    if (!probe && (!shown || !stores(*shown, split()))) return found;
    for (const auto number : windows())
        if (auto window = probe ? probed_window(run, number) : stored_window(run, *shown, number))
            found.push_back(std::move(*window));
    return found;
}

QString ForecastsPage::why_no_forecasts() const {
    if (!lacking_.empty())
        return tr(
            "None of the shown runs has these windows. Press [ or ] for other windows, or Esc to clear the "
            "selection.");
    return source() == ForecastSource::probe
               ? tr("For runs started in this session, forecasts of the probe windows appear here from the "
                    "start of training. For other runs, forecasts of the test windows are available after "
                    "the final evaluation.")
               : tr("These runs have no stored forecasts of the %1 split (run.store_forecasts), or are not "
                    "evaluated yet.")
                     .arg(split_name(split()));
}

QString ForecastsPage::notes_on(const std::vector<figures::ForecastGroup>& groups) const {
    QStringList lines;
    if (groups.size() > 1) {
        QStringList apart;
        for (auto group = groups.begin() + 1; group != groups.end(); ++group) {
            QStringList runs;
            for (const auto& window : group->windows)
                if (!runs.contains(window.label)) runs << window.label;
            apart << QStringLiteral("%1 (%2)").arg(some_names(runs), group->why);
        }
        lines << tr("In separate plots, because their true values differ from those of %1: %2")
                     .arg(groups.front().windows.front().label, some_names(apart));
    }
    if (!data_problem_.isEmpty()) lines << tr("Look-backs omitted: %1").arg(data_problem_);
    return lines.join(QLatin1Char('\n'));
}

figures::Figure ForecastsPage::make_forecasts(const std::vector<figures::RunInput>& runs) {
    auto options = options_;
    options.split = split_name(split());
    const auto& chosen = selection()->state().channels;
    options.channels.assign(chosen.begin(), chosen.end());
    options.lookback_horizons = plotted_horizons();
    data_problem_.clear();
    lacking_.clear();
    std::vector<figures::ForecastOfRun> found;
    for (const auto& run : runs)
        if (run.record) found.push_back({&run, windows_of(run)});
    const auto groups = figures::groups_by_data(found);
    auto figure = figures::forecast_windows(groups, options);
    if (groups.empty() && !found.empty()) figure.empty_text = why_no_forecasts();
    figure.caption += picked_.caption;
    set_missing(QStringLiteral("forecasts"), left_out(runs));
    show_note(note_, notes_on(groups));
    return figure;
}

}  // namespace casp::widgets
