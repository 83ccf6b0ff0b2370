// Reading of /embedding and /similarity of arrays.h5.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_record.h"
#include "store/snapshot_file.h"
#include "util/error.h"

namespace casp::store {

namespace {

std::string group_of(std::string_view split, std::string_view at) {
    return std::string("/embedding/").append(split).append("/").append(at);
}

/// Reads windows, channels, patches and prefix_only of a set or a layout.
template <class Rows>
void read_rows(const Hdf5File& file, const std::string& group, Rows& rows) {
    if (file.exists(group + "/windows")) rows.windows = file.read<std::int64_t>(group + "/windows", {-1});
    if (file.exists(group + "/channels")) rows.channels = file.read<std::int64_t>(group + "/channels", {-1});
    // Stored as a number: for an attribute behind an external link, HDF5 1.10 looks up texts in the linking
    // file.
    rows.prefix_only =
        file.has_attribute(group, "prefix_only") && file.integer_attribute(group, "prefix_only") != 0;
    if (!file.has_attribute(group, "patches")) return;
    rows.patches = file.integer_attribute(group, "patches");
    if (rows.patches < 1)
        throw input_error(file.path().string() + ", " + group, Phrase("it states %1 patches", rows.patches),
                          "1 or more");
}

EmbeddingLayout layout_in(const Hdf5File& file, const std::string& group) {
    EmbeddingLayout layout;
    layout.points = file.read<float>(group + "/points", {-1, -1});
    const auto shape = file.shape_of(group + "/points");
    layout.components = shape[1];
    layout.kind = file.read<std::int32_t>(group + "/kind", {shape[0]});
    layout.row = file.read<std::int32_t>(group + "/row", {shape[0]});
    if (file.exists(group + "/variance_ratio"))
        layout.variance_ratio = file.read<double>(group + "/variance_ratio", {3, -1});
    if (file.exists(group + "/explained"))
        layout.explained = file.read<double>(group + "/explained", {layout.components});
    if (file.has_attribute(group, "kl")) {
        layout.kl = file.number_attribute(group, "kl");
        layout.perplexity = file.number_attribute(group, "perplexity");
        layout.iterations = file.integer_attribute(group, "iterations");
        layout.seed = file.integer_attribute(group, "seed");
    }
    if (file.has_attribute(group, "common_runs")) {
        layout.common_runs = file.integer_attribute(group, "common_runs");
        layout.common_points = file.integer_attribute(group, "common_points");
    }
    read_rows(file, group, layout);
    return layout;
}

/// "best" before all steps, steps by number, other names last.
std::tuple<int, std::int64_t, std::string> rank(const std::string& at) {
    const auto step = step_of(at);
    return {at == "best" ? 0 : step ? 1 : 2, step.value_or(0), at};
}

}  // namespace

Embeddings read_embedding(const std::filesystem::path& path, std::string_view split, std::string_view at) {
    const auto file = Hdf5File::open(path);
    const auto group = group_of(split, at);
    file.require(group + "/anchors",
                 "Store the embeddings of this split from the embedding view, or run with "
                 "run.store_embeddings = true.");
    Embeddings e;
    e.split = split;
    e.weights = at;
    e.step = step_of(at).value_or(-1);
    e.anchors = file.read<float>(group + "/anchors", {-1, -1});
    const auto shape = file.shape_of(group + "/anchors");
    e.pool_size = shape[0];
    e.dimension = shape[1];
    e.series = file.read<float>(group + "/series", {-1, e.dimension});
    e.prompt = file.read<float>(group + "/prompt", {-1, e.dimension});
    read_rows(file, group, e);
    e.rows = file.shape_of(group + "/series")[0] / e.patches;
    if (file.exists(group + "/start"))
        e.start = file.read<std::int64_t>(group + "/start", {std::ssize(e.windows)});
    if (file.exists(group + "/pca")) e.pca = layout_in(file, group + "/pca");
    if (file.exists(group + "/tsne")) e.tsne = layout_in(file, group + "/tsne");
    return e;
}

std::vector<NamedArray> read_embedding_weights(const std::filesystem::path& path, std::string_view split,
                                               std::string_view at, std::vector<NamedArray> wanted) {
    const auto file = Hdf5File::open(path);
    for (auto& weight : wanted) {
        const auto dataset = group_of(split, at) + "/weights/" + weight.name;
        file.require(
            dataset,
            "This snapshot belongs to another model or is damaged; other snapshots can still be used.");
        weight.values = file.read<float>(dataset, weight.shape);
    }
    return wanted;
}

EmbeddingLayout read_layout(const std::filesystem::path& path, std::string_view split, std::string_view at,
                            std::string_view name) {
    const auto file = Hdf5File::open(path);
    const auto group = group_of(split, at) + "/" + std::string(name);
    file.require(group, "Compute the layout in the embedding view and store it.");
    return layout_in(file, group);
}

std::vector<EmbeddingEntry> embedding_entries(const std::filesystem::path& path) {
    const auto file = Hdf5File::open(path);
    std::vector<EmbeddingEntry> entries;
    if (!file.exists("/embedding")) return entries;
    for (const auto& split : file.children("/embedding")) {
        auto moments = file.children("/embedding/" + split);
        std::sort(moments.begin(), moments.end(),
                  [](const auto& a, const auto& b) { return rank(a) < rank(b); });
        for (const auto& at : moments) {
            EmbeddingEntry entry;
            entry.split = split;
            entry.at = at;
            const auto group = group_of(split, at);
            if (file.exists(group + "/series")) {
                const auto shape = file.shape_of(group + "/series");
                if (shape.size() != 2)
                    throw input_error(Phrase("%1, %2/series", path.string(), group),
                                      Phrase("it has %1 dimensions", shape.size()), "[rows, d]");
                entry.rows = shape[0];
                entry.dimension = shape[1];
            }
            for (const char* layout : {"pca", "tsne"})
                if (file.exists(group + "/" + layout)) entry.layouts.emplace_back(layout);
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

SimilarityArray read_similarity(const std::filesystem::path& path, std::string_view split,
                                std::string_view at, std::int64_t first, std::int64_t count) {
    const auto file = Hdf5File::open(path);
    const auto dataset = std::string("/similarity/").append(split).append("/").append(at);
    file.require(dataset, "Start a run with run.store_similarity = true.");
    SimilarityArray array;
    array.values = file.read_rows<float>(dataset, {-1, -1}, first, count);
    array.pool_size = file.shape_of(dataset)[1];
    return array;
}

}  // namespace casp::store
