#include "model/descriptor.h"

#include <algorithm>

#include "store/results.h"
#include "util/error.h"

namespace casp::model {

#define CASP_MODEL(identifier, name, title) Descriptor describe_##identifier();
#include "config/models.def"
#undef CASP_MODEL
Descriptor describe_imported();

const std::vector<Descriptor>& descriptors() {
    static const auto all = [] {
        std::vector<Descriptor> found;
#define CASP_MODEL(identifier, name_, title_) \
    found.push_back(describe_##identifier()); \
    found.back().name = name_;                \
    found.back().title = title_;
#include "config/models.def"
#undef CASP_MODEL
        return found;
    }();
    return all;
}

const Descriptor& descriptor(const config::Config& config) {
    static const auto imported = describe_imported();
    if (config.model.name == imported.name) return imported;
    const auto& all = descriptors();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Descriptor& d) { return d.name == config.model.name; });
    if (found == all.end())
        throw input_error("model.name", Phrase("there is no model \"%1\"", config.model.name),
                          config::expected_text(*config::find_option("model.name")));
    return *found;
}

std::string forecast_loss_title(const config::Config& config) {
    const auto& loss = config.loss.forecast;
    return loss == "smape" ? "sMAPE" : loss == "mae" ? "MAE" : "MSE";
}

LossTermInfo loss_term(const std::string& name) {
    for (const auto& model : descriptors())
        for (const auto& term : model.terms)
            if (term.name == name) return term;
    return {name, "L_" + name, "λ_" + name};
}

namespace {

bool has_effect(const Descriptor& model, const config::Config& config, std::string_view key) {
    return model.without_effect == nullptr || !model.without_effect(config, key);
}

/// Whether a setting is one of imported forecasts: their data, and the seed that pairs them.
bool describes_forecasts(const config::OptionSpec& option) {
    return config::changes_the_task(option.key) || option.key == "model.name" || option.key == "train.seed" ||
           option.section.empty();
}

}  // namespace

bool reads(const config::Config& config, const config::OptionSpec& option) {
    if (!option.model.empty())
        return option.model == config.model.name && has_effect(descriptor(config), config, option.key);
    if (capabilities(config).imported) return describes_forecasts(option);
    if (option.key == "loss.forecast") return capabilities(config).forecast_loss;
    if (option.key == "run.gradient_steps")
        return capabilities(config).trains && !capabilities(config).own_process;
    if (option.section == "train")
        return capabilities(config).trains || option.key == "train.batch_size" ||
               option.key == "train.seed" || option.key == "train.continue_from";
    const bool for_some = (option.section == "model" && option.key != "model.name") ||
                          option.section == "backbone" || option.section == "selection" ||
                          option.section == "coverage" || option.key.starts_with("loss.lambda_");
    if (!for_some) return true;
    const auto& model = descriptor(config);
    if (!has_effect(model, config, option.key)) return false;
    const auto& list = model.reads;
    return std::any_of(list.begin(), list.end(), [&](std::string_view key) {
        const bool prefix = key.ends_with('.') || key.ends_with('_');
        return prefix ? option.key.starts_with(key) : option.key == key;
    });
}

bool reads_backbone_file(const config::Config& config) {
    const auto model = capabilities(config);
    return model.backbone && config.backbone.path != "untrained" &&
           (config.backbone.kind != "random" || model.token_table);
}

std::string model_label(const config::Config& config) {
    const auto& model = descriptor(config);
    return model.label != nullptr ? model.label(config) : config.model.name;
}

std::string product_precision(const config::Config& config) {
    const auto& wanted = config.run.precision;
    const auto model = capabilities(config);
    if (model.imported) return wanted;
    if (model.own_process) return wanted == "auto" ? "fp32" : wanted;
    if (wanted == "tf32") return estimate(config, {}).parameters_total > 0 ? wanted : "fp32";
    const bool replaced =
        reads(config, *config::find_option("backbone.kind")) && config.backbone.kind != "none";
    return model.backbone || replaced ? wanted : "fp32";
}

void describe_settings(const config::Config& config, store::ResultRow& row) {
    row.model = model_label(config);
    row.lookback = config.data.lookback;
    row.horizon = config.data.horizon;
    if (reads(config, *config::find_option("loss.lambda_sim"))) row.lambda_sim = config.loss.lambda_sim;
    if (has_coverage(config)) row.lambda_cov = config.loss.lambda_cov;
    row.seed = config.train.seed;
}

}  // namespace casp::model
