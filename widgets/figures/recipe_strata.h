#pragma once
// Error and anchor usage by difficulty of the input, or by another label of its look-back, for the Forecasts
// page and the paper. Only drawing.

#include <span>
#include <vector>

#include "analysis/strata.h"
#include "analysis/window_labels.h"
#include "figures/paper_input.h"
#include "store/embeddings.h"

namespace casp::figures {

/// One run's test windows by decile of the mean absolute residual of their z-scored look-back (easiest
/// first), or by another label of it: the deciles of the label, or windows without and with a trend change.
struct StrataOfRun {
    const RunInput* run = nullptr;
    std::int64_t seed = 0;
    std::vector<double> edges;          ///< [strata + 1] of the residual or label
    std::vector<std::int64_t> windows;  ///< [strata]
    std::vector<double> mse, mae;       ///< [strata] means
    std::vector<double> entropy;        ///< [strata] usage entropy, nats; NaN without prompts
    std::vector<double> distinct;       ///< [strata] distinct anchors
    /// Relative change of the MSE in per cent from the first condition's run of the same seed, over that
    /// run's strata, which may differ from the run's own (different decomposition): in each stratum [strata],
    /// empty if there is no such run; over all windows, the easiest three strata and the hardest stratum, NaN
    /// likewise.
    std::vector<double> changes;
    double change = store::not_known, easiest_change = store::not_known, hardest_change = store::not_known;
};

/// The windows of `values` for strata, by `label` [windows] or, if empty, by difficulty. Of a collection,
/// equal window numbers are the same series, whatever the look-back, with which positions change.
[[nodiscard]] analysis::StrataInput strata_input(const store::Embeddings& values,
                                                 std::span<const double> label,
                                                 const analysis::StrataAxis& axis, bool of_series);

/// Its own strata, without a change.
[[nodiscard]] StrataOfRun strata_of_run(const RunInput& run, const analysis::Strata& strata);
/// Fills in the change of `run` from a reference.
void set_change(StrataOfRun& run, const analysis::PairedStrata& pair);

struct StrataOfCondition {
    QString label;
    QColor colour;
    std::vector<StrataOfRun> runs;  ///< seeds
    /// Why its runs are not compared with the first condition although that exists; empty: they are.
    QString not_compared = {};
};

/// What divides the windows, within a sentence: "difficulty", "trend strength".
[[nodiscard]] QString label_words(const analysis::StrataAxis& axis);

/// "Change in the hardest decile and in the three easiest: −0.6 % and −0.02 % (λ_cov = 0.1)." for each
/// condition but the first; of several seeds, with the pooled test (evidence/paired.h). Empty: nothing
/// is compared.
[[nodiscard]] QString contrast_sentence(const std::vector<StrataOfCondition>& conditions,
                                        const analysis::StrataAxis& axis = {});

/// MSE by stratum, its change relative to the first condition (paired by seed, then mean and sample standard
/// deviation), and the usage entropy. With two or more seeds, the caption has the pooled test of strata
/// (evidence/paired.h) over them. The numbers: a row per run and stratum.
[[nodiscard]] Figure difficulty_strata(const QString& cell, const std::vector<StrataOfCondition>& conditions,
                                       const QString& note = {}, const analysis::StrataAxis& axis = {});

}  // namespace casp::figures
