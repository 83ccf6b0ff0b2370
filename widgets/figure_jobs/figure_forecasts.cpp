#include "figure_jobs/figure_embeddings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "data/look_backs.h"
#include "figure_jobs/figure_recipes.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_series.h"
#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/phrase.h"

namespace casp::figure_jobs {

namespace {

std::filesystem::path arrays_of(const figures::RunInput& run) {
    return store::RunFolder(run.folder.toStdString()).arrays_file();
}

/// Scaled look-back values from the CSV [L, M]; empty if the file is missing, has changed, or lacks the rows.
std::vector<float> lookback_of(const figures::RunInput& run, const figures::ForecastWindow& window,
                               const std::stop_token& stop) {
    try {
        const auto prepared = data::prepare_targets(*run.config, {}, stop);
        if (prepared.table.sha256 != run.record->attributes.dataset_sha256 ||
            !std::cmp_equal(prepared.table.columns.size(), window.channels))
            return {};
        return data::look_backs(prepared, prepared.scaler, std::array{window.start}, window.lookback_length);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return {};
    }
}

/// Throws an input Error for invalid window positions or another run's errors: files may come from elsewhere.
store::ForecastErrors checked(store::ForecastErrors errors, const figures::RunInput& run) {
    const auto file = arrays_of(run);
    store::check_same_run(errors, *run.record, "test", file);
    constexpr auto most = std::int64_t{1} << 48;
    for (const auto start : errors.start)
        if ((start < 0 && run.record->data.series.empty()) || start > most)
            throw input_error(Phrase("%1, /forecast/test/start", file.string()),
                              Phrase("a window starts at row %1", start), "a row of the data file");
    return errors;
}

/// Throws an input Error if the run has stored forecasts of its test windows, because they are missing.
void check_that_none_were_stored(const figures::RunInput& run) {
    const auto& stored = run.config->run.store_forecasts;
    if (store::is_complete(run.record->attributes.state) &&
        std::find(stored.begin(), stored.end(), "test") != stored.end())
        throw input_error(arrays_of(run).string(), "there is no /forecast/test",
                          "the forecasts that the run wrote", store::damaged_own_file);
}

/// Conditions of a cell with the same data set.
using Group = std::vector<std::size_t>;

/// Forecasts of a cell's runs, read on demand.
class CellForecasts {
public:
    CellForecasts(const figures::PaperCell& cell, FigureSource& source) : cell_(cell), source_(source) {}

    std::vector<figures::Figure> draw() {
        for (;;) {  // each attempt omits one more run
            shown_ =
                figures::runs_to_show(cell_, [this](const auto& run) { return errors_of(run) != nullptr; });
            if (auto drawn = try_to_draw()) return std::move(*drawn);
        }
    }

private:
    /// Errors of every test window; null if none are stored, or if they are unreadable (with a note).
    const store::ForecastErrors* errors_of(const figures::RunInput& run);
    [[nodiscard]] std::vector<Group> groups() const;
    /// Empty if a run turned out to be damaged; the next attempt uses another run.
    std::optional<std::vector<figures::Figure>> try_to_draw();
    std::optional<std::vector<figures::ForecastWindow>> windows_of(const Group& group);
    /// Window numbers; negative: none.
    [[nodiscard]] std::int64_t median_window(const figures::RunInput& run);
    [[nodiscard]] std::int64_t same_window(const figures::RunInput& run, std::int64_t target);
    std::optional<figures::ForecastWindow> read_window(std::size_t condition, std::int64_t number);
    void add_lookback(const Group& group, std::vector<figures::ForecastWindow>& windows);
    [[nodiscard]] figures::Figure figure_of(const Group& group,
                                            const std::vector<figures::ForecastWindow>& windows) const;
    [[nodiscard]] QString labels_of(const Group& group) const;

