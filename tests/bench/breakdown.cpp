#include "bench/breakdown.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <torch/csrc/autograd/profiler_kineto.h>

#include "bench/workload.h"
#include "util/device.h"

namespace casp::bench {

namespace {

namespace profiler = torch::autograd::profiler;
using profiler::KinetoEvent;
using torch::profiler::impl::ActivityType;

struct Cost {
    double milliseconds = 0;
    std::int64_t calls = 0;
};
using Costs = std::map<std::string, Cost>;

/// Kernels, copies and fills of the GPU. They follow each other: their sum is the time for which it works.
Costs kernel_costs(const std::vector<KinetoEvent>& events) {
    Costs costs;
    for (const auto& event : events) {
        if (event.deviceType() == c10::DeviceType::CPU) continue;
        auto& cost = costs[event.name()];
        cost.milliseconds += static_cast<double>(event.durationNs()) / 1e6;
        ++cost.calls;
    }
    return costs;
}

/// Operators without those that they call.
Costs operator_costs(const std::vector<KinetoEvent>& events) {
    std::map<std::uint64_t, std::vector<const KinetoEvent*>> threads;
    for (const auto& event : events)
        if (event.deviceType() == c10::DeviceType::CPU) threads[event.startThreadId()].push_back(&event);
    Costs costs;
    for (auto& [thread, of_thread] : threads) {
        std::stable_sort(of_thread.begin(), of_thread.end(), [](const auto* a, const auto* b) {
            return a->startNs() != b->startNs() ? a->startNs() < b->startNs() : a->endNs() > b->endNs();
        });
        std::vector<const KinetoEvent*> open;
        for (const auto* event : of_thread) {
            while (!open.empty() && open.back()->endNs() <= event->startNs()) open.pop_back();
            const double milliseconds = static_cast<double>(event->durationNs()) / 1e6;
            if (!open.empty()) costs[open.back()->name()].milliseconds -= milliseconds;
            auto& cost = costs[event->name()];
            cost.milliseconds += milliseconds;
            ++cost.calls;
            open.push_back(event);
        }
    }
    return costs;
}

/// Without what all kernels' names have in common, and no longer than a table's cell.
std::string shown(std::string name) {
    for (const std::string word : {"void ", "at::native::", "(anonymous namespace)::", "std::", "c10::"})
        for (auto place = name.find(word); place != std::string::npos; place = name.find(word))
            name.erase(place, word.size());
    constexpr std::size_t most = 110;
    if (name.size() > most) name = name.substr(0, most) + "…";
    std::replace(name.begin(), name.end(), '|', '/');
    return name;
}

void print_costs(const char* title, const Costs& costs, int steps, double wall) {
    std::vector<std::pair<std::string, Cost>> rows(costs.begin(), costs.end());
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.second.milliseconds > b.second.milliseconds; });
    std::printf("\n| %s | ms per step | share | calls |\n|---|---|---|---|\n", title);
    for (const auto& [name, cost] : rows) {
        const double share = cost.milliseconds / wall;
        if (share < 0.002) break;
        std::printf("| `%s` | %.3f | %.1f %% | %.0f |\n", shown(name).c_str(), cost.milliseconds / steps,
                    100 * share, static_cast<double>(cost.calls) / steps);
    }
}

}  // namespace

void print_breakdown(std::int64_t windows, const std::string& settings) {
    const auto config = settings_of(settings);
    const auto device = resolve_device(config.run.device);
    const int steps = device.is_cpu() ? 3 : 20;
    TrainingWork work(windows, config);
    constexpr int warm_up = 3;
    for (int i = 0; i < warm_up; ++i) work.step();
    synchronise(device);

    using Clock = std::chrono::steady_clock;
    const auto milliseconds_of_steps = [&] {
        const auto begin = Clock::now();
        for (int i = 0; i < steps; ++i) work.step();
        synchronise(device);
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    };
    const double alone = milliseconds_of_steps();
    std::set<ActivityType> activities{ActivityType::CPU};
    if (device.is_cuda()) activities.insert(ActivityType::CUDA);
    const torch::profiler::impl::ProfilerConfig profiled(torch::profiler::impl::ProfilerState::KINETO);
    profiler::prepareProfiler(profiled, activities);
    profiler::enableProfiler(profiled, activities,
                             {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION});
    const double wall = milliseconds_of_steps();
    const auto result = profiler::disableProfiler();

    std::printf("%s, %s: %d steps of %lld windows, %.2f ms each (%.2f ms while profiled)\n",
                hardware_name(device).c_str(), settings.c_str(), steps, static_cast<long long>(windows),
                alone / steps, wall / steps);
    if (device.is_cuda()) {
        const auto kernels = kernel_costs(result->events());
        Cost sum;
        for (const auto& [name, cost] : kernels) {
            sum.milliseconds += cost.milliseconds;
            sum.calls += cost.calls;
        }
        std::printf("\nThe GPU works for %.2f ms of a step, in %.0f kernels, copies and fills.\n",
                    sum.milliseconds / steps, static_cast<double>(sum.calls) / steps);
        print_costs("kernel", kernels, steps, alone);
    } else {
        print_costs("operator", operator_costs(result->events()), steps, wall);
    }
}

}  // namespace casp::bench
