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

namespace {

Columns pixel_columns(const Scale& x, int count) { return {x.min, x.max, std::max(count, 1), x.log}; }

// An edge of an area, from left to right: its part in 0 … 1, and what is above or below on the border.
QPolygonF clipped_edge(const QPolygonF& edge) {
    QPolygonF result;
    const auto at_border = [](QPointF point) { return QPointF(point.x(), std::clamp(point.y(), 0.0, 1.0)); };
    for (qsizetype i = 1; i < edge.size(); ++i) {
        const QPointF a = edge[i - 1], b = edge[i];
        const auto at = [&](double share) { return a + share * (b - a); };
        // Where the segment crosses one of the four borders.
        std::vector<double> shares{0, 1};
        for (const double border : {0.0, 1.0}) {
            if (a.x() != b.x()) shares.push_back((border - a.x()) / (b.x() - a.x()));
            if (a.y() != b.y()) shares.push_back((border - a.y()) / (b.y() - a.y()));
        }
        std::sort(shares.begin(), shares.end());
        for (const double share : shares) {
            if (share < 0 || share > 1) continue;
            const QPointF point = at_border(share == 1 ? b : at(share));
            if (point.x() < -1e-12 || point.x() > 1 + 1e-12) continue;
            if (result.isEmpty() || point != result.back()) result << point;
        }
    }
    return result;
}

}  // namespace

bool clip_segment(QPointF& from, QPointF& to) {
    const QPointF step = to - from;
    double begin = 0, end = 1;
    const double slopes[] = {-step.x(), step.x(), -step.y(), step.y()};
    const double rooms[] = {from.x(), 1 - from.x(), from.y(), 1 - from.y()};
    for (int side = 0; side < 4; ++side) {
        if (slopes[side] == 0) {
            if (rooms[side] < 0) return false;
            continue;
        }
        const double cross = rooms[side] / slopes[side];
        if (slopes[side] < 0)
            begin = std::max(begin, cross);
        else
            end = std::min(end, cross);
        if (begin > end) return false;
    }
    const QPointF start = from;
    // Only where it is cut: adding a step back would round.
    if (begin > 0) from = start + begin * step;
    if (end < 1) to = start + end * step;
    return true;
}

LinePieces line_pieces(const Series& series, const Scales& scales, int columns) {
    LinePieces result;
    const Scale& y = scales.of(series);
    const bool steps = series.kind == MarkKind::steps;
    // Values that the axis cannot show must not be the lowest of a column.
    std::vector<double> shown;
    if (y.log)
        for (const double value : series.y)
            shown.push_back(value > 0 ? value : std::numeric_limits<double>::quiet_NaN());
    const auto indices = reduce_line(series.x, y.log ? shown : series.y, pixel_columns(scales.x, columns));
    QPolygonF piece;
    QPointF before;
    bool open = false;  // `before` is a point of this run
    int run = 0;        // points since the last gap
    const auto close = [&] {
        if (piece.size() > 1) result.pieces.push_back(piece);
        if (run == 1 && before.x() >= 0 && before.x() <= 1 && before.y() >= 0 && before.y() <= 1)
            result.lonely << before;
        piece.clear();
        open = false;
        run = 0;
    };
    const auto add = [&](QPointF a, QPointF b) {
        const QPointF end = b;
        if (!clip_segment(a, b)) {
            if (piece.size() > 1) result.pieces.push_back(piece);
            piece.clear();
            return;
        }
        if (piece.isEmpty()) piece << a;
        piece << b;
        if (b != end) {
            result.pieces.push_back(piece);
            piece.clear();
        }
    };
    for (const std::ptrdiff_t index : indices) {
        if (index == gap) {
            close();
            continue;
        }
        const auto i = static_cast<std::size_t>(index);
        const QPointF point(scales.x.at(series.x[i]), y.at(series.y[i]));
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            close();
            continue;
        }
        if (open) {
            if (steps) {
                const QPointF corner(point.x(), before.y());
                add(before, corner);
                add(corner, point);
            } else {
                add(before, point);
            }
        }
        before = point;
        open = true;
        ++run;
    }
    close();
    return result;
}

std::vector<AreaPiece> area_pieces(const Series& series, const Scales& scales, int columns) {
    const Scale& y = scales.of(series);
    auto low = series.low, high = series.y;
    if (low.size() != high.size()) low.assign(high.size(), y.log ? y.min : 0.0);
    for (std::size_t i = 0; i < high.size(); ++i)  // both edges have the same gaps
        if (!std::isfinite(scales.x.at(series.x[i])) || !std::isfinite(y.at(high[i])) ||
            !std::isfinite(low[i]))
            low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
    const auto edges = [&](const std::vector<double>& values) {
        std::vector<QPolygonF> pieces(1);
        for (const std::ptrdiff_t index : reduce_line(series.x, values, pixel_columns(scales.x, columns))) {
            if (index == gap) {
                pieces.emplace_back();
                continue;
            }
            const auto i = static_cast<std::size_t>(index);
            const double at = y.at(values[i]);
            pieces.back() << QPointF(scales.x.at(series.x[i]), std::isfinite(at) ? at : -0.01);  // log: ≤ 0
        }
        return pieces;
    };
    const auto upper = edges(high), lower = edges(low);
    std::vector<AreaPiece> result;
    for (std::size_t i = 0; i < upper.size(); ++i)
        if (AreaPiece clipped{clipped_edge(upper[i]), clipped_edge(lower[i])}; clipped.upper.size() > 1)
            result.push_back(std::move(clipped));
    return result;
}

}  // namespace casp::figures
