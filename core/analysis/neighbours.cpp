#include "analysis/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include <ATen/Parallel.h>

#include "analysis/tsne_kernels.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::analysis {

namespace {

constexpr std::int64_t tile = 2048;    ///< rows and columns of a block of products
constexpr std::int64_t beyond_k = 32;  ///< kept beyond k for the exact recomputation

/// Uniform in [0, 1), symmetric: random order of pairs whose distances are equal or differ only by rounding.
float chance(std::int64_t i, std::int64_t j) {
    const auto less = static_cast<std::uint64_t>(std::min(i, j)),
               more = static_cast<std::uint64_t>(std::max(i, j));
    return static_cast<float>(mix64(mix64(less) + more) >> 40) * 0x1p-24F;
}

/// A candidate for the nearest points.
struct Candidate {
    float square;
    std::int32_t index;
    [[nodiscard]] bool operator<(const Candidate& other) const {
        return square < other.square || (square == other.square && index < other.index);
    }
};

/// Nearest points of each row so far: at least the `keep` nearest, at most twice as many.
class Nearest {
public:
    Nearest(std::int64_t rows, std::int64_t keep)
        : keep_(static_cast<std::size_t>(keep)),
          cells_(static_cast<std::size_t>(rows)),
          limit_(static_cast<std::size_t>(rows), std::numeric_limits<float>::infinity()) {}

    [[nodiscard]] const float* limits() const { return limit_.data(); }
    [[nodiscard]] float limit(std::int64_t row) const { return limit_[static_cast<std::size_t>(row)]; }

    void add(std::int64_t row, Candidate candidate) {
        auto& cells = cells_[static_cast<std::size_t>(row)];
        const auto room = 2 * keep_ + 64;
        if (cells.empty()) cells.reserve(room);
        cells.push_back(candidate);
        if (cells.size() == room) shrink(row);
    }

    /// The at most `keep` nearest of a row, sorted; if there were more, limit() is the distance of the last
    /// one.
    [[nodiscard]] std::vector<Candidate>& of(std::int64_t row) {
        auto& cells = cells_[static_cast<std::size_t>(row)];
        if (cells.size() >= keep_) shrink(row);
        std::sort(cells.begin(), cells.end());
        return cells;
    }

private:
    std::size_t keep_;
    std::vector<std::vector<Candidate>> cells_;
    std::vector<float> limit_;

    void shrink(std::int64_t row) {
        auto& cells = cells_[static_cast<std::size_t>(row)];
        const auto last = cells.begin() + static_cast<std::ptrdiff_t>(keep_) - 1;
        std::nth_element(cells.begin(), last, cells.end());
        limit_[static_cast<std::size_t>(row)] = last->square;
        cells.resize(keep_);
    }
};

/// Centred rows as fp32, with their squared norms; centring minimises the squares.
struct Centred {
    at::Tensor rows;   ///< [n, d]
    at::Tensor norms;  ///< [n]

