#include "model/anchor_replacement.h"

#include <torch/torch.h>

#include "util/random.h"

namespace casp::model {

namespace {

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;

/// 64 bits as the int64 that LibTorch has; its arithmetic wraps around like uint64's.
std::int64_t signed_bits(std::uint64_t x) { return static_cast<std::int64_t>(x); }

/// x ^ (x >> bits), in place, with zeros shifted in: LibTorch's shift repeats the sign.
void fold(at::Tensor& x, int bits) {
    x.bitwise_xor_(at::bitwise_right_shift(x, bits).bitwise_and_(signed_bits(~std::uint64_t{0} >> bits)));
}

/// casp::mix64 of every element.
at::Tensor mixed(at::Tensor x) {
    fold(x, 30);
    x.mul_(signed_bits(0xbf58476d1ce4e5b9ULL));
    fold(x, 27);
    x.mul_(signed_bits(0x94d049bb133111ebULL));
    fold(x, 31);
    return x;
}

/// golden_ratio · (1, 2, …, n), modulo 2^64.
at::Tensor counters(std::int64_t n, const at::Device& device) {
    return at::arange(1, n + 1, at::TensorOptions(at::kLong).device(device)).mul_(signed_bits(golden_ratio));
}

}  // namespace

at::Tensor anchor_permutation(std::int64_t pool_size, std::uint64_t seed) {
    const auto key = signed_bits(derive_seed(seed, "shuffled anchors"));
    return at::argsort(mixed(counters(pool_size, at::kCPU).add_(key)), 0, /*descending=*/true);
}

at::Tensor random_anchors(const at::Tensor& rows, std::int64_t k, std::int64_t pool_size, std::uint64_t seed,
                          std::optional<std::int64_t> step) {
    const torch::NoGradGuard no_gradient;
    const auto key =
        derive_seed(seed, "random anchors", step ? static_cast<std::uint64_t>(*step) + 1 : std::uint64_t{0});
    const auto bits =
        rows.detach().contiguous().view(at::kInt).to(at::kLong).bitwise_and_(signed_bits(0xffffffffULL));
    const auto content = mixed(bits + counters(rows.size(1), rows.device())).sum(1, true);
    const auto row_keys = mixed(content.bitwise_xor(signed_bits(key)));
    // mix64 is a bijection, so a row's hashes differ and their order has no ties.
    const auto hashes = mixed(row_keys + counters(pool_size, rows.device()));
    return std::get<1>(at::topk(hashes, k, 1, /*largest=*/true, /*sorted=*/true));
}

}  // namespace casp::model
