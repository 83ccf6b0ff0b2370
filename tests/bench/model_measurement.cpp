#include "bench/model_measurement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include <torch/torch.h>

#include "bench/workload.h"
#include "util/device.h"
#include "util/memory.h"

namespace casp::bench {

namespace {

constexpr double least_seconds = 0.5;

/// Seconds of each repetition after the first.
std::vector<double> seconds_of(const std::function<void()>& work, std::int64_t repeats) {
    using Clock = std::chrono::steady_clock;
    work();
    std::vector<double> all;
    double sum = 0;
    while (static_cast<std::int64_t>(all.size()) < repeats || sum < least_seconds) {
        const auto begin = Clock::now();
        work();
        all.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        sum += all.back();
    }
    return all;
}

}  // namespace

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

int measure_model(const std::string& name, const std::string& what, std::int64_t windows,
                  std::int64_t repeats) {
    const auto base = process_memory().resident;
    const auto device = resolve_device(settings_of(name).run.device);
    std::vector<double> all;
    std::int64_t parameters = 0;
    if (what == "step") {
        TrainingWork work(windows, settings_of(name));
        parameters = model::count_elements(work.model().trainable());
        all = seconds_of([&] { work.step(); }, repeats);
    } else if (what == "evaluation") {
        EvaluationWork work(2 * windows, settings_of(name));
        parameters = model::count_elements(work.model().trainable());
        all = seconds_of([&] { work.split(windows); }, repeats);
    } else {
        std::fputs("casp_bench: --model NAME step or evaluation\n", stderr);
        return 2;
    }
    std::printf(
        "{\"model\": \"%s\", \"what\": \"%s\", \"seconds\": %.9g, \"repeats\": %lld, \"windows\": %lld, "
        "\"threads\": %d, \"parameters\": %lld, \"base_rss_bytes\": %lld, \"peak_rss_bytes\": %lld, "
        "\"device\": \"%s\", \"peak_tensor_bytes\": %lld}\n",
        name.c_str(), what.c_str(), median_of(all), static_cast<long long>(all.size()),
        static_cast<long long>(windows), at::get_num_threads(), static_cast<long long>(parameters),
        static_cast<long long>(base), static_cast<long long>(process_memory().peak_resident),
        device.str().c_str(), static_cast<long long>(device_memory(device).peak_tensors));
    return 0;
}

}  // namespace casp::bench
