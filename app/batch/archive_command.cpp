#include "batch/archive_command.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "batch/console.h"
#include "config/text_utils.h"
#include "evidence/run_search.h"
#include "store/run_archive.h"
#include "util/new_folders.h"
#include "util/units.h"

namespace casp::batch {

std::string archive_text(const CommandLine& line, const std::stop_token& stop) {
    const auto omits = [&](const char* what) {
        return std::find(line.omit.begin(), line.omit.end(), what) != line.omit.end();
    };
    store::ArchiveOptions options;
    options.weights = !omits("weights");
    options.checkpoint = !omits("checkpoints");
    options.runs_beside = evidence::runs_beside(line.target, stop);
    const NewFolders made(std::filesystem::path(line.out).parent_path());
    TextConsole console(isatty(STDERR_FILENO) != 0);
    const auto result = store::write_archive(
        line.target, line.out, options, [&](const Progress& p) { console.on_progress(p); }, stop);
    auto text = line.out + ": " + counted(result.runs, "run") + ", " + counted(result.files, "file") + ", " +
                bytes_text(result.bytes) + ", packed " + bytes_text(result.archive_bytes) + "\n";
    if (!result.left_out.empty())
        text += "Omitted: " + config::listed(result.left_out, 5) +
                " (links, or files that were removed or could not be read)\n";
    return text;
}

}  // namespace casp::batch
