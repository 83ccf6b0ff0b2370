#include "util/threads.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

namespace casp {

namespace {

constexpr int background_nice = 10;
constexpr const char* policy = "OMP_WAIT_POLICY";
constexpr const char* spin_count = "GOMP_SPINCOUNT";

}  // namespace

bool work_in_background() {
#ifdef __linux__
    // On Linux both apply to single threads, contrary to POSIX.
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    sched_param none{};
    const bool batch = ::sched_setscheduler(static_cast<pid_t>(thread), SCHED_BATCH, &none) == 0;
    const bool nice = ::setpriority(PRIO_PROCESS, thread, background_nice) == 0;
    return batch && nice;
#else
    return false;
#endif
}

int usable_processors() {
#ifdef __linux__
    // std::thread::hardware_concurrency() counts all processors of the machine in glibc before 2.41.
    cpu_set_t usable;
    if (::sched_getaffinity(0, sizeof usable, &usable) == 0) return std::max(1, CPU_COUNT(&usable));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

bool set_thread_sleep(ThreadSleep when) {
    if (std::getenv(policy) != nullptr || std::getenv(spin_count) != nullptr) return false;
    return when == ThreadSleep::at_once ? ::setenv(policy, "passive", 1) == 0
                                        : ::setenv(spin_count, "3000", 1) == 0;
}

}  // namespace casp
