#pragma once
// t-SNE (van der Maaten & Hinton 2008) of all the points there are, never a sample of them: neighbours, a
// start, and a descent that can be watched, paused, continued, stopped and kept, or led on to new values of
// the same points. Free of LibTorch's headers.
//
//     p_j|i ∝ exp(−β_i |x_i − x_j|²) over the ⌊3 u⌋ nearest neighbours of i, β_i such that the entropy is ln
//     u p_ij  = (p_j|i + p_i|j) / 2n          q_ij = K_ij / Z,  K_ij = 1 / (1 + |y_i − y_j|²),  Z = Σ_{k≠l}
//     K_kl KL    = Σ p_ij ln(p_ij / q_ij)        ¼ ∂KL/∂y_i = Σ_j (p_ij − q_ij) K_ij (y_i − y_j)
//
// u is the perplexity. The descent is that of openTSNE: p is multiplied by the early exaggeration first, the
// step is the learning rate times ¼ ∂KL/∂y times a gain per coordinate, momentum is added, no point moves
// further than 5 at once, the centre stays at 0. docs/decisions/ says why it is done this way.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// How Σ_j q_ij K_ij (y_i − y_j) is computed.
enum class TsneMethod {
    automatic,  ///< exact for few points, else fft: by the number of points alone
    exact,      ///< every pair, float64: cost n² an iteration
    fft  ///< splines on a grid, convolved by FFT: cost n + grid; forces within 1e-3 (3-D: tsne_grid.cpp)
};

/// How the nearest neighbours are found.
enum class NeighbourMethod {
    automatic,  ///< exact
    exact,      ///< all distances by blocked matrix products, the nearest ones then exactly
    hnsw        ///< approximate (hnswlib), built by one thread and so deterministic: only on request
};

/// Settings of a t-SNE. The defaults are those of openTSNE 1.0 but for what is said.
struct TsneOptions {
    std::int64_t components = 2;     ///< 2 or 3
    double perplexity = 30;          ///< u ≥ 1; lowered to (n − 1) / 3 where there are too few points
    double early_exaggeration = 12;  ///< ≥ 1
    std::int64_t early_iterations = 250;   ///< the first so many iterations are exaggerated
    std::int64_t iterations = 750;         ///< in all, the exaggerated ones included
    double learning_rate = 0;              ///< 0: n / exaggeration in each phase
    double early_momentum = 0.5;           ///< during the exaggerated iterations (openTSNE 1.0: 0.8)
    double momentum = 0.8;                 ///< afterwards
    std::int64_t follow_iterations = 250;  ///< how many more follow() adds, unexaggerated
    std::int64_t seed = 0;                 ///< of the start's jitter, and of hnsw
    std::string device = "cpu";            ///< as `run.device`: "cpu", "cuda", "cuda:N", "auto"
    TsneMethod method = TsneMethod::automatic;
    NeighbourMethod neighbours = NeighbourMethod::automatic;
    /// [n, components] where to start, taken as it is, e.g. the layout of an earlier run of the same points;
    /// empty: the principal components, scaled so that the first has standard deviation 1e-4, with a jitter
    /// of 1 % of that (equal points must not stay equal for ever). A start of one's own usually goes with
    /// early_iterations = 0.
    std::vector<float> start;
};

/// Something about the data that the reader of a picture should know.
struct TsneNote {
    enum class Kind {
        perplexity_lowered,      ///< fewer than 3 u + 1 points
        duplicates,              ///< some points have the same values as others
        constant,                ///< all points have the same values: the picture shows chance alone
        approximate_neighbours,  ///< NeighbourMethod::hnsw was asked for
    };
    Kind kind = Kind::duplicates;
    std::string text;  ///< one sentence for the user
};

/// Everything that changes while a t-SNE runs: with the same values and options a Tsne that was given it
/// goes on with the same bits.
struct TsneState {
    std::int64_t iteration = 0;
    std::int64_t planned = 0;
    std::vector<double> points;    ///< [n, components]
    std::vector<double> velocity;  ///< [n, components] the last step
    std::vector<double> gains;     ///< [n, components]
};

/// TsneOptions::device for the picture of a run with `run_device` (its run.device): that device while no run
/// of this process has it and it has memory for so many points (64 KiB each, their values twice, and 2 GiB),
/// else "cpu". Any thread.
[[nodiscard]] std::string tsne_device(const std::string& run_device, std::int64_t rows,
                                      std::int64_t dimension);

