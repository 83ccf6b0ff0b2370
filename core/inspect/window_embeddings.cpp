#include "inspect/window_embeddings.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <torch/torch.h>

#include "analysis/difficulty.h"
#include "analysis/scores.h"
#include "config/options.h"
#include "inspect/append.h"
#include "inspect/embedding_snapshots.h"
#include "model/descriptor.h"
#include "model/forecaster.h"
#include "model/retrieval.h"
#include "model/target_channels.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "store/snapshot_file.h"
#include "train/checkpoint.h"
#include "train/checkpoint_model.h"
#include "train/evaluation.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/out_of_memory.h"
#include "util/tf32.h"

namespace casp::inspect {

namespace {

/// Adapts a progress function to TrainObserver.
class ProgressObserver : public train::TrainObserver {
public:
    explicit ProgressObserver(const ProgressFn& progress) : progress_(progress) {}
    void on_progress(const Progress& p) override {
        if (progress_) progress_(p);
    }

private:
    const ProgressFn& progress_;
};

struct Weights {
    std::filesystem::path file;
    std::int64_t step = -1;
    bool of_snapshot = false;  ///< weights of the snapshot of `step`, loaded over those of `file`
};

Weights find_weights(const store::RunFolder& folder, const std::string& which,
                     const std::optional<store::RunRecord>& record) {
    Weights found;
    Phrase advice;
    if (const auto step = store::step_of(which)) {
        if (!record)
            throw input_error(folder.path().string(), "run.h5, which lists the snapshots, is missing", {},
                              "Choose the best weights.");
        const bool has_best = std::filesystem::exists(folder.best());
        found = find_weights(folder, has_best ? "best" : "last", record);
        found.step = *step;
        found.of_snapshot = true;
        return found;
    }
    if (which == "best") {
        found = {folder.best(), record ? record->attributes.best_step : -1};
        advice = "A run has one after its first epoch.";
    } else if (which == "initial") {
        found = {folder.initial(), 0};
        advice = "It is stored with run.save_initial = true.";
    } else if (which == "last") {
        found.file = folder.last_model();
        if (record && !record->steps.step.empty()) found.step = record->steps.step.back();
        if (const auto generation = store::current_checkpoint(folder)) {
            found.file = *generation / "model.safetensors";
            found.step = train::read_checkpoint(*generation).state.step;
        }
        advice = "A finished run keeps its last weights with run.keep_last = true.";
    } else {
        throw input_error("weights", Phrase("\"%1\" is not a set of weights", which),
                          "\"best\", \"last\", \"initial\" or the step of a snapshot");
    }
    if (!std::filesystem::exists(found.file))
        throw input_error(folder.path().string(),
                          Phrase("there are no %1 weights (%2)", which,
                                 found.file.lexically_relative(folder.path()).string()),
                          {}, advice);
    return found;
}

std::vector<std::int64_t> chosen_windows(std::int64_t wanted, std::int64_t total) {
    if (wanted < 0)
        throw input_error("windows", Phrase("%1 windows were requested", wanted), "0 (all of them) or more");
    return analysis::evenly_spaced(total, wanted == 0 ? total : wanted);
}

std::vector<std::int64_t> chosen_channels(const std::vector<std::int64_t>& wanted, std::int64_t total) {
    if (wanted.empty()) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(total));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    auto sorted = wanted;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        throw input_error("channels", "a channel is listed twice", "each at most once");
    for (const auto channel : wanted)
        if (channel < 0 || channel >= total)
            throw input_error("channels", Phrase("there is no channel %1", channel),
                              "0 to " + std::to_string(total - 1));
    return wanted;
}

/// A request with all its inputs opened.
class Look {
public:
    Look(const EmbeddingRequest& request, const ProgressFn& progress, const std::stop_token& stop);

    store::Embeddings run(const EmbeddingSink& sink);
    [[nodiscard]] const store::Embeddings& facts() const { return facts_; }
    /// Bytes needed for the collected rows.
    [[nodiscard]] std::int64_t collected_bytes() const {
        return 4 * facts_.rows *
               ((request_.vectors ? facts_.dimension * (facts_.patches + 1) : 0) + facts_.top_k + 3 +
                (request_.similarity ? facts_.pool_size : 0));
    }

private:
    void check_data(const std::optional<store::RunRecord>& record) const;
    void fill_facts(std::int64_t step, const c10::Device& device);
    void read_stored_errors(const store::RunFolder& folder, const std::optional<store::RunRecord>& record);
    [[nodiscard]] data::WindowBatch batch(std::int64_t first, std::int64_t count) const;
    [[nodiscard]] store::Embeddings look(std::int64_t first, std::int64_t count);

