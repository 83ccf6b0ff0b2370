#include "batch/data_commands.h"

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "batch/console.h"
#include "config/experiment.h"
#include "data/catalog.h"
#include "data/csv_import.h"
#include "data/describe.h"
#include "data/missing.h"
#include "data/prepared.h"
#include "data/split.h"
#include "store/download.h"
#include "util/error.h"

namespace casp::batch {

namespace fs = std::filesystem;

std::string describe_text(const CommandLine& line) {
    auto sets = line.sets;
    const auto config = config::load_text("", "--set", fs::current_path(), sets).base;
    const auto path = data::resolve_data_path(line.target);
    auto table = data::import_csv(path);
    const auto* entry = data::find_by_digest(table.md5, table.sha256);
    std::optional<data::SplitPlan> plan;
    std::string no_plan;
    try {
        plan = data::plan_split(
            data::parse_split_rule(data::split_text(config.data.split), entry != nullptr ? entry->split : ""),
            table.rows(), config.data.lookback, config.data.horizon, static_cast<int>(config.data.percent));
    } catch (const Error& problem) {
        no_plan = problem.what();
    }
    try {
        table = data::apply_missing_policy(
            table,
            {data::parse_missing_policy(config.data.missing), config.data.sentinels, config.data.columns},
            plan ? plan->scaler_rows : 0);
    } catch (const Error& problem) {
        // What the policy objects to is the most important thing a description can tell.
        data::Warning warning;
        warning.kind = data::WarningKind::policy;
        warning.text = problem.what();
        table.warnings.push_back(warning);
    }
    return data::describe(table, plan ? &*plan : nullptr, entry, no_plan);
}

std::string catalog_text() {
    std::string text;
    for (const auto& entry : data::catalog()) {
        const auto size = entry.rows > 0 ? fmt::format("{} rows × {} channels", data::with_commas(entry.rows),
                                                       entry.channels)
                                         : std::string("–");
        text += fmt::format("{:<12} {:<9} {:<32} {:<11} {}\n", entry.name, entry.kind, size,
                            entry.step_seconds > 0 ? data::frequency_name(entry.step_seconds) : "",
                            fs::exists(data::catalog_path(entry.name)) ? "in the cache"
                            : entry.address.empty()                    ? "by hand: " + entry.home
                                                                       : "--fetch " + entry.name);
    }
    return text;
}

std::string fetch(const CommandLine& line, std::stop_token stop) {
    const auto& entry = data::catalog_entry(line.target);
    const auto destination =
        line.to.empty() ? data::catalog_path(entry.name) : fs::path(line.to) / entry.file;
    if (entry.address.empty())
        throw input_error(
            "--fetch " + entry.name, "no public address is known to work for it", {},
            "Get it by hand from " + entry.home + " and put it at " + destination.string() + ".");
    std::error_code problem;
    fs::create_directories(destination.parent_path(), problem);
    if (problem)
        throw input_error(destination.parent_path().string(), "cannot be made: " + problem.message());

    TextConsole console(isatty(STDERR_FILENO) != 0);
    console.line("fetching " + entry.title +
                 (entry.licence.empty() ? "" : " (licence: " + entry.licence + ")"));
    std::exception_ptr last;
    for (const auto& address : entry.address) {
        try {
            store::DownloadRequest request;
            request.url = address;
            request.destination = destination;
            request.sha256 = entry.sha256;
            request.md5 = entry.md5;
            if (entry.bytes > 0) request.size = entry.bytes;
            const auto result = store::download(
                request, [&](const Progress& p) { console.on_progress(p); }, stop);
            console.line(fmt::format("{} bytes, SHA-256 {}", result.bytes, result.sha256));
            return destination.string();
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& found) {
            console.line(found.what());
            last = std::current_exception();
        }
    }
    std::rethrow_exception(last);
}

}  // namespace casp::batch
