#include "vtk/embedding_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include <QLocale>

#include "figures/recipe_embeddings.h"

namespace casp::widgets {

bool EmbeddingPoints::is_consistent() const {
    const auto fits = [n = size()](std::size_t length) { return length == 0 || length == n; };
    return (components > 0 ? points.size() % static_cast<std::size_t>(components) == 0 : points.empty()) &&
           fits(ids.size()) && fits(kind.size()) && fits(scalar.size()) &&
           std::all_of(kind.begin(), kind.end(),
                       [&](auto k) { return k < std::max<std::size_t>(1, kinds.size()); });
}

void EmbeddingScene::set_points(EmbeddingPoints points) {
    if (!points.is_consistent()) throw std::invalid_argument("embedding: lengths of arrays differ");
    points_ = std::move(points);
    place();
    colour();
}

void EmbeddingScene::set_style(const figures::Style& style) {
    style_ = style;
    colour();
}

void EmbeddingScene::set_highlight(std::set<std::int64_t> ids) {
    if (ids == highlight_) return;
    highlight_ = std::move(ids);
    colour();
}

void EmbeddingScene::set_flat(bool flat) {
    if (flat == flat_) return;
    flat_ = flat;
    place();
    colour();  // only the third component of a point may be missing
}

void EmbeddingScene::place() {
    const std::size_t n = size();
    const auto c = static_cast<std::size_t>(std::max(0, points_.components));
    const std::size_t used = std::min<std::size_t>(c, flat_ ? 2 : 3);
    positions_.assign(3 * n, 0.f);
    bounds_ = {};
    for (std::size_t i = 0; i < n; ++i) {
        bool finite = true;
        for (std::size_t k = 0; k < used; ++k) {
            positions_[3 * i + k] = points_.points[c * i + k];
            finite = finite && std::isfinite(positions_[3 * i + k]);
        }
        if (finite)
            bounds_.add(QVector3D{positions_[3 * i], positions_[3 * i + 1], positions_[3 * i + 2]});
        else
            positions_[3 * i] = std::numeric_limits<float>::quiet_NaN();
    }
}

static QRgb mixed(QRgb a, QRgb b, double share_of_b) {
    const auto mix = [&](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share_of_b)); };
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

void EmbeddingScene::colour() {
    const std::size_t n = size();
    scalar_low_ = scalar_high_ = 0;
    if (coloured_by_scalar()) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const float value : points_.scalar)
            if (std::isfinite(value))
                low = std::min<double>(low, value), high = std::max<double>(high, value);
        if (!(low <= high)) low = high = 0;
        scalar_low_ = points_.scalar_min.value_or(low);
        scalar_high_ = points_.scalar_max.value_or(high);
    }
    std::vector<QRgb> table(256);
    for (std::size_t i = 0; i < 256 && coloured_by_scalar(); ++i)
        table[i] = figures::map_colour(points_.colour_map, static_cast<double>(i) / 255);
    const std::size_t kinds = std::max<std::size_t>(1, points_.kinds.size());
    std::vector<QRgb> of_kind(kinds);
    for (std::size_t k = 0; k < kinds; ++k) of_kind[k] = kind_look(k).colour.rgb();

    const QRgb back = style_.background.rgb(), muted = style_.muted.rgb();
    const QRgb nothing = mixed(muted, back, 0.45);  // points without a value are behind the others
    const double span = scalar_high_ > scalar_low_ ? scalar_high_ - scalar_low_ : 1;
    colours_.resize(n);
    of_kind_.assign(kinds, 0);
    // The lit points of all kinds, and behind them each kind's parts.
    const auto parts = flat_ ? figures::cloud_parts(n, kinds) : 1;
    groups_.assign((parts + 1) * kinds, {});
    for (std::size_t k = 0; k < kinds; ++k) {
        for (std::size_t part = 0; part <= parts; ++part) groups_[part * kinds + k] = {k, false, part, {}};
        groups_[parts * kinds + k].lit = true;
    }
    for (std::size_t i = 0; i < n; ++i) {
        QRgb own = of_kind[kind(i)];
        if (!points_.scalar.empty()) {
            const double share = (points_.scalar[i] - scalar_low_) / span;
            own = std::isfinite(share)
                      ? table[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255))]
                      : nothing;
        }
        const bool lit = !highlight_.empty() && highlight_.count(id(i)) > 0;
        colours_[i] =
            highlight_.empty() || lit ? (own | 0xff000000u) : mixed(mixed(own, muted, 0.6), back, 0.78);
        if (!std::isfinite(positions_[3 * i])) continue;
        const auto k = kind(i), part = of_kind_[k]++ % parts;
        groups_[(lit ? parts : part) * kinds + k].points.push_back(static_cast<std::uint32_t>(i));
    }
    groups_.erase(
        std::remove_if(groups_.begin(), groups_.end(), [](const auto& g) { return g.points.empty(); }),
        groups_.end());
    std::stable_sort(groups_.begin(), groups_.end(), [&](const auto& a, const auto& b) {
        return std::tuple{a.lit, kind_look(a.kind).layer, a.part, of_kind_[b.kind]} <
               std::tuple{b.lit, kind_look(b.kind).layer, b.part, of_kind_[a.kind]};
    });
}

