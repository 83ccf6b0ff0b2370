#pragma once
// The snapshots of embeddings that a run keeps of its probe's windows (run.store_embeddings), as the probes
// that a worker tells: so that what was watched live can be opened again.

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include <QString>

#include "train/observer.h"

namespace casp::widgets {

struct StoredProbes {
    std::vector<std::shared_ptr<const train::Probe>> probes;  ///< ascending in step; the last with vectors
    QString problem;  ///< why some could not be read; empty: all could
};

/// What is wanted of a run's snapshots.
struct StoredProbeRequest {
    QString folder;
    std::vector<std::int64_t> steps;  ///< of the run's history, ascending; others do not count
    std::int64_t top_k = 0;           ///< K: so many anchors were selected by each row
    std::size_t most = 64;            ///< more are thinned evenly, the first and the last stay
    /// Those that were read before, ascending: taken as they are, but for the last.
    std::vector<std::shared_ptr<const train::Probe>> known = {};
};

/// Reads them from arrays.h5, of a run that has not ended from its folder snapshots/. Similarities and
/// selections are computed anew from the vectors, principal components too where none are stored; forecasts
/// were not kept and stay empty. Any thread; throws Cancelled only.
[[nodiscard]] StoredProbes read_stored_probes(const StoredProbeRequest& request,
                                              const std::stop_token& stop = {});

}  // namespace casp::widgets
