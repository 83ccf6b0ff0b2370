#include "model/attention.h"

#include <torch/torch.h>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/Parallel.h>

#include "model/cuda/fused.h"

namespace casp::model {

namespace {

/// Rows whose probabilities are at most `elements`.
std::int64_t rows_within(const at::Tensor& qkv, std::int64_t heads, std::int64_t elements) {
    return std::max<std::int64_t>(1, elements / (heads * qkv.size(1) * qkv.size(1)));
}

/// Rows with one mask of dropout, where masks are keyed hashes.
std::int64_t rows_of_mask(const at::Tensor& qkv, std::int64_t heads) {
    return rows_within(qkv, heads, std::int64_t{1} << 19);
}

/// On a GPU more rows are computed at once (128 MB of probabilities).
MaskSlices slice_rows(const at::Tensor& qkv, std::int64_t heads) {
    if (qkv.is_cpu()) return rows_of_mask(qkv, heads);
    const auto at_once = rows_within(qkv, heads, std::int64_t{32} << 20);
    return has_keyed_mask(qkv) ? MaskSlices(rows_of_mask(qkv, heads), at_once) : MaskSlices(at_once);
}

struct Heads {
    at::Tensor q, k, v;  ///< [N, heads, T, d_h], views where possible
};

Heads split_heads(const at::Tensor& qkv, std::int64_t heads) {
    const auto rows = qkv.size(0);
    const auto tokens = qkv.size(1);
    const auto parts = qkv.view({rows, tokens, 3, heads, qkv.size(2) / (3 * heads)}).permute({2, 0, 3, 1, 4});
    return {parts.select(0, 0), parts.select(0, 1), parts.select(0, 2)};
}

/// The same with q scaled and rows and heads joined, [N·heads, T, d_h] each: views of a single row, else
/// dense copies. Batched matrix products take both as they are.
Heads joined_heads(const at::Tensor& qkv, std::int64_t heads) {
    const auto h = split_heads(qkv, heads);
    const auto scale = 1.0 / std::sqrt(static_cast<double>(h.q.size(3)));
    return {h.q.flatten(0, 1) * scale, h.k.flatten(0, 1), h.v.flatten(0, 1)};
}

/// [N, heads, T, d_h] -> [N, T, heads·d_h]
at::Tensor join_heads(const at::Tensor& x) { return x.transpose(1, 2).flatten(2); }

/// [T, before + T], true where the key is of a later token than the query, given `before` tokens before the
/// queries.
at::Tensor later_tokens(std::int64_t tokens, std::int64_t before, const at::Tensor& like) {
    const auto place = at::arange(before + tokens, like.options().dtype(at::kLong));
    return place.unsqueeze(0) > place.slice(0, before).unsqueeze(1);
}

/// Undefined for attention to all tokens.
at::Tensor attention_mask(bool causal, std::int64_t tokens, const at::Tensor& like) {
    return causal ? later_tokens(tokens, 0, like) : at::Tensor();
}

/// [N·heads, T, T], of joined heads.
at::Tensor probabilities(const Heads& h, const at::Tensor& mask) {
    auto scores = at::bmm(h.q, h.k.transpose(1, 2));
    if (mask.defined()) scores.masked_fill_(mask, -std::numeric_limits<double>::infinity());
    return at::softmax(scores, -1);
}

/// Calls work(begin, end, dropout of these rows of qkv). On the CPU in parallel for so few rows that all of
/// their tensors stay in a processor's cache (256 KB of probabilities); for whole slices of dropout on other
/// devices, without OpenMP, and where a row is so large (1 MB) that each thread's would take much memory.
template <class Work>
void in_rows(const at::Tensor& qkv, std::int64_t heads, double p, const DropoutKey& key, const Work& work) {
    constexpr std::int64_t cached = std::int64_t{1} << 16, most = std::int64_t{1} << 18, min_groups = 16;
    const auto slice = slice_rows(qkv, heads);
    const auto rows = qkv.size(0), row = heads * qkv.size(1) * qkv.size(1);
#ifdef _OPENMP
    constexpr bool threaded = true;
#else
    constexpr bool threaded = false;
#endif
    if (!threaded || !qkv.is_cpu() || row > most)
        return in_dropout_slices(p, key, rows, slice, 0, rows, work);
    const auto few = std::max<std::int64_t>(1, std::min(cached / row, rows / min_groups));
    at::parallel_for(0, (rows + few - 1) / few, 1, [&](std::int64_t begin, std::int64_t end) {
        const at::AutoDispatchBelowADInplaceOrView no_gradient;  // of each thread
        for (auto i = begin; i < end; ++i)
            in_dropout_slices(p, key, rows, slice, i * few, std::min((i + 1) * few, rows), work);
    });
}

class DroppedAttention : public torch::autograd::Function<DroppedAttention> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& qkv,
                              std::int64_t heads, bool causal, double p, const DropoutKey& key) {
        context->save_for_backward({qkv});
        context->saved_data["heads"] = heads;
        context->saved_data["causal"] = causal;
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        const auto mask = attention_mask(causal, qkv.size(1), qkv);
        auto out = at::empty({qkv.size(0), qkv.size(1), qkv.size(2) / 3}, qkv.options());
        in_rows(qkv, heads, p, key, [&](std::int64_t begin, std::int64_t end, SliceDropout dropout) {
            const auto h = joined_heads(qkv.slice(0, begin, end), heads);
            const auto weights = dropout.apply(probabilities(h, mask));
            const auto attended = at::bmm(weights, h.v).unflatten(0, {-1, heads});
            auto target = out.slice(0, begin, end);
            target.view({attended.size(0), attended.size(2), heads, attended.size(3)})
                .copy_(attended.transpose(1, 2));
        });
        return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto qkv = context->get_saved_variables()[0];
        const auto heads = context->saved_data["heads"].toInt();
        const auto p = context->saved_data["p"].toDouble();
        const auto key = DropoutKey::from(context->saved_data["key"].toIntVector());
        const auto tokens = qkv.size(1);
        const auto mask = attention_mask(context->saved_data["causal"].toBool(), tokens, qkv);
        const auto gradient = gradients[0].contiguous();
        auto out = at::empty_like(qkv);
        const auto in_slice = [&](std::int64_t begin, std::int64_t end, SliceDropout dropout) {
            const auto h = joined_heads(qkv.slice(0, begin, end), heads);
            const auto count = h.q.size(0) / heads;
            const auto width = h.q.size(2);
            const auto go = gradient.slice(0, begin, end)
                                .view({count, tokens, heads, width})
                                .transpose(1, 2)
                                .flatten(0, 1);
            const auto weights = probabilities(h, mask);
            const auto gv = at::bmm(dropout.apply(weights).transpose(1, 2), go);
            const auto gp = dropout.gradient(at::bmm(go, h.v.transpose(1, 2)));
            const auto gs = at::_softmax_backward_data(gp, weights, -1, weights.scalar_type());
            // q is scaled already, so the gradient of k comes out right; that of q still wants it.
            const auto gq = at::bmm(gs, h.k).mul_(1.0 / std::sqrt(static_cast<double>(width)));
            const auto gk = at::bmm(gs.transpose(1, 2), h.q);
            auto target =
                out.slice(0, begin, end).view({count, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
            target.select(0, 0).copy_(gq.view({count, heads, tokens, width}));
            target.select(0, 1).copy_(gk.view({count, heads, tokens, width}));
            target.select(0, 2).copy_(gv.view({count, heads, tokens, width}));
        };
        in_rows(qkv, heads, p, key, in_slice);
        return {out, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

at::Tensor attention(const at::Tensor& qkv, std::int64_t heads, bool causal, double p,
                     const DropoutKey& key) {
    if (p > 0.0) {
        if (auto fused = cuda::attention(qkv, heads, causal, p, key, rows_of_mask(qkv, heads))) return *fused;
        return DroppedAttention::apply(qkv, heads, causal, p, key);
    }
    const auto h = split_heads(qkv, heads);
    return join_heads(at::scaled_dot_product_attention(h.q, h.k, h.v, {}, 0.0, causal));
}

}  // namespace

at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double p, const DropoutKey& key) {
    return attention(qkv, heads, true, p, key);
}

at::Tensor causal_attention_after(const at::Tensor& qkv, const at::Tensor& prefix, std::int64_t heads) {
    const auto before = split_heads(prefix, heads), h = split_heads(qkv, heads);
    const auto visible = later_tokens(qkv.size(1), prefix.size(1), qkv).logical_not();
    return join_heads(at::scaled_dot_product_attention(h.q, at::cat({before.k, h.k}, 2),
                                                       at::cat({before.v, h.v}, 2), visible));
}

at::Tensor full_attention(const at::Tensor& qkv, std::int64_t heads, double p, const DropoutKey& key) {
    return attention(qkv, heads, false, p, key);
}

}  // namespace casp::model
