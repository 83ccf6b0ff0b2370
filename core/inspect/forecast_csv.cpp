#include "inspect/forecast_csv.h"

#include "data/table_checks.h"
#include "store/result_columns.h"

namespace casp::inspect {

namespace {

std::string origin_text(const AheadForecast& forecast, std::size_t origin) {
    const auto& cells = forecast.times.cells;
    if (cells.empty()) return std::to_string(forecast.first_origin + static_cast<std::int64_t>(origin));
    std::string text;
    for (const auto& cell : cells[origin]) text += (text.empty() ? "" : " ") + cell;
    return text;
}

}  // namespace

std::string forecast_csv(const AheadForecast& forecast) {
    const auto& times = forecast.times;
    const bool rolling = forecast.origins > 1;
    std::vector<std::string> line;
    if (rolling) line.emplace_back("cutoff");
    line.insert(line.end(), times.columns.begin(), times.columns.end());
    for (const auto& name : forecast.channels) {
        line.push_back(name);
        for (const auto& interval : forecast.intervals) {
            const auto percent = std::to_string(interval.percent);
            line.push_back(std::string(name).append("-lo-").append(percent));
            line.push_back(std::string(name).append("-hi-").append(percent));
        }
    }
    auto text = store::csv({line});
    const auto channels = forecast.channels.size();
    const auto cells = forecast.values.size() / static_cast<std::size_t>(forecast.origins);
    for (std::size_t at = 0; at < forecast.values.size(); at += channels) {
        const auto origin = at / cells, row = origin + 1 + at % cells / channels;
        line.clear();
        if (rolling) line.push_back(origin_text(forecast, origin));
        if (!times.cells.empty()) line.insert(line.end(), times.cells[row].begin(), times.cells[row].end());
        for (std::size_t c = 0; c < channels; ++c) {
            const auto value = forecast.values[at + c];
            line.push_back(data::number_text(value));
            for (const auto& interval : forecast.intervals) {
                const auto offset = interval.offsets[at % cells + c];
                line.push_back(data::number_text(value - offset));
                line.push_back(data::number_text(value + offset));
            }
        }
        text += store::csv({line});
    }
    return text;
}

}  // namespace casp::inspect
