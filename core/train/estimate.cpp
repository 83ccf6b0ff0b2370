#include "train/estimate.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <initializer_list>
#include <limits>

#include <torch/torch.h>

#include "model/descriptor.h"
#include "model/gpt2.h"
#include "train/machine_record.h"
#include "util/device.h"
#include "util/error.h"
#include "util/random.h"
#include "util/tf32.h"
#include "util/units.h"

namespace casp::train {

namespace {

using Clock = std::chrono::steady_clock;

/// Of one block and row, forward and backward.
double block_flop(double tokens, double width) {
    const double forward = tokens * (24 * width * width + 4 * tokens * width);
    const double backward = tokens * (24 * width * width + 12 * tokens * width);
    return forward + backward;
}

/// What is measured: on equal values a GPU needs less power, and is faster than in a training step.
at::Tensor random_values(at::IntArrayRef shape, const c10::Device& device) {
    return at::empty(shape, at::TensorOptions(at::kFloat).device(device))
        .normal_(0, 1, device_generator(device, 1));
}

/// Of the fastest of the repetitions in `min_seconds`: the others had to wait for other programs.
double shortest_seconds(double min_seconds, const c10::Device& device, const std::function<void()>& repeat) {
    double shortest = std::numeric_limits<double>::infinity();
    for (double all = 0; all < min_seconds;) {
        const auto begin = Clock::now();
        repeat();
        synchronise(device);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        shortest = std::min(shortest, seconds);
        all += seconds;
    }
    return shortest;
}

double measure_block(const config::Config& config, std::int64_t tokens, std::int64_t max_rows,
                     double product_rate, const c10::Device& device) {
    constexpr double target_seconds = 0.03, min_seconds = 0.1;
    const bool half = config.run.precision == "bf16";
    const auto width = config.backbone.width;
    const double flop = block_flop(static_cast<double>(tokens), static_cast<double>(width));
    const double wanted_rows = product_rate * target_seconds / flop;
    const auto rows =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wanted_rows, 1e6)), 1, max_rows);
    auto shape = config.backbone;
    shape.layers = 1;
    shape.vocabulary = 1;  // the token table takes no part
    shape.positions = tokens;
    shape.seed = 1;
    model::Gpt2 block(shape);
    block.to(device);
    const auto input = random_values({rows, tokens, width}, device).requires_grad_(true);
    const auto step = [&](std::int64_t number) {
        const Tf32Scope products(device, config.run.precision == "tf32");
        model::DropoutStream dropout(1, number);
        block.forward(input, shape.dropout > 0 ? &dropout : nullptr, half).sum().backward();
        input.mutable_grad().reset();
    };
    step(0);  // memory is taken, threads are started
    synchronise(device);
    std::int64_t steps = 0;
    return flop * static_cast<double>(rows) / shortest_seconds(min_seconds, device, [&] { step(++steps); });
}

double measure_products(const std::string& precision, const c10::Device& device) {
    const torch::NoGradGuard no_gradient;
    const std::int64_t size = device.is_cpu() ? 768 : 4096;
    const int products_at_once = device.is_cpu() ? 1 : 4;
    const Tf32Scope products_in(device, precision == "tf32");
    const auto a = random_values({size, size}, device).to(precision == "bf16" ? at::kBFloat16 : at::kFloat);
    auto out = at::mm(a, a);  // the first product also starts the threads
    synchronise(device);
    const double seconds = shortest_seconds(0.05, device, [&] {
        for (int i = 0; i < products_at_once; ++i) at::mm_out(out, a, a);
    });
    return 2.0 * static_cast<double>(size * size * size * products_at_once) / seconds;
}

/// Of a rate in the machine's record. A home folder may serve several machines. `shape`: empty for products.
std::string rate_key(const std::string& precision, const c10::Device& device,
                     std::initializer_list<std::int64_t> shape) {
    auto key = hardware_name(device);
    for (const auto& part : {device.str(), precision, std::to_string(at::get_num_threads())})
        (key += '|') += part;
    for (const auto size : shape) (key += '|') += std::to_string(size);
    return key;
}

}  // namespace

