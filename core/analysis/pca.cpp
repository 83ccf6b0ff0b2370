#include "analysis/pca.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <torch/torch.h>

#include "analysis/pca_parts.h"
#include "analysis/rows_read.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t block_rows = 1024;  ///< rows converted at once
/// From these sizes on, products of a block are computed in float32 (sums of blocks always in float64).
constexpr std::int64_t single_rows = 512, single_columns = 256;
/// …unless a wanted eigenvalue is a smaller fraction of the largest: rounding moves each by about 1e-8 of the
/// largest, which leaves at least five correct digits.
constexpr double single_share = 1e-3;
constexpr const char* stage_of_shares = "Explained variance";

void check_matrix(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                  std::int64_t components) {
    if (rows < 0 || dimension < 1 || components < 1 ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("pca: inconsistent sizes");
}

/// Whether float32 products suffice for that many rows.
bool may_be_single(std::int64_t rows, std::int64_t dimension) {
    return rows >= dimension && rows >= single_rows && dimension >= single_columns;
}

/// Rows read for mean and products, plus `more` passes. Float32 products may have to be recomputed.
std::int64_t rows_to_read(std::int64_t rows, std::int64_t dimension, std::int64_t more) {
    return rows * ((may_be_single(rows, dimension) ? 3 : 2) + more);
}

/// The rows as a tensor that shares their memory, read in centred blocks.
class CentredRows {
public:
    CentredRows(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                const std::stop_token& stop, RowsRead& read)
        : rows_(at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat)),
          mean_(at::zeros({dimension}, at::kDouble)),
          stop_(stop),
          read_(read) {
        if (rows == 0) return;
        each([&](std::int64_t, const at::Tensor& block) { mean_.add_(block.sum(0)); }, false);
        mean_ /= static_cast<double>(rows);
        if (!at::isfinite(mean_).all().item<bool>())
            throw input_error("PCA", "the values are not all finite", {},
                              "The weights of this run are damaged or its training diverged.");
    }

    /// Calls `use(first row, block [n, d] float64)` for all rows.
    template <class Use>
    void each(Use use, bool centred = true) const {
        each_as_stored([&](std::int64_t first, const at::Tensor& rows) {
            auto block = rows.to(at::kDouble);
            if (centred) block.sub_(mean_);
            use(first, block);
        });
    }

    [[nodiscard]] const at::Tensor& mean() const { return mean_; }
    [[nodiscard]] std::int64_t count() const { return rows_.size(0); }
    [[nodiscard]] std::int64_t dimension() const { return rows_.size(1); }
    /// Whether the n×n Gram matrix is smaller than the d×d matrix.
    [[nodiscard]] bool is_wide() const { return count() < dimension(); }
    [[nodiscard]] at::Tensor all() const { return rows_.to(at::kDouble) - mean_; }

    /// Xᵀ X [d, d], X centred or not.
    [[nodiscard]] at::Tensor scatter(bool centred = true) const {
        auto sum = at::zeros({dimension(), dimension()}, at::kDouble);
        each([&](std::int64_t, const at::Tensor& block) { add_products(sum, block); }, centred);
        return mirrored(sum);
    }

    /// scatter() from float32 products: each entry within about 1e-8 of the largest eigenvalue.
    [[nodiscard]] at::Tensor rounded_scatter() const {
        auto sum = at::zeros({dimension(), dimension()}, at::kDouble);
        const auto near_mean = mean_.to(at::kFloat);
        each_as_stored([&](std::int64_t, const at::Tensor& rows) { add_products(sum, rows - near_mean); });
        const auto apart = mean_ - near_mean.to(at::kDouble);
        sum.sub_(at::outer(apart, apart), static_cast<double>(count()));
        return mirrored(sum);
    }

    /// The smaller of X Xᵀ and Xᵀ X, which have the same non-zero eigenvalues.
    [[nodiscard]] at::Tensor products(bool centred = true) const {
        if (!is_wide()) return scatter(centred);
        const auto x = centred ? all() : rows_.to(at::kDouble);
        auto sum = at::zeros({count(), count()}, at::kDouble);
        add_products(sum, x.t());
        read_.add(count());
        return mirrored(sum);
    }

    /// Removes a planned pass that is not needed.
    void skip_pass() const { read_.add(count()); }

private:
    template <class Use>
    void each_as_stored(Use use) const {
        for (std::int64_t first = 0; first < rows_.size(0); first += block_rows) {
            throw_if_stopped(stop_);
            const auto last = std::min(first + block_rows, rows_.size(0));
            use(first, rows_.slice(0, first, last));
            read_.add(last - first);
        }
    }

    at::Tensor rows_, mean_;
    const std::stop_token& stop_;
    RowsRead& read_;
};

