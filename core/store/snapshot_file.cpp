#include "store/snapshot_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "store/safetensors.h"
#include "util/error.h"

namespace casp::store {

namespace {

constexpr const char* damaged =
    "The snapshot is damaged: remove this file. Other snapshots can still be shown.";

std::vector<std::int64_t> numbers_in(const SafetensorsFile& file, const char* name) {
    const auto& view = file.at(name);
    if (view.dtype != Dtype::i64)
        throw input_error(file.path().string(), std::string("tensor ") + name + " has another type", "I64",
                          damaged);
    std::vector<std::int64_t> values(static_cast<std::size_t>(view.elements()));
    read_bytes(view, std::as_writable_bytes(std::span(values)));
    return values;
}

bool is_weight(const TensorView& view) {
    constexpr std::array of_the_set{"anchors", "series", "prompt", "windows", "start", "channels"};
    return std::find(of_the_set.begin(), of_the_set.end(), view.name) == of_the_set.end();
}

}  // namespace

std::optional<std::int64_t> step_of(std::string_view moment) {
    std::int64_t step = 0;
    const auto* end = moment.data() + moment.size();
    const auto [read, problem] = std::from_chars(moment.data(), end, step);
    if (moment.empty() || problem != std::errc() || read != end || step < 0) return std::nullopt;
    return step;
}

std::filesystem::path snapshots_folder(const std::filesystem::path& run) { return run / "snapshots"; }

std::filesystem::path snapshot_file(const std::filesystem::path& run, std::int64_t step) {
    return snapshots_folder(run) / (std::to_string(step) + ".safetensors");
}

EmbeddingArrays read_snapshot(const std::filesystem::path& path) {
    const SafetensorsFile file(path);
    const auto& anchors = file.at("anchors");
    if (anchors.shape.size() != 2 || anchors.shape[1] < 1)
        throw input_error(path.string(), "the anchors have shape " + shape_text(anchors.shape), "[V', d]",
                          damaged);
    EmbeddingArrays arrays;
    arrays.dimension = anchors.shape[1];
    arrays.anchors = to_floats(anchors);
    arrays.series = to_floats(file.at("series"));
    arrays.prompt = to_floats(file.at("prompt"));
    arrays.windows = numbers_in(file, "windows");
    arrays.start = numbers_in(file, "start");
    arrays.channels = numbers_in(file, "channels");
    for (const auto& view : file.tensors())
        if (is_weight(view)) arrays.weights.push_back({view.name, view.shape, to_floats(view)});
    return arrays;
}

bool snapshot_has_weights(const std::filesystem::path& path) {
    const SafetensorsFile file(path);
    return std::any_of(file.tensors().begin(), file.tensors().end(), is_weight);
}

}  // namespace casp::store
