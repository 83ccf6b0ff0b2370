#pragma once
// Random generators derived from the seed and a purpose only.
//
// Every consumer (a weight's initial values, the order of an epoch, the dropout of a step) uses a separate
// generator derived from `train.seed` and its purpose. Results therefore do not depend on λ_cov, the global
// generator, the number of threads or other work in the process, and a checkpoint stores no generator state:
// epoch and step determine it.

#include <cstdint>
#include <string_view>

#include <ATen/core/Generator.h>

#include "util/mix.h"

namespace casp {

/// A mixed 64-bit seed for a purpose ("order/epoch", "in_layer.weight", ...) with an optional counter.
[[nodiscard]] std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose,
                                        std::uint64_t counter = 0);

/// A new CPU generator.
[[nodiscard]] at::Generator make_generator(std::uint64_t seed);

/// A new generator for `device`, CPU or GPU; the process-wide generator is not changed.
[[nodiscard]] at::Generator device_generator(const c10::Device& device, std::uint64_t seed);

}  // namespace casp
