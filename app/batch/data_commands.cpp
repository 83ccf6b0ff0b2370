#include "batch/data_commands.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "batch/console.h"
#include "config/experiment.h"
#include "data/catalog.h"
#include "data/csv_settings.h"
#include "data/describe.h"
#include "data/known_data.h"
#include "data/missing.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "data/series_collection.h"
#include "data/split.h"
#include "data/table_checks.h"
#include "fetch/conversion.h"
#include "fetch/cuda_libraries.h"
#include "fetch/fetch.h"
#include "util/error.h"

namespace casp::batch {

namespace fs = std::filesystem;

namespace {

/// Without data.horizon in --set, the horizon is that of the test values.
std::string collection_text(const fs::path& path, const config::Config& config, const CommandLine& line,
                            TextConsole& console, const std::stop_token& stop) {
    const bool has_horizon = std::ranges::any_of(
        line.sets, [](const std::string& set) { return set.starts_with("data.horizon"); });
    const auto missing = data::parse_missing_policy(config.data.missing);
    data::CollectionOptions options{.frequency = config.data.frequency,
                                    .horizon = has_horizon ? config.data.horizon : 0,
                                    .csv = data::csv_options(config),
                                    .columns = config.data.columns};
    if (missing != data::MissingPolicy::error) options.missing = missing;
    const auto collection = data::read_collection(path, options, console.progress(), stop);
    return data::describe(*collection, data::m4_entry(*collection), config.data.m4_stopping);
}

}  // namespace

std::string describe_text(const CommandLine& line, const std::stop_token& stop) {
    // A description needs no model: none of its settings may contradict a short or long look-back.
    std::vector<std::string> sets{"model.name=\"naive\""};
    sets.insert(sets.end(), line.sets.begin(), line.sets.end());
    const auto config = config::load_text("", "--set", fs::current_path(), sets).base;
    const auto path = data::resolve_data_path(line.target);
    TextConsole console;
    if (!config.data.frequency.empty() || data::is_collection(path))
        return collection_text(path, config, line, console, stop);
    auto table = *data::read_table(path, data::csv_options(config), console.progress(), stop);
    const auto known = data::known_data(table);
    const auto* entry = known.entry;
    if (!known.doubt.empty()) table.warnings.push_back({data::WarningKind::catalog, 0, {}, 1, known.doubt});
    std::optional<data::SplitPlan> plan;
    std::string no_plan;
    try {
        plan = data::plan_split(config, entry, table.rows(), {table.time, table.step.local});
    } catch (const Error& problem) {
        no_plan = problem.what();
    }
    std::vector<std::int64_t> targets;
    try {
        table = data::apply_missing_policy(
            table,
            {data::parse_missing_policy(config.data.missing), config.data.sentinels, config.data.columns},
            plan ? plan->scaler_rows : 0);
        targets = data::find_targets(table, config);
    } catch (const Error& problem) {
        // The description must include why the policy rejects the file.
        data::Warning warning;
        warning.kind = data::WarningKind::policy;
        warning.text = problem.what();
        table.warnings.push_back(warning);
    }
    if (plan) data::check_training_rows(table, plan->scaler_rows);
    return data::describe(table, plan ? &*plan : nullptr, known, no_plan, targets);
}

std::string convert(const CommandLine& line, const std::stop_token& stop) {
    std::vector<std::string> sets{"model.name=\"python\""};
    sets.insert(sets.end(), line.sets.begin(), line.sets.end());
    const auto config = config::load_text("", "--set", fs::current_path(), sets).base;
    const auto conversion = fetch::conversion_of(line.target, line.out);
    TextConsole().line(fetch::convert(conversion, config.python.interpreter, stop));
    return conversion.out.string();
}

std::string catalog_text() {
    std::string text;
    for (const auto& entry : data::catalog()) {
        if (entry.kind == "series-test") continue;  // fetched with the training values
        const auto rows = data::with_commas(entry.rows);
        const auto size = entry.kind == "series" ? rows + " series"
                          : entry.rows > 0       ? fmt::format("{} rows × {} channels", rows, entry.channels)
                                                 : std::string("–");
        text += fmt::format("{:<12} {:<9} {:<32} {:<11} {}\n", entry.name, entry.kind, size,
                            entry.step_seconds > 0 ? data::frequency_name(entry.step_seconds).english() : "",
                            fs::exists(data::catalog_path(entry.name)) ? "in the cache"
                            : entry.address.empty()                    ? "manually: " + entry.home
                                                                       : "--fetch " + entry.name);
    }
    return text;
}

std::string fetch(const CommandLine& line, std::stop_token stop) {
    TextConsole console;
    const auto progress = console.progress();
    const auto note = [&](const std::string& text) { console.line(text); };
    if (line.target == "cuda") {
        if (!line.to.empty())
            throw input_error("--to", "CUDA's libraries have one folder, " + fetch::cuda_folder().string(),
                              {}, "Set XDG_CACHE_HOME to move all caches.");
        return fetch::fetch_cuda_libraries(stop).string();
    }
    return fetch::fetch(data::catalog_entry(line.target), line.to, progress, note, stop).string();
}

}  // namespace casp::batch