    const EmbeddingRequest& request_;
    const ProgressFn& progress_;
    std::stop_token stop_;
    train::StopControl control_;
    std::stop_callback<std::function<void()>> forward_stop_;
    config::Config config_;
    train::SessionData data_;
    train::SessionModel model_;
    const data::WindowSet* windows_ = nullptr;
    at::Tensor channels_;  ///< [m] of the target channels, on the device; undefined: all in order
    at::Tensor inputs_;    ///< the same, among the channels that the model reads
    /// It is given all channels: its weights differ between them, or they are those of the run's batches,
    /// whose bits other shapes would change.
    bool sees_all_channels_ = false;
    bool errors_ = true;  ///< mse and mae are requested and available
    /// Stored errors of all windows and channels of the split; empty if not stored.
    std::vector<float> stored_mse_, stored_mae_;
    store::Embeddings facts_;
};

Look::Look(const EmbeddingRequest& request, const ProgressFn& progress, const std::stop_token& stop)
    : request_(request),
      progress_(progress),
      stop_(stop),
      forward_stop_(stop, [this] { control_.ask(train::StopRequest::cancel); }) {
    const torch::NoGradGuard no_gradient;
    if (request.split != "train" && request.split != "val" && request.split != "test")
        throw input_error("split", Phrase("\"%1\" is not a split", request.split),
                          "\"train\", \"val\" or \"test\"");
    const store::RunFolder folder(request.run);
    if (!std::filesystem::exists(folder.config()))
        throw input_error(request.run.string(), "there is no run (no config.toml)",
                          "the folder of a run that was started");
    config_ = store::read_settings(folder);
    std::optional<store::RunRecord> record;
    if (std::filesystem::exists(folder.run_file())) record = store::read_run_file(folder.run_file());
    auto weights = find_weights(folder, request.weights, record);

    ProgressObserver observer(progress);
    const auto device = resolve_device(request.device);
    data_ = train::open_data(config_, device, observer, control_);
    check_data(record);
    windows_ = &data_.of(request.split);
    for (int attempt = 0;; ++attempt) {
        try {
            model_ = train::open_weights(weights.file, config_, train::shape_of(data_), device, observer,
                                         control_);
            break;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // A running run replaces its weights now and then, perhaps during this read.
            if (attempt == 3 || request.weights != "last") throw;
            weights = find_weights(folder, request.weights, record);
        }
    }
    if (request.vectors && model_.model->own_process() != nullptr && model_.model->embedding_width() == 0)
        throw input_error(config_.python.file, "the model gives no embeddings",
                          "a model with embed(x), which returns (windows, channels, width)");
    if (weights.of_snapshot) load_snapshot(request.run, *record, weights.step, *model_.model);
    errors_ = request.errors && !weights.of_snapshot;
    sees_all_channels_ = model::capabilities(config_).mixes_channels && !data_.prepared->single_channel;
    model_.model->cancel_on(stop_);
    fill_facts(weights.step, device);
    if (errors_ && request.weights == "best") read_stored_errors(folder, record);
}

/// Throws an input Error if the data are not those of the run.
void Look::check_data(const std::optional<store::RunRecord>& record) const {
    if (record && data_.prepared->table.sha256 != record->attributes.dataset_sha256)
        throw input_error(
            config_.data.path,
            Phrase("this is not the run's data file (SHA-256 %1)", data_.prepared->table.sha256),
            record->attributes.dataset_sha256, "Restore the original file.");
    if (record && !train::same_split(*record, data_))
        throw input_error(
            config_.data.path,
            "the run was trained on other rows: data.split = \"auto\" gives different rows here",
            "the data file at its original path");
}

void Look::fill_facts(std::int64_t step, const c10::Device& device) {
    auto& f = facts_;
    f.split = request_.split;
    f.weights = request_.weights;
    f.step = step;
    f.prefix_only = request_.prefix_only;
    f.windows_total = windows_->windows();
    f.channels_total = windows_->target_channels();
    f.windows = chosen_windows(request_.windows, f.windows_total);
    f.channels = chosen_channels(request_.channels, f.channels_total);
    for (const auto window : f.windows) f.start.push_back(windows_->start_of(window));
    f.rows = static_cast<std::int64_t>(f.windows.size() * f.channels.size());
    f.dimension = model_.model->embedding_width();
    f.pool_size = model::pool_size(*model_.model);
    f.top_k = model::top_k(*model_.model);
    if (request_.per_patch && f.dimension > 0)
        f.patches = std::max<std::int64_t>(1, model::estimate(config_, {}).patches);
    f.usage.assign(static_cast<std::size_t>(f.pool_size), 0);
    if (!request_.channels.empty()) channels_ = at::tensor(at::ArrayRef<std::int64_t>(f.channels)).to(device);
    const auto targets = windows_->range(0, 1).targets;
    inputs_ = targets.defined() ? model::of_channels(targets, 0, channels_) : channels_;
    sees_all_channels_ |= !channels_.defined();
}

void Look::read_stored_errors(const store::RunFolder& folder, const std::optional<store::RunRecord>& record) {
    if (!record || !store::is_complete(record->attributes.state)) return;
    // HDF5 would also look for a missing file in the current folder, where another run's may be.
    if (std::error_code problem; !std::filesystem::exists(folder.arrays_file(), problem)) return;
    // Through run.h5's link, as views do (see store::link_arrays).
    const auto splits = store::forecast_splits(folder.run_file());
    if (std::find(splits.begin(), splits.end(), request_.split) == splits.end()) return;
    // Not through the link, so that damage is reported for this file, not for run.h5.
    auto stored = store::read_forecast_errors(folder.arrays_file(), request_.split);
    if (stored.windows != facts_.windows_total || stored.channels != facts_.channels_total) return;
    store::check_same_run(stored, *record, request_.split, folder.arrays_file());
    stored_mse_ = std::move(stored.mse);
    stored_mae_ = std::move(stored.mae);
}

data::WindowBatch Look::batch(std::int64_t first, std::int64_t count) const {
    const auto* numbers = facts_.windows.data() + first;
    if (numbers[count - 1] - numbers[0] == count - 1) return windows_->range(numbers[0], count);
    std::vector<at::Tensor> lookback, target, time;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto one = windows_->range(numbers[i], 1);
        lookback.push_back(one.lookback);
        target.push_back(one.target);
        if (one.time.defined()) time.push_back(one.time);
    }
    return {at::cat(lookback), at::cat(target), time.empty() ? at::Tensor() : at::cat(time)};
}

