#include "batch/audit_command.h"

#include <unistd.h>

#include <filesystem>

#include "audit/import.h"
#include "batch/console.h"
#include "store/atomic_file.h"
#include "util/new_folders.h"

namespace casp::batch {

namespace fs = std::filesystem;

AuditResult audit(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto audited = audit::audit_file(
        line.target, audit::settings_of_forecasts(line.data, line.sets),
        [&](const Progress& progress) { console.on_progress(progress); }, stop);
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
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto imported = audit::import_forecasts(
        {.forecasts = line.target,
         .config = audit::settings_of_forecasts(line.data, line.sets),
         .name = line.name,
         .out = line.out},
        [&](const Progress& progress) { console.on_progress(progress); }, stop);
    const auto* const untested = imported.audit.shared > 0
                                     ? ""
                                     : "The arrays contain no test window, so the run has no test errors.\n";
    return audit::audit_text(imported.audit) + untested + "Run: " + imported.folder.string() + "\n";
}

}  // namespace casp::batch
