#include "gpu/kernel_checks.h"

#include <cmath>

#include <torch/torch.h>

#include "gpu/run_checks.h"
#include "model/anchor_pool.h"
#include "model/attention.h"
#include "model/cuda/fused.h"
#include "model/cuda/gelu_product.h"
#include "model/cuda/kernels.h"
#include "model/decomposition.h"
#include "model/dropout.h"
#include "model/patching.h"
#include "model/tokens.h"
#include "util/random.h"

namespace casp::gpu {

namespace {

constexpr double p = 0.25;
/// A value of bf16 has 8 bits; sums of some of them are off by a few units of the last.
constexpr double bf16_error = 0.02;

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed, at::ScalarType type = at::kFloat) {
    return at::empty(shape, at::kFloat).normal_(0, 1, make_generator(seed)).to(type);
}

/// Largest difference relative to the largest expected value.
double error(const at::Tensor& found, const at::Tensor& expected) {
    const auto f = found.detach().to(at::kCPU, at::kDouble), e = expected.detach().to(at::kCPU, at::kDouble);
    return ((f - e).abs().max() / e.abs().max()).item<double>();
}

/// The worst of several errors.
class Worst {
public:
    void add(const char* what, double error, double allowed) {
        require(error < allowed, std::string(what) + " is off by " + number(error));
        worst_ = std::max(worst_, error);
    }
    [[nodiscard]] std::string text() const { return "off by " + number(worst_) + " at most"; }

private:
    double worst_ = 0;
};

/// Windows 5 to 9 of 12, as the second of three processes has them.
model::DropoutKey part_of_batch() {
    model::DropoutKey key(42);
    key.first = 5;
    key.count = 4;
    key.whole = 12;
    return key;
}

at::Tensor in_slices(const at::Tensor& values, const model::MaskSlices& slices) {
    std::vector<at::Tensor> parts;
    model::in_dropout_slices(p, part_of_batch(), values.size(0), slices, 0, values.size(0),
                             [&](auto begin, auto end, auto dropout) {
                                 const auto part = values.slice(0, begin, end);
                                 const auto kept = dropout.apply(part);
                                 require(at::equal(dropout.gradient(part), kept),
                                         "the gradient's mask differs");
                                 parts.push_back(kept.to(at::kCPU));
                             });
    return at::cat(parts);
}

Check on_device(const std::string& name, std::function<std::string(const c10::Device&)> check) {
    return {"kernel: " + name, [check = std::move(check)](const Setting& s) {
                const KernelSwitch on(true);
                if (!model::cuda::kernels_wanted(s.device)) return std::string("this device has no kernels");
                const auto text = check(s.device);
                const auto problem = model::cuda::take_kernel_problem();
                require(problem.empty(), problem);
                return text;
            }};
}

}  // namespace

KernelSwitch::KernelSwitch(bool on) : former_(model::cuda::use_kernels(on)) {}
KernelSwitch::~KernelSwitch() { model::cuda::use_kernels(former_); }

std::string check_dropout_kernel(const c10::Device& device) {
    for (const auto type : {at::kFloat, at::kBFloat16})
        for (const auto& key : {model::DropoutKey(7), part_of_batch()}) {
            auto x = random({4, 5, 31}, 1, type).requires_grad_();
            auto y = x.detach().to(device).requires_grad_();
            const auto expected = model::dropout(x, p, key), found = model::dropout(y, p, key);
            require(at::equal(found.to(at::kCPU), expected), "the device drops other elements");
            expected.sum().backward();
            found.sum().backward();
            require(at::equal(y.grad().to(at::kCPU), x.grad()), "the gradient is another");
            require((expected == 0).sum().item<int>() > 100, "too few are dropped");
        }
    const auto x = random({4, 3, 10}, 2);
    for (const std::int64_t slice : {1, 3, 7}) {
        const auto expected = in_slices(x, slice);
        for (const auto at_once : {slice + 1, std::int64_t{100}})
            require(at::equal(in_slices(x.to(device), {slice, at_once}), expected),
                    "slices of " + std::to_string(slice) + " rows have other masks");
    }
    return "the CPU's elements are dropped";
}

