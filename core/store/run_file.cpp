#include "store/run_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>

#include "store/atomic_file.h"
#include "store/hdf5_file.h"
#include "store/own_file.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::store {

namespace {

// One list per group for writing and reading, so that each name occurs once.

struct TextAttribute {
    const char* name;
    std::string RunAttributes::*member;
};
constexpr std::array<TextAttribute, 10> text_attributes{{{"config", &RunAttributes::config},
                                                         {"backbone", &RunAttributes::backbone},
                                                         {"dataset_sha256", &RunAttributes::dataset_sha256},
                                                         {"parent", &RunAttributes::parent},
                                                         {"version", &RunAttributes::version},
                                                         {"libtorch", &RunAttributes::libtorch},
                                                         {"hardware", &RunAttributes::hardware},
                                                         {"device", &RunAttributes::device},
                                                         {"precision", &RunAttributes::precision},
                                                         {"created", &RunAttributes::created}}};

struct IntegerAttribute {
    const char* name;
    std::int64_t RunAttributes::*member;
};
constexpr std::array<IntegerAttribute, 4> integer_attributes{
    {{"parameters_total", &RunAttributes::parameters_total},
     {"parameters_trainable", &RunAttributes::parameters_trainable},
     {"best_step", &RunAttributes::best_step},
     {"threads", &RunAttributes::threads}}};

template <class Owner, class Member>
struct Field {
    const char* name;
    Member Owner::*member;
};
using Doubles = std::vector<double>;

/// Written for every model, as zeros where it has none: readers of run.h5 expect them.
constexpr std::array<const char*, 2> expected_terms{"similarity", "coverage"};
constexpr std::array<Field<DataSection, Doubles>, 3> data_fields{
    {{"mean", &DataSection::mean}, {"std", &DataSection::std}, {"time", &DataSection::time}}};
constexpr std::array<Field<DataSection, Doubles>, 2> input_fields{
    {{"input_mean", &DataSection::input_mean}, {"input_std", &DataSection::input_std}}};

constexpr std::array<const char*, 3> linked_groups{"/forecast", "/embedding", "/similarity"};

std::int64_t length(const auto& values) { return static_cast<std::int64_t>(values.size()); }

/// The attribute `terms` of /history/step lists the terms that the run has, in their order.
void write_terms(Hdf5File& file, const StepHistory& steps) {
    const std::string group = "/history/step";
    std::string names;
    for (const auto& curve : steps.terms) {
        file.write<double>(group + "/" + curve.name, curve.values, {length(steps.step)});
        names += (names.empty() ? "" : ",") + curve.name;
    }
    file.set_attribute(group, "terms", names);
    const Doubles none(steps.step.size(), 0.0);
    for (const auto* name : expected_terms)
        if (steps.find_term(name) == nullptr) file.write<double>(group + "/" + name, none, {length(none)});
}

/// Whether a file may name a loss term so: a short plain name.
bool is_term_name(const std::string& name) {
    return !name.empty() && name.size() <= 64 && name != "step" && name != "epoch" &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

/// The names in the attribute `terms` of a group, "similarity,coverage", each once.
std::vector<std::string> term_names(const std::string& text, const char* group,
                                    const std::filesystem::path& path) {
    constexpr std::size_t maximum = 32;
    std::vector<std::string> names;
    std::istringstream list(text);
    for (std::string name; std::getline(list, name, ',');) {
        if (!is_term_name(name) || names.size() == maximum ||
            std::find(names.begin(), names.end(), name) != names.end())
            throw input_error(path.string(), Phrase("the attribute terms of %1 lists no loss terms", group),
                              "names of data sets, each once", damaged_own_file);
        names.push_back(name);
    }
    return names;
}

/// Files without the attribute are of versions in which every run had both terms.
void read_terms(const Hdf5File& file, const std::filesystem::path& path, StepHistory& steps) {
    const char* group = "/history/step";
    const auto listed =
        file.has_attribute(group, "terms") ? file.text_attribute(group, "terms") : "similarity,coverage";
    for (const auto& name : term_names(listed, group, path)) {
        // Not another curve's.
        if (std::any_of(step_columns.begin(), step_columns.end(),
                        [&](const auto& f) { return name == f.name; }))
            throw input_error(path.string(), Phrase("the attribute terms of %1 lists no loss terms", group),
                              "names of data sets, each once", damaged_own_file);
        steps.terms.push_back(
            {name, file.read<double>(std::string(group) + "/" + name, {length(steps.step)})});
    }
}

constexpr const char* gradient_group = "/history/gradient";

void write_gradients(Hdf5File& file, const GradientHistory& gradients) {
    const std::string group = std::string(gradient_group) + "/";
    const auto count = length(gradients.step);
    file.write<std::int64_t>(group + "step", gradients.step, {count});
    std::string names;
    for (const auto& curve : gradients.norms) {
        file.write<double>(group + curve.name, curve.values, {count});
        names += (names.empty() ? "" : ",") + curve.name;
    }
    file.set_attribute(gradient_group, "terms", names);
}

void read_gradients(const Hdf5File& file, const std::filesystem::path& path, GradientHistory& gradients) {
    const std::string group = std::string(gradient_group) + "/";
    gradients.step = file.read<std::int64_t>(group + "step", {-1});
    for (const auto& name : term_names(file.text_attribute(gradient_group, "terms"), gradient_group, path))
        gradients.norms.push_back({name, file.read<double>(group + name, {length(gradients.step)})});
}

// HDF5 stores texts without a checksum, and its 1.10 crashes on damaged ones. So the file's SHA-256 is
// appended after HDF5's last byte, which HDF5 readers ignore, and checked before HDF5 opens the file.
constexpr std::string_view seal_mark = "\nCASP-SHA256:";
constexpr std::size_t seal_size = seal_mark.size() + 64 + 1;

std::string seal_of(const std::string& digest) {
    std::string seal(seal_mark);
    return seal.append(digest).append("\n");
}

/// Throws if the content does not match the appended SHA-256. Files without one (rewritten by another
/// program) pass.
void check_seal(const std::filesystem::path& path) {
    try {
        const RegularFile there(path, "a run.h5");  // never blocks on a pipe
    } catch (const Error& problem) {
        throw about_own_file(problem, path);
    }
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = file ? static_cast<std::int64_t>(file.tellg()) : 0;
    if (size < static_cast<std::int64_t>(seal_size)) return;
    std::string seal(seal_size, '\0');
    auto left = size - static_cast<std::int64_t>(seal_size);
    file.seekg(left);
    file.read(seal.data(), static_cast<std::streamsize>(seal.size()));
    if (!seal.starts_with(seal_mark)) return;
    file.seekg(0);
    Digest digest;
    std::vector<char> buffer(std::size_t{1} << 20);
    while (left > 0 && file) {
        file.read(buffer.data(),
                  std::min<std::streamsize>(left, static_cast<std::streamsize>(buffer.size())));
        digest.update(buffer.data(), static_cast<std::size_t>(file.gcount()));
        left -= file.gcount();
    }
    if (seal != seal_of(digest.finish()))
        throw input_error(path.string(), "its content does not match its checksum",
                          "the content it was written with", damaged_own_file);
}

void write_metrics(Hdf5File& file, const std::string& group, const SplitMetrics& metrics,
                   bool with_last_value) {
    for (const auto& metric : split_metrics) {
        const double value = metrics.*metric.value;
        const bool last_value = std::string_view(metric.name).starts_with("last_value");
        if (last_value && !with_last_value && std::isnan(value)) continue;
        if (metric.of_series && std::isnan(metrics.smape)) continue;
        if (metric.on_request && std::isnan(value)) continue;
        file.write<double>(group + "/" + metric.name, std::span<const double>(&value, 1), {});
    }
    for (const auto& profile : split_profiles) {
        const auto& values = metrics.*profile.values;
        if (!values.empty()) file.write<double>(group + "/" + profile.name, values, {length(values)});
    }
}

SplitMetrics read_metrics(const Hdf5File& file, const std::string& group) {
    SplitMetrics metrics;
    for (const auto& metric : split_metrics)
        if (const auto path = group + "/" + metric.name; file.exists(path))
            metrics.*metric.value = file.read<double>(path, {}).front();
    for (const auto& profile : split_profiles)
        if (const auto path = group + "/" + profile.name; file.exists(path))
            metrics.*profile.values = file.read<double>(path, {-1});
    return metrics;
}

void write_links(Hdf5File& file, const std::filesystem::path& run_folder) {
    const auto arrays_path = run_folder / "arrays.h5";
    if (!std::filesystem::exists(arrays_path)) return;
    try {
        const auto arrays = Hdf5File::open(arrays_path);
        for (const char* group : linked_groups)
            if (arrays.exists(group)) file.link_external(group, "arrays.h5", group);
    } catch (const Error&) {
        // A damaged arrays.h5 must not cost the other results; opening it reports the damage.
    }
}

}  // namespace

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    const auto size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, size};
}

