#include "analysis/tsne_kernels.h"

#include <algorithm>
#include <cmath>

#include "util/vector_clones.h"

namespace casp::analysis::kernels {

namespace {

template <int C>
CASP_INLINE void attract_rows(const TsneAffinities& a, const float* near, std::int64_t begin,
                              std::int64_t end, double scale, double* force) {
    const std::int64_t* first = a.first.data();
    for (std::int64_t i = begin; i < end; ++i) {
        const float x = near[C * i], y = near[C * i + 1], z = C == 3 ? near[C * i + 2] : 0.0F;
        float sx = 0, sy = 0, sz = 0;
        const std::int64_t from = first[i], count = first[i + 1] - from;
        const std::int32_t* column = a.column.data() + from;
        const float* p = a.p.data() + from;
#pragma omp simd reduction(+ : sx, sy, sz)
        for (std::int64_t e = 0; e < count; ++e) {
            const std::int32_t j = C * column[e];
            const float dx = x - near[j], dy = y - near[j + 1];
            float square = 1.0F + dx * dx + dy * dy;
            float dz = 0;
            if constexpr (C == 3) {
                dz = z - near[j + 2];
                square += dz * dz;
            }
            const float w = p[e] / square;
            sx += w * dx;
            sy += w * dy;
            if constexpr (C == 3) sz += w * dz;
        }
        force[C * i] += scale * static_cast<double>(sx);
        force[C * i + 1] += scale * static_cast<double>(sy);
        if constexpr (C == 3) force[C * i + 2] += scale * static_cast<double>(sz);
    }
}

template <int C>
CASP_INLINE double repel_rows(const double* columns, std::int64_t n, std::int64_t begin, std::int64_t end,
                              double* force) {
    const double *xs = columns, *ys = columns + n, *zs = C == 3 ? columns + 2 * n : nullptr;
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) {
        const double x = xs[i], y = ys[i], z = C == 3 ? zs[i] : 0.0;
        double s = 0, sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : s, sx, sy, sz)
        for (std::int64_t j = 0; j < n; ++j) {
            const double dx = x - xs[j], dy = y - ys[j];
            double square = 1.0 + dx * dx + dy * dy;
            double dz = 0;
            if constexpr (C == 3) {
                dz = z - zs[j];
                square += dz * dz;
            }
            const double k = 1.0 / square, k2 = k * k;
            s += k;
            sx += k2 * dx;
            sy += k2 * dy;
            if constexpr (C == 3) sz += k2 * dz;
        }
        sum += s - 1.0;  // the point itself
        force[C * i] = sx;
        force[C * i + 1] = sy;
        if constexpr (C == 3) force[C * i + 2] = sz;
    }
    return sum;
}

/// Weights of a point at fraction t between two nodes for its spline_order nodes, and their derivatives by t.
struct Spline {
    double weight[spline_order], slope[spline_order];
};

CASP_INLINE Spline spline_at(double t) {
    // Recursion over the order (de Boor); the slope comes from the last step.
    Spline s;
    double* w = s.weight;
    w[0] = 1 - t;
    w[1] = t;
    for (int k = 3; k <= spline_order; ++k) {
        if (k == spline_order) {
            s.slope[0] = -w[0];
            for (int j = 1; j < k - 1; ++j) s.slope[j] = w[j - 1] - w[j];
            s.slope[k - 1] = w[k - 2];
        }
        const double share = 1.0 / (k - 1);
        w[k - 1] = share * t * w[k - 2];
        for (int j = k - 2; j > 0; --j) w[j] = share * ((t + (k - 1 - j)) * w[j - 1] + (j + 1 - t) * w[j]);
        w[0] *= share * (1 - t);
    }
    return s;
}

/// Position of a point: first node and weights in each direction.
template <int C>
struct Place {
    std::int64_t offset = 0;
    Spline along[C];
};

