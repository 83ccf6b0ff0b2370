#include "model/word_components.h"

#include <algorithm>
#include <tuple>

#include <torch/torch.h>

namespace casp::model {

namespace {

constexpr std::int64_t words_per_slice = 4096;  // 25 MB in double at d = 768

}  // namespace

at::Tensor word_components(const at::Tensor& table, std::int64_t count) {
    const torch::NoGradGuard no_gradient;
    const auto host = table.detach().to(at::kCPU);
    const auto words = host.size(0), width = host.size(1);
    auto products = at::zeros({width, width}, at::kDouble);
    for (std::int64_t begin = 0; begin < words; begin += words_per_slice) {
        const auto slice = host.slice(0, begin, begin + words_per_slice).to(at::kDouble);
        const auto centred = slice - slice.mean(1, true);
        products.addmm_(centred.t(), centred);
    }
    const auto [values, vectors] = at::linalg_eigh(products);  // ascending
    const auto components = std::min({count, words, width - 1});
    const auto sigma = values.slice(0, width - components).clamp_min(0.0).sqrt();
    const auto rows = (vectors.slice(1, width - components) * sigma).t().flip({0}).contiguous();
    const auto largest = rows.abs().argmax(1, true);
    const auto sign = at::where(rows.gather(1, largest) < 0, -1.0, 1.0);
    return (rows * sign).to(at::kFloat);
}

}  // namespace casp::model
