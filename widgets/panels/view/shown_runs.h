#pragma once
// What pages keep for the runs they show.

#include <algorithm>
#include <vector>

namespace casp::widgets {

/// Lets go of what is kept, by run folder, for runs that are no longer shown: it may be hundreds of megabytes
/// for each. `kept`: a map or list of pairs of a folder and something; `folder_of(run)`.
template <class Kept, class Runs, class FolderOf>
void forget_others(Kept& kept, const Runs& runs, FolderOf folder_of) {
    std::erase_if(kept, [&](const auto& entry) {
        return std::none_of(runs.begin(), runs.end(),
                            [&](const auto& run) { return folder_of(run) == entry.first; });
    });
}

}  // namespace casp::widgets
