#include "analysis/neighbours.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include <ATen/Parallel.h>

#include "analysis/neighbour_candidates.h"
#include "analysis/neighbour_kernels.h"
#include "analysis/projected_neighbours.h"
#include "util/device.h"
#include "util/error.h"
#include "util/tf32.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t tile = 2048;    ///< rows and columns of a block of products
constexpr std::int64_t beyond_k = 32;  ///< kept beyond k for the exact recomputation

void check_sizes(std::span<const float> values, std::int64_t rows, std::int64_t dimension, std::int64_t k) {
    if (rows < 1 || dimension < 1 || k < 0 || k >= rows ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("neighbours: inconsistent sizes");
}

/// Centred rows as fp32, with their squared norms; centring minimises the squares.
struct Centred {
    at::Tensor rows;   ///< [n, d]
    at::Tensor norms;  ///< [n]

    explicit Centred(const at::Tensor& values, const std::stop_token& stop) {
        auto mean = at::zeros({values.size(1)}, values.options().dtype(at::kDouble));
        for (const auto& block : values.split(tile)) {
            throw_if_stopped(stop);
            mean += block.sum(0, false, at::kDouble);
        }
        mean /= static_cast<double>(values.size(0));
        rows = at::empty_like(values);
        norms = at::empty({values.size(0)}, values.options());
        for (std::int64_t first = 0; first < values.size(0); first += tile) {
            throw_if_stopped(stop);
            const auto last = std::min(first + tile, values.size(0));
            const auto block = values.slice(0, first, last).to(at::kDouble) - mean;
            rows.slice(0, first, last).copy_(block);
            norms.slice(0, first, last).copy_(block.square().sum(1));
        }
        if (!at::isfinite(norms).all().item<bool>())
            throw input_error("Nearest neighbours", "the values are not all finite numbers within 1e15", {},
                              "The weights of this run are damaged or its training diverged.");
    }
};

at::Tensor as_tensor(std::span<const float> values, std::int64_t rows, std::int64_t dimension) {
    return at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat);
}

/// Rounding error of a squared distance from products, in units of |x|² + |y|².
double rounding(std::int64_t dimension, double epsilon) {
    return (std::sqrt(static_cast<double>(dimension)) + 4) * epsilon;
}

/// Recomputes the distances of a row's candidates from differences and writes the k nearest to `result`.
/// Returns whether no other point can be nearer. `limit`: smallest distance of the others according to
/// products; `noise`: rounding(); `norm`: the row's own.
bool choose(std::span<const float> values, std::int64_t dimension, std::int64_t row,
            std::vector<Candidate>& candidates, double limit, double norm, double noise, Neighbours& result) {
    const float* own = values.data() + row * dimension;
    for (auto& candidate : candidates)
        candidate.square =
            kernels::square_distance(own, values.data() + candidate.index * dimension, dimension);
    // Ties in order of arrival, which is random for equal products.
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.square < b.square; });
    const auto k = static_cast<std::size_t>(result.count);
    for (std::size_t j = 0; j < k; ++j) {
        const auto to = static_cast<std::size_t>(row * result.count) + j;
        result.index[to] = candidates[j].index;
        result.square[to] = candidates[j].square;
    }
    if (k == 0 || std::cmp_equal(candidates.size() + 1, result.rows)) return true;
    const auto farthest = static_cast<double>(candidates[k - 1].square);
    if (farthest == 0) return true;
    // Upper bound on the norm of any nearer point.
    const double other = std::sqrt(norm) + std::sqrt(farthest);
    return farthest <= limit - noise * (norm + other * other);
}

