#include "batch/merge_command.h"

#include <unistd.h>

#include <filesystem>
#include <vector>

#include "batch/console.h"
#include "config/text_utils.h"
#include "run/merge.h"
#include "store/atomic_file.h"
#include "util/units.h"

namespace casp::batch {

std::string merge_text(const CommandLine& line, const std::stop_token& stop) {
    std::vector<std::filesystem::path> folders{line.target};
    folders.insert(folders.end(), line.files.begin(), line.files.end());
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto merged = run::merge_batches(
        folders, line.out, [&](const Progress& p) { console.on_progress(p); }, stop);
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
