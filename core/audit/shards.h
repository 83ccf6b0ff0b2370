#pragma once
// The part of one of several processes: every k-th window, or consecutive ones.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace casp::audit {

/// The windows first, first + step, … of all windows; a distributed sampler goes on with window 0 after the
/// last one, so that all parts have the same size.
struct Shard {
    std::int64_t first = 0, step = 1, count = 0, total = 0;
};

/// The shard that windows with these numbers, in this order, are; nothing for all windows, for few of them,
/// and for other patterns.
[[nodiscard]] std::optional<Shard> shard_of(const std::vector<std::int64_t>& windows, std::int64_t total);

/// "only one in 2 is there (numbers 1, 3, …), the part of one of 2 processes …".
[[nodiscard]] std::string share_text(const Shard& shard);

/// The number of processes of which each has this number of windows; 0: none.
[[nodiscard]] std::int64_t processes_with(std::int64_t count, std::int64_t total);

}  // namespace casp::audit