    const figures::PaperCell& cell_;
    FigureSource& source_;
    std::vector<const figures::RunInput*> shown_;                     ///< one per condition; null: none
    std::map<QString, std::optional<store::ForecastErrors>> errors_;  ///< by folder
};

const store::ForecastErrors* CellForecasts::errors_of(const figures::RunInput& run) {
    const auto [at, is_new] = errors_.try_emplace(run.folder);
    auto& errors = at->second;
    if (is_new && run.record != nullptr && run.config != nullptr && std::filesystem::exists(arrays_of(run))) {
        try {
            const auto splits = store::forecast_splits(arrays_of(run));
            if (std::find(splits.begin(), splits.end(), "test") == splits.end())
                check_that_none_were_stored(run);
            else
                errors = checked(store::read_forecast_errors(arrays_of(run), "test"), run);
        } catch (const Error& problem) {
            source_.left_out(run, "forecasts", problem);
        }
    }
    return errors ? &*errors : nullptr;
}

std::vector<Group> CellForecasts::groups() const {
    std::vector<Group> groups;
    for (std::size_t c = 0; c < shown_.size(); ++c) {
        if (shown_[c] == nullptr) continue;
        const auto is_alike = [&](const Group& group) {
            return figures::data_difference(*shown_[c], *shown_[group.front()]).isEmpty();
        };
        const auto found = std::find_if(groups.begin(), groups.end(), is_alike);
        (found != groups.end() ? *found : groups.emplace_back()).push_back(c);
    }
    return groups;
}

std::optional<std::vector<figures::Figure>> CellForecasts::try_to_draw() {
    std::vector<figures::Figure> list;
    const auto all = groups();
    for (const auto& group : all) {
        auto windows = windows_of(group);
        if (!windows) return std::nullopt;
        if (windows->empty()) continue;
        auto figure = figure_of(group, *windows);
        if (all.size() > 1) {
            // The first keeps the plain name.
            if (!list.empty()) figure.id += '-' + slug(labels_of(group));
            figure.title += QStringLiteral(", ") + labels_of(group);
        }
        list.push_back(std::move(figure));
    }
    return list;
}

std::int64_t CellForecasts::median_window(const figures::RunInput& run) {
    const auto& errors = *errors_of(run);
    store::ForecastArrays without_forecasts;
    without_forecasts.windows = errors.windows;
    without_forecasts.channels = errors.channels;
    without_forecasts.mse = errors.mse;
    const auto drawn = figures::plotted_channels({}, errors.channels);
    return figures::pick_window(figures::window_errors_of(run, without_forecasts, drawn).mse,
                                figures::Pick::median);
}

std::int64_t CellForecasts::same_window(const figures::RunInput& run, std::int64_t target) {
    const auto& start = errors_of(run)->start;
    const auto found = std::find(start.begin(), start.end(), target - run.config->data.lookback);
    if (found != start.end()) return found - start.begin();
    source_.left_out(run, "forecasts", Phrase("none of its test windows has a forecast from row %1", target));
    return -1;
}

std::optional<std::vector<figures::ForecastWindow>> CellForecasts::windows_of(const Group& group) {
    std::vector<figures::ForecastWindow> windows;
    std::int64_t target = 0;  // row of the file where the horizon starts
    for (const auto c : group) {
        const auto& run = *shown_[c];
        const auto number = windows.empty() ? median_window(run) : same_window(run, target);
        if (number < 0) continue;
        auto window = read_window(c, number);
        if (!window) return std::nullopt;
        // The same rows, which have another window number with another look-back.
        if (windows.empty())
            target = window->start + window->lookback_length;
        else
            window->number = windows.front().number;
        windows.push_back(std::move(*window));
    }
    add_lookback(group, windows);
    return windows;
}

std::optional<figures::ForecastWindow> CellForecasts::read_window(std::size_t condition,
                                                                  std::int64_t number) {
    auto run = *shown_[condition];
    const auto file = arrays_of(run);
    try {
        const auto arrays = store::read_forecast(file, "test", number, 1);
        run.label = cell_.conditions[condition].label;
        run.colour = cell_.conditions[condition].colour;
        auto window = figures::window_of(run, arrays, number, 0, nullptr, run.config->data.lookback);
        if (!window) throw input_error(file.string(), "/forecast/test is empty");
        return window;
    } catch (const Error& problem) {
        source_.left_out(run, "forecasts", problem);
        errors_[run.folder].reset();
        return std::nullopt;
    }
}

void CellForecasts::add_lookback(const Group& group, std::vector<figures::ForecastWindow>& windows) {
    // Only the longest look-back is drawn: the CSV may be large.
    std::vector<std::size_t> order(windows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair{windows[a].lookback_length, windows[a].horizon} >
               std::pair{windows[b].lookback_length, windows[b].horizon};
    });
    for (const auto i : order) {
        const auto of = std::find_if(group.begin(), group.end(),
                                     [&](std::size_t c) { return shown_[c]->folder == windows[i].folder; });
        windows[i].lookback = lookback_of(*shown_[*of], windows[i], source_.stop());
        if (!windows[i].lookback.empty()) return;
    }
}

figures::Figure CellForecasts::figure_of(const Group& group,
                                         const std::vector<figures::ForecastWindow>& windows) const {
    figures::ForecastOptions options;
    options.split = QStringLiteral("test");
    options.errors = true;
    auto figure = figures::forecast_windows(windows, shown_[group.front()]->record->data, options);
    figure.id = QStringLiteral("forecast");
    figure.title = QStringLiteral("Forecast of the test window with the median error: ") + cell_.name;
    std::vector<const figures::RunInput*> drawn;
    for (const auto c : group)
        if (std::any_of(windows.begin(), windows.end(),
                        [&](const auto& window) { return window.folder == shown_[c]->folder; }))
            drawn.push_back(shown_[c]);
    const bool series = !shown_[group.front()]->record->data.series.empty();
    if (!drawn.empty())
        figure.caption +=
            QStringLiteral(
                " Among all test windows%1, this one has the median MSE%2 for %3. The MSE in the legend is "
                "that of this window%4.")
                .arg(series ? QStringLiteral(" of all series") : QString(),
                     series ? QString() : QStringLiteral(" of that channel"), windows.front().label,
                     series ? QString() : QStringLiteral(" and channel"));
    figure.caption += figures::seed_note(cell_, drawn);
    return figure;
}

QString CellForecasts::labels_of(const Group& group) const {
    QStringList labels;
    for (const auto c : group) labels << cell_.conditions[c].label;
    return labels.join(QStringLiteral(", "));
}

}  // namespace

