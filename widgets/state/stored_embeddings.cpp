#include "state/stored_embeddings.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/is_there.h"
#include "util/memory.h"

namespace casp::widgets {

namespace {

namespace fs = std::filesystem;

/// Position of one moment's arrays in the file.
struct Place {
    fs::path file;
    std::string split, at;
    [[nodiscard]] std::string group() const { return "/embedding/" + split + "/" + at; }
    [[nodiscard]] std::string text() const { return file.string() + ":" + group(); }
};

/// Name under which `object` of a moment is stored: its step; for the best weights "best", or their step if
/// it was stored before the run finished. Empty: not stored.
std::string moment_with(const store::Hdf5File& file, const fs::path& run, const EmbeddingMoment& moment,
                        const std::string& object) {
    const auto moments = "/embedding/" + moment.split.toStdString();
    const auto holds = [&](const std::string& at) { return file.exists(moments + "/" + at + "/" + object); };
    if (moment.step) {
        auto at = std::to_string(*moment.step);
        return holds(at) ? at : std::string();
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
inspect::EmbeddingSize size_of(const store::Hdf5File& file, const Place& place,
                               const store::ForecastArrays& forecast) {
    const auto group = place.group(), forecasts = "/forecast/" + place.split;
    inspect::EmbeddingSize size;
    const auto listed = rows_in(file, group + "/channels");
    size.channels = listed > 0 ? listed : std::max<std::int64_t>(1, forecast.channels);
    const auto windows = rows_in(file, group + "/windows");
    size.windows = windows > 0 ? windows : rows_in(file, group + "/series") / size.channels;
    for (const char* values : {"/anchors", "/series", "/prompt"})
        size.bytes += 4 * numbers_in(file, group + values);
    size.bytes += 4 * numbers_in(file, "/similarity/" + place.split + "/" + place.at);
    // For all windows, and again for these.
    for (const char* values : {"/mse", "/mae", "/selected"})
        size.bytes += 8 * numbers_in(file, forecasts + values);
    // Per point of the principal components: three coordinates, kind and row.
    const auto points = rows_in(file, group + "/anchors") + rows_in(file, group + "/series") +
                        rows_in(file, group + "/prompt");
    size.bytes += 4 * (layout_components + 2) * points;
    return size;
}

void check_memory_for(const inspect::EmbeddingSize& size, const Place& place) {
    inspect::check_memory(size, available_memory(), place.text(), [](std::int64_t fitting) {
        const std::string free = "Close other programs to free memory";
        return fitting > 0 ? free + ", or compute the embeddings of at most " + std::to_string(fitting) +
                                 " windows instead of reading the stored ones."
                           : free + ".";
    });
}

/// Adds errors and selections of the rows from the stored forecasts of the split.
void add_forecast(inspect::RunEmbeddings& v, const store::Hdf5File& file,
                  const store::ForecastArrays& shape) {
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
                              "there is no window " + std::to_string(window),
                              "numbers below " + std::to_string(shape.windows));
        v.start.push_back(all_start[static_cast<std::size_t>(window)]);
        for (const auto channel : v.channels) {
            if (channel < 0 || channel >= shape.channels)
                throw input_error(file.path().string() + ":/embedding/" + v.split,
                                  "there is no channel " + std::to_string(channel),
                                  "numbers below " + std::to_string(shape.channels));
            const auto at = static_cast<std::size_t>(window) * m + static_cast<std::size_t>(channel);
            v.mse.push_back(all_mse[at]);
            v.mae.push_back(all_mae[at]);
            if (k > 0)
                v.retrieved.insert(v.retrieved.end(),
                                   all_selected.begin() + static_cast<std::ptrdiff_t>(at * k),
                                   all_selected.begin() + static_cast<std::ptrdiff_t>((at + 1) * k));
        }
    }
}

void take_vectors(inspect::RunEmbeddings& v, store::EmbeddingArrays& arrays) {
    v.dimension = arrays.dimension;
    v.anchors = std::move(arrays.anchors);
    v.series = std::move(arrays.series);
    v.prompt = std::move(arrays.prompt);
    v.pool_size = static_cast<std::int64_t>(v.anchors.size()) / v.dimension;
    v.windows = std::move(arrays.windows);
    v.start = std::move(arrays.start);
    v.channels = std::move(arrays.channels);
    v.patches = std::max<std::int64_t>(1, arrays.patches);
    v.prefix_only = arrays.prefix_only;
}

/// The rows of a file that lists none: all of the split.
void complete_rows(inspect::RunEmbeddings& v, const store::ForecastArrays& forecast, const Place& place) {
    const auto rows = static_cast<std::int64_t>(v.series.size()) / v.dimension / v.patches;
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
        throw input_error(place.text() + "/series", std::to_string(rows) + " rows",
                          std::to_string(v.rows) + " (windows × channels)", "Compute the embeddings again.");
    v.windows_total = forecast.channels > 0 ? forecast.windows : static_cast<std::int64_t>(v.windows.size());
    v.channels_total = forecast.channels > 0 ? forecast.channels : m;
}

/// Omits similarities of other rows, as when the run stored them before the embeddings.
void add_similarity(inspect::RunEmbeddings& v, const store::Hdf5File& file, const Place& place) {
    const auto dataset = "/similarity/" + place.split + "/" + place.at;
    if (file.exists(dataset) && file.shape_of(dataset) == store::Shape{v.rows, v.pool_size})
        v.similarity = store::read_similarity(place.file, place.split, place.at).values;
}

void count_usage(inspect::RunEmbeddings& v) {
    if (v.retrieved.empty()) return;
    v.usage.assign(static_cast<std::size_t>(v.pool_size), 0);
    for (const auto anchor : v.retrieved)
        if (anchor >= 0 && anchor < v.pool_size) ++v.usage[static_cast<std::size_t>(anchor)];
}

/// "952 windows × 21 channels": what to compute for this layout.
QString rows_text(const store::EmbeddingLayout& layout) {
    const auto count = [](const std::vector<std::int64_t>& list, const QString& unit) {
        return (list.empty() ? QStringLiteral("all") : counted(std::ssize(list))) + unit;
    };
    auto text = count(layout.windows, QStringLiteral(" windows × ")) +
                count(layout.channels, QStringLiteral(" channels"));
    if (layout.patches > 1) text += QStringLiteral(" × %1 patches").arg(layout.patches);
    if (layout.prefix_only) text += QStringLiteral(", prefix only");
    return text;
}

}  // namespace

std::shared_ptr<EmbeddingSet> read_stored_embeddings(const QString& run_folder, const EmbeddingMoment& moment,
                                                     const std::stop_token& stop) {
    const fs::path run = run_folder.toStdString();
    Place place{run / "arrays.h5", moment.split.toStdString(), {}};
    if (!is_there(place.file)) return nullptr;
    const auto file = store::Hdf5File::open(place.file);
    place.at = moment_with(file, run, moment, "series");
    if (place.at.empty()) return nullptr;
    store::ForecastArrays forecast;
    if (file.exists("/forecast/" + place.split + "/mse"))
        forecast = store::read_forecast_shape(place.file, place.split);
    check_memory_for(size_of(file, place, forecast), place);

    auto arrays = store::read_embedding(place.file, place.split, place.at);
    if (arrays.dimension <= 0 || arrays.series.empty()) return nullptr;
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = run_folder;
    set->stored = true;
    auto& v = set->values;
    v.split = place.split;
    v.weights = moment.step ? place.at : "best";
    v.step = place.at == "best" ? -1 : std::stoll(place.at);
    take_vectors(v, arrays);
    complete_rows(v, forecast, place);
    // Forecasts are stored for the best weights only.
    if (forecast.channels > 0 && !moment.step) add_forecast(v, file, forecast);
    if (stop.stop_requested()) throw Cancelled();
    add_similarity(v, file, place);
    count_usage(v);
    if (arrays.pca && set->fits(*arrays.pca)) set->pca = std::move(*arrays.pca);
    add_stored_tsne(*set);
    return set;
}

void add_stored_tsne(EmbeddingSet& set) {
    const fs::path run = set.folder.toStdString();
    const auto file = run / "arrays.h5";
    if (!is_there(file)) return;
    const auto at = moment_with(store::Hdf5File::open(file), run, set.moment(), "tsne");
    if (at.empty()) return;
    auto layout = store::read_layout(file, set.values.split, at, "tsne");
    if (set.fits(layout))
        set.tsne = std::move(layout);
    else
        set.other_tsne = rows_text(layout);
}

}  // namespace casp::widgets
