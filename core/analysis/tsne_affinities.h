#pragma once
// Symmetric affinities p of t-SNE over nearest neighbours, at a given perplexity.

#include <cstdint>
#include <vector>

#include "analysis/neighbours.h"

namespace casp::analysis {

/// p_ij in rows: entries first[i] … first[i + 1] − 1 of column and p belong to row i; columns ascending, Σ p
/// =
/// 1. Each row is padded to a multiple of 16 with p = 0 in column i, which does not change sums.
struct TsneAffinities {
    std::vector<std::int64_t> first;   ///< [n + 1]
    std::vector<std::int32_t> column;  ///< [first[n]]
    std::vector<float> p;              ///< [first[n]]
};

/// Conditional probabilities exp(−β d²), normalised over one row of k squared distances, into `p` [k]; β ≥ 0
/// such that the entropy is ln perplexity to 1e-10 (Newton's method on ln β within a bracket). If more than
/// `perplexity` neighbours are equally near, no β reaches that and p is uniform over them; likewise for
/// perplexity ≥ k.
void conditional_probabilities(const float* squares, std::int64_t k, double perplexity, double* p);

/// Affinities for all points. Thread-safe; identical bits for any number of threads.
[[nodiscard]] TsneAffinities tsne_affinities(const Neighbours& neighbours, double perplexity);

}  // namespace casp::analysis
