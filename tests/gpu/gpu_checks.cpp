#include "gpu/gpu_checks.h"

#include <algorithm>
#include <cctype>

#include <torch/torch.h>

#include "golden/golden_checks.h"
#include "gpu/analysis_checks.h"
#include "gpu/kernel_checks.h"
#include "gpu/run_checks.h"
#include "model/attention.h"
#include "model/dropout.h"
#include "train/session.h"
#include "util/cuda_problem.h"
#include "util/device.h"
#include "util/error.h"
#include "util/random.h"
#include "util/tf32.h"

namespace casp::gpu {

namespace {

/// Largest difference of two tensors divided by the largest value of the second.
double relative_error(const at::Tensor& found, const at::Tensor& expected) {
    const auto e = expected.to(at::kCPU, at::kDouble);
    const auto difference = (found.to(at::kCPU, at::kDouble) - e).abs().max().item<double>();
    return difference == 0 ? 0 : difference / std::max(e.abs().max().item<double>(), 1e-300);
}

at::Tensor random_tensor(at::IntArrayRef shape, std::uint64_t seed, const at::Device& device) {
    return at::empty(shape, at::kFloat).normal_(0.0, 1.0, make_generator(seed)).to(device);
}

std::string worst_of(const std::vector<golden::Check>& checks) {
    const golden::Check* worst = nullptr;
    for (const auto& check : checks) {
        if (!check.passed())
            throw Failure(check.name + ": error " + number(check.error) + ", allowed " + number(check.bound));
        if (check.bound > 0 && (worst == nullptr || check.error > worst->error)) worst = &check;
    }
    require(worst != nullptr, "nothing was compared");
    return std::to_string(checks.size()) + " tensors, largest relative error " + number(worst->error) + " (" +
           worst->name + ")";
}

std::string check_device(const Setting& s) {
    require(!s.device.is_cuda() || torch::cuda::is_available(), "the device was not resolved");
    const auto name = hardware_name(s.device);
    require(name.size() > 5, "the hardware has no name");
    const auto before = device_memory(s.device);
    require(before.total > 0 && before.available > 0 && before.available <= before.total,
            "memory is told as " + std::to_string(before.available) + " of " + std::to_string(before.total));
    constexpr std::int64_t bytes = std::int64_t{256} << 20;
    release_reserved_memory(s.device);
    reset_peak_memory(s.device);
    const auto start = device_memory(s.device);
    const auto block = at::ones({bytes}, at::TensorOptions(at::kByte).device(s.device));
    synchronise(s.device);
    const auto during = device_memory(s.device);
    require(during.used - start.used >= bytes * 9 / 10,
            "256 MiB more appear as " + std::to_string(during.used - start.used) + " bytes");
    require(during.peak_used >= during.used * 9 / 10, "the peak is below what is in use");
    if (!s.device.is_cpu()) {
        require(during.peak_tensors >= bytes, "the allocator did not count 256 MiB");
        require(start.available - during.available >= bytes * 9 / 10, "free memory did not shrink");
    }
    return name + "; " + gibibytes(before.available) + " of " + gibibytes(before.total) + " free; LibTorch " +
           libtorch_version();
}

std::string check_precision(const Setting& s) {
    require(!at::globalContext().allowTF32CuBLAS(), "TF32 is on");
    const auto a = random_tensor({512, 1024}, 1, s.device);
    const auto b = random_tensor({1024, 512}, 2, s.device);
    const auto exact = at::mm(a.to(at::kCPU, at::kDouble), b.to(at::kCPU, at::kDouble));
    const double error = relative_error(at::mm(a, b), exact);
    require(error < 5e-6, "a product in fp32 is off by " + number(error) + " (TF32 would give about 3e-4)");
    std::string detail = "a product of 1024 terms is off by " + number(error);
    if (!s.device.is_cuda() || !has_tf32(s.device)) return detail;
    const auto in_tf32 = [&] {
        const Tf32Scope products(s.device, true);
        return relative_error(at::mm(a, b), exact);
    }();
    require(in_tf32 > 2e-5 && in_tf32 < 2e-3, "a product in TF32 is off by " + number(in_tf32));
    require(relative_error(at::mm(a, b), exact) < 5e-6, "TF32 is still on behind its scope");
    return detail + ", in TF32 by " + number(in_tf32);
}

std::string check_windows(const Setting& s) {
    std::int64_t compared = 0;
    for (const char* batching : {"multi-channel", "single-channel"}) {
        auto config = small_config(s);
        config.data.batching = batching;
        train::TrainObserver quiet;
        const auto host = train::open_data(config, at::kCPU, quiet, train::StopControl());
        const auto there = train::open_data(config, s.device, quiet, train::StopControl());
        require(there.train->device() == s.device, "the series is not on the device");
        const auto same = [&](const data::WindowBatch& a, const data::WindowBatch& b) {
            require(a.lookback.device() == s.device && a.target.device() == s.device,
                    "a batch was gathered on another device");
            require(
                at::equal(a.lookback.to(at::kCPU), b.lookback) && at::equal(a.target.to(at::kCPU), b.target),
                std::string(batching) + ": the device's windows differ from the CPU's");
            compared += b.lookback.size(0);
        };
        const auto order = at::randperm(host.train->size(), make_generator(7), at::TensorOptions(at::kLong));
        const auto on_device = order.to(s.device);
        for (std::int64_t begin = 0; begin < order.size(0); begin += 100)
            same(there.train->gather(on_device.slice(0, begin, begin + 100)),
                 host.train->gather(order.slice(0, begin, begin + 100)));
        same(there.test->range(0, there.test->windows()), host.test->range(0, host.test->windows()));
    }
    return std::to_string(compared) + " windows are the same bit by bit";
}

std::string check_dropout(const Setting& s) {
    constexpr double p = 0.1;
    std::string detail;
    for (const auto type : {at::kFloat, at::kBFloat16}) {
        const auto ones = at::ones({64, 72, 768}, at::TensorOptions(type).device(s.device));
        const auto process_wide = at::globalContext().defaultGenerator(s.device);
        const auto state = process_wide.get_state();
        auto x = ones.clone().set_requires_grad(true);
        const auto y = model::dropout(x, p, 11);
        y.sum().backward();
        const auto mask = y.detach();
        require(at::equal(model::dropout(ones, p, 11), mask), "the same key gives another mask");
        require(!at::equal(model::dropout(ones, p, 12), mask), "another key gives the same mask");
        const auto kept = mask != 0;
        // The kernels may round 1/(1-p) differently.
        require(at::equal(x.grad() != 0, kept) &&
                    relative_error(x.grad(), mask) < (type == at::kFloat ? 3e-7 : 8e-3),
                "the backward pass uses another mask or scale than the forward pass");
        const double share = kept.to(at::kDouble).mean().item<double>();
        // Five standard deviations of a mean of 3.5 million draws.
        require(std::abs(share - 0.9) < 5 * std::sqrt(p * (1 - p) / static_cast<double>(ones.numel())),
                "the share kept is " + number(share));
        const double scale = mask.masked_select(kept).to(at::kDouble).mean().item<double>();
        require(std::abs(scale - 1 / (1 - p)) < (type == at::kFloat ? 1e-6 : 4e-3),
                "what is kept is scaled by " + number(scale));
        require(at::equal(process_wide.get_state(), state), "the process-wide generator was used");
        detail += (detail.empty() ? "fp32: " : "; bf16: ") + number(share) + " kept";
    }
    return detail;
}

/// Attention with dropout: linear in v, so <out, g> = <v, dv> up to rounding; in q and k its gradient must
/// agree with difference quotients.
std::string check_attention(const Setting& s) {
    constexpr std::int64_t rows = 6, tokens = 72, heads = 4, width = 64;
    constexpr std::uint64_t key = 99;
    constexpr double p = 0.1;
    auto qkv = random_tensor({rows, tokens, 3 * width}, 3, s.device).set_requires_grad(true);
    const auto g = random_tensor({rows, tokens, width}, 4, s.device);
    const auto forward = [&](const at::Tensor& x) { return model::causal_attention(x, heads, p, key); };
    const auto out = forward(qkv);
    out.backward(g);
    const auto gradient = qkv.grad().to(at::kDouble);
    const torch::NoGradGuard no_gradient;
    const auto dot = [](const at::Tensor& a, const at::Tensor& b) {
        return (a.to(at::kDouble) * b.to(at::kDouble)).sum().item<double>();
    };
    const auto v = qkv.detach().slice(2, 2 * width);
    const double left = dot(out.detach(), g);
    const double right = dot(v, gradient.slice(2, 2 * width));
    const double size = std::sqrt(dot(out, out) * dot(g, g));
    const double adjoint = std::abs(left - right) / size;
    require(adjoint < 1e-6, "<out, g> and <v, dv> differ by " + number(adjoint) + " of their norms");
    require(at::equal(forward(qkv.detach()), out.detach()), "the same key gives other values");

    double worst = 0;
    for (std::int64_t part = 0; part < 2; ++part) {
        auto direction = at::zeros_like(qkv.detach());
        direction.slice(2, part * width, (part + 1) * width)
            .copy_(random_tensor({rows, tokens, width}, 5 + static_cast<std::uint64_t>(part), s.device));
        constexpr double step = 1e-2;
        const auto x = qkv.detach();
        const double quotient =
            (dot(forward(x + step * direction), g) - dot(forward(x - step * direction), g)) / (2 * step);
        const double derivative = dot(gradient, direction);
        worst = std::max(worst, std::abs(quotient - derivative) / std::max(1.0, std::abs(derivative)));
    }
    require(worst < 1e-2, "gradient and difference quotient differ by " + number(worst));

    // No future: the first half of the output does not depend on the second half of the input.
    auto other = qkv.detach().clone();
    other.slice(1, tokens / 2).add_(1.0);
    require(at::equal(forward(other).slice(1, 0, tokens / 2), out.detach().slice(1, 0, tokens / 2)),
            "a token sees later ones");
    return "adjoint " + number(adjoint) + ", difference quotients " + number(worst);
}

bool has_gpu_node() {
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator("/dev", problem)) {
        const auto name = entry.path().filename().string();
        if (name.size() > 6 && name.rfind("nvidia", 0) == 0 && std::isdigit(name[6]) != 0) return true;
    }
    return false;
}

}  // namespace

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string gibibytes(std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f GiB", static_cast<double>(bytes) / static_cast<double>(1 << 30));
    return text;
}

