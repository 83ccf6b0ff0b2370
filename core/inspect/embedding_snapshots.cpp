#include "inspect/embedding_snapshots.h"

#include <string>
#include <system_error>
#include <utility>

#include <torch/torch.h>

#include "inspect/append.h"
#include "store/snapshot_file.h"
#include "util/error.h"

namespace casp::inspect {

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
                        "the folder cannot be created: " + problem.message());
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

}  // namespace casp::inspect
