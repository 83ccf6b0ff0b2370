#include "audit/window_array.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "store/safetensors.h"
#include "util/error.h"

namespace casp::audit {

namespace {

constexpr std::uint64_t longest_header = 1u << 16u;

/// The axes in their order, without those of extent 1 that are too many. Throws an input Error.
Axes usual_axes(const std::vector<std::int64_t>& extents, const std::string& where) {
    std::vector<int> axes;
    for (int axis = 0; axis < std::ssize(extents); ++axis)
        if (extents.size() <= 3 || extents[static_cast<std::size_t>(axis)] != 1) axes.push_back(axis);
    if (extents.size() < 2 || axes.size() > 3)
        throw input_error(
            where,
            "its shape is " + store::shape_text(extents) + ", " + std::to_string(extents.size()) +
                (extents.size() == 1 ? " axis" : " axes"),
            "three axes: [windows, horizon, channels]",
            axes.size() > 3 ? "If the first axes are batches: array.reshape(-1, *array.shape[-2:])." : "");
    const auto axis = [&](std::size_t i) { return i < axes.size() ? axes[i] : -1; };
    return {axis(0), axis(1), axis(2)};
}

}  // namespace

WindowArray WindowArray::open(const std::filesystem::path& path) {
    auto file = std::make_shared<RegularFile>(path, "a .npy file");
    std::string head(static_cast<std::size_t>(std::min(file->size(), longest_header)), '\0');
    file->read_at(0, std::as_writable_bytes(std::span(head)));
    WindowArray array;
    array.file_ = std::move(file);
    array.take_header(data::parse_npy_header(head, array.file_->size(), path.string()), path.string());
    return array;
}

WindowArray WindowArray::parse(std::string_view bytes, const std::string& where) {
    WindowArray array;
    const auto header = data::parse_npy_header(bytes, bytes.size(), where);
    array.values_.resize(header.count);
    data::read_npy_values(header, bytes.data() + header.data, array.values_);
    array.take_header(header, where);
    return array;
}

WindowArray::WindowArray(std::array<std::int64_t, 3> shape, std::vector<double> values)
    : extents_(shape.begin(), shape.end()),
      strides_{shape[1] * shape[2], shape[2], 1},
      shape_(shape),
      values_(std::move(values)) {
    if (shape[0] * shape[1] * shape[2] != std::ssize(values_))
        throw std::invalid_argument("window array: the values do not match the shape");
}

void WindowArray::take_header(data::NpyHeader header, const std::string& name) {
    name_ = name;
    extents_ = header.shape;
    is_half_ = header.width == 2;
    const auto axes = usual_axes(extents_, name);
    if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end())  // nothing to compare
        throw input_error(name, "it is empty: " + store::shape_text(extents_),
                          "at least one window, step and channel");
    strides_.assign(extents_.size(), 1);
    for (std::size_t i = 1; i < extents_.size(); ++i) {
        const auto at = header.fortran ? i : extents_.size() - 1 - i;
        const auto before = header.fortran ? at - 1 : at + 1;
        strides_[at] = strides_[before] * extents_[before];
    }
    header_ = std::move(header);
    set_axes(axes);
}

std::int64_t WindowArray::extent(int axis) const {
    return axis < 0 ? 1 : extents_.at(static_cast<std::size_t>(axis));
}

std::int64_t WindowArray::stride(int axis) const {
    return axis < 0 ? 0 : strides_.at(static_cast<std::size_t>(axis));
}

void WindowArray::set_axes(const Axes& axes) {
    shape_ = {extent(axes.windows), extent(axes.steps), extent(axes.channels)};
    std::int64_t count = 1;
    for (const auto extent : extents_) count *= extent;
    if (shape_[0] * shape_[1] * shape_[2] != count)
        throw std::invalid_argument("window array: the axes are not those of the array");
    axes_ = axes;
    const bool together = shape_[0] == 1 || stride(axes.windows) == shape_[1] * shape_[2];
    if (!file_ || together) return;
    const auto bytes = file_->read_all(static_cast<std::size_t>(file_->size()));
    values_.resize(header_.count);
    data::read_npy_values(header_, bytes.data() + header_.data, values_);
    file_.reset();
}

void WindowArray::join(std::vector<std::int64_t> items, std::int64_t n) {
    if (shape_[2] != 1 || n < 1 || items.empty() || std::ssize(items) % n != 0 ||
        *std::min_element(items.begin(), items.end()) < 0 ||
        *std::max_element(items.begin(), items.end()) >= shape_[0])
        throw std::invalid_argument("window array: the channels cannot be joined");
    items_ = std::move(items);
    shape_ = {std::ssize(items_) / n, shape_[1], n};
}

void WindowArray::read_item(std::int64_t item, std::span<double> out) const {
    const auto first = static_cast<std::size_t>(stride(axes_.windows) * item);
    const auto steps = shape_[1], channels = std::ssize(out) / steps;
    const auto step = stride(axes_.steps), channel = stride(axes_.channels);
    const bool in_order = (step == channels || steps == 1) && (channel == 1 || channels == 1);
    const double* values = file_ ? nullptr : values_.data() + first;
    if (file_) {
        if (!in_order) item_.resize(out.size());
        bytes_.resize(out.size() * header_.width);
        file_->read_at(header_.data + first * header_.width, bytes_);
        const auto into = in_order ? out : std::span(item_);
        data::read_npy_values(header_, reinterpret_cast<const char*>(bytes_.data()), into);
        values = into.data();
    } else if (in_order) {
        std::copy_n(values, out.size(), out.begin());
    }
    auto at = out.begin();
    for (std::int64_t h = 0; !in_order && h < steps; ++h)
        for (std::int64_t c = 0; c < channels; ++c) *at++ = values[h * step + c * channel];
}

void WindowArray::read(std::int64_t window, std::span<double> out) const {
    if (items_.empty()) return read_item(window, out);
    const auto steps = static_cast<std::size_t>(shape_[1]), n = static_cast<std::size_t>(shape_[2]);
    std::vector<double> item(steps);
    for (std::size_t channel = 0; channel < n; ++channel) {
        read_item(items_[static_cast<std::size_t>(window) * n + channel], item);
        for (std::size_t h = 0; h < steps; ++h) out[h * n + channel] = item[h];
    }
}

}  // namespace casp::audit
