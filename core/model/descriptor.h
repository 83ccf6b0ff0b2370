#pragma once
// Model descriptors: name, capabilities, checks, cost and loss terms of each model. Free of LibTorch;
// thread-safe.
//
// Nothing outside a model's own files compares its name: code that needs its properties or cost queries
// its descriptor.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "model/estimate.h"

namespace casp::store {
struct ResultRow;
}

namespace casp::model {

/// Capabilities of a model with given settings.
struct Capabilities {
    bool backbone = false;        ///< weights of a language model ([backbone]), pretrained or untrained
    bool token_table = false;     ///< reads the language model's token table, whatever backbone.kind is
    bool anchors = false;         ///< an anchor pool to retrieve from: usage and similarity views
    bool coverage = false;        ///< the coverage statistic c̃ and a loss that λ_cov weighs
    bool embeddings = false;      ///< an embedding per (window, channel) row: PCA, t-SNE
    bool mixes_channels = false;  ///< a channel's forecast depends on the other input channels
    bool time_features = false;   ///< reads the rows' time features (data/time_features.h), if there are any
    /// Trained in epochs; false: without parameters, or fitted in closed form (model/forecaster.h).
    bool trains = true;
    bool forecast_loss = true;   ///< trained on loss.forecast; false: on its own terms, or not in epochs
    bool imported = false;       ///< forecasts made by other code: there is no model to train or evaluate
    bool own_process = false;    ///< the user's file computes, in a process of its own
    std::int64_t retrieved = 0;  ///< K: anchors retrieved per row; 0 without anchors
};

/// A loss term besides the forecast loss, with its names in charts and logs.
struct LossTermInfo {
    std::string name;    ///< of model::LossTerm and in run.h5: "similarity"
    std::string symbol;  ///< the paper's: "L_sim"
    std::string weight;  ///< the paper's symbol of its weight: "λ_sim"
};

/// Description of a model for lists, forms, checks and estimates. Its functions are pure; any thread.
struct Descriptor {
    std::string_view name = {};   ///< model.name: "casp-llm"
    std::string_view title = {};  ///< shown to users: "CASP-LLM"

    Capabilities (*capabilities)(const config::Config&) = nullptr;
    Estimate (*estimate)(const config::Config&, const BatchShape&) = nullptr;
    /// All parameters of the estimate by part; null: only their sums are known.
    std::vector<ParameterPart> (*parts)(const config::Config&) = nullptr;
    /// Contradictory settings, in addition to those contradictory for every model; null: there are none.
    std::vector<config::Contradiction> (*check)(const config::Config&) = nullptr;
    /// Settings that this model reads, among those not read by every model, as keys or as prefixes ending in
    /// '.' or '_' ([model], [backbone], [selection], [coverage], λ of [loss]). Its own section is implied.
    std::vector<std::string_view> reads = {};
    std::vector<LossTermInfo> terms = {};  ///< all loss terms that it may have
    /// Whether a setting of `reads` or of its own section is without effect at the values of others; null:
    /// none ever is.
    bool (*without_effect)(const config::Config&, std::string_view key) = nullptr;
    /// What tables, lists and rankings call the model with these settings; null: its name.
    std::string (*label)(const config::Config&) = nullptr;
};

/// All models that can be chosen, in the order of config/models.def.
[[nodiscard]] const std::vector<Descriptor>& descriptors();

/// The descriptor of `model.name`, also of imported forecasts. Throws an input Error that lists the models
/// for an unknown name.
[[nodiscard]] const Descriptor& descriptor(const config::Config& config);

/// The forecast loss of `loss.forecast` as charts and logs name it: "MSE", "MAE", "sMAPE".
[[nodiscard]] std::string forecast_loss_title(const config::Config& config);

/// A loss term by its name; symbol "L_NAME" if no model declares it.
[[nodiscard]] LossTermInfo loss_term(const std::string& name);

[[nodiscard]] inline Capabilities capabilities(const config::Config& config) {
    return descriptor(config).capabilities(config);
}
[[nodiscard]] inline Estimate estimate(const config::Config& config, const BatchShape& batch) {
    return descriptor(config).estimate(config, batch);
}

/// Whether the model reads pretrained weights, of the file that backbone.path names.
[[nodiscard]] bool reads_backbone_file(const config::Config& config);

/// What tables, lists and rankings call the configured model: its name; of a file of the user's its label.
[[nodiscard]] std::string model_label(const config::Config& config);

/// Whether the run tracks the coverage statistic, so that its λ_cov has a meaning (0 included).
[[nodiscard]] inline bool has_coverage(const config::Config& config) { return capabilities(config).coverage; }

/// Whether the configured model reads a setting: false for another model's section, for the anchor and
/// backbone settings of a model that has neither, for loss.forecast and the settings of epochs and optimiser
/// of a model that is not trained by them, and for a setting that another one's value leaves without effect.
[[nodiscard]] bool reads(const config::Config& config, const config::OptionSpec& option);

/// Precision of the products that `run.precision` gives this model. bf16 is that of backbone and anchors: a
/// model without them computes in fp32, as does one without products. "auto": as the device has it.
[[nodiscard]] std::string product_precision(const config::Config& config);

/// Fills in the columns of a result row that the settings alone give. Weights of losses that the model does
/// not have, and λ_cov of a run that does not track coverage, stay unknown.
void describe_settings(const config::Config& config, store::ResultRow& row);

}  // namespace casp::model
