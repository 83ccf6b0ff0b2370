#include "vtk/marker.h"

#include <algorithm>
#include <cmath>

namespace casp::widgets {

using figures::MarkerShape;

// Squares and crosses are drawn a little smaller, so that all shapes have about the same area. The triangle's
// sides have the normals (±0.894, −0.447).

double marker_distance(MarkerShape shape, double x, double y, double r) {
    const double ax = std::abs(x), ay = std::abs(y);
    switch (shape) {
        case MarkerShape::square:
            return 0.87 * r - std::max(ax, ay);
        case MarkerShape::diamond:
            return (1.12 * r - ax - ay) * 0.70711;
        case MarkerShape::triangle:
            return std::min(0.75 * r - y, 0.447 * (r + y) - 0.894 * ax);
        case MarkerShape::cross: {
            const double u = std::abs(x + y) * 0.70711, v = std::abs(x - y) * 0.70711;
            return std::min(r - std::max(u, v), 0.32 * r - std::min(u, v));
        }
        case MarkerShape::circle:
            break;
    }
    return r - std::hypot(x, y);
}

const char* marker_distance_glsl(MarkerShape shape) {
    switch (shape) {
        case MarkerShape::square:
            return "0.87 * r - max(abs(p.x), abs(p.y))";
        case MarkerShape::diamond:
            return "(1.12 * r - abs(p.x) - abs(p.y)) * 0.70711";
        case MarkerShape::triangle:
            return "min(0.75 * r - p.y, 0.447 * (r + p.y) - 0.894 * abs(p.x))";
        case MarkerShape::cross:
            return "min(r - max(abs(p.x + p.y), abs(p.x - p.y)) * 0.70711, "
                   "0.32 * r - min(abs(p.x + p.y), abs(p.x - p.y)) * 0.70711)";
        case MarkerShape::circle:
            break;
    }
    return "r - length(p)";
}

QPainterPath marker_path(MarkerShape shape, const QPointF& c, double r) {
    QPainterPath path;
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
        QPolygonF line;
        for (const QPointF& corner : corners) line << c + corner * r;
        path.addPolygon(line);
        path.closeSubpath();
    };
    switch (shape) {
        case MarkerShape::square:
            polygon({{-0.87, -0.87}, {0.87, -0.87}, {0.87, 0.87}, {-0.87, 0.87}});
            break;
        case MarkerShape::diamond:
            polygon({{0, -1.12}, {1.12, 0}, {0, 1.12}, {-1.12, 0}});
            break;
        case MarkerShape::triangle:
            polygon({{0, -1}, {0.875, 0.75}, {-0.875, 0.75}});
            break;
        case MarkerShape::cross: {
            QPainterPath a, b;
            a.addRect(-r, -0.32 * r, 2 * r, 0.64 * r);
            b.addRect(-0.32 * r, -r, 0.64 * r, 2 * r);
            path = QTransform().translate(c.x(), c.y()).rotate(45).map(a.united(b));
            break;
        }
        case MarkerShape::circle:
            path.addEllipse(c, r, r);
            break;
    }
    return path;
}

}  // namespace casp::widgets
