#pragma once
// Forecasts of windows as an array [windows, H, M], in a .npy file or in memory.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/npy.h"
#include "util/regular_file.h"

namespace casp::audit {

/// Reads one window after another; of a .npy file in C order only these are in memory. One thread at a time.
class WindowArray {
public:
    /// Opens a .npy file with two or three dimensions; two: [windows, H] of one channel. Throws an input
    /// Error as parse_npy(), and for other dimensions.
    [[nodiscard]] static WindowArray open(const std::filesystem::path& path);

    /// The content of a .npy file. `where` names it in messages. Throws as open().
    [[nodiscard]] static WindowArray parse(std::string_view bytes, const std::string& where);

    /// values: [windows, H, M] row-major. Throws std::invalid_argument for another number of values.
    WindowArray(std::array<std::int64_t, 3> shape, std::vector<double> values);

    [[nodiscard]] std::int64_t windows() const { return shape_[0]; }
    [[nodiscard]] std::int64_t horizon() const { return shape_[1]; }
    [[nodiscard]] std::int64_t channels() const { return shape_[2]; }

    /// The windows of one channel after those of the one before (loaders with one channel per item) as
    /// [windows, H, n]: item c·stride + w is window w of channel c. Windows that lack a channel at the end
    /// are left out. Throws std::invalid_argument unless channels() is 1 and every channel has a window.
    void join_channels(std::int64_t n, std::int64_t stride);

    /// Values of a window, [H, M] row-major. Throws an input Error if the file cannot be read.
    void read(std::int64_t window, std::span<double> out) const;

private:
    WindowArray() = default;
    void read_item(std::int64_t item, std::span<double> out) const;

    std::array<std::int64_t, 3> shape_{};
    std::int64_t joined_ = 1, stride_ = 0;  ///< channels that are items of their own
    std::vector<double> values_;            ///< in memory; empty: in the file
    std::shared_ptr<const RegularFile> file_;
    data::NpyHeader header_;
    mutable std::vector<std::byte> bytes_;  ///< of an item
};

}  // namespace casp::audit
