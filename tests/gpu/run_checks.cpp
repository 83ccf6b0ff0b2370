#include "gpu/run_checks.h"

#include <cmath>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <torch/torch.h>
#include <unistd.h>

#include "config/experiment.h"
#include "gpu/kernel_checks.h"
#include "model/cuda/kernels.h"
#include "run/run.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "train/graphed_step.h"
#include "train/process_group.h"
#include "util/device.h"
#include "util/error.h"

namespace casp::gpu {

namespace {

constexpr std::int64_t sample_rows = 1200;

/// A part of the sample data set, so that validation and test take little time.
std::filesystem::path short_sample(const Setting& s) {
    auto path = s.scratch / "short_sample.csv";
    if (std::filesystem::exists(path)) return path;
    std::ifstream from(s.source / "datasets/sample.csv");
    std::ofstream to(path);
    std::string line;
    for (std::int64_t i = 0; i <= sample_rows && std::getline(from, line); ++i) to << line << '\n';
    to.close();
    require(static_cast<bool>(to) && static_cast<bool>(from), "datasets/sample.csv cannot be read or copied");
    return path;
}

/// What a run left behind.
struct Outcome {
    store::ResultRow row;
    store::RunRecord record;
};

/// Runs in a fresh folder, or with `resume` in that of before.
Outcome run_in(const Setting& s, const config::Config& config, const std::string& name,
               train::TrainObserver& observer, train::StopControl& stop, bool resume = false,
               train::Processes* processes = nullptr) {
    run::RunRequest request;
    request.config = config;
    request.folder = s.scratch / name;
    request.name = name;
    request.resume = resume;
    request.processes = processes;
    if (!resume) std::filesystem::remove_all(request.folder);
    Outcome outcome;
    outcome.row = run::run(request, observer, stop);
    outcome.record = store::read_run_file(store::RunFolder(request.folder).run_file());
    return outcome;
}

Outcome run_in(const Setting& s, const config::Config& config, const std::string& name) {
    train::TrainObserver quiet;
    train::StopControl stop;
    return run_in(s, config, name, quiet, stop);
}

/// Largest difference of two curves relative to the second's values; infinite where they differ in length.
double curve_difference(const std::vector<double>& found, const std::vector<double>& expected) {
    if (found.size() != expected.size() || found.empty()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!std::isfinite(found[i])) return std::numeric_limits<double>::infinity();
        const double difference = std::abs(found[i] - expected[i]);
        if (difference > 0) worst = std::max(worst, difference / std::max(std::abs(expected[i]), 1e-6));
    }
    return worst;
}

/// Largest relative difference of everything that two runs computed.
double run_difference(const Outcome& found, const Outcome& expected) {
    const auto& a = found.record;
    const auto& b = expected.record;
    double worst = 0;
    const auto compare = [&](const std::vector<double>& x, const std::vector<double>& y) {
        worst = std::max(worst, curve_difference(x, y));
    };
    compare(a.steps.forecast, b.steps.forecast);
    compare((*a.steps.find_term("similarity")), (*b.steps.find_term("similarity")));
    compare((*a.steps.find_term("coverage")), (*b.steps.find_term("coverage")));
    compare(a.steps.total, b.steps.total);
    compare(a.epochs.val_mse, b.epochs.val_mse);
    compare({found.row.test_mse, found.row.test_mae}, {expected.row.test_mse, expected.row.test_mae});
    if (!a.test || !b.test || !a.val || !b.val) return std::numeric_limits<double>::infinity();
    compare(a.test->mse_per_step, b.test->mse_per_step);
    compare(a.val->mse_per_channel, b.val->mse_per_channel);
    return worst;
}

std::string check_curves(const Setting& s) {
    auto config = small_config(s);
    auto reference = config;
    reference.run.device = "cpu";
    // On the CPU itself another number of threads sums in another order: then the bound has something to do.
    const int threads = at::get_num_threads();
    reference.run.threads = 1;
    const auto expected = run_in(s, reference, "curve-cpu");
    at::set_num_threads(threads);
    const auto found = run_in(s, config, "curve-device");
    require(found.record.steps.step.size() == static_cast<std::size_t>(config.train.max_steps),
            "the run has " + std::to_string(found.record.steps.step.size()) + " steps");
    const double forecast = curve_difference(found.record.steps.forecast, expected.record.steps.forecast);
    const double total = curve_difference(found.record.steps.total, expected.record.steps.total);
    const double coverage = curve_difference((*found.record.steps.find_term("coverage")),
                                             (*expected.record.steps.find_term("coverage")));
    const double val = curve_difference(found.record.epochs.val_mse, expected.record.epochs.val_mse);
    const double test = curve_difference({found.row.test_mse}, {expected.row.test_mse});
    const double worst = std::max({forecast, total, coverage, val, test});
    const auto& losses = found.record.steps.forecast;
    require(worst < 1e-3, "the curve leaves the CPU's by " + number(worst) + " (forecast loss " +
                              number(forecast) + ", total " + number(total) + ", coverage " +
                              number(coverage) + ", validation " + number(val) + ", test " + number(test) +
                              "), allowed 0.001");
    require(losses.back() < losses.front(), "nothing was learnt");
    require(!found.record.anchors.usage_test.empty(), "no usage was counted");
    std::int64_t chosen = 0;
    for (const auto n : found.record.anchors.usage_test) chosen += n;
    const auto& test_split = *found.record.test;
    require(
        chosen % (static_cast<std::int64_t>(test_split.mse_per_channel.size()) * config.model.top_k) == 0 &&
            chosen > 0,
        "usage counts add up to " + std::to_string(chosen));
    return std::to_string(losses.size()) + " steps from " + number(losses.front()) + " to " +
           number(losses.back()) + ", within " + number(worst) + " of the CPU's";
}

/// What a run says of kernels or graphs that are not there.
class KernelProblems : public train::TrainObserver {
public:
    void on_message(train::MessageLevel /*level*/, const Phrase& phrase) override {
        const auto message = phrase.english();
        if (message.find("not used") != std::string::npos ||
            message.find("not recorded") != std::string::npos)
            text = message;
    }
    std::string text;
};

/// With dropout: the kernels drop what the CPU drops.
std::string check_kernel_curves(const Setting& s) {
    const KernelSwitch on(true);
    if (!model::cuda::kernels_wanted(s.device)) return "this device has no kernels";
    auto config = small_config(s);
    config.backbone.dropout = 0.1;
    auto reference = config;
    reference.run.device = "cpu";
    const auto expected = run_in(s, reference, "kernels-cpu");
    const auto compare = [&](const char* precision, double allowed) {
        config.run.precision = precision;
        KernelProblems problems;
        train::StopControl stop;
        const auto found = run_in(s, config, std::string("kernels-") + precision, problems, stop);
        require(problems.text.empty(), problems.text);
        const double worst = std::max(curve_difference(found.record.steps.total, expected.record.steps.total),
                                      curve_difference({found.row.test_mse}, {expected.row.test_mse}));
        require(worst < allowed, std::string(precision) + " leaves the CPU's curve by " + number(worst));
        require(run_difference(run_in(s, config, "kernels-again"), found) == 0,
                std::string(precision) + " gives other bits when it is repeated");
        const bool former = train::allow_graphs(false);
        const auto plain = run_in(s, config, "kernels-without-graphs");
        train::allow_graphs(former);
        require(run_difference(plain, found) == 0,
                std::string(precision) + " gives other bits without recorded steps");
        return std::string(precision) + " within " + number(worst) + " of the CPU's";
    };
    return compare("fp32", 1e-3) + "; " + compare("bf16", 0.05) + "; repeated bit by bit";
}

std::string check_lower_precision(const Setting& s, const std::string& precision, double allowed) {
    auto config = small_config(s);
    const auto expected = run_in(s, config, precision + "-reference");
    config.run.precision = precision;
    const auto found = run_in(s, config, precision);
    const double worst =
        std::max({curve_difference(found.record.steps.forecast, expected.record.steps.forecast),
                  curve_difference(found.record.steps.total, expected.record.steps.total),
                  curve_difference({found.row.test_mse}, {expected.row.test_mse})});
    require(worst < allowed,
            precision + " leaves fp32's curve by " + number(worst) + ", allowed " + number(allowed));
    // The pretend device computes as the CPU, which has no TF32.
    require(worst > 0 || s.device.is_privateuseone(), precision + " gives the bits of fp32: it was not used");
    // Dropout on its tensors as well.
    config.backbone.dropout = 0.1;
    const auto dropped = run_in(s, config, precision + "-dropout");
    for (const double loss : dropped.record.steps.total) require(std::isfinite(loss), "a loss is not finite");
    return "within " + number(worst) + " of fp32; with dropout finite";
}

std::string check_bf16(const Setting& s) {
    return has_bf16(s.device) ? check_lower_precision(s, "bf16", 0.05) : "this processor has no bf16";
}

std::string check_tf32(const Setting& s) {
    return has_tf32(s.device) ? check_lower_precision(s, "tf32", 0.01) : "this device has no TF32";
}

/// Asks to stop after some steps.
class StopAfter : public train::TrainObserver {
public:
    StopAfter(train::StopControl& stop, std::int64_t steps) : stop_(stop), steps_(steps) {}
    void on_step(const train::StepReport& r) override {
        if (r.step >= steps_) stop_.ask(train::StopRequest::cancel);
    }
    void on_checkpoint(std::int64_t step) override { checkpoint = step; }

