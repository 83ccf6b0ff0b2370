#pragma once
// Dropout without stored masks.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// The random numbers of one training step: a sequence of keys, one per use of dropout.
///
/// Stateless beyond the step: DropoutStream(seed of the run, step) gives the same keys again, so a resumed
/// run repeats the masks bit by bit, and masks do not depend on the number of threads.
class DropoutStream {
public:
    DropoutStream(std::uint64_t seed, std::int64_t step);
    /// The key of the next use.
    [[nodiscard]] std::uint64_t next();

private:
    std::uint64_t state_;
    std::uint64_t counter_ = 0;
};

/// Inverted dropout: each element of x is zeroed with probability p, the others are scaled by 1/(1-p).
/// Differentiable. x: any shape, fp32 or bf16; p in [0, 1).
///
/// On the CPU the mask is a keyed hash of the element's index, computed again in the backward pass instead of
/// stored. (ATen's Philox generator is serial there and takes 40 % of a forward pass of GPT-2.) On CUDA,
/// LibTorch's fused kernel draws from a generator seeded with `key` and stores a byte mask.
[[nodiscard]] at::Tensor dropout(const at::Tensor& x, double p, std::uint64_t key);

/// Dropout inside a step whose backward pass computes its values again instead of storing them.
class SliceDropout {
public:
    SliceDropout(double p, std::uint64_t key) : p_(p), key_(key) {}

    /// The values (dense) after dropout; the same mask whenever p, key and shape are the same. p = 0: as they
    /// are.
    [[nodiscard]] at::Tensor apply(const at::Tensor& values);
    /// The gradient before dropout; after apply() to values of this shape.
    [[nodiscard]] at::Tensor gradient(const at::Tensor& values) const;

private:
    double p_;
    std::uint64_t key_;
    at::Tensor mask_;  ///< on a GPU
};

/// x times the mask of (p, key), dense: the raw operation behind dropout(), one pass without a copy of x
/// first. CPU, fp32 or bf16.
[[nodiscard]] at::Tensor dropout_masked(const at::Tensor& x, double p, std::uint64_t key);

}  // namespace casp::model
