#pragma once
// What a selection of windows means for anchors, and the other way round: views light up what is connected
// with what was chosen.

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

/// The selection with what follows from it: where windows are chosen and no anchors, `anchors` are those that
/// the windows choose; where anchors are chosen and no windows, `windows` are those that choose one of them.
/// What was chosen itself stays as it is.
struct LinkedSelection {
    std::set<std::int64_t> anchors, windows;
    QString split;  ///< of `windows`; empty: not known
    bool anchors_follow = false, windows_follow = false;
};

/// Looks the connections up in the chosen anchors of stored forecasts, of probes and of embeddings; keeps
/// what it looked up last. Asks runs only for what they have or begin to read. GUI thread.
class SelectionLinks {
public:
    /// In the first of these runs that knows; `split`: which windows are meant where the selection does not
    /// say (empty: test, else the probe's).
    [[nodiscard]] const LinkedSelection& of(const SelectionState& state, const std::vector<RunData*>& runs,
                                            const QString& split = {});

    /// Who chooses whom in a run's windows of `split` (empty: as above); null: not known (yet). The vectors
    /// of it are empty where it comes from forecasts or probes.
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
