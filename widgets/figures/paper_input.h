#pragma once
// Input of the paper's figures: the runs of a sweep, ordered by the swept settings.

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

}  // namespace casp::figures