store::Embeddings Look::look(std::int64_t first, std::int64_t count) {
    auto seen = batch(first, count);
    const auto channels = static_cast<std::int64_t>(facts_.channels.size());
    const auto rows = count * channels;
    const auto lookback = model::of_channels(seen.lookback, 2, inputs_);  // of the requested channels
    const model::ModelInput input{sees_all_channels_ ? seen.lookback : lookback, seen.time};
    const bool forecast_wanted = errors_ && stored_mse_.empty();
    auto& model = *model_.model;
    // A model without embeddings and anchors shows nothing but its errors, which may be stored.
    const bool look_wanted = facts_.dimension > 0 || facts_.top_k > 0;
    auto found = [&] {
        const Tf32Scope products(windows_->device(), model.uses_tf32());
        return forecast_wanted ? model.forward(input, nullptr, true)
               : look_wanted   ? model.look(input)
                               : model::Forecast();
    }();
    if (sees_all_channels_) found = model::of_channels(std::move(found), inputs_, count);

    store::Embeddings part;
    part.rows = rows;
    part.dimension = facts_.dimension;
    if (found.trace) {
        const auto& trace = *found.trace;
        if (request_.vectors) append(part.series, request_.per_patch ? trace.patches : trace.query);
        if (request_.vectors && trace.prompt.defined())
            append(part.prompt, request_.prefix_only ? trace.prefix.mean(1) : trace.prompt);
        if (request_.similarity) append(part.similarity, trace.similarity);
    }
    if (found.retrieved.defined()) {
        append(part.retrieved, found.retrieved);
        for (const auto anchor : part.retrieved) ++facts_.usage[static_cast<std::size_t>(anchor)];
    }
    append(part.residual,
           analysis::difficulty(lookback.transpose(1, 2).flatten(0, 1), config_, windows_->scaled()));
    if (forecast_wanted) {
        const auto error = (found.prediction - model::of_channels(seen.target, 2, channels_)).to(at::kDouble);
        append(part.mse, error.square().mean(1));
        append(part.mae, error.abs().mean(1));
    } else if (errors_) {
        for (std::int64_t i = first; i < first + count; ++i)
            for (const auto channel : facts_.channels) {
                const auto place = static_cast<std::size_t>(
                    facts_.windows[static_cast<std::size_t>(i)] * facts_.channels_total + channel);
                part.mse.push_back(stored_mse_[place]);
                part.mae.push_back(stored_mae_[place]);
            }
    }
    return part;
}

