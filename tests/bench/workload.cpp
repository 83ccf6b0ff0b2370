#include "bench/workload.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

#include <torch/torch.h>

#include "config/experiment.h"
#include "config/presets.h"
#include "data/time_features.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "train/objective.h"
#include "util/device.h"
#include "util/error.h"

namespace casp::bench {

namespace {

constexpr std::int64_t etth1_channels = 7, weather_channels = 21;
constexpr double learning_rate = 1e-4;

std::unique_ptr<model::Forecaster> make(const config::Config& config) {
    model::DataShape shape{.channels = channels_of(config), .step = {3600}};
    shape.collection = !config.data.frequency.empty();
    auto model = model::make_model(config, shape);
    // The oracle asserts the same number.
    const auto all = model::count_elements(model->trainable()) + model::count_elements(model->frozen());
    if (config == etth1_96() && all != 133'977'776)
        throw run_error("benchmark", std::to_string(all) + " parameters", "133977776");
    model->to(resolve_device(config.run.device));
    return model;
}

/// Values as time features have them; undefined for models that read none.
at::Tensor random_time(const config::Config& config, std::vector<std::int64_t> shape) {
    if (!model::capabilities(config).time_features) return {};
    shape.push_back(data::time_feature_count);
    return (at::rand(shape) - 0.5).to(resolve_device(config.run.device));
}

at::Tensor random_values(const config::Config& config, std::vector<std::int64_t> shape) {
    return at::randn(shape).to(resolve_device(config.run.device));
}

data::TableWindows random_split(const config::Config& config, std::int64_t windows) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    const auto rows = windows + lookback + horizon - 1;
    data::SplitPart part;
    part.end = rows;
    part.target_begin = lookback;
    part.windows = windows;
    return {random_values(config, {rows, channels_of(config)}),
            part,
            lookback,
            horizon,
            false,
            random_time(config, {rows})};
}

}  // namespace

config::Config etth1_96(const std::string& model) {
    config::Config config;
    config.tempo.pool = model == "tempo-pool";
    config.model.name = config.tempo.pool ? "tempo" : model;
    config.backbone.path = "untrained";
    config.run.device = "cpu";
    (void)model::descriptor(config);
    return config;
}

config::Config settings_of(const std::string& text) {
    std::istringstream words(text);
    std::string name;
    words >> name;
    const std::vector<std::string> sets{std::istream_iterator<std::string>(words), {}};
    const auto& presets = config::preset_names();
    auto config = name.ends_with(".toml") ? config::load(name, sets).base
                  : std::find(presets.begin(), presets.end(), name) != presets.end()
                      ? config::load_text(std::string(config::preset_text(name)), name, {}, sets).base
                      : config::load_text(config::to_toml(etth1_96(name)), name, {}, sets).base;
    config.backbone.path = "untrained";
    if (config.run.device == "auto") config.run.device = "cpu";
    return config;
}

std::int64_t channels_of(const config::Config& config) {
    if (!config.data.frequency.empty() || config.data.batching == "single-channel") return 1;
    return config.data.path == "catalog:Weather" ? weather_channels : etth1_channels;
}

TrainingWork::TrainingWork(std::int64_t windows, const config::Config& config)
    : model_(make(config)),
      optimizer_(train::make_optimizer(config, model_->trainable())),
      lookback_(random_values(config, {windows, config.data.lookback, channels_of(config)})),
      target_(random_values(config, {windows, config.data.horizon, channels_of(config)})),
      time_(random_time(config, {windows, config.data.lookback + config.data.horizon})) {
    optimizer_.use_constant_rates(*model_);
}

double TrainingWork::step() {
    const model::TrainingStep training{1, steps_++, target_};
    const auto forecast = model_->forward({lookback_, time_}, &training, false);
    const auto terms = train::objective(forecast, target_);
    terms.total.backward();
    optimizer_.step(learning_rate);
    return terms.total.item<double>();
}

EvaluationWork::EvaluationWork(std::int64_t windows, const config::Config& config)
    : model_(make(config)), windows_(random_split(config, windows)) {}

double EvaluationWork::split(std::int64_t windows_per_batch) {
    train::EvaluationOptions options;
    options.rows_per_batch = windows_per_batch * windows_.channels();
    return train::evaluate(*model_, windows_, options, train::StopControl()).mse;
}

void EvaluationWork::keep_anchors() { model_->begin_evaluation(); }

void EvaluationWork::batch(std::int64_t windows) {
    const torch::NoGradGuard no_gradient;
    const auto batch = windows_.range(0, windows);
    const auto forecast = model_->forward({batch.lookback, batch.time}, nullptr, false);
    if (!forecast.prediction.isfinite().all().item<bool>())
        throw run_error("benchmark", "the forecast is not finite");
}

}  // namespace casp::bench