struct Spectrum {
    at::Tensor products;  ///< [m, m] float64
    LeadingEigen eigen;
    double floor = 0;  ///< noise_floor

    [[nodiscard]] std::vector<double> ratio(std::int64_t components) const {
        return shares_of(products, eigen, floor, components);
    }
};

/// For the centred rows; `whole_scatter`: Xᵀ X even if X Xᵀ is smaller.
Spectrum spectrum_of(const CentredRows& x, std::int64_t components, const std::stop_token& stop,
                     bool whole_scatter = false) {
    Spectrum result;
    const auto decompose = [&](at::Tensor products) {
        throw_if_stopped(stop);
        result.products = std::move(products);
        result.eigen = leading_eigen(result.products, components);
        result.floor = noise_floor(result.eigen, std::max(x.count(), x.dimension()));
        throw_if_stopped(stop);
    };
    if (may_be_single(x.count(), x.dimension())) {
        decompose(x.rounded_scatter());
        const auto& values = result.eigen.values;
        const auto least = values[values.numel() - 1].item<double>();
        if (least > single_share * values[0].item<double>()) {
            x.skip_pass();
            return result;
        }
    }
    decompose(whole_scatter ? x.scatter() : x.products());
    return result;
}

}  // namespace

Pca pca(std::span<const float> values, std::int64_t rows, std::int64_t dimension, std::int64_t components,
        const std::stop_token& stop, const ProgressFn& progress) {
    check_matrix(values, rows, dimension, components);
    const torch::NoGradGuard no_gradient;
    RowsRead read("Principal components", rows_to_read(rows, dimension, 1), progress);
    const CentredRows x(values, rows, dimension, stop, read);
    Pca result;
    result.rows = rows;
    result.dimension = dimension;
    result.components = components;
    result.mean = to_vector(x.mean());
    result.variance.assign(static_cast<std::size_t>(components), 0.0);
    result.points.assign(static_cast<std::size_t>(rows * components), 0.0);
    if (rows == 0) {
        result.axes.assign(static_cast<std::size_t>(components * dimension), 0.0);
        result.variance_ratio.assign(static_cast<std::size_t>(components), not_a_number);
        return result;
    }
    const auto spectrum = spectrum_of(x, components, stop);
    const auto& eigen = spectrum.eigen;
    const double floor = spectrum.floor;
    result.variance_ratio = spectrum.ratio(components);
    const auto vectors = x.is_wide() ? at::mm(x.all().t(), eigen.vectors) : eigen.vectors;
    const auto axes = make_axes(vectors, eigen.values, floor, components);
    result.axes = to_vector(axes);
    for (std::size_t i = 0; i < result.variance.size() && std::cmp_less(i, eigen.values.numel()); ++i)
        if (const double value = eigen.values[static_cast<std::int64_t>(i)].item<double>(); value > floor)
            result.variance[i] = value / static_cast<double>(rows - 1);
    x.each([&](std::int64_t first, const at::Tensor& block) {
        const auto points = to_vector(at::mm(block, axes.t()));
        std::copy(points.begin(), points.end(), result.points.begin() + first * components);
    });
    return result;
}

