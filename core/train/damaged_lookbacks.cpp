#include "train/damaged_lookbacks.h"

#include <vector>

#include <torch/torch.h>

#include "util/random.h"

namespace casp::train {

namespace {

/// A random order of the rows of each window, [B, L] int64.
at::Tensor row_orders(std::int64_t windows, std::int64_t length, std::uint64_t seed, std::int64_t first) {
    std::vector<at::Tensor> orders;
    for (std::int64_t i = 0; i < windows; ++i)
        orders.push_back(at::randperm(
            length,
            make_generator(derive_seed(seed, "damaged look-back", static_cast<std::uint64_t>(first + i))),
            at::TensorOptions(at::kLong)));
    return at::stack(orders);
}

}  // namespace

at::Tensor damaged(const at::Tensor& lookback, Damage damage, std::uint64_t seed, std::int64_t first) {
    const auto length = lookback.size(1), half = length / 2;
    if (damage == Damage::exchanged) return at::cat({lookback.slice(1, half), lookback.slice(1, 0, half)}, 1);
    const auto order = row_orders(lookback.size(0), length, seed, first).to(lookback.device());
    if (damage == Damage::shuffled) return lookback.gather(1, order.unsqueeze(2).expand(lookback.sizes()));
    const auto masked = order.slice(1, 0, half).unsqueeze(2).expand({-1, -1, lookback.size(2)});
    return lookback.scatter(1, masked, 0.0);
}

}  // namespace casp::train
