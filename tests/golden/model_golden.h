#pragma once
// Golden files of the models beside CASP-LLM (tests/oracle/make_<model>.py): one batch, all parameters, the
// forecast, every gradient, and the parameters after one step of Adam.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <torch/torch.h>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "golden/golden_config.h"
#include "model/forecaster.h"
#include "store/safetensors.h"
#include "train/optimizer.h"

namespace casp::test {

inline constexpr double forward_bound = 1e-5, gradient_bound = 1e-4;

class ModelGolden {
public:
    explicit ModelGolden(const std::filesystem::path& path, const char* settings = "config") : file_(path) {
        config = nlohmann::json::parse(metadata(settings));
    }
    [[nodiscard]] std::string metadata(const char* key) const { return file_.metadata().at(key); }
    [[nodiscard]] bool has(const std::string& name) const { return file_.find(name) != nullptr; }
    [[nodiscard]] at::Tensor get(const std::string& name) const {
        const auto& view = file_.at(name);
        auto tensor = at::empty(view.shape, view.dtype == store::Dtype::i64 ? at::kLong : at::kFloat);
        store::read_bytes(view, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
        return tensor;
    }
    /// The named tensor, or an undefined one.
    [[nodiscard]] at::Tensor get_if_there(const std::string& name) const {
        return has(name) ? get(name) : at::Tensor();
    }
    /// Every tensor of the model from the file; the file must hold no other parameter.
    void load(model::Forecaster& model) const {
        const torch::NoGradGuard no_gradient;
        std::size_t used = 0;
        for (const auto& list : {model.frozen(), model::stored_tensors(model)})
            for (const auto& [name, tensor] : list) {
                if (name == "coverage_statistic" && !has("param." + name)) continue;
                tensor.copy_(get("param." + name));
                ++used;
            }
        const auto& all = file_.tensors();
        const auto given = std::count_if(all.begin(), all.end(),
                                         [](const auto& view) { return view.name.starts_with("param."); });
        QCOMPARE(used, static_cast<std::size_t>(given));
        model.weights_replaced();
    }

    nlohmann::json config;

private:
    store::SafetensorsFile file_;
};

/// Largest difference, relative to the largest value expected, or to `floor` if that is more; infinite for
/// another shape.
inline double golden_error(const at::Tensor& found, const at::Tensor& expected, double floor = 1e-30) {
    if (found.sizes() != expected.sizes()) return HUGE_VAL;
    const auto e = expected.detach().to(at::kDouble);
    const double worst = (found.detach().to(at::kDouble) - e).abs().max().item<double>();
    const double scale = e.abs().max().item<double>();
    return worst == 0 ? 0 : std::isfinite(worst) ? worst / std::max(scale, floor) : HUGE_VAL;
}

inline void compare_golden(const std::string& name, const at::Tensor& found, const at::Tensor& expected,
                           double bound, double floor = 1e-30) {
    const double error = golden_error(found, expected, floor);
    QVERIFY2(error <= bound,
             qPrintable(QString("%1: error %2, allowed %3").arg(name.c_str()).arg(error).arg(bound)));
}

/// Forecasts of the golden batch, in evaluation and in a training step without dropout; returns the latter.
inline model::Forecast compare_forecasts(const ModelGolden& golden, model::Forecaster& model) {
    const model::ModelInput input(golden.get("lookback"), golden.get_if_there("time"));
    std::string evaluation = "prediction";
    for (const char* name : {"evaluation", "eval.prediction"})
        if (golden.has(name)) evaluation = name;
    {
        const torch::NoGradGuard no_gradient;
        compare_golden("evaluation", model.forward(input, nullptr, false).prediction, golden.get(evaluation),
                       forward_bound);
    }
    const model::TrainingStep step{1, 0, golden.get("target"), golden.get_if_there("mask")};
    auto forecast = model.forward(input, &step, true);
    compare_golden("prediction", forecast.prediction, golden.get("prediction"), forward_bound);
    return forecast;
}

/// Where gradients are zero in exact arithmetic, rounding remains. Shares of the largest gradient of all:
struct Rounding {
    double floor = 0;        ///< errors of gradients are relative to this much, at least
    double least = 0;        ///< elements with a smaller gradient are not compared after the step
    bool of_largest = true;  ///< `least` is relative to the largest gradient
};

/// Gradients after backward(), then one step and its result.
inline void compare_step(const ModelGolden& golden, model::Forecaster& model, const Rounding& rounding = {}) {
    const auto gradient_of = [&](const std::string& name) { return golden.get_if_there("grad." + name); };
    double largest = 0;
    for (const auto& [name, tensor] : model.trainable())
        if (const auto expected = gradient_of(name); expected.defined())
            largest = std::max(largest, expected.abs().max().item<double>());
    for (const auto& [name, tensor] : model.trainable()) {
        const auto expected = gradient_of(name);
        const auto& found = tensor.grad();
        QVERIFY2(found.defined() == expected.defined(), name.c_str());
        if (expected.defined())
            compare_golden("grad." + name, found, expected, gradient_bound,
                           std::max(1e-30, rounding.floor * largest));
    }
    train::AdamW optimizer(model.trainable(), golden.config.value("weight_decay", 0.0));
    optimizer.use_constant_rates(model);
    optimizer.step(golden.config.at("learning_rate").get<double>());
    std::size_t compared = 0;
    for (const auto& [name, tensor] : model.trainable()) {
        auto expected = golden.get_if_there((golden.has("after." + name) ? "after." : "after1.") + name);
        if (!expected.defined()) continue;  // its gradient is rounding only
        if (const auto gradient = gradient_of(name); rounding.least > 0 && gradient.defined())
            expected = at::where(gradient.abs() > rounding.least * (rounding.of_largest ? largest : 1),
                                 expected, tensor.detach());
        compare_golden("after the step: " + name, tensor, expected, gradient_bound);
        ++compared;
    }
    QVERIFY(compared > model.trainable().size() / 2);
}

}  // namespace casp::test
