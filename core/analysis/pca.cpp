#include "analysis/pca.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <torch/torch.h>

#include "analysis/rows_read.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t block_rows = 1024;    ///< rows converted at once
constexpr std::int64_t strip_columns = 128;  ///< of a symmetric product

std::vector<double> to_vector(const at::Tensor& tensor) {
    const auto t = tensor.to(at::kDouble).contiguous();
    return {t.data_ptr<double>(), t.data_ptr<double>() + t.numel()};
}

/// Rows [n, d] as float32 that share the memory of `values`.
at::Tensor as_rows(std::span<const float> values, std::int64_t dimension) {
    return at::from_blob(const_cast<float*>(values.data()), {std::ssize(values) / dimension, dimension},
                         at::kFloat);
}

/// Number of rows, their mean, and their centred products.
struct RowSums {
    std::int64_t rows = 0;
    at::Tensor mean;      ///< [d]
    at::Tensor products;  ///< [d, d], the upper triangle

    explicit RowSums(std::int64_t dimension)
        : mean(at::zeros({dimension}, at::kDouble)),
          products(at::zeros({dimension, dimension}, at::kDouble)) {}

    /// `block`: [n, d] float64, n > 0; centred in place.
    void add(at::Tensor block) {
        const auto own = block.mean(0);
        block.sub_(own);
        const auto d = products.size(0);
        for (std::int64_t first = 0; first < d; first += strip_columns) {
            const auto last = std::min(first + strip_columns, d);
            products.slice(0, first, last)
                .slice(1, first, d)
                .addmm_(block.slice(1, first, last).t(), block.slice(1, first, d));
        }
        join(block.size(0), own);
    }
    void add(const RowSums& other) {
        if (other.rows == 0) return;
        products.add_(other.products);
        join(other.rows, other.mean);
    }
    /// The full symmetric matrix.
    [[nodiscard]] at::Tensor scatter() const { return products.triu() + products.triu(1).t(); }

    void check_finite() const {
        if (!at::isfinite(mean).all().item<bool>())
            throw input_error("PCA", "the values are not all finite", {},
                              "The weights of this run are damaged or its training diverged.");
    }

private:
    /// `count` rows of this mean, whose products about it are added.
    void join(std::int64_t count, const at::Tensor& own) {
        const auto apart = own - mean;
        const auto together = static_cast<double>(rows + count);
        products.add_(at::outer(apart, apart),
                      static_cast<double>(rows) * static_cast<double>(count) / together);
        mean.add_(apart, static_cast<double>(count) / together);
        rows += count;
    }
};

/// Leading eigenvalues of products of rows.
struct Spectrum {
    at::Tensor leading;          ///< [up to components] descending
    at::Tensor vectors;          ///< [d, up to components] orthonormal columns
    double floor = 0;            ///< below which eigenvalues are rounding errors
    std::vector<double> shares;  ///< fractions of the trace; NaN if that is not above the floor

    Spectrum(const at::Tensor& scatter, std::int64_t rows, std::int64_t components)
        : shares(static_cast<std::size_t>(components), not_a_number) {
        const auto [ascending, columns] = at::linalg_eigh(scatter);
        leading = ascending.flip(0).slice(0, 0, components).contiguous();
        vectors = columns.flip(1).slice(1, 0, components).contiguous();
        floor = std::max(0.0, leading[0].item<double>()) *
                static_cast<double>(std::max(rows, scatter.size(0))) * std::numeric_limits<double>::epsilon();
        const double whole = scatter.trace().item<double>();
        if (!(whole > floor)) return;
        const auto values = to_vector(leading);
        for (std::size_t i = 0; i < shares.size(); ++i)
            shares[i] = i < values.size() && values[i] > floor ? values[i] / whole : 0.0;
    }

    /// As rows [components, d]: normalised, the largest loading positive, zero where there is no variance.
    [[nodiscard]] at::Tensor axes() const {
        const auto components = std::ssize(shares);
        auto axes = at::zeros({components, vectors.size(0)}, at::kDouble);
        for (std::int64_t i = 0; i < std::min(components, leading.numel()); ++i) {
            if (!(leading[i].item<double>() > floor)) break;
            auto axis = vectors.select(1, i);
            axis = axis / axis.norm();
            const auto largest = axis.abs().argmax().item<std::int64_t>();
            axes[i] = axis[largest].item<double>() < 0 ? -axis : axis;
        }
        return axes;
    }
};

PrincipalAxes axes_of(const RowSums& sums, std::int64_t components) {
    const auto c = static_cast<std::size_t>(components);
    PrincipalAxes result;
    result.rows = sums.rows;
    result.dimension = sums.mean.numel();
    result.components = components;
    result.mean = to_vector(sums.mean);
    result.axes.assign(c * result.mean.size(), 0.0);
    result.variance.assign(c, 0.0);
    result.shares.centred = result.shares.uncentred = std::vector<double>(c, not_a_number);
    if (sums.rows == 0) return result;
    sums.check_finite();
    const auto scatter = sums.scatter();
    const Spectrum spectrum(scatter, sums.rows, components);
    result.axes = to_vector(spectrum.axes());
    const auto values = to_vector(spectrum.leading);
    for (std::size_t i = 0; i < std::min(c, values.size()); ++i)
        if (values[i] > spectrum.floor) result.variance[i] = values[i] / static_cast<double>(sums.rows - 1);
    if (sums.rows > 1) result.shares.centred = spectrum.shares;
    // Uncentred: the mean counts as one more row, n times.
    result.shares.uncentred =
        Spectrum(scatter + static_cast<double>(sums.rows) * at::outer(sums.mean, sums.mean), sums.rows,
                 components)
            .shares;
    return result;
}

