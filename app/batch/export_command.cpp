#include "batch/export_command.h"

#include <unistd.h>

#include "batch/console.h"
#include "batch/out_folder.h"
#include "inspect/forecast_export.h"

namespace casp::batch {

std::string export_text(const CommandLine& line, const std::stop_token& stop) {
    TextConsole console(isatty(STDERR_FILENO) != 0);
    make_out_folder(line.out);
    const auto format = line.format == "csv" ? inspect::ExportFormat::csv : inspect::ExportFormat::npy;
    const auto exported = inspect::export_forecasts(
        line.target, format, line.out, [&](const Progress& p) { console.on_progress(p); }, stop);
    std::string text = "Forecasts of " + std::to_string(exported.windows) + " windows, " +
                       std::to_string(exported.horizon) + " steps and " + std::to_string(exported.channels) +
                       (exported.channels == 1 ? " channel:" : " channels:");
    for (const auto& file : exported.files) text += ' ' + file.string();
    return text;
}

}  // namespace casp::batch