std::string check_norm_kernel(const c10::Device& device, std::int64_t width, bool half_branch, bool half) {
    constexpr double epsilon = 1e-5;
    const auto key = part_of_batch();
    const auto branch_type = half_branch ? at::kBFloat16 : at::kFloat;
    const std::vector<at::Tensor> inputs{random({4, 9, width}, 3), random({4, 9, width}, 4, branch_type),
                                         random({width}, 5), random({width}, 6)};
    const auto of_sum = random({4, 9, width}, 7);
    const auto of_normed = random({4, 9, width}, 8, half ? at::kBFloat16 : at::kFloat);

    std::vector<at::Tensor> expected, found;
    for (const auto& input : inputs) {
        expected.push_back(input.to(at::kDouble).requires_grad_());
        found.push_back(input.to(device).requires_grad_());
    }
    const auto mask = model::dropout_masked(at::ones({4, 9, width}), p, key).to(at::kDouble);
    const auto sum = expected[0] + mask * expected[1];
    const auto normed = at::layer_norm(sum, {width}, expected[2], expected[3], epsilon);
    ((sum * of_sum).sum() + (normed * of_normed.to(at::kDouble)).sum()).backward();

    const auto result =
        model::cuda::residual_norm(found[0], found[1], found[2], found[3], epsilon, p, key, half);
    require(result.has_value(), "the kernel is not there");
    torch::autograd::backward({result->sum, result->normed}, {of_sum.to(device), of_normed.to(device)});
    require(at::equal((found[1].grad() == 0).to(at::kCPU), mask == 0), "the branch is dropped elsewhere");
    Worst worst;
    worst.add("the sum", error(result->sum, sum), 1e-6);
    worst.add("the norm", error(result->normed, normed), half ? bf16_error : 1e-5);
    constexpr std::array names{"x's gradient", "the branch's gradient", "γ's gradient", "β's gradient"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        require(found[i].grad().scalar_type() == inputs[i].scalar_type(),
                std::string(names[i]) + " has another type");
        worst.add(names[i], error(found[i].grad(), expected[i].grad()),
                  i == 1 && half_branch ? bf16_error : 1e-5);
    }
    return worst.text();
}

std::string check_norm_without_branch(const c10::Device& device, std::int64_t width) {
    auto x = random({70, width}, 1).requires_grad_(), gamma = random({width}, 2).requires_grad_();
    const auto beta = random({width}, 3);
    const auto there_x = x.detach().to(device).requires_grad_();
    const auto there_gamma = gamma.detach().to(device).requires_grad_();
    const auto result =
        model::cuda::residual_norm(there_x, {}, there_gamma, beta.to(device), 1e-5, 0, 0, false);
    require(result.has_value(), "the kernel is not there");
    require(result->sum.is_same(there_x), "x was copied");
    result->normed.square().sum().backward();
    const auto expected = at::layer_norm(x, {width}, gamma, beta, 1e-5);
    expected.square().sum().backward();
    Worst worst;
    worst.add("the norm", error(result->normed, expected), 1e-5);
    worst.add("x's gradient", error(there_x.grad(), x.grad()), 1e-5);
    worst.add("γ's gradient", error(there_gamma.grad(), gamma.grad()), 1e-5);
    return worst.text();
}

std::string check_join_kernel(const c10::Device& device, std::int64_t prefixed, std::int64_t following,
                              std::int64_t width) {
    const auto key = part_of_batch();
    const std::vector<at::Tensor> inputs{random({4, prefixed, width}, 11), random({4, following, width}, 12),
                                         random({prefixed + following, width}, 13)};
    const auto gradient = random({4, prefixed + following, width}, 14);
    std::vector<at::Tensor> expected, found;
    for (const auto& input : inputs) {
        expected.push_back(input.clone().requires_grad_());
        found.push_back(input.to(device).requires_grad_());
    }
    const auto here = model::dropout(at::cat({expected[0], expected[1]}, 1) + expected[2], p, key);
    here.backward(gradient);
    const auto there =
        model::cuda::join_tokens({prefixed > 0 ? found[0] : at::Tensor(), found[1]}, found[2], p, key);
    require(there.has_value(), "the kernel is not there");
    there->backward(gradient.to(device));
    require(at::equal(there->to(at::kCPU), here), "the tokens differ");
    for (std::size_t i = prefixed > 0 ? 0 : 1; i < 2; ++i)
        require(at::equal(found[i].grad().to(at::kCPU), expected[i].grad()), "the tokens' gradients differ");
    Worst worst;
    worst.add("the positions' gradient", error(found[2].grad(), expected[2].grad()), 1e-6);
    // Without dropout, positions frozen, and a gradient that is not dense.
    const auto frozen = inputs[2].to(device);
    const auto other = found[1].detach().clone().requires_grad_();
    const auto plain = model::cuda::join_tokens(model::Tokens(other), frozen.slice(0, 0, following), 0, 0);
    require(at::equal(plain->to(at::kCPU), inputs[1] + inputs[2].slice(0, 0, following)),
            "the tokens differ without dropout");
    const auto transposed = random({4, width, following}, 23);
    plain->backward(transposed.to(device).transpose(1, 2));
    require(at::equal(other.grad().to(at::kCPU), transposed.transpose(1, 2)),
            "another gradient without dropout");
    return worst.text();
}

