#include "analysis/streamed_pca.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <torch/torch.h>

#include "analysis/pca_parts.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t rows_per_block = 1024;

/// Number of rows, their mean, and their centred products.
struct Sums {
    std::int64_t rows = 0;
    at::Tensor mean;      ///< [d]
    at::Tensor products;  ///< [d, d], the upper triangle

    explicit Sums(std::int64_t dimension)
        : mean(at::zeros({dimension}, at::kDouble)),
          products(at::zeros({dimension, dimension}, at::kDouble)) {}

    /// `block`: [n, d] float64, n > 0; centred in place.
    void add(at::Tensor block) {
        const auto count = block.size(0);
        const auto own = block.mean(0);
        block.sub_(own);
        add_products(products, block);
        const auto apart = own - mean;
        const auto together = static_cast<double>(rows + count);
        products.add_(at::outer(apart, apart),
                      static_cast<double>(rows) * static_cast<double>(count) / together);
        mean.add_(apart, static_cast<double>(count) / together);
        rows += count;
    }
};

}  // namespace

struct StreamedPca::State {
    explicit State(std::int64_t d) : dimension(d), sums(d) {}

    /// Rows [n, d] converted to a separate block of float64.
    [[nodiscard]] at::Tensor block_of(std::span<const float> rows) const {
        const auto count = static_cast<std::int64_t>(rows.size()) / dimension;
        return at::from_blob(const_cast<float*>(rows.data()), {count, dimension}, at::kFloat).to(at::kDouble);
    }

    std::int64_t dimension;
    Sums sums;
    std::vector<float> waiting;  ///< rows of an incomplete block
};

StreamedPca::StreamedPca(std::int64_t dimension) {
    if (dimension < 1) throw std::invalid_argument("streamed PCA: the dimension must be at least 1");
    const torch::NoGradGuard no_gradient;
    state_ = std::make_unique<State>(dimension);
}

StreamedPca::~StreamedPca() = default;

void StreamedPca::add(std::span<const float> rows) {
    auto& s = *state_;
    if (rows.size() % static_cast<std::size_t>(s.dimension) != 0)
        throw std::invalid_argument("streamed PCA: incomplete row");
    const torch::NoGradGuard no_gradient;
    const auto whole = static_cast<std::size_t>(rows_per_block * s.dimension);
    while (!rows.empty()) {
        if (s.waiting.empty() && rows.size() >= whole) {
            s.sums.add(s.block_of(rows.first(whole)));
            rows = rows.subspan(whole);
            continue;
        }
        const auto taken = std::min(rows.size(), whole - s.waiting.size());
        s.waiting.insert(s.waiting.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(taken));
        rows = rows.subspan(taken);
        if (s.waiting.size() < whole) continue;
        s.sums.add(s.block_of(s.waiting));
        s.waiting.clear();
    }
}

PrincipalAxes StreamedPca::axes(std::int64_t components) const {
    if (components < 1) throw std::invalid_argument("streamed PCA: at least one component");
    const torch::NoGradGuard no_gradient;
    const auto& s = *state_;
    auto all = s.sums;
    // The copy shares its tensors with the accumulator, which continues to change.
    all.mean = all.mean.clone();
    all.products = all.products.clone();
    if (!s.waiting.empty()) all.add(s.block_of(s.waiting));

    PrincipalAxes result;
    result.rows = result.shares.rows = all.rows;
    result.dimension = s.dimension;
    result.components = components;
    result.mean = to_vector(all.mean);
    result.axes.assign(static_cast<std::size_t>(components * s.dimension), 0.0);
    result.shares.centred.assign(static_cast<std::size_t>(components),
                                 std::numeric_limits<double>::quiet_NaN());
    result.shares.uncentred = result.shares.centred;
    if (all.rows == 0) return result;
    if (!at::isfinite(all.mean).all().item<bool>())
        throw input_error("PCA", "the values are not all finite", {},
                          "The weights of this run are damaged or its training diverged.");
    const auto side = std::max(all.rows, s.dimension);
    const auto products = mirrored(all.products);
    const auto eigen = leading_eigen(products, components);
    const double floor = noise_floor(eigen, side);
    result.axes = to_vector(make_axes(eigen.vectors, eigen.values, floor, components));
    if (all.rows > 1) result.shares.centred = shares_of(products, eigen, floor, components);
    // Uncentred: the mean counts as one more row, n times.
    result.shares.uncentred = leading_shares(
        products + static_cast<double>(all.rows) * at::outer(all.mean, all.mean), side, components);
    return result;
}

std::vector<double> PrincipalAxes::points(std::span<const float> values) const {
    const auto d = static_cast<std::size_t>(dimension), c = static_cast<std::size_t>(components);
    if (d == 0 || values.size() % d != 0) throw std::invalid_argument("principal axes: incomplete row");
    std::vector<double> result;
    result.reserve(values.size() / d * c);
    for (std::size_t row = 0; row < values.size(); row += d)
        for (std::size_t axis = 0; axis < c; ++axis) {
            double sum = 0;
            for (std::size_t i = 0; i < d; ++i)
                sum += (static_cast<double>(values[row + i]) - mean[i]) * axes[axis * d + i];
            result.push_back(sum);
        }
    return result;
}

}  // namespace casp::analysis