/// Searches for the given rows in blocks, on any device and in any precision, with candidates by topk.
/// Returns the rows still in doubt.
std::vector<std::int64_t> search_rows(const Centred& x, at::ScalarType type, std::span<const float> values,
                                      const std::vector<std::int64_t>& rows, Neighbours& result,
                                      const std::function<void(std::size_t)>& tell,
                                      const std::stop_token& stop) {
    const auto n = x.rows.size(0), dimension = x.rows.size(1);
    const auto all = x.rows.to(type);
    const auto norms = all.square().sum(1);
    const auto keep = std::min(result.count + beyond_k, n - 1);
    const double noise = rounding(dimension, type == at::kDouble ? 0x1p-53 : 0x1p-24);
    // At most about 256 MB of distances at once.
    const auto height = static_cast<std::size_t>(std::clamp<std::int64_t>(
        (std::int64_t{1} << 28) / (n * static_cast<std::int64_t>(at::elementSize(type))), 1, 1024));
    std::vector<std::int64_t> in_doubt;
    for (std::size_t first = 0; first < rows.size(); first += height) {
        throw_if_stopped(stop);
        tell(first);
        const auto count = std::min(height, rows.size() - first);
        const auto numbers = at::from_blob(const_cast<std::int64_t*>(rows.data() + first),
                                           {static_cast<std::int64_t>(count)}, at::kLong)
                                 .to(all.device());
        const auto own = norms.index_select(0, numbers);
        auto squares = [&] {
            const Tf32Scope products(all.device(), false);
            return at::addmm(norms.unsqueeze(0), all.index_select(0, numbers), all.t(), 1, -2);
        }();
        squares.add_(own.unsqueeze(1))
            .scatter_(1, numbers.unsqueeze(1), std::numeric_limits<double>::infinity());
        const auto [nearest, index] = at::topk(squares, keep, 1, false, true);
        const auto near_cpu = nearest.to(at::kCPU, at::kDouble).contiguous();
        const auto index_cpu = index.to(at::kCPU).contiguous();
        const auto own_cpu = own.to(at::kCPU, at::kDouble).contiguous();
        std::vector<char> sure(count, 1);
        at::parallel_for(0, static_cast<std::int64_t>(count), 8, [&](std::int64_t begin, std::int64_t end) {
            std::vector<Candidate> candidates;
            for (std::int64_t r = begin; r < end; ++r) {
                candidates.clear();
                for (std::int64_t j = 0; j < keep; ++j)
                    candidates.push_back({0.0F, static_cast<std::int32_t>(
                                                    index_cpu.const_data_ptr<std::int64_t>()[r * keep + j])});
                sure[static_cast<std::size_t>(r)] = static_cast<char>(
                    choose(values, dimension, rows[first + static_cast<std::size_t>(r)], candidates,
                           near_cpu.const_data_ptr<double>()[r * keep + keep - 1],
                           own_cpu.const_data_ptr<double>()[r], noise, result));
            }
        });
        for (std::size_t r = 0; r < count; ++r)
            if (sure[r] == 0) in_doubt.push_back(rows[first + r]);
    }
    return in_doubt;
}

}  // namespace

