#pragma once
// From data units to pixels: one camera for OpenGL, for the painter, for axes and for picking.

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

/// Flat: looks along −z, all axes with one scale. Else a turntable about the second axis, in mild
/// perspective.
class EmbeddingCamera {
public:
    bool flat = true;
    QVector3D centre;        ///< in the middle of the view
    double half_height = 1;  ///< data units from the centre to the upper border (at the depth of the centre)
    double turn = 35;        ///< degrees about the second axis
    double tilt = 20;        ///< degrees above the plane of first and third axis, −89 … 89

    static constexpr double view_angle = 25;  ///< degrees from the lower to the upper border

    /// Shows all of `bounds` in a view of that shape, keeping the direction.
    void fit(const EmbeddingBounds& bounds, const QSizeF& view);
    /// By pixels of the view, what is at the centre's depth follows the pointer.
    void pan(const QPointF& pixels, const QSizeF& view);
    /// Degrees; nothing in the flat view.
    void rotate(double turn_by, double tilt_by);
    /// > 1: nearer; what is under `at` stays there.
    void zoom(double factor, const QPointF& at, const QSizeF& view);

    /// Of the eye from the centre, in data units.
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
