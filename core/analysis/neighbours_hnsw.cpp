#include <algorithm>
#include <atomic>
#include <stdexcept>

// hnswlib 0.6.2's own vector code prefetches one link past the end of a full list (found by
// AddressSanitizer).
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include <ATen/Parallel.h>

#include "analysis/neighbour_kernels.h"
#include "analysis/neighbours.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::analysis {

namespace {

/// hnswlib's L2 space with our vectorised distance.
class SquareDistance : public hnswlib::SpaceInterface<float> {
public:
    explicit SquareDistance(std::int64_t dimension) : dimension_(dimension) {}
    std::size_t get_data_size() override { return static_cast<std::size_t>(dimension_) * sizeof(float); }
    hnswlib::DISTFUNC<float> get_dist_func() override {
        return [](const void* a, const void* b, const void* dimension) {
            return kernels::square_distance(static_cast<const float*>(a), static_cast<const float*>(b),
                                            *static_cast<const std::int64_t*>(dimension));
        };
    }
    void* get_dist_func_param() override { return &dimension_; }

private:
    std::int64_t dimension_;
};

}  // namespace

Neighbours hnsw_neighbours(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                           std::int64_t k, std::int64_t seed, const ProgressFn& progress,
                           const std::stop_token& stop) {
    if (rows < 1 || dimension < 1 || k < 0 || k >= rows ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("neighbours: inconsistent sizes");
    Neighbours result;
    result.rows = rows;
    result.count = k;
    result.index.resize(static_cast<std::size_t>(rows * k));
    result.square.resize(static_cast<std::size_t>(rows * k));
    if (k == 0) return result;

    constexpr std::size_t links = 16, candidates = 200;
    constexpr std::int64_t portion = 256;
    SquareDistance space(dimension);
    hnswlib::HierarchicalNSW<float> graph(&space, static_cast<std::size_t>(rows), links, candidates,
                                          mix64(static_cast<std::uint64_t>(seed)));
    for (std::int64_t i = 0; i < rows; ++i) {
        if (i % portion == 0) {
            if (stop.stop_requested()) throw Cancelled();
            if (progress) progress({"Finding neighbours", i, rows, "points"});
        }
        graph.addPoint(values.data() + i * dimension, static_cast<hnswlib::labeltype>(i));
    }
    graph.setEf(static_cast<std::size_t>(std::max<std::int64_t>(2 * (k + 1), 200)));
    std::atomic<bool> short_of = false;
    for (std::int64_t first = 0; first < rows; first += 16 * portion) {
        if (stop.stop_requested()) throw Cancelled();
        at::parallel_for(
            first, std::min(first + 16 * portion, rows), 16, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const float* own = values.data() + i * dimension;
                    auto found = graph.searchKnn(own, static_cast<std::size_t>(k + 1));
                    std::vector<std::pair<float, std::int32_t>> nearest;
                    for (; !found.empty(); found.pop()) {
                        const auto j = static_cast<std::int64_t>(found.top().second);
                        if (j == i) continue;
                        nearest.emplace_back(
                            kernels::square_distance(own, values.data() + j * dimension, dimension),
                            static_cast<std::int32_t>(j));
                    }
                    std::sort(nearest.begin(), nearest.end());
                    if (std::cmp_less(nearest.size(), k)) {
                        short_of = true;
                        continue;
                    }
                    for (std::int64_t j = 0; j < k; ++j) {
                        result.square[static_cast<std::size_t>(i * k + j)] =
                            nearest[static_cast<std::size_t>(j)].first;
                        result.index[static_cast<std::size_t>(i * k + j)] =
                            nearest[static_cast<std::size_t>(j)].second;
                    }
                }
            });
    }
    // Many equal points can divide the graph into parts smaller than k.
    if (short_of) return exact_neighbours(values, rows, dimension, k, progress, stop);
    return result;
}

}  // namespace casp::analysis