template <int C>
CASP_INLINE Place<C> place_of(const GridShape& shape, double inverse, const double* point) {
    Place<C> place;
    for (int c = 0; c < C; ++c) {
        const double u = (point[c] - shape.origin[c]) * inverse;
        const double floor = std::floor(u);
        place.along[c] = spline_at(u - floor);
        place.offset += (static_cast<std::int64_t>(floor) - (spline_order / 2 - 1)) * shape.stride[c];
    }
    return place;
}

template <int C>
CASP_INLINE void spread_points(const GridShape& shape, const double* y, const std::int32_t* order,
                               std::int64_t begin, std::int64_t end, double* grid) {
    const double inverse = 1 / shape.spacing;
    for (std::int64_t k = begin; k < end; ++k) {
        const auto place = place_of<C>(shape, inverse, y + static_cast<std::int64_t>(C) * order[k]);
        const Spline& last = place.along[C - 1];
        for (int a = 0; a < spline_order; ++a) {
            for (int b = 0; b < (C == 3 ? spline_order : 1); ++b) {
                double* row = grid + place.offset + a * shape.stride[0] + (C == 3 ? b * shape.stride[1] : 0);
                const double w = place.along[0].weight[a] * (C == 3 ? place.along[1].weight[b] : 1.0);
                for (int c = 0; c < spline_order; ++c) row[c] += w * last.weight[c];
            }
        }
    }
}

template <int C>
CASP_INLINE double interpolate_points(const GridShape& shape, const double* y, const std::int32_t* order,
                                      std::int64_t begin, std::int64_t end, const double* grid,
                                      double* force) {
    const double inverse = 1 / shape.spacing;
    double sum = 0;
    for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t i = order[k];
        const auto place = place_of<C>(shape, inverse, y + C * i);
        const Spline& last = place.along[C - 1];
        double value = 0, slope[C] = {};
        for (int a = 0; a < spline_order; ++a) {
            for (int b = 0; b < (C == 3 ? spline_order : 1); ++b) {
                const double* row =
                    grid + place.offset + a * shape.stride[0] + (C == 3 ? b * shape.stride[1] : 0);
                double v = 0, s = 0;
                for (int c = 0; c < spline_order; ++c) {
                    v += row[c] * last.weight[c];
                    s += row[c] * last.slope[c];
                }
                const double wa = place.along[0].weight[a];
                const double wb = C == 3 ? place.along[1].weight[b] : 1.0;
                value += wa * wb * v;
                slope[0] += place.along[0].slope[a] * wb * v;
                if constexpr (C == 3) slope[1] += wa * place.along[1].slope[b] * v;
                slope[C - 1] += wa * wb * s;
            }
        }
        sum += value;
        for (int c = 0; c < C; ++c) force[C * i + c] = -0.5 * inverse * slope[c];
    }
    return sum;
}

inline int sign(double value) { return static_cast<int>(value > 0) - static_cast<int>(value < 0); }

}  // namespace

CASP_VECTOR_CLONES
void attract(const TsneAffinities& affinities, const float* near, int components, std::int64_t begin,
             std::int64_t end, double scale, double* force) {
    if (components == 3)
        attract_rows<3>(affinities, near, begin, end, scale, force);
    else
        attract_rows<2>(affinities, near, begin, end, scale, force);
}

double divergence(const TsneAffinities& affinities, const double* y, int components, std::int64_t begin,
                  std::int64_t end) {
    const auto* first = affinities.first.data();
    const auto* column = affinities.column.data();
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t e = first[i]; e < first[i + 1]; ++e) {
            const auto p = static_cast<double>(affinities.p.data()[e]);
            if (p <= 0) continue;
            double square = 0;
            for (int c = 0; c < components; ++c) {
                const double apart =
                    y[components * i + c] - y[static_cast<std::int64_t>(components) * column[e] + c];
                square += apart * apart;
            }
            sum += p * std::log(p * (1 + square));
        }
    return sum;
}

