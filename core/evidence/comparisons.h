#pragma once
// Paired comparisons of cases or values of a setting over seeds and tasks: what comparisons.csv, --compare,
// the Compare page and the paper's tables show. Without LibTorch; any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/paired.h"

namespace casp::evidence {

/// A finished run as a comparison sees it.
struct Outcome {
    std::string task;   ///< what must be equal within a pair besides the seed: "ETTh1-96"
    std::string group;  ///< the compared case or value: "without coverage", "0.1"
    std::int64_t seed = 0;
    double value = store::not_known;  ///< of the metric
};

/// One row: `other` against `base` in one task, or over all tasks.
struct Comparison {
    std::string task;  ///< "all": over the mean differences of the tasks
    std::string metric;
    std::string base, other;
    std::int64_t n = 0;         ///< pairs (of seeds; of tasks where task is "all")
    std::int64_t improved = 0;  ///< pairs in which `other` is lower
    double mean_base = store::not_known, mean_other = store::not_known;  ///< over the pairs
    double delta = store::not_known;                                     ///< mean of other − base
    double delta_percent = store::not_known;                             ///< of mean_base
    double sd = store::not_known;  ///< sample standard deviation of the differences
    Interval interval;             ///< 95 % paired bootstrap interval of delta; NaN for n < 2
    SignedRank test;
    double p_holm = store::not_known;  ///< over the rows of single tasks that one call gives
    std::vector<double> differences;   ///< [n] other − base, ascending in seed (task)
};

/// Every group against `base`, task by task in order of first appearance, and then, with two or more tasks,
/// a row "all" for each group. Only seeds that both have are paired; of equal seeds the first counts; values
/// that are not finite do not. Rows without a pair are left out.
[[nodiscard]] std::vector<Comparison> compare_pairs(const std::vector<Outcome>& outcomes,
                                                    const std::string& metric, const std::string& base);

/// What a comparison means, in one sentence of plain words: "8 pairs: within seed noise (p = 0.84)",
/// "8 pairs: lower by 0.64 % (p = 0.039)", "1 pair: says nothing about seed noise",
/// "3 pairs: too few for p < 0.05 (at least 6)". Lower is said of errors; of other metrics,
/// "smaller" and "larger".
[[nodiscard]] std::string verdict(const Comparison& comparison, double alpha = 0.05);

/// Columns as in docs/files.md: task,metric,base,other,n,improved,mean_base,mean_other,delta,delta_percent,
/// ci_low,ci_high,w,p,p_holm,method.
[[nodiscard]] std::string comparisons_csv(const std::vector<Comparison>& rows);
[[nodiscard]] std::string comparisons_markdown(const std::vector<Comparison>& rows);
/// A booktabs table that compiles with \usepackage{booktabs} alone.
[[nodiscard]] std::string comparisons_latex(const std::vector<Comparison>& rows);

}  // namespace casp::evidence
