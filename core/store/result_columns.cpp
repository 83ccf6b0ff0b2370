#include "store/result_columns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "util/units.h"

namespace casp::store {

namespace {

/// Number of decimals for `significant` digits; -1 if only exponent form has them.
int decimals_for(double value, int significant) {
    if (value == 0) return 0;
    // Round first: 9.9996 has the digits of 10.00.
    const auto text = digits(value, std::chars_format::scientific, significant - 1);
    const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
    if (exponent < -5 || exponent > 14) return -1;
    return std::max(0, significant - 1 - exponent);
}

}  // namespace

std::string digits(double value, std::chars_format format, int precision) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, value, format, precision).ptr;
    return {text, end};
}

std::string shortest(double value) {
    if (std::isnan(value)) return "nan";
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string four_digits(double value) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return shortest(value);
    const int decimals = decimals_for(value, 4);
    if (decimals < 0) return digits(value, std::chars_format::scientific, 3);
    return digits(value, std::chars_format::fixed, decimals);
}

std::string score_text(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "–" : shortest(value);
    return digits(rounded_score(value), std::chars_format::fixed, 3);
}

std::string score_and_sd(const Statistic& statistic) {
    const auto mean = score_text(statistic.mean);
    return statistic.n < 2 || !std::isfinite(statistic.sd) ? mean : mean + " ± " + score_text(statistic.sd);
}

std::string mean_and_sd(const Statistic& statistic) {
    const auto mean = four_digits(statistic.mean);
    if (statistic.n < 2 || !std::isfinite(statistic.sd) || !std::isfinite(statistic.mean)) return mean;
    // As many decimals as the mean, but enough for a non-zero deviation.
    int decimals = decimals_for(statistic.mean, 4);
    if (decimals < 0) return mean + " ± " + four_digits(statistic.sd);
    if (statistic.sd > 0 && statistic.sd < 0.5 * std::pow(10.0, -decimals)) {
        decimals = decimals_for(statistic.sd, 2);
        if (decimals < 0) return mean + " ± " + digits(statistic.sd, std::chars_format::scientific, 1);
    }
    return mean + " ± " + digits(statistic.sd, std::chars_format::fixed, decimals);
}

std::string submission_csv(const std::vector<std::string>& ids, std::int64_t horizon,
                           std::span<const double> forecasts) {
    const auto columns = std::max<std::int64_t>(horizon, 48);  // the longest of the competition, Hourly's
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
