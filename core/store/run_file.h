#pragma once
// run.h5 and arrays.h5: how a run's results are kept (layout: docs/run-file.md).
//
// Both are written under a temporary name, flushed and renamed: a reader at any moment, also after a kill,
// opens a complete file. All functions may be called from any thread; HDF5 itself is used by one thread at a
// time.

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

/// The present moment as ISO 8601 UTC, "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// Replaces `run_folder`/run.h5 by `record`. External links to the groups of arrays.h5 are made where that
/// file stands beside it (so write arrays.h5 first). Throws std::invalid_argument where vectors that belong
/// together differ in length, a run Error where the file cannot be written (the former file then stays).
void write_run_file(const std::filesystem::path& run_folder, const RunRecord& record);

/// Reads a run.h5 (the file itself). Data sets and attributes that are missing because the run was not that
/// far stay empty. Input Errors: not there, truncated, not HDF5, damaged (checksums), wrong layout (which
/// data set, found and expected type or shape), written by a newer version.
[[nodiscard]] RunRecord read_run_file(const std::filesystem::path& file);

/// Writes arrays.h5 piece by piece, so that forecasts larger than memory can be kept. Nothing appears in the
/// folder before finish(); destruction without it removes the temporary. One thread at a time.
///
///     ArraysWriter arrays(run_folder);
///     arrays.begin_forecast("test", H, M, K);
///     for (...) arrays.append_forecast("test", n, prediction, truth, mse, mae, start, selected);
///     arrays.finish();
///     write_run_file(run_folder, record);   // makes the links
class ArraysWriter {
public:
    explicit ArraysWriter(const std::filesystem::path& run_folder);
    /// Begins with what arrays.h5 holds now (nothing where there is none), as it is stored, chunk by chunk,
    /// but for the groups and data sets in `replaced` ("/similarity/test/best"), and of the groups in
    /// `replaced_sets` ("/embedding/test/best") all but their layouts, which say themselves of which rows
    /// they are. finish() replaces the file. Only for who holds the run's lock. An input Error where the
    /// present file cannot be read.
    ArraysWriter(const std::filesystem::path& run_folder, const std::vector<std::string>& replaced,
                 const std::vector<std::string>& replaced_sets = {});
    ~ArraysWriter();
    ArraysWriter(const ArraysWriter&) = delete;
    ArraysWriter& operator=(const ArraysWriter&) = delete;

    /// Makes the data sets of `/forecast/<split>`, still without windows. top_k = 0: no `selected`.
    void begin_forecast(std::string_view split, std::int64_t horizon, std::int64_t channels,
                        std::int64_t top_k);

    /// Appends `windows` windows in file order: prediction and truth [n, H, M], mse and mae [n, M], start
    /// [n], selected [n, M, K]. Throws std::invalid_argument for a wrong length.
    void append_forecast(std::string_view split, std::int64_t windows, std::span<const float> prediction,
                         std::span<const float> truth, std::span<const float> mse, std::span<const float> mae,
                         std::span<const std::int64_t> start, std::span<const std::int32_t> selected);

    /// `/embedding/<split>/<at>/anchors` [V', d], and empty `series` and `prompt`. `at`: "best" or a step.
    void begin_embedding(std::string_view split, std::string_view at, std::int64_t pool_size,
                         std::int64_t dimension, std::span<const float> anchors);
    /// Appends rows of `series` and `prompt`, both [rows, d]; `prompt` may be empty throughout.
    void append_embedding(std::string_view split, std::string_view at, std::int64_t rows,
                          std::span<const float> series, std::span<const float> prompt);
    /// The two apart, for series of every patch: [rows x patches, d].
    void append_series(std::string_view split, std::string_view at, std::int64_t rows,
                       std::span<const float> series);
    void append_prompt(std::string_view split, std::string_view at, std::int64_t rows,
                       std::span<const float> prompt);
    /// Which rows those are, where not all of the split; `series` has `patches` rows a window and channel.
    void describe_embedding(std::string_view split, std::string_view at, const EmbeddingArrays& rows);
    /// `/embedding/<split>/<at>/weights/<name>` for each.
    void write_weights(std::string_view split, std::string_view at, const std::vector<NamedArray>& weights);
    /// `/embedding/<split>/<at>/<name>`, name "pca" or "tsne".
    void write_layout(std::string_view split, std::string_view at, std::string_view name,
                      const EmbeddingLayout& layout);

    /// Appends rows [rows, V'] to `/similarity/<split>/<at>`, which the first call makes.
    void append_similarity(std::string_view split, std::string_view at, std::int64_t pool_size,
                           std::int64_t rows, std::span<const float> values);

    /// Closes, flushes and renames to arrays.h5.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes arrays.h5 at once.
void write_arrays_file(const std::filesystem::path& run_folder, const ArraysRecord& record);

/// What `/forecast/<split>` holds, without its arrays (those stay empty).
[[nodiscard]] ForecastArrays read_forecast_shape(const std::filesystem::path& arrays_file,
                                                 std::string_view split);

/// Errors of all windows of `/forecast/<split>`.
[[nodiscard]] ForecastErrors read_forecast_errors(const std::filesystem::path& file, std::string_view split);

/// Whether `errors` are of the run that `record` is of: their mean is one of its metrics, where it has them.
/// Throws an input Error about `file` where they are not: an arrays.h5 says nothing of its run.
void check_same_run(const ForecastErrors& errors, const RunRecord& record, std::string_view split,
                    const std::filesystem::path& file);

/// Windows first .. first + count - 1 of `/forecast/<split>`; count = -1: to the end. Reads only these. Opens
/// arrays.h5 or run.h5 (through its link). Input Errors as read_run_file, and for a split that is not there.
[[nodiscard]] ForecastArrays read_forecast(const std::filesystem::path& file, std::string_view split,
                                           std::int64_t first = 0, std::int64_t count = -1);

/// Splits of `/forecast`, in alphabetical order; empty where there are none.
[[nodiscard]] std::vector<std::string> forecast_splits(const std::filesystem::path& file);

/// `/embedding/<split>/<at>` with the layouts that are there.
[[nodiscard]] EmbeddingArrays read_embedding(const std::filesystem::path& file, std::string_view split,
                                             std::string_view at = "best");

/// The values of `wanted` (names and shapes) in `/embedding/<split>/<at>/weights`. An input Error where one
/// is not there or of another shape.
[[nodiscard]] std::vector<NamedArray> read_embedding_weights(const std::filesystem::path& file,
                                                             std::string_view split, std::string_view at,
                                                             std::vector<NamedArray> wanted);

/// One layout of `/embedding/<split>/<at>`: "pca" or "tsne". Embeddings need not be kept beside it.
[[nodiscard]] EmbeddingLayout read_layout(const std::filesystem::path& file, std::string_view split,
                                          std::string_view at, std::string_view name);

/// What there is under `/embedding`: splits in alphabetical order, in each "best" first, then steps
/// ascending.
[[nodiscard]] std::vector<EmbeddingSet> embedding_sets(const std::filesystem::path& file);

/// Gives run.h5 its links to groups that arrays.h5 got after it was written; does nothing where it has them
/// or is not there. Only for who holds the run's lock.
void link_arrays(const std::filesystem::path& run_folder);

/// Rows first .. of `/similarity/<split>/<at>`; count = -1: to the end.
[[nodiscard]] SimilarityArray read_similarity(const std::filesystem::path& file, std::string_view split,
                                              std::string_view at = "best", std::int64_t first = 0,
                                              std::int64_t count = -1);

}  // namespace casp::store
