#include "analysis/projected_neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include <ATen/Parallel.h>

#include "analysis/neighbour_candidates.h"
#include "analysis/neighbour_kernels.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::analysis {

namespace by_bounds {  // sources of a library may be compiled together
namespace {

constexpr std::int64_t fewest_rows = 8192;      ///< for fewer, products of all values are as fast
constexpr std::int64_t fewest_values = 128;     ///< per row, likewise
constexpr std::int64_t most_directions = 256;   ///< of the second bound
constexpr std::int64_t rows_for_basis = 2048;   ///< sample from which the directions are computed
constexpr std::int64_t rows_for_estimate = 64;  ///< sample whose neighbours are counted
constexpr std::int64_t chunk = 2048;            ///< rows converted at once
constexpr std::int64_t tile = 2048;             ///< rows and columns between two updates of both limits
constexpr std::int64_t stripe = 128;            ///< rows of a tile that one thread takes
constexpr std::int64_t portion = 512;           ///< columns of a block of products: it stays in the cache
constexpr std::int64_t leaf = 128;              ///< rows that are not sorted any further
constexpr std::int64_t sorted_directions = 16;  ///< directions considered for sorting
constexpr std::int64_t smallest_group = 512;    ///< rows compared to find the first limits
constexpr double most_by_pairs = 0.15;          ///< fraction of a block
constexpr float smallest = std::numeric_limits<float>::min();
constexpr double unit = 0x1p-24;  ///< largest relative error of a rounding

/// Costs of a pair in units of one multiplication of a matrix product (about 7 ps on two cores with AVX-512).
constexpr double cost_scan = 60, cost_second = 1000, cost_distance = 5000, cost_plain_scan = 160;

std::size_t at_index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The values as float64 minus their mean, a chunk at a time.
class Rows {
public:
    Rows(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
         const std::stop_token& stop)
        : all_(at::from_blob(const_cast<float*>(values.data()), {rows, dimension}, at::kFloat)),
          mean_(at::zeros({dimension}, at::kDouble)) {
        for (const auto& block : all_.split(chunk)) {
            throw_if_stopped(stop);
            mean_ += block.sum(0, false, at::kDouble);
        }
        mean_ /= static_cast<double>(rows);
    }

