#pragma once
// Mixing function of counter-based random numbers. Without LibTorch.

#include <cstdint>

namespace casp {

/// SplitMix64's finaliser, without its increment.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace casp
