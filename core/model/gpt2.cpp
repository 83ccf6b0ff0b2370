#include "model/gpt2.h"

#include <map>
#include <mutex>

#include <torch/torch.h>

#include "model/attention.h"
#include "model/cuda/fused.h"
#include "model/cuda/gelu_product.h"
#include "model/cuda/kernels.h"
#include "model/parameter_set.h"
#include "util/device.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::model {

namespace {

struct Copy {
    c10::weak_intrusive_ptr<c10::StorageImpl> of;  ///< whose address a later tensor may have
    c10::weak_intrusive_ptr<c10::TensorImpl> copy;
};

std::mutex mutex;
std::map<const void*, Copy> copies;  ///< by address

constexpr double norm_epsilon = 1e-5;
constexpr double initial_deviation = 0.02;

/// Wᵀ x + b, x [rows, d], and gelu of it.
at::Tensor affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, bool gelu) {
    // On a GPU in the product's epilogue, which keeps nothing for a backward pass. The CPU's is another gelu.
    if (gelu && x.is_cuda() && !at::GradMode::is_enabled() && cuda::kernels_wanted(x.device()))
        return at::_addmm_activation(bias, x, weight, 1, 1, true);
    const auto result = at::addmm(bias, x, weight);
    return gelu ? at::gelu(result, "tanh") : result;
}

/// W₂ᵀ gelu(W₁ᵀ x + b₁) + b₂ with frozen weights, x [rows, d].
///
/// What the three operators do, but on the CPU in slices of rows: the wide gelu(·) and its gradients are
/// never there as a whole (8 of 9 bytes of a block's temporaries), and a slice of them stays in the cache. On
/// a GPU, in bf16, with gelu and its gradient in the epilogues of the products (cuda/gelu_product.h).
class FrozenMlp : public torch::autograd::Function<FrozenMlp> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2,
                              const at::Tensor& b2) {
        if (const auto fused = cuda::gelu_product(x, w1, b1)) {
            context->save_for_backward({fused->inner, w1, w2});
            return at::addmm(b2, fused->out, w2);
        }
        const auto inner = at::addmm(b1, x, w1);
        context->save_for_backward({inner, w1, w2});
        auto out = at::empty({x.size(0), w2.size(1)}, x.options());
        in_slices(x, [&](std::int64_t begin, std::int64_t end) {
            auto target = out.slice(0, begin, end);
            at::addmm_out(target, b2, at::gelu(inner.slice(0, begin, end), "tanh"), w2);
        });
        return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto& inner = saved[0];
        const auto w1 = saved[1].t();
        const auto w2 = saved[2].t();
        const auto gradient = gradients[0].contiguous();
        if (const auto fused = cuda::gelu_product_gradient(gradient, saved[2], inner))
            return {at::mm(*fused, w1), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
        auto out = at::empty({gradient.size(0), w1.size(1)}, gradient.options());
        in_slices(gradient, [&](std::int64_t begin, std::int64_t end) {
            auto target = out.slice(0, begin, end);
            const auto wide = at::mm(gradient.slice(0, begin, end), w2);
            at::mm_out(target, at::gelu_backward(wide, inner.slice(0, begin, end), "tanh"), w1);
        });
        return {out, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }

private:
    template <class Work>
    static void in_slices(const at::Tensor& x, const Work& work) {
        const auto rows = x.size(0);
        const auto slice = x.is_cpu() ? std::int64_t{1024} : std::max<std::int64_t>(rows, 1);
        for (std::int64_t begin = 0; begin < rows; begin += slice) work(begin, std::min(begin + slice, rows));
    }
};

}  // namespace

at::Tensor half_copy(const at::Tensor& x, std::int64_t rows) {
    auto shape = x.sizes().vec();
    shape.front() = std::max(shape.front(), rows);
    const auto storage =
        c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(x.storage().unsafeGetStorageImpl());
    const std::scoped_lock lock(mutex);
    if (const auto known = copies.find(x.data_ptr()); known != copies.end()) {
        auto kept = known->second.copy.lock();
        if (kept && known->second.of.lock() == storage && kept->sizes() == at::IntArrayRef(shape))
            return at::Tensor(std::move(kept));
    }
    std::erase_if(copies, [](const auto& entry) { return entry.second.copy.expired(); });
    auto copy = at::empty(shape, x.options().dtype(at::kBFloat16).requires_grad(false));
    copy.slice(0, 0, x.size(0)).copy_(x.detach());
    copy.slice(0, x.size(0)).zero_();
    synchronise(x.device());  // for the streams of other runs
    copies.insert_or_assign(x.data_ptr(),
                            Copy{decltype(Copy::of)(storage), decltype(Copy::copy)(copy.getIntrusivePtr())});
    return copy;
}

