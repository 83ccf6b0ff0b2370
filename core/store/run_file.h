#pragma once
// Reading and writing of run.h5 and arrays.h5 (layout: docs/run-file.md).
//
// Both are written under a temporary name, flushed and renamed, so that readers always open a complete file,
// even after a kill. All functions are thread-safe; HDF5 calls are serialised.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_record.h"

namespace casp::store {

inline constexpr std::int64_t run_format_version = 1;

/// Current time as ISO 8601 UTC, "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// Replaces `run_folder`/run.h5 by `record`, with external links to the groups of arrays.h5 if that file
/// exists (so write arrays.h5 first). Throws std::invalid_argument if related vectors differ in length, and a
/// run Error if the file cannot be written (the previous file is then kept).
void write_run_file(const std::filesystem::path& run_folder, const RunRecord& record);

/// Reads run.h5; `file` is its path. Data sets and attributes that the run has not reached yet remain empty.
/// Throws an input Error if the file is missing, truncated, not HDF5, damaged (checksums), written by a newer
/// version, or has an unexpected layout (data set, found and expected type or shape).
[[nodiscard]] RunRecord read_run_file(const std::filesystem::path& file);
/// Its attributes alone, which takes a fraction of the time. Throws as read_run_file(), but for the layout.
[[nodiscard]] RunAttributes read_run_attributes(const std::filesystem::path& file);

/// Incremental writer of arrays.h5, for forecasts larger than memory. The file appears on finish();
/// destruction without finish() removes the temporary file. One thread at a time.
///
///     ArraysWriter arrays(run_folder);
///     arrays.begin_forecast("test", H, M, K);
///     for (...) arrays.append_forecast("test", n, prediction, truth, mse, mae, start, retrieved);
///     arrays.finish();
///     write_run_file(run_folder, record);   // makes the links
class ArraysWriter {
public:
    explicit ArraysWriter(const std::filesystem::path& run_folder);
    /// Starts with the content of the existing arrays.h5, if any, copied chunk by chunk as stored, except the
    /// groups and data sets in `replaced` ("/similarity/test/best"). Of the groups in `replaced_sets`
    /// ("/embedding/test/best"), only layouts are copied, since they describe their own rows. finish()
    /// replaces the file. The caller holds the run's lock. Throws an input Error if the existing file cannot
    /// be read.
    ArraysWriter(const std::filesystem::path& run_folder, const std::vector<std::string>& replaced,
                 const std::vector<std::string>& replaced_sets = {});
    ~ArraysWriter();
    ArraysWriter(const ArraysWriter&) = delete;
    ArraysWriter& operator=(const ArraysWriter&) = delete;

    /// Creates the data sets of `/forecast/<split>` with 0 windows. top_k = 0: no `selected`.
    /// `float64`: of prediction and truth.
    void begin_forecast(std::string_view split, std::int64_t horizon, std::int64_t channels,
                        std::int64_t top_k, bool float64 = false);

    /// Appends n = `windows` windows in file order: prediction and truth [n, H, M], mse and mae [n, M], start
    /// [n], retrieved [n, M, K]. Throws std::invalid_argument for a wrong length.
    void append_forecast(std::string_view split, std::int64_t windows, std::span<const float> prediction,
                         std::span<const float> truth, std::span<const float> mse, std::span<const float> mae,
                         std::span<const std::int64_t> start, std::span<const std::int32_t> retrieved);
    /// The same where begin_forecast() was told float64.
    void append_forecast_float64(std::string_view split, std::int64_t windows,
                                 std::span<const double> prediction, std::span<const double> truth,
                                 std::span<const float> mse, std::span<const float> mae,
                                 std::span<const std::int64_t> start,
                                 std::span<const std::int32_t> retrieved);

    /// Writes `/forecast/<split>/{series,smape,mase}` of a collection: [series] ids and scores.
    void write_series(std::string_view split, const std::vector<std::string>& ids,
                      const SeriesScores& scores);

