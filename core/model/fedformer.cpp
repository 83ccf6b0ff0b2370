#include "model/fedformer.h"

#include <memory>

#include <torch/torch.h>

#include "model/factory.h"
#include "util/random.h"

namespace casp::model {

namespace {

constexpr const char* weight_parts[] = {".weights1", ".weights2"};  // real, imaginary

/// U(0, 1/D²)
at::Tensor fourier_weight(const DecompositionShape& s, std::int64_t modes, std::uint64_t seed,
                          const std::string& name) {
    const auto width = s.d_model / s.n_heads;
    auto tensor = at::empty({s.n_heads, width, width, modes}, at::kFloat);
    const auto scale = 1.0 / static_cast<double>(s.d_model * s.d_model);
    return tensor.uniform_(0, scale, make_generator(derive_seed(seed, name)));
}

}  // namespace

Fedformer::Fedformer(const config::Config& config, std::int64_t channels)
    : DecompositionTransformer(decomposition_shape(config, config.fedformer, channels), true,
                               static_cast<std::uint64_t>(config.train.seed)) {
    const auto seed = parameters_.seed();
    const auto draw = [&](std::int64_t length, const std::string& name) {
        return fourier_frequencies(length, config.fedformer.modes, config.fedformer.mode_select == "random",
                                   seed, name);
    };
    const auto lookback = shape_.lookback, decoder = lookback / 2 + shape_.horizon;
    index_encoder_ = draw(lookback, block(Place::encoder, 0) + ".index");
    index_decoder_ = draw(decoder, block(Place::decoder, 0) + ".index");
    index_q_ = draw(decoder, block(Place::cross, 0) + ".index_q");
    index_kv_ = draw(lookback, block(Place::cross, 0) + ".index_kv");
    for (const auto& [place, index] :
         {std::pair(Place::encoder, index_encoder_), std::pair(Place::decoder, index_decoder_),
          std::pair(Place::cross, index_q_)})
        for (const auto* part : weight_parts) {
            const auto name = block(place, 0) + part;
            parameters_.add(name, fourier_weight(shape_, index.size(0), seed, name));
        }
}

std::string Fedformer::block(Place place, std::int64_t layer) {
    const auto attention =
        place == Place::encoder ? encoder_attention(layer) : decoder_attention(layer, place);
    return attention + ".inner_correlation";
}

FourierWeights Fedformer::weights(Place place) const {
    const auto name = block(place, 0);
    return {parameters_.get(name + weight_parts[0]), parameters_.get(name + weight_parts[1])};
}

NamedTensors Fedformer::aliases() const {
    NamedTensors tensors;
    const auto add = [&](Place place, std::int64_t layers) {
        for (std::int64_t i = 1; i < layers; ++i)
            for (const auto* part : weight_parts)
                tensors.push_back({block(place, i) + part, parameters_.get(block(place, 0) + part)});
    };
    add(Place::encoder, shape_.e_layers);
    add(Place::decoder, shape_.d_layers);
    add(Place::cross, shape_.d_layers);
    return tensors;
}

NamedTensors Fedformer::state() const {
    NamedTensors tensors;
    for (std::int64_t i = 0; i < shape_.e_layers; ++i)
        tensors.push_back({block(Place::encoder, i) + ".index", index_encoder_});
    for (std::int64_t i = 0; i < shape_.d_layers; ++i) {
        tensors.push_back({block(Place::decoder, i) + ".index", index_decoder_});
        tensors.push_back({block(Place::cross, i) + ".index_q", index_q_});
        tensors.push_back({block(Place::cross, i) + ".index_kv", index_kv_});
    }
    return tensors;
}

at::Tensor Fedformer::mix(Place place, const std::string& layer, const at::Tensor& x,
                          const at::Tensor& memory, const TrainingStep* /*step*/) const {
    const auto query = project(layer, "query", x);
    if (place == Place::cross)
        return fourier_cross_block(query, project(layer, "key", memory), weights(place), index_q_, index_kv_);
    return fourier_block(query, weights(place), place == Place::encoder ? index_encoder_ : index_decoder_);
}

std::unique_ptr<Forecaster> make_fedformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    return std::make_unique<Fedformer>(config, data.channels);
}

}  // namespace casp::model