void write_run_file(const std::filesystem::path& run_folder, const RunRecord& record) {
    const auto path = run_folder / "run.h5";
    auto file = Hdf5File::create_in_memory(path);
    const auto& attributes = record.attributes;
    file.set_attribute("/", "format_version", attributes.format_version);
    file.set_attribute("/", "state", to_string(attributes.state));
    for (const auto& attribute : text_attributes)
        file.set_attribute("/", attribute.name, attributes.*attribute.member);
    for (const auto& attribute : integer_attributes)
        file.set_attribute("/", attribute.name, attributes.*attribute.member);
    if (attributes.checkpointed)
        file.set_attribute("/", "checkpointed", std::int64_t{*attributes.checkpointed ? 1 : 0});
    if (attributes.dataset) file.set_attribute("/", "dataset", std::string_view(*attributes.dataset));
    if (!attributes.former_devices.empty())
        file.set_attribute("/", "former_devices", attributes.former_devices);

    if (!attributes.best_sha256.empty())
        file.set_attribute("/", "best_sha256", std::string_view(attributes.best_sha256));
    if (!attributes.source.empty()) {
        file.set_attribute("/", "source", std::string_view(attributes.source));
        file.set_attribute("/", "audit_sha256", std::string_view(attributes.audit_sha256));
    }

    const auto& steps = record.steps;
    const std::int64_t step_count = length(steps.step);
    file.write<std::int64_t>("/history/step/step", steps.step, {step_count});
    file.write<std::int64_t>("/history/step/epoch", steps.epoch, {step_count});
    for (const auto& column : step_columns)
        file.write<double>(std::string("/history/step/") + column.name, steps.*column.values, {step_count});
    write_terms(file, steps);
    if (!record.gradients.step.empty()) write_gradients(file, record.gradients);

    const auto& epochs = record.epochs;
    const std::int64_t epoch_count = length(epochs.epoch);
    file.write<std::int64_t>("/history/epoch/epoch", epochs.epoch, {epoch_count});
    for (const auto& column : epoch_columns)
        file.write<double>(std::string("/history/epoch/") + column.name, epochs.*column.values,
                           {epoch_count});
    if (!epochs.val_smape.empty())
        file.write<double>("/history/epoch/val_smape", epochs.val_smape, {epoch_count});

    const auto& anchors = record.anchors;
    const std::int64_t snapshots = length(anchors.snapshot_step);
    file.write<std::int64_t>("/anchors/snapshot_step", anchors.snapshot_step, {snapshots});
    file.write<std::int64_t>("/anchors/usage_train", anchors.usage_train, {snapshots, anchors.pool_size});
    if (!anchors.coverage_statistic.empty() || (snapshots == 0 && anchors.pool_size > 0))
        file.write<float>("/anchors/coverage_statistic", anchors.coverage_statistic,
                          {snapshots, anchors.pool_size});
    if (!anchors.usage_test.empty())
        file.write<std::int64_t>("/anchors/usage_test", anchors.usage_test, {anchors.pool_size});

    if (record.val) write_metrics(file, "/metrics/val", *record.val, false);
    if (record.test) write_metrics(file, "/metrics/test", *record.test, true);

    file.write_strings("/data/channel_names", record.data.channel_names);
    if (!record.data.series.empty()) file.write_strings("/data/series", record.data.series);
    for (const auto& field : data_fields) {
        const auto& values = record.data.*field.member;
        if (&field == &data_fields.back() && values.empty()) continue;
        file.write<double>(std::string("/data/") + field.name, values, {length(values)});
    }
    if (!record.data.input_names.empty()) {
        file.write_strings("/data/input_names", record.data.input_names);
        for (const auto& field : input_fields)
            file.write<double>(std::string("/data/") + field.name, record.data.*field.member,
                               {length(record.data.input_names)});
    }
    write_links(file, run_folder);
    const auto image = file.image();
    AtomicFile sealed(path);
    sealed.write(image);
    sealed.write(seal_of(sha256_of(image)));
    sealed.commit();
}

