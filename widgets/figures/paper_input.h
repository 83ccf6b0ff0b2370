#pragma once
// Input of the paper's figures, the runs of a sweep ordered by the swept settings; its figures of anchor
// usage.

#include <functional>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// Runs that differ only in the seed.
struct Condition {
    QString label;                      ///< "λ_cov = 0.1"
    std::optional<double> value;        ///< of the compared setting, if it is a number
    QColor colour;                      ///< the same in all figures of a batch
    std::vector<const RunInput*> runs;  ///< at least one, in the order of the sweep
};

/// One task: comparable conditions, numbers ascending, cases in the order of the sweep. Pointers refer to the
/// input.
struct PaperCell {
    QString name;  ///< "ETTh1 · H 96"
    QString key;   ///< compared setting, in the paper's notation: "λ_cov"
    std::vector<Condition> conditions;
};

/// "(a) " for 0, … "(z) ", "(27) ".
[[nodiscard]] QString panel_letter(std::size_t index);

/// One run of each condition, for figures that show one run per condition [conditions]: the lowest seed for
/// which every condition has a usable run, so that only the condition differs. Conditions without any usable
/// run are null and ignored; without a common seed, each condition's usable run of the lowest seed. `usable`
/// may be slow: it is called only if needed, at most twice per run.
[[nodiscard]] std::vector<const RunInput*> runs_to_show(const PaperCell& cell,
                                                        const std::function<bool(const RunInput&)>& usable);

/// Seeds of these runs (of the cell; null: none) for captions: " Training seed 2021, one of 3." If they
/// differ, that of each condition. Empty: unknown.
[[nodiscard]] QString seed_note(const PaperCell& cell, const std::vector<const RunInput*>& shown);

/// " Mean and sample standard deviation over 2–3 seeds." of conditions with these numbers of runs; empty if
/// none has two.
[[nodiscard]] QString spread_note(const std::vector<std::size_t>& runs);

/// Strips of the pool, a plot per condition (runs_to_show): the pool wrapped into rows, one cell per anchor,
/// shaded by its retrieval frequency over the whole training, on one scale. Frequency: fraction of the rows
/// (windows × channels) that retrieved it; each row retrieves K anchors, so the sum is 100 K %. The numbers:
/// condition, run, anchor, selections, frequency.
[[nodiscard]] Figure usage_strips(const PaperCell& cell);

/// Retrievals of the 20 most used anchors over the whole training, by rank, and their cumulative sum: two
/// plots per cell (at most four cells), a curve per condition, mean and sample standard deviation over seeds
/// at each rank. The numbers: a row per run and rank, with the anchor.
[[nodiscard]] Figure top_concentration(const std::vector<PaperCell>& cells);

}  // namespace casp::figures
