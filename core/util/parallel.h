#pragma once
// A parallel loop.

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "util/threads.h"

namespace casp {

/// Number of threads for a setting; 0: one per processor that this process may use.
[[nodiscard]] inline int thread_count(int wanted) { return wanted > 0 ? wanted : usable_processors(); }

/// Calls work(index, worker) for every index in [0, count), assigned in order. Worker 0 is the calling
/// thread. After an exception no further indices are assigned; the first exception is rethrown on the calling
/// thread when all workers have ended.
template <typename Work>
void parallel_for(std::size_t count, int threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto run = [&](int worker) {
        try {
            for (std::size_t index = next++; index < count; index = next++) work(index, worker);
        } catch (...) {
            next = count;
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int worker = 1; worker < threads && static_cast<std::size_t>(worker) < count; ++worker) {
        try {
            others.emplace_back(run, worker);
        } catch (const std::system_error&) {
            break;  // the system refuses more threads: the existing ones do the work
        }
    }
    run(0);
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace casp
