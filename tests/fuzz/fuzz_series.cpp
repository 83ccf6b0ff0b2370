// Collections of series: M4's CSV, one CSV with a row per value, .tsf, JSON lines, NumPy's arrays; the
// registry; forecasts of other code.
#include <cmath>

#include "../npy_array.h"
#include "audit/foreign_forecasts.h"
#include "data/reader.h"
#include "data/series_csv.h"
#include "data/series_whole.h"
#include "fuzz_support.h"

using namespace casp;
using namespace casp::data;

namespace {

void check(const SeriesFile& file) {
    const auto series = file.ids.size();
    fuzz::must(series > 0, "a file has series");
    fuzz::must(file.lines.size() == series && file.offsets.size() == series + 1,
               "a line and a place for each series");
    fuzz::must(file.offsets.back() == std::ssize(file.values), "all values belong to a series");
    for (std::size_t i = 0; i < series; ++i)
        fuzz::must(!file.ids[i].empty() && file.offsets[i] < file.offsets[i + 1],
                   "a series has an id and values");
    for (const double value : file.values) fuzz::must(std::isfinite(value), "series are finite");
}

void check(const SeriesCollection& collection) {
    fuzz::must(
        !collection.frequency.name.empty() && collection.frequency.history > 0 && collection.size() > 0,
        "a collection has a frequency and series");
    fuzz::must(std::ssize(collection.test) == collection.size() * collection.horizon,
               "H test values for each series");
    for (std::int64_t i = 0; i < collection.size(); ++i)
        fuzz::must(collection.length(i) > collection.horizon, "more training values than H");
    for (const auto* values : {&collection.values, &collection.test})
        for (const double value : *values) fuzz::must(std::isfinite(value), "series are finite");
}

void check(const NpyArray& array, std::size_t bytes) {
    std::int64_t values = 1;
    for (const auto extent : array.shape) {
        fuzz::must(extent >= 0, "extents are not negative");
        values *= extent;
    }
    fuzz::must(values == std::ssize(array.values), "as many values as the shape has");
    fuzz::must(array.values.size() <= bytes / 4, "values are in the file");
}

/// Every window of the arrays can be read.
void check(const audit::ForeignForecasts& forecasts) {
    const auto& array = forecasts.prediction;
    fuzz::must(array.windows() > 0 && array.horizon() > 0 && array.channels() > 0, "an array has values");
    std::vector<double> window(static_cast<std::size_t>(array.horizon() * array.channels()));
    for (std::int64_t i = 0; i < array.windows(); ++i) array.read(i, window);
    fuzz::must(forecasts.window_numbers.empty() || std::ssize(forecasts.window_numbers) == array.windows(),
               "a number for each window");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    fuzz::accepts([&] { check(parse_npy(bytes, "fuzz.npy"), size); });
    static fuzz::MemoryFile memory;
    const auto& path = memory.holding(data, size);
    fuzz::accepts([&] { check(read_series_csv(path, 1, {}, {})); });
    CollectionOptions options{.horizon = 2};
    options.csv.threads = 1;
    for (const auto read : {read_long_csv, read_tsf, read_json_lines})
        fuzz::accepts([&] { check(divided(read(path, options, {}, {}), options)); });
    fuzz::accepts([&] { (void)is_collection(path); });
    fuzz::accepts([&] { (void)read_table(path); });
    fuzz::accepts([&] {
        read_npz(
            path, {}, [](const std::string&) { return true; },
            [](const std::string& name, std::string_view array) { (void)parse_npy(array, name); });
    });
    fuzz::accepts([&] { check(audit::read_forecasts_csv(path, {})); });
    fuzz::accepts([&] { check({path, audit::WindowArray::open(path), {}}); });
    return 0;
}
