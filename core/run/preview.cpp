#include "run/preview.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>

#include <torch/torch.h>

#include "config/options.h"
#include "data/prepared.h"
#include "model/descriptor.h"
#include "train/estimate.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"

namespace casp::run {

namespace {

/// Without backbone only plain products are measured, of which these models' steps reach a fraction.
constexpr train::Correction usual_without_backbone{.time = 4};

constexpr double worthwhile_fraction = 0.9;  ///< of the time: measured rates vary by some per cent

/// Sets LibTorch's number of threads for the calling thread and restores it on destruction.
class Threads {
public:
    explicit Threads(std::int64_t wanted)
        : before_(at::get_num_threads()), changed_(wanted > 0 && wanted != before_) {
        if (changed_) at::set_num_threads(static_cast<int>(wanted));
    }
    ~Threads() {
        if (changed_) at::set_num_threads(before_);
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int before_;
    bool changed_;  ///< an unnecessary call would affect matrix products running on other threads
};

data::SplitPlan plan_of(const config::Config& config, const data::FileFacts& data) {
    if (data.series > 0) {
        data::SplitPlan plan;
        plan.lookback = config.data.lookback;
        plan.horizon = config.data.horizon;
        for (auto* part : {&plan.train, &plan.val, &plan.test}) part->windows = data.series;
        return plan;
    }
    if (config.data.split.rule == "dates" && data.time == nullptr)
        throw input_error("data.split", "the dates cannot be found in a file that is not there yet", {},
                          "Download the data set first.");
    data::RowTimes times{{}, data.step.local};
    if (data.time != nullptr) times.time = *data.time;
    return data::plan_split(config, data.entry, data.rows, times);
}

/// The least, since runs that are running do not count.
std::int64_t least_used(std::int64_t used, bool on_gpu) {
    static std::array<std::atomic<std::int64_t>, 2> least{INT64_MAX, INT64_MAX};
    auto& known = least[on_gpu ? 1 : 0];
    auto before = known.load();
    while (used < before && !known.compare_exchange_weak(before, used)) {
    }
    return std::min(before, used);
}

}  // namespace

std::int64_t data_bytes(const data::SplitPlan& plan, std::int64_t channels, bool on_gpu) {
    std::int64_t rows = 0;
    for (const auto part : plan.part_rows) rows += part;
    return rows * channels * (on_gpu ? std::int64_t{sizeof(float)} : bytes_per_value);
}

std::string comparable_runs(const config::Config& config, const std::string& hardware) {
    return hardware + ": " + config.model.name;
}

train::Correction correction_of(const config::Config& config, const std::string& hardware) {
    return train::machine_record().correction(
        comparable_runs(config, hardware),
        model::capabilities(config).backbone ? train::Correction() : usual_without_backbone);
}

Machine measure_machine(const config::Config& config) {
    const auto device = train::device_of(config);
    const Threads threads(config.run.threads);
    Machine m;
    m.device = device.str();
    m.hardware = hardware_name(device);
    const auto settled = train::with_precision(config, device);
    m.precision = settled.run.precision;
    const auto rate_in = [&](const std::string& precision) {
        auto other = settled;
        other.run.precision = precision;
        return train::measured_training_rate(other, config.train.batch_size, device);
    };
    m.flop_rate = rate_in(m.precision);
    const auto memory = device_memory(device);
    m.memory_available = memory.available;
    m.memory_total = memory.total;
    m.memory_others = memory.others;
    m.memory_base = least_used(memory.used, !device.is_cpu());
    m.correction = correction_of(config, m.hardware);
    if (!model::capabilities(config).backbone || m.precision == "bf16") return m;
    if (has_tf32(device) && m.precision == "fp32") m.other_rates["tf32"] = rate_in("tf32");
    if (has_bf16(device)) m.other_rates["bf16"] = rate_in("bf16");
    return m;
}

Preview preview(const config::Config& wanted, const data::FileFacts& data, const Machine& machine) {
    Preview p;
    auto config = wanted;
    if (!machine.precision.empty()) config.run.precision = machine.precision;
    const bool on_gpu = machine.device.rfind("cuda", 0) == 0;
    const auto selected = static_cast<std::int64_t>(config.data.columns.size());
    const auto channels = selected == 0 || data.rows == 0 ? data.channels : selected;
    const auto sizes = model::estimate(
        config, {.rows = 1, .channels = std::max<std::int64_t>(1, channels), .on_gpu = on_gpu});
    p.patches = sizes.patches;
    p.tokens = sizes.tokens;
    p.parameters_total = sizes.parameters_total;
    p.parameters_trainable = sizes.parameters_trainable;
    if (data.rows <= 0 || channels <= 0) return p;

    p.plan = plan_of(config, data);
    p.single_channel = data.series == 0 && data::wants_single_channel(config.data.batching, data.entry,
                                                                      static_cast<std::size_t>(channels));
    const auto targets =
        config.data.targets.empty() ? channels : static_cast<std::int64_t>(config.data.targets.size());
    const auto items = p.plan.train.windows * (p.single_channel ? targets : 1);
    const auto rows_per_item = p.single_channel ? 1 : channels;
    const auto batch = std::min(config.train.batch_size, items);
    p.rows_per_step = batch * rows_per_item;
    const bool trains = model::capabilities(config).trains;
    p.steps_per_epoch = trains ? (items + config.train.batch_size - 1) / config.train.batch_size : 0;
    const auto e =
        model::estimate(config, {.rows = p.rows_per_step, .channels = rows_per_item, .on_gpu = on_gpu});
    p.step_bytes = e.step_bytes(p.rows_per_step);
    p.step_flop = e.step_flop;
    p.peak_bytes =
        std::max(machine.memory_base,
                 static_cast<std::int64_t>(machine.correction.memory *
                                           static_cast<double>(machine.memory_base + p.step_bytes +
                                                               data_bytes(p.plan, channels, on_gpu))));
    p.compared_runs = machine.correction.runs;
    p.memory_available = machine.memory_available;
    p.memory_total = machine.memory_total;
    p.memory_others = notable_others({.total = machine.memory_total,
                                      .available = machine.memory_available,
                                      .others = machine.memory_others},
                                     p.step_bytes);
    if (p.memory_available > 0) {
        p.fits = p.step_bytes <= p.memory_available;
        const auto room = std::max<std::int64_t>(0, p.memory_available - e.fixed_bytes);
        p.largest_batch_size =
            std::min(items, room / std::max<std::int64_t>(1, e.bytes_per_row * rows_per_item));
    }
    if (!(machine.flop_rate > 0)) return p;

    const double rate = machine.flop_rate / machine.correction.time;
    const auto evaluation = [&](const data::SplitPart& part) {
        return e.flop(0, static_cast<double>(part.windows * channels)) / rate;
    };
    p.step_seconds = e.flop(1, 0) / rate;
    const double validation = evaluation(p.plan.val);
    p.epoch_seconds = p.step_seconds * static_cast<double>(p.steps_per_epoch) + validation;
    p.test_seconds = evaluation(p.plan.test);
    auto epochs = trains ? static_cast<double>(config.train.epochs) : 1.0;
    auto steps = epochs * static_cast<double>(p.steps_per_epoch);
    if (config.train.max_steps > 0 && static_cast<double>(config.train.max_steps) < steps) {
        steps = static_cast<double>(config.train.max_steps);
        if (trains) epochs = std::ceil(steps / static_cast<double>(p.steps_per_epoch));
    }
    p.may_end_early = trains && epochs > static_cast<double>(config.train.patience);
    p.longest_seconds = steps * p.step_seconds + epochs * validation + p.test_seconds;
    for (const auto& [precision, other] : machine.other_rates)
        if (const double seconds = p.longest_seconds * machine.flop_rate / other;
            seconds <= worthwhile_fraction * p.longest_seconds)
            p.shorter_in.emplace_back(precision, seconds);
    std::sort(p.shorter_in.begin(), p.shorter_in.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    return p;
}

}  // namespace casp::run
