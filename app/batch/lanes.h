#pragma once
// Several threads that make runs at the same time.

#include <functional>

#include "train/stop.h"

namespace casp::batch {

/// Calls `work` in `count` threads at the same time, each with a StopControl of its own, and returns when all
/// have ended. The first begins alone, the others when `others_may_begin` says so; if it ends before, they
/// never begin. Requests to `stop` are passed on to all; one to finish early is then forgotten in `stop`.
/// Rethrows the first exception of a thread, after the others, asked to interrupt their work, have ended.
void work_in_lanes(std::int64_t count, train::StopControl& stop,
                   const std::function<bool()>& others_may_begin,
                   const std::function<void(train::StopControl& own)>& work);

}  // namespace casp::batch
