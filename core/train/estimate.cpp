#include "train/estimate.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include <torch/torch.h>

#include "config/options.h"
#include "model/gpt2.h"
#include "util/device.h"
#include "util/error.h"

namespace casp::train {

namespace {

using Clock = std::chrono::steady_clock;

/// Of one block and row, forward and backward.
double block_flop(double tokens, double width) {
    const double forward = tokens * (24 * width * width + 4 * tokens * width);
    const double backward = tokens * (24 * width * width + 12 * tokens * width);
    return forward + backward;
}

double measure_block(const config::Config& config, std::int64_t tokens, std::int64_t most_rows,
                     const c10::Device& device) {
    constexpr double target_seconds = 0.03, least_seconds = 0.06;
    const bool half = config.run.precision == "bf16";
    const auto width = config.backbone.width;
    const double flop = block_flop(static_cast<double>(tokens), static_cast<double>(width));
    const double wanted_rows = measured_flop_rate(half, device) * target_seconds / flop;
    const auto rows =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wanted_rows, 1e6)), 1, most_rows);
    model::Gpt2Shape shape;
    shape.layers = 1;
    shape.width = width;
    shape.heads = config.backbone.heads;
    shape.vocabulary = 1;  // the token table takes no part
    shape.positions = tokens;
    shape.dropout = config.backbone.dropout;
    model::Gpt2 block(shape, 1);
    block.to(device);
    const auto input =
        at::ones({rows, tokens, width}, at::TensorOptions(at::kFloat).device(device)).requires_grad_(true);
    const auto step = [&](std::int64_t number) {
        model::DropoutStream dropout(1, number);
        block.forward(input, shape.dropout > 0 ? &dropout : nullptr, half).sum().backward();
        input.mutable_grad().reset();
    };
    step(0);  // memory is taken, threads are started
    synchronise(device);
    const auto begin = Clock::now();
    double seconds = 0;
    std::int64_t steps = 0;
    while (seconds < least_seconds) {
        step(++steps);
        synchronise(device);
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return flop * static_cast<double>(rows * steps) / seconds;
}

}  // namespace

Estimate estimate(const config::Config& config, std::int64_t rows, bool on_gpu) {
    const auto d = config.backbone.width;
    const auto layers = config.backbone.layers;
    const auto tokens = config::token_count(config);
    const auto patches = config::patch_count(config);
    const auto pool = config.model.prompt ? config.model.pool_size : 0;
    const auto vocabulary = config.backbone.vocabulary;
    const auto horizon = config.data.horizon;
    const auto heads = config.backbone.heads;

    Estimate e;
    const auto norms = layers * 4 * d + 2 * d + config.backbone.positions * d;
    const auto frozen = vocabulary * d + layers * (12 * d * d + 9 * d);
    const auto head = tokens * d / config.model.head_ways * horizon + horizon;
    e.parameters_trainable =
        norms + 3 * config.model.patch_length * d + d + pool * (vocabulary + (pool > 0 ? 1 : 0)) + head;
    e.parameters_total = frozen + e.parameters_trainable;
    // Weights, gradient and two moments of what is learnt; the frozen once; anchors, keys and their
    // gradients.
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + frozen + 6 * pool * d);

    // Kept for the backward pass per token and block: inputs of both norms, q k v, the input of GELU. On top
    // the widest temporaries of one block (4d in and out of GELU and their gradients) and the input of the
    // head.
    const auto element = config.run.precision == "bf16" ? 2 : 4;
    const auto masks = on_gpu && config.backbone.dropout > 0 ? (2 * layers + 1) * tokens * d : 0;
    const auto kept = layers * tokens * (2 * d * 4 + 7 * d * element) + masks;
    const auto temporary = tokens * (4 * d * 3 + 4 * d) * 4;
    e.bytes_per_row = kept + temporary +
                      4 * (tokens * d * 4 + patches * 3 * config.model.patch_length * 3 +
                           config.data.lookback * 8 * 2 + 4 * pool) +
                      heads * tokens * 4;

    // The residual stream, and in and out of GELU.
    e.evaluation_bytes_per_row = tokens * d * (4 + 2 * 4 * element);

    const auto n = static_cast<double>(rows);
    const auto width = static_cast<double>(d);
    const auto t = static_cast<double>(tokens);
    const double forward = t * static_cast<double>(layers) * (24 * width * width + 4 * t * width);
    const double backward = t * static_cast<double>(layers) * (24 * width * width + 12 * t * width);
    const double anchors = 2.0 * static_cast<double>(pool) * static_cast<double>(vocabulary) * width;
    const double head_flop =
        2.0 * t * width / static_cast<double>(config.model.head_ways) * static_cast<double>(horizon);
    const double embed =
        2.0 * static_cast<double>(patches) * 3.0 * static_cast<double>(config.model.patch_length) * width;
    const double similarity = 2.0 * width * static_cast<double>(pool);
    const double row_forward = forward + head_flop + embed + similarity;
    e.step_flop = n * (row_forward + backward + 2 * (head_flop + embed + similarity)) + 2 * anchors;
    e.evaluation_flop_per_row = row_forward;
    return e;
}

