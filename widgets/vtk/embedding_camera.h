#pragma once
// Camera mapping data units to pixels, shared by OpenGL, painter, axes and picking.

#include <QPointF>
#include <QQuaternion>
#include <QSizeF>
#include <QVector3D>

namespace casp::widgets {

/// Bounds of a cloud in data units.
struct EmbeddingBounds {
    QVector3D low, high;
    bool empty = true;
    void add(const QVector3D& point);
    void add(const EmbeddingBounds& other);
    bool operator==(const EmbeddingBounds&) const = default;
};

/// 2D: looks along −z, with one scale for all axes. 3D: a turntable about the second axis, in mild
/// perspective.
class EmbeddingCamera {
public:
    bool flat = true;
    QVector3D centre;        ///< in the middle of the view
    double half_height = 1;  ///< data units from the centre to the upper border (at the depth of the centre)
    double turn = 35;        ///< degrees about the second axis
    double tilt = 20;        ///< degrees above the plane of first and third axis, −89 … 89

    static constexpr double view_angle = 25;  ///< degrees from the lower to the upper border

    /// Shows all of `bounds` in a view of this shape, keeping the direction.
    void fit(const EmbeddingBounds& bounds, const QSizeF& view);
    /// Pans by pixels of the view; points at the centre's depth follow the pointer.
    void pan(const QPointF& pixels, const QSizeF& view);
    /// Rotates by degrees; no effect in 2D.
    void rotate(double turn_by, double tilt_by);
    /// > 1: nearer; the point under `at` is fixed.
    void zoom(double factor, const QPointF& at, const QSizeF& view);

    /// Distance of the eye from the centre, in data units.
    [[nodiscard]] double distance() const;
    [[nodiscard]] QQuaternion rotation() const;

    bool operator==(const EmbeddingCamera&) const = default;
};

/// The camera in a view of given size, ready for many points.
class EmbeddingProjection {
public:
    EmbeddingProjection(const EmbeddingCamera& camera, const QSizeF& view);

    struct Place {
        double x = 0, y = 0;   ///< pixels, y downwards
        double depth = 0;      ///< greater is nearer
        bool visible = false;  ///< in front of the eye (not: within the view)
        [[nodiscard]] QPointF point() const { return {x, y}; }
    };
    [[nodiscard]] Place operator()(float x, float y, float z) const;
    [[nodiscard]] Place operator()(const QVector3D& p) const { return (*this)(p.x(), p.y(), p.z()); }
    /// Flat view: the data coordinates of a pixel.
    [[nodiscard]] QPointF data_at(const QPointF& pixel) const;

private:
    double matrix_[9];
    double centre_[3];
    double scale_, half_width_px_, half_height_px_, distance_;
    bool flat_;
};

}  // namespace casp::widgets
