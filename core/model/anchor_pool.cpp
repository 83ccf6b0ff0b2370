#include "model/anchor_pool.h"

#include <torch/torch.h>

#include "model/cuda/fused.h"
#include "model/cuda/kernels.h"

namespace casp::model {

at::Tensor l2_normalise(const at::Tensor& v) {
    if (auto fused = cuda::l2_norm(v)) return *fused;
    return v * v.square().sum(-1, true).clamp_min(1e-12).rsqrt();
}

std::int64_t padded_vocabulary(const at::Tensor& token_table) {
    const auto rows = token_table.size(0);
    return cuda::kernels_wanted(token_table.device()) ? (rows + 7) / 8 * 8 : rows;
}

namespace {

/// W·E [V', d] in fp32 of a table in bf16, on a GPU: W is rounded into rows of whole 16 bytes, and its
/// gradient comes out of the product in fp32.
class GpuAnchors : public torch::autograd::Function<GpuAnchors> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& weight,
                              const at::Tensor& table) {
        const auto tokens = weight.size(1);
        const auto padded = at::empty({weight.size(0), table.size(0)}, table.options());
        padded.slice(1, 0, tokens).copy_(weight);
        padded.slice(1, tokens).zero_();
        context->save_for_backward({table});
        context->saved_data["tokens"] = tokens;
        return at::mm(padded, table, at::kFloat);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto table =
            context->get_saved_variables()[0].slice(0, 0, context->saved_data["tokens"].toInt());
        return {at::mm(gradients[0].to(at::kBFloat16), table.t(), at::kFloat), at::Tensor()};
    }
};

at::Tensor half_product(const at::Tensor& weight, const at::Tensor& table) {
    if (cuda::kernels_wanted(table.device())) return GpuAnchors::apply(weight, table);
    return at::mm(weight.to(table.scalar_type()), table.slice(0, 0, weight.size(1))).to(at::kFloat);
}

}  // namespace

Anchors make_anchors(const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& token_table,
                     const BatchShare* share) {
    const auto values = token_table.scalar_type() == at::kFloat
                            ? at::addmm(bias.unsqueeze(1), weight, token_table)
                            : half_product(weight, token_table) + bias.unsqueeze(1);
    sum_gradient(values, {weight, bias}, share);
    return {values, l2_normalise(values)};
}

at::Tensor anchor_similarity(const at::Tensor& queries, const at::Tensor& keys) {
    return at::matmul(l2_normalise(queries), keys.t());
}

}  // namespace casp::model
