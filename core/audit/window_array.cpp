#include "audit/window_array.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "util/error.h"

namespace casp::audit {

namespace {

constexpr std::uint64_t longest_header = 1u << 16u;

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const auto extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "[" + text + "]";
}

std::array<std::int64_t, 3> window_shape(const std::vector<std::int64_t>& shape, const std::string& where) {
    if (shape.size() == 2) return {shape[0], shape[1], 1};
    if (shape.size() == 3) return {shape[0], shape[1], shape[2]};
    throw input_error(where, "its shape is " + shape_text(shape), "[windows, horizon, channels]");
}

/// Extents of 0 leave nothing to compare.
void require_values(const std::array<std::int64_t, 3>& shape, const std::string& where) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        throw input_error(where, "it is empty: " + shape_text({shape.begin(), shape.end()}),
                          "at least one window, step and channel");
}

}  // namespace

WindowArray WindowArray::open(const std::filesystem::path& path) {
    auto file = std::make_shared<RegularFile>(path, "a .npy file");
    std::string head(static_cast<std::size_t>(std::min(file->size(), longest_header)), '\0');
    file->read_at(0, std::as_writable_bytes(std::span(head)));
    WindowArray array;
    array.header_ = data::parse_npy_header(head, file->size(), path.string());
    array.shape_ = window_shape(array.header_.shape, path.string());
    require_values(array.shape_, path.string());
    if (array.header_.fortran)  // a window's values are all over the file
        return parse(file->read_all(static_cast<std::size_t>(file->size())), path.string());
    array.file_ = std::move(file);
    return array;
}

WindowArray WindowArray::parse(std::string_view bytes, const std::string& where) {
    auto parsed = data::parse_npy(bytes, where);
    const auto shape = window_shape(parsed.shape, where);
    require_values(shape, where);
    return {shape, std::move(parsed.values)};
}

WindowArray::WindowArray(std::array<std::int64_t, 3> shape, std::vector<double> values)
    : shape_(shape), values_(std::move(values)) {
    if (shape[0] * shape[1] * shape[2] != std::ssize(values_))
        throw std::invalid_argument("window array: the values do not match the shape");
}

void WindowArray::join_channels(std::int64_t n, std::int64_t stride) {
    const auto complete = std::min(stride, shape_[0] - stride * (n - 1));
    if (shape_[2] != 1 || n < 1 || complete < 1)
        throw std::invalid_argument("window array: the channels cannot be joined");
    joined_ = n;
    stride_ = stride;
    shape_ = {complete, shape_[1], n};
}

void WindowArray::read_item(std::int64_t item, std::span<double> out) const {
    const auto first = static_cast<std::size_t>(item) * out.size();
    if (!file_) {
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
        return;
    }
    bytes_.resize(out.size() * header_.width);
    file_->read_at(header_.data + first * header_.width, bytes_);
    data::read_npy_values(header_, reinterpret_cast<const char*>(bytes_.data()), out);
}

void WindowArray::read(std::int64_t window, std::span<double> out) const {
    if (joined_ == 1) return read_item(window, out);
    const auto steps = static_cast<std::size_t>(shape_[1]);
    std::vector<double> item(steps);
    for (std::int64_t channel = 0; channel < joined_; ++channel) {
        read_item(channel * stride_ + window, item);
        for (std::size_t h = 0; h < steps; ++h)
            out[h * static_cast<std::size_t>(joined_) + static_cast<std::size_t>(channel)] = item[h];
    }
}

}  // namespace casp::audit
