#pragma once
// Several threads that make runs at the same time.

#include <cstdint>
#include <functional>

#include "train/stop.h"

namespace casp::batch {

/// Calls `work` in `number` threads at the same time, each with its own StopControl, and returns when all
/// have ended. The first thread starts immediately, the others as soon as `others_may_begin()` returns true;
/// they never start if the first has ended before, or if the system has no more threads. Requests to `stop`
/// are passed on to all, repeatedly; a request to finish early is then forgotten in `stop`. If a thread
/// throws, the others are asked to interrupt their work, and the first exception is rethrown when all have
/// ended.
void work_in_lanes(std::int64_t number, train::StopControl& stop,
                   const std::function<bool()>& others_may_begin,
                   const std::function<void(train::StopControl& own)>& work);

}  // namespace casp::batch
