#include "inspect/forecast_export.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "config/experiment.h"
#include "data/npy.h"
#include "data/time_text.h"
#include "store/atomic_file.h"
#include "store/hdf5_file.h"
#include "store/own_file.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::inspect {

namespace {

namespace fs = std::filesystem;

const char* const test_forecasts = "/forecast/test";

/// The stored forecasts of a run, and what describes them.
struct StoredForecasts {
    store::RunRecord record;
    fs::path file;
    store::Hdf5File arrays;
    store::Shape shape;               ///< windows, H, M
    std::vector<std::int64_t> start;  ///< [windows]

    [[nodiscard]] bool is_collection() const { return !record.data.series.empty(); }
};

StoredForecasts open_forecasts(const fs::path& run) {
    const store::RunFolder folder(run);
    if (!fs::exists(folder.run_file()))
        throw input_error(run.string(), "run.h5 is missing", "the folder of a run",
                          "Runs are in the folder of their batch: DIR/NAME/RUN.");
    auto record = store::read_run_file(folder.run_file());
    const auto file = folder.arrays_file();
    if (!store::is_complete(record.attributes.state))
        throw input_error(run.string(), Phrase("the run is %1", store::to_string(record.attributes.state)),
                          "a finished run, which has test forecasts",
                          "Resume it with --batch FILE --resume.");
    const auto none_stored = [](const fs::path& where, const Phrase& found) {
        return input_error(where.string(), found, "a run with stored test forecasts",
                           "Start a run with run.store_forecasts = [\"test\"].");
    };
    if (!fs::exists(file)) throw none_stored(run, "arrays.h5 is missing");
    auto arrays = store::Hdf5File::open(file);
    if (!arrays.exists(test_forecasts)) throw none_stored(file, Phrase("there is no %1", test_forecasts));
    const auto sizes = store::read_forecast_shape(file, "test");
    auto errors = store::read_forecast_errors(file, "test");
    store::check_same_run(errors, record, "test", file);
    return {std::move(record),
            file,
            std::move(arrays),
            {sizes.windows, sizes.horizon, sizes.channels},
            std::move(errors.start)};
}

/// Calls use(first, count) for consecutive windows.
template <class Use>
void each_part(const store::Shape& shape, const ProgressFn& progress, const std::stop_token& stop,
               const Use& use) {
    constexpr std::int64_t values_at_once = std::int64_t{1} << 21;
    const auto windows = shape[0];
    const auto step =
        std::max<std::int64_t>(1, values_at_once / std::max<std::int64_t>(1, shape[1] * shape[2]));
    for (std::int64_t first = 0; first < windows; first += step) {
        throw_if_stopped(stop);
        const auto count = std::min(step, windows - first);
        use(first, count);
        if (progress) progress({Stage::exporting, first + count, windows, "windows"});
    }
}

template <class Value>
std::vector<fs::path> write_arrays(const StoredForecasts& source, const fs::path& folder,
                                   const ProgressFn& progress, const std::stop_token& stop) {
    const NewFolders made(folder);
    store::AtomicFile prediction(folder / "pred.npy"), truth(folder / "true.npy");
    const std::array files{std::pair("/prediction", &prediction), std::pair("/truth", &truth)};
    for (const auto& [name, file] : files) file->write(data::npy_header(source.shape, sizeof(Value)));
    each_part(source.shape, progress, stop, [&](std::int64_t first, std::int64_t count) {
        for (const auto& [name, file] : files) {
            const auto values = source.arrays.read_rows<Value>(std::string(test_forecasts) + name,
                                                               source.shape, first, count);
            file->write(values.data(), values.size() * sizeof(Value));
        }
    });
    for (const auto& [name, file] : files) file->commit();
    return {prediction.destination(), truth.destination()};
}

/// Texts of all rows' times; empty without dates.
std::vector<std::string> time_texts(const std::vector<double>& time) {
    constexpr double day = 86'400;
    const auto is_clock = [](double t) { return t >= 0 && t < day; };
    if (std::all_of(time.begin(), time.end(), is_clock)) return {};  // times of day, or no times
    std::vector<std::string> texts;
    texts.reserve(time.size());
    for (const double t : time) texts.push_back(data::format_time(t));
    // pandas takes the form of the first one for that of all.
    constexpr std::size_t whole_seconds = 19;
    const bool decimals =
        std::any_of(texts.begin(), texts.end(), [](const auto& text) { return text.size() > whole_seconds; });
    for (auto& text : texts) {
        if (text == "?") text.clear();
        if (decimals && text.size() == whole_seconds) text += ".000";
    }
    return texts;
}

/// What `ds` and `cutoff` of a window's rows are.
class RowNames {
public:
    RowNames(const StoredForecasts& source, std::int64_t lookback)
        : source_(source), lookback_(lookback), times_(time_texts(source.record.data.time)) {}

