#include <algorithm>
#include <chrono>

#include <torch/torch.h>

#include "gpu/run_checks.h"
#include "model/descriptor.h"
#include "train/evaluation.h"
#include "train/objective.h"
#include "train/session.h"
#include "util/device.h"
#include "util/random.h"

namespace casp::gpu {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 1 ? "%.2f ms" : "%.0f ms", 1000 * seconds);
    return text;
}

/// Draws of one step as the trainer makes it, without its reading of losses.
double step_seconds(const Setting& s, const config::Config& config, model::Forecaster& model,
                    train::AdamW& optimizer, const data::WindowSet& windows, std::int64_t step) {
    const auto begin = Clock::now();
    const auto items = at::arange(config.train.batch_size, at::TensorOptions(at::kLong).device(s.device));
    const auto batch = windows.gather(items + step);
    const model::TrainingStep training{1, step};
    const auto forecast = model.forward({batch.lookback, batch.time}, &training, false);
    train::objective(forecast, batch.target).total.backward();
    optimizer.step(1e-4);
    synchronise(s.device);
    return seconds_since(begin);
}

}  // namespace

std::vector<std::string> measure(const Setting& s, std::int64_t batch) {
    constexpr std::int64_t channels = 7;
    const int warm = s.device.is_cpu() ? 1 : 5;
    const int steps = s.device.is_cpu() ? 3 : s.quick ? 10 : 30;
    const std::int64_t evaluated = s.device.is_cpu() ? 4 * batch : s.quick ? 512 : 2048;
    std::vector<std::string> lines{
        "ETTh1-96 shape, " + std::to_string(batch) + " windows of 7 channels, on " + hardware_name(s.device),
        "",
        "| precision | training step | of the peak rate | peak memory | estimated | evaluation per window |",
        "|---|---|---|---|---|---|"};
    for (const char* precision : {"fp32", "bf16"}) {
        config::Config config;
        config.backbone.path = "untrained";
        config.train.batch_size = batch;
        config.run.precision = precision;
        config.run.device = s.device.str();
        release_reserved_memory(s.device);
        reset_peak_memory(s.device);
        const auto before = device_memory(s.device);
        train::TrainObserver quiet;
        auto session =
            train::open_model(config, {.channels = channels}, s.device, quiet, train::StopControl());
        train::AdamW optimizer(session.model->trainable(), config.train.weight_decay);
        const auto length = config.data.lookback + config.data.horizon;
        const auto series =
            at::empty({evaluated + batch + length, channels}, at::kFloat).normal_(0, 1, make_generator(5));
        data::SplitPart part;
        part.windows = evaluated;
        part.end = evaluated + length - 1;
        const data::TableWindows windows(series.to(s.device), part, config.data.lookback, config.data.horizon,
                                         false);

        for (int i = 0; i < warm; ++i) step_seconds(s, config, *session.model, optimizer, windows, i);
        std::vector<double> times;
        for (int i = 0; i < steps; ++i)
            times.push_back(step_seconds(s, config, *session.model, optimizer, windows, warm + i));
        std::sort(times.begin(), times.end());
        const double step = times[times.size() / 2];
        const auto memory = device_memory(s.device);
        const auto peak = s.device.is_cpu() ? memory.peak_used : memory.peak_tensors;

        train::EvaluationOptions options;
        options.rows_per_batch = train::evaluation_rows(config, channels);
        const train::StopControl stop;
        static_cast<void>(train::evaluate(*session.model, windows, options, stop));
        const auto begin = Clock::now();
        static_cast<void>(train::evaluate(*session.model, windows, options, stop));
        const double per_window = seconds_since(begin) / static_cast<double>(evaluated);

        const auto estimate = model::estimate(
            config, {.rows = batch * channels, .channels = channels, .on_gpu = !s.device.is_cpu()});
        const double rate = estimate.step_flop / step;
        const double possible = train::measured_flop_rate(config.run.precision == "bf16", s.device);
        char share[64];
        std::snprintf(share, sizeof share, "%.1f of %.1f TFLOP/s", rate / 1e12, possible / 1e12);
        // On the CPU the peak is the process's, with all that was done before.
        lines.push_back(std::string("| ") + precision + " | " + milliseconds(step) + " | " + share + " | " +
                        gibibytes(peak) + (s.device.is_cpu() ? " (process)" : "") + " | " +
                        gibibytes(estimate.step_bytes(batch * channels)) + " | " + milliseconds(per_window) +
                        " |");
        if (!s.device.is_cpu())
            require(before.available > 0 && memory.peak_used >= peak,
                    "memory statistics contradict each other");
    }
    return lines;
}

}  // namespace casp::gpu
