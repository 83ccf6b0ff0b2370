#include "analysis/neighbour_kernels.h"

#include <algorithm>

#include "util/vector_clones.h"

namespace casp::analysis::kernels {

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
