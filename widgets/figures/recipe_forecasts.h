#pragma once
// Figures of forecasts: windows with their truth and prediction, and where the errors are.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// One window of one run in scaled units, wherever it comes from.
struct ForecastWindow {
    QString folder, label;
    QColor colour;
    std::int64_t number = 0;  ///< of the window within its split
    std::int64_t start = 0;   ///< row in the file of the first lookback value
    std::int64_t lookback_length = 0, horizon = 0, channels = 0;
    std::vector<float>
        lookback;  ///< [L, M]; empty: not known (then lookback_length still says where H begins)
    std::vector<float> truth, prediction;  ///< [H, M]
    std::int64_t step = -1;                ///< of the snapshot it was made at; −1: the best checkpoint
};

/// Window `index` of a probe, and of stored forecasts (`lookbacks` [count, L, M] of the same windows, or
/// null; `first` the number of their first window; L where lookbacks are missing). Empty where there is none.
[[nodiscard]] std::optional<ForecastWindow> window_of(const RunInput& run, const train::Probe& probe,
                                                      std::int64_t index);
[[nodiscard]] std::optional<ForecastWindow> window_of(const RunInput& run,
                                                      const store::ForecastArrays& arrays, std::int64_t first,
                                                      std::int64_t index, const std::vector<float>* lookbacks,
                                                      std::int64_t lookback);

/// The probe whose forecasts to draw for `step`: chosen as probe_at() does, among those that hold any (what a
/// run has stored comes without). Null where there are none.
[[nodiscard]] std::shared_ptr<const train::Probe> forecast_probe_at(const RunInput& run,
                                                                    std::optional<std::int64_t> step);

struct ForecastOptions {
    std::vector<std::int64_t> channels;  ///< empty: the last one, which the benchmarks call the target
    bool original = false;               ///< units of the file instead of scaled ones
    bool errors = false;                 ///< a plot of prediction − truth below each
    bool last_value = false;             ///< also the forecast that repeats the last value
    std::int64_t lookback_horizons = 0;  ///< lookback that is drawn, in horizons; 0: all
    QString split;                       ///< for titles: "test"
};

/// Windows that share one truth: those with one number forecast the same rows of the same data.
struct ForecastGroup {
    std::vector<ForecastWindow> windows;
    const store::DataSection* data = nullptr;  ///< names, scaler and times; never null
    QString name;                              ///< tells it from other groups: the data file, else the runs
    QString why;                               ///< its runs do not stand with the first group's
};
/// Windows of one run.
struct ForecastOfRun {
    const RunInput* run = nullptr;  ///< with a record
    std::vector<ForecastWindow> windows;
};
/// What tells groups of runs apart: of each its data file where no other group has one of that name, else its
/// runs.
[[nodiscard]] QStringList group_names(const std::vector<std::vector<const RunInput*>>& groups);
/// Puts runs together whose forecasts may be drawn over one truth: of the same data file, channels and scale
/// (data_difference()), where equal numbers mean the same rows. Of runs whose data are not known, those with
/// equal values. Runs without windows are in none.
[[nodiscard]] std::vector<ForecastGroup> groups_by_data(const std::vector<ForecastOfRun>& runs);

/// A plot per window, group and channel (twelve at most, the caption says what is left out): lookback and
/// truth in grey, predictions in the runs' colours, a rule where the forecast begins, dates where the file
/// has them. Windows of a group with one number share a plot, with lookback and truth of the longest.
[[nodiscard]] Figure forecast_windows(const std::vector<ForecastGroup>& groups,
                                      const ForecastOptions& options);
/// Of one group. `data`: names, scaler and times.
[[nodiscard]] Figure forecast_windows(const std::vector<ForecastWindow>& windows,
                                      const store::DataSection& data, const ForecastOptions& options);

/// MSE (or MAE) by forecast step over all test windows; of a run that is not evaluated yet over its probe
/// windows. Scaled units.
[[nodiscard]] Figure error_per_step(const std::vector<RunInput>& runs, bool mae,
                                    std::optional<std::int64_t> step = {});
/// MSE (or MAE) by channel, likewise: runs whose channels have other names in a plot of their own.
[[nodiscard]] Figure error_per_channel(const std::vector<RunInput>& runs, bool mae,
                                       std::optional<std::int64_t> step = {});

/// MSE of each window of a split, of one channel or (−1) the mean over channels.
struct WindowErrors {
    QString folder, label;
    QColor colour;
    std::vector<double> mse;  ///< [W]
};
[[nodiscard]] WindowErrors window_errors_of(const RunInput& run, const store::ForecastArrays& errors,
                                            std::int64_t channel);

/// Distribution of the windows' MSE (logarithmic bins) and its course over the split. Ids of the course are
/// window numbers. `selected` windows are marked in the distribution.
[[nodiscard]] Figure window_errors(const std::vector<WindowErrors>& runs, const QString& split,
                                   const std::vector<std::int64_t>& selected);

enum class Pick { worst, best, median, random };
/// Number of the window with that rank by MSE; windows whose error is not finite are left out (worst: they
/// come first). `seed` decides the random one. −1: no windows.
[[nodiscard]] std::int64_t pick_window(const std::vector<double>& mse, Pick pick, std::uint64_t seed = 0);

}  // namespace casp::figures
