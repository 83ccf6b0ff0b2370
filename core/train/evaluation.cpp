#include "train/evaluation.h"

#include <torch/torch.h>

#include "analysis/usage.h"
#include "model/anchor_pool.h"
#include "model/retrieval.h"
#include "model/target_channels.h"
#include "util/device.h"
#include "util/error.h"
#include "util/tf32.h"

namespace casp::train {

namespace {

/// Sums over windows of squared and absolute errors, [H, M] float64 on the device: every mean follows from
/// them.
struct ErrorSums {
    at::Tensor squared, absolute;

    ErrorSums(at::IntArrayRef shape, const at::TensorOptions& options)
        : squared(at::zeros(shape, options)), absolute(at::zeros(shape, options)) {}

    void add(const at::Tensor& error) {
        const auto e = error.to(at::kDouble);
        squared.add_(e.square().sum(0));
        absolute.add_(e.abs().sum(0));
    }
};

/// Sum of 200·|f − y|/(|f| + |y|), a scalar.
at::Tensor relative_errors(const at::Tensor& prediction, const at::Tensor& target) {
    const auto f = prediction.to(at::kDouble), y = target.to(at::kDouble);
    const auto size = f.abs() + y.abs();
    return 200 * ((f - y).abs() / size.masked_fill(size == 0, 1)).sum();
}

/// Mean cosine of the pairs of anchors [V', d] that are used at least once; NaN for fewer than two.
double cosine_of_all(const at::Tensor& anchors, const at::Tensor& usage) {
    const auto used = model::l2_normalise(anchors.index({usage.to(anchors.device()) > 0})).to(at::kDouble);
    const auto n = static_cast<double>(used.size(0));
    if (n < 2) return store::not_known;
    // Σ_{i≠j} k_i·k_j = |Σ k_i|² − Σ |k_i|², as in model::mean_pairwise_cosine().
    const auto total = used.sum(0).square().sum() - used.square().sum();
    return total.item<double>() / (n * (n - 1));
}

std::vector<double> to_vector(const at::Tensor& tensor) {
    const auto t = tensor.to(at::kCPU, at::kDouble).contiguous();
    return {t.data_ptr<double>(), t.data_ptr<double>() + t.numel()};
}

}  // namespace

std::int64_t evaluation_rows(const config::Config& config, std::int64_t channels) {
    constexpr std::int64_t max_rows = 512;
    return std::max(channels, std::min(config.train.batch_size * channels, max_rows));
}

Phrase evaluation_memory_advice(const config::Config& config, std::int64_t channels) {
    const auto at_once = evaluation_rows(config, channels) / channels;
    if (at_once < 2) return "Even one window does not fit: choose a smaller backbone or pool.";
    return Phrase("An evaluation computes %1 windows at once: set train.batch_size to %2 or less.", at_once,
                  at_once / 2);
}

std::int64_t windows_per_batch(const EvaluationOptions& options, std::int64_t channels) {
    return std::max<std::int64_t>(1, options.rows_per_batch / channels);
}

Evaluation evaluate(model::Forecaster& model, const data::WindowSet& windows,
                    const EvaluationOptions& options, const StopControl& stop) {
    const torch::NoGradGuard no_gradient;
    const model::EvaluationMode mode(model, windows.device());
    const auto channels = windows.target_channels();
    const auto total = windows.windows();
    const auto per_batch = windows_per_batch(options, windows.channels());
    const bool all = options.batches.empty();
    const auto batches = all ? (total + per_batch - 1) / per_batch : std::ssize(options.batches);

    // Models with weights compute in fp32; a forecast without arithmetic keeps the data's precision.
    const bool computes = !model.trainable().empty() || model.own_process() != nullptr;
    const auto options64 = at::TensorOptions(at::kDouble).device(windows.device());
    ErrorSums errors({windows.horizon(), channels}, options64);
    ErrorSums last_value({windows.horizon(), channels}, options64);
    at::Tensor relative = at::zeros({}, options64), cosine = at::zeros({}, options64);
    at::Tensor usage = at::zeros({model::pool_size(model)}, options64.dtype(at::kLong));
    std::int64_t with_cosine = 0;  // windows
    RunAhead ahead(windows.device(), 2);
    std::int64_t evaluated = 0, planned = all ? total : 0;
    for (const auto number : options.batches) planned += std::min(per_batch, total - number * per_batch);
    auto* const group = options.group;
    const std::int64_t processes = group != nullptr ? group->size() : 1;
    for (std::int64_t round = 0; round < batches; round += processes) {
        stop.wait_while_paused();
        const std::int64_t must_stop = stop.must_stop() ? 1 : 0;
        if ((group != nullptr ? group->largest(must_stop) : must_stop) != 0) throw Cancelled();
        const auto number = round + (group != nullptr ? group->rank() : 0);
        if (number >= batches) break;
        const auto first = (all ? number : options.batches[static_cast<std::size_t>(number)]) * per_batch;
        const auto count = std::min(per_batch, total - first);
        const auto batch = windows.range(first, count, true);
        auto input = computes ? batch.lookback.to(at::kFloat) : batch.lookback;
        if (options.change) input = options.change(input, first);
        const auto forecast = [&] {
            const Tf32Scope products(windows.device(), model.uses_tf32());
            return model::of_channels(model.forward({input, batch.time}, nullptr, options.trace),
                                      batch.targets, count);
        }();
        const auto prediction = forecast.prediction.to(batch.target.scalar_type());
        const auto error = prediction - batch.target;
        errors.add(error);
        if (!windows.scaled()) relative.add_(relative_errors(prediction, batch.target));
        last_value.add(model::of_channels(batch.lookback.slice(1, -1), 2, batch.targets) - batch.target);
        if (forecast.retrieved.defined()) model::count_retrievals(usage, forecast.retrieved);
        if (forecast.key_cosine.defined()) {
            cosine.add_(forecast.key_cosine.to(at::kDouble).sum());
            with_cosine += count;
        }
        if (options.sink) {
            EvaluatedBatch out;
            out.first = first;
            out.prediction = prediction.to(at::kCPU).contiguous();
            out.target = batch.target.to(at::kCPU).contiguous();
            const auto e = error.to(at::kDouble);
            out.mse = e.square().mean(1).to(at::kCPU, at::kFloat).contiguous();
            out.mae = e.abs().mean(1).to(at::kCPU, at::kFloat).contiguous();
            if (forecast.retrieved.defined())
                out.retrieved = forecast.retrieved.view({count, channels, model::top_k(model)})
                                    .to(at::kCPU, at::kInt)
                                    .contiguous();
            out.trace = forecast.trace;
            options.sink(out);
        }
        ahead.queued();
        evaluated += count;
        if (options.progress)
            options.progress(
                {Stage::evaluating, std::min(evaluated * processes, planned), planned, "windows"});
    }
    if (group != nullptr) {
        std::vector<at::Tensor> sums{errors.squared,      errors.absolute, last_value.squared,
                                     last_value.absolute, relative,        cosine};
        if (usage.numel() > 0) sums.push_back(usage);
        group->sum(sums);
        with_cosine = group->largest(with_cosine);
        evaluated = planned;
    }

    Evaluation result;
    const auto n = static_cast<double>(evaluated);
    const auto squared = errors.squared / n;
    const auto absolute = errors.absolute / n;
    result.mse = squared.mean().item<double>();
    result.mae = absolute.mean().item<double>();
    if (!windows.scaled())
        result.smape = relative.item<double>() / (n * static_cast<double>(squared.numel()));
    result.mse_per_channel = to_vector(squared.mean(0));
    result.mae_per_channel = to_vector(absolute.mean(0));
    result.mse_per_step = to_vector(squared.mean(1));
    result.mae_per_step = to_vector(absolute.mean(1));
    result.last_value_mse = (last_value.squared / n).mean().item<double>();
    result.last_value_mae = (last_value.absolute / n).mean().item<double>();
    if (usage.numel() > 0) {
        const auto counts = usage.to(at::kCPU, at::kLong).contiguous();
        result.usage.assign(counts.data_ptr<std::int64_t>(),
                            counts.data_ptr<std::int64_t>() + counts.numel());
        result.usage_entropy = analysis::usage_entropy(result.usage);
        result.distinct_anchors = static_cast<double>(analysis::distinct_anchors(result.usage));
        result.union_key_cosine = cosine_of_all(model.anchors()->anchor_values(), usage);
    }
    if (with_cosine > 0) result.key_cosine = cosine.item<double>() / (n * static_cast<double>(channels));
    return result;
}

}  // namespace casp::train
