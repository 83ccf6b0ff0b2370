#include "bench/breakdown.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <ATen/record_function.h>

#include "bench/workload.h"

namespace casp::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Cost {
    double seconds = 0;
    std::int64_t calls = 0;
};

struct Costs {
    std::mutex mutex;
    std::map<std::string, Cost> by_name;
};

Costs& costs() {
    static Costs all;
    return all;
}

/// Seconds spent in callees of every operator that is open on this thread.
thread_local std::vector<double> callees;

struct Running : at::ObserverContext {
    Clock::time_point begin = Clock::now();
};

std::unique_ptr<at::ObserverContext> enter(const at::RecordFunction&) {
    callees.push_back(0);
    return std::make_unique<Running>();
}

void leave(const at::RecordFunction& function, at::ObserverContext* context) {
    const std::chrono::duration<double> whole = Clock::now() - static_cast<Running*>(context)->begin;
    const double own = whole.count() - callees.back();
    callees.pop_back();
    if (!callees.empty()) callees.back() += whole.count();
    const std::lock_guard lock(costs().mutex);
    auto& cost = costs().by_name[function.name()];
    cost.seconds += own;
    ++cost.calls;
}

}  // namespace

void print_breakdown(std::int64_t windows, const std::string& settings) {
    const int steps = windows > 32 ? 3 : 20;
    TrainingWork work(windows, settings_of(settings));
    work.step();
    const auto handle =
        at::addGlobalCallback(at::RecordFunctionCallback(enter, leave)
                                  .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
    const auto begin = Clock::now();
    for (int i = 0; i < steps; ++i) work.step();
    const std::chrono::duration<double> wall = Clock::now() - begin;
    at::removeCallback(handle);

    std::vector<std::pair<std::string, Cost>> rows(costs().by_name.begin(), costs().by_name.end());
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
    std::printf(
        "%d steps of %lld windows, %.1f ms each\n\n| operator | ms per step | share | calls "
        "|\n|---|---|---|---|\n",
        steps, static_cast<long long>(windows), wall.count() / steps * 1e3);
    for (const auto& [name, cost] : rows) {
        const double share = cost.seconds / wall.count();
        if (share < 0.002) break;
        std::printf("| %s | %.2f | %.1f %% | %.0f |\n", name.c_str(), cost.seconds / steps * 1e3, 100 * share,
                    static_cast<double>(cost.calls) / steps);
    }
}

}  // namespace casp::bench
