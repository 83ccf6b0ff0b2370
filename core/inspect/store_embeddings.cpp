// Storing embeddings in arrays.h5.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "inspect/window_embeddings.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::inspect {

namespace {

/// Whether the run's best weights are final.
bool has_ended(const std::filesystem::path& run) {
    const store::RunFolder folder(run);
    const auto status = store::read_run_status(folder);
    if (!status) return !store::current_checkpoint(folder);
    return store::is_complete(status->row.state);
}

/// Name under /embedding/<split>: "best" if the best weights are final, else the step. Throws for weights
/// without a known step.
std::string checked_moment(const std::filesystem::path& run, const store::Embeddings& e) {
    if (e.weights == "best" && has_ended(run)) return e.weights;
    if (e.step < 0)
        throw input_error(run.string(), "the training step of these weights is unknown", {},
                          "Embeddings can be stored for the best weights of a finished run, or for runs "
                          "with a run.h5.");
    return std::to_string(e.step);
}

std::string embedding_group(const store::Embeddings& e, const std::string& moment) {
    return "/embedding/" + e.split + "/" + moment;
}

/// A set stored by a snapshot cannot be restored, so it is not replaced.
void keep_snapshot(const std::filesystem::path& run, const std::string& group) {
    const auto arrays = store::RunFolder(run).arrays_file();
    if (std::error_code problem; !std::filesystem::exists(arrays, problem)) return;
    if (store::Hdf5File::open(arrays).exists(group + "/weights"))
        throw input_error(
            arrays.string() + ":" + group,
            "the run's snapshot of this step is stored there, with the weights that these "
            "embeddings were computed from",
            {},
            "These embeddings can be computed again at any time. Store those of another split, or "
            "export the numbers from a view.");
}

}  // namespace

void store_embeddings(const std::filesystem::path& run, const store::Embeddings& e) {
    const store::RunLock lock{store::RunFolder(run)};
    const auto moment = checked_moment(run, e);
    const auto group = embedding_group(e, moment);
    keep_snapshot(run, group);
    std::vector<std::string> replaced;
    // Similarities do not record their rows, so those for other rows are removed.
    if (!e.similarity.empty() || !e.is_whole() || !std::is_sorted(e.channels.begin(), e.channels.end()))
        replaced.push_back("/similarity/" + e.split + "/" + moment);
    store::ArraysWriter writer(run, replaced, {group});
    writer.begin_embedding(e.split, moment, e.pool_size, e.dimension, e.anchors);
    writer.append_embedding(e.split, moment, e.series, e.prompt);
    if (!e.similarity.empty()) writer.append_similarity(e.split, moment, e.pool_size, e.rows, e.similarity);
    writer.describe_embedding(e.split, moment, e);
    writer.finish();
    store::link_arrays(run);
}

void store_layout(const std::filesystem::path& run, const store::Embeddings& embeddings,
                  const std::string& name, const store::EmbeddingLayout& layout) {
    if (name != "pca" && name != "tsne")
        throw input_error("layout", Phrase("\"%1\" is not a layout", name), "\"pca\" or \"tsne\"");
    const store::RunLock lock{store::RunFolder(run)};
    const auto moment = checked_moment(run, embeddings);
    auto described = layout;
    described.windows = embeddings.windows;
    described.channels = embeddings.channels;
    described.patches = embeddings.patches;
    described.prefix_only = embeddings.prefix_only;
    store::ArraysWriter writer(run, {embedding_group(embeddings, moment) + "/" + name});
    writer.write_layout(embeddings.split, moment, name, described);
    writer.finish();
    store::link_arrays(run);
}

}  // namespace casp::inspect
