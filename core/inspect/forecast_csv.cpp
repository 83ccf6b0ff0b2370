#include "inspect/forecast_csv.h"

#include "data/table_checks.h"
#include "store/result_columns.h"

namespace casp::inspect {

std::string forecast_csv(const AheadForecast& forecast) {
    auto header = forecast.times.columns;
    for (const auto& name : forecast.channels) {
        header.push_back(name);
        for (const auto& interval : forecast.intervals) {
            const auto percent = std::to_string(interval.percent);
            header.push_back(std::string(name).append("-lo-").append(percent));
            header.push_back(std::string(name).append("-hi-").append(percent));
        }
    }
    std::vector<std::vector<std::string>> lines{header};
    const auto channels = forecast.channels.size();
    for (std::size_t at = 0; at < forecast.values.size(); at += channels) {
        const auto row = at / channels;
        auto line = forecast.times.cells.empty() ? std::vector<std::string>() : forecast.times.cells[row];
        for (std::size_t c = 0; c < channels; ++c) {
            const auto value = forecast.values[at + c];
            line.push_back(data::number_text(value));
            for (const auto& interval : forecast.intervals) {
                line.push_back(data::number_text(value - interval.offsets[at + c]));
                line.push_back(data::number_text(value + interval.offsets[at + c]));
            }
        }
        lines.push_back(line);
    }
    return store::csv(lines);
}

}  // namespace casp::inspect