double measured_training_rate(const config::Config& config, std::int64_t rows, const c10::Device& device) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::string, int, std::int64_t, std::int64_t, std::int64_t, bool>,
                    double>
        known;
    constexpr std::int64_t many_tokens = 256;  // from here on the rate hardly changes
    const auto tokens = static_cast<std::int64_t>(std::bit_ceil(
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(config::token_count(config), 1, many_tokens))));
    // A batch that fills the threads is what counts; few rows do not.
    constexpr std::int64_t many_rows = 1024;
    const auto most_rows = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(rows, 1, many_rows))));
    const std::lock_guard lock(mutex);
    auto& rate =
        known[{device.str(), config.run.precision, at::get_num_threads(), tokens * many_rows + most_rows,
               config.backbone.width, config.backbone.heads, config.backbone.dropout > 0}];
    if (rate > 0) return rate;
    rate = measure_block(config, tokens, most_rows, device);
    return rate;
}

double measured_flop_rate(bool half, const c10::Device& device) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, bool, int>, double> known;
    const std::lock_guard lock(mutex);
    auto& rate = known[{device.str(), half, at::get_num_threads()}];
    if (rate > 0) return rate;
    const torch::NoGradGuard no_gradient;
    const std::int64_t size = device.is_cpu() ? 768 : 4096;
    const int products_at_once = device.is_cpu() ? 1 : 4;
    const auto options = at::TensorOptions(half ? at::kBFloat16 : at::kFloat).device(device);
    const auto a = at::ones({size, size}, options);
    auto out = at::mm(a, a);  // the first product also starts the threads
    synchronise(device);
    const auto begin = Clock::now();
    double seconds = 0;
    std::int64_t products = 0;
    while (seconds < 0.05) {
        for (int i = 0; i < products_at_once; ++i, ++products) at::mm_out(out, a, a);
        synchronise(device);
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    rate = 2.0 * static_cast<double>(size * size * size) * static_cast<double>(products) / seconds;
    return rate;
}

void check_memory(const Estimate& estimate, std::int64_t windows, std::int64_t rows_per_window,
                  const c10::Device& device) {
    const auto available = device_memory(device).available;
    const auto needed = estimate.step_bytes(windows * rows_per_window);
    if (available == 0 || needed <= available) return;
    const auto fitting = (available - estimate.fixed_bytes) /
                         std::max<std::int64_t>(1, estimate.bytes_per_row * rows_per_window);
    std::string advice = fitting >= 1 ? "Set train.batch_size to " + std::to_string(fitting) + " or less."
                                      : "Even one window does not fit: choose a smaller backbone or pool.";
    throw run_error("train.batch_size",
                    "a training step needs about " + bytes_text(needed) + ", and " + bytes_text(available) +
                        " are free" + (device.is_cpu() ? "" : " on " + device.str()),
                    {}, advice);
}

void check_evaluation_memory(const Estimate& estimate, std::int64_t windows, std::int64_t rows_per_window,
                             std::int64_t available,
                             const std::function<std::string(std::int64_t fitting_windows)>& advice) {
    std::int64_t rows = 0;
    if (__builtin_mul_overflow(windows, rows_per_window, &rows)) rows = INT64_MAX;
    const auto needed = estimate.evaluation_bytes(rows);
    if (available == 0 || needed <= available) return;
    const auto room = available - estimate.weight_bytes();
    const auto fitting =
        room < 0 ? -1 : room / std::max<std::int64_t>(1, estimate.evaluation_bytes_per_row) / rows_per_window;
    throw input_error("the evaluation",
                      "it needs at least " + bytes_text(needed) + ", " + bytes_text(estimate.weight_bytes()) +
                          " for the model and the rest for " + std::to_string(windows) +
                          (windows == 1 ? " window" : " windows at once"),
                      "no more than the " + bytes_text(available) + " that are free", advice(fitting));
}

}  // namespace casp::train
