#include "analysis/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "util/parallel.h"

namespace casp::analysis {

std::int64_t conformal_rank(std::int64_t n, int percent) { return ((n + 1) * percent + 99) / 100; }

std::int64_t fewest_errors(int percent) {
    return (percent + (100 - percent) - 1) / (100 - percent);  // percent / (100 - percent), rounded up
}

std::vector<float> conformal_offsets(std::span<const float> errors, std::size_t cells, int percent,
                                     int threads) {
    const std::size_t n = errors.size() / cells;
    const auto rank = conformal_rank(static_cast<std::int64_t>(n), percent);
    if (rank > static_cast<std::int64_t>(n))
        return std::vector<float>(cells, std::numeric_limits<float>::infinity());
    std::vector<float> offsets(cells);
    // Neighbouring cells together: a row of them is one line of the processor's cache.
    constexpr std::size_t together = 16;
    parallel_for((cells + together - 1) / together, thread_count(threads), [&](std::size_t block, int) {
        const auto first = block * together;
        const auto count = std::min(together, cells - first);
        std::vector<float> columns(count * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < count; ++c) columns[c * n + i] = errors[i * cells + first + c];
        for (std::size_t c = 0; c < count; ++c) {
            const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(c * n);
            const auto end = begin + static_cast<std::ptrdiff_t>(n);
            auto& offset = offsets[first + c];
            if (std::any_of(begin, end, [](float error) { return std::isnan(error); })) {
                offset = std::numeric_limits<float>::quiet_NaN();
                continue;
            }
            const auto at = begin + static_cast<std::ptrdiff_t>(rank - 1);
            std::nth_element(begin, at, end);
            offset = *at;
        }
    });
    return offsets;
}

std::int64_t covered(std::span<const float> errors, const std::vector<float>& offsets) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) count += errors[i] <= offsets[i % offsets.size()] ? 1 : 0;
    return count;
}

}  // namespace casp::analysis
