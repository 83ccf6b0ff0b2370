#pragma once
// Comparisons of the runs of a batch: what is compared, by task and seed, and their tables.
// Without LibTorch; any thread.

#include <map>
#include <string>
#include <vector>

#include "evidence/comparisons.h"
#include "store/results.h"
#include "util/phrase.h"

namespace casp::evidence {

/// The setting that is compared, and the value that the others are compared with.
struct Contrast {
    std::string key;   ///< dotted, or "case"
    std::string base;  ///< text as in ResultRow::swept
};

/// Distinct values of a swept key (or "case") in order of first appearance; rows without it are skipped. Of
/// loss.lambda_cov, runs that have none (ResultRow::lambda_cov) have the value "without coverage".
[[nodiscard]] std::vector<std::string> values_of(const std::vector<store::ResultRow>& rows,
                                                 const std::string& key);

/// Whether runs can be compared by this key: not the seed, by which they are paired, nor a key that changes
/// the task (data.path, data.horizon, ...).
[[nodiscard]] bool is_comparable(const std::string& key);

/// What a batch compares: its cases if there are several, then the first swept key but preset that
/// is_comparable() and has several values. The base is the first value in the order of the rows, which is
/// that of the sweep.
[[nodiscard]] std::vector<Contrast> contrasts_of(const std::vector<store::ResultRow>& rows);

/// Short names of the rows' tasks, [rows]: "ETTh1-96", "ETTh1-96, top_k 4". A task is the data, the horizon
/// and all swept keys except the seed and `key`; the name has those that distinguish tasks with equal data
/// and horizon; not coverage.enabled if loss.lambda_cov is compared. If models are compared, the preset is no
/// part of the task unless a model has several of them for the same data and horizon.
[[nodiscard]] std::vector<std::string> task_names(const std::vector<store::ResultRow>& rows,
                                                  const std::string& key);

/// What runs are compared by unless a metric is named, the main one first: test_smape, test_mase and test_owa
/// where runs have them, test_mse and test_mae where other runs are finished or none is.
[[nodiscard]] std::vector<std::string> error_metrics(const std::vector<store::ResultRow>& rows);

/// Names of the metrics: the measured columns of results.csv with real numbers ("test_mse").
[[nodiscard]] std::vector<std::string> metric_names();

/// Outcomes of the finished runs (runs finished early had fewer training steps than configured and are no
/// repetitions) that have a value of `key`. Throws std::invalid_argument for an unknown metric.
[[nodiscard]] std::vector<Outcome> outcomes_of(const std::vector<store::ResultRow>& rows,
                                               const std::string& key, const std::string& metric);

/// compare_pairs() for each metric in turn.
[[nodiscard]] std::vector<Comparison> compare_rows(const std::vector<store::ResultRow>& rows,
                                                   const Contrast& contrast,
                                                   const std::vector<std::string>& metrics);

/// One sentence for each value of the contrast whose finished runs are in no pair of one or more tasks, with
/// their number and the reason, and one for runs without a value: "case = with: 3 of 6 runs are not compared:
/// ETTh1-96: no seed in common with without (4, 5, 6 against 1, 2, 3)".
[[nodiscard]] std::vector<Phrase> unpaired_runs(const std::vector<store::ResultRow>& rows,
                                                const Contrast& contrast, const std::string& metric);

/// Texts of table files by name.
using TableTexts = std::map<std::string, std::string>;

/// Texts of comparisons.csv, .md and .tex; `further` is appended to the Markdown.
[[nodiscard]] TableTexts comparison_texts(const std::vector<Comparison>& comparisons,
                                          const std::string& further = {});

}  // namespace casp::evidence