    explicit Centred(const at::Tensor& values, const std::stop_token& stop)
        : rows(at::empty_like(values)), norms(at::empty({values.size(0)}, values.options())) {
        auto mean = at::zeros({values.size(1)}, at::kDouble);
        for (const auto& block : values.split(tile)) {
            throw_if_stopped(stop);
            mean += block.sum(0, false, at::kDouble);
        }
        mean /= static_cast<double>(values.size(0));
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

class Search {
public:
    Search(std::span<const float> values, std::int64_t dimension, std::int64_t k, const Centred& x,
           const std::stop_token& stop)
        : values_(values),
          rows_(x.rows.size(0)),
          dimension_(dimension),
          x_(x),
          norms_(x.norms.const_data_ptr<float>()),
          stop_(stop),
          nearest_(rows_, std::min(k + beyond_k, rows_ - 1)) {
        result_.rows = rows_;
        result_.count = k;
        result_.index.resize(static_cast<std::size_t>(rows_ * k));
        result_.square.resize(static_cast<std::size_t>(rows_ * k));
    }

    Neighbours run(const ProgressFn& progress) {
        const auto tiles = (rows_ + tile - 1) / tile;
        std::int64_t done = 0;
        for (std::int64_t a = 0; a < tiles; ++a)
            for (std::int64_t b = a; b < tiles; ++b, ++done) {
                throw_if_stopped(stop_);
                if (progress)
                    progress({Stage::finding_neighbours, done * rows_ / (tiles * (tiles + 1) / 2), rows_,
                              "points"});
                compare(a * tile, b * tile);
            }
        std::vector<char> sure(static_cast<std::size_t>(rows_), 1);
        for (std::int64_t first = 0; first < rows_; first += tile) {
            throw_if_stopped(stop_);
            at::parallel_for(first, std::min(first + tile, rows_), 16,
                             [&](std::int64_t begin, std::int64_t end) {
                                 for (std::int64_t i = begin; i < end; ++i)
                                     sure[static_cast<std::size_t>(i)] = static_cast<char>(choose(i));
                             });
        }
        std::vector<std::int64_t> in_doubt;
        for (std::int64_t i = 0; i < rows_; ++i)
            if (sure[static_cast<std::size_t>(i)] == 0) in_doubt.push_back(i);
        result_.repeated = std::ssize(in_doubt);
        repeat(in_doubt);
        return std::move(result_);
    }

private:
    std::span<const float> values_;
    std::int64_t rows_, dimension_;
    const Centred& x_;
    const float* norms_;
    std::stop_token stop_;
    Nearest nearest_;
    Neighbours result_;
    at::Tensor products_ = at::empty({tile * tile}, at::kFloat);

    /// Rounding error of a squared distance from products, in units of |x|² + |y|².
    [[nodiscard]] double rounding() const {
        return (std::sqrt(static_cast<double>(dimension_)) + 4) * 0x1p-24;
    }

    [[nodiscard]] float distance(std::int64_t i, std::int64_t j) const {
        return kernels::square_distance(values_.data() + i * dimension_, values_.data() + j * dimension_,
                                        dimension_);
    }

    /// Distances below their rounding error are replaced by random ones, so that equal points do not all
    /// select the same few.
    void add(std::int64_t i, std::int64_t j, float square) {
        const float level = static_cast<float>(rounding()) * (norms_[i] + norms_[j]);
        if (square < level) square = level * chance(i, j);
        if (square < nearest_.limit(i)) nearest_.add(i, {square, static_cast<std::int32_t>(j)});
    }

    /// All pairs of the tiles from rows `a` and `b`, a ≤ b, by products.
    void compare(std::int64_t a, std::int64_t b) {
        const auto height = std::min(tile, rows_ - a), width = std::min(tile, rows_ - b);
        auto block = products_.slice(0, 0, height * width).view({height, width});
        at::mm_out(block, x_.rows.slice(0, a, a + height), x_.rows.slice(0, b, b + width).t());
        const float* p = block.const_data_ptr<float>();
        // Rows of `a` with points of `b` and, unless they are the same tile, the reverse.
        at::parallel_for(0, height, 16, [&](std::int64_t begin, std::int64_t end) {
            // In portions: an updated limit excludes more of the rest.
            constexpr std::int64_t portion = 256;
            std::vector<std::int32_t> where(portion);
            std::vector<float> square(portion), limits(portion);
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t from = 0; from < width; from += portion) {
                    std::fill(limits.begin(), limits.end(), nearest_.limit(a + i));
                    const auto found = kernels::near_enough(
                        p + i * width + from, norms_ + b + from, norms_[a + i], limits.data(),
                        std::min(portion, width - from), where.data(), square.data());
                    for (std::size_t f = 0; std::cmp_less(f, found); ++f)
                        if (b + from + where[f] != a + i) add(a + i, b + from + where[f], square[f]);
                }
        });
        if (a == b) return;
        at::parallel_for(0, width, 64, [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int32_t> where(static_cast<std::size_t>(end - begin));
            std::vector<float> square(where.size());
            for (std::int64_t i = 0; i < height; ++i) {
                const auto found = kernels::near_enough(p + i * width + begin, norms_ + b + begin,
                                                        norms_[a + i], nearest_.limits() + b + begin,
                                                        end - begin, where.data(), square.data());
                for (std::size_t f = 0; std::cmp_less(f, found); ++f)
                    add(b + begin + where[f], a + i, square[f]);
            }
        });
    }

    /// Writes the k nearest of sorted candidates.
    void write(std::int64_t row, const std::vector<Candidate>& candidates) {
        for (std::size_t j = 0; std::cmp_less(j, result_.count); ++j) {
            const auto to = static_cast<std::size_t>(row * result_.count) + j;
            result_.index[to] = candidates[j].index;
            result_.square[to] = std::max(candidates[j].square, 0.0F);
        }
    }

    /// Recomputes the distances of a row's candidates from differences and writes the k nearest. Returns
    /// whether no other point can be nearer.
    bool choose(std::int64_t row) {
        auto& candidates = nearest_.of(row);
        for (auto& candidate : candidates) candidate.square = distance(row, candidate.index);
        // Ties in order of arrival, which is random for equal products.
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.square < b.square; });
        write(row, candidates);
        if (result_.count == 0 || std::cmp_equal(candidates.size() + 1, rows_)) return true;
        const auto farthest =
            static_cast<double>(candidates[static_cast<std::size_t>(result_.count) - 1].square);
        if (farthest == 0) return true;
        // Upper bound on the norm of any nearer point.
        const auto norm = static_cast<double>(norms_[row]);
        const double other = std::sqrt(norm) + std::sqrt(farthest);
        return farthest <= static_cast<double>(nearest_.limit(row)) - rounding() * (norm + other * other);
    }

    /// Compares these rows with every point by differences.
    void repeat(const std::vector<std::int64_t>& rows) {
        if (rows.empty()) return;
        Nearest nearest(std::ssize(rows), result_.count);
        at::parallel_for(0, std::ssize(rows), 16, [&](std::int64_t begin, std::int64_t end) {
            constexpr std::int64_t portion = 256;  // points that stay in the cache
            for (std::int64_t from = 0; from < rows_ && !stop_.stop_requested(); from += portion)
                for (std::int64_t r = begin; r < end; ++r)
                    for (std::int64_t j = from; j < std::min(from + portion, rows_); ++j) {
                        const auto i = rows[static_cast<std::size_t>(r)];
                        if (i == j) continue;
                        const float square = distance(i, j);
                        // Equal points are chosen by chance.
                        const float rank = square > 0 ? square : chance(i, j) - 1;
                        if (rank < nearest.limit(r)) nearest.add(r, {rank, static_cast<std::int32_t>(j)});
                    }
        });
        throw_if_stopped(stop_);
        for (std::int64_t r = 0; r < std::ssize(rows); ++r)
            write(rows[static_cast<std::size_t>(r)], nearest.of(r));
    }
};

}  // namespace

Neighbours exact_neighbours(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                            std::int64_t k, const ProgressFn& progress, const std::stop_token& stop) {
    if (rows < 1 || dimension < 1 || k < 0 || k >= rows ||
        values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(dimension))
        throw std::invalid_argument("neighbours: inconsistent sizes");
    const torch::NoGradGuard no_gradient;
    const Centred x(at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat), stop);
    Neighbours none;
    none.rows = rows;
    return k == 0 ? none : Search(values, dimension, k, x, stop).run(progress);
}

}  // namespace casp::analysis
