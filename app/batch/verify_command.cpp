#include "batch/verify_command.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "batch/console.h"
#include "evidence/verify_paper.h"
#include "inspect/repeated_forecasts.h"
#include "store/run_archive.h"
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

/// `text` with the archive's name in place of the folder into which it was unpacked.
std::string with_archive_name(std::string text, const fs::path& folder, const std::string& archive) {
    const auto from = folder.string();
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += archive.size())
        text.replace(at, from.size(), archive);
    return text;
}

VerifyResult verify_folder(const fs::path& folder, const CommandLine& line, const VerifyFigures& figures,
                           const train::StopControl& stop, const std::stop_token& stopped) {
    TextConsole console(isatty(STDERR_FILENO) != 0);
    auto result = evidence::verify(
        folder, [&](const Progress& progress) { console.on_progress(progress); }, stopped);
    for (const auto& batch : result.batches) evidence::verify_paper_tables(batch, result, stopped);
    for (const auto& batch : result.batches) figures(batch, result);
    if (line.repeat > 0) inspect::verify_repeated(folder, line.repeat, result, console, stop);
    return {verification_text(result, folder.string()), result.findings.empty()};
}

}  // namespace

VerifyResult verify(const CommandLine& line, const VerifyFigures& figures, const train::StopControl& stop,
                    const std::stop_token& stopped) {
    if (std::error_code unknown; !fs::is_regular_file(line.target, unknown))
        return verify_folder(line.target, line, figures, stop, stopped);
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const store::UnpackedArchive archive(
        line.target, [&](const Progress& progress) { console.on_progress(progress); }, stopped);
    const auto named = [&](const std::string& text) {
        return with_archive_name(text, archive.folder(), line.target);
    };
    try {
        auto result = verify_folder(archive.folder(), line, figures, stop, stopped);
        result.text = named(result.text);
        return result;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        const auto& parts = problem.parts();
        throw Error(problem.kind(),
                    {named(parts.where), named(parts.found), named(parts.expected), named(parts.advice)});
    }
}

}  // namespace casp::batch
