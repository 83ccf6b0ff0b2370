#include "inspect/embedding_snapshots.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <torch/torch.h>

#include "inspect/probe.h"
#include "model/evaluation_mode.h"
#include "model/tensor_file.h"
#include "store/atomic_file.h"
#include "store/snapshot_file.h"
#include "util/error.h"

namespace casp::inspect {

EmbeddingSnapshots::EmbeddingSnapshots(std::filesystem::path run, model::Forecaster& model,
                                       const data::WindowSet& validation, std::int64_t rows_per_batch)
    : run_(std::move(run)),
      model_(model),
      windows_(probe_windows(validation.windows(), validation.channels())),
      channels_(validation.channels()),
      windows_per_batch_(std::max<std::int64_t>(1, rows_per_batch / validation.channels())) {
    std::vector<at::Tensor> lookback;
    for (const auto window : windows_) {
        start_.push_back(validation.first_row() + window);
        lookback.push_back(validation.range(window, 1).lookback);
    }
    lookback_ = at::cat(lookback);
}

void EmbeddingSnapshots::take(std::int64_t step) {
    const torch::NoGradGuard no_gradient;
    const auto* pool = model_.anchors();
    if (pool == nullptr) return;
    at::Tensor anchors;
    std::vector<at::Tensor> series, prompts;
    {
        const model::EvaluationMode mode(model_);
        anchors = pool->anchor_values();
        for (std::int64_t first = 0; first < lookback_.size(0); first += windows_per_batch_) {
            const auto last = std::min(first + windows_per_batch_, lookback_.size(0));
            const auto trace = model_.look(lookback_.slice(0, first, last)).trace;
            series.push_back(trace->query);
            prompts.push_back(trace->prompt);
        }
    }
    const auto numbers = [](const std::vector<std::int64_t>& values) {
        return at::tensor(at::ArrayRef<std::int64_t>(values));
    };
    std::error_code problem;
    if (std::filesystem::is_symlink(store::snapshots_folder(run_), problem))
        throw input_error(store::snapshots_folder(run_).string(), "this is a link", "a folder of this run",
                          "Remove it: a run is written only in its own folder.");
    std::filesystem::create_directory(
        store::snapshots_folder(run_),
        problem);  // not create_directories(): the run's folder may have been removed
    if (problem)
        throw run_error(store::snapshots_folder(run_).string(),
                        "the folder cannot be created: " + problem.message());
    std::vector<std::int64_t> all(static_cast<std::size_t>(channels_));
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<std::int64_t>(c);
    model::NamedTensors tensors{{"windows", numbers(windows_)}, {"start", numbers(start_)},
                                {"channels", numbers(all)},     {"anchors", anchors},
                                {"series", at::cat(series)},    {"prompt", at::cat(prompts)}};
    for (auto& weight : pool->embedding_weights()) tensors.push_back(std::move(weight));
    model::write_tensors(store::snapshot_file(run_, step), tensors);
}

bool EmbeddingSnapshots::has(const std::filesystem::path& run, std::int64_t step) {
    std::error_code problem;
    return std::filesystem::exists(store::snapshot_file(run, step), problem);
}

bool EmbeddingSnapshots::any(const std::filesystem::path& run) {
    std::error_code problem;
    return std::filesystem::is_directory(store::snapshots_folder(run), problem);
}

void EmbeddingSnapshots::gather(const std::filesystem::path& run, const std::vector<std::int64_t>& steps,
                                store::ArraysWriter& arrays) {
    for (const auto step : steps) {
        const auto path = store::snapshot_file(run, step);
        // A fork's history starts with that of its parent, whose snapshots are in the parent's folder.
        if (!std::filesystem::exists(path)) continue;
        const auto of = store::read_snapshot(path);
        const auto at = std::to_string(step);
        const auto count = [&](const std::vector<float>& values) {
            return static_cast<std::int64_t>(values.size()) / of.dimension;
        };
        arrays.begin_embedding("val", at, count(of.anchors), of.dimension, of.anchors);
        arrays.append_embedding("val", at, count(of.series), of.series, of.prompt);
        arrays.describe_embedding("val", at, of);
        arrays.write_weights("val", at, of.weights);
    }
}

void EmbeddingSnapshots::remove(const std::filesystem::path& run) noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(store::snapshots_folder(run), ignored);
}

}  // namespace casp::inspect
