#pragma once
// Random numbers that depend on nothing but their seed.
//
// Every consumer (a weight's initial values, the order of an epoch, the dropout of a step) gets a generator
// of its own, derived from `train.seed` and what it is for. So nothing depends on λ_cov, on the global
// generator, on the number of threads or on what else the process does, and no generator state has to be
// stored for a resume: the step and the epoch say it all.

#include <cstdint>
#include <string_view>

#include <ATen/core/Generator.h>

namespace casp {

/// A well mixed 64-bit number from a seed and a purpose ("order/epoch", "in_layer.weight", ...) with an
/// optional counter.
[[nodiscard]] std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose,
                                        std::uint64_t counter = 0);

/// A CPU generator of its own.
[[nodiscard]] at::Generator make_generator(std::uint64_t seed);

/// A generator of the device's kind of its own, also on a GPU; the process-wide one stays untouched.
[[nodiscard]] at::Generator device_generator(const c10::Device& device, std::uint64_t seed);

/// One step of a 64-bit mixer (SplitMix64's finaliser).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace casp