    /// Row of the last look-back value; of a collection the number of training values of the series. Windows
    /// in order.
    std::int64_t cutoff_of(std::int64_t window) {
        constexpr std::int64_t max_rows = std::int64_t{1} << 48;
        const auto start = source_.start[static_cast<std::size_t>(window)];
        const bool plausible = start > -max_rows && start < max_rows;
        const auto end = plausible ? start + lookback_ : 0;
        const auto cutoff = source_.is_collection() ? end - std::exchange(series_end_, end) : end - 1;
        const auto rows = std::ssize(source_.record.data.time);
        if (cutoff < 0 || (rows > 0 && cutoff + source_.shape[1] >= rows))
            throw input_error(Phrase("%1, %2/start[%3]", source_.file.string(), test_forecasts, window),
                              "the window is not within the data set", "a row of the data set",
                              store::damaged_own_file);
        return cutoff;
    }
    void append(std::int64_t row, std::string& text) const {
        if (times_.empty())
            text += std::to_string(row);
        else
            text += times_[static_cast<std::size_t>(row)];
    }

private:
    const StoredForecasts& source_;
    std::int64_t lookback_;
    std::vector<std::string> times_;
    std::int64_t series_end_ = 0;
};

void write_table(const StoredForecasts& source, std::int64_t lookback, const std::string& model,
                 const fs::path& destination, const ProgressFn& progress, const std::stop_token& stop) {
    const auto& about = source.record.data;
    const bool collection = source.is_collection();
    const auto horizon = source.shape[1], channels = source.shape[2];
    const auto names = static_cast<std::int64_t>((collection ? about.series : about.channel_names).size());
    if (names != source.shape[collection ? 0 : 2] || (!collection && std::ssize(about.mean) != names) ||
        about.std.size() != about.mean.size())
        throw input_error(source.file.string() + ", " + test_forecasts,
                          "its windows and channels are not those of run.h5", "those of this run",
                          store::damaged_own_file);
    std::vector<std::string> ids;
    for (const auto& name : collection ? about.series : about.channel_names)
        ids.push_back(store::csv_cell(name) + ',');

    const NewFolders made(destination.parent_path());
    store::AtomicFile file(destination);
    file.write("unique_id,ds,cutoff,y," + store::csv_cell(model) + '\n');
    RowNames rows(source, lookback);
    std::string text;
    each_part(source.shape, progress, stop, [&](std::int64_t first, std::int64_t count) {
        const auto read = [&](const char* name) {
            return source.arrays.read_rows<double>(std::string(test_forecasts) + name, source.shape, first,
                                                   count);
        };
        const auto prediction = read("/prediction"), truth = read("/truth");
        for (std::int64_t w = 0; w < count; ++w) {
            const auto cutoff = rows.cutoff_of(first + w);
            for (std::int64_t m = 0; m < channels; ++m) {
                const auto c = static_cast<std::size_t>(m);
                const double mean = collection ? 0 : about.mean[c], std = collection ? 1 : about.std[c];
                const auto& id = ids[collection ? static_cast<std::size_t>(first + w) : c];
                for (std::int64_t h = 0; h < horizon; ++h) {
                    const auto at = static_cast<std::size_t>((w * horizon + h) * channels + m);
                    text += id;
                    rows.append(cutoff + 1 + h, text);
                    text += ',';
                    rows.append(cutoff, text);
                    text += ',';
                    text += store::shortest(truth[at] * std + mean);
                    text += ',';
                    text += store::shortest(prediction[at] * std + mean);
                    text += '\n';
                }
            }
            file.write(text);
            text.clear();
        }
    });
    file.commit();
}

}  // namespace

ExportedForecasts export_arrays(const fs::path& run, const fs::path& folder, const ProgressFn& progress,
                                const std::stop_token& stop) {
    const auto source = open_forecasts(run);
    const auto write = source.is_collection() ? write_arrays<double> : write_arrays<float>;
    return {source.shape[0], source.shape[1], source.shape[2], write(source, folder, progress, stop)};
}

ExportedForecasts export_table(const fs::path& run, const fs::path& file, const ProgressFn& progress,
                               const std::stop_token& stop) {
    const auto source = open_forecasts(run);
    const store::RunFolder folder(run);
    const auto& toml = source.record.attributes.config;
    const auto config = config::load_text(toml, folder.run_file().string(), {}).base;
    const auto status = store::read_run_status(folder);
    write_table(source, config.data.lookback, status ? status->row.model : config.model.name, file, progress,
                stop);
    return {source.shape[0], source.shape[1], source.shape[2], {file}};
}

}  // namespace casp::inspect
