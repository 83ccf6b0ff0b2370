#pragma once
// p of t-SNE: conditional probabilities of a given perplexity over nearest neighbours, made symmetric.

#include <cstdint>
#include <vector>

#include "analysis/neighbours.h"
#include "analysis/tsne_kernels.h"

namespace casp::analysis {

/// p_ij as padded rows (see kernels::Affinities), columns ascending, Σ p = 1.
struct TsneAffinities {
    std::vector<std::int64_t> first;   ///< [n + 1]
    std::vector<std::int32_t> column;  ///< [first[n]]
    std::vector<float> p;              ///< [first[n]]

    [[nodiscard]] kernels::Affinities view() const { return {first.data(), column.data(), p.data()}; }
};

/// exp(−β d²) normalised over one row of k squared distances into `p` [k], β ≥ 0 such that the entropy is
/// ln perplexity to 1e-10: Newton's method on ln β within a bracket. Where more than `perplexity` neighbours
/// are equally near, no β reaches it and p is even among those; likewise for perplexity ≥ k.
void conditional_probabilities(const float* squares, std::int64_t k, double perplexity, double* p);

/// Any thread. Free of chance; the same bits for any number of threads.
[[nodiscard]] TsneAffinities tsne_affinities(const Neighbours& neighbours, double perplexity);

}  // namespace casp::analysis