CASP_VECTOR_CLONES
double repel(const double* columns, std::int64_t n, int components, std::int64_t begin, std::int64_t end,
             double* force) {
    return components == 3 ? repel_rows<3>(columns, n, begin, end, force)
                           : repel_rows<2>(columns, n, begin, end, force);
}

std::int64_t first_node(const GridShape& shape, double coordinate, int direction) {
    // Computed exactly as in place_of(), so that points on a border are assigned consistently.
    const double inverse = 1 / shape.spacing;
    return static_cast<std::int64_t>(std::floor((coordinate - shape.origin[direction]) * inverse)) -
           (spline_order / 2 - 1);
}

CASP_VECTOR_CLONES
void spread(const GridShape& shape, const double* y, const std::int32_t* order, std::int64_t begin,
            std::int64_t end, double* grid) {
    if (shape.components == 3)
        spread_points<3>(shape, y, order, begin, end, grid);
    else
        spread_points<2>(shape, y, order, begin, end, grid);
}

CASP_VECTOR_CLONES
double interpolate(const GridShape& shape, const double* y, const std::int32_t* order, std::int64_t begin,
                   std::int64_t end, const double* grid, double* force) {
    return shape.components == 3 ? interpolate_points<3>(shape, y, order, begin, end, grid, force)
                                 : interpolate_points<2>(shape, y, order, begin, end, grid, force);
}

double spline_spectrum(double angle) {
    const Spline at_node = spline_at(0);
    constexpr int middle = spline_order / 2 - 1;
    double sum = 0;
    for (int j = 0; j < spline_order; ++j) sum += at_node.weight[j] * std::cos((j - middle) * angle);
    return sum;
}

void descend(const Step& step, const double* gradient, int components, std::int64_t begin, std::int64_t end,
             double* y, double* velocity, double* gains, double* sum) {
    constexpr double longest = 5;
    for (std::int64_t i = begin * components; i < end * components; i += components) {
        double square = 0;
        for (std::int64_t k = i; k < i + components; ++k) {
            // The gain grows while step and gradient have opposite signs.
            gains[k] = sign(velocity[k]) != sign(gradient[k]) ? gains[k] + 0.2 : gains[k] * 0.8 + 0.01;
            velocity[k] = step.momentum * velocity[k] - step.learning_rate * gains[k] * gradient[k];
            square += velocity[k] * velocity[k];
        }
        const double shorter = square > longest * longest ? longest / std::sqrt(square) : 1.0;
        for (int c = 0; c < components; ++c) {
            velocity[i + c] *= shorter;
            y[i + c] += velocity[i + c];
            sum[c] += y[i + c];
        }
    }
}

CASP_VECTOR_CLONES
float square_distance(const float* a, const float* b, std::int64_t d) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < d; ++i) {
        const float apart = a[i] - b[i];
        sum += apart * apart;
    }
    return sum;
}

CASP_VECTOR_CLONES
std::int64_t near_enough(const float* products, const float* norms, float own, const float* limits,
                         std::int64_t count, std::int32_t* where, float* square) {
    constexpr std::int64_t lanes = 32;  // tested together, since hardly any point passes
    std::int64_t found = 0;
    for (std::int64_t first = 0; first < count; first += lanes) {
        const std::int64_t last = std::min(first + lanes, count);
        int any = 0;
#pragma omp simd reduction(| : any)
        for (std::int64_t j = first; j < last; ++j)
            any |= static_cast<int>(own + norms[j] - 2.0F * products[j] < limits[j]);
        if (any == 0) continue;
        for (std::int64_t j = first; j < last; ++j) {
            const float distance = own + norms[j] - 2.0F * products[j];
            if (!(distance < limits[j])) continue;
            where[found] = static_cast<std::int32_t>(j);
            square[found++] = std::max(distance, 0.0F);
        }
    }
    return found;
}

}  // namespace casp::analysis::kernels
