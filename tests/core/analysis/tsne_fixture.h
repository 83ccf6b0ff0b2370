#pragma once
// Points for the tests of t-SNE and its neighbours, and for the checks on a GPU: without Qt.

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "analysis/tsne_descent.h"
#include "util/random.h"

namespace casp::test {

inline std::vector<float> floats(const at::Tensor& t) {
    const auto c = t.to(at::kFloat).contiguous();
    return {c.const_data_ptr<float>(), c.const_data_ptr<float>() + c.numel()};
}

inline std::vector<double> doubles(const at::Tensor& t) {
    const auto c = t.to(at::kDouble).contiguous();
    return {c.const_data_ptr<double>(), c.const_data_ptr<double>() + c.numel()};
}

inline at::Tensor normal(std::int64_t n, std::int64_t d, std::uint64_t seed) {
    return at::randn({n, d}, make_generator(seed), at::kDouble);
}

/// n points in `blobs` blobs of deviation 1, centres `apart` apart in size: point i belongs to blob i %
/// blobs.
inline std::vector<float> blobs(std::int64_t n, std::int64_t d, std::int64_t number, double apart = 5,
                                std::uint64_t seed = 1) {
    const auto centres = normal(number, d, seed) * apart;
    return floats(centres.index_select(0, at::arange(n, at::kLong).remainder(number)) +
                  normal(n, d, seed + 1));
}

/// p of points in blobs.
inline analysis::TsneAffinities affinities(std::int64_t n, double perplexity, std::uint64_t seed = 1) {
    const auto values = blobs(n, 10, 4, 3, seed);
    return analysis::tsne_affinities(
        analysis::exact_neighbours(values, n, 10, static_cast<std::int64_t>(3 * perplexity)), perplexity);
}

/// |a − b| / |b|.
inline double relative(const std::vector<double>& a, const std::vector<double>& b) {
    double apart = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return a.size() == b.size() ? std::sqrt(apart / size) : 1e300;
}

}  // namespace casp::test
