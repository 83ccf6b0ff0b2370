#include "audit/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace casp::audit {

namespace {

constexpr int half_bits = 11, bfloat_bits = 8, most_decimals = 5;
constexpr int least_half_exponent = -13;  ///< of frexp(); below, float16 has fewer bits

/// Significant bits of a finite value as float32; more than 24 if it is none.
int bits_of(double value) {
    const auto single = static_cast<float>(value);
    if (static_cast<double>(single) != value) return 53;
    const auto fraction = std::bit_cast<std::uint32_t>(single) & 0x7fffffu;
    return fraction == 0 ? 1 : 24 - std::countr_zero(fraction);
}

bool has_decimals(double value, double scale) {
    const double scaled = value * scale;
    return std::abs(scaled - std::round(scaled)) <= 1e-9 + 1e-7 * std::abs(scaled);
}

/// Finite values of some windows.
std::vector<double> sample_of(const WindowArray& array) {
    constexpr std::int64_t most_windows = 16;
    std::vector<double> window(static_cast<std::size_t>(array.horizon() * array.channels())), sample;
    const auto step = std::max<std::int64_t>(1, array.windows() / most_windows);
    for (std::int64_t w = 0; w < array.windows(); w += step) {
        array.read(w, window);
        for (const double value : window)
            if (std::isfinite(value)) sample.push_back(value);
    }
    return sample;
}

}  // namespace

double Rounding::slack(double value) const {
    double slack = absolute;
    if (bits < 24 && value != 0) {
        int exponent = 0;
        (void)std::frexp(value, &exponent);
        slack += std::ldexp(
            1, (bits == half_bits ? std::max(exponent, least_half_exponent) : exponent) - 1 - bits);
    }
    return slack;
}

Rounding rounding_of(const WindowArray& array) {
    const Rounding half{half_bits, 0, "float16"};
    if (array.is_half()) return half;
    const auto sample = sample_of(array);
    const auto all = [&](const auto& holds) { return std::all_of(sample.begin(), sample.end(), holds); };
    if (all([](double value) { return bits_of(value) <= bfloat_bits; })) return {bfloat_bits, 0, "bfloat16"};
    if (all([](double value) { return bits_of(value) <= half_bits; })) return half;
    double scale = 1;
    for (int decimals = 0; decimals <= most_decimals; ++decimals, scale *= 10)
        if (all([&](double value) { return has_decimals(value, scale); }))
            return {24, 0.5 / scale, std::to_string(decimals) + " decimals"};
    return {};
}

}  // namespace casp::audit
