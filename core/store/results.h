#pragma once
// The tables of a batch: results (one row per run) and summary (one row per cell).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/run_record.h"
#include "store/run_state.h"

namespace casp::store {

/// One row of results.csv. NaN and -1 mean "not known yet"; the CSV has `nan` and an empty cell there.
struct ResultRow {
    std::string run;  ///< folder name, e.g. "lambda_cov-0.1_seed-2021"
    RunState state = RunState::queued;
    std::string data;   ///< name of the data set or of the CSV file
    std::string model;  ///< "casp-llm"
    std::int64_t lookback = 0;
    std::int64_t horizon = 0;
    double lambda_sim = not_known;
    double lambda_cov = not_known;
    std::int64_t seed = 0;
    std::int64_t epochs = -1;      ///< finished ones
    std::int64_t best_epoch = -1;  ///< from 1
    std::int64_t steps = -1;       ///< done
    double val_mse = not_known;
    double test_mse = not_known;
    double test_mae = not_known;
    double last_value_mse = not_known;
    double usage_entropy = not_known;     ///< over the test windows
    double distinct_anchors = not_known;  ///< likewise
    double key_cosine = not_known;        ///< likewise
    double seconds = not_known;           ///< wall time of training and evaluation
    std::string backbone;                 ///< "openai-gpt2-small", "unknown-checkpoint" or "untrained"

    /// Every swept key (dotted, as in [sweep]) with its value as text, in the order of the sweep. Those that
    /// have a column of their own (loss.lambda_cov, train.seed, ...) are not repeated in results.csv.
    std::vector<std::pair<std::string, std::string>> swept;
};

/// Mean and sample standard deviation (n - 1) of the runs of a cell for which the value is known.
struct Statistic {
    std::int64_t n = 0;
    double mean = not_known;
    double sd = not_known;  ///< NaN for n < 2
};

[[nodiscard]] Statistic statistic_of(const std::vector<double>& values);

/// One row of summary.csv: the runs that share all swept values but the seed. Only finished runs count: one
/// that was finished early was trained for fewer steps than its settings say, and repeats no other.
struct Cell {
    std::vector<std::pair<std::string, std::string>> swept;  ///< without train.seed
    std::string data;
    std::int64_t horizon = 0;
    std::string backbone;    ///< several are joined by " + "
    std::int64_t runs = 0;   ///< in any state
    std::int64_t n = 0;      ///< finished ones: those that count
    std::int64_t early = 0;  ///< finished early
    /// The one that was, where nothing else of the cell has results: for people, in no mean and no CSV.
    std::optional<ResultRow> only_early;
    Statistic val_mse, test_mse, test_mae, last_value_mse;
    Statistic usage_entropy, distinct_anchors, key_cosine, seconds;
    /// Lowest mean val_mse among the cells with the same task: same data, horizon and data.* settings that
    /// change what is forecast (errors of different tasks do not compare).
    bool best = false;
};

/// Cells in the order in which they first appear.
[[nodiscard]] std::vector<Cell> summarise(const std::vector<ResultRow>& rows);

/// CSV, quoted after RFC 4180, with LF line ends as Unix tools expect; shortest numbers that read back to the
/// same double; `nan` for a number that is not known, an empty cell for a count or a deviation that is not.
[[nodiscard]] std::string results_csv(const std::vector<ResultRow>& rows);
[[nodiscard]] std::string summary_csv(const std::vector<Cell>& cells);
/// Markdown with aligned columns and 4 significant digits; "mean ± sd".
[[nodiscard]] std::string results_markdown(const std::vector<ResultRow>& rows);
[[nodiscard]] std::string summary_markdown(const std::vector<Cell>& cells);
/// For a terminal: per cell test MSE, test MAE, the last-value forecast's MSE and the backbone; a line below
/// says so where the backbone is untrained. A cell whose one result is of a run that was finished early shows
/// that, and says "finished early".
[[nodiscard]] std::string summary_text(const std::vector<Cell>& cells);

/// Reads run.json of each run folder of `batch_folder` in the given order (folders without one are left out).
[[nodiscard]] std::vector<ResultRow> collect_rows(const std::filesystem::path& batch_folder,
                                                  const std::vector<std::string>& runs);

/// Writes results.csv, results.md, summary.csv and summary.md from the runs' run.json; returns the cells.
std::vector<Cell> write_tables(const std::filesystem::path& batch_folder,
                               const std::vector<std::string>& runs);

}  // namespace casp::store
