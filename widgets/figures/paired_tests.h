#pragma once
// Paired tests of a comparison: each value of the compared setting against a base, seed by seed, for each
// line and over all tasks. Pure functions of plain values; any thread.

#include <cstdint>

#include "figures/comparison.h"

namespace casp::figures {

using evidence::significance_level;  ///< of every test

/// Sets Comparison::base: `wanted` (the text of a value) or, if it is no value of the comparison, the first
/// one of the axis. No base if fewer than two values are compared, or seeds.
void set_base(Comparison& comparison, const QString& wanted = {});

/// Pairs runs of the same line and seed (runs that count in the means) and tests every other value against
/// the base. Takes about 0.1 s for 1,000 pairs: 10,000 resamples each.
void add_paired_tests(Comparison& comparison);

/// Upper limit of the number of pairs, for an estimate of that time.
[[nodiscard]] std::int64_t most_pairs(const Comparison& comparison);

/// Tests of the rows of comparison_rows(comparison, false); null for rows of the base and without pairs.
[[nodiscard]] std::vector<const PairedTest*> tests_of_rows(const Comparison& comparison);

/// The interval to show: none (NaN) for fewer pairs than p < 0.05 takes, whose bootstrap interval is too
/// narrow (two pairs: their distance).
[[nodiscard]] evidence::Interval shown_interval(const evidence::Comparison& result);

/// p of a test to show: none (NaN) for an approximate one below the smallest that so few pairs can give.
[[nodiscard]] double shown_p(const evidence::SignedRank& test);

/// p after Holm's correction; of a test over all tasks, for which there is none, p itself.
[[nodiscard]] double corrected_p(const PairedTest& test);

/// Columns of a test in tables of the comparison: pairs, lower, Δ, Δ %, 95 % interval, p, p (Holm).
/// Differences have the digits that their spread allows (spread_text). `exact`: for files, with all digits,
/// the base first and the interval, also of few pairs, in two columns. Without a test the cells are empty.
[[nodiscard]] QStringList test_header(bool exact);
[[nodiscard]] QStringList test_cells(const Comparison& comparison, const PairedTest* test, bool exact);

/// "λ_cov 0.1 against 0, ETTh1 · H 96, test MSE: 8 pairs: within seed noise (p = 0.84)", and the number of
/// pairs that a difference of 1 % would take if none was found.
[[nodiscard]] QString test_sentence(const Comparison& comparison, const PairedTest& test);

/// The tests that summarise a comparison, one per value: over all tasks or, with one task, its own.
[[nodiscard]] std::vector<const PairedTest*> main_tests(const Comparison& comparison);

/// Sentences of the main tests, at most `most` and then the number of others; or why there is none. Empty
/// without a base and before the tests are complete.
[[nodiscard]] QStringList test_summary(const Comparison& comparison, qsizetype most);

}  // namespace casp::figures
