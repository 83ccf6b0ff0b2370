#include "golden/golden_checks.h"

#include <algorithm>

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "golden/golden_config.h"
#include "model/casp_llm.h"
#include "model/decomposition.h"
#include "model/patching.h"
#include "model/target_channels.h"
#include "store/safetensors.h"
#include "train/evaluation.h"
#include "train/objective.h"
#include "train/optimizer.h"

namespace casp::golden {

namespace {

at::Tensor tensor_of(const store::TensorView& view) {
    const auto type = view.dtype == store::Dtype::f64   ? at::kDouble
                      : view.dtype == store::Dtype::i64 ? at::kLong
                                                        : at::kFloat;
    auto tensor = at::empty(view.shape, type);
    store::read_bytes(view, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
    return tensor;
}

class Fixture {
public:
    Fixture(const std::filesystem::path& path, const at::Device& device) : file_(path), device_(device) {
        config = nlohmann::json::parse(file_.metadata().at("config"));
    }
    [[nodiscard]] bool has(const std::string& name) const { return file_.find(name) != nullptr; }
    [[nodiscard]] at::Tensor get(const std::string& name) const {
        return tensor_of(file_.at(name)).to(device_);
    }

    nlohmann::json config;

private:
    store::SafetensorsFile file_;
    at::Device device_;
};

class Comparison {
public:
    void add(const std::string& name, const at::Tensor& found, const at::Tensor& expected, double bound) {
        Check check{name, 0, bound};
        if (found.sizes() != expected.sizes()) {
            check.error = std::numeric_limits<double>::infinity();
        } else if (expected.numel() > 0) {
            const auto e = expected.detach().to(at::kCPU, at::kDouble);
            const auto difference = (found.detach().to(at::kCPU, at::kDouble) - e).abs().max().item<double>();
            const auto scale = e.abs().max().item<double>();
            check.error = difference == 0 ? 0 : difference / std::max(scale, 1e-30);
        }
        checks.push_back(check);
    }

    std::vector<Check> checks;
};

/// A loss term by its name; zero where the model has none.
at::Tensor term(const train::Objective& objective, const std::string& name) {
    for (const auto& found : objective.terms)
        if (found.name == name) return found.value;
    return at::zeros_like(objective.forecast.detach());
}

void load(model::CaspLlm& model, const Fixture& fixture) {
    const torch::NoGradGuard no_gradient;
    for (const auto& list : {model.frozen(), model.trainable(), model.state()})
        for (const auto& [name, tensor] : list) tensor.copy_(fixture.get("param." + name));
    model.weights_replaced();
}

void compare_data_path(const Fixture& f, const config::Config& s, const Bounds& bounds, Comparison& out) {
    if (!s.model.decomposition || !f.has("decomposition.input")) return;
    // Without and with a gradient: on the CPU these are two ways.
    auto input = f.get("decomposition.input");
    const auto parts = model::decompose(input, s.model.trend_length, s.model.seasonal_length);
    const auto tracked = model::decompose(input.clone().set_requires_grad(true), s.model.trend_length,
                                          s.model.seasonal_length);
    // Relative to the input: a part that is zero has no size of its own. (Nor has a constant row's input.)
    const auto scale = input.abs().max().clamp_min(1e-30);
    const auto part = [&](const char* name, const at::Tensor& found) {
        const auto difference = (found - f.get(std::string("decomposition.") + name)).abs().max() / scale;
        out.checks.push_back(
            {std::string("decomposition.") + name, difference.item<double>(), bounds.decomposition});
    };
    part("trend", parts.trend);
    part("seasonal", parts.seasonal);
    part("residual", parts.residual);
    part("trend", tracked.trend);
    part("seasonal", tracked.seasonal);
    part("residual", tracked.residual);
    const auto patches = model::make_patches(parts, s.model.patch_length, s.model.patch_stride);
    out.add("patches", patches, f.get("patches"), bounds.forward);
    out.add("patches with gradient", model::make_patches(tracked, s.model.patch_length, s.model.patch_stride),
            f.get("patches"), bounds.forward);
    // Both ways round the same numbers.
    const model::Components again{tracked.trend.detach(), tracked.seasonal.detach(),
                                  tracked.residual.detach()};
    out.add("patches both ways", model::make_patches(again, s.model.patch_length, s.model.patch_stride),
            model::make_patches(tracked, s.model.patch_length, s.model.patch_stride), 0.0);
}

/// The first batch as windows of a table, of which train::evaluate() takes the targets.
void check_errors(const Fixture& f, const config::Config& s, model::CaspLlm& model, const at::Tensor& targets,
                  const Bounds& bounds, Comparison& out) {
    const auto rows = at::cat({f.get("step1.lookback"), f.get("step1.target")}, 1);
    const auto host = targets.to(at::kCPU);
    const std::vector<std::int64_t> chosen(host.data_ptr<std::int64_t>(),
                                           host.data_ptr<std::int64_t>() + host.numel());
    const train::StopControl stop;
    std::vector<at::Tensor> errors, sizes;
    for (std::int64_t window = 0; window < rows.size(0); ++window) {
        const data::TableWindows windows(rows[window], {0, rows.size(1), s.data.lookback, 1}, s.data.lookback,
                                         s.data.horizon, false, {}, chosen);
        const auto found = train::evaluate(model, windows, {}, stop);
        errors.push_back(at::tensor(found.mse, at::kDouble));
        sizes.push_back(at::tensor(found.mae, at::kDouble));
    }
    out.add("eval.mse", at::stack(errors).mean(), f.get("eval.mse"), bounds.forward);
    out.add("eval.mae", at::stack(sizes).mean(), f.get("eval.mae"), bounds.forward);
}

/// Gradient norms of the first step, of the cases that have them.
void check_gradient_norms(const std::filesystem::path& file, const at::Tensor& loss,
                          const model::Forecast& forecast, const model::CaspLlm& model, const Bounds& bounds,
                          Comparison& out) {
    const store::SafetensorsFile norms(file.parent_path() / "gradient_norms.safetensors");
    if (norms.find(file.stem().string() + ".forecast") == nullptr) return;
    for (const auto& norm : train::gradient_norms(loss, forecast, model.trainable()))
        out.add("gradient norm of " + norm.name, at::scalar_tensor(norm.value, at::kDouble),
                tensor_of(norms.at(file.stem().string() + "." + norm.name)), bounds.gradient);
}

}  // namespace

Bounds bounds_for(const at::Device& device) {
    if (device.is_cpu()) return {};
    return {1e-12, 1e-4, 1e-4, 1e-4, 1e-4};
}

std::vector<std::filesystem::path> golden_cases(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> cases;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors" &&
            store::SafetensorsFile(entry.path()).metadata().count("config") > 0)
            cases.push_back(entry.path());
    std::sort(cases.begin(), cases.end());
    return cases;
}

std::vector<Check> check_case(const std::filesystem::path& file, const at::Device& device) {
    const Fixture f(file, device);
    const auto bounds = bounds_for(device);
    const auto s = test::golden_config(f.config, "casp-llm");
    auto usage_term = s.coverage.term;
    std::replace(usage_term.begin(), usage_term.end(), '-', '_');
    Comparison out;
    compare_data_path(f, s, bounds, out);

    model::CaspLlm model(s, f.config.at("channels").get<std::int64_t>());
    model.to(device);
    load(model, f);
    // Channels that losses and errors are over; undefined: all.
    at::Tensor targets;
    if (f.config.contains("targets"))
        targets = at::tensor(f.config.at("targets").get<std::vector<std::int64_t>>(), at::kLong).to(device);
    {
        const torch::NoGradGuard no_gradient;
        model.begin_evaluation();
        const auto forecast = model.forward(f.get("step1.lookback"), nullptr, true);
        model.end_evaluation();
        out.add("eval.prediction", forecast.prediction, f.get("eval.prediction"), bounds.forward);
        if (targets.defined()) check_errors(f, s, model, targets, bounds, out);
        for (const auto& [name, tensor] : model.state())
            out.add("eval leaves " + name, tensor, f.get("param." + name), 0.0);
    }

    train::AdamW optimizer(model.trainable(), f.config.at("weight_decay").get<double>());
    const auto rate = f.config.at("learning_rate").get<double>();
    std::vector<at::Tensor> losses;
    for (std::int64_t step = 0; step < 3; ++step) {
        const auto prefix = "step" + std::to_string(step + 1) + ".";
        const model::TrainingStep training{1, step};
        if (step == 0) {
            model::InstanceStatistics statistics;
            out.add("embedding", model.embed(f.get(prefix + "lookback"), statistics), f.get("embedding"),
                    bounds.forward);
            out.add("norm.mean", statistics.mean.flatten(), f.get("norm.mean").flatten(), bounds.forward);
            out.add("norm.std", statistics.deviation.flatten(), f.get("norm.std").flatten(), bounds.forward);
            if (s.model.prompt)
                out.add("anchors", model.compute_anchors().values, f.get("anchors"), bounds.forward);
        }
        const auto forecast = model.forward(f.get(prefix + "lookback"), &training, step == 0);
        auto counting = forecast;
        counting.prediction = model::of_channels(forecast.prediction, 2, targets);
        const auto terms =
            train::objective(counting, model::of_channels(f.get(prefix + "target"), 2, targets));
        if (step == 0) check_gradient_norms(file, terms.forecast, counting, model, bounds, out);
        terms.total.backward();
        losses.push_back(
            at::stack({terms.forecast, term(terms, "similarity"), term(terms, usage_term), terms.total})
                .detach());
        if (step == 0) {
            out.add("prediction", forecast.prediction, f.get("prediction"), bounds.forward);
            out.add("loss.forecast", terms.forecast, f.get("loss.forecast"),
                    std::max(bounds.statistic, 1e-6));
            out.add("loss.total", terms.total, f.get("loss.total"), bounds.statistic);
            if (s.model.prompt) {
                out.add("query", forecast.trace->query, f.get("query"), bounds.forward);
                out.add("similarity", forecast.trace->similarity, f.get("similarity"), bounds.forward);
                out.add("selected", forecast.retrieved, f.get("selected"), 0.0);
                out.add("loss.similarity", term(terms, "similarity"), f.get("loss.similarity"),
                        bounds.statistic);
            }
            if (s.model.prompt && s.coverage.enabled) {
                out.add("loss." + usage_term, term(terms, usage_term), f.get("loss." + usage_term),
                        bounds.statistic);
                out.add("coverage_after1", model.state().front().value, f.get("coverage_after1"),
                        bounds.statistic);
                const double pairs = static_cast<double>(forecast.retrieved.size(0) * s.model.pool_size);
                const auto active = s.coverage.term == "coverage" ? forecast.active_pairs.to(at::kDouble)
                                                                  : at::zeros_like(f.get("gate_share"));
                out.add("gate_share", active / pairs, f.get("gate_share"), 1e-12);
            }
            for (const auto& [name, tensor] : model.trainable()) {
                const auto gradient = tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor);
                out.add("grad." + name, gradient, f.get("grad." + name), bounds.gradient);
            }
        }
        optimizer.step(rate);
    }
    out.add("after3.losses", at::stack(losses), f.get("after3.losses"), bounds.after_steps);
    for (const auto& list : {model.trainable(), model.state()})
        for (const auto& [name, tensor] : list)
            out.add("after3." + name, tensor, f.get("after3." + name), bounds.after_steps);
    return out.checks;
}

