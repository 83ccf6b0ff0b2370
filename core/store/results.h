#pragma once
// Result tables of a batch: results (one row per run) and summary (one row per cell).

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/result_row.h"
#include "store/run_record.h"
#include "util/grouping.h"

namespace casp::store {

/// Key of a run's [[sweep.case]] among its swept settings, and its column in results.csv. No setting.
inline constexpr const char* case_key = "case";
/// Column of ResultRow::precision in all tables.
inline constexpr const char* precision_column = "precision";

/// Value of a key; null: there is none.
[[nodiscard]] inline const std::string* find_setting(const Settings& settings, std::string_view key) {
    for (const auto& [name, value] : settings)
        if (name == key) return &value;
    return nullptr;
}

/// Sets `swept` and the label of the case in it.
void set_swept(ResultRow& row, const Settings& swept);

/// The validation error that early stopping watches: val_smape of collections of series, else val_mse.
[[nodiscard]] inline double validation_error(const ResultRow& row) {
    return row.val_smape == row.val_smape ? row.val_smape : row.val_mse;
}

/// Sets what run.h5 has of the given columns: attributes, metrics of the validation and test splits.
void set_values(ResultRow& row, const RunRecord& record,
                std::span<const ResultColumn> columns = result_columns);

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
    std::vector<Statistic> statistics;  ///< [metric_columns()]
    /// Lowest mean val_mse (val_smape of collections) among cells with the same task: equal data, horizon and
    /// other data.* settings that change the forecast. Errors of different tasks are not comparable.
    bool best = false;

    /// Of a metric: of_metric(&ResultRow::test_mse).
    [[nodiscard]] const Statistic& of_metric(double ResultRow::*metric) const;
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
/// cosine (if any cell has anchors), backbone, with a note for untrained backbones, and precision. A cell
/// whose only result is of a run finished early shows that result, marked "finished early".
[[nodiscard]] std::string summary_text(const std::vector<Cell>& cells);

/// Rows from run.json of the given run folders, in that order; folders without run.json are skipped.
[[nodiscard]] std::vector<ResultRow> collect_rows(const std::filesystem::path& batch_folder,
                                                  const std::vector<std::string>& runs);

/// Texts of results.csv, results.md, summary.csv and summary.md by file name. `cells`: of summarise(rows).
[[nodiscard]] std::map<std::string, std::string> table_texts(const std::vector<ResultRow>& rows,
                                                             const std::vector<Cell>& cells);

}  // namespace casp::store
