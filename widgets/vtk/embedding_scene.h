#pragma once
// Point cloud of an embedding view, as plain values and prepared for drawing: coordinates and colour per
// point, drawing order, picking.

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include <QColor>
#include <QPolygonF>
#include <QString>
#include <QStringList>

#include "figures/figure.h"
#include "figures/style.h"
#include "vtk/embedding_camera.h"

namespace casp::widgets {

/// A kind of points: "anchors", "series", …
struct EmbeddingKind {
    QString name;
    QColor colour = {};  ///< invalid: the style's series colour of that number
    figures::MarkerShape marker = figures::MarkerShape::circle;
    double size =
        5;  ///< diameter in device-independent pixels; from 8 on with a rim in the background's colour
    int layer = 0;       ///< drawn above lower layers in 2D
    QString about = {};  ///< for the legend's tooltip, if longer than the name
};

/// Content of an EmbeddingView. Points with a non-finite component are neither drawn nor selectable.
struct EmbeddingPoints {
    int components = 0;              ///< stored per point, ≥ 1; the view shows the first two or three
    std::vector<float> points;       ///< [n, components]
    std::vector<std::int64_t> ids;   ///< [n] id of each point, not necessarily unique; empty: 0 … n − 1
    std::vector<std::uint8_t> kind;  ///< [n] index into `kinds`; empty: all 0
    std::vector<EmbeddingKind> kinds;
    std::vector<float> scalar;  ///< [n] coloured by `colour_map`; empty: by kind; NaN: a faint grey
    QString scalar_title;
    QString colour_map = QStringLiteral("viridis");
    std::optional<double> scalar_min, scalar_max;  ///< default: of the data
    /// Hover text of a point, created on request; none: kind and id. GUI thread.
    std::function<QString(std::size_t)> label_of;
    QStringList axis_titles;  ///< "PC1 (34 %)", …; missing ones: "1", "2", "3"
    QString run;              ///< folder of their run; may be empty
    QString title;            ///< small, above the cloud; may be empty
    QString empty_text;       ///< shown if there are no points

    [[nodiscard]] std::size_t size() const {
        return components > 0 ? points.size() / static_cast<std::size_t>(components) : 0;
    }
    /// Whether the arrays' lengths fit each other.
    [[nodiscard]] bool is_consistent() const;
};

/// Points of one kind drawn together, in the order of `points`.
struct EmbeddingGroup {
    std::size_t kind = 0;
    bool lit = false;      ///< highlighted: drawn above all others, somewhat larger
    std::size_t part = 0;  ///< of its kind: the parts of large kinds in 2D are drawn in turn
    std::vector<std::uint32_t> points;
};

/// Plain value; changing highlight and style is cheap and keeps the points.
/// More than 25 methods: most are one-line queries of one point cloud.
class EmbeddingScene {
public:
    /// Throws std::invalid_argument unless EmbeddingPoints::is_consistent().
    void set_points(EmbeddingPoints points);
    void set_style(const figures::Style& style);
    /// Highlights points with these ids and dims all others; empty: no highlight.
    void set_highlight(std::set<std::int64_t> ids);
    void set_flat(bool flat);

    [[nodiscard]] const EmbeddingPoints& points() const { return points_; }
    [[nodiscard]] const figures::Style& style() const { return style_; }
    [[nodiscard]] const std::set<std::int64_t>& highlight() const { return highlight_; }
    [[nodiscard]] bool flat() const { return flat_; }
    [[nodiscard]] std::size_t size() const { return points_.size(); }
    [[nodiscard]] const std::vector<float>& positions() const { return positions_; }  ///< [n, 3]
    [[nodiscard]] const std::vector<QRgb>& colours() const { return colours_; }       ///< [n], as drawn
    /// In drawing order: dimmed kinds first, lit ones last, each by layer; within a layer the kinds in turn,
    /// large ones first.
    [[nodiscard]] const std::vector<EmbeddingGroup>& groups() const { return groups_; }
    [[nodiscard]] const EmbeddingBounds& bounds() const { return bounds_; }
    [[nodiscard]] std::int64_t id(std::size_t point) const;
    [[nodiscard]] std::size_t kind(std::size_t point) const;
    [[nodiscard]] EmbeddingKind kind_look(std::size_t kind) const;
    /// Diameter in device-independent pixels.
    [[nodiscard]] double diameter(const EmbeddingGroup& group) const;
    /// Below 1 for large kinds in 2D (figures::cloud_opacity).
    [[nodiscard]] double opacity(const EmbeddingGroup& group) const;
    [[nodiscard]] QString axis_title(int axis) const;
    /// Hover text.
    [[nodiscard]] QString label(std::size_t point) const;
    /// Lower and upper end of the colour map; equal if there is no scalar.
    [[nodiscard]] std::pair<double, double> scalar_range() const { return {scalar_low_, scalar_high_}; }
    [[nodiscard]] bool coloured_by_scalar() const { return !points_.scalar.empty(); }

    /// The point whose marker is under `at` or at most `slack` pixels away: the topmost, else the nearest.
    /// −1: none.
    [[nodiscard]] std::int64_t pick(const EmbeddingProjection& projection, const QPointF& at,
                                    double slack = 4) const;
    /// Indices of the points whose centres lie within the polygon (odd-even rule).
    [[nodiscard]] std::vector<std::uint32_t> within(const EmbeddingProjection& projection,
                                                    const QPolygonF& polygon) const;
    /// Ids of those points, each once, ascending.
    [[nodiscard]] std::vector<std::int64_t> ids_of(const std::vector<std::uint32_t>& points) const;

private:
    void place();
    void colour();

    EmbeddingPoints points_;
    figures::Style style_ = figures::light_style();
    std::set<std::int64_t> highlight_;
    bool flat_ = true;
    std::vector<float> positions_;
    std::vector<QRgb> colours_;
    std::vector<EmbeddingGroup> groups_;
    std::vector<std::size_t> of_kind_;  ///< number of drawn points of each kind
    EmbeddingBounds bounds_;
    double scalar_low_ = 0, scalar_high_ = 0;
};

}  // namespace casp::widgets
