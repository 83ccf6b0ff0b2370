#include "model/patching.h"

#include <algorithm>
#include <array>
#include <vector>

#include <torch/torch.h>

#include <ATen/Parallel.h>

namespace casp::model {

namespace {

/// Rounds, pads, cuts and interleaves in one pass; the same values as the tensor operations below.
template <typename Scalar>
void cut_patches(const std::array<const Scalar*, 3>& parts, float* patches, std::int64_t rows,
                 std::int64_t size, std::int64_t length, std::int64_t stride) {
    const std::int64_t count = patch_count(size, length, stride);
    at::parallel_for(0, rows, 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> padded(static_cast<std::size_t>(3 * (size + stride)));
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::size_t part = 0; part < 3; ++part) {
                const Scalar* x = parts[part] + row * size;
                float* line = padded.data() + static_cast<std::int64_t>(part) * (size + stride);
                for (std::int64_t i = 0; i < size; ++i) line[i] = static_cast<float>(x[i]);
                std::fill_n(line + size, stride, line[size - 1]);
            }
            float* out = patches + row * count * 3 * length;
            for (std::int64_t patch = 0; patch < count; ++patch)
                for (std::int64_t part = 0; part < 3; ++part, out += length)
                    std::copy_n(padded.data() + part * (size + stride) + patch * stride, length, out);
        }
    });
}

at::Tensor make_patches_on_cpu(const Components& parts, std::int64_t length, std::int64_t stride) {
    const auto trend = parts.trend.contiguous();
    const auto seasonal = parts.seasonal.contiguous();
    const auto residual = parts.residual.contiguous();
    const auto rows = trend.size(0);
    const auto size = trend.size(1);
    auto patches = at::empty({rows, patch_count(size, length, stride), 3 * length},
                             trend.options().dtype(at::kFloat).requires_grad(false));
    const auto run = [&](auto zero) {
        using Scalar = decltype(zero);
        cut_patches<Scalar>(
            {trend.data_ptr<Scalar>(), seasonal.data_ptr<Scalar>(), residual.data_ptr<Scalar>()},
            patches.data_ptr<float>(), rows, size, length, stride);
    };
    if (trend.scalar_type() == at::kFloat)
        run(0.0F);
    else
        run(0.0);
    return patches;
}

/// Whether the pass above supports the components, and no gradient is required.
bool plain_on_cpu(const Components& parts) {
    const auto type = parts.trend.scalar_type();
    if (type != at::kFloat && type != at::kDouble) return false;
    for (const auto* part : {&parts.trend, &parts.seasonal, &parts.residual}) {
        if (!part->is_cpu() || part->scalar_type() != type) return false;
        if (at::GradMode::is_enabled() && part->requires_grad()) return false;
    }
    return true;
}

}  // namespace

at::Tensor make_patches(const Components& parts, std::int64_t length, std::int64_t stride) {
    if (plain_on_cpu(parts)) return make_patches_on_cpu(parts, length, stride);
    const auto stacked = at::stack(
        {parts.trend.to(at::kFloat), parts.seasonal.to(at::kFloat), parts.residual.to(at::kFloat)}, 1);
    const auto padded = at::cat({stacked, stacked.slice(2, -1).expand({-1, -1, stride})}, 2);
    // [N, 3, N_p, length] -> [N, N_p, 3, length]
    return padded.unfold(2, length, stride).transpose(1, 2).flatten(2);
}

at::Tensor make_patches(const at::Tensor& rows, std::int64_t length, std::int64_t stride) {
    return at::cat({rows, rows.slice(1, -1).expand({-1, stride})}, 1).unfold(1, length, stride);
}

}  // namespace casp::model
