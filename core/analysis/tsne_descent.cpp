#include "analysis/tsne_descent.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <torch/torch.h>

#include <ATen/Parallel.h>

namespace casp::analysis {

namespace {

constexpr std::int64_t row_padding = 16;

constexpr double widest = 0.3;        ///< spacing of the nodes in layout units, in which K has width 1
constexpr double fewest_nodes = 24;   ///< across a layout that is smaller than K
constexpr double max_nodes_2 = 3000;  ///< per direction; wider layouts get a wider spacing
/// 3-D: at most 288³ nodes with padding, which take 0.8 GB and a second per iteration. Force errors (rms) are
/// then below 1e-3 for layouts up to 38 wide, 4e-3 up to 54 and 2e-2 up to 77 (test_tsne_parts), similar to a
/// Barnes–Hut tree; larger beyond.
constexpr double max_nodes_3 = 128;
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

constexpr std::int64_t rows_per_sum = 512;   ///< rows summed separately, for determinism
constexpr std::int64_t rows_per_repel = 16;  ///< likewise, where each takes all points

}  // namespace

void conditional_probabilities(const float* squares, std::int64_t k, double perplexity, double* p) {
    if (k <= 0) return;
    const double nearest = static_cast<double>(*std::min_element(squares, squares + k));
    double spread = 0;
    for (std::int64_t j = 0; j < k; ++j) spread += static_cast<double>(squares[j]) - nearest;
    spread /= static_cast<double>(k);
    if (!(spread > 0)) {
        std::fill(p, p + k, 1.0 / static_cast<double>(k));
        return;
    }
    // Distances in units of their mean, so that ln β is of order 0. With S = Σ e, M1 = Σ e d, M2 = Σ e d²: H
    // = ln S + β M1/S and dH/dlnβ = −β² (M2/S − (M1/S)²).
    const double target = std::log(perplexity);
    double low = -40, high = 40, log_beta = 0, total = 0;
    for (int round = 0; round < 100; ++round) {
        const double beta = std::exp(log_beta);
        double first = 0, second = 0;
        total = 0;
        for (std::int64_t j = 0; j < k; ++j) {
            const double d = (static_cast<double>(squares[j]) - nearest) / spread;
            const double e = std::exp(-beta * d);
            p[j] = e;
            total += e;
            first += e * d;
            second += e * d * d;
        }
        const double mean = first / total;
        const double excess = std::log(total) + beta * mean - target;
        if (std::abs(excess) < 1e-10) break;
        (excess > 0 ? low : high) = log_beta;
        const double slope = -beta * beta * (second / total - mean * mean);
        const double newton = log_beta - excess / slope;
        // Far from the solution H is flat in ln β, and Newton's step would leave the bracket.
        const bool usable = slope < 0 && newton > low && newton < high && std::abs(newton - log_beta) < 3;
        log_beta = usable ? newton : std::max(low, std::min(high, log_beta + (excess > 0 ? 1.0 : -1.0)));
        if (!usable && high - low < 2) log_beta = 0.5 * (low + high);
        if (high - low < 1e-13) break;
    }
    for (std::int64_t j = 0; j < k; ++j) p[j] /= total;
}

TsneAffinities tsne_affinities(const Neighbours& neighbours, double perplexity) {
    const auto n = neighbours.rows, k = neighbours.count;
    const auto cells = static_cast<std::size_t>(n * k);
    // Each row's neighbours by number.
    std::vector<std::int32_t> column(cells);
    std::vector<float> p(cells);
    at::parallel_for(0, n, 64, [&](std::int64_t begin, std::int64_t end) {
        const auto width = static_cast<std::size_t>(k);
        std::vector<double> row(width);
        std::vector<std::int32_t> order(width);
        for (std::int64_t i = begin; i < end; ++i) {
            conditional_probabilities(neighbours.square.data() + i * k, k, perplexity, row.data());
            const auto* index = neighbours.index.data() + i * k;
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](auto a, auto b) { return index[a] < index[b]; });
            for (std::size_t j = 0; j < width; ++j) {
                column[static_cast<std::size_t>(i * k) + j] = index[order[j]];
                p[static_cast<std::size_t>(i * k) + j] =
                    static_cast<float>(row[static_cast<std::size_t>(order[j])]);
            }
        }
    });
    // The transposed rows; also ascending, since rows are visited in order.
    std::vector<std::int64_t> place(static_cast<std::size_t>(n) + 1, 0);
    for (const auto j : column) ++place[static_cast<std::size_t>(j) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<std::int32_t> back_column(cells);
    std::vector<float> back_p(cells);
    {
        auto next = place;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t e = i * k; e < (i + 1) * k; ++e) {
                const auto to = static_cast<std::size_t>(
                    next[static_cast<std::size_t>(column[static_cast<std::size_t>(e)])]++);
                back_column[to] = static_cast<std::int32_t>(i);
                back_p[to] = p[static_cast<std::size_t>(e)];
            }
    }
    // Merges both: calls `use` with each column of row i and the sum of both entries.
    const auto merge = [&](std::int64_t i, auto use) {
        auto a = static_cast<std::size_t>(i * k);
        auto b = static_cast<std::size_t>(place[static_cast<std::size_t>(i)]);
        const auto a_end = static_cast<std::size_t>((i + 1) * k);
        const auto b_end = static_cast<std::size_t>(place[static_cast<std::size_t>(i) + 1]);
        while (a < a_end || b < b_end) {
            const bool take_a = b == b_end || (a < a_end && column[a] <= back_column[b]);
            const bool take_b = a == a_end || (b < b_end && back_column[b] <= column[a]);
            const auto j = take_a ? column[a] : back_column[b];
            float sum = 0;
            if (take_a) sum += p[a++];
            if (take_b) sum += back_p[b++];
            use(j, sum);
        }
    };
    TsneAffinities result;
    result.first.assign(static_cast<std::size_t>(n) + 1, 0);
    at::parallel_for(0, n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            std::int64_t count = 0;
            merge(i, [&](std::int32_t, float) { ++count; });
            result.first[static_cast<std::size_t>(i) + 1] =
                (count + row_padding - 1) / row_padding * row_padding;
        }
    });
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.column.resize(static_cast<std::size_t>(result.first.back()));
    result.p.assign(static_cast<std::size_t>(result.first.back()), 0.0F);
    const double scale = 1.0 / (2.0 * static_cast<double>(n));  // each conditional row sums to 1
    at::parallel_for(0, n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            auto to = static_cast<std::size_t>(result.first[static_cast<std::size_t>(i)]);
            merge(i, [&](std::int32_t j, float sum) {
                result.column[to] = j;
                result.p[to++] = static_cast<float>(static_cast<double>(sum) * scale);
            });
            while (to < static_cast<std::size_t>(result.first[static_cast<std::size_t>(i) + 1]))
                result.column[to++] = static_cast<std::int32_t>(i);
        }
    });
    return result;
}

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
    while (extent / h > (components == 3 ? max_nodes_3 : max_nodes_2)) h *= std::numbers::sqrt2;
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