std::int64_t EmbeddingScene::id(std::size_t point) const {
    return points_.ids.empty() ? static_cast<std::int64_t>(point) : points_.ids[point];
}

std::size_t EmbeddingScene::kind(std::size_t point) const {
    return points_.kind.empty() ? 0 : points_.kind[point];
}

EmbeddingKind EmbeddingScene::kind_look(std::size_t kind) const {
    EmbeddingKind look = kind < points_.kinds.size() ? points_.kinds[kind] : EmbeddingKind{};
    if (!look.colour.isValid())
        look.colour = figures::readable_on(
            style_.series.empty() ? style_.accent : style_.series[kind % style_.series.size()],
            style_.background);
    return look;
}

double EmbeddingScene::diameter(const EmbeddingGroup& group) const {
    const double size = std::max(1.0, kind_look(group.kind).size);
    return group.lit ? size + 2.5 : size;
}

double EmbeddingScene::opacity(const EmbeddingGroup& group) const {
    return flat_ && !group.lit ? figures::cloud_opacity(of_kind_[group.kind]) : 1;
}

QString EmbeddingScene::axis_title(int axis) const {
    return axis < points_.axis_titles.size() ? points_.axis_titles[axis] : QString::number(axis + 1);
}

QString EmbeddingScene::label(std::size_t point) const {
    if (points_.label_of) return points_.label_of(point);
    QString text = QString::number(id(point));
    if (const QString name = kind_look(kind(point)).name; !name.isEmpty())
        text = name + QLatin1Char(' ') + text;
    if (!points_.scalar.empty())
        text += QStringLiteral("\n%1 %2").arg(
            points_.scalar_title, QString::number(static_cast<double>(points_.scalar[point]), 'g', 4));
    return text;
}

std::int64_t EmbeddingScene::pick(const EmbeddingProjection& projection, const QPointF& at,
                                  double slack) const {
    // Of the markers covering the pixel, the last in drawing order is picked; in 3D the nearest to the eye.
    std::int64_t top = -1, nearest = -1;
    double top_depth = -std::numeric_limits<double>::infinity(), nearest_distance = slack;
    bool top_lit = false;
    for (const EmbeddingGroup& group : groups_) {
        const double radius = diameter(group) / 2;
        for (const std::uint32_t i : group.points) {
            const auto place = projection(positions_[3 * i], positions_[3 * i + 1], positions_[3 * i + 2]);
            if (!place.visible) continue;
            const double distance = std::hypot(place.x - at.x(), place.y - at.y()) - radius;
            if (distance <= 0 && (group.lit > top_lit || place.depth >= top_depth)) {
                top = i;
                top_depth = place.depth;
                top_lit = group.lit;
            } else if (distance > 0 && distance < nearest_distance) {
                nearest = i;
                nearest_distance = distance;
            }
        }
    }
    return top >= 0 ? top : nearest;
}

std::vector<std::uint32_t> EmbeddingScene::within(const EmbeddingProjection& projection,
                                                  const QPolygonF& polygon) const {
    std::vector<std::uint32_t> found;
    if (polygon.size() < 3) return found;
    const QRectF box = polygon.boundingRect();
    for (const EmbeddingGroup& group : groups_)
        for (const std::uint32_t i : group.points) {
            const auto place = projection(positions_[3 * i], positions_[3 * i + 1], positions_[3 * i + 2]);
            if (place.visible && place.x >= box.left() && place.x <= box.right() && place.y >= box.top() &&
                place.y <= box.bottom() && polygon.containsPoint(place.point(), Qt::OddEvenFill))
                found.push_back(i);
        }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::int64_t> EmbeddingScene::ids_of(const std::vector<std::uint32_t>& points) const {
    std::vector<std::int64_t> ids;
    ids.reserve(points.size());
    for (const auto i : points) ids.push_back(id(i));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

}  // namespace casp::widgets
