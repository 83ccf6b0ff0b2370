#include "util/random.h"

#include <torch/torch.h>

namespace casp {

std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t counter) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a of the purpose, then mixed with seed and counter
    for (const char c : purpose) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash = mix64(hash + 0x9e3779b97f4a7c15ULL * (seed + 1));
    return mix64(hash + 0x9e3779b97f4a7c15ULL * (counter + 1));
}

at::Generator make_generator(std::uint64_t seed) { return at::detail::createCPUGenerator(seed); }

at::Generator device_generator(const c10::Device& device, std::uint64_t seed) {
    // LibTorch has no public constructor by device: clone the default generator and seed the copy.
    auto generator = at::globalContext().defaultGenerator(device).clone();
    generator.set_current_seed(seed);
    return generator;
}

}  // namespace casp
