#include "inspect/process_checks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "store/result_columns.h"
#include "util/error.h"
#include "util/random.h"

namespace casp::inspect {

namespace {

/// Look-backs and time features of some windows.
struct Inputs {
    at::Tensor lookback, time;

    [[nodiscard]] model::ModelInput of(const at::Tensor& windows) const {
        return {lookback.index_select(0, windows),
                time.defined() ? time.index_select(0, windows) : at::Tensor()};
    }
};

Inputs evenly_spaced(const data::WindowSet& windows, std::int64_t count) {
    std::vector<at::Tensor> lookbacks, times;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto batch = windows.range(i * windows.windows() / count, 1);
        lookbacks.push_back(batch.lookback);
        if (batch.time.defined()) times.push_back(batch.time);
    }
    return {at::cat(lookbacks), times.empty() ? at::Tensor() : at::cat(times)};
}

/// The largest difference, and the root mean square of `a`.
struct Difference {
    double largest = 0, size = 0;

    Difference(const at::Tensor& a, const at::Tensor& b)
        : largest((a - b).abs().nan_to_num().max().item<double>()),
          size(a.square().nan_to_num().mean().sqrt().item<double>()) {}
    /// Products of other shapes round otherwise.
    [[nodiscard]] bool matters(const std::string& precision) const {
        const double rounding = precision == "fp32" ? 1e-3 : 3e-2;
        return largest > rounding * size;
    }
};

struct ScratchFolder {
    explicit ScratchFolder(std::filesystem::path place) : path(std::move(place)) {
        std::filesystem::create_directories(path);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code none;
        std::filesystem::remove_all(path, none);
    }

    std::filesystem::path path;
};

void check_repeatable(const config::Config& config, model::Forecaster& model, const data::WindowSet& train,
                      const std::filesystem::path& folder, train::TrainObserver& observer) {
    auto& process = *model.own_process();
    if (process.training() != model::OwnProcess::Training::steps || process.info().device != "cpu") return;
    const ScratchFolder scratch(folder / ".check");
    const auto weights = scratch.path / "before.safetensors",
               optimizer = scratch.path / "optimizer.safetensors", after = scratch.path / "after.safetensors";
    const auto restore = [&] {
        process.read_weights(weights);
        process.read_optimizer(optimizer);
    };
    const auto items = at::arange(std::min(config.train.batch_size, train.size()), at::kLong);
    const auto step = [&] {
        const auto seed = derive_seed(static_cast<std::uint64_t>(config.train.seed), "step");
        process.step(train, items, config.train.learning_rate, 0.9, seed);
        return process.write_weights(after, {}) + process.write_optimizer(after);
    };
    std::string first, second;
    try {
        process.write_weights(weights, {});
        process.write_optimizer(optimizer);
        first = step();
        restore();
        second = step();
        restore();
    } catch (const Cancelled&) {  // the training finds the request itself
        first = second;
    }
    if (first != second)
        observer.on_message(
            train::MessageLevel::warning,
            "two equal training steps gave different weights: this run cannot be repeated or "
            "resumed to the bit (random numbers of its own, or a state that is not complete)");
}

void check_forecasts(const config::Config& config, model::Forecaster& model, model::Forecaster& fresh,
                     const data::WindowSet& windows, train::TrainObserver& observer) {
    constexpr std::int64_t most = 64, at_once = 7;
    const auto warn = [&](const Phrase& text) { observer.on_message(train::MessageLevel::warning, text); };
    const torch::NoGradGuard no_gradient;
    const model::EvaluationMode mode(model, windows.device());
    const auto count = std::min(most, windows.windows());
    const auto inputs = evenly_spaced(windows, count);
    const auto forecast = [&](const at::Tensor& which) {
        return model.forward(inputs.of(which), nullptr, false).prediction;
    };
    const auto all = at::arange(count, at::kLong);
    const auto order = at::randperm(count, make_generator(1), at::TensorOptions(at::kLong));
    std::int64_t size = count;
    try {
        model.begin_evaluation();  // random numbers begin anew
        const auto first = forecast(all);
        model.begin_evaluation();
        const Difference again(first, forecast(all));
        if (again.matters(config.run.precision))
            return warn(
                Phrase("its forecasts cannot be repeated: two of the same windows differ by up to %1 (root "
                       "mean square of the forecasts: %2)",
                       store::four_digits(again.largest), store::four_digits(again.size)));
        const Difference drawn(first, forecast(all));  // with other random numbers
        if (drawn.matters(config.run.precision))
            return warn(Phrase(
                "its forecasts are random: with other random numbers they differ by up to %1 (root mean "
                "square of the forecasts: %2)",
                store::four_digits(drawn.largest), store::four_digits(drawn.size)));
        const Difference stored(first, fresh.forward(inputs.of(all), nullptr, false).prediction);
        if (stored.matters(config.run.precision))
            warn(Phrase(
                "its stored state is not complete: in a new process its forecasts differ by up to %1 (root "
                "mean square of the forecasts: %2). Evaluations, forecasts ahead and resumed runs will "
                "differ.",
                store::four_digits(stored.largest), store::four_digits(stored.size)));
        std::vector<at::Tensor> parts;
        for (std::int64_t begin = 0; begin < count; begin += size) {
            size = std::min(at_once, count - begin);
            parts.push_back(forecast(order.slice(0, begin, begin + size)));
        }
        const Difference other(first.index_select(0, order), at::cat(parts));
        if (other.matters(config.run.precision))
            warn(Phrase(
                "its forecasts depend on the other windows of a batch: in another order, in batches of "
                "%1, they differ by up to %2 (root mean square of the forecasts: %3). Its errors are "
                "not those of a forecast from one look-back.",
                at_once, store::four_digits(other.largest), store::four_digits(other.size)));
    } catch (const Cancelled&) {
        // The errors are known: the run is finished.
    } catch (const Error& problem) {
        warn(Phrase("it does not forecast a batch of %1 windows: %2", size, phrase_of(problem)));
    }
}

}  // namespace

void check_process(const config::Config& config, model::Forecaster& model, model::Forecaster& fresh,
                   const train::SessionData& data, const std::filesystem::path& folder,
                   train::TrainObserver& observer) {
    check_forecasts(config, model, fresh, *data.test, observer);
    check_repeatable(config, fresh, *data.train, folder, observer);
}

}  // namespace casp::inspect
