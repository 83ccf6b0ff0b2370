#pragma once
// Occasions on which a run may be probed for live views.

namespace casp::train {

/// `snapshot` includes the start; at the `end` views need a probe whatever it costs.
enum class ProbeTime { between, snapshot, end };

}  // namespace casp::train