ExplainedVariance explained_variance(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                                     std::int64_t components, const std::stop_token& stop,
                                     const ProgressFn& progress) {
    ExplainedVariance result;
    result.rows = rows;
    check_matrix(values, rows, dimension, components);
    result.centred.assign(static_cast<std::size_t>(components), not_a_number);
    result.uncentred = result.centred;
    if (rows == 0) return result;
    const torch::NoGradGuard no_gradient;
    RowsRead read(stage_of_shares, rows_to_read(rows, dimension, rows < dimension ? 1 : 0), progress);
    const CentredRows x(values, rows, dimension, stop, read);
    const auto side = std::max(rows, dimension);
    const auto centred = spectrum_of(x, components, stop);
    if (rows > 1) result.centred = centred.ratio(components);
    // Uncentred: the mean counts as one more row, n times. This reduces no eigenvalue, so float32 products
    // that suffice for the centred rows suffice here.
    const auto uncentred = x.is_wide()
                               ? x.products(false)
                               : centred.products + static_cast<double>(rows) * at::outer(x.mean(), x.mean());
    throw_if_stopped(stop);
    result.uncentred = leading_shares(uncentred, side, components);
    return result;
}

store::EmbeddingLayout joint_layout(std::span<const float> anchors, std::span<const float> series,
                                    std::span<const float> prompts, std::int64_t dimension,
                                    std::int64_t components, const std::stop_token& stop,
                                    const ProgressFn& progress) {
    const torch::NoGradGuard no_gradient;
    std::int64_t to_read = 0;
    for (const auto values : {anchors, series, prompts})
        if (dimension > 0)
            to_read += rows_to_read(static_cast<std::int64_t>(values.size()) / dimension, dimension, 1);
    RowsRead read("Principal components", to_read, progress);
    std::vector<CentredRows> kinds;
    store::EmbeddingLayout layout;
    layout.components = components;
    std::int64_t total = 0;
    auto mean = at::zeros({std::max<std::int64_t>(1, dimension)}, at::kDouble);
    for (const auto values : {anchors, series, prompts}) {
        const auto rows = dimension > 0 ? static_cast<std::int64_t>(values.size()) / dimension : 0;
        check_matrix(values, rows, dimension, components);
        const auto& kind = kinds.emplace_back(values, rows, dimension, stop, read);
        mean += kind.mean() * static_cast<double>(rows);
        total += rows;
    }
    mean /= static_cast<double>(std::max<std::int64_t>(1, total));

    // The joint scatter is the sum of the scatter within and between the kinds, so each row is multiplied
    // only once.
    auto scatter = at::zeros({dimension, dimension}, at::kDouble);
    for (const auto& kind : kinds) {
        std::vector<double> ratio(static_cast<std::size_t>(components), not_a_number);
        if (kind.count() > 0) {
            const auto own = spectrum_of(kind, components, stop, true);
            const auto apart = kind.mean() - mean;
            scatter += own.products + at::outer(apart, apart) * static_cast<double>(kind.count());
            if (kind.count() > 1) ratio = own.ratio(components);
        }
        layout.variance_ratio.insert(layout.variance_ratio.end(), ratio.begin(), ratio.end());
    }
    const auto eigen = leading_eigen(scatter, components);
    const auto floor = noise_floor(eigen, std::max(total, dimension));
    const auto axes = make_axes(eigen.vectors, eigen.values, floor, components);
    layout.explained = shares_of(scatter, eigen, floor, components);
    std::int32_t number = 0;
    for (const auto& kind : kinds) {
        kind.each([&](std::int64_t first, const at::Tensor& block) {
            const auto points = to_vector(at::mm(block + (kind.mean() - mean), axes.t()));
            layout.points.insert(layout.points.end(), points.begin(), points.end());
            for (std::int64_t row = 0; row < block.size(0); ++row) {
                layout.kind.push_back(number);
                layout.row.push_back(static_cast<std::int32_t>(first + row));
            }
        });
        ++number;
    }
    return layout;
}

void keep_orientation(store::EmbeddingLayout& layout, const store::EmbeddingLayout& before) {
    if (layout.components != before.components || layout.points.size() != before.points.size()) return;
    const auto components = static_cast<std::size_t>(layout.components);
    for (std::size_t c = 0; c < components; ++c) {
        double agreement = 0;
        for (std::size_t i = c; i < layout.points.size(); i += components)
            agreement += static_cast<double>(layout.points[i]) * static_cast<double>(before.points[i]);
        if (agreement >= 0) continue;
        for (std::size_t i = c; i < layout.points.size(); i += components)
            layout.points[i] = -layout.points[i];
    }
}

}  // namespace casp::analysis