    [[nodiscard]] bool finite() const { return at::isfinite(mean_).all().item<bool>(); }
    [[nodiscard]] std::int64_t count() const { return all_.size(0); }
    [[nodiscard]] std::int64_t dimension() const { return all_.size(1); }
    [[nodiscard]] at::Tensor range(std::int64_t first, std::int64_t last) const {
        return centred(all_.slice(0, first, last));
    }
    /// `numbers`: int32 or int64.
    [[nodiscard]] at::Tensor at(const at::Tensor& numbers) const {
        return centred(all_.index_select(0, numbers));
    }
    [[nodiscard]] at::Tensor centred(const at::Tensor& some) const { return some.to(at::kDouble) - mean_; }
    /// All rows in another order, not centred.
    [[nodiscard]] at::Tensor sorted(const at::Tensor& numbers) const { return all_.index_select(0, numbers); }

private:
    at::Tensor all_, mean_;
};

/// `count` different numbers below `rows`, the same each time.
at::Tensor sample(std::int64_t rows, std::int64_t count, std::uint64_t seed) {
    auto generator = make_generator(seed);
    return at::randperm(rows, generator, at::kLong).slice(0, 0, std::min(rows, count));
}

/// Orthonormal columns [d, count], roughly the principal directions of `x` in descending order: two steps of
/// subspace iteration. Bounds are valid for any basis, so nothing more precise is needed.
at::Tensor leading_directions(const at::Tensor& x, std::int64_t count) {
    auto generator = make_generator(1);
    auto basis = at::randn({x.size(1), count}, generator, at::kDouble);
    for (int step = 0; step < 2; ++step) basis = std::get<0>(at::linalg_qr(at::mm(x.t(), at::mm(x, basis))));
    const auto along = at::mm(x, basis);
    return at::mm(basis, std::get<1>(at::linalg_eigh(at::mm(along.t(), along))).flip(1));
}

/// Length of what is left of rows with squared norms `norms` beside the coordinates `along`.
at::Tensor rest_of(const at::Tensor& norms, const at::Tensor& along) {
    return (norms - along.square().sum(1)).clamp_min(0).sqrt();
}

/// Squared distance of each sampled row to its k-th nearest other point.
at::Tensor sampled_limits(const Rows& rows, const at::Tensor& numbers, std::int64_t k,
                          const std::stop_token& stop) {
    const auto own = rows.at(numbers).to(at::kFloat);
    auto squares = at::empty({own.size(0), rows.count()}, at::kFloat);
    for (std::int64_t first = 0; first < rows.count(); first += chunk) {
        throw_if_stopped(stop);
        const auto last = std::min(first + chunk, rows.count());
        const auto block = rows.range(first, last).to(at::kFloat);
        squares.slice(1, first, last).copy_(at::addmm(block.square().sum(1), own, block.t(), 1, -2));
    }
    squares.scatter_(1, numbers.unsqueeze(1), std::numeric_limits<float>::infinity());
    return std::get<0>(at::kthvalue(squares, k, 1)) + own.square().sum(1);
}

/// Fraction of pairs of a sampled row and one of `others` that is not excluded by `count` directions.
double left_by(const at::Tensor& own, const at::Tensor& own_norms, const at::Tensor& others,
               const at::Tensor& norms, const at::Tensor& limits, std::int64_t count) {
    const auto a = own.slice(1, 0, count), b = others.slice(1, 0, count);
    const auto rest = rest_of(own_norms, a).unsqueeze(1) - rest_of(norms, b);
    const auto squares = a.square().sum(1).unsqueeze(1) + b.square().sum(1) - 2 * at::mm(a, b.t());
    return (squares + rest.square() < limits.unsqueeze(1)).to(at::kDouble).mean().item<double>();
}

/// Rows that are compared with each other to find the first limits.
std::int64_t group_of(std::int64_t rows, std::int64_t k) {
    return std::min(rows, std::max(smallest_group, 4 * (k + 1)));
}

/// Directions for a search.
struct Plan {
    at::Tensor basis;        ///< [d, second] float64
    std::int64_t first = 0;  ///< leading ones for the first bound
};

/// The cheapest plan according to a sample, or nothing if products of all values cost less.
std::optional<Plan> make_plan(const Rows& rows, std::int64_t k, Projected use, const std::stop_token& stop) {
    const auto d = rows.dimension();
    const auto others = rows.at(sample(rows.count(), rows_for_basis, 2));
    const auto group = group_of(rows.count(), k);
    if (use == Projected::if_faster && group > rows.count() / 8) return std::nullopt;
    Plan plan;
    plan.basis = leading_directions(others, std::min(most_directions, std::max<std::int64_t>(d / 3, 1)));
    throw_if_stopped(stop);
    const auto second = plan.basis.size(1);
    const auto numbers = sample(rows.count(), rows_for_estimate, 3);
    const auto own = rows.at(numbers);
    const auto limits = sampled_limits(rows, numbers, k, stop).to(at::kDouble);
    const auto own_norms = own.square().sum(1), norms = others.square().sum(1);
    const auto own_along = at::mm(own, plan.basis), along = at::mm(others, plan.basis);
    const double left_second = left_by(own_along, own_norms, along, norms, limits, second);
    // Twice: the products of all pairs are symmetric, those of a group are not used so.
    const double cost_of_groups =
        2 * static_cast<double>(group) / static_cast<double>(rows.count()) * static_cast<double>(d);
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t first : {16, 32, 48, 64, 96, 128}) {
        if (first > second) break;
        const double left = left_by(own_along, own_norms, along, norms, limits, first);
        const double cost = static_cast<double>(first) + cost_scan + left * cost_second +
                            left_second * cost_distance + cost_of_groups;
        if (cost < least) {
            least = cost;
            plan.first = first;
        }
    }
    if (plan.first == 0) plan.first = second;
    if (use == Projected::always || least < 0.9 * (static_cast<double>(d) + cost_plain_scan)) return plan;
    return std::nullopt;
}

/// Sorts order[begin, end) so that near points come together: recursively by the median of the direction in
/// which they vary most.
void sort_by_halves(const float* along, std::int64_t width, std::span<std::int32_t> order) {
    if (std::cmp_less_equal(order.size(), leaf)) return;
    const auto used = std::min(width, sorted_directions);
    std::vector<double> sum(at_index(used), 0.0), squares(at_index(used), 0.0);
    for (const auto i : order)
        for (std::int64_t c = 0; c < used; ++c) {
            const auto value = static_cast<double>(along[i * width + c]);
            sum[at_index(c)] += value;
            squares[at_index(c)] += value * value;
        }
    std::int64_t widest = 0;
    double most = -1;
    for (std::int64_t c = 0; c < used; ++c) {
        const double mean = sum[at_index(c)] / static_cast<double>(order.size());
        const double variance = squares[at_index(c)] / static_cast<double>(order.size()) - mean * mean;
        if (variance > most) {
            most = variance;
            widest = c;
        }
    }
    // Groups begin where stripes do.
    const auto half = (order.size() / 2 + at_index(leaf) - 1) / at_index(leaf) * at_index(leaf);
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
                     [&](std::int32_t a, std::int32_t b) {
                         const float left = along[a * width + widest], right = along[b * width + widest];
                         return left < right || (left == right && a < b);
                     });
    sort_by_halves(along, width, order.first(half));
    sort_by_halves(along, width, order.subspan(half));
}

