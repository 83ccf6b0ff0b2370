#pragma once
// What both neighbour searches on the CPU share: nearest points found so far, the random order of equal ones,
// and the result.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analysis/neighbours.h"
#include "util/random.h"

namespace casp::analysis {

/// Uniform in [0, 1), symmetric: random order of pairs whose distances are equal or differ only by rounding.
inline float chance(std::int64_t i, std::int64_t j) {
    const auto less = static_cast<std::uint64_t>(std::min(i, j)),
               more = static_cast<std::uint64_t>(std::max(i, j));
    return static_cast<float>(mix64(mix64(less) + more) >> 40) * 0x1p-24F;
}

/// Room for the k nearest of each row.
inline Neighbours empty_result(std::int64_t rows, std::int64_t k) {
    Neighbours result;
    result.rows = rows;
    result.count = k;
    result.index.resize(static_cast<std::size_t>(rows * k));
    result.square.resize(static_cast<std::size_t>(rows * k));
    return result;
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
        : keep_(keep),
          room_(2 * keep + 64),
          cells_(static_cast<std::size_t>(rows * room_)),
          count_(static_cast<std::size_t>(rows), 0),
          limit_(static_cast<std::size_t>(rows), std::numeric_limits<float>::infinity()) {}

    [[nodiscard]] const float* limits() const { return limit_.data(); }
    [[nodiscard]] float limit(std::int64_t row) const { return limit_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] std::int64_t keep() const { return keep_; }

    /// An upper bound on the distance of the row's `keep`-th nearest point.
    void set_limit(std::int64_t row, float limit) { limit_[static_cast<std::size_t>(row)] = limit; }

    void add(std::int64_t row, Candidate candidate) {
        auto& count = count_[static_cast<std::size_t>(row)];
        auto* cells = at(row);
        cells[count++] = candidate;
        if (count == room_) shrink(row);
    }

    /// The at most `keep` nearest of a row; if there were more, limit() is the distance of the last one.
    [[nodiscard]] std::span<const Candidate> of(std::int64_t row) {
        if (count_[static_cast<std::size_t>(row)] >= keep_) shrink(row);
        return {at(row), static_cast<std::size_t>(count_[static_cast<std::size_t>(row)])};
    }

private:
    std::int64_t keep_, room_;
    std::vector<Candidate> cells_;
    std::vector<std::int64_t> count_;
    std::vector<float> limit_;

    [[nodiscard]] Candidate* at(std::int64_t row) {
        return cells_.data() + static_cast<std::size_t>(row * room_);
    }
    void shrink(std::int64_t row) {
        auto& count = count_[static_cast<std::size_t>(row)];
        auto* cells = at(row);
        std::nth_element(cells, cells + keep_ - 1, cells + count);
        limit_[static_cast<std::size_t>(row)] = cells[keep_ - 1].square;
        count = keep_;
    }
};

}  // namespace casp::analysis
