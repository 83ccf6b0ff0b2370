#pragma once
// The row of a run in results.csv and the one table of its columns.
//
// A new column is a member of ResultRow and a row at the end of `result_columns`, and what sets the member,
// unless run.h5 has the value (ColumnSource). results.*, summary.*, run.json, the list of runs, Compare,
// rankings, paired comparisons, figures and --verify read the table.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "store/run_record.h"
#include "store/run_state.h"
#include "util/marked_text.h"

namespace casp::store {

/// Swept keys (dotted, as in [sweep]) and their values as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

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
    /// Largest memory in bytes seen between two steps or evaluations: resident set of the process, or what
    /// LibTorch holds of the GPU; -1: not known.
    std::int64_t peak_memory = -1;
    /// Collections of series only.
    double test_smape = not_known;  ///< percent
    double test_mase = not_known;
    double test_owa = not_known;
    double val_smape = not_known;  ///< percent; at the best epoch
    /// Precision of matrix products: "fp32", "tf32", "bf16"; empty: not known (imported forecasts, runs of
    /// earlier versions).
    std::string precision = {};
    std::string device = {};  ///< "cpu", "cuda:0": the last one of a run that was continued on another
    double test_mse_shuffled = not_known;   ///< of damaged look-backs (run.lookback_checks)
    double test_mse_masked = not_known;     ///< likewise
    double test_mse_exchanged = not_known;  ///< likewise
    double key_cosine_union = not_known;    ///< over all keys that any test window retrieves

    /// In run.h5 only, and unknown unless that was read (`run_file_metrics`).
    double last_value_mae = not_known;
    double val_mae = not_known;
    double val_usage_entropy = not_known;
    double val_key_cosine = not_known;
};

/// What a column is, which decides how its values are written and compared.
enum class ColumnRole {
    label,     ///< a name
    setting,   ///< all digits in every table
    progress,  ///< this and those below are results: four digits in tables for people, "–" if not known
    error,     ///< lower is better
    score,     ///< an error of collections of series: three decimals; only in tables with such runs
    anchors,   ///< of anchor retrieval
    cost       ///< time or memory
};

/// Where a value comes from, other than the run itself (its name, counts, time).
struct ColumnSource {
    const char* key = "";                             ///< dotted configuration key; empty: none
    std::string RunAttributes::*attribute = nullptr;  ///< of run.h5
    std::optional<SplitMetrics> RunRecord::*split = nullptr;
    double SplitMetrics::*metric = nullptr;  ///< of the split in run.h5

    [[nodiscard]] static constexpr ColumnSource setting(const char* key) { return {key}; }
    [[nodiscard]] static constexpr ColumnSource file(std::string RunAttributes::*attribute) {
        return {"", attribute};
    }
    [[nodiscard]] static constexpr ColumnSource test(double SplitMetrics::*metric) {
        return {"", nullptr, &RunRecord::test, metric};
    }
    [[nodiscard]] static constexpr ColumnSource val(double SplitMetrics::*metric) {
        return {"", nullptr, &RunRecord::val, metric};
    }
};

/// A column of results.csv, or a metric that only run.h5 has.
struct ResultColumn {
    using Member = std::variant<std::string ResultRow::*, RunState ResultRow::*, std::int64_t ResultRow::*,
                                double ResultRow::*>;
    enum Flag : unsigned {
        later = 1,      ///< behind the swept settings that have no column of their own
        every_csv = 2,  ///< in every results.csv; in other tables where a run has a value
        /// Where a run has a value, since tables of earlier versions have no such column: with `later`, of
        /// every new column, or --verify reports those tables.
        where_known = 4,
        bytes = 8,           ///< people read it in MiB or GiB
        only_run_json = 16,  ///< run.h5 does not have it
        varies = 32,         ///< differs between repetitions of a run
        main = 64,           ///< runs are compared and ranked by it unless a metric is named
        on_terminal = 128,   ///< in the summary on a terminal
        can_be_zero = 256,   ///< differences are not given in per cent
        listed = 512         ///< shown in the list of runs by default
    };
    const char* name;  ///< in results.csv and run.json
    Member member;
    ColumnRole role = ColumnRole::label;
    ColumnSource source = {};
    // In English; the window translates title, head and help.
    const char* title = "";  ///< "Test MSE"
    const char* head = "";   ///< in the list of runs, where shorter: "MSE"
    const char* unit = "";   ///< of axes; "scaled": standard deviations of the training split
    const char* help = "";   ///< one sentence
    // Places are in steps of ten: one between two others needs no other number.
    int compare = 0;     ///< place among the metrics of Compare and of the figure sensitivity; 0: not there
    int list = 0;        ///< place among the results in the list of runs; 0: not there
    int width = 0;       ///< there, in pixels at 96 dpi
    unsigned flags = 0;  ///< of Flag
    const char* caption = "";  ///< in a figure's caption; empty: as on the axis

