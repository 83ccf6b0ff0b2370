#include "model/dropout.h"

#include <bit>

#include <torch/torch.h>

#include <ATen/ops/_fused_dropout.h>
#include <ATen/ops/_masked_scale.h>
#include <ATen/Parallel.h>

#include "model/forecaster.h"
#include "util/random.h"
#include "util/vector_clones.h"

namespace casp::model {

namespace {

/// Two rounds of a 32-bit mixer (Wellons' lowbias32), keyed before each.
inline std::uint32_t hash32(std::uint32_t index, std::uint32_t key0, std::uint32_t key1) {
    std::uint32_t h = index ^ key0;
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    h ^= h >> 16;
    h += key1;
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    return h ^ (h >> 16);
}

/// Value at an index of the hash, or zero if it is dropped. Without a branch: GCC vectorises it for AVX2,
/// too.
inline float masked(float scaled, std::uint32_t hash, std::uint32_t threshold) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) &
                                -static_cast<std::uint32_t>(hash >= threshold));
}

struct Mask {
    std::uint32_t key0;
    std::uint32_t key1;
    std::uint32_t threshold;  ///< dropped below it
    float scale;
};

CASP_VECTOR_CLONES
void mask_floats(const float* from, float* to, std::uint32_t first, std::int64_t count, Mask m) {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t h = hash32(first + static_cast<std::uint32_t>(i), m.key0, m.key1);
        to[i] = masked(from[i] * m.scale, h, m.threshold);
    }
}

CASP_VECTOR_CLONES
void mask_bfloats(const c10::BFloat16* from, c10::BFloat16* to, std::uint32_t first, std::int64_t count,
                  Mask m) {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t h = hash32(first + static_cast<std::uint32_t>(i), m.key0, m.key1);
        to[i] = static_cast<c10::BFloat16>(masked(static_cast<float>(from[i]) * m.scale, h, m.threshold));
    }
}

/// Dropout on a GPU: the result and the byte mask.
std::pair<at::Tensor, at::Tensor> drop_on_gpu(const at::Tensor& x, double p, const DropoutKey& key) {
    const auto generator = device_generator(x.device(), key.bits);
    if (key.count == key.whole) {
        auto [y, mask] = at::_fused_dropout(x, 1.0 - p, generator);
        return {y, mask};
    }
    // An element's random number depends on the size of the tensor.
    const auto part = x.numel() / key.count;
    const auto whole = at::empty({part * key.whole}, x.options());
    auto mask = std::get<1>(at::_fused_dropout(whole, 1.0 - p, generator))
                    .narrow(0, part * key.first, x.numel())
                    .view(x.sizes());
    return {at::_masked_scale(x, mask, 1.0 / (1.0 - p)), mask};
}

class Dropout : public torch::autograd::Function<Dropout> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, double p,
                              const DropoutKey& key) {
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        if (x.is_cpu()) return dropout_masked(x, p, key);
        auto [y, mask] = drop_on_gpu(x, p, key);
        context->save_for_backward({mask});
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const double p = context->saved_data["p"].toDouble();
        at::Tensor gradient;
        if (gradients[0].is_cpu()) {
            gradient =
                dropout_masked(gradients[0], p, DropoutKey::from(context->saved_data["key"].toIntVector()));
        } else {
            const auto mask = context->get_saved_variables()[0];
            gradient = at::_masked_scale(gradients[0], mask, 1.0 / (1.0 - p));
        }
        return {gradient, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

DropoutStream::DropoutStream(std::uint64_t seed, std::int64_t step)
    : state_(derive_seed(seed, "dropout", static_cast<std::uint64_t>(step))) {}

DropoutStream::DropoutStream(const TrainingStep& step) : DropoutStream(step.dropout_seed, step.step) {
    if (step.share == nullptr) return;
    part_.first = step.share->first;
    part_.count = step.share->windows;
    part_.whole = step.share->whole;
}

DropoutKey DropoutStream::next() {
    auto key = part_;
    key.bits = mix64(state_ + 0x9e3779b97f4a7c15ULL * ++counter_);
    return key;
}

namespace {

void mask_tensor(const at::Tensor& from, at::Tensor& to, double p, const DropoutKey& key) {
    for (const auto* x : {&from, static_cast<const at::Tensor*>(&to)})
        TORCH_CHECK(x->is_contiguous() && x->is_cpu() &&
                        (x->scalar_type() == at::kFloat || x->scalar_type() == at::kBFloat16),
                    "dropout mask wants a dense fp32 or bf16 CPU tensor");
    constexpr std::int64_t block = std::int64_t{1} << 30;  // the 32-bit index is keyed anew in each block
    const auto threshold = static_cast<std::uint32_t>(p * 4294967296.0);
    const auto scale = static_cast<float>(1.0 / (1.0 - p));
    const auto before = from.numel() / key.count * key.first;  // elements of the whole batch
    at::parallel_for(0, from.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            const auto place = before + begin;
            const std::uint64_t block_key = mix64(key.bits + static_cast<std::uint64_t>(place / block));
            const std::int64_t count = std::min(end - begin, block - place % block);
            const Mask mask{static_cast<std::uint32_t>(block_key),
                            static_cast<std::uint32_t>(block_key >> 32), threshold, scale};
            const auto first = static_cast<std::uint32_t>(place % block);
            if (from.scalar_type() == at::kFloat)
                mask_floats(from.data_ptr<float>() + begin, to.data_ptr<float>() + begin, first, count, mask);
            else
                mask_bfloats(from.data_ptr<c10::BFloat16>() + begin, to.data_ptr<c10::BFloat16>() + begin,
                             first, count, mask);
            begin += count;
        }
    });
}

}  // namespace

at::Tensor dropout_masked(const at::Tensor& x, double p, const DropoutKey& key) {
    const auto dense = x.contiguous();
    auto y = at::empty_like(dense);
    mask_tensor(dense, y, p, key);
    return y;
}

at::Tensor SliceDropout::apply(const at::Tensor& values) {
    if (p_ <= 0.0) return values;
    if (values.is_cpu()) return dropout_masked(values, p_, key_);
    auto [result, mask] = drop_on_gpu(values, p_, key_);
    mask_ = mask;
    return result;
}

at::Tensor SliceDropout::gradient(const at::Tensor& values) const {
    if (p_ <= 0.0) return values;
    return values.is_cpu() ? dropout_masked(values, p_, key_)
                           : at::_masked_scale(values, mask_, 1.0 / (1.0 - p_));
}

at::Tensor dropout(const at::Tensor& x, double p, const DropoutKey& key) {
    if (p <= 0.0) return x;
    return Dropout::apply(x, p, key);
}

}  // namespace casp::model
