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

/// Starts this program anew with OMP_WAIT_POLICY=passive in its environment, unless that or GOMP_SPINCOUNT
/// is there already; then, and where it cannot be done, it returns. libgomp reads both before main() begins,
/// so there is no other way from inside. Spinning is a little faster on an idle machine and much slower on a
/// busy one (docs/performance.md). First thing in main() of a program with a window; costs one more start.
void let_waiting_threads_sleep(char** argv);

}  // namespace casp
