#pragma once
// Links between selected windows and the anchors they retrieve, in both directions, for highlighting in
// views.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QString>

#include "state/embedding_set.h"
#include "state/run_data.h"
#include "state/selection.h"

namespace casp::widgets {

/// The selection with its linked items: if only windows are selected, `anchors` are those they retrieve; if
/// only anchors are selected, `windows` are those that retrieve one of them. The selection itself is
/// unchanged.
struct LinkedSelection {
    std::set<std::int64_t> anchors, windows;
    QString split;  ///< of `windows`; empty: unknown
    bool anchors_follow = false, windows_follow = false;
};

/// Looks up links in the retrieved anchors of stored forecasts, probes and embeddings; caches the last
/// lookup. Uses only data that runs have or start to read. GUI thread.
class SelectionLinks {
public:
    /// In the first of these runs with such data; `split`: split of the windows if the selection does not
    /// specify it (empty: test, else the probe's).
    [[nodiscard]] const LinkedSelection& of(const SelectionState& state, const std::vector<RunData*>& runs,
                                            const QString& split = {});

    /// Retrieved anchors of a run's windows of `split` (empty: as above); null: unknown (yet). Its vectors
    /// are empty if it comes from forecasts or probes.
    [[nodiscard]] std::shared_ptr<const EmbeddingSet> choices(RunData& run, const QString& split,
                                                              std::optional<std::int64_t> step);

private:
    struct Known {
        std::shared_ptr<const void> source;
        std::shared_ptr<const EmbeddingSet> set;
    };
    std::map<QString, Known> kept_;  ///< by run folder
    SelectionState state_;
    QString split_;
    std::shared_ptr<const void> source_;
    LinkedSelection linked_;
    bool known_ = false;
};

}  // namespace casp::widgets
