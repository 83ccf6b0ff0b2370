#pragma once
// What recipes make figures from: runs as plain structs, and the small computations that several recipes
// share. The window fills RunInput from what it watches, --figures from files; no display is needed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "figures/figure.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::figures {

/// One run as recipes see it. Records must outlive the call only: figures copy what they draw.
struct RunInput {
    QString folder;  ///< the run's identity; goes to Series::run
    QString label;   ///< legend text
    QColor colour;
    const store::RunRecord* record = nullptr;      ///< null: not read yet; such a run is left out
    const store::RunRecord* parent = nullptr;      ///< of a fork, where it is known: tells the fork's step
    std::shared_ptr<const config::Config> config;  ///< null: not known
    std::int64_t steps_per_epoch = 0;              ///< 0: taken from the history
    /// Snapshots of the probe windows, oldest first; empty: none were watched or stored.
    std::vector<std::shared_ptr<const train::Probe>> probes;
};

/// Colour of truth, baselines and other things that belong to no run: readable on light and dark.
[[nodiscard]] QColor neutral_colour();

/// "a, b and 3 more": at most `most` names in full.
[[nodiscard]] QString join_names(const std::vector<RunInput>& runs, std::size_t most = 3);
[[nodiscard]] QString join_names(const QStringList& names, std::size_t most = 3);

/// K of a run: from its configuration, else from a probe; 0: nothing is selected or not known.
[[nodiscard]] std::int64_t top_k(const RunInput& run);

/// Name of channel `index`: "OT", else "channel 3".
[[nodiscard]] QString channel_name(const store::DataSection& data, std::int64_t index);

/// Names of channels by their number, as many as the widest data set has: "OT"; "HUFL / p (mbar)" where data
/// sets give a number different names.
[[nodiscard]] QStringList channel_names_of(const std::vector<const store::DataSection*>& data);

/// Why values of one window do not compare between two runs: they are of another data file, of other
/// channels, or scaled by other means and deviations. Empty: they do, as far as is known (runs without a
/// record tell nothing).
[[nodiscard]] QString data_difference(const RunInput& run, const RunInput& other);

/// Number of first entries of `run`'s step history that are its parent's: a fork copies its parent's history
/// up to the fork bit for bit. 0: no fork, parent not known, or forked from weights only.
[[nodiscard]] std::size_t shared_steps(const RunInput& run);
/// Likewise of its epoch history.
[[nodiscard]] std::size_t shared_epochs(const RunInput& run);

/// The probe to draw for `step`: the last one at or before it, else the first; without a step the latest.
/// Null where there are none.
[[nodiscard]] std::shared_ptr<const train::Probe> probe_at(const RunInput& run,
                                                           std::optional<std::int64_t> step);

}  // namespace casp::figures
