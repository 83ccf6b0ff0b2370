// Commands that read or write forecasts, runs and batches as files.

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "audit/import.h"
#include "batch/commands.h"
#include "batch/console.h"
#include "config/text_utils.h"
#include "data/catalog.h"
#include "inspect/forecast_ahead.h"
#include "inspect/forecast_export.h"
#include "run/merge.h"
#include "store/atomic_file.h"
#include "store/run_archive.h"
#include "util/error.h"
#include "util/new_folders.h"
#include "util/units.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

/// Before the work: whether the forecast can be written without loss.
void check_out_file(const fs::path& out, const std::string& data) {
    std::error_code ignored;
    const auto parent = fs::absolute(out, ignored).parent_path();
    if (fs::is_directory(out, ignored))
        throw input_error("--out", out.string() + " is a folder", "--out FILE.csv");
    if (!fs::is_directory(parent, ignored))
        throw input_error("--out", "there is no folder " + parent.string(), "a file in an existing folder",
                          "Create the folder first.");
    if (fs::equivalent(out, data::resolve_data_path(data), ignored))
        throw input_error("--out", out.string() + " is the file of --data", "another file",
                          "The forecast would replace the data.");
}

}  // namespace

std::string archive_text(const CommandLine& line, const std::stop_token& stop) {
    const auto omits = [&](const char* what) {
        return std::find(line.omit.begin(), line.omit.end(), what) != line.omit.end();
    };
    store::ArchiveOptions options;
    options.weights = !omits("weights");
    options.checkpoint = !omits("checkpoints");
    const NewFolders made(fs::path(line.out).parent_path());
    TextConsole console;
    const auto result = store::write_archive(line.target, line.out, options, console.progress(), stop);
    auto text = line.out + ": " + counted(result.runs, "run") + ", " + counted(result.files, "file") + ", " +
                bytes_text(result.bytes) + ", packed " + bytes_text(result.archive_bytes) + "\n";
    if (!result.left_out.empty())
        text += "Omitted: " + config::listed(result.left_out, 5) +
                " (links, or files that were removed or could not be read)\n";
    return text;
}

AuditResult audit(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console;
    const auto audited = audit::audit_file(line.target, audit::settings_of_forecasts(line.data, line.sets),
                                           console.progress(), stop);
    auto text = audit::audit_text(audited.audit);
    if (!line.out.empty()) {
        const auto file = fs::path(line.out) / "audit.json";
        const NewFolders made(line.out);
        store::write_file_atomically(file, audit::audit_json(audited.audit, audited.data));
        text += "Audit: " + file.string() + "\n";
    }
    return {text, audited.audit.is_clean()};
}

std::string import_run(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console;
    const auto imported =
        audit::import_forecasts({.forecasts = line.target,
                                 .config = audit::settings_of_forecasts(line.data, line.sets),
                                 .name = line.name,
                                 .out = line.out},
                                console.progress(), stop);
    const auto* const untested = imported.audit.shared > 0
                                     ? ""
                                     : "The arrays contain no test window, so the run has no test errors.\n";
    return audit::audit_text(imported.audit) + untested + "Run: " + imported.folder.string() + "\n";
}

std::string export_text(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console;
    const auto progress = console.progress();
    const fs::path folder(line.out);
    const auto exported = line.format == "csv"
                              ? inspect::export_table(line.target, folder / "forecasts.csv", progress, stop)
                              : inspect::export_arrays(line.target, folder, progress, stop);
    std::string text = "Forecasts of " + std::to_string(exported.windows) + " windows, " +
                       std::to_string(exported.horizon) + " steps and " + std::to_string(exported.channels) +
                       (exported.channels == 1 ? " channel:" : " channels:");
    for (const auto& file : exported.files) text += ' ' + file.string();
    return text;
}

std::string forecast_text(const CommandLine& line, const train::StopControl& stop) {
    if (!line.out.empty()) check_out_file(line.out, line.data);
    TextConsole console;
    const auto text = inspect::forecast_csv(inspect::forecast_ahead(
        {line.target, line.data, line.levels, line.sets, line.origins}, console, stop));
    if (line.out.empty()) return text;
    store::write_file_atomically(line.out, text);
    console.line("Forecast: " + line.out);
    return {};
}

std::string merge_text(const CommandLine& line, const std::stop_token& stop) {
    std::vector<fs::path> folders{line.target};
    folders.insert(folders.end(), line.files.begin(), line.files.end());
    TextConsole console;
    const auto merged = run::merge_batches(folders, line.out, console.progress(), stop);
    auto text = store::read_small_file(merged.folder / "summary.md") + "\n";
    text += counted(static_cast<std::int64_t>(merged.runs), "run") + " of " +
            counted(std::ssize(folders), "folder") + ", " + std::to_string(merged.finished) + " finished\n";
    if (!merged.twice.empty())
        text += "In several folders, with equal results or unfinished in one: " +
                config::listed(merged.twice, 5) + "\n";
    for (const auto& note : merged.notes) text += note + "\n";
    return text + "Tables and runs: " + merged.folder.string() + "\n";
}

}  // namespace casp::batch
