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

/// Axes of an array by their meaning; -1: the array does not have this axis, whose extent is 1.
struct Axes {
    int windows = 0, steps = 1, channels = 2;
    bool operator==(const Axes&) const = default;
};

/// Reads one window after another; of a .npy file in which the values of a window are together, only these
/// are in memory. One thread at a time.
class WindowArray {
public:
    /// Opens a .npy file with two or three axes, or more of which the others have the extent 1. The axes are
    /// taken as [windows, H, M]; of two: [windows, H] of one channel. Throws an input Error as
    /// parse_npy_header(), and for other axes.
    [[nodiscard]] static WindowArray open(const std::filesystem::path& path);

    /// The content of a .npy file. `where` names it in messages. Throws as open().
    [[nodiscard]] static WindowArray parse(std::string_view bytes, const std::string& where);

    /// values: [windows, H, M] row-major. Throws std::invalid_argument for another number of values.
    WindowArray(std::array<std::int64_t, 3> shape, std::vector<double> values);

    [[nodiscard]] const std::string& name() const { return name_; }                      ///< for messages
    [[nodiscard]] const std::vector<std::int64_t>& extents() const { return extents_; }  ///< in the file
    [[nodiscard]] const Axes& axes() const { return axes_; }
    [[nodiscard]] bool is_half() const { return is_half_; }  ///< float16 in the file

    /// What the axes are instead of what open() took. Reads all values where those of a window are not
    /// together. Throws std::invalid_argument for axes that the array does not have, and as read().
    void set_axes(const Axes& axes);

    [[nodiscard]] std::int64_t windows() const { return shape_[0]; }
    [[nodiscard]] std::int64_t horizon() const { return shape_[1]; }
    [[nodiscard]] std::int64_t channels() const { return shape_[2]; }

    /// Makes windows of `n` channels of an array whose items have one channel each: `items` [windows, n] are
    /// the items of each window. Throws std::invalid_argument unless channels() is 1.
    void join(std::vector<std::int64_t> items, std::int64_t n);

    /// Values of a window, [H, M] row-major. Throws an input Error if the file
    /// cannot be read.
    void read(std::int64_t window, std::span<double> out) const;

private:
    WindowArray() = default;
    void take_header(data::NpyHeader header, const std::string& name);
    [[nodiscard]] std::int64_t extent(int axis) const;
    [[nodiscard]] std::int64_t stride(int axis) const;
    void read_item(std::int64_t item, std::span<double> out) const;

    std::string name_;
    std::vector<std::int64_t> extents_, strides_;  ///< of the file, in values
    Axes axes_;
    std::array<std::int64_t, 3> shape_{};
    bool is_half_ = false;
    std::vector<std::int64_t> items_;  ///< of join(); empty: windows are items
    std::vector<double> values_;       ///< in memory, in the file's order; empty: in the file
    std::shared_ptr<const RegularFile> file_;
    data::NpyHeader header_;
    mutable std::vector<std::byte> bytes_;  ///< of an item
    mutable std::vector<double> item_;
};

// Precision to which the values of an array were rounded.

/// The default is float32, in which other code computes.
struct Rounding {
    int bits = 24;        ///< significant bits
    double absolute = 0;  ///< largest change by rounding to decimals
    Phrase name = "float32";

    [[nodiscard]] bool is_coarse() const { return bits < 24 || absolute > 0; }
    /// Largest change of a value by coarse rounding; 0 for float32, whose arithmetic changes values more.
    [[nodiscard]] double slack(double value) const;
};

/// float16, or what the values of some windows show: bfloat16, or a few decimals.
[[nodiscard]] Rounding rounding_of(const WindowArray& array);

// Which axis of an array is which, by the sizes that the data set expects.

/// Sizes of forecasts of the test split.
struct ExpectedSizes {
    std::int64_t rows = 0;     ///< of the test split: it has rows - H + 1 windows
    std::int64_t horizon = 0;  ///< 0: unknown
    std::int64_t channels = 0;
};

/// Sets the axes of the array: [windows, H, M] unless only another order has the expected sizes. Returns a
/// sentence about what is not as usual, or "". Throws an input Error where the sizes rule out [windows, H, M]
/// and several other orders are possible.
[[nodiscard]] Phrase arrange_axes(WindowArray& array, const ExpectedSizes& expected);

}  // namespace casp::audit