    [[nodiscard]] constexpr bool has(Flag flag) const { return (flags & flag) != 0; }
    [[nodiscard]] constexpr bool is_score() const { return role == ColumnRole::score; }
    [[nodiscard]] constexpr bool is_error() const { return role == ColumnRole::error || is_score(); }
    [[nodiscard]] constexpr bool is_result() const { return role >= ColumnRole::progress; }
    /// The member of a metric: a result that is a real number; else null.
    [[nodiscard]] constexpr double ResultRow::*real() const {
        const auto* number = std::get_if<double ResultRow::*>(&member);
        return number != nullptr && is_result() ? *number : nullptr;
    }
};

namespace columns_of_results {

using Column = ResultColumn;
using Role = ColumnRole;
using Source = ColumnSource;

/// Columns of results.csv in their order; new ones come last.
inline constexpr std::array columns{
    Column{"run", &ResultRow::run},
    Column{"state", &ResultRow::state},
    Column{"data", &ResultRow::data, Role::label, Source::setting("data.path"), "", "", "", "", 0, 0, 0,
           Column::only_run_json},
    Column{"model", &ResultRow::model, Role::label, Source::setting("model.name")},
    Column{"lookback", &ResultRow::lookback, Role::setting, Source::setting("data.lookback")},
    Column{"horizon", &ResultRow::horizon, Role::setting, Source::setting("data.horizon")},
    Column{"lambda_sim", &ResultRow::lambda_sim, Role::setting, Source::setting("loss.lambda_sim"), "λ_sim",
           "", "", CASP_TEXT("Weight λ_sim of the similarity loss"), 0, 20, 66},
    Column{"lambda_cov", &ResultRow::lambda_cov, Role::setting, Source::setting("loss.lambda_cov"), "λ_cov",
           "", "", CASP_TEXT("Weight λ_cov of the coverage loss"), 0, 10, 66, Column::listed},
    Column{"seed", &ResultRow::seed, Role::setting, Source::setting("train.seed"), CASP_TEXT("Seed"), "", "",
           CASP_TEXT("Seed for initialisation, window order and dropout"), 0, 30, 60, Column::listed},
    Column{"epochs", &ResultRow::epochs, Role::progress, Source(), CASP_TEXT("Epochs"), "", "",
           CASP_TEXT("Completed epochs"), 160, 150, 68},
    Column{"best_epoch", &ResultRow::best_epoch, Role::progress, Source(), CASP_TEXT("Best epoch"), "", "",
           CASP_TEXT("Epoch with the lowest validation MSE, counted from 1"), 170, 160, 90},
    Column{"steps", &ResultRow::steps, Role::progress, Source(), CASP_TEXT("Training steps"),
           CASP_TEXT("Steps"), "", CASP_TEXT("Completed training steps"), 180, 170, 72},
    Column{"val_mse", &ResultRow::val_mse, Role::error, Source::val(&SplitMetrics::mse),
           CASP_TEXT("Validation MSE"), CASP_TEXT("Val. MSE"), "scaled",
           CASP_TEXT("Mean squared error on the validation split at the best epoch, scaled units "
                     "(collections of series: original units)"),
           60, 40, 78, Column::listed},
    Column{"test_mse", &ResultRow::test_mse, Role::error, Source::test(&SplitMetrics::mse),
           CASP_TEXT("Test MSE"), "MSE", "scaled",
           CASP_TEXT(
               "Mean squared error on the test split, scaled units (collections of series: original units)"),
           10, 50, 72, Column::main | Column::on_terminal | Column::listed},
    Column{"test_mae", &ResultRow::test_mae, Role::error, Source::test(&SplitMetrics::mae),
           CASP_TEXT("Test MAE"), "MAE", "scaled",
           CASP_TEXT(
               "Mean absolute error on the test split, scaled units (collections of series: original units)"),
           20, 60, 72, Column::main | Column::on_terminal | Column::listed},
    Column{"last_value_mse", &ResultRow::last_value_mse, Role::error,
           Source::test(&SplitMetrics::last_value_mse), CASP_TEXT("Persistence MSE"), "", "scaled",
           CASP_TEXT("Test MSE of the persistence forecast, which repeats the last value of the look-back; "
                     "any model should beat it"),
           150, 100, 124, Column::on_terminal},
    Column{"usage_entropy", &ResultRow::usage_entropy, Role::anchors,
           Source::test(&SplitMetrics::usage_entropy), CASP_TEXT("Usage entropy"), CASP_TEXT("Entropy"),
           "nats", CASP_TEXT("Entropy of anchor usage over the test windows, in nats"), 80, 110, 76,
           Column::on_terminal | Column::listed, "usage entropy over the test windows (nats)"},
    Column{"distinct_anchors", &ResultRow::distinct_anchors, Role::anchors,
           Source::test(&SplitMetrics::distinct_anchors), CASP_TEXT("Distinct anchors"), CASP_TEXT("Anchors"),
           "", CASP_TEXT("Distinct anchors used over the test windows"), 100, 120, 76, 0,
           "number of distinct anchors retrieved over the test windows"},
    Column{"key_cosine", &ResultRow::key_cosine, Role::anchors, Source::test(&SplitMetrics::key_cosine),
           CASP_TEXT("Key cosine"), "", "",
           CASP_TEXT(
               "Mean pairwise cosine of the K anchors retrieved for a window; 1: the anchors are redundant"),
           110, 130, 92, Column::on_terminal | Column::can_be_zero | Column::listed,
           "mean pairwise cosine of the retrieved keys"},
    Column{"seconds", &ResultRow::seconds, Role::cost, Source(), CASP_TEXT("Time"), "", "s",
           CASP_TEXT("Wall time of training and evaluation"), 130, 180, 96,
           Column::only_run_json | Column::varies | Column::listed, "training and evaluation time (s)"},
    Column{"backbone", &ResultRow::backbone, Role::label, Source::file(&RunAttributes::backbone),
           CASP_TEXT("Backbone"), "", "",
           CASP_TEXT("Origin of the frozen GPT-2 weights; results of an untrained backbone prove nothing "
                     "about the method"),
           0, 140, 110, Column::listed},
    Column{"case", &ResultRow::case_label, Role::label, Source(), "", "", "", "", 0, 0, 0,
           Column::later | Column::every_csv},
    Column{"peak_memory", &ResultRow::peak_memory, Role::cost, Source(), CASP_TEXT("Peak memory"), "", "GiB",
           CASP_TEXT("Largest memory seen between two steps or evaluations: of the process, or what the run "
                     "holds of the GPU"),
           140, 200, 96, Column::later | Column::bytes | Column::only_run_json | Column::varies},
    Column{"test_smape", &ResultRow::test_smape, Role::score, Source::test(&SplitMetrics::smape),
           CASP_TEXT("Test sMAPE"), "sMAPE", "%",
           CASP_TEXT("Mean sMAPE over the series of a collection, in per cent"), 30, 70, 72,
           Column::later | Column::main | Column::on_terminal | Column::listed},
    Column{"test_mase", &ResultRow::test_mase, Role::score, Source::test(&SplitMetrics::mase),
           CASP_TEXT("Test MASE"), "MASE", "", CASP_TEXT("Mean MASE over the series of a collection"), 40, 80,
           72, Column::later | Column::main | Column::on_terminal | Column::listed},
    Column{"test_owa", &ResultRow::test_owa, Role::score, Source::test(&SplitMetrics::owa),
           CASP_TEXT("Test OWA"), "OWA", "Naive2: 1",
           CASP_TEXT(
               "Overall weighted average of sMAPE and MASE relative to Naive2; below 1: better than Naive2"),
           50, 90, 72, Column::later | Column::main | Column::on_terminal | Column::listed},
    Column{"val_smape", &ResultRow::val_smape, Role::score, Source::val(&SplitMetrics::smape), "", "", "", "",
           0, 0, 0, Column::later},
    Column{"precision", &ResultRow::precision, Role::label, Source::file(&RunAttributes::precision),
           CASP_TEXT("Precision"), "", "", CASP_TEXT("Precision of matrix products: fp32, tf32 or bf16"), 0,
           190, 74, Column::later | Column::where_known},
    Column{"device", &ResultRow::device, Role::label, Source::file(&RunAttributes::device),
           CASP_TEXT("Device"), "", "", CASP_TEXT("Device that trained the run: cpu, cuda:0, …"), 0, 210, 70,
           Column::later | Column::where_known | Column::varies},
    Column{"test_mse_shuffled", &ResultRow::test_mse_shuffled, Role::error,
           Source::test(&SplitMetrics::shuffled_mse), CASP_TEXT("Test MSE, shuffled"), "", "scaled",
           CASP_TEXT("Test MSE with the rows of every look-back in random order (run.lookback_checks)"), 152,
           0, 0, Column::later | Column::where_known},
    Column{"test_mse_masked", &ResultRow::test_mse_masked, Role::error,
           Source::test(&SplitMetrics::masked_mse), CASP_TEXT("Test MSE, half masked"), "", "scaled",
           CASP_TEXT(
               "Test MSE with half of the rows of every look-back, drawn at random, set to the training mean "
               "(run.lookback_checks)"),
           154, 0, 0, Column::later | Column::where_known},
    Column{"test_mse_exchanged", &ResultRow::test_mse_exchanged, Role::error,
           Source::test(&SplitMetrics::exchanged_mse), CASP_TEXT("Test MSE, halves exchanged"), "", "scaled",
           CASP_TEXT("Test MSE with the two halves of every look-back exchanged (run.lookback_checks)"), 156,
           0, 0, Column::later | Column::where_known},
    Column{
        "key_cosine_union", &ResultRow::key_cosine_union, Role::anchors,
        Source::test(&SplitMetrics::union_key_cosine), CASP_TEXT("Key cosine, all windows"), "", "",
        CASP_TEXT("Mean pairwise cosine of all anchors retrieved for any test window; the key cosine is the "
                  "mean over windows of the same over the K anchors of each"),
        112, 0, 0, Column::later | Column::where_known | Column::can_be_zero,
        "mean pairwise cosine of all keys retrieved for any window"}};

/// Metrics that only run.h5 has. Compare reads them from there, and names them so in its tables.
inline constexpr std::array run_file_metrics{
    Column{"persistence_mae", &ResultRow::last_value_mae, Role::error,
           Source::test(&SplitMetrics::last_value_mae)},
    Column{"validation_mae", &ResultRow::val_mae, Role::error, Source::val(&SplitMetrics::mae),
           CASP_TEXT("Validation MAE"), "", "scaled", "", 70},
    Column{"validation_usage_entropy", &ResultRow::val_usage_entropy, Role::anchors,
           Source::val(&SplitMetrics::usage_entropy), CASP_TEXT("Validation usage entropy"), "", "nats", "",
           90},
    Column{"validation_key_cosine", &ResultRow::val_key_cosine, Role::anchors,
           Source::val(&SplitMetrics::key_cosine), CASP_TEXT("Validation key cosine"), "", "", "", 120, 0, 0,
           Column::can_be_zero}};

}  // namespace columns_of_results