store::Embeddings Look::run(const EmbeddingSink& sink) {
    const torch::NoGradGuard no_gradient;
    const model::EvaluationMode mode(*model_.model, windows_->device());
    if (const auto* pool = model_.model->anchors(); pool != nullptr && facts_.dimension > 0)
        append(facts_.anchors, pool->anchor_values());
    const auto total = static_cast<std::int64_t>(facts_.windows.size());
    // Same batches as evaluate(): other batches would round differently.
    const auto per_batch = std::max<std::int64_t>(
        1, train::evaluation_rows(config_, windows_->channels()) / windows_->channels());
    for (std::int64_t first = 0; first < total; first += per_batch) {
        if (stop_.stop_requested()) throw Cancelled();
        const auto count = std::min(per_batch, total - first);
        sink(look(first, count));
        if (progress_) progress_({{Stage::embedding, facts_.split}, first + count, total, "windows"});
    }
    return std::move(facts_);
}

/// Calls `f` with each member of both that has values per row.
template <class A, class B, class F>
void for_row_values(A& a, B& b, const F& f) {
    f(a.series, b.series);
    f(a.prompt, b.prompt);
    f(a.similarity, b.similarity);
    f(a.retrieved, b.retrieved);
    f(a.mse, b.mse);
    f(a.mae, b.mae);
    f(a.residual, b.residual);
}

EmbeddingSize size_of(const Look& look) {
    return {std::ssize(look.facts().windows), std::ssize(look.facts().channels), look.collected_bytes()};
}

/// `collected`: all rows are kept in memory. The batch size is the run's, since another would change the
/// bits.
Phrase advice_on_memory(bool collected) {
    return collected ? "Request fewer channels, fewer windows, or no similarities, or close other programs."
                     : "Request fewer channels, or close other programs.";
}

store::Embeddings collect(const EmbeddingRequest& request, const ProgressFn& progress,
                          const std::stop_token& stop) {
    Look look(request, progress, stop);
    check_memory(size_of(look), available_memory(), "windows", [](std::int64_t fitting) {
        return Phrase("Request at most %1 windows, fewer channels, or no similarities.", fitting);
    });
    store::Embeddings rows;
    const auto& facts = look.facts();
    const auto reserve = [&](auto& values, std::int64_t width) {
        values.reserve(static_cast<std::size_t>(facts.rows * width));
    };
    if (request.vectors) reserve(rows.series, facts.dimension * facts.patches);
    if (request.vectors && facts.pool_size > 0) reserve(rows.prompt, facts.dimension);
    if (request.similarity) reserve(rows.similarity, facts.pool_size);
    reserve(rows.retrieved, facts.top_k);
    auto all = look.run([&](const store::Embeddings& part) {
        for_row_values(rows, part, [](auto& values, const auto& more) {
            values.insert(values.end(), more.begin(), more.end());
        });
    });
    for_row_values(all, rows, [](auto& values, auto& collected) { values = std::move(collected); });
    return all;
}

}  // namespace

void check_memory(const EmbeddingSize& size, std::int64_t available, const std::string& where,
                  const std::function<std::string(std::int64_t)>& advice) {
    const auto free = available / 10 * 9;
    if (available == 0 || size.bytes < free) return;
    const auto per_window = std::max<std::int64_t>(1, size.bytes / std::max<std::int64_t>(1, size.windows));
    throw input_error(where,
                      Phrase("the embeddings of %1 windows and %2 channels take %3 MiB, and %4 MiB are free",
                             size.windows, size.channels, size.bytes >> 20, available >> 20),
                      {}, advice(free / per_window));
}

store::Embeddings compute_embeddings(const EmbeddingRequest& request, const ProgressFn& progress,
                                     const std::stop_token& stop) {
    return explaining_memory(
        request.run.string(), [&] { return collect(request, progress, stop); },
        [&] { return advice_on_memory(true); });
}

store::Embeddings stream_embeddings(const EmbeddingRequest& request, const EmbeddingSink& sink,
                                    const ProgressFn& progress, const std::stop_token& stop) {
    return explaining_memory(
        request.run.string(), [&] { return Look(request, progress, stop).run(sink); },
        [&] { return advice_on_memory(false); });
}

}  // namespace casp::inspect
