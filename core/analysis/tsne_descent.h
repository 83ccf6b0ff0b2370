#pragma once
// Iterative part of t-SNE: gradient and step.

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/tsne_affinities.h"
#include "analysis/tsne_grid.h"

namespace casp::analysis {

/// Layout of n points under attraction by p and mutual repulsion. Identical bits for any number of threads,
/// provided that LibTorch's FFT is deterministic.
class TsneDescent {
public:
    /// `exact`: repulsion of every pair, O(n²); else on a grid (tsne_grid.h).
    TsneDescent(TsneAffinities affinities, int components, bool exact);

    /// Layout [n, components], at rest.
    void set(std::vector<double> points);
    [[nodiscard]] const std::vector<double>& points() const { return y_; }

    /// One iteration; false if the layout became non-finite.
    bool step(double exaggeration, double learning_rate, double momentum);

    /// ¼ ∂KL/∂y [n, components], with p multiplied by `exaggeration`.
    [[nodiscard]] std::vector<double> gradient(double exaggeration);

    /// Σ p ln(p / q) over the stored p.
    [[nodiscard]] double kl();

private:
    TsneAffinities affinities_;
    std::int64_t n_;
    int components_;
    std::unique_ptr<RepulsionGrid> grid_;  ///< null: exact
    std::vector<double> y_, velocity_, gains_, force_, columns_, sums_;
    std::vector<float> near_;  ///< y in float32

    [[nodiscard]] std::size_t cell(std::int64_t i, int c) const {
        return static_cast<std::size_t>(i * components_ + c);
    }
    template <class Use>
    void each_portion(Use use) const;
    double repel();
    void finish_gradient(std::int64_t begin, std::int64_t end, double exaggeration, double z);
};

}  // namespace casp::analysis
