#include "vtk/embedding_camera.h"

#include <QMatrix3x3>

#include <algorithm>
#include <cmath>

namespace casp::widgets {

void EmbeddingBounds::add(const QVector3D& p) {
    if (empty) {
        low = high = p;
        empty = false;
        return;
    }
    for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
    }
}

void EmbeddingBounds::add(const EmbeddingBounds& other) {
    if (other.empty) return;
    add(other.low);
    add(other.high);
}

QQuaternion EmbeddingCamera::rotation() const {
    if (flat) return {};
    return QQuaternion::fromAxisAndAngle(1, 0, 0, static_cast<float>(tilt)) *
           QQuaternion::fromAxisAndAngle(0, 1, 0, static_cast<float>(-turn));
}

double EmbeddingCamera::distance() const { return half_height / std::tan(view_angle / 2 * M_PI / 180); }

void EmbeddingCamera::fit(const EmbeddingBounds& bounds, const QSizeF& view) {
    if (bounds.empty) {
        centre = {};
        half_height = 1;
        return;
    }
    centre = (bounds.low + bounds.high) / 2;
    const QVector3D half = (bounds.high - bounds.low) / 2;
    const double aspect = view.height() > 0 ? std::max(0.05, view.width() / view.height()) : 1;
    if (flat) {
        half_height = 1.08 * std::max<double>(half.y(), half.x() / aspect);
    } else {
        // The corners of the box, with space for the axis labels; perspective enlarges the near ones.
        const QQuaternion turned = rotation();
        double reach = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const QVector3D at =
                turned.rotatedVector({corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                                      corner & 4 ? half.z() : -half.z()});
            const double nearer = std::max<double>(0, at.z()) * std::tan(view_angle / 2 * M_PI / 180);
            reach = std::max({reach, std::abs(at.y()) + nearer, std::abs(at.x()) / aspect + nearer});
        }
        half_height = 1.24 * reach;
    }
    if (!(half_height > 0)) half_height = std::max(1e-6, 0.05 * static_cast<double>(centre.length()));
}

void EmbeddingCamera::pan(const QPointF& pixels, const QSizeF& view) {
    const double unit = 2 * half_height / std::max(1.0, view.height());
    const QVector3D shift(static_cast<float>(-pixels.x() * unit), static_cast<float>(pixels.y() * unit), 0);
    centre += rotation().conjugated().rotatedVector(shift);
}

void EmbeddingCamera::rotate(double turn_by, double tilt_by) {
    if (flat) return;
    turn = std::remainder(turn + turn_by, 360.0);
    tilt = std::clamp(tilt + tilt_by, -89.0, 89.0);
}

void EmbeddingCamera::zoom(double factor, const QPointF& at, const QSizeF& view) {
    factor = std::clamp(factor, 0.05, 20.0);
    const double next = half_height / factor;
    if (!(next > 1e-30 && next < 1e30)) return;
    const QPointF from_middle = at - QPointF(view.width() / 2, view.height() / 2);
    pan(-from_middle, view);
    half_height = next;
    pan(from_middle, view);
}

EmbeddingProjection::EmbeddingProjection(const EmbeddingCamera& camera, const QSizeF& view)
    : centre_{camera.centre.x(), camera.centre.y(), camera.centre.z()},
      scale_(view.height() / (2 * camera.half_height)),
      half_width_px_(view.width() / 2),
      half_height_px_(view.height() / 2),
      distance_(camera.distance()),
      flat_(camera.flat) {
    const QMatrix3x3 turned = camera.rotation().toRotationMatrix();
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) matrix_[3 * row + column] = turned(row, column);
}

EmbeddingProjection::Place EmbeddingProjection::operator()(float px, float py, float pz) const {
    const double x = px - centre_[0], y = py - centre_[1];
    if (flat_) return {half_width_px_ + x * scale_, half_height_px_ - y * scale_, 0, true};
    const double z = pz - centre_[2];
    const double vx = matrix_[0] * x + matrix_[1] * y + matrix_[2] * z;
    const double vy = matrix_[3] * x + matrix_[4] * y + matrix_[5] * z;
    const double vz = matrix_[6] * x + matrix_[7] * y + matrix_[8] * z;
    const double away = distance_ - vz;
    if (away < 0.01 * distance_) return {0, 0, vz, false};
    const double s = scale_ * distance_ / away;
    return {half_width_px_ + vx * s, half_height_px_ - vy * s, vz, true};
}

QPointF EmbeddingProjection::data_at(const QPointF& pixel) const {
    return {centre_[0] + (pixel.x() - half_width_px_) / scale_,
            centre_[1] - (pixel.y() - half_height_px_) / scale_};
}

}  // namespace casp::widgets
