#include "analysis/tsne_descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ATen/Parallel.h>

#include "analysis/tsne_kernels.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t rows_per_sum = 512;   ///< rows summed separately, for determinism
constexpr std::int64_t rows_per_repel = 16;  ///< likewise, where each takes all points

}  // namespace

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
