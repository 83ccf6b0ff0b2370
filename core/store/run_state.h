#pragma once
// States of a run, with their names in `run.json`, `run.h5` and `results.csv`.

#include <optional>
#include <string_view>

namespace casp::store {

enum class RunState { queued, running, finished, finished_early, cancelled, interrupted, failed };

/// "queued", "running", "finished", "finished_early", "cancelled", "interrupted" or "failed".
[[nodiscard]] std::string_view to_string(RunState state) noexcept;

/// The state with that name, or nothing.
[[nodiscard]] std::optional<RunState> run_state_from(std::string_view text) noexcept;

/// True for `finished` and `finished_early`: the run was evaluated, and a batch skips it. Means include only
/// finished runs.
[[nodiscard]] bool is_complete(RunState state) noexcept;

}  // namespace casp::store
