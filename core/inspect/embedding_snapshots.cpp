#include "inspect/embedding_snapshots.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <torch/torch.h>

#include "config/text_utils.h"
#include "inspect/append.h"
#include "store/hdf5_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"
#include "store/snapshot_file.h"
#include "util/error.h"
#include "util/is_there.h"

namespace casp::inspect {

namespace {

namespace fs = std::filesystem;

std::string group_of(std::int64_t step) { return "/embedding/val/" + std::to_string(step); }

/// Content of a snapshot and where it was read from.
struct Kept {
    std::string where;
    std::vector<float> anchors;
    std::vector<store::NamedArray> weights;  ///< empty: not stored
};

/// Names and shapes, without values.
std::vector<store::NamedArray> described(const model::NamedTensors& tensors) {
    std::vector<store::NamedArray> arrays;
    for (const auto& [name, tensor] : tensors) arrays.push_back({name, tensor.sizes().vec(), {}});
    return arrays;
}

std::optional<Kept> read_kept(const fs::path& run, std::int64_t step, const model::Forecaster& model) {
    Kept kept;
    if (const auto file = store::snapshot_file(run, step); is_there(file)) {
        kept.where = file.string();
        auto snapshot = store::read_snapshot(file);
        kept.anchors = std::move(snapshot.anchors);
        kept.weights = std::move(snapshot.tensors);
        return kept;
    }
    const auto* pool = model.anchors();
    const auto arrays = store::RunFolder(run).arrays_file();
    if (pool == nullptr || !is_there(arrays)) return std::nullopt;
    const auto file = store::Hdf5File::open(arrays);
    const auto group = group_of(step);
    if (!file.exists(group + "/anchors")) return std::nullopt;
    kept.where = arrays.string() + ":" + group;
    if (!file.exists(group + "/weights")) return kept;
    kept.anchors = file.read<float>(group + "/anchors", {pool->pool_size(), model.embedding_width()});
    kept.weights = store::read_embedding_weights(arrays, "val", std::to_string(step),
                                                 described(pool->embedding_weights()));
    return kept;
}

[[noreturn]] void refuse_missing(const fs::path& run, const store::RunRecord& record, std::int64_t step) {
    std::vector<std::string> there;
    for (const auto stored : snapshot_steps(run, record)) there.push_back(std::to_string(stored));
    throw input_error(run.string(), Phrase("there is no snapshot of step %1", step),
                      there.empty() ? Phrase() : Phrase("one of step %1", config::listed(there)),
                      "Snapshots are kept with run.store_embeddings = true.");
}

void fill(const at::Tensor& tensor, const std::vector<float>& values) {
    const auto host = at::from_blob(const_cast<float*>(values.data()), tensor.sizes(), at::kFloat);
    tensor.copy_(host);
}

}  // namespace

EmbeddingSnapshots::EmbeddingSnapshots(std::filesystem::path run, model::Forecaster& model,
                                       const data::WindowSet& validation, std::int64_t rows_per_batch)
    : run_(std::move(run)), model_(model), input_(model, validation, rows_per_batch) {}

void EmbeddingSnapshots::take(std::int64_t step) {
    const auto* pool = model_.anchors();
    if (pool == nullptr) return;
    auto snapshot = input_.facts();
    input_.look(snapshot, nullptr);
    for (const auto& [name, tensor] : pool->embedding_weights()) {
        snapshot.tensors.push_back({name, tensor.sizes().vec(), {}});
        append(snapshot.tensors.back().values, tensor.detach());
    }
    std::error_code problem;
    if (std::filesystem::is_symlink(store::snapshots_folder(run_), problem))
        throw input_error(store::snapshots_folder(run_).string(), "this is a link", "a folder of this run",
                          "Remove it: a run is written only in its own folder.");
    std::filesystem::create_directory(
        store::snapshots_folder(run_),
        problem);  // not create_directories(): the run's folder may have been removed
    if (problem)
        throw run_error(store::snapshots_folder(run_).string(),
                        Phrase("the folder cannot be created: %1", problem.message()));
    store::write_snapshot(store::snapshot_file(run_, step), snapshot);
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
        arrays.write_embedding("val", std::to_string(step), store::read_snapshot(path));
    }
}

void EmbeddingSnapshots::remove(const std::filesystem::path& run) noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(store::snapshots_folder(run), ignored);
}

std::vector<std::int64_t> snapshot_steps(const fs::path& run, const store::RunRecord& record) {
    const auto arrays = store::RunFolder(run).arrays_file();
    std::optional<store::Hdf5File> file;
    if (is_there(arrays)) file.emplace(store::Hdf5File::open(arrays));
    std::vector<std::int64_t> steps;
    for (const auto step : record.anchors.snapshot_step) {
        const auto own = store::snapshot_file(run, step);
        const bool has_weights = is_there(own) ? store::snapshot_has_weights(own)
                                               : file && file->exists(group_of(step) + "/weights");
        if (has_weights) steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

void load_snapshot(const fs::path& run, const store::RunRecord& record, std::int64_t step,
                   model::Forecaster& model) {
    const torch::NoGradGuard no_gradient;
    auto* pool = model.anchors();
    const auto tensors = pool != nullptr ? pool->embedding_weights() : model::NamedTensors();
    const auto& known = record.anchors.snapshot_step;
    if (tensors.empty() || std::find(known.begin(), known.end(), step) == known.end())
        refuse_missing(run, record, step);
    const auto kept = read_kept(run, step, model);
    if (!kept) refuse_missing(run, record, step);
    if (kept->weights.empty())
        throw input_error(
            kept->where,
            "this snapshot has embeddings of a few validation windows but no weights to compute "
            "others: it was written by an older version",
            {}, "Use those windows, or train the run again.");
    const auto count = pool->pool_size() * model.embedding_width();
    if (std::ssize(kept->anchors) != count)
        throw input_error(kept->where, Phrase("its anchors have %1 values", kept->anchors.size()),
                          Phrase("%1 (V' × d)", count), "This snapshot belongs to another model.");
    for (const auto& tensor : tensors) {
        const auto found = std::find_if(kept->weights.begin(), kept->weights.end(),
                                        [&](const auto& weight) { return weight.name == tensor.name; });
        const auto shape = tensor.value.sizes();
        if (found == kept->weights.end() || shape != at::IntArrayRef(found->shape))
            throw input_error(
                kept->where, Phrase("it has no tensor %1 of shape %2", tensor.name, store::shape_text(shape)),
                {}, "This snapshot belongs to another model or is damaged.");
        fill(tensor.value, found->values);
    }
    model.weights_replaced();
    auto anchors = at::empty({pool->pool_size(), model.embedding_width()},
                             tensors.front().value.options().requires_grad(false));
    fill(anchors, kept->anchors);
    pool->hold_anchors(anchors);
}

}  // namespace casp::inspect
