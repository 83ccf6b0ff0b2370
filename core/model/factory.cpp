#include "model/factory.h"

namespace casp::model {

CaspLlmSettings casp_llm_settings(const config::Config& config, std::int64_t channels) {
    CaspLlmSettings s;
    s.lookback = config.data.lookback;
    s.horizon = config.data.horizon;
    s.channels = channels;
    s.patch_length = config.model.patch_length;
    s.patch_stride = config.model.patch_stride;
    s.trend_length = config.model.trend_length;
    s.seasonal_length = config.model.seasonal_length;
    s.pool_size = config.model.pool_size;
    s.top_k = config.model.top_k;
    s.head_ways = config.model.head_ways;
    s.decomposition = config.model.decomposition;
    s.prompt = config.model.prompt;
    s.instance_norm_affine = config.model.instance_norm_affine;
    s.coverage = config.coverage.enabled;
    s.decay = config.coverage.decay;
    s.lambda_sim = config.loss.lambda_sim;
    s.lambda_cov = config.loss.lambda_cov;
    s.half = config.run.precision == "bf16";
    s.backbone = {config.backbone.layers,     config.backbone.width,     config.backbone.heads,
                  config.backbone.vocabulary, config.backbone.positions, config.backbone.dropout};
    s.seed = static_cast<std::uint64_t>(config.train.seed);
    s.backbone_seed = static_cast<std::uint64_t>(config.backbone.seed);
    return s;
}

std::unique_ptr<CaspLlm> make_model(const config::Config& config, std::int64_t channels) {
    return std::make_unique<CaspLlm>(casp_llm_settings(config, channels));
}

}  // namespace casp::model
