#pragma once
// Settings of [scheduler] in an experiment file: of the jobs that run an experiment on a cluster, not of its
// runs. Thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.h"
#include "config/options.h"

namespace casp::config {

inline constexpr const char* scheduler_table = "scheduler";

/// The settings with their values; scheduler.def has the help.
struct SchedulerSettings {
#define CASP_OPTION(type, key, default_value, limits, unit, symbol, help) type key = default_value;
#include "config/scheduler.def"
#undef CASP_OPTION
    bool operator==(const SchedulerSettings&) const = default;
};

/// The settings in the order of scheduler.def. `get` and `assign` are null: no Config has them.
[[nodiscard]] const std::vector<OptionSpec>& scheduler_options();

/// The setting of that key ("scheduler.time"), or nullptr.
[[nodiscard]] const OptionSpec* find_scheduler_option(std::string_view key);

/// Whether the key begins with "scheduler.".
[[nodiscard]] bool is_scheduler_key(std::string_view key);

/// The valid key most like `key`, or "".
[[nodiscard]] std::string nearest_scheduler_key(const std::string& key);

/// The defaults with the given settings, which have been checked (Experiment::scheduler).
[[nodiscard]] SchedulerSettings scheduler_settings(const std::vector<Assignment>& given);

/// Settings that are not the defaults, as Experiment::scheduler.
[[nodiscard]] std::vector<Assignment> assignments_of(const SchedulerSettings& settings);

/// The settings as the table [scheduler] of TOML; "" without any.
[[nodiscard]] std::string scheduler_to_toml(const std::vector<Assignment>& given);

}  // namespace casp::config