Lora::Lora(std::int64_t in, std::int64_t out, const LoraSettings& settings, const std::string& layer)
    : a_name_(layer + "lora_A.default.weight"),
      b_name_(layer + "lora_B.default.weight"),
      scale_(settings.alpha / static_cast<double>(settings.rank)),
      dropout_(settings.dropout),
      a_(uniform_parameter({settings.rank, in}, in, settings.seed, a_name_)),
      b_(at::zeros({out, settings.rank}).set_requires_grad(true)) {}

at::Tensor Lora::forward(const at::Tensor& x, DropoutStream* stream) const {
    const auto kept = stream != nullptr && dropout_ > 0.0 ? dropout(x, dropout_, stream->next()) : x;
    return at::linear(at::linear(kept, a_), b_) * scale_;
}

void Lora::to(const at::Device& device) {
    for (auto* tensor : {&a_, &b_}) *tensor = tensor->detach().to(device).set_requires_grad(true);
}

at::Tensor Tokens::joined() const { return prefix.defined() ? at::cat({prefix, following}, 1) : following; }

/// Calls visitor(name in a GPT-2 checkpoint, tensor, trainable) for every tensor but LoRA's, in the order of
/// the forward pass.
template <class Visitor>
void Gpt2::visit(Visitor&& visitor) {
    const bool norms = role_.trains_norms;
    visitor("wte.weight", wte_, false);
    visitor("wpe.weight", wpe_, role_.trains_positions);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto prefix = "h." + std::to_string(i) + ".";
        auto& block = blocks_[i];
        visitor(prefix + "ln_1.weight", block.ln_1.weight, norms);
        visitor(prefix + "ln_1.bias", block.ln_1.bias, norms);
        visitor(prefix + "attn.c_attn.weight", block.c_attn.weight, false);
        visitor(prefix + "attn.c_attn.bias", block.c_attn.bias, false);
        visitor(prefix + "attn.c_proj.weight", block.attn_proj.weight, false);
        visitor(prefix + "attn.c_proj.bias", block.attn_proj.bias, false);
        visitor(prefix + "ln_2.weight", block.ln_2.weight, norms);
        visitor(prefix + "ln_2.bias", block.ln_2.bias, norms);
        visitor(prefix + "mlp.c_fc.weight", block.c_fc.weight, false);
        visitor(prefix + "mlp.c_fc.bias", block.c_fc.bias, false);
        visitor(prefix + "mlp.c_proj.weight", block.mlp_proj.weight, false);
        visitor(prefix + "mlp.c_proj.bias", block.mlp_proj.bias, false);
    }
    visitor("ln_f.weight", ln_f_.weight, norms);
    visitor("ln_f.bias", ln_f_.bias, norms);
}

Gpt2::Gpt2(const config::Config::Backbone& shape, const Gpt2Role& role) : shape_(shape), role_(role) {
    const auto d = shape.width;
    const auto seed = role.seed.value_or(static_cast<std::uint64_t>(shape.seed));
    const auto options = at::TensorOptions(at::kFloat);
    wpe_ = at::empty({shape.positions, d}, options);
    const auto make_norm = [&] { return Norm{at::ones({d}, options), at::zeros({d}, options)}; };
    const auto make_linear = [&](std::int64_t in, std::int64_t out) {
        return Linear{at::empty({in, out}, options), at::zeros({out}, options), {}, {}};
    };
    blocks_.reserve(static_cast<std::size_t>(shape.layers));
    for (std::int64_t i = 0; i < shape.layers; ++i)
        blocks_.push_back({make_norm(), make_norm(), make_linear(d, 3 * d), make_linear(d, d),
                           make_linear(d, 4 * d), make_linear(4 * d, d), std::nullopt});
    ln_f_ = make_norm();

    const double projection_deviation =
        initial_deviation / std::sqrt(2.0 * static_cast<double>(shape.layers));
    wte_ = untrained_token_table(shape);
    visit([&](const std::string& name, at::Tensor& tensor, bool trainable) {
        if (tensor.dim() == 2 && !tensor.is_same(wte_)) {
            const bool projection = name.find("c_proj") != std::string::npos;
            tensor.normal_(0.0, projection ? projection_deviation : initial_deviation,
                           make_generator(derive_seed(seed, "gpt2." + name)));
        }
        tensor.set_requires_grad(trainable);
    });
    if (!role.lora) return;
    for (std::int64_t i = 0; i < shape.layers; ++i)
        blocks_[static_cast<std::size_t>(i)].lora.emplace(
            d, 3 * d, *role.lora, role.prefix + "h." + std::to_string(i) + ".attn.c_attn.");
}

