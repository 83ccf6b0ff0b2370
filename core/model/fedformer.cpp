#include "model/fedformer.h"

#include <cmath>
#include <memory>
#include <vector>

#include <torch/torch.h>

#include "model/decomposition_transformer_shape.h"
#include "model/factory.h"
#include "util/random.h"

namespace casp::model {

namespace {

/// The chosen frequencies that a spectrum has.
struct Chosen {
    at::Tensor place;      ///< in the index, [n] int64
    at::Tensor frequency;  ///< [n] int64
};

/// `compacted`: the place must be a frequency of the spectrum, too.
Chosen chosen_of(const at::Tensor& index, std::int64_t steps, bool compacted, const at::Device& device) {
    const auto bins = steps / 2 + 1;
    std::vector<std::int64_t> places, frequencies;
    for (std::int64_t w = 0; w < index.size(0); ++w) {
        const auto frequency = index[w].item<std::int64_t>();
        if (frequency < 0 || frequency >= bins || (compacted && w >= bins)) continue;
        places.push_back(w);
        frequencies.push_back(frequency);
    }
    // Otherwise the host would wait for the device in each block.
    constexpr bool non_blocking = true;
    return {at::tensor(places, at::kLong).to(device, at::kLong, non_blocking),
            at::tensor(frequencies, at::kLong).to(device, at::kLong, non_blocking)};
}

/// 2π·frequency·t / steps, [n, steps] in double.
at::Tensor angles(const at::Tensor& frequency, std::int64_t steps) {
    const auto turns = at::outer(frequency, at::arange(steps, frequency.options())).remainder(steps);
    return turns.to(at::kDouble) * (2 * M_PI / static_cast<double>(steps));
}

/// x [B, T, D] -> spectrum at n frequencies, [B, heads, D/heads, 2, n]: real and imaginary parts.
at::Tensor spectrum_of(const at::Tensor& x, std::int64_t heads, const at::Tensor& frequency) {
    const auto angle = angles(frequency, x.size(1));
    const auto columns = at::cat({angle.cos(), -angle.sin()}, 0).to(x.scalar_type());
    return at::matmul(x.transpose(1, 2), columns.t())
        .view({x.size(0), heads, x.size(2) / heads, 2, frequency.size(0)});
}

/// The real series [B, T, D] of a spectrum as above, with scrambled axes.
at::Tensor series_of(const at::Tensor& spectrum, const at::Tensor& frequency, std::int64_t steps) {
    const auto angle = angles(frequency, steps);
    // A frequency represents its negative as well, except for 0 and half the number of steps.
    const auto alone = frequency.eq(0).logical_or(frequency.mul(2).eq(steps));
    const auto weight =
        at::where(alone, 1.0, 2.0).to(at::kDouble).div(static_cast<double>(steps)).unsqueeze(1);
    const auto rows = at::cat({angle.cos() * weight, -angle.sin() * weight}, 0).to(spectrum.scalar_type());
    return at::matmul(spectrum.flatten(3), rows).reshape({spectrum.size(0), steps, -1});
}

/// Each frequency's values times its weights: [B, heads, in, 2, n] -> [B, heads, out, 2, n].
at::Tensor weigh(const at::Tensor& spectrum, const FourierWeights& weights, const at::Tensor& place) {
    const auto batch = spectrum.size(0), heads = spectrum.size(1), n = place.size(0);
    const auto matrices = [&](const at::Tensor& w) {  // [heads, n, in, out]
        return w.index_select(3, place).permute({0, 3, 1, 2});
    };
    const auto real = matrices(weights.real), imaginary = matrices(weights.imaginary);
    const auto both = at::cat({at::cat({real, imaginary}, 3), at::cat({-imaginary, real}, 3)}, 2);
    const auto values = spectrum.permute({1, 4, 0, 3, 2}).reshape({heads * n, batch, 2 * spectrum.size(2)});
    return at::bmm(values, both.flatten(0, 1))
        .view({heads, n, batch, 2, real.size(3)})
        .permute({2, 0, 4, 3, 1});
}

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

at::Tensor fourier_frequencies(std::int64_t length, std::int64_t modes, bool random, std::uint64_t seed,
                               std::string_view name) {
    const auto kept = fourier_modes(modes, length);
    if (!random) return at::arange(kept, at::kLong);
    const auto order = at::randperm(length / 2, make_generator(derive_seed(seed, name)), at::kLong);
    return std::get<0>(order.slice(0, 0, kept).sort());
}

at::Tensor fourier_block(const at::Tensor& x, const FourierWeights& weights, const at::Tensor& index) {
    const auto chosen = chosen_of(index, x.size(1), true, x.device());
    const auto spectrum = spectrum_of(x, weights.real.size(0), chosen.frequency);
    return series_of(weigh(spectrum, weights, chosen.place), chosen.place, x.size(1));
}

at::Tensor fourier_cross_block(const at::Tensor& q, const at::Tensor& k, const FourierWeights& weights,
                               const at::Tensor& index_q, const at::Tensor& index_k) {
    const auto heads = weights.real.size(0);
    const auto chosen = chosen_of(index_q, q.size(1), false, q.device());
    const auto of_k = chosen_of(index_k, k.size(1), false, k.device()).frequency;
    const auto query = spectrum_of(q, heads, chosen.frequency).transpose(2, 4);  // [B, heads, n_q, 2, in]
    const auto key = spectrum_of(k, heads, of_k);                                // [B, heads, in, 2, n_k]
    const auto q_real = query.select(3, 0), q_imaginary = query.select(3, 1);
    const auto k_real = key.select(3, 0), k_imaginary = key.select(3, 1);
    const auto real = at::tanh(at::matmul(q_real, k_real) - at::matmul(q_imaginary, k_imaginary));
    const auto imaginary = at::tanh(at::matmul(q_real, k_imaginary) + at::matmul(q_imaginary, k_real));
    const auto to_queries = [](const at::Tensor& values, const at::Tensor& map) {  // -> [B, heads, in, n_q]
        return at::matmul(values, map.transpose(2, 3));
    };
    const auto mixed = at::stack({to_queries(k_real, real) - to_queries(k_imaginary, imaginary),
                                  to_queries(k_real, imaginary) + to_queries(k_imaginary, real)},
                                 3);
    const auto width = static_cast<double>(q.size(2));
    return series_of(weigh(mixed, weights, chosen.place) / (width * width), chosen.frequency, q.size(1));
}

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
