#pragma once
// Cleanup of per-run caches of pages.

#include <algorithm>
#include <vector>

namespace casp::widgets {

/// Releases cached data, by run folder, of runs no longer shown: up to hundreds of megabytes each. `kept`: a
/// map or list of pairs of folder and value; `folder_of(run)`.
template <class Kept, class Runs, class FolderOf>
void forget_others(Kept& kept, const Runs& runs, FolderOf folder_of) {
    std::erase_if(kept, [&](const auto& entry) {
        return std::none_of(runs.begin(), runs.end(),
                            [&](const auto& run) { return folder_of(run) == entry.first; });
    });
}

}  // namespace casp::widgets
