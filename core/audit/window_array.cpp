#include "audit/window_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "store/safetensors.h"
#include "util/error.h"

namespace casp::audit {

namespace {

/// How well the sizes of an order of the axes are those that are expected.
struct AxisFit {
    bool possible = false;
    int equal = 0;              ///< sizes that are exactly as expected
    bool more_windows = false;  ///< than steps, as usual

    auto operator<=>(const AxisFit&) const = default;  // NOLINT(modernize-use-nullptr): of the compiler's own
};

AxisFit axis_fit_of(const WindowArray& array, const Axes& axes, const ExpectedSizes& expected) {
    const auto extent = [&](int axis) {
        return axis < 0 ? std::int64_t{1} : array.extents()[static_cast<std::size_t>(axis)];
    };
    const auto windows = extent(axes.windows), steps = extent(axes.steps), channels = extent(axes.channels);
    const auto all = expected.rows - steps + 1;
    AxisFit fit{channels <= expected.channels && all > 0, 0, windows >= steps};
    fit.equal += channels == expected.channels || channels == 1 ? 1 : 0;
    fit.equal += steps == expected.horizon ? 1 : 0;
    fit.equal += windows == all || (channels == 1 && windows == all * expected.channels) ? 1 : 0;
    return fit;
}

/// All orders of the array's axes that are longer than 1; the first is the array's own.
std::vector<Axes> orders_of(const WindowArray& array) {
    std::vector<int> long_axes;
    for (int axis = 0; axis < std::ssize(array.extents()); ++axis)
        if (array.extents()[static_cast<std::size_t>(axis)] > 1) long_axes.push_back(axis);
    std::array<int, 3> places{-1, -1, -1};
    std::copy(long_axes.begin(), long_axes.end(), places.begin());
    std::sort(places.begin(), places.end());
    std::vector<Axes> orders{array.axes()};
    do {
        orders.push_back({places[0], places[1], places[2]});
    } while (std::next_permutation(places.begin(), places.end()));
    return orders;
}

/// "[windows, channels, horizon]"; "1" for an axis of extent 1 that has no meaning.
std::string meaning_of(const WindowArray& array, const Axes& axes) {
    std::string text;
    for (int axis = 0; axis < std::ssize(array.extents()); ++axis)
        text += std::string(text.empty() ? "" : ", ") + (axis == axes.windows    ? "windows"
                                                         : axis == axes.steps    ? "horizon"
                                                         : axis == axes.channels ? "channels"
                                                                                 : "1");
    return "[" + text + "]";
}

Phrase expected_text(const ExpectedSizes& expected) {
    const auto horizon = std::max<std::int64_t>(1, expected.horizon);
    return Phrase("[windows, horizon, channels], here at most [%1, %2, %3]",
                  std::max<std::int64_t>(1, expected.rows - horizon + 1),
                  expected.horizon > 0 ? Phrase(horizon) : Phrase("horizon"), expected.channels);
}

constexpr int half_bits = 11, bfloat_bits = 8, max_decimals = 5;
constexpr int min_half_exponent = -13;  ///< of frexp(); below, float16 has fewer bits

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
    constexpr std::int64_t max_windows = 16;
    std::vector<double> window(static_cast<std::size_t>(array.horizon() * array.channels())), sample;
    const auto step = std::max<std::int64_t>(1, array.windows() / max_windows);
    for (std::int64_t w = 0; w < array.windows(); w += step) {
        array.read(w, window);
        for (const double value : window)
            if (std::isfinite(value)) sample.push_back(value);
    }
    return sample;
}

constexpr std::uint64_t longest_header = 1u << 16u;

/// The axes in their order, without those of extent 1 that are too many. Throws an input Error.
Axes usual_axes(const std::vector<std::int64_t>& extents, const std::string& where) {
    std::vector<int> axes;
    for (int axis = 0; axis < std::ssize(extents); ++axis)
        if (extents.size() <= 3 || extents[static_cast<std::size_t>(axis)] != 1) axes.push_back(axis);
    if (extents.size() < 2 || axes.size() > 3)
        throw input_error(
            where,
            extents.size() == 1
                ? Phrase("its shape is %1, %2 axis", store::shape_text(extents), extents.size())
                : Phrase("its shape is %1, %2 axes", store::shape_text(extents), extents.size()),
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
        throw input_error(name, Phrase("it is empty: %1", store::shape_text(extents_)),
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

double Rounding::slack(double value) const {
    double slack = absolute;
    if (bits < 24 && value != 0) {
        int exponent = 0;
        (void)std::frexp(value, &exponent);
        slack +=
            std::ldexp(1, (bits == half_bits ? std::max(exponent, min_half_exponent) : exponent) - 1 - bits);
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
    for (int decimals = 0; decimals <= max_decimals; ++decimals, scale *= 10)
        if (all([&](double value) { return has_decimals(value, scale); }))
            return {24, 0.5 / scale, Phrase("%1 decimals", decimals)};
    return {};
}

Phrase arrange_axes(WindowArray& array, const ExpectedSizes& expected) {
    const auto own = array.axes();
    const auto usual = axis_fit_of(array, own, expected);
    auto best = own;
    auto best_fit = usual;
    bool doubt = false;
    for (const auto& axes : orders_of(array)) {
        const auto fit = axis_fit_of(array, axes, expected);
        // An order that is possible is given up only for one of which two sizes are exact.
        if (axes == own || !fit.possible || fit.equal < (usual.possible ? 2 : 1)) continue;
        doubt = fit == best_fit ? best != own : doubt && fit < best_fit;
        if (fit > best_fit) best = axes, best_fit = fit;
    }
    const bool many = array.extents().size() > 3;
    if (doubt || (many && (!best_fit.possible || best_fit.equal == 0)))
        throw input_error(array.name(),
                          Phrase("its shape is %1, and its sizes leave a doubt about the order of the axes",
                                 store::shape_text(array.extents())),
                          expected_text(expected),
                          "Set data.horizon to the number of steps, or save numpy.transpose(array, …).");
    if (!(best == own)) array.set_axes(best);
    if (best == own && !many) return {};
    return Phrase("%1 has the shape %2, read as %3.", array.name(), store::shape_text(array.extents()),
                  meaning_of(array, best));
}

}  // namespace casp::audit
