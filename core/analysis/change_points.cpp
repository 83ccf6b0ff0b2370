#include "analysis/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace casp::analysis {

namespace {

/// A position where the last segment may begin.
struct SegmentStart {
    std::int64_t at = 0;
    std::int64_t until = std::numeric_limits<std::int64_t>::max();  ///< ends from here on need it no more
};

/// Sums of x and x² before each position, about the mean of x: differences of sums keep their digits.
class SegmentCost {
public:
    explicit SegmentCost(std::span<const double> x) : sum_(x.size() + 1), squares_(x.size() + 1) {
        double mean = 0;
        for (const double value : x) mean += value / static_cast<double>(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double value = x[i] - mean;
            sum_[i + 1] = sum_[i] + value;
            squares_[i + 1] = squares_[i] + value * value;
        }
    }

    /// Σ (x − mean)² over [from, to).
    [[nodiscard]] double operator()(std::int64_t from, std::int64_t to) const {
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        const double sum = sum_[b] - sum_[a];
        return squares_[b] - squares_[a] - sum * sum / static_cast<double>(to - from);
    }

private:
    std::vector<double> sum_, squares_;
};

}  // namespace

std::vector<std::int64_t> change_points(std::span<const double> x, double penalty, std::int64_t min_segment) {
    if (min_segment < 1 || !(penalty >= 0) || std::isinf(penalty) ||
        !std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("change points: a value, the penalty or the segment is out of range");
    const auto n = static_cast<std::int64_t>(x.size());
    if (n < 2 * min_segment) return {};
    const SegmentCost cost(x);
    // best[t]: cost of the first t values, plus a penalty for every segment; last[t]: where its last begins.
    std::vector<double> best(x.size() + 1, 0.0), with(x.size() + 1);
    std::vector<std::int64_t> last(x.size() + 1, 0);
    std::vector<SegmentStart> starts{{}};
    for (std::int64_t end = min_segment; end <= n; ++end) {
        if (end >= 2 * min_segment) starts.push_back({end - min_segment});
        std::erase_if(starts, [end](const SegmentStart& s) { return end >= s.until; });
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto from = starts[i].at;
            with[i] = best[static_cast<std::size_t>(from)] + cost(from, end);
            if (with[i] < lowest) {
                lowest = with[i];
                last[static_cast<std::size_t>(end)] = from;
            }
        }
        best[static_cast<std::size_t>(end)] = lowest + penalty;
        // Whatever follows, a segment from `end` costs less than one that continues from there.
        for (std::size_t i = 0; i < starts.size(); ++i)
            if (with[i] > lowest + penalty) starts[i].until = std::min(starts[i].until, end + min_segment);
    }
    std::vector<std::int64_t> points;
    for (auto t = last[x.size()]; t > 0; t = last[static_cast<std::size_t>(t)]) points.push_back(t);
    std::reverse(points.begin(), points.end());
    return points;
}

}  // namespace casp::analysis
