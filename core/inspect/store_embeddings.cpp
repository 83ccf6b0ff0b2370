// Storing embeddings in arrays.h5.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
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

/// Writes one set incrementally into a copy of arrays.h5.
class SetWriter {
public:
    SetWriter(const std::filesystem::path& run, const store::Embeddings& facts, bool similarity)
        : run_(run), facts_(facts), moment_(checked_moment(run, facts)), similarity_(similarity) {
        keep_snapshot(run, embedding_group(facts, moment_));
        std::vector<std::string> replaced;
        // Similarities do not record their rows, so those for other rows are removed.
        if (similarity || !matches_similarities())
            replaced.push_back("/similarity/" + facts.split + "/" + moment_);
        writer_.emplace(run, replaced, std::vector{embedding_group(facts, moment_)});
        const auto dimension = facts.dimension;
        writer_->begin_embedding(facts.split, moment_, facts.pool_size, dimension, facts.anchors);
    }

    void operator()(const store::Embeddings& part) {
        writer_->append_embedding(facts_.split, moment_, part.series, part.prompt);
        if (similarity_ && !part.similarity.empty())
            writer_->append_similarity(facts_.split, moment_, facts_.pool_size, part.rows, part.similarity);
    }

    /// `facts`: of the completed computation, which may be at another address than those of the parts.
    void finish(const store::Embeddings& facts) {
        writer_->describe_embedding(facts.split, moment_, facts);
        writer_->finish();
        store::link_arrays(run_);
    }

private:
    [[nodiscard]] bool matches_similarities() const {
        return facts_.is_whole() && std::is_sorted(facts_.channels.begin(), facts_.channels.end());
    }

    const std::filesystem::path& run_;
    const store::Embeddings& facts_;  ///< valid until the last part
    std::string moment_;
    bool similarity_;
    std::optional<store::ArraysWriter> writer_;
};

}  // namespace

void store_embeddings(const std::filesystem::path& run, const store::Embeddings& embeddings) {
    const store::RunLock lock{store::RunFolder(run)};
    SetWriter writer(run, embeddings, !embeddings.similarity.empty());
    writer(embeddings);
    writer.finish(embeddings);
}

store::Embeddings compute_and_store_embeddings(const EmbeddingRequest& request, const ProgressFn& progress,
                                               const std::stop_token& stop) {
    const store::RunLock lock{store::RunFolder(request.run)};
    std::optional<SetWriter> writer;
    auto facts = stream_embeddings(
        request,
        [&](const store::Embeddings& now, const store::Embeddings& part) {
            if (!writer) writer.emplace(request.run, now, request.similarity && now.pool_size > 0);
            (*writer)(part);
        },
        progress, stop);
    writer->finish(facts);
    return facts;
}

void store_layout(const std::filesystem::path& run, const store::Embeddings& embeddings,
                  const std::string& name, const store::EmbeddingLayout& layout) {
    if (name != "pca" && name != "tsne")
        throw input_error("layout", "\"" + name + "\" is not a layout", "\"pca\" or \"tsne\"");
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
