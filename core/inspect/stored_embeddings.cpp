#include "inspect/stored_embeddings.h"

#include <algorithm>

#include <torch/torch.h>

#include "inspect/append.h"
#include "inspect/window_embeddings.h"
#include "model/anchor_pool.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/is_there.h"
#include "util/memory.h"

namespace casp::inspect {

namespace {

namespace fs = std::filesystem;

/// Position of one moment's arrays in the file.
struct Place {
    fs::path file;
    std::string split, moment;
    [[nodiscard]] std::string group() const { return "/embedding/" + split + "/" + moment; }
    [[nodiscard]] std::string text() const { return file.string() + ":" + group(); }
};

/// Name under which `object` of a moment is stored: its step; for the best weights "best", or their step if
/// it was stored before the run finished. Empty: not stored.
std::string moment_with(const store::Hdf5File& file, const fs::path& run, const std::string& split,
                        std::optional<std::int64_t> at_step, const std::string& object) {
    const auto moments = "/embedding/" + split;
    const auto holds = [&](const std::string& moment) {
        return file.exists(moments + "/" + moment + "/" + object);
    };
    if (at_step) {
        auto moment = std::to_string(*at_step);
        return holds(moment) ? moment : std::string();
    }
    if (holds("best")) return "best";
    if (!file.exists(moments)) return {};
    const auto known = file.children(moments);
    const store::RunFolder folder(run);
    if (std::none_of(known.begin(), known.end(), holds) || !fs::exists(folder.run_file())) return {};
    auto step = std::to_string(store::read_run_file(folder.run_file()).attributes.best_step);
    return holds(step) ? step : std::string();
}

/// Numbers in a data set; 0: no such data set. Clamped, far above any memory size, for damaged files.
std::int64_t numbers_in(const store::Hdf5File& file, const std::string& dataset) {
    if (!file.exists(dataset)) return 0;
    double count = 1;
    for (const auto size : file.shape_of(dataset)) count *= static_cast<double>(size);
    return static_cast<std::int64_t>(std::min(count, 1e15));
}

std::int64_t rows_in(const store::Hdf5File& file, const std::string& dataset) {
    if (!file.exists(dataset)) return 0;
    const auto shape = file.shape_of(dataset);
    return shape.empty() ? 0 : std::min<std::int64_t>(shape[0], 1'000'000'000'000);
}

/// Memory for reading, from the shapes in the file.
EmbeddingSize stored_size(const store::Hdf5File& file, const Place& place,
                          const store::ForecastArrays& forecast) {
    const auto group = place.group(), forecasts = "/forecast/" + place.split;
    EmbeddingSize size;
    const auto listed = rows_in(file, group + "/channels");
    size.channels = listed > 0 ? listed : std::max<std::int64_t>(1, forecast.channels);
    const auto windows = rows_in(file, group + "/windows");
    size.windows = windows > 0 ? windows : rows_in(file, group + "/series") / size.channels;
    for (const char* values : {"/anchors", "/series", "/prompt"})
        size.bytes += 4 * numbers_in(file, group + values);
    size.bytes += 4 * numbers_in(file, "/similarity/" + place.split + "/" + place.moment);
    // For all windows, and again for these.
    for (const char* values : {"/mse", "/mae", "/selected"})
        size.bytes += 8 * numbers_in(file, forecasts + values);
    // Per point of the principal components: three coordinates, kind and row.
    const auto points = rows_in(file, group + "/anchors") + rows_in(file, group + "/series") +
                        rows_in(file, group + "/prompt");
    size.bytes += 4 * 5 * points;
    return size;
}

void check_memory_for(const EmbeddingSize& size, const Place& place) {
    check_memory(size, available_memory(), place.text(), [](std::int64_t fitting) {
        const std::string free = "Close other programs to free memory";
        return fitting > 0 ? Phrase(
                                 "%1, or compute the embeddings of at most %2 windows instead of reading the "
                                 "stored ones.",
                                 free, fitting)
                           : Phrase("%1.", free);
    });
}

/// Adds errors and selections of the rows from the stored forecasts of the split.
void add_forecast(store::Embeddings& v, const store::Hdf5File& file, const store::ForecastArrays& shape) {
    const auto group = "/forecast/" + v.split;
    const auto all_start = file.read<std::int64_t>(group + "/start", {shape.windows});
    const auto all_mse = file.read<float>(group + "/mse", {shape.windows, shape.channels});
    const auto all_mae = file.read<float>(group + "/mae", {shape.windows, shape.channels});
    std::vector<std::int32_t> all_selected;
    if (shape.top_k > 0)
        all_selected =
            file.read<std::int32_t>(group + "/selected", {shape.windows, shape.channels, shape.top_k});
    v.top_k = shape.top_k;
    const auto k = static_cast<std::size_t>(shape.top_k), m = static_cast<std::size_t>(shape.channels);
    v.start.clear();
    for (const auto window : v.windows) {
        if (window < 0 || window >= shape.windows)
            throw input_error(file.path().string() + ":/embedding/" + v.split,
                              Phrase("there is no window %1", window),
                              Phrase("numbers below %1", shape.windows));
        v.start.push_back(all_start[static_cast<std::size_t>(window)]);
        for (const auto channel : v.channels) {
            if (channel < 0 || channel >= shape.channels)
                throw input_error(file.path().string() + ":/embedding/" + v.split,
                                  Phrase("there is no channel %1", channel),
                                  Phrase("numbers below %1", shape.channels));
            const auto row = static_cast<std::size_t>(window) * m + static_cast<std::size_t>(channel);
            v.mse.push_back(all_mse[row]);
            v.mae.push_back(all_mae[row]);
            if (k > 0)
                v.retrieved.insert(v.retrieved.end(),
                                   all_selected.begin() + static_cast<std::ptrdiff_t>(row * k),
                                   all_selected.begin() + static_cast<std::ptrdiff_t>((row + 1) * k));
        }
    }
}

/// The rows of a file that lists none: all of the split.
void complete_rows(store::Embeddings& v, const store::ForecastArrays& forecast, const Place& place) {
    const auto rows = v.rows;
    if (v.channels.empty())
        for (std::int64_t c = 0; c < forecast.channels; ++c) v.channels.push_back(c);
    if (v.channels.empty())
        throw input_error(place.text(), "the channels of its rows are not stored", {},
                          "Compute the embeddings again.");
    const auto m = static_cast<std::int64_t>(v.channels.size());
    if (v.windows.empty())
        for (std::int64_t w = 0; w < rows / m; ++w) v.windows.push_back(w);
    v.rows = static_cast<std::int64_t>(v.windows.size()) * m;
    if (v.rows == 0 || rows != v.rows)
        throw input_error(place.text() + "/series", Phrase("%1 rows", rows),
                          Phrase("%1 (windows × channels)", v.rows), "Compute the embeddings again.");
    v.windows_total = forecast.channels > 0 ? forecast.windows : static_cast<std::int64_t>(v.windows.size());
    v.channels_total = forecast.channels > 0 ? forecast.channels : m;
}

/// Omits similarities of other rows, as when the run stored them before the embeddings.
void add_similarity(store::Embeddings& v, const store::Hdf5File& file, const Place& place) {
    const auto dataset = "/similarity/" + place.split + "/" + place.moment;
    if (file.exists(dataset) && file.shape_of(dataset) == store::Shape{v.rows, v.pool_size})
        v.similarity = store::read_similarity(place.file, place.split, place.moment).values;
}

}  // namespace

std::optional<store::Embeddings> read_stored_embeddings(const fs::path& run, const std::string& split,
                                                        std::optional<std::int64_t> step,
                                                        const std::stop_token& stop) {
    Place place{run / "arrays.h5", split, {}};
    if (!is_there(place.file)) return std::nullopt;
    const auto file = store::Hdf5File::open(place.file);
    place.moment = moment_with(file, run, split, step, "series");
    if (place.moment.empty()) return std::nullopt;
    store::ForecastArrays forecast;
    if (file.exists("/forecast/" + split + "/mse")) forecast = store::read_forecast_shape(place.file, split);
    check_memory_for(stored_size(file, place, forecast), place);

    auto v = store::read_embedding(place.file, split, place.moment);
    if (!v.has_vectors()) return std::nullopt;
    if (!step) v.weights = "best";
    complete_rows(v, forecast, place);
    // Forecasts are stored for the best weights only.
    if (forecast.channels > 0 && !step) add_forecast(v, file, forecast);
    if (stop.stop_requested()) throw Cancelled();
    add_similarity(v, file, place);
    if (!v.retrieved.empty()) (void)v.count_usage();
    if (!v.fits(v.pca)) v.pca = {};
    v.tsne = {};
    return v;
}

store::EmbeddingLayout read_stored_tsne(const fs::path& run, const std::string& split,
                                        std::optional<std::int64_t> step) {
    const auto file = run / "arrays.h5";
    if (!is_there(file)) return {};
    const auto moment = moment_with(store::Hdf5File::open(file), run, split, step, "tsne");
    return moment.empty() ? store::EmbeddingLayout() : store::read_layout(file, split, moment, "tsne");
}

std::vector<float> cosines_of(const store::Embeddings& embeddings) {
    const torch::NoGradGuard no_gradient;
    const auto d = embeddings.dimension;
    const auto unit = [&](const std::vector<float>& values) {
        return model::l2_normalise(
            at::from_blob(const_cast<float*>(values.data()), {std::ssize(values) / d, d}, at::kFloat));
    };
    std::vector<float> values;
    append(values, model::anchor_similarity(unit(embeddings.series), unit(embeddings.anchors)));
    return values;
}

}  // namespace casp::inspect
