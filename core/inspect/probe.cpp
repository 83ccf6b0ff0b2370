#include "inspect/probe.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <torch/torch.h>

#include "analysis/pca.h"
#include "analysis/scores.h"
#include "inspect/append.h"
#include "model/target_channels.h"
#include "util/out_of_memory.h"
#include "util/phrase.h"
#include "util/tf32.h"

namespace casp::inspect {

namespace {

constexpr std::int64_t wanted_rows = 128;
constexpr std::int64_t max_rows = 1024;
constexpr int time_share = 10;  ///< one part in this many may be spent on probes

/// Mean squared and absolute error of each row.
void add_errors(train::Probe& probe) {
    const auto channels = probe.channels.size();
    const auto horizon = static_cast<std::size_t>(probe.horizon);
    const auto values = static_cast<std::size_t>(probe.rows) * horizon;
    if (probe.prediction.size() != values || probe.truth.size() != values) return;
    for (std::size_t row = 0; row < static_cast<std::size_t>(probe.rows); ++row) {
        double squares = 0, sizes = 0;
        for (std::size_t h = 0; h < horizon; ++h) {
            const auto index = (row / channels * horizon + h) * channels + row % channels;
            const double error =
                static_cast<double>(probe.prediction[index]) - static_cast<double>(probe.truth[index]);
            squares += error * error;
            sizes += std::abs(error);
        }
        probe.mse.push_back(static_cast<float>(squares / static_cast<double>(horizon)));
        probe.mae.push_back(static_cast<float>(sizes / static_cast<double>(horizon)));
    }
}

}  // namespace

std::vector<std::int64_t> probe_windows(std::int64_t windows, std::int64_t channels) {
    auto count = std::clamp<std::int64_t>(wanted_rows / std::max<std::int64_t>(1, channels), 4, 32);
    count = std::min(count, std::max<std::int64_t>(1, max_rows / std::max<std::int64_t>(1, channels)));
    return analysis::evenly_spaced(windows, count);
}

ProbeInput::ProbeInput(model::Forecaster& model, const data::WindowSet& validation,
                       std::int64_t rows_per_batch)
    : model_(model), windows_per_batch_(std::max<std::int64_t>(1, rows_per_batch / validation.channels())) {
    auto& f = facts_;
    f.split = "val";
    f.weights = "last";
    f.windows = probe_windows(validation.windows(), validation.channels());
    f.channels_total = validation.target_channels();
    f.channels = analysis::evenly_spaced(f.channels_total, f.channels_total);
    f.rows = std::ssize(f.windows) * f.channels_total;
    f.pool_size = model::pool_size(model);
    f.top_k = model::top_k(model);
    std::vector<at::Tensor> lookback, time;
    for (const auto window : f.windows) {
        f.start.push_back(validation.start_of(window));
        const auto one = validation.range(window, 1);
        lookback.push_back(one.lookback);
        if (one.time.defined()) time.push_back(one.time);
        targets_ = one.targets;
    }
    lookback_ = at::cat(lookback);
    if (!time.empty()) time_ = at::cat(time);
}

at::Tensor ProbeInput::target_lookback() const { return model::of_channels(lookback_, 2, targets_); }

void ProbeInput::look(store::Embeddings& embeddings, std::vector<float>* prediction) const {
    const torch::NoGradGuard no_gradient;
    const model::EvaluationMode mode(model_, lookback_.device());
    const auto count = lookback_.size(0);
    for (std::int64_t first = 0; first < count; first += windows_per_batch_) {
        const auto end = std::min(first + windows_per_batch_, count);
        const model::ModelInput batch{lookback_.slice(0, first, end),
                                      time_.defined() ? time_.slice(0, first, end) : at::Tensor()};
        const auto seen = [&] {
            const Tf32Scope products(lookback_.device(), model_.uses_tf32());
            return model::of_channels(
                prediction != nullptr ? model_.forward(batch, nullptr, true) : model_.look(batch), targets_,
                end - first);
        }();
        if (prediction != nullptr) {  // similarities and retrievals follow from the stored vectors
            append(*prediction, seen.prediction);
            append(embeddings.retrieved, seen.retrieved);
            if (seen.trace) append(embeddings.similarity, seen.trace->similarity);
        }
        if (!seen.trace) continue;
        append(embeddings.series, seen.trace->query);
        append(embeddings.prompt, seen.trace->prompt);
    }
    if (const auto* pool = model_.anchors()) append(embeddings.anchors, pool->anchor_values());
    embeddings.dimension = model_.embedding_width();
    if (embeddings.anchors.empty() || embeddings.series.empty()) embeddings.drop_vectors();
}

LiveProbes::LiveProbes(model::Forecaster& model, const data::WindowSet& validation,
                       std::int64_t rows_per_batch, train::TrainObserver& observer)
    : model_(model), validation_(validation), rows_per_batch_(rows_per_batch), observer_(observer) {}

bool LiveProbes::is_due(train::ProbeTime time) const {
    using train::ProbeTime;
    if (failed_ || !observer_.wants_probes()) return false;
    if (time == ProbeTime::end) return true;
    if (!input_) return time == ProbeTime::snapshot;
    const auto now = Clock::now();
    return now >= next_ && (time == ProbeTime::snapshot || now >= stale_);
}

void LiveProbes::prepare() {
    first_ = Clock::now();
    input_.emplace(model_, validation_, rows_per_batch_);
    static_cast<store::Embeddings&>(fixed_) = input_->facts();
    fixed_.lookback_length = validation_.lookback();
    fixed_.horizon = validation_.horizon();
    append(fixed_.lookback, input_->target_lookback());
    for (const auto window : fixed_.windows) append(fixed_.truth, validation_.range(window, 1).target);
}

std::shared_ptr<const train::Probe> LiveProbes::probe(
    std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> since_snapshot) const {
    auto probe = std::make_shared<train::Probe>(fixed_);
    probe->step = step;
    probe->since_snapshot = std::move(since_snapshot);
    input_->look(*probe, &probe->prediction);
    (void)probe->count_usage();
    add_errors(*probe);
    if (probe->has_vectors()) {
        probe->pca =
            analysis::joint_layout(probe->anchors, probe->series, probe->prompt, probe->dimension, 3);
        if (last_) analysis::keep_orientation(probe->pca, last_->pca);
    }
    return probe;
}

void LiveProbes::take(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> since_snapshot) {
    try {
        if (!input_) prepare();
        const auto begin = Clock::now();
        last_ = probe(step, std::move(since_snapshot));
        const auto end = Clock::now();
        next_ =
            end + std::max<Clock::duration>((end - begin) * (time_share - 1), std::chrono::milliseconds(250));
        stale_ = end + std::max<Clock::duration>(std::chrono::seconds(10), (end - first_) / 100);
        observer_.on_probe(last_);
    } catch (const std::exception& problem) {
        // A failed probe must not end the run.
        failed_ = true;
        observer_.on_message(
            train::MessageLevel::warning,
            Phrase("live views of the anchors are disabled for this run: %1", plain_message(problem)));
    }
}

}  // namespace casp::inspect
