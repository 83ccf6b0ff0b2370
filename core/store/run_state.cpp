#include "store/run_state.h"

#include <array>
#include <utility>

namespace casp::store {

namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 7> state_names{
    {{RunState::queued, "queued"},
     {RunState::running, "running"},
     {RunState::finished, "finished"},
     {RunState::finished_early, "finished_early"},
     {RunState::cancelled, "cancelled"},
     {RunState::interrupted, "interrupted"},
     {RunState::failed, "failed"}}};

}  // namespace

std::string_view to_string(RunState state) noexcept {
    for (const auto& [value, name] : state_names)
        if (value == state) return name;
    return "failed";
}

std::optional<RunState> run_state_from(std::string_view text) noexcept {
    for (const auto& [value, name] : state_names)
        if (name == text) return value;
    return std::nullopt;
}

bool is_complete(RunState state) noexcept {
    return state == RunState::finished || state == RunState::finished_early;
}

}  // namespace casp::store
