#pragma once
// Error and selection by difficulty of the input, as in the paper's appendix. Pure drawing.

#include <vector>

#include "figures/paper_input.h"

namespace casp::figures {

/// One run's test windows by decile of the mean size of their z-scored lookback's residual (easiest first).
struct StrataOfRun {
    const RunInput* run = nullptr;
    std::int64_t seed = 0;
    std::vector<double> edges;          ///< [strata + 1] of the residual
    std::vector<std::int64_t> windows;  ///< [strata]
    std::vector<double> mse, mae;       ///< [strata] means
    std::vector<double> entropy;        ///< [strata] usage entropy, nats; NaN without prompts
    std::vector<double> distinct;       ///< [strata] distinct anchors
    /// Change of the MSE in per cent against the first condition's run of the same seed, over the windows of
    /// that run's strata, which may be others than the run's own (another decomposition): in each [strata],
    /// empty where there is none to compare with; of all windows, the easiest three tenths and the hardest
    /// stratum, NaN likewise.
    std::vector<double> changes;
    double change = store::not_known, easiest_change = store::not_known, hardest_change = store::not_known;
};

struct StrataOfCondition {
    QString label;
    QColor colour;
    std::vector<StrataOfRun> runs;  ///< seeds
    /// Why runs of it have no change against the first condition although there is one to compare with;
    /// empty: they have.
    QString not_compared = {};
};

/// MSE by stratum, its change against the first condition (seed by seed, then mean and sample standard
/// deviation), and the usage entropy. The numbers: a row per run and stratum.
[[nodiscard]] Figure difficulty_strata(const QString& cell, const std::vector<StrataOfCondition>& conditions,
                                       const QString& note = {});

}  // namespace casp::figures