    std::int64_t checkpoint = -1;

private:
    train::StopControl& stop_;
    std::int64_t steps_;
};

/// Every random number follows from the seed, the step and the epoch, so a resumed run must be as close to an
/// undisturbed one as that one's repetition is: the same bits where the device repeats bits, and otherwise
/// within ten times what a repetition differs by (sums by atomic additions in a kernel of the vendor would do
/// that).
std::string check_resume(const Setting& s, double dropout) {
    auto config = small_config(s);
    config.backbone.dropout = dropout;
    const std::string tag = dropout > 0 ? "dropout-" : "plain-";
    const auto undisturbed = run_in(s, config, tag + "undisturbed");
    const auto repeated = run_in(s, config, tag + "repeated");
    const double repetition = run_difference(repeated, undisturbed);

    train::StopControl stop;
    StopAfter observer(stop, 10);
    const auto cancelled = run_in(s, config, tag + "resumed", observer, stop);
    require(cancelled.row.state == store::RunState::cancelled, "the run was not cancelled");
    require(observer.checkpoint >= 10 && observer.checkpoint < config.train.max_steps,
            "it was cancelled after step " + std::to_string(observer.checkpoint));
    train::TrainObserver quiet;
    train::StopControl go_on;
    const auto resumed = run_in(s, config, tag + "resumed", quiet, go_on, /*resume=*/true);
    require(resumed.row.state == store::RunState::finished, "the resumed run did not finish");
    require(resumed.record.steps.step == undisturbed.record.steps.step, "the history of steps has a gap");
    const double difference = run_difference(resumed, undisturbed);
    if (s.device.is_cpu()) require(repetition == 0, "the CPU does not repeat its bits");
    const double allowed = repetition == 0 ? 0 : std::max(10 * repetition, 1e-6);
    require(repetition < 1e-3, "two equal runs differ by " + number(repetition));
    require(difference <= allowed, "resumed after step " + std::to_string(observer.checkpoint) +
                                       ", it differs by " + number(difference) +
                                       "; a repetition differs by " + number(repetition));
    const std::string where = "resumed after step " + std::to_string(observer.checkpoint) + " of " +
                              std::to_string(config.train.max_steps) + ": ";
    if (difference == 0 && repetition == 0) return where + "the same bits; a repetition too";
    return where + "differs by " + number(difference) + "; a repetition by " + number(repetition);
}

/// Remembers why processes do not exchange by NCCL.
class ExchangeWatcher : public train::TrainObserver {
public:
    std::string slower;
    void on_message(train::MessageLevel, const Phrase& text) override {
        if (text.english().find("slower than NCCL") != std::string::npos) slower = text.english();
    }
};

/// Two processes, here two threads, on two GPUs (one, or the CPU, where there are no two) give the numbers of
/// one, dropout included.
std::string check_two_processes(const Setting& s) {
    auto config = small_config(s);
    config.backbone.dropout = 0.1;
    config.train.learning_rate = 1e-4;  // AdamW magnifies rounding by the rate
    config.train.max_steps = 50;
    config.run.threads = 1;
    if (s.device.is_cuda()) config.run.device = "cuda";
    const auto expected = run_in(s, config, "one-process");

    train::Processes first({.rank = 0, .size = 2});
    auto place = first.place();
    place.rank = 1;
    std::jthread other([place] {
        train::Processes second(place);
        train::StopControl stop;
        (void)run::follow(second, stop);
    });
    ExchangeWatcher watcher;
    train::StopControl stop;
    const auto found = run_in(s, config, "two-processes", watcher, stop, false, &first);
    first.end(0);
    const double worst =
        std::max(curve_difference(found.record.steps.total, expected.record.steps.total),
                 curve_difference(found.record.steps.forecast, expected.record.steps.forecast));
    require(found.record.steps.step.size() == 50, "the run does not have 50 steps");
    require(worst < 1e-5, "two processes leave the curve of one by " + number(worst) + ", allowed 1e-5");
    require(found.record.anchors.usage_train == expected.record.anchors.usage_train, "usage counts differ");
    return "50 steps within " + number(worst) + " of one process" +
           (watcher.slower.empty() ? "" : "; " + watcher.slower);
}

/// The number in "Set train.batch_size to N or less".
std::int64_t advised_batch(const std::string& message) {
    const std::string words = "Set train.batch_size to ";
    const auto place = message.find(words);
    require(place != std::string::npos, "no batch size is advised: " + message);
    return std::strtoll(message.c_str() + place + words.size(), nullptr, 10);
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& problem) {
        require(problem.parts().where == "train.batch_size",
                "the error is another one: " + std::string(problem.what()));
        return problem.what();
    } catch (const std::exception& problem) {
        throw Failure(std::string("not a friendly error: ") + problem.what());
    }
    throw Failure("it found memory for everything");
}

