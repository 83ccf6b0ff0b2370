#pragma once
// Writes NumPy's array files, as other code would.

#include <algorithm>
#include <bit>
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
};

inline std::string npy_bytes(const Windows& array, const NpyKind& kind = {}) {
    std::string header = std::string("{'descr': '") + (kind.big ? ">" : "<") + (kind.float64 ? "f8" : "f4") +
                         "', 'fortran_order': " + (kind.fortran ? "True" : "False") + ", 'shape': (" +
                         std::to_string(array.windows) + ", " + std::to_string(array.steps) + ", " +
                         std::to_string(array.channels) + "), }";
    const std::size_t length_bytes = kind.version == 1 ? 2 : 4;
    while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(kind.version);
    bytes += '\0';
    for (std::size_t i = 0; i < length_bytes; ++i)
        bytes += static_cast<char>(header.size() >> (8 * i) & 0xffU);
    bytes += header;
    const auto add = [&](double value) {
        char raw[8];
        const auto single = static_cast<float>(value);
        const std::size_t width = kind.float64 ? 8 : 4;
        if (kind.float64)
            std::memcpy(raw, &value, 8);
        else
            std::memcpy(raw, &single, 4);
        if (kind.big == (std::endian::native == std::endian::little)) std::reverse(raw, raw + width);
        bytes.append(raw, width);
    };
    if (!kind.fortran) {
        for (const double value : array.values) add(value);
        return bytes;
    }
    for (std::size_t c = 0; c < array.channels; ++c)
        for (std::size_t h = 0; h < array.steps; ++h)
            for (std::size_t w = 0; w < array.windows; ++w) add(array.at(w, h, c));
    return bytes;
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace casp::test
