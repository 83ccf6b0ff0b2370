#include "batch/batch_items.h"

#include "run/folder_content.h"
#include "store/folder_lock.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::batch {

bool Item::is_finished() const {
    try {
        return run::folder_content(folder) == run::FolderContent::complete;
    } catch (const Error&) {
        return false;
    }
}

bool Item::has_failed() const {
    try {
        const auto status = store::read_run_status(store::RunFolder(folder));
        return status && status->row.state == store::RunState::failed;
    } catch (const Error&) {
        return false;
    }
}

const Item* FreeItems::take() {
    may_be_left_ = false;
    for (std::size_t looked_at = 0; looked_at < items_.size(); ++looked_at) {
        const auto& item = items_[next_++ % items_.size()];
        if (!is_free(item)) continue;
        taken_.insert(&item);
        return &item;
    }
    return nullptr;
}

bool FreeItems::is_free(const Item& item) {
    if (taken_.contains(&item)) return false;
    if (item.is_finished()) {
        taken_.insert(&item);  // its files need not be read again
        return false;
    }
    if (item.has_failed() && !to_retry_.contains(&item)) return false;
    if (store::FolderLock::holder(item.folder)) {
        may_be_left_ = may_be_left_ || !store::FolderLock::is_alive(item.folder);
        return false;
    }
    return true;
}

}  // namespace casp::batch
