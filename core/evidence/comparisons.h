#pragma once
// Paired comparisons of cases or values of a setting over seeds and tasks: what comparisons.csv, --compare,
// the Compare page and the paper's tables show. Without LibTorch; any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/paired.h"
#include "evidence/periods.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Task of a row over all tasks.
inline constexpr const char* all_tasks = "all";

/// A finished run as a comparison sees it.
struct Outcome {
    std::string task;   ///< what must be equal within a pair besides the seed: "ETTh1-96"
    std::string group;  ///< the compared case or value: "without coverage", "0.1"
    std::int64_t seed = 0;
    double value = store::not_known;  ///< of the metric
    std::string backbone = {};        ///< as in ResultRow; empty: not known
    /// Data and horizon of the task: "ETTh1-96"; empty: no other task has the same. Tasks of one cell (K 4, K
    /// 8) share seeds and windows, so they are not independent.
    std::string cell = {};
    /// Further tasks, of other outcomes, with which it is paired, too: they differ from `task` only in
    /// settings that this run's model does not read.
    std::vector<std::string> also = {};
    std::string run = {};        ///< as in ResultRow; empty: not known
    std::string precision = {};  ///< likewise
    std::int64_t lookback = 0;
    std::int64_t horizon = 0;  ///< 0: of a collection of series, which has no consecutive windows
};

/// Outcomes of `other` and of the base in one task, with equal seeds.
struct OutcomePairs {
    std::string task, other;
    std::vector<std::pair<const Outcome*, const Outcome*>> pairs;  ///< base and other, ascending in seed
};

/// Pairs of every group with `base`, task by task in order of first appearance, as for compare_pairs(). They
/// point into `outcomes`; groups without a pair are left out.
[[nodiscard]] std::vector<OutcomePairs> pairs_of(const std::vector<Outcome>& outcomes,
                                                 const std::string& base);

/// One row: `other` against `base` in one task, or over all tasks.
struct Comparison {
    std::string task;  ///< all_tasks: over the mean differences of the cells
    std::string metric;
    std::string base, other;
    std::int64_t n = 0;         ///< pairs (of seeds; of cells where task is "all")
    std::int64_t improved = 0;  ///< pairs in which `other` is lower, for any metric
    double mean_base = store::not_known, mean_other = store::not_known;  ///< over the pairs
    double delta = store::not_known;                                     ///< mean of other − base
    double delta_percent = store::not_known;                             ///< of |mean_base|
    double sd = store::not_known;      ///< sample standard deviation of the differences; NaN for n < 2
    Interval interval;                 ///< 95 % paired bootstrap interval of delta; NaN for n < 2
    SignedRank test;                   ///< NaN for n < 2, too: one pair is no test
    double p_holm = store::not_known;  ///< over the rows of single tasks that one call gives; NaN for "all"
    std::int64_t family = 0;  ///< number of tests (n ≥ 2) over which p_holm is corrected; 0 for "all"
    std::vector<double> differences;  ///< [n] other − base, ascending in seed (in order of the cells)
    std::set<std::string> backbones, precisions;  ///< of the paired runs, as far as known
    bool over_series = false;                     ///< the pairs are series of a collection, not runs
    std::optional<PeriodTest> periods = {};       ///< see add_period_tests()
};

/// `other` against `base`, value by value, all of them finite; without task, metric and names. Throws
/// std::invalid_argument if the lengths differ.
[[nodiscard]] Comparison compare_values(const std::vector<double>& base, const std::vector<double>& other,
                                        const BootstrapSettings& settings = {});

/// Every group against `base`, task by task in order of first appearance, and then, with two or more cells,
/// a row "all" for each group, over the means of each cell's tasks. Only seeds that both have are paired; of
/// equal seeds the first counts; values that are not finite do not. At least one of a pair has the row's task
/// as its own (not Outcome::also). Rows without a pair are left out.
[[nodiscard]] std::vector<Comparison> compare_pairs(const std::vector<Outcome>& outcomes,
                                                    const std::string& metric, const std::string& base);