    /// Creates `/embedding/<split>/<at>` with `anchors` [V', d] and empty `series` and `prompt`. `at`: "best"
    /// or a step.
    void begin_embedding(std::string_view split, std::string_view at, std::int64_t pool_size,
                         std::int64_t dimension, std::span<const float> anchors);
    /// Appends rows of `series`, [rows, d] or per patch [rows x patches, d], and of `prompt`, [rows, d];
    /// `prompt` may be empty in every call.
    void append_embedding(std::string_view split, std::string_view at, std::span<const float> series,
                          std::span<const float> prompt);
    /// Records the rows of the set if they are not the whole split; `series` has `patches` rows per window
    /// and channel.
    void describe_embedding(std::string_view split, std::string_view at, const Embeddings& rows);
    /// Writes `/embedding/<split>/<at>` from memory, with its tensors and layouts.
    void write_embedding(std::string_view split, std::string_view at, const Embeddings& embeddings);
    /// Writes `/embedding/<split>/<at>/<name>`, name "pca" or "tsne".
    void write_layout(std::string_view split, std::string_view at, std::string_view name,
                      const EmbeddingLayout& layout);

    /// Appends rows [rows, V'] to `/similarity/<split>/<at>`; the first call creates it.
    void append_similarity(std::string_view split, std::string_view at, std::int64_t pool_size,
                           std::int64_t rows, std::span<const float> values);

    /// Closes the file, flushes it and renames it to arrays.h5.
    void finish();

private:
    template <class Value>
    void append_windows(std::string_view split, std::int64_t windows, std::span<const Value> prediction,
                        std::span<const Value> truth, std::span<const float> mse, std::span<const float> mae,
                        std::span<const std::int64_t> start, std::span<const std::int32_t> retrieved);

    struct State;
    std::unique_ptr<State> state_;
};

/// Writes arrays.h5 from memory.
void write_arrays_file(const std::filesystem::path& run_folder, const ArraysRecord& record);

/// Sizes of `/forecast/<split>`; its arrays remain empty.
[[nodiscard]] ForecastArrays read_forecast_shape(const std::filesystem::path& arrays_file,
                                                 std::string_view split);

/// Errors of all windows in `/forecast/<split>`.
[[nodiscard]] ForecastErrors read_forecast_errors(const std::filesystem::path& file, std::string_view split);

/// `/forecast/<split>/{smape,mase}`; empty where the run has none.
[[nodiscard]] SeriesScores read_series_scores(const std::filesystem::path& file, std::string_view split);

/// Checks that `errors` belong to the run of `record`, by comparing their mean with the run's metrics if it
/// has them. Throws an input Error about `file` if they differ: arrays.h5 does not identify its run.
void check_same_run(const ForecastErrors& errors, const RunRecord& record, std::string_view split,
                    const std::filesystem::path& file);

/// Windows first .. first + count - 1 of `/forecast/<split>`; count = -1: to the end. Reads only these.
/// `file`: arrays.h5 or run.h5 (through its link). Throws input Errors as read_run_file(), and for a missing
/// split.
[[nodiscard]] ForecastArrays read_forecast(const std::filesystem::path& file, std::string_view split,
                                           std::int64_t first = 0, std::int64_t count = -1);

/// Splits in `/forecast`, in alphabetical order.
[[nodiscard]] std::vector<std::string> forecast_splits(const std::filesystem::path& file);

/// `/embedding/<split>/<at>`, including its stored layouts, which may be of other rows.
[[nodiscard]] Embeddings read_embedding(const std::filesystem::path& file, std::string_view split,
                                        std::string_view at = "best");

/// Values of `wanted` (names and shapes) from `/embedding/<split>/<at>/weights`. Throws an input Error if one
/// is missing or has another shape.
[[nodiscard]] std::vector<NamedArray> read_embedding_weights(const std::filesystem::path& file,
                                                             std::string_view split, std::string_view at,
                                                             std::vector<NamedArray> wanted);

/// Layout "pca" or "tsne" of `/embedding/<split>/<at>`, which may exist without stored embeddings.
[[nodiscard]] EmbeddingLayout read_layout(const std::filesystem::path& file, std::string_view split,
                                          std::string_view at, std::string_view name);

/// Contents of `/embedding`: splits in alphabetical order, within each "best" first, then steps in ascending
/// order.
[[nodiscard]] std::vector<EmbeddingEntry> embedding_entries(const std::filesystem::path& file);

/// Adds the links to run.h5 that are missing for groups added to arrays.h5 later. No effect without run.h5.
/// The caller holds the run's lock.
void link_arrays(const std::filesystem::path& run_folder);

/// Rows first .. first + count - 1 of `/similarity/<split>/<at>`; count = -1: to the end.
[[nodiscard]] SimilarityArray read_similarity(const std::filesystem::path& file, std::string_view split,
                                              std::string_view at = "best", std::int64_t first = 0,
                                              std::int64_t count = -1);

}  // namespace casp::store
