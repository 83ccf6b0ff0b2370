#include "audit/shards.h"

#include <algorithm>

#include "data/describe.h"

namespace casp::audit {

namespace {

using data::with_commas;

constexpr std::int64_t most_processes = 64;

/// The number of processes of which each has one such block, as chunks of the same size (the last one
/// smaller) or of sizes that differ by one; 0: none.
std::int64_t processes_of(const Shard& block) {
    for (std::int64_t k = 2; k <= most_processes && k <= block.total; ++k) {
        const auto small = block.total / k, large = (block.total + k - 1) / k;
        const auto longer = block.total % k;  // of blocks of sizes that differ by one, those at the beginning
        for (std::int64_t rank = 0; rank < k; ++rank) {
            const auto chunk = std::min(large, block.total - rank * large);
            const auto even = rank * small + std::min(rank, longer);
            if ((block.first == rank * large && block.count == chunk) ||
                (block.first == even && block.count == small + (rank < longer ? 1 : 0)) ||
                (block.first == rank * small && block.count == small))
                return k;
        }
    }
    return 0;
}

}  // namespace

std::optional<Shard> shard_of(const std::vector<std::int64_t>& windows, std::int64_t total) {
    if (windows.size() < 2 || std::ssize(windows) >= total) return {};
    const Shard shard{windows[0], windows[1] - windows[0], std::ssize(windows), total};
    if (shard.step < 1) return {};
    for (std::int64_t i = 0; i < shard.count; ++i)
        if (windows[static_cast<std::size_t>(i)] != (shard.first + i * shard.step) % total) return {};
    if (shard.step == 1) {
        const bool wraps = shard.first + shard.count > total;
        return !wraps && processes_of(shard) > 0 ? std::optional(shard) : std::nullopt;
    }
    // Nearly all that this part has, so that a dropped last batch of it is no other pattern.
    return shard.first < shard.step && 2 * shard.count * shard.step > total ? std::optional(shard)
                                                                            : std::nullopt;
}

std::string share_text(const Shard& shard) {
    const std::string from = " processes (join the arrays of all)";
    if (shard.step > 1)
        return "only one in " + with_commas(shard.step) + " is there (numbers " + with_commas(shard.first) +
               ", " + with_commas(shard.first + shard.step) + ", …), the part of one of " +
               with_commas(shard.step) + from + " or a window stride of " + with_commas(shard.step);
    const auto k = processes_of(shard);
    return "only numbers " + with_commas(shard.first) + " to " + with_commas(shard.first + shard.count - 1) +
           " are there" + (k > 0 ? ", the part of one of " + std::to_string(k) + from : "");
}

std::int64_t processes_with(std::int64_t count, std::int64_t total) {
    for (std::int64_t k = 2; k <= most_processes; ++k)
        if (count == total / k || count == (total + k - 1) / k) return k;
    return 0;
}

}  // namespace casp::audit
