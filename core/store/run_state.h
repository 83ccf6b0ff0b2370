#pragma once
// The states of a run, as `run.json`, `run.h5` and `results.csv` spell them.

#include <optional>
#include <string_view>

namespace casp::store {

enum class RunState { queued, running, finished, finished_early, cancelled, interrupted, failed };

/// "queued", "running", "finished", "finished_early", "cancelled", "interrupted" or "failed".
[[nodiscard]] std::string_view to_string(RunState state) noexcept;

/// The state of that name, or nothing.
[[nodiscard]] std::optional<RunState> run_state_from(std::string_view text) noexcept;

/// True for `finished` and `finished_early`: such a run was evaluated and is skipped by a batch. Means count
/// finished ones alone.
[[nodiscard]] bool is_complete(RunState state) noexcept;

}  // namespace casp::store