TsneDescent::TsneDescent(TsneAffinities affinities, int components, bool exact)
    : affinities_(std::move(affinities)),
      n_(std::ssize(affinities_.first) - 1),
      components_(components),
      grid_(exact ? nullptr : std::make_unique<RepulsionGrid>(components)),
      force_(cell(n_, 0)),
      columns_(exact ? cell(n_, 0) : 0),
      sums_(static_cast<std::size_t>((n_ + rows_per_sum - 1) / rows_per_sum * 3)),
      near_(cell(n_, 0)) {}

void TsneDescent::set(std::vector<double> points) {
    y_ = std::move(points);
    velocity_.assign(y_.size(), 0.0);
    gains_.assign(y_.size(), 1.0);
}

/// Calls use(number, first row, end) for portions of rows.
template <class Use>
void TsneDescent::each_portion(Use use) const {
    at::parallel_for(0, (n_ + rows_per_sum - 1) / rows_per_sum, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
            use(p, p * rows_per_sum, std::min((p + 1) * rows_per_sum, n_));
    });
}

bool TsneDescent::step(double exaggeration, double learning_rate, double momentum) {
    const double z = repel();
    each_portion([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
        finish_gradient(begin, end, exaggeration, z);
        double* sum = sums_.data() + 3 * p;
        std::fill(sum, sum + 3, 0.0);
        kernels::descend({learning_rate, momentum}, force_.data(), components_, begin, end, y_.data(),
                         velocity_.data(), gains_.data(), sum);
    });
    double centre[3] = {0, 0, 0};
    for (std::size_t i = 0; i < sums_.size(); ++i) centre[i % 3] += sums_[i];
    bool finite = true;
    for (double& c : centre) {
        finite = finite && std::isfinite(c);
        c /= static_cast<double>(n_);
    }
    each_portion([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            for (int c = 0; c < components_; ++c) y_[cell(i, c)] -= centre[c];
    });
    return finite;
}

std::vector<double> TsneDescent::gradient(double exaggeration) {
    const double z = repel();
    each_portion([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        finish_gradient(begin, end, exaggeration, z);
    });
    return force_;
}

double TsneDescent::kl() {
    const double z = repel();
    std::vector<double> parts(sums_.size() / 3);
    each_portion([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
        parts[static_cast<std::size_t>(p)] =
            kernels::divergence(affinities_, y_.data(), components_, begin, end);
    });
    const double whole = std::accumulate(affinities_.p.begin(), affinities_.p.end(), 0.0);
    return std::accumulate(parts.begin(), parts.end(), 0.0) + whole * std::log(z);
}

/// force = Σ_j K² (y_i − y_j) with y = near; returns Z.
double TsneDescent::repel() {
    std::transform(y_.begin(), y_.end(), near_.begin(), [](double v) { return static_cast<float>(v); });
    if (grid_) return grid_->repel(y_.data(), n_, force_.data());
    for (int c = 0; c < components_; ++c)
        for (std::int64_t i = 0; i < n_; ++i) columns_[static_cast<std::size_t>(c * n_ + i)] = y_[cell(i, c)];
    std::vector<double> parts(static_cast<std::size_t>((n_ + rows_per_repel - 1) / rows_per_repel));
    at::parallel_for(0, std::ssize(parts), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p)
            parts[static_cast<std::size_t>(p)] =
                kernels::repel(columns_.data(), n_, components_, rows_per_repel * p,
                               std::min(rows_per_repel * (p + 1), n_), force_.data());
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

void TsneDescent::finish_gradient(std::int64_t begin, std::int64_t end, double exaggeration, double z) {
    for (std::size_t k = cell(begin, 0); k < cell(end, 0); ++k) force_[k] /= -z;
    kernels::attract(affinities_, near_.data(), components_, begin, end, exaggeration, force_.data());
}

}  // namespace casp::analysis