/// More than the rounding error of a squared distance by products of `count` coordinates, in units of |x|² +
/// |y|²: that of the product, of the coordinates and of the sums, and that of the distance by differences of
/// `dimension` values (at most 2 (|x|² + |y|²)) with which it is compared, in at least four partial sums.
double rounding_of(std::int64_t count, std::int64_t dimension) {
    return (static_cast<double>(count) + static_cast<double>(dimension) / 2 + 16) * unit;
}

/// Some coordinates of all rows, for a lower bound of their squared distances.
struct Bound {
    std::int64_t count = 0;
    at::Tensor rows;   ///< [n, count + 1] coordinates, and the length of what they leave
    at::Tensor norms;  ///< [n] squared norms of the rows minus rounding_of()

    Bound(std::int64_t rows_, std::int64_t count_)
        : count(count_),
          rows(at::empty({rows_, count_ + 1}, at::kFloat)),
          norms(at::empty({rows_}, at::kFloat)) {}

    /// `along`: at least `count` coordinates.
    void set(std::int64_t begin, std::int64_t end, const at::Tensor& squares, const at::Tensor& along,
             std::int64_t dimension) {
        const auto part = along.slice(1, 0, count);
        rows.slice(0, begin, end).slice(1, 0, count).copy_(part);
        rows.slice(0, begin, end).select(1, count).copy_(rest_of(squares, part));
        norms.slice(0, begin, end).copy_(squares * (1 - rounding_of(count + 1, dimension)));
    }
    void sort(const at::Tensor& numbers) {
        rows = rows.index_select(0, numbers);
        norms = norms.index_select(0, numbers);
    }
};

/// Coordinates of all rows, in an order in which near points come together.
struct Coordinates {
    Bound first, second;
    std::vector<std::int32_t> order;  ///< [n] number of each row
    at::Tensor values;                ///< [n, d] the rows themselves: near ones share the cache

    Coordinates(const Rows& rows, const Plan& plan, const std::stop_token& stop);
};

