#include "data/time_features.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace casp::data {

namespace {

/// `seconds` with every NaN replaced by the time that `step` gives from the next known row before it, or
/// after it at the beginning. Empty if no time is known.
std::vector<double> continued_times(std::vector<double> seconds, const Step& step) {
    const auto first = std::ranges::find_if(seconds, is_time);
    if (first == seconds.end()) return {};
    for (auto it = first; it != seconds.begin(); --it) *std::prev(it) = step.after(*it, -1);
    for (auto it = std::next(first); it != seconds.end(); ++it)
        if (!is_time(*it)) *it = step.after(*std::prev(it));
    return seconds;
}

}  // namespace

std::vector<float> time_features(const std::vector<double>& seconds, const Step& step) {
    using std::chrono::days;
    const auto times = continued_times(seconds, step);
    std::vector<float> features;
    features.reserve(times.size() * static_cast<std::size_t>(time_feature_count));
    const auto add = [&](auto value, int largest) {
        features.push_back(static_cast<float>(static_cast<double>(value) / largest - 0.5));
    };
    for (const double utc : times) {
        const double time = step.local.shown(utc);
        const std::chrono::sys_seconds instant{
            std::chrono::seconds(static_cast<std::int64_t>(std::floor(time)))};
        const auto day = std::chrono::floor<days>(instant);
        const std::chrono::year_month_day date(day);
        const std::chrono::sys_days new_year = date.year() / std::chrono::January / 1;
        add(std::chrono::floor<std::chrono::hours>(instant - day).count(), 23);
        add(std::chrono::weekday(day).iso_encoding() - 1, 6);
        add(static_cast<unsigned>(date.day()) - 1, 30);
        add((day - new_year).count(), 365);
    }
    return features;
}

}  // namespace casp::data
