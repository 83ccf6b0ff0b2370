#pragma once
// FEDformer (Zhou et al. 2022) with Fourier blocks: series decomposition, and attention between frequencies.

#include <string>

#include "model/decomposition_transformer.h"
#include "model/fourier_block.h"

namespace casp::model {

/// DecompositionTransformer with sinusoidal positions and the blocks of fourier_block.h: one for all encoder
/// layers (length L), one for the decoder's self-attention and one for its cross attention (both of length
/// L/2 + H, though the decoder has label_len + H steps: frequencies above the real spectrum are skipped).
///
/// As in the public code: key and value projections of self-attention and the value projection of cross
/// attention exist, but nothing reads them. The frequencies, which the public state_dict does not contain,
/// are int64 tensors of the checkpoint; a checkpoint without them leaves those of the seed. Tensors of a
/// shared block are stored under every layer's name.
class Fedformer : public DecompositionTransformer {
public:
    /// `channels`: M of a batch.
    Fedformer(const config::Config& config, std::int64_t channels);

    [[nodiscard]] NamedTensors aliases() const override;
    [[nodiscard]] NamedTensors state() const override;

private:
    [[nodiscard]] at::Tensor mix(Place place, const std::string& layer, const at::Tensor& x,
                                 const at::Tensor& memory, const TrainingStep* step) const override;
    /// Name of the attention layer of `place` in its encoder or decoder layer.
    [[nodiscard]] static std::string block(Place place, std::int64_t layer);
    [[nodiscard]] FourierWeights weights(Place place) const;

    at::Tensor index_encoder_, index_decoder_, index_q_, index_kv_;  ///< int64, on the CPU
};

}  // namespace casp::model
