#pragma once
// The part of t-SNE that repeats: gradient and step, on the CPU or on another device of LibTorch.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/tsne.h"
#include "analysis/tsne_affinities.h"

namespace casp::analysis {

/// Layout, velocity and gains of n points that are attracted by p and repel each other.
class TsneDescent {
public:
    virtual ~TsneDescent() = default;

    /// Points, velocity and gains (each [n, components]); iteration and plan are the caller's.
    virtual void set(const TsneState& state) = 0;
    virtual void get(TsneState& state) const = 0;

    /// One iteration; false where the layout has left the finite numbers.
    virtual bool step(double exaggeration, double learning_rate, double momentum) = 0;

    /// ¼ ∂KL/∂y [n, components] with p times `exaggeration`.
    [[nodiscard]] virtual std::vector<double> gradient(double exaggeration) = 0;

    /// Σ p ln(p / q) over the stored p.
    [[nodiscard]] virtual double kl() = 0;

protected:
    TsneDescent() = default;
    TsneDescent(const TsneDescent&) = default;
    TsneDescent& operator=(const TsneDescent&) = default;
};

/// On the CPU, by loops of our own: the same bits for any number of threads as far as LibTorch's FFT gives
/// them.
[[nodiscard]] std::unique_ptr<TsneDescent> make_cpu_descent(TsneAffinities affinities, int components,
                                                            bool exact);

/// By tensor operations on any device ("cpu" to test it): sums over rows in a fixed order, spreading in whole
/// numbers, so that atomic additions cannot change a bit.
[[nodiscard]] std::unique_ptr<TsneDescent> make_device_descent(const std::string& device,
                                                               const TsneAffinities& affinities,
                                                               int components, bool exact);

}  // namespace casp::analysis
