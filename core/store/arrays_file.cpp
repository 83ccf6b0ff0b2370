// arrays.h5: writing and reading.

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "store/atomic_file.h"
#include "store/hdf5_file.h"
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

EmbeddingLayout read_layout(const Hdf5File& file, const std::string& group) {
    EmbeddingLayout layout;
    layout.points = file.read<float>(group + "/points", {-1, -1});
    const auto shape = file.shape_of(group + "/points");
    layout.components = shape[1];
    layout.kind = file.read<std::int32_t>(group + "/kind", {shape[0]});
    layout.row = file.read<std::int32_t>(group + "/row", {shape[0]});
    if (file.exists(group + "/variance_ratio"))
        layout.variance_ratio = file.read<double>(group + "/variance_ratio", {3, -1});
    if (file.has_attribute(group, "kl")) {
        layout.kl = file.number_attribute(group, "kl");
        layout.perplexity = file.number_attribute(group, "perplexity");
        layout.iterations = file.integer_attribute(group, "iterations");
        layout.seed = file.integer_attribute(group, "seed");
    }
    return layout;
}

void require(const Hdf5File& file, const std::string& object, const std::string& advice) {
    if (!file.exists(object)) throw input_error(file.path().string(), "there is no " + object, {}, advice);
}

ForecastArrays forecast_shape(const Hdf5File& file, std::string_view split) {
    const auto group = joined("forecast", split);
    require(file, group, "The run must be made with run.store_forecasts = [\"" + std::string(split) + "\"].");
    const auto shape = file.shape_of(group + "/prediction");
    if (shape.size() != 3)
        throw input_error(file.path().string() + ", " + group + "/prediction",
                          "it has " + std::to_string(shape.size()) + " dimensions", "[windows, H, M]");
    ForecastArrays arrays;
    arrays.windows = shape[0];
    arrays.horizon = shape[1];
    arrays.channels = shape[2];
    if (file.exists(group + "/selected")) {
        const auto selected = file.shape_of(group + "/selected");
        if (selected.size() == 3) arrays.top_k = selected[2];
    }
    return arrays;
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

ArraysWriter::~ArraysWriter() {
    const auto temporary = state_->temporary;
    state_.reset();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
}

void ArraysWriter::begin_forecast(std::string_view split, std::int64_t horizon, std::int64_t channels,
                                  std::int64_t top_k) {
    const auto group = joined("forecast", split);
    auto& file = state_->file;
    file.make_growing<float>(group + "/prediction", {horizon, channels});
    file.make_growing<float>(group + "/truth", {horizon, channels});
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
                                   std::span<const std::int32_t> selected) {
    const auto group = joined("forecast", split);
    const auto found = state_->forecasts.find(group);
    if (found == state_->forecasts.end()) throw std::invalid_argument(group + " was not begun");
    // Checked before the first of them is written, so that all grow alike.
    const auto& shape = found->second;
    const auto n = static_cast<std::size_t>(windows);
    const auto channels = static_cast<std::size_t>(shape.channels);
    const auto values = n * channels * static_cast<std::size_t>(shape.horizon);
    if (windows < 0 || prediction.size() != values || truth.size() != values || mse.size() != n * channels ||
        mae.size() != n * channels || start.size() != n ||
        selected.size() != n * channels * static_cast<std::size_t>(shape.top_k))
        throw std::invalid_argument(group + ": arrays of wrong length for " + std::to_string(windows) +
                                    " windows");
    auto& file = state_->file;
    file.append<float>(group + "/prediction", windows, prediction);
    file.append<float>(group + "/truth", windows, truth);
    file.append<float>(group + "/mse", windows, mse);
    file.append<float>(group + "/mae", windows, mae);
    file.append<std::int64_t>(group + "/start", windows, start);
    if (shape.top_k > 0) file.append<std::int32_t>(group + "/selected", windows, selected);
}

void ArraysWriter::begin_embedding(std::string_view split, std::string_view at, std::int64_t pool_size,
                                   std::int64_t dimension, std::span<const float> anchors) {
    const auto group = joined("embedding", split, at);
    state_->file.write<float>(group + "/anchors", anchors, {pool_size, dimension});
    state_->file.make_growing<float>(group + "/series", {dimension});
    state_->file.make_growing<float>(group + "/prompt", {dimension});
    state_->dimensions[group] = dimension;
}

void ArraysWriter::append_embedding(std::string_view split, std::string_view at, std::int64_t rows,
                                    std::span<const float> series, std::span<const float> prompt) {
    const auto group = joined("embedding", split, at);
    state_->file.append<float>(group + "/series", rows, series);
    if (!prompt.empty()) state_->file.append<float>(group + "/prompt", rows, prompt);
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
    if (!std::isnan(layout.kl)) {
        file.set_attribute(group, "kl", layout.kl);
        file.set_attribute(group, "perplexity", layout.perplexity);
        file.set_attribute(group, "iterations", layout.iterations);
        file.set_attribute(group, "seed", layout.seed);
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
                               arrays.start, arrays.selected);
    }
    for (const auto& [split, moments] : record.embedding)
        for (const auto& [at, arrays] : moments) {
            writer.begin_embedding(split, at, rows_of(arrays.anchors.size(), arrays.dimension),
                                   arrays.dimension, arrays.anchors);
            writer.append_embedding(split, at, rows_of(arrays.series.size(), arrays.dimension), arrays.series,
                                    arrays.prompt);
            if (arrays.pca) writer.write_layout(split, at, "pca", *arrays.pca);
            if (arrays.tsne) writer.write_layout(split, at, "tsne", *arrays.tsne);
        }
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
        arrays.selected = file.read_rows<std::int32_t>(group + "/selected", {windows, channels, arrays.top_k},
                                                       first, count);
    arrays.windows = static_cast<std::int64_t>(arrays.start.size());
    return arrays;
}

std::vector<std::string> forecast_splits(const std::filesystem::path& path) {
    const auto file = Hdf5File::open(path);
    return file.exists("/forecast") ? file.children("/forecast") : std::vector<std::string>{};
}

EmbeddingArrays read_embedding(const std::filesystem::path& path, std::string_view split,
                               std::string_view at) {
    const auto file = Hdf5File::open(path);
    const auto group = joined("embedding", split, at);
    require(file, group, "The run must be made with run.store_embeddings = true.");
    EmbeddingArrays arrays;
    arrays.anchors = file.read<float>(group + "/anchors", {-1, -1});
    arrays.dimension = file.shape_of(group + "/anchors")[1];
    arrays.series = file.read<float>(group + "/series", {-1, arrays.dimension});
    arrays.prompt = file.read<float>(group + "/prompt", {-1, arrays.dimension});
    if (file.exists(group + "/pca")) arrays.pca = read_layout(file, group + "/pca");
    if (file.exists(group + "/tsne")) arrays.tsne = read_layout(file, group + "/tsne");
    return arrays;
}

SimilarityArray read_similarity(const std::filesystem::path& path, std::string_view split,
                                std::string_view at, std::int64_t first, std::int64_t count) {
    const auto file = Hdf5File::open(path);
    const auto dataset = joined("similarity", split, at);
    require(file, dataset, "The run must be made with run.store_similarity = true.");
    SimilarityArray array;
    array.values = file.read_rows<float>(dataset, {-1, -1}, first, count);
    array.pool_size = file.shape_of(dataset)[1];
    return array;
}

}  // namespace casp::store
