#pragma once
// Writes NumPy's array files, as other code would.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace casp::test {

/// [windows, steps, channels], row-major.
struct Windows {
    std::size_t windows = 0, steps = 0, channels = 0;
    std::vector<double> values;

    Windows() = default;
    Windows(std::size_t w, std::size_t h, std::size_t c)
        : windows(w), steps(h), channels(c), values(w * h * c) {}
    double& at(std::size_t w, std::size_t h, std::size_t c) { return values[(w * steps + h) * channels + c]; }
    [[nodiscard]] double at(std::size_t w, std::size_t h, std::size_t c) const {
        return values[(w * steps + h) * channels + c];
    }
};

struct NpyKind {
    bool float64 = false, big = false, fortran = false;
    int version = 1;
    bool half = false;
};

/// IEEE 754's half precision, rounded to the nearest.
inline std::uint16_t half_bits(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return 0x7e00;
    int exponent = 0;
    (void)std::frexp(value, &exponent);
    const double unit = std::ldexp(1, std::max(exponent, -13) - 11);
    const double rounded = std::abs(std::nearbyint(value / unit) * unit);
    if (!(rounded <= 65504)) return sign | 0x7c00;
    if (rounded < std::ldexp(1, -14)) return sign | static_cast<std::uint16_t>(std::ldexp(rounded, 24));
    const double fraction = std::frexp(rounded, &exponent);
    const int bits = (exponent + 14) << 10 | (static_cast<int>(std::ldexp(fraction, 11)) - 1024);
    return sign | static_cast<std::uint16_t>(bits);
}

inline std::string npy_start(const std::vector<std::size_t>& shape, const std::string& type,
                             const NpyKind& kind = {}) {
    std::string extents;
    for (const auto extent : shape) extents += std::to_string(extent) + ", ";
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (kind.fortran ? "True" : "False") +
                         ", 'shape': (" + extents + "), }";
    const std::size_t length_bytes = kind.version == 1 ? 2 : 4;
    while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(kind.version);
    bytes += '\0';
    for (std::size_t i = 0; i < length_bytes; ++i)
        bytes += static_cast<char>(header.size() >> (8 * i) & 0xffU);
    return bytes + header;
}

/// Values in the order of the file.
inline std::string npy_bytes(const std::vector<std::size_t>& shape, const std::vector<double>& values,
                             const NpyKind& kind = {}) {
    const std::size_t width = kind.half ? 2 : kind.float64 ? 8 : 4;
    auto bytes = npy_start(shape, (kind.big ? ">f" : "<f") + std::to_string(width), kind);
    for (const double value : values) {
        char raw[8];
        const auto single = static_cast<float>(value);
        const auto half = half_bits(value);
        if (kind.half)
            std::memcpy(raw, &half, width);
        else if (kind.float64)
            std::memcpy(raw, &value, width);
        else
            std::memcpy(raw, &single, width);
        if (kind.big == (std::endian::native == std::endian::little)) std::reverse(raw, raw + width);
        bytes.append(raw, width);
    }
    return bytes;
}

/// The values with the axes of [windows, steps, channels] in another order: axes[i] is the old place of axis
/// i.
inline std::string npy_transposed(const Windows& array, const std::array<std::size_t, 3>& axes,
                                  const NpyKind& kind = {}) {
    const std::array<std::size_t, 3> extents{array.windows, array.steps, array.channels};
    std::vector<double> values;
    std::array<std::size_t, 3> at{};
    for (at[axes[0]] = 0; at[axes[0]] < extents[axes[0]]; ++at[axes[0]])
        for (at[axes[1]] = 0; at[axes[1]] < extents[axes[1]]; ++at[axes[1]])
            for (at[axes[2]] = 0; at[axes[2]] < extents[axes[2]]; ++at[axes[2]])
                values.push_back(array.at(at[0], at[1], at[2]));
    return npy_bytes({extents[axes[0]], extents[axes[1]], extents[axes[2]]}, values, kind);
}

inline std::string npy_bytes(const Windows& array, const NpyKind& kind = {}) {
    const std::vector<std::size_t> shape{array.windows, array.steps, array.channels};
    if (!kind.fortran) return npy_bytes(shape, array.values, kind);
    std::vector<double> values;
    for (std::size_t c = 0; c < array.channels; ++c)
        for (std::size_t h = 0; h < array.steps; ++h)
            for (std::size_t w = 0; w < array.windows; ++w) values.push_back(array.at(w, h, c));
    return npy_bytes(shape, values, kind);
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace casp::test
