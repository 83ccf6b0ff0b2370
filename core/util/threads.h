#pragma once
// Threads that compute while somebody works in the window.

#include <string>

namespace casp {

/// Makes the calling thread give way to everybody else, for good: nice 10 and (Linux) SCHED_BATCH. Threads
/// that it starts from then on inherit that, among them OpenMP's, which LibTorch's first parallel operation
/// of each calling thread starts: so call it first thing in a thread of one's own, never in one of a pool
/// that others share. Alone on the machine it computes as fast as before. False where the system refuses.
bool work_in_background();

/// Whether threads that wait for each other inside LibTorch sleep (true) or spin, as libgomp read it from
/// OMP_WAIT_POLICY and GOMP_SPINCOUNT when the process began.
[[nodiscard]] bool waiting_threads_sleep();

/// What a thread does that waits for others inside LibTorch. `at_once`: it sleeps, and leaves its processor
/// to the window. `soon`: it spins for some microseconds first, which an idle machine thanks by being as fast
/// as with libgomp's own milliseconds, and a busy one is hardly slower than `at_once` (docs/performance.md).
enum class ThreadSleep { at_once, soon };

/// What is in the environment for each.
inline constexpr const char* wait_at_once = "OMP_WAIT_POLICY=passive";
inline constexpr const char* wait_soon = "GOMP_SPINCOUNT=3000";

/// Starts this program anew with OMP_WAIT_POLICY=passive (`at_once`) or GOMP_SPINCOUNT (`soon`) in its
/// environment, unless one of them is there already; then, and where it cannot be done, it returns. libgomp
/// reads both before main() begins, so there is no other way from inside. Before threads are started and
/// files are opened; costs one more start (which app/early_start.cpp makes a short one).
void let_waiting_threads_sleep(ThreadSleep when, char** argv);

}  // namespace casp