void check_matrix(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                  std::int64_t components) {
    if (rows < 0 || dimension < 1 || components < 1 ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("pca: inconsistent sizes");
}

/// Calls use(block [n, d] float64) for all rows.
template <class Use>
void each_block(const at::Tensor& rows, RowsRead& read, const std::stop_token& stop, Use use) {
    in_parts(rows.size(0), block_rows, read, stop,
             [&](std::int64_t first, std::int64_t last) { use(rows.slice(0, first, last).to(at::kDouble)); });
}

RowSums sums_of(const at::Tensor& rows, RowsRead& read, const std::stop_token& stop) {
    RowSums sums(rows.size(1));
    each_block(rows, read, stop, [&](const at::Tensor& block) { sums.add(block); });
    sums.check_finite();
    throw_if_stopped(stop);
    return sums;
}

}  // namespace

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

struct StreamedPca::State {
    RowSums sums;
    std::vector<float> waiting;  ///< rows of an incomplete block
};

StreamedPca::StreamedPca(std::int64_t dimension) {
    if (dimension < 1) throw std::invalid_argument("streamed PCA: the dimension must be at least 1");
    const torch::NoGradGuard no_gradient;
    state_ = std::make_unique<State>(State{RowSums(dimension), {}});
}

StreamedPca::~StreamedPca() = default;

void StreamedPca::add(std::span<const float> rows) {
    auto& [sums, waiting] = *state_;
    const auto dimension = sums.mean.numel();
    if (rows.size() % static_cast<std::size_t>(dimension) != 0)
        throw std::invalid_argument("streamed PCA: incomplete row");
    const torch::NoGradGuard no_gradient;
    const auto whole = static_cast<std::size_t>(block_rows * dimension);
    while (!rows.empty()) {
        if (waiting.empty() && rows.size() >= whole) {
            sums.add(as_rows(rows.first(whole), dimension).to(at::kDouble));
            rows = rows.subspan(whole);
            continue;
        }
        const auto taken = std::min(rows.size(), whole - waiting.size());
        waiting.insert(waiting.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(taken));
        rows = rows.subspan(taken);
        if (waiting.size() < whole) continue;
        sums.add(as_rows(waiting, dimension).to(at::kDouble));
        waiting.clear();
    }
}

PrincipalAxes StreamedPca::axes(std::int64_t components) const {
    if (components < 1) throw std::invalid_argument("streamed PCA: at least one component");
    const torch::NoGradGuard no_gradient;
    const auto& [sums, waiting] = *state_;
    RowSums all(sums.mean.numel());
    all.add(sums);
    if (!waiting.empty()) all.add(as_rows(waiting, sums.mean.numel()).to(at::kDouble));
    return axes_of(all, components);
}

PrincipalAxes principal_axes(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                             std::int64_t components, const std::stop_token& stop,
                             const ProgressFn& progress) {
    check_matrix(values, rows, dimension, components);
    const torch::NoGradGuard no_gradient;
    RowsRead read(Stage::principal_components, rows, progress);
    return axes_of(sums_of(as_rows(values, dimension), read, stop), components);
}

store::EmbeddingLayout joint_layout(std::span<const float> anchors, std::span<const float> series,
                                    std::span<const float> prompts, std::int64_t dimension,
                                    std::int64_t components, const std::stop_token& stop,
                                    const ProgressFn& progress) {
    const torch::NoGradGuard no_gradient;
    std::vector<at::Tensor> kinds;
    std::int64_t total = 0;
    for (const auto values : {anchors, series, prompts}) {
        check_matrix(values, dimension > 0 ? std::ssize(values) / dimension : 0, dimension, components);
        total += kinds.emplace_back(as_rows(values, dimension)).size(0);
    }
    RowsRead read(Stage::principal_components, 2 * total, progress);
    store::EmbeddingLayout layout;
    layout.components = components;
    RowSums all(dimension);
    for (const auto& kind : kinds) {
        const auto sums = sums_of(kind, read, stop);
        const auto ratio = sums.rows > 1
                               ? Spectrum(sums.scatter(), sums.rows, components).shares
                               : std::vector<double>(static_cast<std::size_t>(components), not_a_number);
        layout.variance_ratio.insert(layout.variance_ratio.end(), ratio.begin(), ratio.end());
        all.add(sums);
    }
    const Spectrum spectrum(all.scatter(), total, components);
    const auto axes = spectrum.axes();
    layout.explained = spectrum.shares;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        each_block(kinds[kind], read, stop, [&](const at::Tensor& block) {
            const auto points = to_vector(at::mm(block - all.mean, axes.t()));
            layout.points.insert(layout.points.end(), points.begin(), points.end());
        });
        for (std::int64_t row = 0; row < kinds[kind].size(0); ++row) {
            layout.kind.push_back(static_cast<std::int32_t>(kind));
            layout.row.push_back(static_cast<std::int32_t>(row));
        }
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
