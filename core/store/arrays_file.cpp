// Writing of arrays.h5 and reading of its forecasts (embeddings: arrays_embedding.cpp).

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>

#include "store/atomic_file.h"
#include "store/hdf5_file.h"
#include "store/own_file.h"
#include "store/run_file.h"
#include "util/error.h"

namespace casp::store {

namespace {

std::string joined(std::string_view group, std::string_view split, std::string_view at = {}) {
    std::string path;
    for (const auto name : {group, split, at})
        if (!name.empty()) path.append("/").append(name);
    return path;
}

std::int64_t rows_of(std::size_t values, std::int64_t width) {
    return width > 0 ? static_cast<std::int64_t>(values) / width : 0;
}

ForecastArrays forecast_shape(const Hdf5File& file, std::string_view split) {
    const auto group = joined("forecast", split);
    file.require(group, Phrase("Start a run with run.store_forecasts = [\"%1\"].", split));
    const auto shape = file.shape_of(group + "/prediction");
    if (shape.size() != 3)
        throw input_error(Phrase("%1, %2/prediction", file.path().string(), group),
                          Phrase("it has %1 dimensions", shape.size()), "[windows, H, M]");
    ForecastArrays arrays;
    arrays.windows = shape[0];
    arrays.horizon = shape[1];
    arrays.channels = shape[2];
    if (file.exists(group + "/selected")) {
        const auto retrieved = file.shape_of(group + "/selected");
        if (retrieved.size() == 3) arrays.top_k = retrieved[2];
    }
    return arrays;
}

/// Writes windows, channels, patches and prefix_only of a set or a layout; nothing if it covers all.
template <class Rows>
void write_rows(Hdf5File& file, const std::string& group, const Rows& rows) {
    if (!rows.windows.empty())
        file.write<std::int64_t>(group + "/windows", rows.windows, {std::ssize(rows.windows)});
    if (!rows.channels.empty())
        file.write<std::int64_t>(group + "/channels", rows.channels, {std::ssize(rows.channels)});
    if (rows.patches > 1) file.set_attribute(group, "patches", rows.patches);
    if (rows.prefix_only) file.set_attribute(group, "prefix_only", std::int64_t{1});
}

/// Copies the content of `group` except `left_out`; creates new parent groups for left-out objects.
void copy_all_but(const Hdf5File& from, Hdf5File& to, const std::string& group,
                  const std::vector<std::string>& left_out) {
    to.copy_attributes_from(from, group);
    for (const auto& name : from.children(group)) {
        const auto object = (group == "/" ? "" : group) + "/" + name;
        const auto is = [&](const std::string& path) { return path == object; };
        const auto is_below = [&](const std::string& path) { return path.starts_with(object + "/"); };
        if (std::any_of(left_out.begin(), left_out.end(), is) || !from.exists(object)) continue;
        if (std::any_of(left_out.begin(), left_out.end(), is_below)) {
            to.make_group(object);
            copy_all_but(from, to, object, left_out);
        } else {
            to.copy_from(from, object);
        }
    }
}

}  // namespace

struct ArraysWriter::State {
    std::filesystem::path destination;
    std::filesystem::path temporary;
    Hdf5File file;
    std::map<std::string, ForecastArrays> forecasts;  // shapes, without values
    std::map<std::string, std::int64_t> dimensions;   // of embeddings and similarities, by path