/// A step that cannot fit is refused before anything is allocated.
std::string check_refusal(const Setting& s) {
    auto config = small_config(s);
    // 82 patches, 1000 blocks: little to store, and activations of 0.9 GB per window, 600 GB in all.
    config.data.columns = {"HVAL", "MVAL", "OT"};
    config.backbone.layers = 1000;
    config.model.patch_stride = 1;
    config.model.top_k = 5;  // 87 tokens, which three ways divide
    config.train.batch_size = 700;
    const auto free_before = device_memory(s.device).available;
    const auto message = message_of([&] { run_in(s, config, "refused"); });
    const auto advised = advised_batch(message);
    require(advised >= 1 && advised < config.train.batch_size, "the advice is no help: " + message);
    require(!std::filesystem::exists(s.scratch / "refused"), "a folder was made for a run that cannot start");
    const auto free_after = device_memory(s.device).available;
    require(free_before - free_after < (std::int64_t{2} << 30), "memory was taken for it");
    return message;
}

/// Takes all memory just before the first step: on a GPU it really does, on the CPU the process is told that
/// its address space ends here.
class MemoryHog : public train::TrainObserver {
public:
    explicit MemoryHog(const at::Device& device) : device_(device) { getrlimit(RLIMIT_AS, &before_); }
    ~MemoryHog() override {
        if (device_.is_cpu()) setrlimit(RLIMIT_AS, &before_);
    }
    MemoryHog(const MemoryHog&) = delete;
    MemoryHog& operator=(const MemoryHog&) = delete;

