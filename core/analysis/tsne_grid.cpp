#include "analysis/tsne_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <torch/torch.h>

#include <ATen/Parallel.h>

namespace casp::analysis {

namespace {

constexpr double widest = 0.3;         ///< spacing of the nodes in layout units, in which K has width 1
constexpr double fewest_nodes = 24;    ///< across a layout that is smaller than K
constexpr double most_nodes_2 = 3000;  ///< per direction; wider layouts get a wider spacing
/// 3-D: at most 288³ nodes with padding, which take 0.8 GB and a second per iteration. Force errors (rms) are
/// then below 1e-3 for layouts up to 38 wide, 4e-3 up to 54 and 2e-2 up to 77 (test_tsne_parts), similar to a
/// Barnes–Hut tree; larger beyond.
constexpr double most_nodes_3 = 128;
constexpr std::int64_t band = 8;               ///< rows of nodes written by one thread at a time
constexpr std::int64_t points_per_sum = 1024;  ///< points summed separately, for determinism
static_assert(band >= kernels::spline_order);

/// Smallest multiple of 8 ≥ size without prime factors above 5: coarse steps, so that the spectrum can be
/// reused for many iterations.
std::int64_t good_size(std::int64_t size) {
    for (size = (size + 7) / 8 * 8;; size += 8) {
        auto rest = size;
        for (const std::int64_t factor : {2, 3, 5})
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return size;
    }
}

/// 1 / (1 + (h m)²)-ready: squares of the distances of N nodes on a circle.
at::Tensor squares_on_circle(std::int64_t size, double spacing) {
    const auto m = at::arange(size, at::kDouble);
    return (at::minimum(m, static_cast<double>(size) - m) * spacing).square();
}

/// Divisor of K's spectrum in one direction: the squared spectrum of the spline's values at the nodes.
at::Tensor spline_squares(std::int64_t size, std::int64_t length) {
    std::vector<double> values(static_cast<std::size_t>(length));
    for (std::size_t m = 0; m < values.size(); ++m)
        values[m] = kernels::spline_spectrum(2 * std::numbers::pi * static_cast<double>(m) /
                                             static_cast<double>(size));
    return at::tensor(values, at::kDouble).square();
}

/// Spectrum of K on a periodic grid, divided by that of the splines.
at::Tensor make_spectrum(int components, const std::array<std::int64_t, 3>& padded, double spacing) {
    const torch::NoGradGuard no_gradient;
    const auto last = components - 1;
    auto kernel = squares_on_circle(padded[0], spacing).unsqueeze(1) + squares_on_circle(padded[1], spacing);
    if (components == 3) kernel = kernel.unsqueeze(2) + squares_on_circle(padded[2], spacing);
    kernel.add_(1).reciprocal_();
    auto spectrum = at::real(at::fft_rfftn(kernel)).contiguous();  // K is even: its spectrum is real
    for (int c = 0; c < components; ++c) {
        std::vector<std::int64_t> along(static_cast<std::size_t>(components), 1);
        const auto length = c == last ? padded[c] / 2 + 1 : padded[c];
        along[static_cast<std::size_t>(c)] = length;
        spectrum.div_(spline_squares(padded[c], length).view(along));
    }
    return spectrum;
}

}  // namespace

bool GridPlan::fit(int components, const std::array<double, 3>& low, const std::array<double, 3>& high) {
    double extent = 0;
    for (int c = 0; c < components; ++c) extent = std::max(extent, high[c] - low[c]);
    // In steps of √2, so that the spectrum can be reused for many iterations.
    double h = widest;
    while (extent / h > (components == 3 ? most_nodes_3 : most_nodes_2)) h *= std::numbers::sqrt2;
    while (extent / h < fewest_nodes && h > 1e-9) h /= std::numbers::sqrt2;
    const bool same_spacing = h == shape.spacing;
    std::array<std::int64_t, 3> wanted{0, 0, 0};
    shape.components = components;
    shape.spacing = h;
    for (int c = 0; c < components; ++c) {
        shape.nodes[c] =
            static_cast<std::int64_t>(std::ceil((high[c] - low[c]) / h)) + kernels::spline_order + 1;
        shape.origin[c] = 0.5 * (low[c] + high[c]) - 0.5 * h * static_cast<double>(shape.nodes[c] - 1);
        // A function of the layout only, so that a resumed descent is identical.
        wanted[c] = good_size(2 * shape.nodes[c] + 8);
    }
    const bool same = same_spacing && wanted == padded;
    padded = wanted;
    shape.stride[components - 1] = 1;
    for (int c = components - 2; c >= 0; --c) shape.stride[c] = shape.stride[c + 1] * padded[c + 1];
    if (!same) spectrum = make_spectrum(components, padded, h);
    return !same;
}

struct RepulsionGrid::Work {
    explicit Work(int number) : components(number) {}

