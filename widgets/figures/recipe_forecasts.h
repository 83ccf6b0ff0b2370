#pragma once
// Figures of forecasts: windows with truth and prediction, and errors by step, channel and window.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// One window of one run in scaled units (of a collection of series: original units), from a probe or stored.
struct ForecastWindow {
    QString folder, label;
    QColor colour;
    std::int64_t number = 0;  ///< of the window within its split
    std::int64_t start = 0;   ///< row in the file of the first look-back value; of a collection, position
                              ///< among all training values, which may be negative
    std::int64_t lookback_length = 0, horizon = 0, channels = 0;
    std::vector<float> lookback;           ///< [L, M]; empty: unknown (lookback_length is still valid)
    std::vector<float> truth, prediction;  ///< [H, M]
    std::int64_t step = -1;                ///< of the snapshot it was computed at; −1: the best checkpoint
};

/// Window `index` of a probe or of stored forecasts (`lookbacks` [count, L, M] of the same windows, or null;
/// `first`: number of their first window; L if look-backs are missing). Empty if there is none.
[[nodiscard]] std::optional<ForecastWindow> window_of(const RunInput& run, const train::Probe& probe,
                                                      std::int64_t index);
[[nodiscard]] std::optional<ForecastWindow> window_of(const RunInput& run,
                                                      const store::ForecastArrays& arrays, std::int64_t first,
                                                      std::int64_t index, const std::vector<float>* lookbacks,
                                                      std::int64_t lookback);

/// The probe whose forecasts to plot for `step`: as probe_at(), among probes with forecasts (stored ones have
/// none). Null if there is none.
[[nodiscard]] std::shared_ptr<const train::Probe> forecast_probe_at(const RunInput& run,
                                                                    std::optional<std::int64_t> step);

struct ForecastOptions {
    std::vector<std::int64_t> channels;  ///< empty: the last one, the benchmarks' target
    bool original = false;               ///< original units instead of scaled ones
    bool errors = false;                 ///< a plot of forecast − truth below each
    bool last_value = false;             ///< also plot the persistence forecast
    std::int64_t lookback_horizons = 0;  ///< plotted look-back, in horizons; 0: all
    QString split;                       ///< for titles: "test"
};

/// The channels that are plotted of `count`: the selected ones that exist; none selected: the last one.
[[nodiscard]] std::vector<std::int64_t> plotted_channels(const std::vector<std::int64_t>& selected,
                                                         std::int64_t count);

/// Windows with a common truth: equal numbers forecast the same rows of the same data.
struct ForecastGroup {
    std::vector<ForecastWindow> windows;
    const store::DataSection* data = nullptr;  ///< names, scaler and times; never null
    QString name;                              ///< distinguishes the group: the data file, else the runs
    QString why;                               ///< its runs cannot join the first group
};
/// Windows of one run.
struct ForecastOfRun {
    const RunInput* run = nullptr;  ///< with a record
    std::vector<ForecastWindow> windows;
};
/// Names of groups of runs: the data file if its name is unique among the groups, else the runs.
[[nodiscard]] QStringList group_names(const std::vector<std::vector<const RunInput*>>& groups);
/// Groups runs whose forecasts share one truth: same data file, channels and scaler (data_difference()), with
/// equal window numbers for the same rows. Runs with unknown data are grouped by equal values. Runs without
/// windows are in no group.
[[nodiscard]] std::vector<ForecastGroup> groups_by_data(const std::vector<ForecastOfRun>& runs);

/// A plot per window, group and channel (at most twelve; the caption states omissions): look-back and truth
/// in grey, predictions in the runs' colours, a rule at the start of the forecast, dates if the file has
/// them; windows of a collection are named by their series, over forecast steps. Windows of a group with the
/// same number share a plot, with look-back and truth of the longest.
[[nodiscard]] Figure forecast_windows(const std::vector<ForecastGroup>& groups,
                                      const ForecastOptions& options);
/// Of one group. `data`: names, scaler and times.
[[nodiscard]] Figure forecast_windows(const std::vector<ForecastWindow>& windows,
                                      const store::DataSection& data, const ForecastOptions& options);

/// MSE (or MAE) by forecast step over all test windows, or over the probe windows for a run not yet
/// evaluated. Units as in error_units() (recipe_input.h).
[[nodiscard]] Figure error_per_step(const std::vector<RunInput>& runs, bool mae,
                                    std::optional<std::int64_t> step = {});
/// MSE (or MAE) by channel, likewise; runs with different channel names have separate plots.
[[nodiscard]] Figure error_per_channel(const std::vector<RunInput>& runs, bool mae,
                                       std::optional<std::int64_t> step = {});

/// MSE of each window of a split over some channels.
struct WindowErrors {
    QString folder, label;
    QColor colour;
    std::vector<double> mse;  ///< [W]
    bool original = false;    ///< of a collection of series: in original units
    /// Ids of the series by window number, in the run's record; null: no collection, or not known.
    const std::vector<std::string>* series = nullptr;
    QString channels = {};  ///< " of OT", ", all channels"; empty: there is only one
};
/// Mean over these channels, which exist; empty: over all.
[[nodiscard]] WindowErrors window_errors_of(const RunInput& run, const store::ForecastArrays& errors,
                                            const std::vector<std::int64_t>& channels);

/// Distribution of the windows' MSE (logarithmic bins) and its course over the split. Ids of the course are
/// window numbers. `selected` windows are marked in the distribution.
[[nodiscard]] Figure window_errors(const std::vector<WindowErrors>& runs, const QString& split,
                                   const std::vector<std::int64_t>& selected);

enum class Pick { worst, best, median, random };
/// Number of the window with that rank by MSE; windows without a finite error are omitted (worst: they come
/// first). `seed` determines the random one. −1: no windows.
[[nodiscard]] std::int64_t pick_window(const std::vector<double>& mse, Pick pick, std::uint64_t seed = 0);

}  // namespace casp::figures
