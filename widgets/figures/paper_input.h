#pragma once
// What the paper's figures are made of: the runs of a sweep, ordered by what was swept.

#include <functional>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// Runs that differ in nothing but the seed.
struct Condition {
    QString label;                      ///< "λ_cov = 0.1"
    std::optional<double> value;        ///< of what is compared, where it is a number
    QColor colour;                      ///< the same in all figures of a batch
    std::vector<const RunInput*> runs;  ///< at least one, in the order of the sweep
};

/// One task: conditions that may be compared, in ascending order. Pointers are into what it was made from.
struct PaperCell {
    QString name;  ///< "ETTh1 · H 96"
    QString key;   ///< what is compared, as the paper writes it: "λ_cov"
    std::vector<Condition> conditions;
};

/// "(a) " for 0, … "(z) ", "(27) ".
[[nodiscard]] QString panel_letter(std::size_t index);

/// One run of each condition, for pictures that show one [conditions]: of the lowest seed of which every
/// condition has a usable run, so that pictures differ in the condition alone. Conditions without any usable
/// run are null and do not count; where no seed is common, each condition's usable run of the lowest seed.
/// `usable` may be slow: it is asked about no run before it matters, but perhaps twice.
[[nodiscard]] std::vector<const RunInput*> runs_to_show(const PaperCell& cell,
                                                        const std::function<bool(const RunInput&)>& usable);

/// Which seeds a picture of these runs (of the cell; null: none) shows, for captions: " Training seed 2021,
/// one of 3." Where they are not the same, each condition's. Empty: not known.
[[nodiscard]] QString seed_note(const PaperCell& cell, const std::vector<const RunInput*>& shown);

}  // namespace casp::figures