void require(bool holds, const std::string& otherwise) {
    if (!holds) throw Failure(otherwise);
}

DeviceSearch find_device(const std::string& name) {
    DeviceSearch search;
    try {
        search.device = resolve_device(name);
        search.found = true;
    } catch (const Error& problem) {
        search.reason = problem.what();
        // A container on a GPU server may see the driver and no GPU: nothing to check there.
        search.broken = nvidia_driver_present() && has_gpu_node();
    }
    return search;
}

std::vector<Check> all_checks(const std::filesystem::path& source) {
    std::vector<Check> checks{{"device and memory", check_device}, {"fp32 without TF32", check_precision}};
    const auto folder = source / "tests/golden";
    checks.push_back(
        {"decomposition in float64", [folder](const Setting& s) {
             const auto found = golden::check_decomposition(folder / "decomposition.safetensors", s.device);
             require(found.size() >= 24, "only " + std::to_string(found.size()) + " were compared");
             return worst_of(found);
         }});
    for (const auto& file : golden::golden_cases(folder))
        checks.push_back({"golden " + file.stem().string(),
                          [file](const Setting& s) { return worst_of(golden::check_case(file, s.device)); }});
    checks.push_back({"windows on the device", check_windows});
    checks.push_back({"dropout", check_dropout});
    checks.push_back({"attention with dropout", check_attention});
    for (auto& check : kernel_checks()) checks.push_back(std::move(check));
    for (auto& check : run_checks()) checks.push_back(std::move(check));
    for (auto& check : analysis_checks()) checks.push_back(std::move(check));
    return checks;
}

}  // namespace casp::gpu
