#include "evidence/verify.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "evidence/run_search.h"
#include "evidence/verify_tables.h"
#include "util/error.h"
#include "util/whole_path.h"

namespace casp::evidence {

namespace {

namespace fs = std::filesystem;

/// Batches in and below the folder, those without runs of their own included.
std::vector<fs::path> folders_with_results(const fs::path& top) {
    std::vector<fs::path> found;
    std::error_code problem;
    if (fs::exists(top / "results.csv", problem)) found.push_back(top);
    fs::recursive_directory_iterator it(top, problem);
    for (const fs::recursive_directory_iterator end; !problem && it != end; it.increment(problem)) {
        std::error_code unknown;
        if (!it->is_directory(unknown)) continue;
        if (it->path().filename().native().starts_with('.') || it.depth() + 1 >= levels_searched)
            it.disable_recursion_pending();
        else if (fs::exists(it->path() / "results.csv", unknown))
            found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Verification verify(const fs::path& folder, const ProgressFn& progress, const std::stop_token& stop) {
    const auto top = whole_path(folder);
    if (std::error_code unknown; fs::is_regular_file(top, unknown))
        throw input_error(folder.string(), "it is a file", "a folder with runs",
                          "Unpack an archive first (tar -xf NAME.tar.gz).");
    const auto found = find_runs(top, stop);
    if (found.empty())
        throw input_error(folder.string(), "no run is in this folder",
                          "a run, a batch or a folder of batches (up to " + std::to_string(levels_searched) +
                              " levels below)");
    Verification result;
    DataOfRuns data;
    VerifiedRuns runs;
    for (const auto& run : found) {
        throw_if_stopped(stop);
        runs.emplace(run.folder, verify_run(run.folder, data, result, stop));
        ++result.runs;
        if (progress) progress({"verifying", result.runs, std::ssize(found), "runs"});
    }
    for (const auto& batch : folders_with_results(top)) verify_tables(batch, runs, result, stop);
    return result;
}

}  // namespace casp::evidence
