#include "run/folder_content.h"

#include <string>
#include <utility>

#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::run {

namespace {

/// State according to run.h5, if run.json is missing.
store::RunState state_of(const std::filesystem::path& run_file) {
    try {
        return store::read_run_file(run_file).attributes.state;
    } catch (const Error& problem) {
        auto parts = problem.parts();
        if (parts.advice == store::damaged_own_file) parts.advice = {};  // the sentence below says it as well
        parts.advice =
            in_turn(parts.advice,
                    "Only run.json or run.h5 shows whether the run was finished: restore one of them from a "
                    "copy, or give the experiment another name or another --out folder.");
        throw Error(problem.kind(), std::move(parts));
    }
}

}  // namespace

FolderContent folder_content(const std::filesystem::path& path) {
    const store::RunFolder folder(path);
    const auto status = store::read_run_status(folder);
    if (status && store::is_complete(status->row.state)) return FolderContent::complete;
    if (store::current_checkpoint(folder)) return FolderContent::resumable;
    // A resumed run in the queue is "queued", too.
    if (status && status->row.state == store::RunState::queued)
        return std::filesystem::exists(folder.run_file()) || std::filesystem::exists(folder.best()) ||
                       store::has_generations(folder)
                   ? FolderContent::started
                   : FolderContent::empty;
    if (status) return FolderContent::started;
    if (!std::filesystem::exists(folder.run_file())) {
        if (std::filesystem::exists(folder.best()))
            throw input_error(folder.best().string(),
                              "these are weights of a run whose run.json and run.h5 are lost",
                              "a folder without weights, where nothing is overwritten",
                              "Move the file away, or give the experiment another name or --out folder.");
        // All status files of the run are lost: do not start over its weights.
        return store::has_generations(folder) ? FolderContent::started : FolderContent::empty;
    }
    return store::is_complete(state_of(folder.run_file())) ? FolderContent::complete : FolderContent::started;
}

}  // namespace casp::run