at::Tensor untrained_token_table(const config::Config::Backbone& settings) {
    return at::empty({settings.vocabulary, settings.width}, at::kFloat)
        .normal_(0.0, initial_deviation,
                 make_generator(derive_seed(static_cast<std::uint64_t>(settings.seed), "gpt2.wte.weight")));
}

Gpt2::Stream Gpt2::add(const at::Tensor& x, const at::Tensor& branch, const Norm& n, DropoutStream* stream,
                       bool half) const {
    const double p = branch.defined() ? dropout_of(stream) : 0.0;
    const auto key = p > 0.0 ? stream->next() : DropoutKey(0);
    if (auto fused = cuda::residual_norm(x, branch, n.weight, n.bias, norm_epsilon, p, key, half))
        return {fused->sum, fused->normed};
    const auto sum = branch.defined() ? x + dropout(branch, p, key) : x;
    return {sum, at::layer_norm(sum, {shape_.width}, n.weight, n.bias, norm_epsilon)};
}

Gpt2::Stream Gpt2::add_before(std::size_t i, const at::Tensor& x, const at::Tensor& branch,
                              DropoutStream* stream, bool half) const {
    if (i == blocks_.size()) return add(x, branch, ln_f_, stream, false);
    return add(x, branch, blocks_[i].ln_1, stream, half && !blocks_[i].lora);
}

Gpt2::Frozen Gpt2::frozen_of(Linear& l, bool half) {
    if (!half) return {l.weight, l.bias};
    if (!l.half_weight.defined()) {
        l.half_weight = half_copy(l.weight);
        l.half_bias = half_copy(l.bias);
    }
    return {l.half_weight, l.half_bias};
}

at::Tensor Gpt2::linear(const at::Tensor& x, Linear& l, bool half, bool gelu) {
    const auto rows = x.reshape({-1, x.size(-1)});
    auto shape = x.sizes().vec();
    shape.back() = l.weight.size(1);
    const auto [weight, bias] = frozen_of(l, half);
    return affine(half ? rows.to(at::kBFloat16) : rows, weight, bias, gelu).view(shape);
}

at::Tensor Gpt2::mlp(const at::Tensor& x, Linear& fc, Linear& projection, bool half) {
    if (!at::GradMode::is_enabled() || !x.requires_grad() || (half && x.is_cpu()))
        return linear(linear(x, fc, half, true), projection, half);
    const auto rows = x.reshape({-1, x.size(-1)});
    const auto first = frozen_of(fc, half), second = frozen_of(projection, half);
    return FrozenMlp::apply(half ? rows.to(at::kBFloat16) : rows, first.weight, first.bias, second.weight,
                            second.bias)
        .view(x.sizes());
}

at::Tensor Gpt2::queries_keys_values(const at::Tensor& x, Block& block, DropoutStream* stream, bool half) {
    const auto frozen = linear(x, block.c_attn, half);
    return block.lora ? frozen + block.lora->forward(x, stream).to(frozen.scalar_type()) : frozen;
}

double Gpt2::dropout_of(const DropoutStream* stream) const {
    return stream != nullptr ? shape_.dropout : 0.0;
}

at::Tensor Gpt2::embed(const Tokens& tokens, DropoutStream* stream) const {
    const auto positions = wpe_.slice(0, 0, tokens.count());
    const double p = dropout_of(stream);
    const auto key = p > 0.0 ? stream->next() : DropoutKey(0);
    if (auto fused = cuda::join_tokens(tokens, positions, p, key)) return *fused;
    return dropout(tokens.joined() + positions, p, key);
}