std::vector<Check> check_decomposition(const std::filesystem::path& path, const at::Device& device) {
    const store::SafetensorsFile file(path);
    const auto bound = bounds_for(device).decomposition;
    std::vector<Check> checks;
    for (const auto& view : file.tensors()) {
        const auto dot = view.name.rfind(".input");
        if (dot == std::string::npos) continue;
        const auto prefix = view.name.substr(0, dot);
        std::int64_t trend = 0, season = 0;
        if (std::sscanf(prefix.c_str(), "w%ld_p%ld", &trend, &season) != 2) continue;
        const auto input = tensor_of(view).to(device);
        const auto parts = model::decompose(input, trend, season);
        const auto tracked = model::decompose(input.clone().set_requires_grad(true), trend, season);
        const auto scale = input.abs().max();
        const auto compare = [&](const char* name, const at::Tensor& found) {
            const auto expected = tensor_of(file.at(prefix + "." + name)).to(device);
            checks.push_back(
                {prefix + "." + name, ((found - expected).abs().max() / scale).item<double>(), bound});
        };
        compare("trend", parts.trend);
        compare("seasonal", parts.seasonal);
        compare("residual", parts.residual);
        compare("trend", tracked.trend);
        compare("seasonal", tracked.seasonal);
        compare("residual", tracked.residual);
    }
    return checks;
}

}  // namespace casp::golden
