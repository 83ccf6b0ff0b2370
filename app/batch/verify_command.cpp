#include "batch/verify_command.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <set>

#include "batch/console.h"
#include "evidence/verify_paper.h"

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

std::string count_of(std::int64_t n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace

evidence::Verification verify_runs(const CommandLine& line, const std::stop_token& stop) {
    const auto console = line.log_format == LogFormat::json
                             ? std::unique_ptr<train::TrainObserver>(std::make_unique<JsonConsole>())
                             : std::make_unique<TextConsole>(isatty(STDERR_FILENO) != 0);
    auto result = evidence::verify(
        line.target, [&](const Progress& progress) { console->on_progress(progress); }, stop);
    for (const auto& batch : result.batches) evidence::verify_paper_tables(batch, result, stop);
    return result;
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
    text += count_of(result.numbers, "number") + " of " + count_of(result.runs, "run") +
            (result.findings.empty() ? ": all equal.\n"
                                     : ": " + count_of(std::ssize(result.findings), "difference") + " in " +
                                           count_of(std::ssize(files), "file") + ".\n");
    return text;
}

}  // namespace casp::batch
