#include "batch/export_command.h"

#include <unistd.h>

#include <filesystem>

#include "batch/console.h"
#include "inspect/forecast_export.h"

namespace casp::batch {

std::string export_text(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto progress = [&](const Progress& p) { console.on_progress(p); };
    const std::filesystem::path folder(line.out);
    const auto exported = line.format == "csv"
                              ? inspect::export_table(line.target, folder / "forecasts.csv", progress, stop)
                              : inspect::export_arrays(line.target, folder, progress, stop);
    std::string text = "Forecasts of " + std::to_string(exported.windows) + " windows, " +
                       std::to_string(exported.horizon) + " steps and " + std::to_string(exported.channels) +
                       (exported.channels == 1 ? " channel:" : " channels:");
    for (const auto& file : exported.files) text += ' ' + file.string();
    return text;
}

}  // namespace casp::batch