using columns_of_results::run_file_metrics;
inline constexpr auto& result_columns = columns_of_results::columns;

/// A column of either table by its name; null: there is none.
[[nodiscard]] constexpr const ResultColumn* find_column(std::string_view name) {
    for (const auto& column : result_columns)
        if (name == column.name) return &column;
    for (const auto& column : run_file_metrics)
        if (name == column.name) return &column;
    return nullptr;
}

/// Calls `visit` with a reference to the row's value in the column.
template <class Row, class Visit>
decltype(auto) visit_value(Row& row, const ResultColumn& column, Visit&& visit) {
    return std::visit([&](auto member) -> decltype(auto) { return visit(row.*member); }, column.member);
}

/// A number, also a count; NaN: unknown, or no number.
[[nodiscard]] double number_in(const ResultRow& row, const ResultColumn& column);
/// Whether the row has a value: a text that is not empty, a number, a count that is not negative.
[[nodiscard]] bool is_known(const ResultRow& row, const ResultColumn& column);
/// Makes the value unknown.
void forget(ResultRow& row, const ResultColumn& column);
/// A row's text in results.csv: all digits; empty for unknown counts.
[[nodiscard]] std::string exact_text(const ResultRow& row, const ResultColumn& column);
/// A row's text in tables for people: four significant digits of results, "–" for unknown ones.
[[nodiscard]] std::string short_text(const ResultRow& row, const ResultColumn& column);
/// Sets a value from its text in results.csv. Other texts are ignored.
void set_from_text(ResultRow& row, const ResultColumn& column, const std::string& text);
/// Whether the rows have equal values in all columns and equal swept settings.
[[nodiscard]] bool equal_rows(const ResultRow& a, const ResultRow& b);

/// Whether the row has the scores of a collection of series.
[[nodiscard]] bool has_scores(const ResultRow& row);

/// Columns with real(), in their order: what runs can be compared by and cells have statistics of.
[[nodiscard]] const std::vector<const ResultColumn*>& metric_columns();

/// Column for a swept key: "loss.lambda_cov" -> "lambda_cov"; the key itself if it has no column.
[[nodiscard]] std::string column_for_key(const std::string& key);

/// The title within a sentence: "test MSE".
[[nodiscard]] std::string title_in_sentence(const ResultColumn& column);
/// "test MSE (scaled)".
[[nodiscard]] std::string axis_title(const ResultColumn& column);

}  // namespace casp::store
