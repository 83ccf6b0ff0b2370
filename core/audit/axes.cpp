#include "audit/axes.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "data/describe.h"
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

std::string expected_text(const ExpectedSizes& expected) {
    const auto horizon = std::max<std::int64_t>(1, expected.horizon);
    return "[windows, horizon, channels], here at most [" +
           std::to_string(std::max<std::int64_t>(1, expected.rows - horizon + 1)) + ", " +
           (expected.horizon > 0 ? std::to_string(horizon) : "horizon") + ", " +
           std::to_string(expected.channels) + "]";
}

}  // namespace

std::string arrange_axes(WindowArray& array, const ExpectedSizes& expected) {
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
                          "its shape is " + store::shape_text(array.extents()) +
                              ", and its sizes leave a doubt about the order of the axes",
                          expected_text(expected),
                          "Set data.horizon to the number of steps, or save numpy.transpose(array, …).");
    if (!(best == own)) array.set_axes(best);
    if (best == own && !many) return {};
    return array.name() + " has the shape " + store::shape_text(array.extents()) + ", read as " +
           meaning_of(array, best) + ".";
}

}  // namespace casp::audit
