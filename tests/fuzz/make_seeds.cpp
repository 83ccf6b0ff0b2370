// Writes the seeds that are no text: run files, checkpoints.
//
//     fuzz_seeds tests/fuzz/corpus
#include <cstdio>
#include <fstream>
#include <vector>

#include <hdf5.h>

#include "fuzz_support.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

store::RunRecord small_record() {
    store::RunRecord record;
    auto& a = record.attributes;
    a.config = "name = \"seed\"\n";
    a.backbone = "untrained";
    a.state = store::RunState::finished;
    record.steps.step = {1, 2};
    record.steps.epoch = {1, 1};
    for (auto* values : {&record.steps.learning_rate, &record.steps.forecast,
                         &record.steps.term("similarity"), &record.steps.term("coverage"),
                         &record.steps.total, &record.steps.gate_share, &record.steps.seconds})
        *values = {0.5, 0.25};
    record.epochs.epoch = {1};
    for (auto* values : {&record.epochs.train_forecast, &record.epochs.val_mse, &record.epochs.val_mae,
                         &record.epochs.learning_rate, &record.epochs.seconds})
        *values = {1.5};
    record.anchors.pool_size = 3;
    record.anchors.snapshot_step = {2};
    record.anchors.usage_train = {1, 2, 3};
    record.anchors.coverage_statistic = {0.1F, 0.2F, 0.3F};
    record.anchors.usage_test = {4, 5, 6};
    record.test.emplace().mse = 0.5;
    record.test->mse_per_channel = {0.5};
    record.data.channel_names = {"load"};
    record.data.mean = {1};
    record.data.std = {2};
    return record;
}

/// arrays.h5 as ArraysWriter makes it, but in chunks of a few bytes instead of 256 KiB.
void write_arrays(const fs::path& path) {
    auto file = store::Hdf5File::create(path);
    const std::vector<float> six{1, 2, 3, 4, 5, 6};
    const std::vector<float> four{1, 2, 3, 4};
    const std::vector<float> three{1, 2, 3};
    for (const char* name : {"prediction", "truth"})
        file.write<float>(std::string("/forecast/test/") + name, six, {3, 2, 1});
    for (const char* name : {"mse", "mae"})
        file.write<float>(std::string("/forecast/test/") + name, three, {3, 1});
    file.write<std::int64_t>("/forecast/test/start", std::vector<std::int64_t>{0, 1, 2}, {3});
    file.write<std::int32_t>("/forecast/test/selected", std::vector<std::int32_t>{0, 1, 2}, {3, 1, 1});
    for (const char* name : {"anchors", "series", "prompt"})
        file.write<float>(std::string("/embedding/test/best/") + name, four, {2, 2});
    file.write<float>("/embedding/test/best/tsne/points", four, {2, 2});
    for (const char* name : {"kind", "row"})
        file.write<std::int32_t>(std::string("/embedding/test/best/tsne/") + name,
                                 std::vector<std::int32_t>{0, 1}, {2});
    file.set_attribute("/embedding/test/best/tsne", "kl", 0.5);
    file.set_attribute("/embedding/test/best/tsne", "perplexity", 30.0);
    file.set_attribute("/embedding/test/best/tsne", "iterations", std::int64_t{1000});
    file.set_attribute("/embedding/test/best/tsne", "seed", std::int64_t{1});
    file.write<float>("/similarity/test/best", four, {2, 2});
    file.close();
}

/// A run.h5 whose history is one epoch longer than its steps.
void write_wrong_shape(const fs::path& path) {
    auto file = store::Hdf5File::create(path);
    file.set_attribute("/", "format_version", std::int64_t{1});
    file.set_attribute("/", "state", "finished");
    for (const char* name : {"config", "backbone", "dataset_sha256", "parent", "version", "libtorch",
                             "hardware", "device", "precision", "created"})
        file.set_attribute("/", name, "");
    for (const char* name : {"parameters_total", "parameters_trainable", "best_step", "threads"})
        file.set_attribute("/", name, std::int64_t{0});
    file.write<std::int64_t>("/history/step/step", std::vector<std::int64_t>{1, 2}, {2});
    file.write<std::int64_t>("/history/step/epoch", std::vector<std::int64_t>{1, 1, 1}, {3});
    file.close();
}