Neighbours exact_neighbours(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                            std::int64_t k, const ProgressFn& progress, const std::stop_token& stop) {
    check_sizes(values, rows, dimension, k);
    const torch::NoGradGuard no_gradient;
    if (auto found = projected_neighbours(values, rows, dimension, k, Projected::if_faster, progress, stop))
        return std::move(*found);
    const Centred x(as_tensor(values, rows, dimension), stop);
    auto result = empty_result(rows, k);
    if (k == 0) return result;

    const float* norms = x.norms.const_data_ptr<float>();
    const double noise = rounding(dimension, 0x1p-24);
    Nearest nearest(rows, std::min(k + beyond_k, rows - 1));
    // Distances below their rounding error are replaced by random ones, so that equal points do not all
    // select the same few.
    const auto noisy_tie_break = [&](std::int64_t i, std::int64_t j, float square) {
        const float level = static_cast<float>(noise) * (norms[i] + norms[j]);
        return square < level ? level * chance(i, j) : square;
    };
    const auto tiles = (rows + tile - 1) / tile;
    auto products = at::empty({tile * tile}, at::kFloat);
    std::int64_t done = 0;
    for (std::int64_t a = 0; a < tiles; ++a) {
        const auto a_first = a * tile, a_last = std::min(a_first + tile, rows);
        for (std::int64_t b = a; b < tiles; ++b, ++done) {
            throw_if_stopped(stop);
            if (progress)
                progress({"Finding neighbours", done * rows / (tiles * (tiles + 1) / 2), rows, "points"});
            const auto b_first = b * tile, b_last = std::min(b_first + tile, rows);
            const auto height = a_last - a_first, width = b_last - b_first;
            auto block = products.slice(0, 0, height * width).view({height, width});
            at::mm_out(block, x.rows.slice(0, a_first, a_last), x.rows.slice(0, b_first, b_last).t());
            const float* p = block.const_data_ptr<float>();
            // Updates the rows of `a` with points of `b` and, unless they are the same block, the reverse.
            at::parallel_for(a_first, a_last, 16, [&](std::int64_t begin, std::int64_t end) {
                std::vector<std::int32_t> where(static_cast<std::size_t>(width));
                std::vector<float> square(static_cast<std::size_t>(width));
                // In portions: an updated limit excludes more of the rest.
                constexpr std::int64_t portion = 256;
                for (std::int64_t i = begin; i < end; ++i)
                    for (std::int64_t from = 0; from < width; from += portion) {
                        const auto found = kernels::nearer_than(
                            p + (i - a_first) * width + from, norms + b_first + from, norms[i],
                            nearest.limit(i), std::min(portion, width - from), where.data(), square.data());
                        for (std::int64_t f = 0; f < found; ++f) {
                            const auto j = b_first + from + where[static_cast<std::size_t>(f)];
                            if (j == i) continue;
                            const float d = noisy_tie_break(i, j, square[static_cast<std::size_t>(f)]);
                            if (d < nearest.limit(i)) nearest.add(i, {d, static_cast<std::int32_t>(j)});
                        }
                    }
            });
            if (a == b) continue;
            at::parallel_for(0, width, 64, [&](std::int64_t begin, std::int64_t end) {
                std::vector<std::int32_t> where(static_cast<std::size_t>(end - begin));
                std::vector<float> square(static_cast<std::size_t>(end - begin));
                for (std::int64_t i = a_first; i < a_last; ++i) {
                    const auto found = kernels::near_enough(
                        p + (i - a_first) * width + begin, norms + b_first + begin, norms[i],
                        nearest.limits() + b_first + begin, end - begin, where.data(), square.data());
                    for (std::int64_t f = 0; f < found; ++f) {
                        const auto j = b_first + begin + where[static_cast<std::size_t>(f)];
                        const float d = noisy_tie_break(i, j, square[static_cast<std::size_t>(f)]);
                        if (d < nearest.limit(j)) nearest.add(j, {d, static_cast<std::int32_t>(i)});
                    }
                }
            });
        }
    }
    std::vector<char> sure(static_cast<std::size_t>(rows), 1);
    for (std::int64_t first = 0; first < rows; first += tile) {
        throw_if_stopped(stop);
        at::parallel_for(first, std::min(first + tile, rows), 16, [&](std::int64_t begin, std::int64_t end) {
            std::vector<Candidate> candidates;
            for (std::int64_t i = begin; i < end; ++i) {
                const auto kept = nearest.of(i);
                candidates.assign(kept.begin(), kept.end());
                std::sort(candidates.begin(), candidates.end());
                sure[static_cast<std::size_t>(i)] = static_cast<char>(
                    choose(values, dimension, i, candidates, static_cast<double>(nearest.limit(i)),
                           static_cast<double>(norms[i]), noise, result));
            }
        });
    }
    std::vector<std::int64_t> in_doubt;
    for (std::int64_t i = 0; i < rows; ++i)
        if (sure[static_cast<std::size_t>(i)] == 0) in_doubt.push_back(i);
    result.repeated = static_cast<std::int64_t>(in_doubt.size());
    if (!in_doubt.empty())
        (void)search_rows(
            x, at::kDouble, values, in_doubt, result, [](std::size_t) {}, stop);
    return result;
}

Neighbours exact_neighbours_on(const std::string& device, std::span<const float> values, std::int64_t rows,
                               std::int64_t dimension, std::int64_t k, const ProgressFn& progress,
                               const std::stop_token& stop) {
    check_sizes(values, rows, dimension, k);
    const torch::NoGradGuard no_gradient;
    const Centred x(as_tensor(values, rows, dimension).to(resolve_device(device)), stop);
    auto result = empty_result(rows, k);
    if (k == 0) return result;
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    const auto tell = [&](std::size_t done) {
        if (progress) progress({"Finding neighbours", static_cast<std::int64_t>(done), rows, "points"});
    };
    const auto in_doubt = search_rows(x, at::kFloat, values, all, result, tell, stop);
    result.repeated = static_cast<std::int64_t>(in_doubt.size());
    if (!in_doubt.empty())
        (void)search_rows(
            x, at::kDouble, values, in_doubt, result, [](std::size_t) {}, stop);
    return result;
}

}  // namespace casp::analysis
