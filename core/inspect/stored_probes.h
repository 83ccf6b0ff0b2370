#pragma once
// Reader of a run's stored embedding snapshots of its probe windows (run.store_embeddings), as the probes of
// a live run.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "train/observer.h"
#include "util/phrase.h"

namespace casp::inspect {

struct StoredProbes {
    std::vector<std::shared_ptr<const train::Probe>>
        probes;      ///< by ascending step; the last one with vectors
    Phrase problem;  ///< why some could not be read; empty: none
};

/// The snapshots to read.
struct StoredProbeRequest {
    std::filesystem::path run;
    std::vector<std::int64_t> steps;  ///< in the run's history, ascending; other snapshots are ignored
    std::int64_t top_k = 0;           ///< K: anchors selected per row
    std::size_t most = 64;            ///< more are thinned evenly, except for the first and the last
    /// Probes read before, ascending: reused, except for the last.
    std::vector<std::shared_ptr<const train::Probe>> known = {};
};

/// Reads arrays.h5, or the folder snapshots/ of a run that has not ended. Similarities and retrievals are
/// recomputed from the vectors, and principal components if none are stored. Forecasts are not stored and
/// stay empty. Any thread; throws Cancelled only.
[[nodiscard]] StoredProbes read_stored_probes(const StoredProbeRequest& request,
                                              const std::stop_token& stop = {});

}  // namespace casp::inspect