Gpt2::Stream Gpt2::after_attention(std::size_t i, at::Tensor x, const at::Tensor& attended,
                                   DropoutStream* stream, bool half) {
    auto& block = blocks_[i];
    const auto between = add(x, linear(attended, block.attn_proj, half), block.ln_2, stream, half);
    x.reset();  // an evaluation holds it no longer
    return add_before(i + 1, between.x, mlp(between.normed, block.c_fc, block.mlp_proj, half), stream, half);
}

at::Tensor Gpt2::forward(const Tokens& tokens, DropoutStream* stream, bool half,
                         std::vector<at::Tensor>* hidden) {
    const double p = dropout_of(stream);
    auto now = add_before(0, embed(tokens, stream), {}, stream, half);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        throw_if_stopped(stop_);
        if (hidden != nullptr) hidden->push_back(now.x);
        const auto qkv = queries_keys_values(std::exchange(now.normed, {}), blocks_[i], stream, half);
        const auto attended = causal_attention(qkv, shape_.heads, p, p > 0.0 ? stream->next() : 0);
        now = after_attention(i, std::exchange(now.x, {}), attended, stream, half);
    }
    if (hidden != nullptr) hidden->push_back(now.normed);
    return now.normed;
}

at::Tensor Gpt2::forward_shared(const Tokens& tokens, const SharedPrefix& shared, bool half) {
    const auto prefixed = tokens.prefixed();
    auto prefix = add_before(0, tokens.prefix.index_select(0, shared.first) + wpe_.slice(0, 0, prefixed), {},
                             nullptr, half);
    auto rest = add_before(0, tokens.following + wpe_.slice(0, prefixed, tokens.count()), {}, nullptr, half);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        throw_if_stopped(stop_);
        const auto before = queries_keys_values(std::exchange(prefix.normed, {}), blocks_[i], nullptr, half);
        const auto qkv = queries_keys_values(std::exchange(rest.normed, {}), blocks_[i], nullptr, half);
        const auto attended = causal_attention_after(qkv, before.index_select(0, shared.which), shape_.heads);
        prefix = after_attention(i, std::exchange(prefix.x, {}), causal_attention(before, shape_.heads, 0, 0),
                                 nullptr, half);
        rest = after_attention(i, std::exchange(rest.x, {}), attended, nullptr, half);
    }
    return at::cat({prefix.normed.index_select(0, shared.which), rest.normed}, 1);
}

std::string Gpt2::full_name(std::string plain) const {
    constexpr std::string_view adapted = ".c_attn.";
    if (const auto place = plain.find(adapted); role_.lora && place != std::string::npos)
        plain.insert(place + adapted.size(), "base_layer.");
    return role_.prefix + plain;
}

NamedTensors Gpt2::named(bool trainable) const {
    NamedTensors tensors;
    const_cast<Gpt2*>(this)->visit([&](const std::string& plain, at::Tensor& tensor, bool learns) {
        if (learns == trainable) tensors.push_back({full_name(plain), tensor});
    });
    return tensors;
}

NamedTensors Gpt2::trainable() const {
    auto tensors = named(true);
    for (const auto& block : blocks_)
        if (block.lora)
            for (auto& tensor : block.lora->trainable()) tensors.push_back(std::move(tensor));
    return tensors;
}

NamedTensors Gpt2::frozen() const { return named(false); }

void Gpt2::share_frozen(const Gpt2& other) {
    wte_ = other.wte_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& from = other.blocks_[i];
        auto& block = blocks_[i];
        block.c_attn = from.c_attn;
        block.attn_proj = from.attn_proj;
        block.c_fc = from.c_fc;
        block.mlp_proj = from.mlp_proj;
    }
    forget_copies();
}

void Gpt2::to(const at::Device& device) {
    visit([&](const std::string&, at::Tensor& tensor, bool learns) {
        tensor = tensor.detach().to(device).set_requires_grad(learns);
    });
    for (auto& block : blocks_)
        if (block.lora) block.lora->to(device);
    forget_copies();
}

void Gpt2::forget_copies() {
    for (auto& block : blocks_)
        for (auto* l : {&block.c_attn, &block.attn_proj, &block.c_fc, &block.mlp_proj})
            l->half_weight = l->half_bias = at::Tensor();
}

}  // namespace casp::model
