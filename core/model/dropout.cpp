#include "model/dropout.h"

#include <bit>

#include <torch/torch.h>

#include <ATen/ops/_fused_dropout.h>
#include <ATen/ops/_masked_scale.h>
#include <ATen/Parallel.h>

#include "model/cuda/fused.h"
#include "model/forecaster.h"
#include "util/random.h"
#include "util/vector_clones.h"

namespace casp::model {

namespace {

/// Value at an index of the hash, or zero if it is dropped. Without a branch: GCC vectorises it for AVX2,
/// too.
inline float masked(float scaled, std::uint32_t hash, std::uint32_t threshold) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) &
                                -static_cast<std::uint32_t>(hash >= threshold));
}

CASP_VECTOR_CLONES
void mask_floats(const float* from, float* to, std::int64_t count, MaskPlace place, KeyedMask m) {
    for (std::int64_t i = 0; i < count; ++i) {
        const auto h = keyed_hash(place.index + static_cast<std::uint32_t>(i), place.key0, place.key1);
        to[i] = masked(from[i] * m.scale, h, m.threshold);
    }
}

CASP_VECTOR_CLONES
void mask_bfloats(const c10::BFloat16* from, c10::BFloat16* to, std::int64_t count, MaskPlace place,
                  KeyedMask m) {
    for (std::int64_t i = 0; i < count; ++i) {
        const auto h = keyed_hash(place.index + static_cast<std::uint32_t>(i), place.key0, place.key1);
        to[i] = static_cast<c10::BFloat16>(masked(static_cast<float>(from[i]) * m.scale, h, m.threshold));
    }
}

void mask_on_cpu(const at::Tensor& from, at::Tensor& to, const KeyedMask& mask) {
    constexpr std::int64_t block = std::int64_t{1} << 30;  // of place_of()
    at::parallel_for(0, from.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            const auto place = place_of(mask, begin);
            const auto count = std::min(end - begin, block - place.index);
            if (from.scalar_type() == at::kFloat)
                mask_floats(from.data_ptr<float>() + begin, to.data_ptr<float>() + begin, count, place, mask);
            else
                mask_bfloats(from.data_ptr<c10::BFloat16>() + begin, to.data_ptr<c10::BFloat16>() + begin,
                             count, place, mask);
            begin += count;
        }
    });
}

/// x times the mask, dense.
at::Tensor times_mask(const at::Tensor& x, const KeyedMask& mask, const DropoutKey& key) {
    TORCH_CHECK(x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16,
                "dropout mask wants an fp32 or bf16 tensor");
    const auto dense = x.contiguous();
    auto y = at::empty_like(dense);
    if (dense.is_cpu())
        mask_on_cpu(dense, y, mask);
    else
        cuda::keyed_dropout(dense, y, mask, key);
    return y;
}

/// Dropout on a GPU: the result and the byte mask.
std::pair<at::Tensor, at::Tensor> drop_on_gpu(const at::Tensor& x, double p, const DropoutKey& key) {
    TORCH_CHECK(key.state == nullptr, "a mask of LibTorch's generator cannot be recorded");
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
        const bool keyed = has_keyed_mask(x);
        context->saved_data["keyed"] = keyed;
        if (keyed) return dropout_masked(x, p, key);
        auto [y, mask] = drop_on_gpu(x, p, key);
        context->save_for_backward({mask});
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const double p = context->saved_data["p"].toDouble();
        at::Tensor gradient;
        if (context->saved_data["keyed"].toBool()) {
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

DropoutStream::DropoutStream(std::uint64_t seed, std::int64_t step) : state_(state_of(seed, step)) {}

std::uint64_t DropoutStream::state_of(std::uint64_t seed, std::int64_t step) {
    return derive_seed(seed, "dropout", static_cast<std::uint64_t>(step));
}

DropoutStream::DropoutStream(const TrainingStep& step) : DropoutStream(step.dropout_seed, step.step) {
    part_.state = step.dropout_state;
    if (step.share == nullptr) return;
    part_.first = step.share->first;
    part_.count = step.share->windows;
    part_.whole = step.share->whole;
}

DropoutKey DropoutStream::next() {
    auto key = part_;
    key.use = ++counter_;
    key.bits = mix64(state_ + between_uses * key.use);
    return key;
}

bool has_keyed_mask(const at::Tensor& x) { return x.is_cpu() || cuda::has_keyed_dropout(x); }

KeyedMask keyed_mask(double p, const DropoutKey& key, std::int64_t first, std::int64_t slice,
                     std::int64_t row) {
    return {key.state != nullptr ? key.use : key.bits,
            first,
            slice,
            row,
            static_cast<std::uint32_t>(p * 4294967296.0),
            static_cast<float>(1.0 / (1.0 - p))};
}

KeyedMask keyed_mask(double p, const DropoutKey& key, std::int64_t elements) {
    return keyed_mask(p, key, elements / key.count * key.first, 0, 0);
}

at::Tensor dropout_masked(const at::Tensor& x, double p, const DropoutKey& key) {
    return times_mask(x, keyed_mask(p, key, x.numel()), key);
}

at::Tensor SliceDropout::masked(const at::Tensor& values) const {
    if (slice_ == 0) return dropout_masked(values, p_, key_);
    return times_mask(values, keyed_mask(p_, key_, first_, slice_, values.numel() / rows_), key_);
}

at::Tensor SliceDropout::apply(const at::Tensor& values) {
    if (p_ <= 0.0) return values;
    mask_ = at::Tensor();
    if (has_keyed_mask(values)) return masked(values);
    auto [result, mask] = drop_on_gpu(values, p_, key_);
    mask_ = mask;
    return result;
}

at::Tensor SliceDropout::gradient(const at::Tensor& values) const {
    if (p_ <= 0.0) return values;
    return mask_.defined() ? at::_masked_scale(values, mask_, 1.0 / (1.0 - p_)) : masked(values);
}

at::Tensor dropout(const at::Tensor& x, double p, const DropoutKey& key) {
    if (p <= 0.0) return x;
    return Dropout::apply(x, p, key);
}

at::Tensor drop(const at::Tensor& x, double p, DropoutStream* stream) {
    return stream != nullptr && p > 0.0 ? dropout(x, p, stream->next()) : x;
}

}  // namespace casp::model
