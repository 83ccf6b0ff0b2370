#include "store/submission.h"

#include <algorithm>
#include <cstddef>

#include "store/result_columns.h"

namespace casp::store {

namespace {

constexpr std::int64_t submission_columns = 48;  ///< the longest horizon of the competition, Hourly's

}  // namespace

std::string submission_csv(const std::vector<std::string>& ids, std::int64_t horizon,
                           std::span<const double> forecasts) {
    const auto columns = std::max(horizon, submission_columns);
    std::string text = "id";
    for (std::int64_t step = 1; step <= columns; ++step) text += ",F" + std::to_string(step);
    text += '\n';
    const auto width = static_cast<std::size_t>(horizon);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        text += csv_cell(ids[i]);
        for (const double value : forecasts.subspan(i * width, width)) text += ',' + shortest(value);
        for (auto step = horizon; step < columns; ++step) text += ",NA";
        text += '\n';
    }
    return text;
}

}  // namespace casp::store