double measured_training_rate(const config::Config& config, std::int64_t rows, const c10::Device& device) {
    const auto all_tokens = model::estimate(config, {}).tokens;
    if (all_tokens == 0 || !model::capabilities(config).backbone)
        return measured_flop_rate(model::product_precision(config), device);
    constexpr std::int64_t many_tokens = 256;  // from here on the rate hardly changes
    const auto tokens = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(all_tokens, 1, many_tokens))));
    // A batch that fills the threads is what counts; few rows do not.
    constexpr std::int64_t many_rows = 1024;
    const auto max_rows = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(rows, 1, many_rows))));
    const double product_rate = measured_flop_rate(config.run.precision, device);
    return machine_record().best_rate(
        rate_key(config.run.precision, device,
                 {config.backbone.width, config.backbone.heads, config.backbone.dropout > 0 ? 1 : 0, tokens,
                  max_rows}),
        [&] { return measure_block(config, tokens, max_rows, product_rate, device); });
}

double measured_flop_rate(const std::string& precision, const c10::Device& device) {
    return machine_record().best_rate(rate_key(precision, device, {}),
                                      [&] { return measure_products(precision, device); });
}

std::string check_memory(const model::Estimate& estimate, std::int64_t windows, std::int64_t rows_per_window,
                         const c10::Device& device) {
    const auto memory = device_memory(device);
    const auto available = memory.available;
    const auto needed = estimate.step_bytes(windows * rows_per_window);
    const auto others = notable_others(memory, needed);
    if (available == 0 || needed <= available)
        return others > 0 ? Phrase("other processes use %1 of %2 on %3", bytes_text(others),
                                   bytes_text(memory.total), device.str())
                          : Phrase();
    const auto fitting = (available - estimate.fixed_bytes) /
                         std::max<std::int64_t>(1, estimate.bytes_per_row * rows_per_window);
    Phrase advice = fitting >= 1 ? Phrase("Set train.batch_size to %1 or less.", fitting)
                                 : Phrase("Even one window does not fit: choose a smaller backbone or pool.");
    throw run_error(
        "train.batch_size",
        device.is_cpu()
            ? others > 0
                  ? Phrase(
                        "a training step needs about %1, and %2 are free, where other processes use %3 of %4",
                        bytes_text(needed), bytes_text(available), bytes_text(others),
                        bytes_text(memory.total))
                  : Phrase("a training step needs about %1, and %2 are free", bytes_text(needed),
                           bytes_text(available))
        : others > 0
            ? Phrase(
                  "a training step needs about %1, and %2 are free on %3, where other processes use %4 of %5",
                  bytes_text(needed), bytes_text(available), device.str(), bytes_text(others),
                  bytes_text(memory.total))
            : Phrase("a training step needs about %1, and %2 are free on %3", bytes_text(needed),
                     bytes_text(available), device.str()),
        {}, advice);
}

void check_evaluation_memory(const model::Estimate& estimate, std::int64_t windows,
                             std::int64_t rows_per_window, std::int64_t available,
                             const std::function<std::string(std::int64_t fitting_windows)>& advice) {
    std::int64_t rows = 0;
    if (__builtin_mul_overflow(windows, rows_per_window, &rows)) rows = INT64_MAX;
    const auto needed = estimate.evaluation_bytes(rows);
    if (available == 0 || needed <= available) return;
    const auto room = available - estimate.weight_bytes();
    const auto fitting =
        room < 0 ? -1 : room / std::max<std::int64_t>(1, estimate.evaluation_bytes_per_row) / rows_per_window;
    throw input_error(
        "the evaluation",
        windows == 1 ? Phrase("it needs at least %1, %2 for the model and the rest for %3 window",
                              bytes_text(needed), bytes_text(estimate.weight_bytes()), windows)
                     : Phrase("it needs at least %1, %2 for the model and the rest for %3 windows at once",
                              bytes_text(needed), bytes_text(estimate.weight_bytes()), windows),
        Phrase("no more than the %1 that are free", bytes_text(available)), advice(fitting));
}

}  // namespace casp::train
