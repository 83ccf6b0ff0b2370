#include "batch/batch_items.h"

#include "run/folder_content.h"
#include "store/folder_lock.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::batch {

bool is_finished(const config::RunPlan& run) {
    try {
        return run::folder_content(run.folder) == run::FolderContent::complete;
    } catch (const Error&) {
        return false;
    }
}

bool has_failed(const config::RunPlan& run) {
    try {
        const auto status = store::read_run_status(store::RunFolder(run.folder));
        return status && status->row.state == store::RunState::failed;
    } catch (const Error&) {
        return false;
    }
}

const config::RunPlan* FreeRuns::take() {
    may_be_left_ = false;
    for (std::size_t looked_at = 0; looked_at < runs_.size(); ++looked_at) {
        const auto& run = runs_[next_++ % runs_.size()];
        if (!is_free(run)) continue;
        taken_.insert(&run);
        return &run;
    }
    return nullptr;
}

bool FreeRuns::is_free(const config::RunPlan& run) {
    if (taken_.contains(&run)) return false;
    if (is_finished(run)) {
        taken_.insert(&run);  // its files need not be read again
        return false;
    }
    if (has_failed(run) && !to_retry_.contains(&run)) return false;
    if (store::FolderLock::holder(run.folder)) {
        may_be_left_ = may_be_left_ || !store::FolderLock::is_alive(run.folder);
        return false;
    }
    return true;
}

}  // namespace casp::batch