/// One t-SNE of n points. Two of them share nothing; one of them is used by one thread at a time (LibTorch's
/// threads compute). Nothing runs between two calls: to pause is not to call advance(), to stop and keep is
/// to take result(). Deterministic on the CPU: the same values, options, processor type and number of threads
/// give the same bits, however the iterations are divided among calls.
class Tsne {
public:
    enum class Phase {
        unprepared,   ///< no neighbours yet
        exaggerated,  ///< within the early iterations
        free,         ///< after them
        finished      ///< all planned iterations done
    };

    /// `values` [n, d], finite (else an input Error that names the first bad row), n ≥ 1. Throws an input
    /// Error for options out of range, std::invalid_argument where sizes do not fit.
    Tsne(std::vector<float> values, std::int64_t rows, std::int64_t dimension, TsneOptions options);
    ~Tsne();
    Tsne(Tsne&&) noexcept;
    Tsne& operator=(Tsne&&) noexcept;
    Tsne(const Tsne&) = delete;
    Tsne& operator=(const Tsne&) = delete;

    /// Neighbours, p and the start. Stages of the progress: "Finding neighbours" (unit "points"). On a stop
    /// Cancelled is thrown within a fraction of a second and the object is as before. Does nothing when it
    /// has been done.
    void prepare(const ProgressFn& progress = {}, const std::stop_token& stop = {});

    /// Up to so many iterations, fewer where the plan ends (prepare() first where that was not done). On a
    /// stop returns after the iteration that is going on. Returns how many were done. Throws a run Error
    /// where the layout leaves the numbers (a learning rate far too high).
    std::int64_t advance(std::int64_t iterations, const std::stop_token& stop = {});

    /// Adds to the planned iterations.
    void extend(std::int64_t iterations);

    /// The same points have new values [n, d]: neighbours and p anew, and the layout moves on from where it
    /// is, without exaggeration, for options().follow_iterations more. Throws as the constructor and
    /// prepare(); on any of it the object is as before.
    void follow(std::vector<float> values, const ProgressFn& progress = {}, const std::stop_token& stop = {});

    [[nodiscard]] Phase phase() const;
    [[nodiscard]] std::int64_t iteration() const;  ///< done so far
    [[nodiscard]] std::int64_t planned() const;    ///< in all
    [[nodiscard]] std::int64_t rows() const;       ///< n
    [[nodiscard]] double perplexity() const;       ///< u as used
    [[nodiscard]] bool exact() const;              ///< repulsion from every pair (else by FFT)
    [[nodiscard]] const TsneOptions& options() const;
    [[nodiscard]] const std::vector<TsneNote>& notes() const;  ///< complete after prepare()

    /// The layout as it is [n, components], centred. Zeros before prepare().
    [[nodiscard]] std::vector<float> layout() const;

    /// KL divergence of the layout as it is, in nats, at exaggeration 1 whatever the phase. The sum goes over
    /// the stored p (neighbours), Z is that of the method (exact or interpolated): openTSNE's definition.
    /// Costs about one iteration. NaN before prepare() and for a single point.
    [[nodiscard]] double kl();

    [[nodiscard]] TsneState state() const;
    /// Goes on from `state`. Throws std::invalid_argument where it is not of this many points.
    void restore(const TsneState& state);

    /// For store::ArraysRecord: the layout with its KL, perplexity, iterations and seed; the rows are
    /// `anchors`, then `series`, then `prompts` many (std::invalid_argument where they are not n together).
    [[nodiscard]] store::EmbeddingLayout result(std::int64_t anchors, std::int64_t series,
                                                std::int64_t prompts);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// The whole of it in one call: anchors [V', d], series [n, d] and prompts [n, d] (any may be empty, not all)
/// in one picture. Progress: "Finding neighbours" (points), then "t-SNE" (iterations). Throws Cancelled on a
/// stop, otherwise as Tsne.
[[nodiscard]] store::EmbeddingLayout tsne(std::span<const float> anchors, std::span<const float> series,
                                          std::span<const float> prompts, std::int64_t dimension,
                                          const TsneOptions& options, const ProgressFn& progress = {},
                                          const std::stop_token& stop = {},
                                          std::vector<TsneNote>* notes = nullptr);

}  // namespace casp::analysis
