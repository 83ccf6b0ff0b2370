#pragma once
// Iterative part of t-SNE: gradient and step, on the CPU or another LibTorch device.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/tsne.h"
#include "analysis/tsne_affinities.h"

namespace casp::analysis {

/// Layout, velocity and gains of n points under attraction by p and mutual repulsion.
class TsneDescent {
public:
    virtual ~TsneDescent() = default;

    /// Points, velocity and gains, each [n, components]; `iteration` and `planned` are left to the caller.
    virtual void set(const TsneState& state) = 0;
    virtual void get(TsneState& state) const = 0;

    /// One iteration; false if the layout became non-finite.
    virtual bool step(double exaggeration, double learning_rate, double momentum) = 0;

    /// ¼ ∂KL/∂y [n, components], with p multiplied by `exaggeration`.
    [[nodiscard]] virtual std::vector<double> gradient(double exaggeration) = 0;

    /// Σ p ln(p / q) over the stored p.
    [[nodiscard]] virtual double kl() = 0;

protected:
    TsneDescent() = default;
    TsneDescent(const TsneDescent&) = default;
    TsneDescent& operator=(const TsneDescent&) = default;
};

/// Descent on the CPU; identical bits for any number of threads, provided that LibTorch's FFT is
/// deterministic.
[[nodiscard]] std::unique_ptr<TsneDescent> make_cpu_descent(TsneAffinities affinities, int components,
                                                            bool exact);

/// Descent by tensor operations on any device ("cpu" for tests). Deterministic: sums over rows are in fixed
/// order, and spreading uses integers, for which the order of atomic additions does not matter.
[[nodiscard]] std::unique_ptr<TsneDescent> make_device_descent(const std::string& device,
                                                               const TsneAffinities& affinities,
                                                               int components, bool exact);

}  // namespace casp::analysis
