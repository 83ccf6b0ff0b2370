#include "analysis/pca_parts.h"

#include <algorithm>
#include <limits>

namespace casp::analysis {

namespace {
constexpr std::int64_t strip_columns = 128;  ///< of a symmetric product
}

void add_products(at::Tensor& sum, const at::Tensor& block) {
    const auto d = sum.size(0);
    for (std::int64_t first = 0; first < d; first += strip_columns) {
        const auto last = std::min(first + strip_columns, d);
        auto strip = sum.slice(0, first, last).slice(1, first, d);
        const auto left = block.slice(1, first, last).t(), right = block.slice(1, first, d);
        if (block.scalar_type() == at::kDouble)
            strip.addmm_(left, right);
        else
            strip.add_(at::mm(left, right));
    }
}

at::Tensor mirrored(const at::Tensor& upper) { return upper.triu() + upper.triu(1).t(); }

std::vector<double> to_vector(const at::Tensor& tensor) {
    const auto t = tensor.to(at::kDouble).contiguous();
    return {t.data_ptr<double>(), t.data_ptr<double>() + t.numel()};
}

double noise_floor(const LeadingEigen& eigen, std::int64_t size) {
    return std::max(0.0, eigen.values[0].item<double>()) * static_cast<double>(size) *
           std::numeric_limits<double>::epsilon();
}

std::vector<double> shares_of(const at::Tensor& products, const LeadingEigen& eigen, double floor,
                              std::int64_t components) {
    std::vector<double> ratio(static_cast<std::size_t>(components), std::numeric_limits<double>::quiet_NaN());
    const double whole = products.trace().item<double>();
    if (!(whole > floor)) return ratio;
    const auto values = to_vector(eigen.values);
    for (std::size_t i = 0; i < ratio.size(); ++i)
        ratio[i] = i < values.size() && values[i] > floor ? values[i] / whole : 0.0;
    return ratio;
}

std::vector<double> leading_shares(const at::Tensor& products, std::int64_t size, std::int64_t components) {
    const auto eigen = leading_eigen(products, components);
    return shares_of(products, eigen, noise_floor(eigen, size), components);
}

at::Tensor make_axes(const at::Tensor& vectors, const at::Tensor& variances, double floor,
                     std::int64_t components) {
    auto axes = at::zeros({components, vectors.size(0)}, at::kDouble);
    for (std::int64_t i = 0; i < std::min(components, variances.numel()); ++i) {
        if (!(variances[i].item<double>() > floor)) break;
        auto axis = vectors.select(1, i);
        axis = axis / axis.norm();
        const auto largest = axis.abs().argmax().item<std::int64_t>();
        axes[i] = axis[largest].item<double>() < 0 ? -axis : axis;
    }
    return axes;
}

}  // namespace casp::analysis
