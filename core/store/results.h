#pragma once
// Result tables of a batch: results (one row per run) and summary (one row per cell).

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/run_record.h"
#include "store/run_state.h"
#include "util/grouping.h"

namespace casp::store {

/// Key of a run's [[sweep.case]] among its swept settings, and its column in results.csv. No setting.
inline constexpr const char* case_key = "case";
/// ResultRow::peak_memory and precision in run.json and results.csv.
inline constexpr const char* peak_memory_column = "peak_memory";
inline constexpr const char* precision_column = "precision";

/// Swept keys (dotted, as in [sweep]) and their values as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Value of a key; null: there is none.
[[nodiscard]] inline const std::string* find_setting(const Settings& settings, std::string_view key) {
    for (const auto& [name, value] : settings)
        if (name == key) return &value;
    return nullptr;
}

/// One row of results.csv. NaN and -1: not available (`nan` and an empty cell in the CSV).
struct ResultRow {
    std::string run;  ///< folder name, e.g. "lambda_cov-0.1_seed-2021"
    RunState state = RunState::queued;
    std::string data;   ///< name of the data set or CSV file
    std::string model;  ///< "casp-llm"
    std::int64_t lookback = 0;
    std::int64_t horizon = 0;
    double lambda_sim = not_known;
    double lambda_cov = not_known;  ///< NaN also without coverage; 0: coverage is tracked, without weight
    std::int64_t seed = 0;
    std::int64_t epochs = -1;      ///< finished epochs
    std::int64_t best_epoch = -1;  ///< 1-based
    std::int64_t steps = -1;       ///< finished training steps
    double val_mse = not_known;
    double test_mse = not_known;
    double test_mae = not_known;
    double last_value_mse = not_known;
    double usage_entropy = not_known;     ///< over the test windows
    double distinct_anchors = not_known;  ///< likewise
    double key_cosine = not_known;        ///< likewise
    double seconds = not_known;           ///< wall time of training and evaluation
    std::string backbone;                 ///< "openai-gpt2-small", "unknown-checkpoint" or "untrained"

    /// In the order of the sweep; {"case", label} last. Keys with a fixed column (loss.lambda_cov,
    /// train.seed,
    /// ...) are not repeated in results.csv.
    Settings swept;
    std::string case_label;  ///< of the [[sweep.case]]; empty: none. Column `case` of results.csv
    /// Collections of series only, after the column peak_memory of results.csv.
    double test_smape = not_known;  ///< percent
    double test_mase = not_known;
    double test_owa = not_known;
    double val_smape = not_known;  ///< percent; at the best epoch
    /// Largest memory in bytes seen between two steps or evaluations: resident set of the process, or what
    /// LibTorch holds of the GPU; -1: not known. Column `peak_memory` of results.csv.
    std::int64_t peak_memory = -1;
    /// Precision of matrix products: "fp32", "tf32", "bf16"; empty: not known (imported forecasts, runs of
    /// earlier versions). Last column `precision` of results.csv, unless no run has one.
    std::string precision = {};
};

/// Sets `swept` and the label of the case in it.
void set_swept(ResultRow& row, const Settings& swept);

/// The validation error that early stopping watches: val_smape of collections of series, else val_mse.
[[nodiscard]] inline double validation_error(const ResultRow& row) {
    return row.val_smape == row.val_smape ? row.val_smape : row.val_mse;
}

/// Copies the metrics of the validation and test splits that the record has.
void set_metrics(ResultRow& row, const RunRecord& record);

/// Sets what run.h5 has of a finished run's row besides its settings: state, counts, metrics, backbone. Of an
/// evaluation, which has no history, the counts stay unknown.
void set_record(ResultRow& row, const RunRecord& record);

/// Mean and sample standard deviation (n - 1) of the available values of a cell's runs.
struct Statistic {
    std::int64_t n = 0;
    double mean = not_known;
    double sd = not_known;  ///< NaN for n < 2
};

[[nodiscard]] Statistic statistic_of(const std::vector<double>& values);

/// One row of summary.csv: runs of one case with equal swept values except the seed. Statistics include
/// finished runs only (one finished early had fewer training steps than configured), of equal seeds the
/// first.
struct Cell {
    Settings swept;  ///< without train.seed
    std::string data;
    std::int64_t horizon = 0;
    std::string backbone;    ///< several are joined by " + "
    std::string precision;   ///< of the finished runs; likewise
    std::int64_t runs = 0;   ///< number of runs, in any state
    std::int64_t n = 0;      ///< number of finished runs with different seeds, which the statistics include
    std::int64_t early = 0;  ///< number of runs finished early
    /// The run finished early, if it is the cell's only result; for display, not part of statistics or CSV.
    std::optional<ResultRow> only_early;
    Statistic val_mse, test_mse, test_mae, last_value_mse;
    Statistic usage_entropy, distinct_anchors, key_cosine, seconds;
    Statistic test_smape, test_mase, test_owa, val_smape;  ///< of collections of series
    /// Lowest mean val_mse (val_smape of collections) among cells with the same task: equal data, horizon and
    /// other data.* settings that change the forecast. Errors of different tasks are not comparable.
    bool best = false;
};

/// Settings that runs of one cell share: the swept ones without the seed.
[[nodiscard]] Settings cell_settings(Settings swept);

/// Swept keys of rows or cells in order of first appearance.
template <class RowOrCell>
[[nodiscard]] std::vector<std::string> swept_keys(const std::vector<RowOrCell>& rows) {
    std::vector<std::string> keys;
    for (const auto& row : rows)
        for (const auto& setting : row.swept) add_once(keys, setting.first);
    return keys;
}

/// Cells in order of first appearance.
[[nodiscard]] std::vector<Cell> summarise(const std::vector<ResultRow>& rows);

/// CSV with RFC 4180 quoting and LF line ends. Numbers have the shortest form that reads back to the same
/// double; `nan` for unavailable numbers, an empty cell for unavailable counts and deviations.
[[nodiscard]] std::string results_csv(const std::vector<ResultRow>& rows);
[[nodiscard]] std::string summary_csv(const std::vector<Cell>& cells);
/// Markdown with aligned columns; numbers with 4 significant digits, "mean ± sd".
[[nodiscard]] std::string results_markdown(const std::vector<ResultRow>& rows);
[[nodiscard]] std::string summary_markdown(const std::vector<Cell>& cells);
/// Table for a terminal: per cell test MSE, test MAE, MSE of the persistence forecast, usage entropy and key
/// cosine (if any cell has anchors), backbone, with a note for untrained backbones, and precision, unless all
/// are fp32. A cell whose only
/// result is of a run finished early shows that result, marked "finished early".
[[nodiscard]] std::string summary_text(const std::vector<Cell>& cells);

/// Rows from run.json of the given run folders, in that order; folders without run.json are skipped.
[[nodiscard]] std::vector<ResultRow> collect_rows(const std::filesystem::path& batch_folder,
                                                  const std::vector<std::string>& runs);

/// Texts of results.csv, results.md, summary.csv and summary.md by file name. `cells`: of summarise(rows).
[[nodiscard]] std::map<std::string, std::string> table_texts(const std::vector<ResultRow>& rows,
                                                             const std::vector<Cell>& cells);

}  // namespace casp::store
