#include "inspect/probe.h"

#include <algorithm>
#include <utility>

#include <torch/torch.h>

#include "analysis/pca.h"
#include "model/evaluation_mode.h"

namespace casp::inspect {

namespace {

constexpr std::int64_t wanted_rows = 128;
constexpr std::int64_t most_rows = 1024;
constexpr int time_share = 10;  ///< one part in this many may be spent on probes

void append(std::vector<float>& values, const at::Tensor& tensor) {
    const auto host = tensor.to(at::kCPU, at::kFloat).contiguous();
    values.insert(values.end(), host.data_ptr<float>(), host.data_ptr<float>() + host.numel());
}

}  // namespace

std::vector<std::int64_t> probe_windows(std::int64_t windows, std::int64_t channels) {
    auto count = std::clamp<std::int64_t>(wanted_rows / std::max<std::int64_t>(1, channels), 4, 32);
    count = std::min(count, std::max<std::int64_t>(1, most_rows / std::max<std::int64_t>(1, channels)));
    count = std::min(count, windows);
    if (count == 1) return {windows / 2};
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < count; ++i) chosen.push_back(i * (windows - 1) / (count - 1));
    return chosen;
}

Prober::Prober(model::Forecaster& model, const data::WindowSet& validation, std::int64_t rows_per_batch)
    : model_(model), windows_per_batch_(std::max<std::int64_t>(1, rows_per_batch / validation.channels())) {
    auto& p = fixed_;
    p.windows = probe_windows(validation.windows(), validation.channels());
    p.channels = validation.channels();
    p.lookback_length = validation.lookback();
    p.horizon = validation.horizon();
    p.pool_size = model::pool_size(model);
    p.top_k = model::top_k(model);
    std::vector<at::Tensor> lookback, truth;
    for (const auto window : p.windows) {
        p.start.push_back(validation.first_row() + window);
        const auto batch = validation.range(window, 1);
        lookback.push_back(batch.lookback);
        truth.push_back(batch.target);
    }
    lookback_ = at::cat(lookback);
    append(p.lookback, lookback_);
    append(p.truth, at::cat(truth));
}

bool Prober::is_affordable() const { return Clock::now() >= next_; }
bool Prober::is_stale() const { return Clock::now() >= stale_; }

std::shared_ptr<const train::Probe> Prober::take(std::int64_t step,
                                                 std::shared_ptr<const train::AnchorSnapshot> anchors) {
    const auto begin = Clock::now();
    auto probe = std::make_shared<train::Probe>(fixed_);
    probe->step = step;
    probe->anchors = std::move(anchors);
    look(*probe);
    const auto end = Clock::now();
    next_ = end + std::max<Clock::duration>((end - begin) * (time_share - 1), std::chrono::milliseconds(250));
    stale_ = end + std::max<Clock::duration>(std::chrono::seconds(10), (end - first_) / 100);
    last_ = probe;
    return probe;
}

void Prober::look(train::Probe& probe) {
    const torch::NoGradGuard no_gradient;
    auto vectors = std::make_shared<train::ProbeVectors>();
    auto &anchors = vectors->anchors, &series = vectors->series, &prompts = vectors->prompt;
    {
        const model::EvaluationMode mode(model_);
        const auto count = lookback_.size(0);
        for (std::int64_t first = 0; first < count; first += windows_per_batch_) {
            const auto last = std::min(first + windows_per_batch_, count);
            const auto seen = model_.forward(lookback_.slice(0, first, last), nullptr, true);
            append(probe.prediction, seen.prediction);
            if (seen.retrieved.defined()) {
                const auto host = seen.retrieved.to(at::kCPU, at::kInt).contiguous();
                const auto* number = host.data_ptr<std::int32_t>();
                probe.retrieved.insert(probe.retrieved.end(), number, number + host.numel());
            }
            if (!seen.trace) continue;
            if (seen.trace->similarity.defined()) append(probe.similarity, seen.trace->similarity);
            if (seen.trace->query.defined()) append(series, seen.trace->query);
            if (seen.trace->prompt.defined()) append(prompts, seen.trace->prompt);
        }
        if (const auto* pool = model_.anchors()) append(anchors, pool->anchor_values());
    }
    if (anchors.empty() || series.empty()) return;
    vectors->dimension = model_.embedding_width();
    probe.pca = analysis::joint_layout(anchors, series, prompts, vectors->dimension, 3);
    probe.vectors = std::move(vectors);
    if (last_) analysis::keep_orientation(probe.pca, last_->pca);
}

LiveProbes::LiveProbes(model::Forecaster& model, const data::WindowSet& validation,
                       std::int64_t rows_per_batch, train::TrainObserver& observer)
    : model_(model), validation_(validation), rows_per_batch_(rows_per_batch), observer_(observer) {}

bool LiveProbes::is_due(bool at_snapshot) const {
    if (failed_ || !observer_.wants_probes()) return false;
    if (!prober_) return at_snapshot;
    return prober_->is_affordable() && (at_snapshot || prober_->is_stale());
}

void LiveProbes::take(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> anchors) {
    try {
        if (!prober_) prober_.emplace(model_, validation_, rows_per_batch_);
        observer_.on_probe(prober_->take(step, std::move(anchors)));
    } catch (const std::exception& problem) {
        // A failed probe must not end the run.
        failed_ = true;
        observer_.on_message(
            train::MessageLevel::warning,
            std::string("live views of the anchors are disabled for this run: ") + problem.what());
    }
}

}  // namespace casp::inspect
