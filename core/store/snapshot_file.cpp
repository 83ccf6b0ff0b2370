#include "store/snapshot_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <utility>
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
        throw input_error(file.path().string(), Phrase("tensor %1 has another type", name), "I64", damaged);
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

Embeddings read_snapshot(const std::filesystem::path& path) {
    const SafetensorsFile file(path);
    const auto& anchors = file.at("anchors");
    if (anchors.shape.size() != 2 || anchors.shape[1] < 1)
        throw input_error(path.string(), Phrase("the anchors have shape %1", shape_text(anchors.shape)),
                          "[V', d]", damaged);
    Embeddings e;
    e.split = "val";
    e.weights = path.stem().string();
    e.step = step_of(e.weights).value_or(-1);
    e.pool_size = anchors.shape[0];
    e.dimension = anchors.shape[1];
    e.anchors = to_floats(anchors);
    e.series = to_floats(file.at("series"));
    e.prompt = to_floats(file.at("prompt"));
    e.windows = numbers_in(file, "windows");
    e.start = numbers_in(file, "start");
    e.channels = numbers_in(file, "channels");
    e.rows = std::ssize(e.windows) * std::ssize(e.channels);
    for (const auto& view : file.tensors())
        if (is_weight(view)) e.tensors.push_back({view.name, view.shape, to_floats(view)});
    return e;
}

void write_snapshot(const std::filesystem::path& path, const Embeddings& e) {
    struct Part {
        TensorSpec spec;
        std::span<const std::byte> bytes;
    };
    std::vector<Part> parts;
    const auto add = [&](std::string name, std::vector<std::int64_t> shape, const auto& values, Dtype type) {
        parts.push_back({{std::move(name), type, std::move(shape)}, std::as_bytes(std::span(values))});
    };
    const auto add_numbers = [&](const char* name, const std::vector<std::int64_t>& values) {
        add(name, {std::ssize(values)}, values, Dtype::i64);
    };
    const auto add_vectors = [&](const char* name, const std::vector<float>& values) {
        add(name, {std::ssize(values) / e.dimension, e.dimension}, values, Dtype::f32);
    };
    add_numbers("windows", e.windows);
    add_numbers("start", e.start);
    add_numbers("channels", e.channels);
    add_vectors("anchors", e.anchors);
    add_vectors("series", e.series);
    add_vectors("prompt", e.prompt);
    for (const auto& tensor : e.tensors) add(tensor.name, tensor.shape, tensor.values, Dtype::f32);
    std::vector<TensorSpec> specs;
    for (const auto& part : parts) specs.push_back(part.spec);
    SafetensorsWriter writer(path, specs);
    for (const auto& part : parts) writer.write(part.spec.name, part.bytes.data(), part.bytes.size());
    (void)writer.finish();
}

bool snapshot_has_weights(const std::filesystem::path& path) {
    const SafetensorsFile file(path);
    return std::any_of(file.tensors().begin(), file.tensors().end(), is_weight);
}

}  // namespace casp::store
