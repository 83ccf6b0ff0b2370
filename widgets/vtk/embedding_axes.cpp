#include "vtk/embedding_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <QFontMetricsF>

#include "figures/ticks.h"
#include "vtk/embedding_paint.h"

namespace casp::widgets {

namespace {

constexpr double label_gap = 6;

QRectF rect_at(const QPointF& at, const QString& text, Qt::Alignment side, const QFontMetricsF& metrics) {
    const double w = metrics.horizontalAdvance(text), h = metrics.ascent() + metrics.descent();
    return {at.x() - (side & Qt::AlignRight     ? w
                      : side & Qt::AlignHCenter ? w / 2
                                                : 0),
            at.y() - (side & Qt::AlignBottom    ? h
                      : side & Qt::AlignVCenter ? h / 2
                                                : 0),
            w, h};
}

/// A projected axis of the box, with possible positions of its title.
struct SeenAxis {
    QPointF from, to, out;  ///< ends, and the direction away from the box
    QString title;
};

/// Area available for labels.
QRectF room_of(const QSizeF& view) { return QRectF({0, 0}, view).adjusted(4, 2, -4, -2); }

bool covers_one(const QRectF& rect, const std::vector<QRectF>& others) {
    return std::any_of(others.begin(), others.end(),
                       [&](const QRectF& other) { return other.intersects(rect); });
}

struct TitlePlace {
    QString text;
    QRectF rect;
};

/// A position beside the axis, else beyond its ends, with `is_free(rect)`.
template <class Free>
std::optional<TitlePlace> title_place(const SeenAxis& axis, const QFontMetricsF& metrics, Free is_free) {
    const QString brief = axis.title.section(QStringLiteral(" ("), 0, 0);
    const QPointF middle = (axis.from + axis.to) / 2;
    const double height = metrics.ascent() + metrics.descent();
    // Touches `from` in direction `towards`, so that it moves smoothly while the box rotates.
    const auto beyond = [](const QPointF& from, const QPointF& towards, const QSizeF& size) {
        const QPointF centre = from + QPointF(towards.x() * size.width(), towards.y() * size.height()) / 2;
        return QRectF(centre - QPointF(size.width(), size.height()) / 2, size);
    };
    for (const auto& words : {axis.title, brief}) {
        const QSizeF size(metrics.horizontalAdvance(words), height);
        for (double away = 12; away <= 72; away += 2)
            if (const auto rect = beyond(middle + axis.out * away, axis.out, size); is_free(rect))
                return TitlePlace{words, rect};
    }
    // No space beside it: at its ends, the upper one first.
    const QSizeF size(metrics.horizontalAdvance(brief), height);
    const QPointF along = axis.to - axis.from;
    const QPointF unit = along / std::hypot(along.x(), along.y());
    const bool to_is_upper = axis.to.y() < axis.from.y();
    for (const bool upper : {true, false}) {
        const bool at_to = upper == to_is_upper;
        const QPointF direction = at_to ? unit : -unit;
        for (double away = 6; away <= 30; away += 4)
            if (const auto rect = beyond((at_to ? axis.to : axis.from) + direction * away, direction, size);
                is_free(rect))
                return TitlePlace{brief, rect};
    }
    return std::nullopt;
}

/// Places the titles so that they cover neither a label nor each other; if impossible, tick labels are
/// removed.
void place_titles(EmbeddingAxes& axes, const std::vector<SeenAxis>& seen, const EmbeddingScene& scene,
                  const QSizeF& view) {
    const QFontMetricsF metrics(embedding_font(scene.style()));
    const QRectF room = room_of(view);
    const auto with_air = [](const QRectF& rect) { return rect.adjusted(-5, -2, 5, 2); };
    std::vector<QRectF> ticks, titles;
    for (const auto& label : axes.labels)  // in their order
        ticks.push_back(with_air(rect_at(label.at, label.text, label.side, metrics)));
    std::vector<EmbeddingAxes::Label> placed;
    for (const auto& axis : seen) {
        const auto clear_of_titles = [&](const QRectF& rect) {
            return room.contains(rect) && !covers_one(rect, titles);
        };
        auto found = title_place(axis, metrics, [&](const QRectF& rect) {
            return clear_of_titles(rect) && !covers_one(rect, ticks);
        });
        if (!found) {
            ++axes.left_out;
            found = title_place(axis, metrics, clear_of_titles);
        }
        if (!found) continue;
        for (std::size_t i = ticks.size(); i-- > 0;)
            if (ticks[i].intersects(found->rect)) {
                ticks.erase(ticks.begin() + static_cast<std::ptrdiff_t>(i));
                axes.labels.erase(axes.labels.begin() + static_cast<std::ptrdiff_t>(i));
            }
        titles.push_back(with_air(found->rect));
        placed.push_back({found->rect.center(), found->text, Qt::AlignCenter, true});
    }
    axes.labels.insert(axes.labels.end(), placed.begin(), placed.end());
}

EmbeddingAxes flat_axes(const EmbeddingScene& scene, const EmbeddingCamera& camera, const QSizeF& view) {
    EmbeddingAxes axes;
    const EmbeddingProjection projection(camera, view);
    const QPointF low = projection.data_at({0, view.height()}), high = projection.data_at({view.width(), 0});
    const auto f = [](double v) { return static_cast<float>(v); };
    const int max_x = std::clamp(static_cast<int>(view.width() / 75), 2, 12);
    const int max_y = std::clamp(static_cast<int>(view.height() / 45), 2, 12);
    for (const auto& tick : figures::linear_ticks(low.x(), high.x(), max_x)) {
        axes.lines.push_back({{f(tick.at), f(low.y()), 0}, {f(tick.at), f(high.y()), 0}, tick.at == 0});
        const EmbeddingAxes::Label label{{projection(f(tick.at), 0, 0).x, view.height() + label_gap},
                                         tick.label,
                                         Qt::AlignTop | Qt::AlignHCenter};
        // There is little space right of the plot.
        if (!tick.label.isEmpty() && label_rect(label, scene).right() < view.width() + 13)
            axes.labels.push_back(label);
    }
    for (const auto& tick : figures::linear_ticks(low.y(), high.y(), max_y)) {
        axes.lines.push_back({{f(low.x()), f(tick.at), 0}, {f(high.x()), f(tick.at), 0}, tick.at == 0});
        if (!tick.label.isEmpty())
            axes.labels.push_back({{-label_gap, projection(0, f(tick.at), 0).y},
                                   tick.label,
                                   Qt::AlignRight | Qt::AlignVCenter});
    }
    axes.labels.push_back({{view.width() / 2, view.height() + label_gap + 18},
                           scene.axis_title(0),
                           Qt::AlignTop | Qt::AlignHCenter,
                           true});
    axes.labels.push_back({{-label_gap - 46, view.height() / 2},
                           scene.axis_title(1),
                           Qt::AlignBottom | Qt::AlignHCenter,
                           true,
                           true});
    return axes;
}

EmbeddingAxes box_axes(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                       const EmbeddingCamera& camera, const QSizeF& view) {
    EmbeddingAxes axes;
    if (bounds.empty) return axes;
    const EmbeddingProjection projection(camera, view);
    QVector3D low = bounds.low, high = bounds.high;
    const float widest = std::max({high.x() - low.x(), high.y() - low.y(), high.z() - low.z(), 1e-12f});
    for (int a = 0; a < 3; ++a) {
        const float air = std::max(0.04f * (high[a] - low[a]), 0.02f * widest);
        low[a] -= air;
        high[a] += air;
    }
    // The farther wall of each axis.
    const QVector3D towards_eye = camera.rotation().conjugated().rotatedVector({0, 0, 1});
    std::array<float, 3> wall;
    for (int a = 0; a < 3; ++a) wall[static_cast<std::size_t>(a)] = towards_eye[a] > 0 ? low[a] : high[a];

    std::array<std::vector<figures::Tick>, 3> ticks;
    for (int a = 0; a < 3; ++a) {
        const int most = std::clamp(static_cast<int>(8 * (high[a] - low[a]) / widest), 3, 7);
        ticks[static_cast<std::size_t>(a)] = figures::linear_ticks(low[a], high[a], most);
    }
    for (int normal = 0; normal < 3; ++normal) {
        const int u = (normal + 1) % 3, v = (normal + 2) % 3;
        const auto at = [&](float along_u, float along_v) {
            QVector3D p;
            p[normal] = wall[static_cast<std::size_t>(normal)];
            p[u] = along_u;
            p[v] = along_v;
            return p;
        };
        for (const auto& t : ticks[static_cast<std::size_t>(u)])
            axes.lines.push_back(
                {at(static_cast<float>(t.at), low[v]), at(static_cast<float>(t.at), high[v])});
        for (const auto& t : ticks[static_cast<std::size_t>(v)])
            axes.lines.push_back(
                {at(low[u], static_cast<float>(t.at)), at(high[u], static_cast<float>(t.at))});
        const std::array<QVector3D, 4> rim{at(low[u], low[v]), at(high[u], low[v]), at(high[u], high[v]),
                                           at(low[u], high[v])};
        for (std::size_t i = 0; i < 4; ++i) axes.lines.push_back({rim[i], rim[(i + 1) % 4], true});
    }

    // Labels are placed along an edge of the outline, which belongs to exactly one wall: the lowest for
    // horizontal axes, the leftmost for the vertical one.
    const QPointF middle = projection((low + high) / 2).point();
    std::vector<SeenAxis> seen;
    std::vector<QRectF> ticks_seen;
    const QRectF room = room_of(view);
    const QFontMetricsF metrics(embedding_font(scene.style()));
    for (int a = 0; a < 3; ++a) {
        const int u = (a + 1) % 3, v = (a + 2) % 3;
        double best = -1e300;
        QVector3D from, to;
        for (int side = 0; side < 4; ++side) {
            const float at_u = side & 1 ? high[u] : low[u], at_v = side & 2 ? high[v] : low[v];
            const int walls =
                (at_u == wall[static_cast<std::size_t>(u)]) + (at_v == wall[static_cast<std::size_t>(v)]);
            if (walls != 1) continue;
            QVector3D p, q;
            p[a] = low[a], q[a] = high[a];
            p[u] = q[u] = at_u;
            p[v] = q[v] = at_v;
            const QPointF half = (projection(p).point() + projection(q).point()) / 2;
            const double score = a == 1 ? -half.x() : half.y();
            if (score > best) best = score, from = p, to = q;
        }
        const auto start = projection(from), end = projection(to);
        if (best == -1e300 || !start.visible || !end.visible) continue;
        const QPointF along = end.point() - start.point();
        const double length = std::hypot(along.x(), along.y());
        if (length < 24) continue;  // seen end on
        QPointF out(along.y() / length, -along.x() / length);
        const QPointF half = (start.point() + end.point()) / 2;
        if (QPointF::dotProduct(out, half - middle) < 0) out = -out;
        const Qt::Alignment side = (out.x() > 0.5    ? Qt::AlignLeft
                                    : out.x() < -0.5 ? Qt::AlignRight
                                                     : Qt::AlignHCenter) |
                                   (out.y() > 0.5    ? Qt::AlignTop
                                    : out.y() < -0.5 ? Qt::AlignBottom
                                                     : Qt::AlignVCenter);
        double last = -1e9;
        for (const auto& t : ticks[static_cast<std::size_t>(a)]) {
            QVector3D p = from;
            p[a] = static_cast<float>(t.at);
            const QPointF at = projection(p).point();
            const double place = QPointF::dotProduct(at - start.point(), along) / length;
            const double apart = std::abs(along.x()) > std::abs(along.y()) ? 38 : 18;
            if (t.label.isEmpty() || std::abs(place - last) < apart) continue;
            const EmbeddingAxes::Label label{at + out * 7, t.label, side};
            const QRectF rect = rect_at(label.at, label.text, label.side, metrics);
            if (!room.contains(rect)) {
                ++axes.left_out;
                continue;
            }
            if (covers_one(rect.adjusted(-8, -1, 8, 1), ticks_seen)) continue;
            last = place;
            ticks_seen.push_back(rect);
            axes.labels.push_back(label);
        }
        seen.push_back({start.point(), end.point(), out, scene.axis_title(a)});
    }
    place_titles(axes, seen, scene, view);
    return axes;
}

}  // namespace

QRectF label_rect(const EmbeddingAxes::Label& label, const EmbeddingScene& scene) {
    return rect_at(label.at, label.text, label.side, QFontMetricsF(embedding_font(scene.style())));
}

EmbeddingAxes embedding_axes(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                             const EmbeddingCamera& camera, const QSizeF& view) {
    if (view.width() < 1 || view.height() < 1) return {};
    return camera.flat ? flat_axes(scene, camera, view) : box_axes(scene, bounds, camera, view);
}

EmbeddingCamera fitted_camera(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                              EmbeddingCamera camera, const QSizeF& view) {
    camera.fit(bounds, view);
    if (camera.flat || bounds.empty || view.width() < 1 || view.height() < 1) return camera;
    // A smaller box leaves more space around it; below half its size the points take precedence.
    auto best = camera;
    int fewest = std::numeric_limits<int>::max();
    constexpr int steps = 9;
    for (int step = 0; step < steps && fewest > 0; ++step) {
        if (const int out = embedding_axes(scene, bounds, camera, view).left_out; out < fewest) {
            fewest = out;
            best = camera;
        }
        camera.half_height *= 1.08;
    }
    return best;
}

}  // namespace casp::widgets
