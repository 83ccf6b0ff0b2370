#include "figures/unit_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/reduce.h"

namespace casp::figures {
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
