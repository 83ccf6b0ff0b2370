#include "evidence/run_search.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "store/run_folder.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/whole_path.h"

namespace casp::evidence {

namespace {

namespace fs = std::filesystem;

constexpr int most_search_threads = 8;

bool holds_a_run(const fs::path& folder) {
    const store::RunFolder run(folder);
    std::error_code unknown;
    return fs::exists(run.run_json(), unknown) || fs::is_regular_file(run.run_file(), unknown);
}

/// Runs of other batches beside this one that its results.csv lists as its own: "../other/run".
void add_shared_runs(const fs::path& batch, std::vector<fs::path>& found) {
    std::ifstream table(batch / "results.csv");
    for (std::string line; std::getline(table, line);) {
        const fs::path run = line.substr(0, line.find(','));
        const bool beside = std::distance(run.begin(), run.end()) == 3 && *run.begin() == ".." &&
                            std::count(run.begin(), run.end(), "..") == 1;
        if (beside && holds_a_run(batch / run)) found.push_back((batch / run).lexically_normal());
    }
}

/// Appends the runs in `folder` and at most `levels` levels below it. Unreadable folders have none.
void add_runs(const fs::path& folder, int levels, const std::stop_token& stop, std::vector<fs::path>& found) {
    throw_if_stopped(stop);
    if (holds_a_run(folder)) {
        found.push_back(folder);
        return;
    }
    if (levels == 0) return;
    add_shared_runs(folder, found);
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        std::error_code unknown;
        if (it->path().filename().native().starts_with('.') || !it->is_directory(unknown)) continue;
        // Links could lead round in circles.
        add_runs(it->path(), it->is_symlink(unknown) ? std::min(levels - 1, 1) : levels - 1, stop, found);
    }
}

/// Sorted by creation.
std::vector<store::ScannedRun> scanned(const std::vector<fs::path>& folders, const std::stop_token& stop) {
    std::vector<store::ScannedRun> runs(folders.size());
    parallel_for(folders.size(), std::min(most_search_threads, thread_count(0)), [&](std::size_t i, int) {
        throw_if_stopped(stop);
        runs[i] = store::scan_run(folders[i]);
    });
    std::sort(runs.begin(), runs.end(), [](const store::ScannedRun& a, const store::ScannedRun& b) {
        return std::pair(a.created, a.folder) < std::pair(b.created, b.folder);
    });
    return runs;
}

}  // namespace

std::vector<store::ScannedRun> runs_in(const fs::path& experiment) {
    std::vector<fs::path> folders;
    std::error_code problem;
    for (fs::directory_iterator it(experiment, problem), end; !problem && it != end; it.increment(problem)) {
        std::error_code unknown;
        if (fs::exists(store::RunFolder(it->path()).run_json(), unknown)) folders.push_back(it->path());
    }
    if (problem) throw input_error(experiment.string(), problem.message(), "a folder with runs");
    return scanned(folders, {});
}

std::vector<store::ScannedRun> find_runs(const fs::path& folder, const std::stop_token& stop) {
    std::error_code problem;
    if (!fs::is_directory(folder, problem))
        throw input_error(folder.string(), problem ? problem.message() : "there is no such folder",
                          "a folder with runs");
    const auto top = whole_path(folder);
    std::vector<fs::path> folders;
    add_runs(top, levels_searched, stop, folders);
    std::sort(folders.begin(), folders.end());  // a shared run may also be below `folder`
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    return scanned(folders, stop);
}

std::vector<fs::path> runs_beside(const fs::path& folder, const std::stop_token& stop) {
    std::vector<fs::path> beside;
    const auto top = whole_path(folder);
    std::error_code unknown;
    if (!fs::is_directory(top, unknown)) return beside;
    for (const auto& run : find_runs(top, stop))
        if (const auto inside = run.folder.lexically_relative(top); *inside.begin() == "..")
            beside.push_back(run.folder);
    std::sort(beside.begin(), beside.end());
    return beside;
}

}  // namespace casp::evidence