std::vector<figures::Figure> forecast_figures(const figures::PaperCell& cell, FigureSource& source) {
    return CellForecasts(cell, source).draw();
}

namespace {

/// Empty if the run has no scores, or unreadable ones (with a note).
store::SeriesScores scores_of_series(const figures::RunInput& run, FigureSource& source) {
    const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
    if (!run.record || !run.record->test || !std::isfinite(run.record->test->smape) ||
        !std::filesystem::exists(file))
        return {};
    try {
        return store::read_series_scores(file, "test");
    } catch (const Error& problem) {
        source.left_out(run, "errors of the series", problem);
        return {};
    }
}

}  // namespace

std::vector<figures::Figure> series_error_figures(const figures::PaperCell& cell, FigureSource& source) {
    std::map<QString, store::SeriesScores> scores;  // by folder
    const auto shown = figures::runs_to_show(cell, [&](const figures::RunInput& run) {
        const auto [at, is_new] = scores.try_emplace(run.folder);
        if (is_new) at->second = scores_of_series(run, source);
        return !at->second.smape.empty();
    });
    std::vector<figures::SeriesErrors> runs;
    std::vector<const figures::RunInput*> drawn;
    for (std::size_t c = 0; c < shown.size(); ++c) {
        if (shown[c] == nullptr) continue;
        const auto& condition = cell.conditions[c];
        const auto& of = scores.at(shown[c]->folder);
        runs.push_back({shown[c]->folder, condition.label, condition.colour, of.smape, of.mase});
        drawn.push_back(shown[c]);
    }
    if (runs.empty()) return {};
    auto figure = figures::series_errors(runs);
    figure.title += QStringLiteral(": ") + cell.name;
    figure.caption += figures::seed_note(cell, drawn);
    return {std::move(figure)};
}

}  // namespace casp::figure_jobs
