#include "bench/workload.h"

#include <torch/torch.h>

#include "train/objective.h"
#include "util/error.h"

namespace casp::bench {

namespace {

constexpr double learning_rate = 1e-4;
constexpr double weight_decay = 1e-2;

data::WindowSet random_split(const model::CaspLlmSettings& s, std::int64_t windows) {
    const auto rows = windows + s.lookback + s.horizon - 1;
    data::SplitPart part;
    part.end = rows;
    part.target_begin = s.lookback;
    part.windows = windows;
    return {at::randn({rows, s.channels}), part, s.lookback, s.horizon, false};
}

}  // namespace

model::CaspLlmSettings etth1_96() {
    const model::CaspLlmSettings settings;
    // The defaults are ETTh1-96's; the oracle asserts the same number of parameters.
    if (settings.tokens() != 72 || settings.channels != 7 || settings.backbone.dropout != 0.1)
        throw run_error("benchmark", "the model's defaults are no longer ETTh1-96's");
    return settings;
}

TrainingWork::TrainingWork(std::int64_t windows)
    : model_(etth1_96()), optimizer_(model_.trainable(), weight_decay) {
    const auto& s = model_.settings();
    const auto all = model::count_elements(model_.trainable()) + model::count_elements(model_.frozen());
    if (all != 133'977'776) throw run_error("benchmark", std::to_string(all) + " parameters", "133977776");
    lookback_ = at::randn({windows, s.lookback, s.channels});
    target_ = at::randn({windows, s.horizon, s.channels});
}

double TrainingWork::step() {
    const model::TrainingStep training{1, steps_++};
    const auto forecast = model_.forward(lookback_, &training, false);
    const auto terms = train::objective(forecast, target_);
    terms.total.backward();
    optimizer_.step(learning_rate);
    return terms.total.item<double>();
}

EvaluationWork::EvaluationWork(std::int64_t windows)
    : model_(etth1_96()), windows_(random_split(etth1_96(), windows)) {}

double EvaluationWork::split(std::int64_t windows_per_batch) {
    train::EvaluationOptions options;
    options.rows_per_batch = windows_per_batch * windows_.channels();
    return train::evaluate(model_, windows_, options, train::StopControl()).mse;
}

void EvaluationWork::keep_anchors() { model_.begin_evaluation(); }

void EvaluationWork::batch(std::int64_t windows) {
    const torch::NoGradGuard no_gradient;
    const auto forecast = model_.forward(windows_.range(0, windows).lookback, nullptr, false);
    if (!forecast.prediction.isfinite().all().item<bool>())
        throw run_error("benchmark", "the forecast is not finite");
}

}  // namespace casp::bench