    void on_started(const train::RunStarted&) override {
        if (device_.is_cpu()) return limit_address_space();
        release_reserved_memory(device_);
        auto bytes = device_memory(device_).available;
        while (bytes >= (std::int64_t{1} << 20)) {
            try {
                taken_.push_back(at::empty({bytes}, at::TensorOptions(at::kByte).device(device_)));
            } catch (const c10::OutOfMemoryError&) {
                bytes /= 2;
            }
        }
    }

private:
    void limit_address_space() {
        std::ifstream statm("/proc/self/statm");
        std::int64_t pages = 0;
        statm >> pages;
        auto limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (std::int64_t{64} << 20));
        setrlimit(RLIMIT_AS, &limit);
    }

    at::Device device_;
    rlimit before_{};
    std::vector<at::Tensor> taken_;
};

std::string check_out_of_memory(const Setting& s) {
    auto config = small_config(s);
    config.train.batch_size = 512;
    config.train.max_steps = 3;
    std::string message;
    {
        MemoryHog hog(s.device);  // gives everything back at the end of this block
        train::StopControl stop;
        message = message_of([&] { run_in(s, config, "out-of-memory", hog, stop); });
    }
    const auto advised = advised_batch(message);
    require(advised >= 1 && advised < config.train.batch_size, "the advice is no help: " + message);
    const auto status = store::read_run_status(store::RunFolder(s.scratch / "out-of-memory"));
    require(status && status->row.state == store::RunState::failed && !status->message.empty(),
            "run.json does not say that the run failed");
    // The process survives it: with the memory back the same run goes through.
    release_reserved_memory(s.device);
    const auto after = run_in(s, config, "out-of-memory");
    require(after.row.state == store::RunState::finished, "the run after it did not finish");
    return message;
}

}  // namespace

config::Config small_config(const Setting& s) {
    auto config = config::load_text(R"(
[data]
lookback = 96
horizon = 24
[backbone]
path = "untrained"
layers = 2
width = 96
heads = 6
vocabulary = 500
positions = 128
dropout = 0
[model]
trend_length = 25
seasonal_length = 24
pool_size = 50
top_k = 3
[train]
batch_size = 32
learning_rate = 1e-3
epochs = 10
[run]
store_forecasts = []
)",
                                    "the checks' configuration", {})
                      .base;
    config.data.path = short_sample(s).string();
    config.train.max_steps = s.quick ? 26 : 30;
    config.run.device = s.device.is_privateuseone() ? "auto" : s.device.str();
    return config;
}

std::vector<Check> run_checks() {
    return {{"loss curve follows the CPU's", check_curves},
            {"kernels with dropout follow the CPU", check_kernel_curves},
            {"bf16 follows fp32", check_bf16},
            {"TF32 follows fp32", check_tf32},
            {"cancel and resume", [](const Setting& s) { return check_resume(s, 0.0); }},
            {"cancel and resume with dropout", [](const Setting& s) { return check_resume(s, 0.1); }},
            {"two processes", check_two_processes},
            {"too large a step is refused", check_refusal},
            {"out of memory in a step", check_out_of_memory}};
}

}  // namespace casp::gpu