    explicit State(const std::filesystem::path& folder)
        : destination(folder / "arrays.h5"),
          temporary(temporary_name_for(destination)),
          file(Hdf5File::create(temporary)) {}
};

ArraysWriter::ArraysWriter(const std::filesystem::path& run_folder)
    : state_(std::make_unique<State>(run_folder)) {}

ArraysWriter::ArraysWriter(const std::filesystem::path& run_folder, const std::vector<std::string>& replaced,
                           const std::vector<std::string>& replaced_sets)
    : ArraysWriter(run_folder) {
    if (!std::filesystem::exists(state_->destination)) return;
    const auto former = Hdf5File::open(state_->destination);
    auto left_out = replaced;
    left_out.insert(left_out.end(), replaced_sets.begin(), replaced_sets.end());
    copy_all_but(former, state_->file, "/", left_out);
    for (const auto& set : replaced_sets)
        for (const char* layout : {"/pca", "/tsne"})
            if (former.exists(set + layout)) state_->file.copy_from(former, set + layout);
}

ArraysWriter::~ArraysWriter() {
    const auto temporary = state_->temporary;
    state_.reset();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
}

void ArraysWriter::begin_forecast(std::string_view split, std::int64_t horizon, std::int64_t channels,
                                  std::int64_t top_k, bool float64) {
    const auto group = joined("forecast", split);
    auto& file = state_->file;
    for (const char* name : {"/prediction", "/truth"}) {
        if (float64)
            file.make_growing<double>(group + name, {horizon, channels});
        else
            file.make_growing<float>(group + name, {horizon, channels});
    }
    file.make_growing<float>(group + "/mse", {channels});
    file.make_growing<float>(group + "/mae", {channels});
    file.make_growing<std::int64_t>(group + "/start", {});
    if (top_k > 0) file.make_growing<std::int32_t>(group + "/selected", {channels, top_k});
    ForecastArrays shape;
    shape.horizon = horizon;
    shape.channels = channels;
    shape.top_k = top_k;
    state_->forecasts[group] = shape;
}

void ArraysWriter::append_forecast(std::string_view split, std::int64_t windows,
                                   std::span<const float> prediction, std::span<const float> truth,
                                   std::span<const float> mse, std::span<const float> mae,
                                   std::span<const std::int64_t> start,
                                   std::span<const std::int32_t> retrieved) {
    append_windows(split, windows, prediction, truth, mse, mae, start, retrieved);
}

void ArraysWriter::append_forecast_float64(std::string_view split, std::int64_t windows,
                                           std::span<const double> prediction, std::span<const double> truth,
                                           std::span<const float> mse, std::span<const float> mae,
                                           std::span<const std::int64_t> start,
                                           std::span<const std::int32_t> retrieved) {
    append_windows(split, windows, prediction, truth, mse, mae, start, retrieved);
}

template <class Value>
void ArraysWriter::append_windows(std::string_view split, std::int64_t windows,
                                  std::span<const Value> prediction, std::span<const Value> truth,
                                  std::span<const float> mse, std::span<const float> mae,
                                  std::span<const std::int64_t> start,
                                  std::span<const std::int32_t> retrieved) {
    const auto group = joined("forecast", split);
    const auto found = state_->forecasts.find(group);
    if (found == state_->forecasts.end()) throw std::invalid_argument(group + " was not begun");
    // Check all lengths before writing, so that all data sets keep equal length.
    const auto& shape = found->second;
    const auto n = static_cast<std::size_t>(windows);
    const auto channels = static_cast<std::size_t>(shape.channels);
    const auto values = n * channels * static_cast<std::size_t>(shape.horizon);
    if (windows < 0 || prediction.size() != values || truth.size() != values || mse.size() != n * channels ||
        mae.size() != n * channels || start.size() != n ||
        retrieved.size() != n * channels * static_cast<std::size_t>(shape.top_k))
        throw std::invalid_argument(group + ": arrays of wrong length for " + std::to_string(windows) +
                                    " windows");
    auto& file = state_->file;
    file.append<Value>(group + "/prediction", windows, prediction);
    file.append<Value>(group + "/truth", windows, truth);
    file.append<float>(group + "/mse", windows, mse);
    file.append<float>(group + "/mae", windows, mae);
    file.append<std::int64_t>(group + "/start", windows, start);
    if (shape.top_k > 0) file.append<std::int32_t>(group + "/selected", windows, retrieved);
}

void ArraysWriter::write_series(std::string_view split, const std::vector<std::string>& ids,
                                const SeriesScores& scores) {
    const auto group = joined("forecast", split);
    state_->file.write_strings(group + "/series", ids);
    state_->file.write<double>(group + "/smape", scores.smape, {std::ssize(scores.smape)});
    state_->file.write<double>(group + "/mase", scores.mase, {std::ssize(scores.mase)});
}

void ArraysWriter::begin_embedding(std::string_view split, std::string_view at, std::int64_t pool_size,
                                   std::int64_t dimension, std::span<const float> anchors) {
    const auto group = joined("embedding", split, at);
    state_->file.write<float>(group + "/anchors", anchors, {pool_size, dimension});
    state_->file.make_growing<float>(group + "/series", {dimension});
    state_->file.make_growing<float>(group + "/prompt", {dimension});
    state_->dimensions[group] = dimension;
}

void ArraysWriter::append_embedding(std::string_view split, std::string_view at,
                                    std::span<const float> series, std::span<const float> prompt) {
    const auto group = joined("embedding", split, at);
    const auto width = state_->dimensions.at(group);
    state_->file.append<float>(group + "/series", rows_of(series.size(), width), series);
    if (!prompt.empty()) state_->file.append<float>(group + "/prompt", rows_of(prompt.size(), width), prompt);
}

void ArraysWriter::describe_embedding(std::string_view split, std::string_view at, const Embeddings& rows) {
    const auto group = joined("embedding", split, at);
    write_rows(state_->file, group, rows);
    if (!rows.start.empty())
        state_->file.write<std::int64_t>(group + "/start", rows.start, {std::ssize(rows.start)});
}

void ArraysWriter::write_embedding(std::string_view split, std::string_view at, const Embeddings& e) {
    begin_embedding(split, at, rows_of(e.anchors.size(), e.dimension), e.dimension, e.anchors);
    append_embedding(split, at, e.series, e.prompt);
    describe_embedding(split, at, e);
    for (const auto& tensor : e.tensors)
        state_->file.write<float>(joined("embedding", split, at) + "/weights/" + tensor.name, tensor.values,
                                  tensor.shape);
    if (!e.pca.empty()) write_layout(split, at, "pca", e.pca);
    if (!e.tsne.empty()) write_layout(split, at, "tsne", e.tsne);
}

void ArraysWriter::write_layout(std::string_view split, std::string_view at, std::string_view name,
                                const EmbeddingLayout& layout) {
    const auto group = joined("embedding", split, at) + "/" + std::string(name);
    auto& file = state_->file;
    const auto rows = static_cast<std::int64_t>(layout.kind.size());
    file.write<float>(group + "/points", layout.points, {rows, layout.components});
    file.write<std::int32_t>(group + "/kind", layout.kind, {rows});
    file.write<std::int32_t>(group + "/row", layout.row, {rows});
    if (!layout.variance_ratio.empty())
        file.write<double>(group + "/variance_ratio", layout.variance_ratio, {3, layout.components});
    if (!layout.explained.empty())
        file.write<double>(group + "/explained", layout.explained, {layout.components});
    write_rows(file, group, layout);
    if (!std::isnan(layout.kl)) {
        file.set_attribute(group, "kl", layout.kl);
        file.set_attribute(group, "perplexity", layout.perplexity);
        file.set_attribute(group, "iterations", layout.iterations);
        file.set_attribute(group, "seed", layout.seed);
    }
    if (layout.common_runs > 1) {
        file.set_attribute(group, "common_runs", layout.common_runs);
        file.set_attribute(group, "common_points", layout.common_points);
    }
}

void ArraysWriter::append_similarity(std::string_view split, std::string_view at, std::int64_t pool_size,
                                     std::int64_t rows, std::span<const float> values) {
    const auto dataset = joined("similarity", split, at);
    if (state_->dimensions.emplace(dataset, pool_size).second)
        state_->file.make_growing<float>(dataset, {pool_size});
    state_->file.append<float>(dataset, rows, values);
}

void ArraysWriter::finish() {
    state_->file.close();
    commit_file(state_->temporary, state_->destination);
}

void write_arrays_file(const std::filesystem::path& run_folder, const ArraysRecord& record) {
    ArraysWriter writer(run_folder);
    for (const auto& [split, arrays] : record.forecast) {
        writer.begin_forecast(split, arrays.horizon, arrays.channels, arrays.top_k);
        writer.append_forecast(split, arrays.windows, arrays.prediction, arrays.truth, arrays.mse, arrays.mae,
                               arrays.start, arrays.retrieved);
    }
    for (const auto& [split, moments] : record.embedding)
        for (const auto& [at, embeddings] : moments) writer.write_embedding(split, at, embeddings);
    for (const auto& [split, moments] : record.similarity)
        for (const auto& [at, array] : moments)
            writer.append_similarity(split, at, array.pool_size,
                                     rows_of(array.values.size(), array.pool_size), array.values);
    writer.finish();
}

ForecastArrays read_forecast_shape(const std::filesystem::path& file, std::string_view split) {
    return forecast_shape(Hdf5File::open(file), split);
}

ForecastArrays read_forecast(const std::filesystem::path& path, std::string_view split, std::int64_t first,
                             std::int64_t count) {
    const auto file = Hdf5File::open(path);
    auto arrays = forecast_shape(file, split);
    const auto group = joined("forecast", split);
    const std::int64_t windows = arrays.windows, horizon = arrays.horizon, channels = arrays.channels;
    arrays.prediction =
        file.read_rows<float>(group + "/prediction", {windows, horizon, channels}, first, count);
    arrays.truth = file.read_rows<float>(group + "/truth", {windows, horizon, channels}, first, count);
    arrays.mse = file.read_rows<float>(group + "/mse", {windows, channels}, first, count);
    arrays.mae = file.read_rows<float>(group + "/mae", {windows, channels}, first, count);
    arrays.start = file.read_rows<std::int64_t>(group + "/start", {windows}, first, count);
    if (arrays.top_k > 0)
        arrays.retrieved = file.read_rows<std::int32_t>(group + "/selected",
                                                        {windows, channels, arrays.top_k}, first, count);
    arrays.windows = static_cast<std::int64_t>(arrays.start.size());
    return arrays;
}

ForecastErrors read_forecast_errors(const std::filesystem::path& path, std::string_view split) {
    const auto file = Hdf5File::open(path);
    const auto shape = forecast_shape(file, split);
    const auto group = joined("forecast", split);
    ForecastErrors errors;
    errors.windows = shape.windows;
    errors.channels = shape.channels;
    errors.mse = file.read<float>(group + "/mse", {shape.windows, shape.channels});
    errors.mae = file.read<float>(group + "/mae", {shape.windows, shape.channels});
    errors.start = file.read<std::int64_t>(group + "/start", {shape.windows});
    return errors;
}

SeriesScores read_series_scores(const std::filesystem::path& path, std::string_view split) {
    const auto file = Hdf5File::open(path);
    const auto group = joined("forecast", split);
    if (!file.exists(group + "/smape")) return {};
    const auto windows = forecast_shape(file, split).windows;
    return {file.read<double>(group + "/smape", {windows}), file.read<double>(group + "/mase", {windows})};
}

void check_same_run(const ForecastErrors& errors, const RunRecord& record, std::string_view split,
                    const std::filesystem::path& file) {
    const auto& metrics = split == "val" ? record.val : record.test;
    if (split == "train" || !metrics || !std::isfinite(metrics->mse) || errors.mse.empty()) return;
    const double mean =
        std::accumulate(errors.mse.begin(), errors.mse.end(), 0.0) / static_cast<double>(errors.mse.size());
    // The stored window errors are float32, each rounded by at most 6e-8.
    if (std::abs(mean - metrics->mse) <= 1e-5 * std::abs(metrics->mse)) return;
    throw input_error(file.string() + ", " + joined("forecast", split),
                      Phrase("the mean squared error of its windows is %1, that of the run %2",
                             std::to_string(mean), std::to_string(metrics->mse)),
                      "the forecasts of this run", damaged_own_file);
}

std::vector<std::string> forecast_splits(const std::filesystem::path& path) {
    const auto file = Hdf5File::open(path);
    return file.exists("/forecast") ? file.children("/forecast") : std::vector<std::string>{};
}

}  // namespace casp::store
