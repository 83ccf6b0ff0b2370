#include <algorithm>
#include <array>
#include <cmath>

#include "data/missing.h"
#include "data/scaler.h"

namespace casp::data {

namespace {

/// Numbers that loggers and archives write for "no value", of either sign; a new one is an entry. Also powers
/// of ten from 1e20 on, and numbers beyond 1e30.
constexpr std::array markers{99.0,         99.9,         99.99,        999.0,
                             999.9,        999.99,       999.25,       999.999,
                             9999.0,       9999.9,       9999.99,      9999.25,
                             99999.0,      99999.9,      99999.99,     999999.0,
                             9999999.0,    99999999.0,   200.0,        888.0,
                             8888.0,       7777.0,       6999.0,       7999.0,
                             32767.0,      32768.0,      65535.0,      2147483647.0,
                             2147483648.0, 4294967295.0, 4294967296.0, 9223372036854775807.0};

Extremes extremes(const std::vector<double>& values, const std::vector<SentinelHit>& without) {
    if (without.empty()) return data::extremes(values.data(), values.size());
    Extremes e;
    for (const double v : values) {
        if (std::ranges::any_of(without, [v](const SentinelHit& hit) { return hit.value == v; })) continue;
        if (v < e.least) e.least = v;
        if (v > e.most) e.most = v;
    }
    return e;
}

SentinelHit count_of(const std::vector<double>& values, double value) {
    SentinelHit hit{value, 0, -1};
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == value) {
            if (hit.count++ == 0) hit.first_row = static_cast<std::int64_t>(i);
        }
    return hit;
}

}  // namespace

bool looks_like_marker(double value) {
    const double v = std::fabs(value);
    if (std::ranges::find(markers, v) != markers.end()) return true;
    if (v < 1e20) return false;
    const double exponent = std::log10(v);
    return std::fabs(exponent - std::round(exponent)) < 1e-6 || v > 1e30;
}

std::vector<SentinelHit> find_sentinels(const std::vector<double>& values) {
    std::vector<SentinelHit> found;
    // From the outside in: -9999 may be hidden by -99999, and 9999 may be at the other end.
    for (int round = 0; round < 6; ++round) {
        const Extremes all = extremes(values, found);
        if (!(all.least < all.most)) return found;
        bool again = false;
        for (const double candidate : {all.least, all.most}) {
            if (!looks_like_marker(candidate)) continue;
            auto without = found;
            without.push_back(count_of(values, candidate));
            // Further markers may be next to it or at the other end; then use the range without all.
            Extremes rest = extremes(values, without);
            for (int more = 0; more < 4 && rest.least < rest.most; ++more) {
                const double other = looks_like_marker(rest.least) ? rest.least : rest.most;
                if (!looks_like_marker(other)) break;
                without.push_back({other, 0, 0});
                rest = extremes(values, without);
            }
            if (!(rest.least <= rest.most)) continue;
            const double range = rest.most - rest.least;
            const double distance = candidate < rest.least ? rest.least - candidate : candidate - rest.most;
            const auto& hit = without[found.size()];
            // A negative marker among values that never are: -200 in a concentration.
            const bool only_negative = candidate < 0 && rest.least >= 0 && hit.count > 1;
            if (distance > range || (hit.count > 1 && distance > range / 4) || only_negative) {
                found.push_back(hit);
                again = true;
                break;
            }
        }
        if (!again) return found;
    }
    return found;
}

}  // namespace casp::data