void link_arrays(const std::filesystem::path& run_folder) {
    const auto run = run_folder / "run.h5";
    const auto arrays = run_folder / "arrays.h5";
    if (!std::filesystem::exists(run) || !std::filesystem::exists(arrays)) return;
    // In this order: HDF5 1.10 does not follow a link to a file that is open with other settings.
    std::vector<std::string> needed;
    {
        const auto with = Hdf5File::open(arrays);
        for (const char* group : linked_groups)
            if (with.exists(group)) needed.emplace_back(group);
    }
    check_seal(run);
    const auto file = Hdf5File::open(run);
    const auto is_linked = [&](const std::string& group) { return file.exists(group); };
    const bool complete = std::all_of(needed.begin(), needed.end(), is_linked);
    if (!complete) write_run_file(run_folder, read_run_file(run));
}

namespace {

RunAttributes attributes_of(const Hdf5File& file, const std::filesystem::path& path) {
    RunAttributes attributes;
    if (!file.has_attribute("/", "format_version"))
        throw input_error(path.string(), "it is an HDF5 file, but not a run file",
                          "the attribute format_version", damaged_own_file);
    attributes.format_version = file.integer_attribute("/", "format_version");
    if (attributes.format_version > run_format_version)
        throw input_error(path.string(), Phrase("it has format version %1", attributes.format_version),
                          Phrase("at most %1", run_format_version),
                          "A newer CASP Studio wrote it; use that version or a later one.");
    if (attributes.format_version < 1)
        throw input_error(path.string(), Phrase("it has format version %1", attributes.format_version),
                          "1 or more", damaged_own_file);
    const auto state = file.text_attribute("/", "state");
    const auto known = run_state_from(state);
    if (!known)
        throw input_error(path.string(), Phrase("its state is \"%1\"", state), "running, finished, ...",
                          damaged_own_file);
    attributes.state = *known;
    for (const auto& attribute : text_attributes)
        attributes.*attribute.member = file.text_attribute("/", attribute.name);
    for (const auto& attribute : integer_attributes)
        attributes.*attribute.member = file.integer_attribute("/", attribute.name);
    if (file.has_attribute("/", "checkpointed"))
        attributes.checkpointed = file.integer_attribute("/", "checkpointed") != 0;
    if (file.has_attribute("/", "dataset")) attributes.dataset = file.text_attribute("/", "dataset");
    if (file.has_attribute("/", "former_devices"))
        attributes.former_devices = file.text_attribute("/", "former_devices");
    if (file.has_attribute("/", "best_sha256"))
        attributes.best_sha256 = file.text_attribute("/", "best_sha256");
    if (file.has_attribute("/", "source")) {
        attributes.source = file.text_attribute("/", "source");
        attributes.audit_sha256 = file.text_attribute("/", "audit_sha256");
    }
    return attributes;
}

}  // namespace

