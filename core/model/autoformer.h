#pragma once
// Autoformer (Wu et al. 2021): series decomposition and auto-correlation.

#include "model/decomposition_transformer.h"

namespace casp::model {

/// DecompositionTransformer with auto_correlation() of all heads together, whose delays they share. n_heads,
/// which must divide D, therefore has no effect. (In the public code one that does not divide it narrows the
/// projections.)
///
/// As there: embeddings without positions, and auto-correlation without dropout. In cross attention the
/// encoder's first label_len + H rows are used, or zeros follow them.
class Autoformer : public DecompositionTransformer {
public:
    /// `channels`: M of a batch.
    Autoformer(const config::Config& config, std::int64_t channels);

private:
    [[nodiscard]] at::Tensor mix(Place place, const std::string& layer, const at::Tensor& x,
                                 const at::Tensor& memory, const TrainingStep* step) const override;

    std::int64_t factor_;  ///< see delay_count()
};

}  // namespace casp::model