Coordinates::Coordinates(const Rows& rows, const Plan& plan, const std::stop_token& stop)
    : first(rows.count(), plan.first),
      second(rows.count(), plan.basis.size(1)),
      order(at_index(rows.count())) {
    const auto n = rows.count();
    for (std::int64_t begin = 0; begin < n; begin += chunk) {
        throw_if_stopped(stop);
        const auto end = std::min(begin + chunk, n);
        const auto block = rows.range(begin, end);
        const auto squares = block.square().sum(1), along = at::mm(block, plan.basis);
        first.set(begin, end, squares, along, rows.dimension());
        second.set(begin, end, squares, along, rows.dimension());
    }
    std::iota(order.begin(), order.end(), 0);
    sort_by_halves(first.rows.const_data_ptr<float>(), first.count + 1, order);
    const auto numbers = at::from_blob(order.data(), {n}, at::kInt);
    first.sort(numbers);
    second.sort(numbers);
    values = rows.sorted(numbers);
}

/// A pair that may belong to the nearest of j.
struct Pair {
    float square;
    std::int32_t i, j;
};

class Search {
public:
    Search(const Coordinates& x, std::int64_t k)
        : x_(x),
          first_(x.first),
          second_(x.second),
          rows_(x.values.size(0)),
          dimension_(x.values.size(1)),
          values_(x.values.const_data_ptr<float>()),
          group_(group_of(rows_, k)),
          nearest_(rows_, k),
          pairs_(at_index(tile / stripe)) {}

    /// Number of rows that start() treats.
    [[nodiscard]] std::int64_t group() const { return group_; }

    /// Sets the limit of each row of a group to an upper bound: its k-th distance within the group, by
    /// products.
    void start(const Rows& rows, std::int64_t first) {
        const auto last = std::min(first + group_, rows_);
        const auto from = last - group_;  // the last group overlaps the one before
        const auto group = rows.centred(x_.values.slice(0, from, last)).to(at::kFloat);
        const auto norms = group.square().sum(1);
        auto squares = at::addmm(norms, group, group.t(), 1, -2);
        squares.add_(norms.unsqueeze(1)).fill_diagonal_(std::numeric_limits<double>::infinity());
        const auto noise = 2 * rounding_of(dimension_, dimension_) * norms.max().item<double>();
        float* square = squares.data_ptr<float>();
        at::parallel_for(first - from, group_, 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                float* last_kept = square + i * group_ + nearest_.keep() - 1;
                std::nth_element(square + i * group_, last_kept, square + (i + 1) * group_);
                const double bound = std::max(static_cast<double>(*last_kept), 0.0) + noise;
                nearest_.set_limit(from + i, static_cast<float>(1.0001 * bound) + smallest);
            }
        });
    }

    /// All pairs of two tiles, or of one with itself.
    void search(std::int64_t a, std::int64_t b) {
        const Range rows = range_of(a), columns = range_of(b);
        // In a tile with itself, threads change limits of each other's columns.
        column_limits_.assign(nearest_.limits() + columns.first, nearest_.limits() + columns.last);
        first_column_ = columns.first;
        // Threads take the next stripe when they are done: stripes differ in work. A stripe's result does
        // not depend on its thread.
        std::atomic<std::int64_t> next = 0;
        const auto stripes = (rows.last - rows.first + stripe - 1) / stripe;
        at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) {
            Buffers buffers;
            for (std::int64_t s = next++; s < stripes; s = next++) {
                const auto first = rows.first + s * stripe;
                search_stripe({first, std::min(first + stripe, rows.last)}, columns, buffers,
                              pairs_[at_index(s)]);
            }
        });
        at::parallel_for(columns.first, columns.last, tile / 4, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t s = 0; s < stripes; ++s)
                for (const auto& pair : pairs_[at_index(s)])
                    if (pair.j >= begin && pair.j < end) keep(pair.j, pair.i, pair.square);
        });
    }

    void write(Neighbours& result) {
        at::parallel_for(0, rows_, 64, [&](std::int64_t begin, std::int64_t end) {
            std::vector<Candidate> sorted;
            for (std::int64_t i = begin; i < end; ++i) {
                const auto kept = nearest_.of(i);
                sorted.assign(kept.begin(), kept.end());
                std::sort(sorted.begin(), sorted.end());
                auto to = at_index(x_.order[at_index(i)] * result.count);
                for (const auto& candidate : sorted) {
                    result.index[to] = candidate.index;
                    result.square[to++] = std::max(candidate.square, 0.0F);
                }
            }
        });
    }

