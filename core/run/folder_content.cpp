#include "run/folder_content.h"

#include <string>
#include <utility>

#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::run {

namespace {

/// What run.h5 says where there is no run.json.
store::RunState state_of(const std::filesystem::path& run_file) {
    try {
        return store::read_run_file(run_file).attributes.state;
    } catch (const Error& problem) {
        auto parts = problem.parts();
        if (parts.advice == store::damaged_own_file) parts.advice.clear();  // the following says it, too
        parts.advice +=
            std::string(parts.advice.empty() ? "" : " ") +
            "Without run.json nothing else tells whether the run was finished: put a copy of one of "
            "the two back, or give the experiment another name or another --out folder.";
        throw Error(problem.kind(), std::move(parts));
    }
}

}  // namespace

FolderContent folder_content(const std::filesystem::path& path) {
    const store::RunFolder folder(path);
    const auto status = store::read_run_status(folder);
    if (status && store::is_complete(status->row.state)) return FolderContent::complete;
    if (store::current_checkpoint(folder)) return FolderContent::resumable;
    // The window says "queued" of one that had begun, too.
    if (status && status->row.state == store::RunState::queued)
        return std::filesystem::exists(folder.run_file()) || std::filesystem::exists(folder.best()) ||
                       store::has_generations(folder)
                   ? FolderContent::started
                   : FolderContent::empty;
    if (status) return FolderContent::started;
    if (!std::filesystem::exists(folder.run_file())) {
        if (std::filesystem::exists(folder.best()))
            throw input_error(folder.best().string(),
                              "weights of a run of which run.json and run.h5 are lost",
                              "a folder without weights, where nothing is written over",
                              "Move the file away, or give the experiment another name or --out folder.");
        // Of a run whose own words are all lost: nothing may begin upon it.
        return store::has_generations(folder) ? FolderContent::started : FolderContent::empty;
    }
    return store::is_complete(state_of(folder.run_file())) ? FolderContent::complete : FolderContent::started;
}

}  // namespace casp::run