std::string check_patches_kernel(const c10::Device& device, std::int64_t size, std::int64_t channels,
                                 std::int64_t trend, std::int64_t period, std::int64_t length,
                                 std::int64_t stride) {
    const auto x = random({5, size, channels}, 15);
    const auto found = model::cuda::decomposed_patches(x.to(device), trend, period, length, stride);
    require(found.has_value(), "the kernel is not there");
    const auto rows = x.transpose(1, 2).flatten(0, 1);
    const auto expected = model::make_patches(model::decompose(rows, trend, period), length, stride);
    require(at::equal(found->to(at::kCPU), expected), "the patches differ");
    return "the CPU's bits";
}

std::string check_l2_kernel(const c10::Device& device, std::int64_t width) {
    const auto x = random({11, width}, 21), gradient = random({11, width}, 22);
    x[7].zero_();
    const auto expected_x = x.to(at::kDouble).requires_grad_();
    const auto expected = model::l2_normalise(expected_x);
    expected.backward(gradient.to(at::kDouble));
    const auto there = x.to(device).requires_grad_();
    const auto found = model::cuda::l2_norm(there);
    require(found.has_value(), "the kernel is not there");
    found->backward(gradient.to(device));
    Worst worst;
    worst.add("the norm", error(*found, expected), 1e-6);
    for (const std::int64_t row : {3, 7})  // of zeros: a million times as large
        worst.add("a gradient", error(there.grad()[row], expected_x.grad()[row]), 1e-6);
    return worst.text();
}

std::string check_gelu_products(const c10::Device& device, std::int64_t width) {
    if (!model::cuda::has_gelu_products(device)) return "this GPU is older than Hopper";
    const auto x = random({40, width}, 16, at::kBFloat16), gradient = random({40, width}, 17, at::kBFloat16);
    const auto w1 =
        (random({width, 4 * width}, 18) / std::sqrt(static_cast<double>(width))).to(at::kBFloat16);
    const auto w2 = random({4 * width, width}, 19, at::kBFloat16),
               bias = random({4 * width}, 20, at::kBFloat16);
    const auto forward = model::cuda::gelu_product(x.to(device), w1.to(device), bias.to(device));
    require(forward.has_value(), "cuBLASLt is not there: " + model::cuda::take_kernel_problem());
    const auto inner = forward->inner.to(at::kCPU, at::kDouble).requires_grad_();
    const auto gelu = at::gelu(inner, "tanh");
    at::matmul(gelu, w2.to(at::kDouble)).backward(gradient.to(at::kDouble));
    const auto backward =
        model::cuda::gelu_product_gradient(gradient.to(device), w2.to(device), forward->inner);
    require(backward.has_value(), "cuBLASLt refuses: " + model::cuda::take_kernel_problem());
    Worst worst;
    const auto sum = at::addmm(bias.to(at::kDouble), x.to(at::kDouble), w1.to(at::kDouble));
    worst.add("the product", error(forward->inner, sum), bf16_error);
    worst.add("gelu of it", error(forward->out, at::gelu(sum, "tanh")), bf16_error);
    worst.add("its gradient", error(*backward, inner.grad()), bf16_error);
    return worst.text();
}

