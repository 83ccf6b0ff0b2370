#pragma once
// Selection of (window, channel) pairs in views, and links between selected windows and the anchors they
// retrieve, in both directions, for highlighting.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QString>
#include <Qt>

#include "state/embedding_set.h"
#include "state/run_data.h"
#include "state/selection.h"

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

/// Applies a click to a set: replace, with Shift add, with Ctrl toggle.
[[nodiscard]] std::set<std::int64_t> combined(std::set<std::int64_t> before,
                                              const std::vector<std::int64_t>& ids,
                                              Qt::KeyboardModifiers modifiers);

/// The selected pairs in a set of its split: the named ones, else all selected windows in the selected
/// channels (none: all of the set's). Ascending.
[[nodiscard]] std::vector<WindowChannel> chosen_pairs(const SelectionState& state, const EmbeddingSet& set);

/// Sets `pairs` (ascending) as the selected windows and channels. If they are a full product of windows and
/// channels, these alone represent them.
void choose_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs);

/// Applies a click on `pairs` (in any order) of `set` to the selection: replaces it, adds with Shift, toggles
/// with Ctrl. Windows of another split are deselected.
void pick_pairs(SelectionState& state, const EmbeddingSet& set, std::vector<WindowChannel> pairs,
                Qt::KeyboardModifiers modifiers);

/// The selected windows; if only anchors are selected, the windows that retrieve one of them.
struct LinkedWindows {
    std::set<std::int64_t> windows;
    QString split;  ///< empty: unknown
    bool follow_anchors = false;
};

/// Looks up links in the retrieved anchors of stored forecasts, probes and embeddings; caches the last
/// lookup of each run. Uses only data that runs have or start to read. GUI thread.
class SelectionLinks {
public:
    /// Windows of the first of these runs with such data, which number anchors as the selection does;
    /// `split`: split of the windows if the selection does not specify it (empty: test, else the probe's).
    [[nodiscard]] LinkedWindows windows(const SelectionState& state, const std::vector<RunData*>& runs,
                                        const QString& split);
    /// Anchors that the selected windows retrieve in a run; nothing: unknown (yet).
    [[nodiscard]] const std::set<std::int64_t>* anchors(const SelectionState& state, RunData& run,
                                                        const QString& split);
    /// Releases cached data of other runs.
    void keep_only(const std::vector<RunData*>& runs);

    /// Retrieved anchors of a run's windows of `split` (empty: as above); null: unknown (yet). Its vectors
    /// are empty if it comes from forecasts or probes.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> choices(RunData& run, const QString& split,
                                                              std::optional<std::int64_t> step);

private:
    /// Of a run: its retrievals, and what a selection is linked to in them.
    struct Known {
        std::shared_ptr<const void> source;
        std::shared_ptr<const EmbeddingSet> set, looked_up;
        SelectionState state;
        std::set<std::int64_t> linked;
    };
    /// The linked anchors or windows of `set`, a set of this run, by `look_up`.
    template <class LookUp>
    const std::set<std::int64_t>& linked(const std::shared_ptr<const EmbeddingSet>& set,
                                         const SelectionState& state, LookUp look_up);
    std::map<QString, Known> kept_;  ///< by run folder
};

}  // namespace casp::widgets
