#include "data/look_backs.h"

#include <algorithm>

#include "util/error.h"

namespace casp::data {

namespace {

Error too_few(const PreparedData& data) {
    return input_error(data.table.path.string(), "it has too few rows for the run's windows");
}

void add_rows(std::vector<float>& values, const PreparedData& data, const Scaler& scaler, std::int64_t start,
              std::int64_t lookback) {
    const auto& columns = data.table.columns;
    if (start < 0 || lookback > data.table.rows() || start > data.table.rows() - lookback)
        throw too_few(data);
    for (auto row = static_cast<std::size_t>(start); row < static_cast<std::size_t>(start + lookback); ++row)
        for (std::size_t c = 0; c < columns.size(); ++c)
            values.push_back(static_cast<float>((columns[c].values[row] - scaler.mean[c]) / scaler.std[c]));
}

void add_series(std::vector<float>& values, const PreparedData& data, const Scaler& scaler,
                std::int64_t start, std::int64_t lookback) {
    const auto& collection = *data.collection;
    if (start + lookback < 1 || start + lookback > std::ssize(collection.values)) throw too_few(data);
    const auto series = static_cast<std::size_t>(series_of_window(collection, start, lookback));
    for (auto at = start; at < start + lookback; ++at) {
        const bool known = at >= collection.offsets[series];
        const double value = known ? collection.values[static_cast<std::size_t>(at)] : 0.0;
        values.push_back(static_cast<float>((value - scaler.mean[0]) / scaler.std[0]));
    }
}

}  // namespace

std::vector<float> look_backs(const PreparedData& data, const Scaler& scaler,
                              std::span<const std::int64_t> starts, std::int64_t lookback) {
    const auto channels = data.table.columns.size();
    if (channels != scaler.mean.size() || channels != scaler.std.size())
        throw input_error(data.table.path.string(), Phrase("it has %1 channels", channels),
                          Phrase("the %1 that the run was trained on", scaler.mean.size()));
    std::vector<float> values;
    values.reserve(starts.size() * static_cast<std::size_t>(lookback) * channels);
    for (const auto start : starts) {
        if (data.collection)
            add_series(values, data, scaler, start, lookback);
        else
            add_rows(values, data, scaler, start, lookback);
    }
    return values;
}

void to_unit_variance(std::span<float> rows, std::int64_t length) {
    const auto size = static_cast<std::size_t>(length);
    std::vector<double> values(size);
    for (; rows.size() >= size; rows = rows.subspan(size)) {
        std::copy_n(rows.begin(), size, values.begin());
        const auto [mean, deviation] = moments(values.data(), size);
        for (std::size_t i = 0; i < size; ++i)
            rows[i] = deviation > 0 ? static_cast<float>((values[i] - mean) / deviation) : 0.0F;
    }
}

std::int64_t series_of_window(const SeriesCollection& collection, std::int64_t start, std::int64_t lookback) {
    // The last look-back value is always one of the series.
    const auto& offsets = collection.offsets;
    return std::upper_bound(offsets.begin(), offsets.end(), start + lookback - 1) - offsets.begin() - 1;
}

}  // namespace casp::data
