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

/// Fits the grid to a layout. The spectrum is reused if possible: sizes and spacing change in coarse steps.
void RepulsionGrid::fit(const double* y, std::int64_t n) {
    const int components = shape_.components;
    std::array<double, 3> low{}, high{};
    for (int c = 0; c < components; ++c) low[c] = high[c] = y[c];
    for (std::int64_t i = 0; i < n; ++i)
        for (int c = 0; c < components; ++c) {
            low[c] = std::min(low[c], y[components * i + c]);
            high[c] = std::max(high[c], y[components * i + c]);
        }
    double extent = 0;
    for (int c = 0; c < components; ++c) extent = std::max(extent, high[c] - low[c]);
    // In steps of √2, so that the spectrum can be reused for many iterations.
    double h = widest;
    while (extent / h > (components == 3 ? most_nodes_3 : most_nodes_2)) h *= std::numbers::sqrt2;
    while (extent / h < fewest_nodes && h > 1e-9) h /= std::numbers::sqrt2;
    std::array<std::int64_t, 3> wanted{0, 0, 0};
    for (int c = 0; c < components; ++c) {
        shape_.nodes[c] =
            static_cast<std::int64_t>(std::ceil((high[c] - low[c]) / h)) + kernels::spline_order + 1;
        shape_.origin[c] = 0.5 * (low[c] + high[c]) - 0.5 * h * static_cast<double>(shape_.nodes[c] - 1);
        // A function of the layout only, so that a resumed descent is identical.
        wanted[c] = good_size(2 * shape_.nodes[c] + 8);
    }
    if (h == shape_.spacing && wanted == padded_) return;
    shape_.spacing = h;
    padded_ = wanted;
    shape_.stride[components - 1] = 1;
    for (int c = components - 2; c >= 0; --c) shape_.stride[c] = shape_.stride[c + 1] * padded_[c + 1];
    spectrum_ = make_spectrum(components, padded_, h);
    grid_ = at::zeros({padded_.data(), static_cast<std::size_t>(components)}, at::kDouble);
}

void RepulsionGrid::sort(const double* y, std::int64_t n) {
    const auto row_of = [&](std::int64_t i) {
        return static_cast<std::size_t>(kernels::first_node(shape_, y[shape_.components * i], 0));
    };
    order_.resize(static_cast<std::size_t>(n));
    start_.assign(static_cast<std::size_t>(shape_.nodes[0]) + 1, 0);
    for (std::int64_t i = 0; i < n; ++i) ++start_[row_of(i) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    auto next = start_;
    for (std::int64_t i = 0; i < n; ++i)
        order_[static_cast<std::size_t>(next[row_of(i)]++)] = static_cast<std::int32_t>(i);
}

double RepulsionGrid::repel(const double* y, std::int64_t n, double* force) {
    const torch::NoGradGuard no_gradient;
    fit(y, n);
    sort(y, n);
    double* nodes = grid_.data_ptr<double>();
    const auto rows = shape_.nodes[0];
    std::fill(nodes, nodes + rows * shape_.stride[0], 0.0);
    // Neighbouring bands write to the same nodes, every second band does not: processing them in two rounds
    // fixes the order of additions.
    const auto bands = (rows + band - 1) / band;
    for (const std::int64_t parity : {0, 1})
        at::parallel_for(0, (bands + 1 - parity) / 2, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end; ++b) {
                const auto first = (2 * b + parity) * band, last = std::min(first + band, rows);
                kernels::spread(shape_, y, order_.data(), start_[static_cast<std::size_t>(first)],
                                start_[static_cast<std::size_t>(last)], nodes);
            }
        });
    auto transformed = at::fft_rfftn(grid_);
    transformed.mul_(spectrum_);
    const auto potential = at::fft_irfftn(transformed, grid_.sizes()).contiguous();
    const double* values = potential.const_data_ptr<double>();
    std::vector<double> sums(static_cast<std::size_t>((n + points_per_sum - 1) / points_per_sum));
    at::parallel_for(0, std::ssize(sums), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
            sums[static_cast<std::size_t>(p)] =
                kernels::interpolate(shape_, y, order_.data(), p * points_per_sum,
                                     std::min((p + 1) * points_per_sum, n), values, force);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0) - static_cast<double>(n);  // K_ii = 1
}

}  // namespace casp::analysis