    int components;
    GridPlan plan;
    at::Tensor grid;  ///< padded nodes
    std::vector<std::int32_t> order, row;
    std::vector<std::int64_t> start;
    std::vector<double> sums;

    void fit(const double* y, std::int64_t n);
    void sort(const double* y, std::int64_t n);
};

void RepulsionGrid::Work::fit(const double* y, std::int64_t n) {
    std::array<double, 3> low{}, high{};
    for (int c = 0; c < components; ++c) low[c] = high[c] = y[c];
    for (std::int64_t i = 0; i < n; ++i)
        for (int c = 0; c < components; ++c) {
            low[c] = std::min(low[c], y[components * i + c]);
            high[c] = std::max(high[c], y[components * i + c]);
        }
    if (plan.fit(components, low, high))
        grid = at::zeros({plan.padded.data(), static_cast<std::size_t>(components)}, at::kDouble);
}

/// Points sorted by the first row of nodes they touch: `order`, row by row from start[row].
void RepulsionGrid::Work::sort(const double* y, std::int64_t n) {
    order.resize(static_cast<std::size_t>(n));
    row.resize(static_cast<std::size_t>(n));
    start.assign(static_cast<std::size_t>(plan.shape.nodes[0]) + 1, 0);
    for (std::int64_t i = 0; i < n; ++i) {
        const auto r = kernels::first_node(plan.shape, y[components * i], 0);
        row[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(r);
        ++start[static_cast<std::size_t>(r) + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    auto next = start;
    for (std::int64_t i = 0; i < n; ++i)
        order[static_cast<std::size_t>(next[static_cast<std::size_t>(row[static_cast<std::size_t>(i)])]++)] =
            static_cast<std::int32_t>(i);
}

RepulsionGrid::RepulsionGrid(int components) : work_(std::make_unique<Work>(components)) {}
RepulsionGrid::~RepulsionGrid() = default;

const kernels::GridShape& RepulsionGrid::shape() const { return work_->plan.shape; }

double RepulsionGrid::repel(const double* y, std::int64_t n, double* force) {
    const torch::NoGradGuard no_gradient;
    auto& w = *work_;
    w.fit(y, n);
    w.sort(y, n);
    double* nodes = w.grid.data_ptr<double>();
    const auto rows = w.plan.shape.nodes[0];
    std::fill(nodes, nodes + rows * w.plan.shape.stride[0], 0.0);
    // Neighbouring bands write to the same nodes, every second band does not: processing them in two rounds
    // fixes the order of additions.
    const auto bands = (rows + band - 1) / band;
    for (const std::int64_t parity : {0, 1})
        at::parallel_for(0, (bands + 1 - parity) / 2, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end; ++b) {
                const auto first = (2 * b + parity) * band, last = std::min(first + band, rows);
                kernels::spread(w.plan.shape, y, w.order.data(), w.start[static_cast<std::size_t>(first)],
                                w.start[static_cast<std::size_t>(last)], nodes);
            }
        });
    auto transformed = at::fft_rfftn(w.grid);
    transformed.mul_(w.plan.spectrum);
    const auto potential = at::fft_irfftn(transformed, w.grid.sizes()).contiguous();
    const double* values = potential.const_data_ptr<double>();
    const auto portions = (n + points_per_sum - 1) / points_per_sum;
    w.sums.resize(static_cast<std::size_t>(portions));
    at::parallel_for(0, portions, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
            w.sums[static_cast<std::size_t>(p)] =
                kernels::interpolate(w.plan.shape, y, w.order.data(), p * points_per_sum,
                                     std::min((p + 1) * points_per_sum, n), values, force);
    });
    return std::accumulate(w.sums.begin(), w.sums.end(), 0.0) - static_cast<double>(n);  // K_ii = 1
}

}  // namespace casp::analysis
