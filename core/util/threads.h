#pragma once
// Scheduling of computing threads beside the user interface.

namespace casp {

/// Permanently lowers the priority of the calling thread: nice 10 and (Linux) SCHED_BATCH. Threads it starts
/// later inherit this, including the OpenMP threads that LibTorch starts at the first parallel operation of
/// each calling thread; so call it first in a dedicated thread, never in one of a shared pool. Speed is
/// unchanged on an otherwise idle machine. Returns false if the system refuses.
bool work_in_background();

/// Processors that this process may use (its affinity, as set by taskset or Slurm), at least 1.
[[nodiscard]] int usable_processors();

/// Behaviour of waiting OpenMP threads. `at_once`: they sleep, leaving the processor to the user interface.
/// `soon`: they spin for some microseconds first; on an idle machine this is as fast as libgomp's default of
/// milliseconds, on a busy one almost as fast as `at_once` (docs/performance.md).
enum class ThreadSleep { at_once, soon };

/// Sets OMP_WAIT_POLICY=passive (`at_once`) or GOMP_SPINCOUNT (`soon`) for programs started from here:
/// libgomp reads both before main(). Returns whether it did; not if either is set already.
bool set_thread_sleep(ThreadSleep when);

}  // namespace casp
