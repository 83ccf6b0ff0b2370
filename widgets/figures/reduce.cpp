#include "figures/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casp::figures {
namespace {

// Right edge of pixel column `index` as a value of x.
double edge(const Columns& c, int index) {
    const double share = static_cast<double>(index) / c.count;
    if (c.log) return c.from * std::pow(c.to / c.from, share);
    return c.from + share * (c.to - c.from);
}

bool ascending(std::span<const double> x) {
    // NaN compares false on both sides: it counts as a break of order.
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (!(x[i] >= x[i - 1])) return false;
    }
    return x.empty() || !std::isnan(x.front());
}

struct Stretch {
    std::size_t begin, end;
};

// The points inside the range and one beyond either end.
Stretch visible(std::span<const double> x, const Columns& c) {
    auto begin = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), c.from) - x.begin());
    auto end = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), c.to) - x.begin());
    if (begin > 0) --begin;
    if (end < x.size()) ++end;
    return {begin, end};
}

std::vector<std::ptrdiff_t> all_of(std::span<const double> x, std::span<const double> y, Stretch range) {
    std::vector<std::ptrdiff_t> result;
    result.reserve(range.end - range.begin);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (std::isfinite(y[i]) && std::isfinite(x[i])) {
            result.push_back(static_cast<std::ptrdiff_t>(i));
        } else if (!result.empty() && result.back() != gap) {
            result.push_back(gap);
        }
    }
    if (!result.empty() && result.back() == gap) result.pop_back();
    return result;
}

/// Takes columns from left to right and keeps the lowest and the highest point of each, in order, and those
/// beside gaps.
class Reduction {
public:
    explicit Reduction(std::span<const double> y, int columns) : y_(y) {
        kept_.reserve(2 * static_cast<std::size_t>(columns) + 4);
    }
    void add_column(std::size_t begin, std::size_t end) {
        const auto before = last_;
        std::ptrdiff_t first = gap, low = gap, high = gap;
        double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = y_[i];
            if (!std::isfinite(value)) continue;
            last_ = static_cast<std::ptrdiff_t>(i);
            if (first == gap) first = last_;
            if (value < lowest) lowest = value, low = last_;
            if (value > highest) highest = value, high = last_;
        }
        if (begin == end) {  // the line crosses it: its ends are those of the columns beside
            if (!kept_.empty() && kept_.back() != gap) keep(last_);
            after_empty_ = true;
            return;
        }
        if (first != static_cast<std::ptrdiff_t>(begin)) close(before);
        if (first == gap) return;
        if (kept_.empty() || kept_.back() == gap || after_empty_) keep(first);
        after_empty_ = false;
        keep(std::min(low, high));
        keep(std::max(low, high));
        if (last_ + 1 != static_cast<std::ptrdiff_t>(end)) close(last_);
    }
    std::vector<std::ptrdiff_t> take() {
        close(last_);
        if (!kept_.empty()) kept_.pop_back();
        return std::move(kept_);
    }

private:
    void keep(std::ptrdiff_t index) {
        if (kept_.empty() || kept_.back() < index) kept_.push_back(index);
    }
    /// A gap after the point `last`.
    void close(std::ptrdiff_t last) {
        if (kept_.empty() || kept_.back() == gap) return;
        keep(last);
        kept_.push_back(gap);
    }
    std::span<const double> y_;
    std::vector<std::ptrdiff_t> kept_;
    std::ptrdiff_t last_ = gap;  // finite point
    bool after_empty_ = false;
};

}  // namespace

std::vector<std::ptrdiff_t> reduce_line(std::span<const double> x, std::span<const double> y,
                                        const Columns& columns) {
    const std::size_t size = std::min(x.size(), y.size());
    x = x.first(size);
    y = y.first(size);
    if (size == 0) return {};
    if (!ascending(x)) return all_of(x, y, {0, size});
    const Stretch range = visible(x, columns);
    if (range.end - range.begin <= 2 * static_cast<std::size_t>(columns.count) + 2)
        return all_of(x, y, range);

    Reduction result(y, columns.count);
    std::size_t position = range.begin;
    // The point before the range makes a column of its own, and so does the one after.
    const auto inside =
        static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), columns.from) - x.begin());
    result.add_column(position, inside);
    position = inside;
    for (int column = 1; column <= columns.count; ++column) {
        const double right = column == columns.count ? columns.to : edge(columns, column);
        const auto from = x.begin() + static_cast<std::ptrdiff_t>(position);
        const auto until = column == columns.count ? std::upper_bound(from, x.end(), right)
                                                   : std::lower_bound(from, x.end(), right);
        const auto next = static_cast<std::size_t>(until - x.begin());
        result.add_column(position, next);
        position = next;
    }
    result.add_column(position, range.end);
    return result.take();
}

std::vector<double> smoothed(std::span<const double> y, double weight) {
    std::vector<double> result(y.begin(), y.end());
    const double w = std::clamp(weight, 0.0, 0.9999);
    if (w == 0) return result;
    // The mean is updated incrementally, not divided out of a sum: a constant stays exact.
    double mean = 0, weights = 0;
    for (double& value : result) {
        if (!std::isfinite(value)) continue;
        weights = weights * w + 1;
        mean += (value - mean) / weights;
        value = mean;
    }
    return result;
}

}  // namespace casp::figures
