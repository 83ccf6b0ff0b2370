#pragma once
// t-SNE (van der Maaten & Hinton 2008) of all points, without sampling: neighbours, initial layout, and a
// gradient descent that can be watched, paused, resumed, stopped with its layout kept, or continued with new
// values of the same points. Does not include LibTorch's headers.
//
//     p_j|i ∝ exp(−β_i |x_i − x_j|²) over the ⌊3 u⌋ nearest neighbours of i, entropy of p_·|i = ln u
//     p_ij = (p_j|i + p_i|j) / 2n
//     q_ij = K_ij / Z,  K_ij = 1 / (1 + |y_i − y_j|²),  Z = Σ_{k≠l} K_kl
//     KL = Σ p_ij ln(p_ij / q_ij)
//     ¼ ∂KL/∂y_i = Σ_j (p_ij − q_ij) K_ij (y_i − y_j)
//
// u is the perplexity. The descent is that of openTSNE: p is multiplied by the early exaggeration first, the
// step is the learning rate times ¼ ∂KL/∂y times a gain per coordinate, momentum is added, no point moves
// further than 5 at once, the centre stays at 0. Reasons: docs/decisions/0009-tsne.md.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "store/embeddings.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::analysis {

class TsneDescent;

/// Computation of the repulsion Σ_j q_ij K_ij (y_i − y_j).
enum class TsneMethod {
    automatic,  ///< exact for few points, else fft; depends only on the number of points
    exact,      ///< every pair, float64: O(n²) per iteration
    fft  ///< splines on a grid, convolved by FFT: O(n + grid); forces within 1e-3 (3-D: tsne_descent.cpp)
};

/// Settings of a t-SNE. Defaults are those of openTSNE 1.0 unless noted.
struct TsneOptions {
    std::int64_t components = 2;           ///< 2 or 3
    double perplexity = 30;                ///< u ≥ 1; reduced to (n − 1) / 3 if there are too few points
    double early_exaggeration = 12;        ///< ≥ 1
    std::int64_t early_iterations = 250;   ///< number of initial iterations with exaggeration
    std::int64_t iterations = 750;         ///< total number, including the exaggerated ones
    double learning_rate = 0;              ///< 0: n / exaggeration in each phase
    double early_momentum = 0.5;           ///< during the exaggerated iterations (openTSNE 1.0: 0.8)
    double momentum = 0.8;                 ///< afterwards
    std::int64_t follow_iterations = 250;  ///< iterations added by follow(), without exaggeration
    std::int64_t seed = 0;                 ///< for the jitter of the initial layout
    TsneMethod method = TsneMethod::automatic;
    /// [n, components] initial layout, used unchanged, e.g. the layout of an earlier run of the same points.
    /// Empty: principal components, scaled to a standard deviation of 1e-4 of the first, plus a jitter of 1 %
    /// of that (which separates equal points). With a given layout, usually early_iterations = 0.
    std::vector<float> start;
};

/// One t-SNE of n points. Objects are independent; each is used by one thread at a time (computes on
/// LibTorch's threads). Nothing runs between calls: to pause, do not call advance(); to stop and keep the
/// layout, call result(). Deterministic: equal values, options, processor type and number of
/// threads give identical bits, for any division of the iterations among calls.
class Tsne {
public:
    /// `values`: [n, d], finite (otherwise an input Error with the first bad point), n ≥ 1. Throws an input
    /// Error for options out of range, and std::invalid_argument for inconsistent sizes.
    Tsne(std::vector<float> values, std::int64_t rows, std::int64_t dimension, TsneOptions options);
    ~Tsne();
    Tsne(Tsne&&) noexcept;
    Tsne& operator=(Tsne&&) noexcept;
    Tsne(const Tsne&) = delete;
    Tsne& operator=(const Tsne&) = delete;

    /// Computes neighbours, p and the initial layout; no effect if already done. Progress: "Finding
    /// neighbours" (points). On a stop request throws Cancelled within a fraction of a second, leaving the
    /// object unchanged.
    void prepare(const ProgressFn& progress = {}, const std::stop_token& stop = {});

    /// Runs up to `iterations` iterations within the plan, after prepare() if necessary; returns their
    /// number. A stop request takes effect after the current iteration. Throws a run Error if the layout
    /// becomes non-finite (learning rate far too high).
    std::int64_t advance(std::int64_t iterations, const std::stop_token& stop = {});

    /// Replaces the values [n, d] of the same points: recomputes neighbours and p, and continues from the
    /// current layout without exaggeration for options().follow_iterations more. Throws as the constructor
    /// and prepare(), leaving the object unchanged.
    void follow(std::vector<float> values, const ProgressFn& progress = {}, const std::stop_token& stop = {});

    [[nodiscard]] bool is_finished() const { return descent_ && iteration_ >= planned_; }
    [[nodiscard]] std::int64_t iteration() const { return iteration_; }  ///< iterations done
    [[nodiscard]] std::int64_t planned() const { return planned_; }      ///< total number of iterations
    [[nodiscard]] std::int64_t rows() const { return n_; }               ///< n
    [[nodiscard]] double perplexity() const { return perplexity_; }      ///< u as used
    [[nodiscard]] bool exact() const;  ///< repulsion from every pair (else by FFT)
    [[nodiscard]] const TsneOptions& options() const { return options_; }
    /// Sentences for readers of the layout: perplexity lowered, duplicates, all points equal. Complete after
    /// prepare().
    [[nodiscard]] const std::vector<Phrase>& notes() const { return notes_; }

    /// Current layout [n, components], centred. Zeros before prepare().
    [[nodiscard]] std::vector<float> layout() const;

    /// KL divergence of the current layout in nats, at exaggeration 1 in any phase. The sum is over the
    /// stored p (neighbours), Z is that of the method (exact or interpolated), as in openTSNE. Costs about
    /// one iteration. NaN before prepare() and for a single point.
    [[nodiscard]] double kl();

    /// Layout for store::ArraysRecord, with KL, perplexity, iterations and seed. The rows are `anchors`
    /// anchors, then `series` series, then `prompts` prompts; throws std::invalid_argument if their sum is
    /// not n.
    [[nodiscard]] store::EmbeddingLayout result(std::int64_t anchors, std::int64_t series,
                                                std::int64_t prompts);

private:
    std::vector<float> values_;  ///< [n, d]
    std::int64_t n_ = 0, dimension_ = 0;
    TsneOptions options_;
    double perplexity_ = 0;
    std::int64_t iteration_ = 0, planned_ = 0;
    std::vector<Phrase> notes_;
    std::unique_ptr<TsneDescent> descent_;  ///< null before prepare()

    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(n_ * options_.components); }
    [[nodiscard]] std::unique_ptr<TsneDescent> make_descent(const std::vector<float>& data,
                                                            std::vector<Phrase>& said,
                                                            const ProgressFn& progress,
                                                            const std::stop_token& stop) const;
    [[nodiscard]] std::vector<double> first_layout(const std::stop_token& stop) const;
};

/// Complete t-SNE of anchors [V', d], series [n, d] and prompts [n, d] (any may be empty, but not all) in one
/// layout. Progress: "Finding neighbours" (points), then "t-SNE" (iterations). Throws Cancelled on a stop
/// request; otherwise as Tsne.
[[nodiscard]] store::EmbeddingLayout tsne(std::span<const float> anchors, std::span<const float> series,
                                          std::span<const float> prompts, std::int64_t dimension,
                                          const TsneOptions& options, const ProgressFn& progress = {},
                                          const std::stop_token& stop = {});

}  // namespace casp::analysis
