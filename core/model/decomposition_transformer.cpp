#include "model/decomposition_transformer.h"

#include <torch/torch.h>

#include "model/data_embedding.h"
#include "model/decomposition.h"
#include "model/dropout.h"

namespace casp::model {

namespace {

constexpr const char* encoder_norm = "encoder.norm.layernorm";
constexpr const char* decoder_norm = "decoder.norm.layernorm";
constexpr const char* trend_weight = ".projection.weight";

std::string encoder_layer(std::int64_t layer) { return "encoder.attn_layers." + std::to_string(layer); }
std::string decoder_layer(std::int64_t layer) { return "decoder.layers." + std::to_string(layer); }

void add_attention(ParameterSet& parameters, const std::string& layer, std::int64_t width) {
    for (const auto* part : {"query", "key", "value", "out"})
        parameters.add_linear(layer + "." + part + "_projection", width, width);
}

void add_feed_forward(ParameterSet& parameters, const std::string& layer, const DecompositionShape& s) {
    parameters.add_uniform(layer + ".conv1.weight", {s.d_ff, s.d_model, 1}, s.d_model);
    parameters.add_uniform(layer + ".conv2.weight", {s.d_model, s.d_ff, 1}, s.d_ff);
}

/// moving_average_parts() of [B, T, D] over T.
TrendAndSeason parts_over_time(const at::Tensor& x, std::int64_t length) {
    const auto parts = moving_average_parts(x.transpose(1, 2), length);
    return {parts.trend.transpose(1, 2), parts.season.transpose(1, 2)};
}

}  // namespace

/// One forward pass.
class DecompositionTransformer::Pass {
public:
    Pass(const DecompositionTransformer& model, const TrainingStep* step)
        : model_(model), shape_(model.shape_), parameters_(model.parameters_), step_(step), dropout_(step) {}

    at::Tensor forecast(const ModelInput& input) {
        const auto before = shape_.lookback - shape_.label_len;
        const auto& x = input.lookback;
        const auto time = [&](std::int64_t first, std::int64_t rows) {
            return input.time.defined() ? input.time.narrow(1, first, rows) : at::Tensor();
        };
        const auto parts = parts_over_time(x, shape_.moving_avg);
        const auto later = x.mean(at::IntArrayRef{1}, true).expand({x.size(0), shape_.horizon, x.size(2)});
        auto trend = at::cat({parts.trend.slice(1, before), later}, 1);
        const auto season = at::constant_pad_nd(parts.season.slice(1, before), {0, 0, 0, shape_.horizon});

        auto memory = embed("enc_embedding", x, time(0, shape_.lookback));
        for (std::int64_t i = 0; i < shape_.e_layers; ++i) memory = encode(i, memory);
        memory = norm(encoder_norm, memory);
        auto rest = embed("dec_embedding", season, time(before, shape_.decoder_steps()));
        for (std::int64_t i = 0; i < shape_.d_layers; ++i) rest = decode(i, rest, memory, trend);
        const auto found = trend + parameters_.linear("decoder.projection", norm(decoder_norm, rest));
        return found.slice(1, shape_.label_len);
    }

private:
    at::Tensor dropped(const at::Tensor& x) { return drop(x, shape_.dropout, dropout_.stream()); }

    at::Tensor embed(const char* name, const at::Tensor& values, const at::Tensor& time) {
        auto x = data_embedding(parameters_, name, values, time);
        if (model_.positions_) x = x + sinusoidal_positions(x.size(1), shape_.d_model, x.device());
        return dropped(x);
    }

    /// x + what the attention layer makes of it.
    at::Tensor attend(Place place, const std::string& layer, const at::Tensor& x, const at::Tensor& memory) {
        const auto mixed = model_.mix(place, layer, x, memory, step_);
        return x + dropped(parameters_.linear(layer + ".out_projection", mixed));
    }

    at::Tensor feed_forward(const std::string& layer, const at::Tensor& x) {
        const auto inner =
            dropped(at::gelu(at::linear(x, parameters_.get(layer + ".conv1.weight").squeeze(2))));
        return x + dropped(at::linear(inner, parameters_.get(layer + ".conv2.weight").squeeze(2)));
    }

    at::Tensor encode(std::int64_t i, at::Tensor x) {
        x = parts_over_time(attend(Place::encoder, encoder_attention(i), x, x), shape_.moving_avg).season;
        return parts_over_time(feed_forward(encoder_layer(i), x), shape_.moving_avg).season;
    }

    at::Tensor decode(std::int64_t i, const at::Tensor& x, const at::Tensor& memory, at::Tensor& trend) {
        const auto own = parts_over_time(attend(Place::decoder, decoder_attention(i, Place::decoder), x, x),
                                         shape_.moving_avg);
        const auto cross = parts_over_time(
            attend(Place::cross, decoder_attention(i, Place::cross), own.season, memory), shape_.moving_avg);
        const auto last = parts_over_time(feed_forward(decoder_layer(i), cross.season), shape_.moving_avg);
        trend = trend + circular_convolution(own.trend + cross.trend + last.trend,
                                             parameters_.get(decoder_layer(i) + trend_weight));
        return last.season;
    }

    [[nodiscard]] at::Tensor norm(const std::string& name, const at::Tensor& x) const {
        const auto normed = parameters_.norm(name, x);
        return normed - normed.mean(at::IntArrayRef{1}, true);
    }

    const DecompositionTransformer& model_;
    const DecompositionShape& shape_;
    const ParameterSet& parameters_;
    const TrainingStep* step_;
    StepDropout dropout_;
};

DecompositionTransformer::DecompositionTransformer(const DecompositionShape& s, bool positions,
                                                   std::uint64_t seed)
    : shape_(s), parameters_(seed), positions_(positions) {
    add_data_embedding(parameters_, "enc_embedding", s.channels, s.d_model);
    add_data_embedding(parameters_, "dec_embedding", s.channels, s.d_model);
    for (std::int64_t i = 0; i < s.e_layers; ++i) {
        add_attention(parameters_, encoder_attention(i), s.d_model);
        add_feed_forward(parameters_, encoder_layer(i), s);
    }
    parameters_.add_norm(encoder_norm, s.d_model);
    for (std::int64_t i = 0; i < s.d_layers; ++i) {
        add_attention(parameters_, decoder_attention(i, Place::decoder), s.d_model);
        add_attention(parameters_, decoder_attention(i, Place::cross), s.d_model);
        add_feed_forward(parameters_, decoder_layer(i), s);
        parameters_.add_uniform(decoder_layer(i) + trend_weight, {s.channels, s.d_model, 3}, 3 * s.d_model);
    }
    parameters_.add_norm(decoder_norm, s.d_model);
    parameters_.add_linear("decoder.projection", s.d_model, s.channels);
}

std::string DecompositionTransformer::encoder_attention(std::int64_t layer) {
    return encoder_layer(layer) + ".attention";
}

std::string DecompositionTransformer::decoder_attention(std::int64_t layer, Place place) {
    return decoder_layer(layer) + (place == Place::cross ? ".cross_attention" : ".self_attention");
}

at::Tensor DecompositionTransformer::project(const std::string& layer, const char* part,
                                             const at::Tensor& x) const {
    return parameters_.linear(layer + "." + part + "_projection", x);
}

Forecast DecompositionTransformer::forward(const ModelInput& input, const TrainingStep* step,
                                           bool /*trace*/) {
    Forecast forecast;
    forecast.prediction = Pass(*this, step).forecast(input);
    return forecast;
}

}  // namespace casp::model