/// The same objects in HDF5's oldest format, whose metadata has no checksums: damage gets further.
void copy_to_oldest_format(const fs::path& from, const fs::path& to) {
    const hid_t source = H5Fopen(from.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t target = H5Fcreate(to.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    struct Both {
        hid_t source, target;
    } both{source, target};
    const auto copy = [](hid_t, const char* name, const H5L_info_t* info, void* out) -> herr_t {
        const auto& files = *static_cast<Both*>(out);
        if (info->type == H5L_TYPE_EXTERNAL) return 0;
        return H5Ocopy(files.source, name, files.target, name, H5P_DEFAULT, H5P_DEFAULT);
    };
    H5Literate(source, H5_INDEX_NAME, H5_ITER_INC, nullptr, copy, &both);
    const auto copy_attribute = [](hid_t object, const char* name, const H5A_info_t*, void* out) -> herr_t {
        const hid_t read = H5Aopen(object, name, H5P_DEFAULT);
        const hid_t type = H5Aget_type(read);
        const hid_t space = H5Aget_space(read);
        const hid_t made =
            H5Acreate2(static_cast<Both*>(out)->target, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        char value[64];
        fuzz::must(H5Aread(read, type, value) >= 0 && H5Awrite(made, type, value) >= 0,
                   "attributes are copied");
        for (const hid_t attribute : {read, made}) H5Aclose(attribute);
        H5Tclose(type);
        H5Sclose(space);
        return 0;
    };
    H5Aiterate2(source, H5_INDEX_NAME, H5_ITER_INC, nullptr, copy_attribute, &both);
    H5Fclose(target);
    H5Fclose(source);
}

void cut_seal(const fs::path& from, const fs::path& to) {
    std::ifstream in(from, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto seal = bytes.rfind("\nCASP-SHA256:");
    std::ofstream(to, std::ios::binary) << (seal == std::string::npos ? bytes : bytes.substr(0, seal));
}

void write_safetensors(const fs::path& path) {
    store::SafetensorsWriter writer(path,
                                    {{"wte.weight", store::Dtype::f32, {2, 2}},
                                     {"n", store::Dtype::i64, {1}},
                                     {"h", store::Dtype::bf16, {3}},
                                     {"empty", store::Dtype::u8, {0}}},
                                    {{"format", "pt"}});
    const float weights[] = {1, 2, 3, 4};
    const std::int64_t n = 7;
    const std::uint16_t halves[] = {0x3f80, 0x4000, 0x7fc0};
    writer.write("wte.weight", weights, sizeof weights);
    writer.write("n", &n, sizeof n);
    writer.write("h", halves, sizeof halves);
    writer.write("empty", nullptr, 0);
    (void)writer.finish();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    const fs::path corpus = argv[1];
    const auto scratch = fs::temp_directory_path() / ("casp-seeds-" + std::to_string(::getpid()));
    fs::create_directories(scratch);
    for (const char* target : {"run_file", "safetensors", "run_json"})
        fs::create_directories(corpus / target);

    write_arrays(scratch / "arrays.h5");
    store::write_run_file(scratch, small_record());
    const auto to = corpus / "run_file";
    const auto over = fs::copy_options::overwrite_existing;
    fs::copy_file(scratch / "run.h5", to / "run.h5", over);
    fs::copy_file(scratch / "arrays.h5", to / "arrays.h5", over);
    write_wrong_shape(to / "run_wrong_shape.h5");
    auto newer = small_record();
    newer.attributes.format_version = 99;
    fs::create_directories(scratch / "newer");
    store::write_run_file(scratch / "newer", newer);
    fs::copy_file(scratch / "newer" / "run.h5", to / "run_newer_version.h5", over);
    cut_seal(scratch / "run.h5", to / "run_without_seal.h5");
    copy_to_oldest_format(scratch / "run.h5", to / "run_oldest_format.h5");
    copy_to_oldest_format(scratch / "arrays.h5", to / "arrays_oldest_format.h5");
    write_safetensors(corpus / "safetensors" / "mixed.safetensors");

    store::RunStatus status;
    status.row.run = "single";
    status.row.swept = {{"loss.lambda_cov", "0.1"}};
    store::write_run_status(store::RunFolder(scratch), status);
    fs::copy_file(scratch / "run.json", corpus / "run_json" / "run.json", over);
    fs::remove_all(scratch);
    return 0;
}