RunAttributes read_run_attributes(const std::filesystem::path& path) {
    check_seal(path);
    return attributes_of(Hdf5File::open(path), path);
}

RunRecord read_run_file(const std::filesystem::path& path) {
    check_seal(path);
    const auto file = Hdf5File::open(path);
    RunRecord record;
    record.attributes = attributes_of(file, path);

    auto& steps = record.steps;
    steps.step = file.read<std::int64_t>("/history/step/step", {-1});
    const std::int64_t step_count = length(steps.step);
    steps.epoch = file.read<std::int64_t>("/history/step/epoch", {step_count});
    for (const auto& column : step_columns)
        steps.*column.values = file.read<double>(std::string("/history/step/") + column.name, {step_count});
    read_terms(file, path, steps);
    if (file.exists(gradient_group)) read_gradients(file, path, record.gradients);

    auto& epochs = record.epochs;
    epochs.epoch = file.read<std::int64_t>("/history/epoch/epoch", {-1});
    const std::int64_t epoch_count = length(epochs.epoch);
    for (const auto& column : epoch_columns)
        epochs.*column.values =
            file.read<double>(std::string("/history/epoch/") + column.name, {epoch_count});
    if (file.exists("/history/epoch/val_smape"))
        epochs.val_smape = file.read<double>("/history/epoch/val_smape", {epoch_count});

    auto& anchors = record.anchors;
    anchors.snapshot_step = file.read<std::int64_t>("/anchors/snapshot_step", {-1});
    const std::int64_t snapshots = length(anchors.snapshot_step);
    anchors.usage_train = file.read<std::int64_t>("/anchors/usage_train", {snapshots, -1});
    anchors.pool_size = file.shape_of("/anchors/usage_train")[1];
    if (file.exists("/anchors/coverage_statistic"))
        anchors.coverage_statistic =
            file.read<float>("/anchors/coverage_statistic", {snapshots, anchors.pool_size});
    if (file.exists("/anchors/usage_test"))
        anchors.usage_test = file.read<std::int64_t>("/anchors/usage_test", {anchors.pool_size});

    if (file.exists("/metrics/val")) record.val = read_metrics(file, "/metrics/val");
    if (file.exists("/metrics/test")) record.test = read_metrics(file, "/metrics/test");

    auto& data = record.data;
    data.channel_names = file.read_strings("/data/channel_names");
    if (file.exists("/data/series")) data.series = file.read_strings("/data/series");
    for (const auto& field : data_fields)
        if (const auto name = std::string("/data/") + field.name; file.exists(name))
            data.*field.member = file.read<double>(name, {-1});
    if (file.exists("/data/input_names")) {
        data.input_names = file.read_strings("/data/input_names");
        for (const auto& field : input_fields)
            data.*field.member =
                file.read<double>(std::string("/data/") + field.name, {length(data.input_names)});
    }

    return record;
}

}  // namespace casp::store
