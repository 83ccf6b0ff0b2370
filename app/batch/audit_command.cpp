#include "batch/audit_command.h"

#include <unistd.h>

#include <filesystem>
#include <vector>

#include "audit/audit.h"
#include "batch/console.h"
#include "batch/out_folder.h"
#include "config/experiment.h"
#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

/// The settings data.* alone: other code's forecasts have no model here whose settings could contradict.
config::Config data_settings(const CommandLine& line) {
    std::vector<std::string> sets{"model.name=\"naive\""};
    sets.insert(sets.end(), line.sets.begin(), line.sets.end());
    auto config = config::load_text("", "--set", fs::current_path(), sets).base;
    config.data.path = line.data;
    if (data::has_collection(config))
        throw input_error("--audit", line.data + " is a collection of series",
                          "a data set with rows and channels",
                          "The forecasts of a collection have no windows to look for.");
    return config;
}

void write_json(const fs::path& folder, const std::string& text) {
    make_out_folder(folder);
    store::write_file_atomically(folder / "audit.json", text);
}

}  // namespace

AuditResult audit(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto progress = [&](const Progress& p) { console.on_progress(p); };
    auto forecasts = audit::read_foreign_forecasts(line.target, stop);
    auto config = data_settings(line);
    const auto horizon = config.data.horizon;
    config.data.horizon = forecasts.prediction.horizon();
    const auto data = data::prepare_data(config, progress, stop);
    audit::join_channels(forecasts, data);
    auto found = audit::audit_forecasts(forecasts, data, horizon, progress, stop);
    found.hints = audit::pipeline_hints(line.target, stop);
    auto text = audit::audit_text(found);
    if (!line.out.empty()) {
        write_json(line.out, audit::audit_json(found, data));
        text += "Audit: " + (fs::path(line.out) / "audit.json").string() + "\n";
    }
    return {text, found.is_clean()};
}

}  // namespace casp::batch