std::string check_attention_kernel(const c10::Device& device, std::int64_t tokens, std::int64_t heads,
                                   std::int64_t width, bool causal) {
    const auto key = part_of_batch();
    const auto x = random({4, tokens, 3 * heads * width}, 9, at::kBFloat16);
    const auto gradient = random({4, tokens, heads * width}, 10, at::kBFloat16);
    const auto slice = std::max<std::int64_t>(1, (1 << 19) / (heads * tokens * tokens));
    auto y = x.to(device).requires_grad_();
    const auto found = model::cuda::attention(y, heads, causal, p, key, slice);
    require(found.has_value(), "the kernel is not there");
    found->backward(gradient.to(device));

    auto z = x.to(at::kDouble).requires_grad_();
    const auto parts = z.view({4, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
    auto scores = at::matmul(parts[0], parts[1].transpose(2, 3)) / std::sqrt(static_cast<double>(width));
    if (causal) scores = scores.masked_fill(at::ones({tokens, tokens}, at::kBool).triu(1), -1e30);
    const auto masks = [&] {
        std::vector<at::Tensor> all;
        model::in_dropout_slices(p, key, 4, slice, 0, 4, [&](auto begin, auto end, auto dropout) {
            all.push_back(dropout.apply(at::ones({end - begin, heads, tokens, tokens})));
        });
        return at::cat(all);
    }();
    const auto expected = at::matmul(scores.softmax(-1) * masks, parts[2]).transpose(1, 2).flatten(2);
    expected.backward(gradient.to(at::kDouble));
    Worst worst;
    worst.add("the output", error(*found, expected), bf16_error);
    constexpr std::array names{"q's gradient", "k's gradient", "v's gradient"};
    for (std::int64_t i = 0; i < 3; ++i) {
        const auto part = [&](const at::Tensor& g) {
            return g.slice(2, i * heads * width, (i + 1) * heads * width);
        };
        worst.add(names[static_cast<std::size_t>(i)], error(part(y.grad()), part(z.grad())), bf16_error);
    }
    return worst.text();
}

/// Queries and keys of zero give equal probabilities, and values of the unit matrix show them.
std::string check_attention_mask(const c10::Device& device) {
    auto x = at::zeros({40, 16, 3, 2, 16}, at::kBFloat16);
    x.select(2, 2).copy_(at::eye(16).view({1, 16, 1, 16}).expand({40, 16, 2, 16}));
    const auto qkv = x.view({40, 16, 96});
    const auto expected = model::full_attention(qkv.to(at::kFloat), 2, p, 3);
    const auto found = model::full_attention(qkv.to(device), 2, p, 3);
    require(at::equal((found == 0).to(at::kCPU), expected == 0), "the device drops other probabilities");
    const double dropped = (expected == 0).to(at::kDouble).mean().item<double>();
    require(dropped > 0.23 && dropped < 0.27, "the share dropped is " + number(dropped));
    return "the CPU's probabilities are dropped";
}

std::vector<Check> kernel_checks() {
    constexpr std::int64_t width = 768, heads = 12, head_width = 64;
    return {
        on_device("dropout", check_dropout_kernel),
        on_device("norm in fp32",
                  [=](auto device) { return check_norm_kernel(device, width, false, false); }),
        on_device("norm in bf16", [=](auto device) { return check_norm_kernel(device, width, true, true); }),
        on_device("last norm", [=](auto device) { return check_norm_kernel(device, width, true, false); }),
        on_device("first norm", [=](auto device) { return check_norm_without_branch(device, width); }),
        on_device("tokens", [=](auto device) { return check_join_kernel(device, 30, 42, width); }),
        on_device("patches", [](auto device) { return check_patches_kernel(device, 336, 7, 49, 24, 16, 8); }),
        on_device("norm of anchors", [=](auto device) { return check_l2_kernel(device, width); }),
        on_device("products with GELU", [=](auto device) { return check_gelu_products(device, width); }),
        on_device("attention",
                  [=](auto device) { return check_attention_kernel(device, 72, heads, head_width, true); }),
        on_device("attention to all, 128 tokens",
                  [=](auto device) { return check_attention_kernel(device, 128, heads, head_width, false); }),
        on_device("attention's mask", check_attention_mask)};
}

}  // namespace casp::gpu
