#pragma once
// Point cloud prepared for drawing: coordinates and colour per point, drawing order, picking.

#include <set>
#include <vector>

#include <QPolygonF>

#include "figures/style.h"
#include "vtk/embedding_camera.h"
#include "vtk/embedding_points.h"

namespace casp::widgets {

/// Points of one kind drawn together, in the order of `points`.
struct EmbeddingGroup {
    std::size_t kind = 0;
    bool lit = false;      ///< highlighted: drawn above all others, somewhat larger
    std::size_t part = 0;  ///< of its kind: the parts of large kinds in 2D are drawn in turn
    std::vector<std::uint32_t> points;
};

/// Plain value; changing highlight and style is cheap and keeps the points.
class EmbeddingScene {
public:
    /// Throws std::invalid_argument with EmbeddingPoints::problem() if array lengths do not match.
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
