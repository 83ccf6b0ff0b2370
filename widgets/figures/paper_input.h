#pragma once
// What the paper's figures are made of: the runs of a sweep, ordered by what was swept.

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

/// The first run of each condition stands for it where a picture shows one run: " Seed 2021 of 3 seeds." for
/// captions, empty where there is one seed.
[[nodiscard]] QString seed_note(const PaperCell& cell);

}  // namespace casp::figures
