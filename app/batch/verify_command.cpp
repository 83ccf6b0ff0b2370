#include "batch/verify_command.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "batch/console.h"
#include "evidence/verify_paper.h"
#include "inspect/repeated_forecasts.h"
#include "util/error.h"
#include "util/units.h"

namespace casp::batch {

namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& path, const fs::path& top) {
    const auto relative = path.lexically_relative(fs::absolute(top).lexically_normal());
    const bool below = !relative.empty() && *relative.begin() != "..";
    if (relative == ".") return top.string();
    return below ? (top / relative).lexically_normal().string() : path.string();
}

std::string line_of(const evidence::Finding& finding, const fs::path& top) {
    auto line = shown(finding.file, top) + ": ";
    if (!finding.cell.empty()) line += finding.cell + ": ";
    line += finding.found.empty() ? "empty" : finding.found;
    if (!finding.expected.empty()) line += "; expected " + finding.expected;
    for (auto& c : line)
        if (c == '\n') c = ' ';
    return line + "\n";
}

std::string verification_text(const evidence::Verification& result, const std::string& top) {
    std::string text;
    std::set<fs::path> files;
    for (const auto& finding : result.findings) {
        text += line_of(finding, top);
        files.insert(finding.file);
    }
    for (const auto& [what, folders] : result.unchecked) {
        text += "Not checked: " + what + " (" + shown(folders.front(), top);
        if (folders.size() > 1) text += " and " + std::to_string(folders.size() - 1) + " more";
        text += ")\n";
    }
    for (const auto& note : result.notes) text += note + "\n";
    text += counted(result.numbers, "number") + " of " + counted(result.runs, "run") +
            (result.findings.empty() ? ": all equal.\n"
                                     : ": " + counted(std::ssize(result.findings), "difference") + " in " +
                                           counted(std::ssize(files), "file") + ".\n");
    return text;
}

}  // namespace

VerifyResult verify(const CommandLine& line, const VerifyFigures& figures, const train::StopControl& stop,
                    const std::stop_token& stopped) {
    const fs::path folder = line.target;
    if (std::error_code unknown; fs::is_regular_file(folder, unknown))
        throw input_error(line.target, "this is a file", "a folder with runs",
                          "Unpack an archive first: tar -xf FILE.tar.gz.");
    TextConsole console(isatty(STDERR_FILENO) != 0);
    auto result = evidence::verify(
        folder, [&](const Progress& progress) { console.on_progress(progress); }, stopped);
    for (const auto& batch : result.batches) evidence::verify_paper_tables(batch, result, stopped);
    for (const auto& batch : result.batches) figures(batch, result);
    if (line.repeat > 0) inspect::verify_repeated(folder, line.repeat, result, console, stop);
    return {verification_text(result, folder.string()), result.findings.empty()};
}

}  // namespace casp::batch
