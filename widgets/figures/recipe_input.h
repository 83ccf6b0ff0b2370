#pragma once
// Input of figure recipes: runs as plain structs, and computations shared by recipes. The main window fills
// RunInput from live runs, --figures from files; no display is needed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "figures/figure.h"
#include "model/descriptor.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::figures {

/// One run as input of recipes. Records need to outlive the call only: figures copy their data.
struct RunInput {
    QString folder;  ///< the run's identity; goes to Series::run
    QString label;   ///< legend text
    QColor colour;
    const store::RunRecord* record = nullptr;      ///< null: not read yet; such a run is omitted
    const store::RunRecord* parent = nullptr;      ///< of a fork, if known: gives the fork's step
    std::shared_ptr<const config::Config> config;  ///< null: not known
    std::int64_t steps_per_epoch = 0;              ///< 0: taken from the history
    /// Snapshots of the probe windows, oldest first; empty: none recorded or stored.
    std::vector<std::shared_ptr<const train::Probe>> probes;
};

/// Colour of truth, baselines and other marks without a run, readable in light and dark themes.
[[nodiscard]] QColor neutral_colour();

/// Column names of Numbers, separated by spaces.
[[nodiscard]] QStringList columns_of(const char* names);

/// At most `most` names in full: "a, b", else "6 runs"; of names "a, b and 3 more".
[[nodiscard]] QString join_names(const std::vector<RunInput>& runs, std::size_t most = 3);
[[nodiscard]] QString join_names(const QStringList& names, std::size_t most = 3);
/// " Press Run, or show runs …": the end of texts of empty views, which pages replace by the actual first
/// step.
[[nodiscard]] QString first_step();

/// What the run's model has. While the configuration is not known: everything.
[[nodiscard]] model::Capabilities capabilities(const RunInput& run);

/// "DLinear has no anchors." if no run's model has `what`, in words `noun`; empty if one has, or for no runs.
[[nodiscard]] QString lack_text(const std::vector<RunInput>& runs, bool model::Capabilities::*what,
                                const QString& noun);

/// Runs with a series in the figure.
[[nodiscard]] std::vector<RunInput> drawn_in(const Figure& figure, const std::vector<RunInput>& runs);

/// Names the runs that are not among `drawn` in the caption and at the first plot: those whose model lacks
/// `what`, in words `noun`, and those without values.
void name_omitted(Figure& figure, const std::vector<RunInput>& runs, const std::vector<RunInput>& drawn,
                  bool model::Capabilities::*what, const QString& noun);

/// K of a run: from its configuration, else from a probe; 0: nothing is retrieved, or unknown.
[[nodiscard]] std::int64_t top_k(const RunInput& run);

/// Name of channel `index`: "OT", else "channel 3".
[[nodiscard]] QString channel_name(const store::DataSection& data, std::int64_t index);

/// "degC" of "T (degC)", else "original units".
[[nodiscard]] QString unit_in(const QString& channel);

/// Channel names by number, up to the widest data set: "OT", or "HUFL / p (mbar)" if data sets name a channel
/// differently.
[[nodiscard]] QStringList channel_names_of(const std::vector<const store::DataSection*>& data);

/// Why the values of two runs are not comparable: different data file, channels or scaler. Empty: comparable,
/// as far as is known (runs without a record give no information).
[[nodiscard]] QString data_difference(const RunInput& run, const RunInput& other);

/// Number of leading entries of `run`'s step history that belong to its parent: a fork copies the parent's
/// history up to the fork bit for bit. 0: no fork, unknown parent, or forked from weights only.
[[nodiscard]] std::size_t shared_steps(const RunInput& run);
/// Likewise of its epoch history.
[[nodiscard]] std::size_t shared_epochs(const RunInput& run);

/// The probe to plot for `step`: the last one at or before it, else the first; without a step, the latest.
/// Null if there are none.
[[nodiscard]] std::shared_ptr<const train::Probe> probe_at(const RunInput& run,
                                                           std::optional<std::int64_t> step);

/// Whether the data set is a collection of series: each series has one validation and one test window, and
/// values are in original units.
[[nodiscard]] bool is_collection(const store::DataSection& data);

/// "series Y123 (12 of 23,000)" for window 11 of the validation or test split; empty: no collection, or its
/// ids are not known yet.
[[nodiscard]] QString series_name(const std::vector<std::string>& ids, std::int64_t window);

/// Units of the errors of these runs, within a sentence: "scaled units", "original units", or both.
[[nodiscard]] QString error_units(const std::vector<RunInput>& runs);

/// "MSE", or "MSE (original units)" if all runs are on collections.
[[nodiscard]] QString error_title(const QString& metric, const std::vector<RunInput>& runs);

}  // namespace casp::figures