private:
    struct Range {
        std::int64_t first, last;
    };
    /// Of one thread.
    struct Buffers {
        at::Tensor products = at::empty({stripe * portion}, at::kFloat);
        std::vector<std::int32_t> where = std::vector<std::int32_t>(at_index(portion));
        std::vector<float> square = std::vector<float>(at_index(portion));
    };

    /// A Bound with its addresses, for loops over pairs.
    struct Fast {
        const Bound& bound;
        std::int64_t count;
        const float *rows, *norms;

        explicit Fast(const Bound& of)
            : bound(of),
              count(of.count),
              rows(of.rows.const_data_ptr<float>()),
              norms(of.norms.const_data_ptr<float>()) {}
        [[nodiscard]] const float* row(std::int64_t i) const { return rows + i * (count + 1); }
    };

    const Coordinates& x_;
    Fast first_, second_;
    std::int64_t rows_, dimension_;
    const float* values_;
    std::int64_t group_;  ///< rows compared to find the first limits
    Nearest nearest_;
    std::vector<std::vector<Pair>> pairs_;  ///< for each stripe
    std::vector<float> column_limits_;      ///< of the tile's columns, before its search
    std::int64_t first_column_ = 0;

    [[nodiscard]] Range range_of(std::int64_t number) const {
        return {number * tile, std::min((number + 1) * tile, rows_)};
    }

    void search_stripe(Range rows, Range columns, Buffers& buffers, std::vector<Pair>& pairs) {
        pairs.clear();
        // In portions: an updated limit excludes more of the rest.
        for (std::int64_t from = columns.first; from < columns.last; from += portion) {
            const Range part{from, std::min(from + portion, columns.last)};
            if (part.last <= rows.first) continue;  // in a tile with itself: seen from the other side
            multiply(first_, rows, part, buffers);
            // Where many pass, products are faster than pair after pair.
            const bool dense = passing(rows, part, buffers) > most_by_pairs;
            if (dense) multiply(second_, rows, part, buffers);
            for (std::int64_t i = rows.first; i < rows.last; ++i) {
                const auto found = find(dense ? second_ : first_, i, i - rows.first, part, buffers);
                for (std::int64_t f = 0; f < found; ++f)
                    try_pair(i, buffers.where[at_index(f)], buffers.square[at_index(f)], !dense, pairs);
            }
        }
    }

    static void multiply(const Fast& by, Range rows, Range columns, Buffers& buffers) {
        const auto height = rows.last - rows.first, width = columns.last - columns.first;
        auto block = buffers.products.slice(0, 0, height * width).view({height, width});
        at::mm_out(block, by.bound.rows.slice(0, rows.first, rows.last),
                   by.bound.rows.slice(0, columns.first, columns.last).t());
    }

    /// Fraction of the pairs not excluded by the first bound, in every 16th row.
    [[nodiscard]] double passing(Range rows, Range columns, Buffers& buffers) const {
        std::int64_t found = 0, all = 0;
        for (std::int64_t i = rows.first; i < rows.last; i += 16) {
            found += find(first_, i, i - rows.first, columns, buffers);
            all += columns.last - std::clamp(i + 1, columns.first, columns.last);
        }
        return static_cast<double>(found) / static_cast<double>(std::max<std::int64_t>(all, 1));
    }

    /// Writes the points after i among the columns that a bound does not exclude to the buffers; returns
    /// their number. `row`: of the products.
    std::int64_t find(const Fast& by, std::int64_t i, std::int64_t row, Range columns,
                      Buffers& buffers) const {
        const auto first = std::max(columns.first, i + 1);
        if (first >= columns.last) return 0;
        const float* products = buffers.products.const_data_ptr<float>() +
                                row * (columns.last - columns.first) + (first - columns.first);
        // Not below the smallest number, so that equal points always pass and are chosen by chance.
        const auto found = kernels::near_either(
            products, by.norms + first, by.norms[i], std::max(nearest_.limit(i), smallest),
            column_limits_.data() + (first - first_column_), columns.last - first, buffers.where.data(),
            buffers.square.data());
        for (std::int64_t f = 0; f < found; ++f)
            buffers.where[at_index(f)] += static_cast<std::int32_t>(first);
        return found;
    }

    void try_pair(std::int64_t i, std::int64_t j, float bound, bool first, std::vector<Pair>& pairs) {
        const float limit_j = column_limits_[at_index(j - first_column_)];
        const float limit = std::max({nearest_.limit(i), limit_j, smallest});
        if ((first ? second_bound(i, j, bound) : bound) > limit) return;
        const float square = distance(i, j);
        if (square > limit) return;
        keep(i, j, square);
        if (square <= limit_j)
            pairs.push_back({square, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
    }

    /// From the first bound, by the remaining coordinates.
    [[nodiscard]] float second_bound(std::int64_t i, std::int64_t j, float bound) const {
        const auto from = first_.count;
        const float rest = first_.row(i)[from] - first_.row(j)[from];
        const float more =
            kernels::square_distance(second_.row(i) + from, second_.row(j) + from, second_.count + 1 - from);
        // `bound` may have been raised to 0, without its reserve: that of the coordinates that are left.
        const float reserve = static_cast<float>(unit) * (second_.norms[i] + second_.norms[j]);
        return 0.9999F * (bound + more - rest * rest) - reserve;
    }

    /// Squared distance of the rows; for equal ones a random negative number, which decides between them.
    [[nodiscard]] float distance(std::int64_t i, std::int64_t j) const {
        const float square =
            kernels::square_distance(values_ + i * dimension_, values_ + j * dimension_, dimension_);
        return square > 0 ? square : chance(x_.order[at_index(i)], x_.order[at_index(j)]) - 1;
    }

    void keep(std::int64_t i, std::int64_t j, float square) {
        if (square <= nearest_.limit(i)) nearest_.add(i, {square, x_.order[at_index(j)]});
    }
};

Neighbours search_all(const Rows& all, const Coordinates& x, std::int64_t k, const ProgressFn& progress,
                      const std::stop_token& stop) {
    Search search(x, k);
    const auto rows = all.count(), tiles = (rows + tile - 1) / tile;
    for (std::int64_t first = 0; first < rows; first += search.group()) {
        throw_if_stopped(stop);
        search.start(all, first);
    }
    std::int64_t done = 0;
    // Near tiles first: early small limits exclude more.
    for (std::int64_t apart = 0; apart < tiles; ++apart)
        for (std::int64_t a = 0; a + apart < tiles; ++a, ++done) {
            throw_if_stopped(stop);
            if (progress)
                progress({"Finding neighbours", done * rows / (tiles * (tiles + 1) / 2), rows, "points"});
            search.search(a, a + apart);
        }
    auto result = empty_result(rows, k);
    search.write(result);
    return result;
}

}  // namespace
}  // namespace by_bounds

std::optional<Neighbours> projected_neighbours(std::span<const float> values, std::int64_t rows,
                                               std::int64_t dimension, std::int64_t k, Projected use,
                                               const ProgressFn& progress, const std::stop_token& stop) {
    if (k == 0 || (use == Projected::if_faster &&
                   (rows < by_bounds::fewest_rows || dimension < by_bounds::fewest_values)))
        return std::nullopt;
    const torch::NoGradGuard no_gradient;
    const by_bounds::Rows all(values, rows, dimension, stop);
    if (!all.finite()) return std::nullopt;  // exact_neighbours() reports it
    const auto plan = by_bounds::make_plan(all, k, use, stop);
    if (!plan) return std::nullopt;
    const by_bounds::Coordinates x(all, *plan, stop);
    if (!at::isfinite(x.first.norms).all().item<bool>()) return std::nullopt;
    return by_bounds::search_all(all, x, k, progress, stop);
}

}  // namespace casp::analysis
