#include "batch/forecast_command.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "batch/console.h"
#include "data/catalog.h"
#include "inspect/forecast_ahead.h"
#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::batch {

namespace {

/// Before the work: whether the forecast can be written without loss.
void check_out_file(const std::filesystem::path& out, const std::string& data) {
    std::error_code ignored;
    const auto parent = std::filesystem::absolute(out, ignored).parent_path();
    if (std::filesystem::is_directory(out, ignored))
        throw input_error("--out", out.string() + " is a folder", "--out FILE.csv");
    if (!std::filesystem::is_directory(parent, ignored))
        throw input_error("--out", "there is no folder " + parent.string(), "a file in an existing folder",
                          "Create the folder first.");
    if (std::filesystem::equivalent(out, data::resolve_data_path(data), ignored))
        throw input_error("--out", out.string() + " is the file of --data", "another file",
                          "The forecast would replace the data.");
}

}  // namespace

std::string forecast_text(const CommandLine& line, const train::StopControl& stop) {
    if (!line.out.empty()) check_out_file(line.out, line.data);
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto text = inspect::forecast_csv(inspect::forecast_ahead(
        {line.target, line.data, line.levels, line.sets, line.origins}, console, stop));
    if (line.out.empty()) return text;
    store::write_file_atomically(line.out, text);
    console.line("Forecast: " + line.out);
    return {};
}

}  // namespace casp::batch
