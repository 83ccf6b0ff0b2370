#include "model/anchor_pool.h"

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

at::Tensor l2_normalise(const at::Tensor& v) { return v * v.square().sum(-1, true).clamp_min(1e-12).rsqrt(); }

AnchorPool::AnchorPool(std::int64_t pool_size, std::int64_t vocabulary, std::uint64_t seed)
    : weight(uniform_parameter({pool_size, vocabulary}, vocabulary, seed,
                               "prompt_pool.text_prototype_linear.weight")),
      bias(uniform_parameter({pool_size}, vocabulary, seed, "prompt_pool.text_prototype_linear.bias")) {}

Anchors AnchorPool::compute(const at::Tensor& token_table, const BatchShare* share) const {
    const auto values =
        token_table.scalar_type() == at::kFloat
            ? at::addmm(bias.unsqueeze(1), weight, token_table)
            : at::mm(weight.to(token_table.scalar_type()), token_table).to(at::kFloat) + bias.unsqueeze(1);
    sum_gradient(values, {weight, bias}, share);
    return {values, l2_normalise(values)};
}

at::Tensor anchor_similarity(const at::Tensor& queries, const at::Tensor& keys) {
    return at::matmul(l2_normalise(queries), keys.t());
}

}  // namespace casp::model
