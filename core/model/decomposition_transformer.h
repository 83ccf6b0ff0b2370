#pragma once
// Encoder and decoder with a series decomposition after every part, shared by Autoformer and FEDformer.

#include <cstdint>
#include <string>

#include "model/decomposition_transformer_shape.h"
#include "model/forecaster.h"
#include "model/parameter_set.h"

namespace casp::model {

/// The architecture of Wu et al. (2021) without its attention, which derived classes supply as mix().
///
/// S and R: season and trend of moving_average_parts() over time; F: a feed-forward layer without bias
/// (GELU); norm: layer norm minus its mean over time; T = label_len + H steps in the decoder.
///
///   encoder   x = embedding(look-back)                                 [B, L, D]
///             per layer: x <- S(x + mix(x, x)), x <- S(x + F(x))       [B, L, D]
///             m = norm(x)                                              [B, L, D]
///   decoder   t = [last label_len rows of R(look-back); its mean H times]   [B, T, M]
///             x = embedding([last label_len rows of S(look-back); zeros])   [B, T, D]
///             per layer: x <- S(z) for z = x + mix(x, x), x + mix(x, m) and x + F(x) in turn;
///             t <- t + C(sum of the three R(z))     [B, T, M]   C: circular convolution D -> M over time
///   forecast  t + Linear(norm(x)), the last H rows                     [B, H, M]
///
/// Values are not normalised per window.
///
/// Dropout acts on embeddings, on what mix() returns, and twice in F. Tensor names are those of the public
/// code (thuml/Time-Series-Library).
class DecompositionTransformer : public Forecaster {
public:
    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    void to(const at::Device& device) override { parameters_.to(device); }

protected:
    enum class Place { encoder, decoder, cross };

    /// `positions`: sinusoidal positions are added to the embeddings.
    DecompositionTransformer(const DecompositionShape& shape, bool positions, std::uint64_t seed);

    /// x [B, T, D], memory [B, S, D] (x itself but for Place::cross) -> [B, T, D], before the output
    /// projection. `layer`: name of the attention layer's tensors, for project(). `step`: as in forward().
    [[nodiscard]] virtual at::Tensor mix(Place place, const std::string& layer, const at::Tensor& x,
                                         const at::Tensor& memory, const TrainingStep* step) const = 0;
    /// `part`: "query", "key" or "value".
    [[nodiscard]] at::Tensor project(const std::string& layer, const char* part, const at::Tensor& x) const;

    [[nodiscard]] static std::string encoder_attention(std::int64_t layer);
    [[nodiscard]] static std::string decoder_attention(std::int64_t layer, Place place);

    DecompositionShape shape_;
    ParameterSet parameters_;

private:
    class Pass;
    bool positions_;
};

}  // namespace casp::model