/// Whether differences of the metric are given in per cent of the base: not those of metrics that can be
/// zero (key_cosine).
[[nodiscard]] bool is_relative(const std::string& metric);

/// What a comparison means, in one sentence of plain words:
///
///     8 pairs: within seed noise (p = 0.84)
///     6 pairs: not distinguishable (p = 0.094), although the 95 % interval excludes 0
///     8 pairs: lower by 0.64 % (p = 0.039)
///     1 pair: says nothing about seed noise
///     3 pairs: too few for p < 0.05 (at least 6); p = 0.25
///     24 tasks: no consistent difference (p = 0.34)
///     8 pairs: lower by 0.64 % (p = 0.039), but p = 0.16 after Holm's correction over 4 tests
///     11 of 12 pairs lower (p = 0.034), but the mean is higher
///     23,000 series: lower by 0.64 % (p < 0.001)
///
/// The direction is that of the ranks, which are tested: the last form is for a mean with the other sign. p
/// is that of the row, with two significant digits; it is left out where it is 1 for lack of pairs, and where
/// an approximate one would be below the smallest that so few pairs can give. The difference is in per cent
/// of the base where is_relative().
[[nodiscard]] Phrase verdict(const Comparison& comparison, double alpha = significance_level);

/// What a test over the windows of the series means; empty without one for this metric:
///
///     over periods: lower by 1.3 % (p = 0.012, 2,785 windows)
///     over periods of 3 tasks: no consistent difference (p = 0.34, 7,900 windows)
///     no test over periods: the runs have no test window in common
[[nodiscard]] Phrase period_verdict(const Comparison& comparison, double alpha = significance_level);

/// p with two significant digits, or more if it would read as `alpha` on the other side: "0.039", "< 0.001",
/// "–" for NaN.
[[nodiscard]] std::string p_text(double p, double alpha = significance_level);

/// A relative difference with two decimals: "+0.64", "-12.50", "0.00" for all that rounds to zero, "–" for
/// NaN.
[[nodiscard]] std::string percent_text(double percent);

/// Difference for which pairs_for_stated_effect() counts pairs, as a fraction of the base's mean.
inline constexpr double stated_effect = 0.01;

/// Pairs of seeds with which the test would find a difference of `stated_effect` with a power of 80 %, if the
/// spread stays: see pairs_needed(). 0 where a difference is found already, and for "all", a single pair and
/// metrics that are not is_relative().
[[nodiscard]] std::int64_t pairs_for_stated_effect(const Comparison& comparison);

/// A compared value for display: "(none)" for an empty one, such as the preset of a run without preset.
[[nodiscard]] std::string value_text(const std::string& value);

/// Last columns of comparisons.csv, where add_period_tests() was called.
inline constexpr std::array<const char*, 5> period_columns{"dm", "p_dm", "block_low", "block_high",
                                                           "windows"};

/// Columns as in docs/run-file.md: task,metric,base,other,n,improved,mean_base,mean_other,delta,
/// delta_percent,ci_low,ci_high,w,p,p_holm,precision (if known),method ("exact", "approximate"; empty without
/// a p), then period_columns.
[[nodiscard]] std::string comparisons_csv(const std::vector<Comparison>& rows);
/// The same with a verdict in words for each row, and below it what † (intervals of fewer than six pairs) and
/// the number of further seeds mean. Tests over periods have a section of their own, if there are any.
[[nodiscard]] std::string comparisons_markdown(const std::vector<Comparison>& rows);
/// A tabular that is reduced to the width of the line, with notes below it; its first line says how it
/// compiles (latex_head()). Task, metric, base and other are in a note where all rows have the same. A
/// column "p (Holm)" if a family has several tests. All rows are of errors, or none (Markdown likewise): of
/// other metrics the larger values are counted.
[[nodiscard]] std::string comparisons_latex(const std::vector<Comparison>& rows);
/// Tables for a terminal, one for each metric, with verdicts and notes as in Markdown, and one over periods.
/// Empty without rows.
[[nodiscard]] std::string comparisons_text(const std::vector<Comparison>& rows);

}  // namespace casp::evidence
