#pragma once
// FEDformer (Zhou et al. 2022) with Fourier blocks: series decomposition, and attention between frequencies.

#include <cstdint>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "model/decomposition_transformer.h"

namespace casp::model {

// Fourier blocks (Zhou et al. 2022): a linear map of a few frequencies, and attention between frequencies.

/// Complex weights as two real tensors [heads, D/heads in, D/heads out, modes], as in the public code.
struct FourierWeights {
    at::Tensor real, imaginary;
};

/// The frequencies of a block for `length` steps: fourier_modes(modes, length) of 0 … length/2 - 1,
/// ascending, int64. The lowest, or with `random` drawn without repetition from `seed` and `name`. (The
/// public code draws from numpy's global generator and does not store them.)
[[nodiscard]] at::Tensor fourier_frequencies(std::int64_t length, std::int64_t modes, bool random,
                                             std::uint64_t seed, std::string_view name);

/// X = F(x) over time; Y[w] = W_w · X[index[w]] per head; F⁻¹(Y). x [B, T, D] -> [B, T, D]. Differentiable.
///
/// As in the public code: the result for the w-th chosen frequency is placed at frequency w (the spectrum is
/// compacted to its lowest bins), and the result [B, heads, D/heads, T] is read as [B, T, D] without a
/// transposition (axes are scrambled). `index` [modes]: int64 on the CPU; frequencies outside of the spectrum
/// of x are skipped. Only the chosen frequencies are computed, as products with columns of the Fourier
/// matrix.
[[nodiscard]] at::Tensor fourier_block(const at::Tensor& x, const FourierWeights& weights,
                                       const at::Tensor& index);

/// Q = F(q) at index_q, K = F(k) at index_k; A = tanh(Re QᵀK) + i·tanh(Im QᵀK) per head, without conjugation;
/// F⁻¹(W_w · (A·K)[w] / D²) at the frequencies index_q. q [B, T, D], k [B, S, D] -> [B, T, D].
/// Differentiable.
///
/// As in the public code, K also serves as the value, and the axes are scrambled as in fourier_block().
/// Indices as there.
[[nodiscard]] at::Tensor fourier_cross_block(const at::Tensor& q, const at::Tensor& k,
                                             const FourierWeights& weights, const at::Tensor& index_q,
                                             const at::Tensor& index_k);

/// DecompositionTransformer with sinusoidal positions and the blocks above: one for all encoder
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
