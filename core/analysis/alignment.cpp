#include "analysis/alignment.h"

#include <algorithm>
#include <stdexcept>

#include <torch/torch.h>

#include "analysis/rows_read.h"
#include "analysis/scores.h"
#include "util/error.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t rows_per_product = 2048;  ///< rows held in float64 at once

at::Tensor matrix_of(std::span<const float> values, std::int64_t dimension) {
    const auto rows = static_cast<std::int64_t>(values.size()) / dimension;
    return at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat);
}

at::Tensor directions(const at::Tensor& rows) {
    const auto v = rows.to(at::kDouble);
    return v * v.square().sum(1, true).clamp_min(1e-12).rsqrt();
}

}  // namespace

CosineMap cosine_map(std::span<const float> series, std::span<const float> prompts, std::int64_t dimension,
                     std::int64_t most_rows, const std::stop_token& stop, const ProgressFn& progress) {
    if (dimension < 1 || most_rows < 1 || series.size() != prompts.size() ||
        series.size() % static_cast<std::size_t>(dimension) != 0)
        throw std::invalid_argument("cosine_map: inconsistent sizes");
    const torch::NoGradGuard no_gradient;
    const auto s = matrix_of(series, dimension), p = matrix_of(prompts, dimension);
    CosineMap map;
    map.rows_total = s.size(0);
    if (map.rows_total == 0) return map;
    map.row = evenly_spaced(map.rows_total, most_rows);
    RowsRead read("Cosine similarity", map.rows_total + static_cast<std::int64_t>(map.row.size()), progress);
    // The mean over all pairs is the product of the mean directions.
    auto mean_s = at::zeros({dimension}, at::kDouble), mean_p = mean_s.clone();
    for (std::int64_t first = 0; first < map.rows_total; first += rows_per_product) {
        throw_if_stopped(stop);
        const auto last = std::min(first + rows_per_product, map.rows_total);
        const auto a = directions(s.slice(0, first, last)), b = directions(p.slice(0, first, last));
        mean_s += a.sum(0);
        mean_p += b.sum(0);
        const auto own = (a * b).sum(1).to(at::kFloat).contiguous();
        map.diagonal.insert(map.diagonal.end(), own.data_ptr<float>(), own.data_ptr<float>() + own.numel());
        read.add(last - first);
    }
    if (!at::isfinite(mean_s + mean_p).all().item<bool>())
        throw input_error("cosine map", "the embeddings are not all finite", {},
                          "The weights of this run are damaged or its training diverged.");
    const auto n = static_cast<double>(map.rows_total);
    double on = 0;
    for (const float value : map.diagonal) on += static_cast<double>(value);
    const double all = mean_s.dot(mean_p).item<double>();
    map.diagonal_mean = on / n;
    map.mean = all / (n * n);
    if (map.rows_total > 1) map.off_diagonal_mean = (all - on) / (n * n - n);

    const auto shown = at::tensor(at::ArrayRef<std::int64_t>(map.row));
    const auto across = directions(p.index_select(0, shown)).t();
    const auto down = directions(s.index_select(0, shown));
    map.values.reserve(map.row.size() * map.row.size());
    for (std::int64_t first = 0; first < down.size(0); first += rows_per_product) {
        throw_if_stopped(stop);
        const auto last = std::min(first + rows_per_product, down.size(0));
        const auto part = at::mm(down.slice(0, first, last), across).to(at::kFloat);
        map.values.insert(map.values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
        read.add(last - first);
    }
    const auto [lowest, highest] = std::minmax_element(map.values.begin(), map.values.end());
    map.lowest = *lowest;
    map.highest = *highest;
    return map;
}

}  // namespace casp::analysis
