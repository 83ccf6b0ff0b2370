#include "bench/model_measurement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include <torch/torch.h>

#include "bench/workload.h"
#include "model/descriptor.h"
#include "train/estimate.h"
#include "util/device.h"
#include "util/memory.h"
#include "util/tf32.h"

namespace casp::bench {

namespace {

constexpr double min_seconds = 0.5;

/// Seconds of each repetition after the first.
std::vector<double> seconds_of(const std::function<void()>& work, std::int64_t repeats) {
    using Clock = std::chrono::steady_clock;
    work();
    std::vector<double> all;
    double sum = 0;
    while (static_cast<std::int64_t>(all.size()) < repeats || sum < min_seconds) {
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

int measure_model(const std::string& name, const std::vector<std::string>& works, std::int64_t windows,
                  std::int64_t repeats, const std::vector<std::string>& precisions) {
    auto config = settings_of(name);
    const auto base = process_memory().resident;
    const auto device = resolve_device(config.run.device);
    for (const auto& precision : precisions) {
        config.run.precision = precision;
        const Tf32Scope products(device, precision == "tf32");
        for (const auto& what : works) {
            if (what != "step" && what != "evaluation") {
                std::fputs("casp_bench: --model NAME step or evaluation\n", stderr);
                return 2;
            }
            release_reserved_memory(device);
            reset_peak_memory(device);
            std::vector<double> all;
            std::int64_t parameters = 0;
            if (what == "step") {
                TrainingWork work(windows, config);
                parameters = model::count_elements(work.model().trainable());
                all = seconds_of([&] { work.step(); }, repeats);
            } else {
                EvaluationWork work(2 * windows, config);
                parameters = model::count_elements(work.model().trainable());
                all = seconds_of([&] { work.split(windows); }, repeats);
            }
            const auto peak = device_memory(device).peak_tensors;
            const double rate = train::measured_flop_rate(precision, device);
            const auto rows = windows * channels_of(config);
            const auto estimate = model::estimate(
                config, {.rows = rows, .channels = channels_of(config), .on_gpu = !device.is_cpu()});
            std::printf(
                "{\"model\": \"%s\", \"what\": \"%s\", \"precision\": \"%s\", \"seconds\": %.9g, "
                "\"repeats\": %lld, "
                "\"windows\": %lld, \"threads\": %d, \"parameters\": %lld, \"base_rss_bytes\": %lld, "
                "\"peak_rss_bytes\": %lld, \"device\": \"%s\", \"peak_tensor_bytes\": %lld, "
                "\"estimated_bytes\": %lld, \"step_flop\": %.6g, "
                "\"product_rate\": %.6g}\n",
                config.model.name.c_str(), what.c_str(), precision.c_str(), median_of(all),
                static_cast<long long>(all.size()), static_cast<long long>(windows), at::get_num_threads(),
                static_cast<long long>(parameters), static_cast<long long>(base),
                static_cast<long long>(process_memory().peak_resident), device.str().c_str(),
                static_cast<long long>(peak), static_cast<long long>(estimate.step_bytes(rows)),
                estimate.step_flop, rate);
            std::fflush(stdout);
        }
    }
    return 0;
}

}  // namespace casp::bench
