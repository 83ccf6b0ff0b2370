#include "vtk/embedding_axes.h"

#include <algorithm>
#include <array>
#include <cmath>

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

/// An axis of the box as it is seen: where its title may go.
struct SeenAxis {
    QPointF from, to, out;  ///< ends, and the direction away from the box
    QString title;
};

/// Puts the titles where they cover neither a label nor each other.
void place_titles(EmbeddingAxes& axes, const std::vector<SeenAxis>& seen, const EmbeddingScene& scene,
                  const QSizeF& view) {
    const QFontMetricsF metrics(embedding_font(scene.style()));
    const QRectF room = QRectF({0, 0}, view).adjusted(4, 2, -4, -2);
    std::vector<QRectF> taken;
    for (const auto& label : axes.labels)
        taken.push_back(rect_at(label.at, label.text, label.side, metrics).adjusted(-5, -2, 5, 2));
    const auto is_free = [&](const QRectF& rect) {
        return room.contains(rect) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) {
                   return other.intersects(rect);
               });
    };
    // Touches `from` seen in direction `towards`, so that it slides smoothly while the box turns.
    const auto beyond = [](const QPointF& from, const QPointF& towards, const QSizeF& size) {
        const QPointF centre = from + QPointF(towards.x() * size.width(), towards.y() * size.height()) / 2;
        return QRectF(centre - QPointF(size.width(), size.height()) / 2, size);
    };
    for (const auto& axis : seen) {
        const QString brief = axis.title.section(QStringLiteral(" ("), 0, 0);
        const QPointF middle = (axis.from + axis.to) / 2;
        QRectF rect;
        QString text;
        const double height = metrics.ascent() + metrics.descent();
        const QSizeF brief_size(metrics.horizontalAdvance(brief), height);
        const auto attempt = [&](const QString& words, const QSizeF& size, const QPointF& at,
                                 const QPointF& towards) {
            if (!text.isEmpty()) return;
            const auto there = beyond(at, towards, size);
            if (!is_free(there)) return;
            rect = there;
            text = words;
        };
        for (const auto& words : {axis.title, brief}) {
            const QSizeF size(metrics.horizontalAdvance(words), height);
            for (double away = 12; away <= 72; away += 2)
                attempt(words, size, middle + axis.out * away, axis.out);
        }
        // No room beside it: at its ends, the upper one first.
        const QPointF along = axis.to - axis.from;
        const QPointF unit = along / std::hypot(along.x(), along.y());
        const bool to_is_upper = axis.to.y() < axis.from.y();
        for (const bool upper : {true, false}) {
            const bool at_to = upper == to_is_upper;
            const QPointF direction = at_to ? unit : -unit;
            for (double away = 6; away <= 30; away += 4)
                attempt(brief, brief_size, (at_to ? axis.to : axis.from) + direction * away, direction);
        }
        if (text.isEmpty()) {  // nowhere: beside it, within the view
            text = brief;
            rect = beyond(middle + axis.out * 40, axis.out, brief_size);
            rect.moveLeft(std::max(room.left(), std::min(rect.left(), room.right() - rect.width())));
            rect.moveTop(std::max(room.top(), std::min(rect.top(), room.bottom() - rect.height())));
        }
        taken.push_back(rect.adjusted(-5, -2, 5, 2));
        axes.labels.push_back({rect.center(), text, Qt::AlignCenter, true});
    }
}

EmbeddingAxes flat_axes(const EmbeddingScene& scene, const EmbeddingCamera& camera, const QSizeF& view) {
    EmbeddingAxes axes;
    const EmbeddingProjection projection(camera, view);
    const QPointF low = projection.data_at({0, view.height()}), high = projection.data_at({view.width(), 0});
    const auto f = [](double v) { return static_cast<float>(v); };
    const int most_x = std::clamp(static_cast<int>(view.width() / 75), 2, 12);
    const int most_y = std::clamp(static_cast<int>(view.height() / 45), 2, 12);
    for (const auto& tick : figures::linear_ticks(low.x(), high.x(), most_x)) {
        axes.lines.push_back({{f(tick.at), f(low.y()), 0}, {f(tick.at), f(high.y()), 0}, tick.at == 0});
        if (!tick.label.isEmpty())
            axes.labels.push_back({{projection(f(tick.at), 0, 0).x, view.height() + label_gap},
                                   tick.label,
                                   Qt::AlignTop | Qt::AlignHCenter});
    }
    for (const auto& tick : figures::linear_ticks(low.y(), high.y(), most_y)) {
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
    // The wall of each axis that lies farther away.
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

    // Labels stand along an edge of the outline: it belongs to exactly one wall. Lowest for the axes that
    // lie, leftmost for the upright one.
    const QPointF middle = projection((low + high) / 2).point();
    std::vector<SeenAxis> seen;
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
            last = place;
            axes.labels.push_back({at + out * 7, t.label, side});
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

}  // namespace casp::widgets
