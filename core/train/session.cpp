#include "train/session.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <torch/torch.h>

#include "config/experiment.h"
#include "data/series_windows.h"
#include "model/cuda/kernels.h"
#include "model/descriptor.h"
#include "model/python_worker.h"
#include "model/tensor_file.h"
#include "store/run_file.h"
#include "util/build_info.h"
#include "util/device.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/kept_values.h"

namespace casp::train {

namespace {

/// A data set on the device, without state of a run.
struct DataOnDevice {
    std::shared_ptr<const data::PreparedData> prepared;
    at::Tensor series;  ///< scaled, [rows, M]; undefined for a collection
    at::Tensor time;    ///< time_series(); undefined where the model has no use for it
};

struct DeviceKey {
    const data::PreparedData* prepared;  ///< that the value keeps
    at::Device device;
    bool has_time;

    bool operator==(const DeviceKey&) const = default;
};

DataOnDevice put_on_device(std::shared_ptr<const data::PreparedData> prepared, const DeviceKey& key) {
    DataOnDevice data{std::move(prepared), {}, {}};
    if (data.prepared->collection) return data;
    data.series = data::scaled_series(data.prepared->table, data.prepared->scaler, key.device);
    if (key.has_time) data.time = data::time_series(data.prepared->table, key.device);
    synchronise(key.device);  // for the streams of other runs
    return data;
}

std::shared_ptr<const DataOnDevice> data_on_device(const config::Config& config, const at::Device& device,
                                                   TrainObserver& observer, const StopControl& stop) {
    static KeptValues<DeviceKey, DataOnDevice> known(0, [](const DataOnDevice&) { return std::int64_t{1}; });
    std::stop_source cancel;
    const auto progress = [&](const Progress& p) {
        if (stop.must_stop()) cancel.request_stop();
        observer.on_progress(p);
    };
    const auto prepared = data::prepare_data(config, progress, cancel.get_token());
    const DeviceKey key{prepared.get(), device, model::capabilities(config).time_features};
    return known.get(
        key, [&](const ProgressFn&) { return put_on_device(prepared, key); },
        [](const DataOnDevice&, auto /*begun*/) { return true; }, progress, cancel.get_token());
}

void make_table_windows(SessionData& session, const DataOnDevice& data) {
    const auto& plan = data.prepared->plan;
    const auto make = [&](const data::SplitPart& part, bool single) {
        return std::make_unique<data::TableWindows>(data.series, part, plan.lookback, plan.horizon, single,
                                                    data.time, data.prepared->targets);
    };
    session.train = make(plan.train, data.prepared->single_channel);
    session.val = make(plan.val, false);
    session.test = make(plan.test, false);
}

void make_series_windows(SessionData& session, const DataOnDevice& data, const config::Config& config,
                         const at::Device& device) {
    const bool holds_out = config.data.m4_stopping == "holdout";
    const auto make = [&](data::SeriesPart part) {
        return std::make_unique<data::SeriesWindows>(data.prepared->collection, part, holds_out,
                                                     config.data.lookback, device);
    };
    session.train = make(data::SeriesPart::training);
    session.val = make(holds_out ? data::SeriesPart::held_out : data::SeriesPart::test);
    session.test = make(data::SeriesPart::test);
}

}  // namespace

SessionData open_data(const config::Config& config, const at::Device& device, TrainObserver& observer,
                      const StopControl& stop) {
    const auto data = data_on_device(config, device, observer, stop);
    for (const auto& warning : data->prepared->table.warnings)
        observer.on_message(MessageLevel::warning, warning.line > 0
                                                       ? Phrase("line %1: %2", warning.line, warning.text)
                                                       : Phrase(warning.text));
    SessionData session;
    session.prepared = {data, data->prepared.get()};
    if (data->prepared->collection)
        make_series_windows(session, *data, config, device);
    else
        make_table_windows(session, *data);
    return session;
}

void use_threads(const config::Config& config, int sharers) {
    static const int all = at::get_num_threads();
    const int each = std::getenv("OMP_NUM_THREADS") != nullptr ? all : std::max(1, all / sharers);
    const int wanted = config.run.threads > 0 ? static_cast<int>(config.run.threads) : each;
    // Only on change: it also affects matrix products running in other threads.
    if (wanted != at::get_num_threads()) at::set_num_threads(wanted);
}

at::Device device_of(const config::Config& config) {
    return model::capabilities(config).own_process ? at::kCPU : resolve_device(config.run.device);
}

model::DataShape shape_of(const SessionData& data) {
    const auto& prepared = *data.prepared;
    model::DataShape shape{prepared.single_channel ? 1 : data.train->channels(), prepared.single_channel,
                           prepared.table.step,
                           prepared.entry != nullptr ? prepared.entry->title : std::string()};
    for (const auto& column : prepared.table.columns) shape.names.push_back(column.name);
    shape.targets = prepared.targets;
    if (prepared.collection) {
        shape.collection = true;
        shape.season = prepared.collection->frequency.season;
    }
    return shape;
}

bool lacks_precision(const config::Config& config, const at::Device& device) {
    if (model::capabilities(config).own_process) return false;
    const auto precision = model::product_precision(config);
    return (precision == "bf16" && !has_bf16(device)) || (precision == "tf32" && !has_tf32(device));
}

config::Config with_precision(config::Config config, const at::Device& device) {
    auto& precision = config.run.precision;
    if (lacks_precision(config, device))
        throw input_error(
            "run.precision",
            precision == "tf32"
                ? Phrase("%1 does not support tf32 (NVIDIA GPUs since Ampere, compute capability 8.0)",
                         device.str())
                : Phrase("%1 does not support bf16 (on a processor: AVX512_BF16), and emulating it would be "
                         "slow",
                         device.str()),
            "fp32, or auto", "Set run.precision to \"auto\": bf16 where it is faster, else fp32.");
    precision = model::product_precision(config);
    if (precision == "auto") precision = has_bf16(device) ? "bf16" : "fp32";
    return config;
}

namespace {

/// Of a model that has one. What the file is, is its frozen part.
void start_process(const config::Config& config, SessionModel& session, TrainObserver& observer,
                   const StopControl& stop) {
    auto* const process = session.model->own_process();
    if (process == nullptr) return;
    process->start({[&observer](const Phrase& line, bool printed) {
                        observer.on_message(printed ? MessageLevel::info : MessageLevel::warning, line);
                    },
                    [&stop] { return stop.must_stop(); }});
    if (config.run.store_embeddings && !process->info().embeds)
        throw input_error(config.python.file,
                          "the model gives no embeddings, which run.store_embeddings asks for",
                          "a model with embed(x), which returns (windows, channels, width)",
                          "Set run.store_embeddings to false.");
    session.frozen_digest = sha256_of(parse_json(process->info().description).at("files").dump());
}

}  // namespace

SessionModel open_model(const config::Config& config, const model::DataShape& data, const at::Device& device,
                        TrainObserver& observer, const StopControl& stop, SharedParts* shared) {
    SessionModel session;
    std::filesystem::path file;
    const bool pretrained = model::reads_backbone_file(config);
    const bool only_words = config.backbone.kind == "random";
    if (pretrained) file = model::find_backbone_file(config.backbone.path);
    session.model = model::make_model(config, data);
    if (model::capabilities(config).backbone) session.backbone = model::BackboneKind::untrained;
    if (pretrained) {
        model::NamedTensors tensors = session.model->frozen();
        for (const auto& tensor : session.model->trainable())
            if (!model::gpt2_name(tensor.name).empty()) tensors.push_back(tensor);
        if (only_words)
            std::erase_if(tensors, [](const auto& t) { return model::gpt2_name(t.name) != "wte.weight"; });
        const auto loaded = model::load_backbone(file, tensors, [&](const Progress& progress) {
            if (stop.must_stop()) throw Cancelled();
            observer.on_progress(progress);
        });
        session.backbone = loaded.kind;  // of the words, where the blocks are random
        if (!loaded.conversions.empty()) observer.on_message(MessageLevel::info, loaded.conversions);
    }
    session.frozen_digest = model::digest_of(session.model->frozen());
    session.model->to(device);
    start_process(config, session, observer, stop);
    if (shared != nullptr)
        session.shared_frozen = shared->share_frozen(session.model->frozen(), session.frozen_digest);
    session.precision = config.run.precision;
    return session;
}

store::RunAttributes describe_run(const config::Config& config, const SessionData& data,
                                  const SessionModel& model, const at::Device& device) {
    store::RunAttributes a;
    a.config = config::to_toml(config);
    a.state = store::RunState::running;
    a.backbone = model::backbone_origin(config, model.backbone);
    a.dataset_sha256 = data.prepared->table.sha256;
    a.dataset = data.prepared->entry != nullptr ? data.prepared->entry->name : "";
    a.parameters_trainable = model::count_elements(model.model->trainable());
    a.parameters_total = a.parameters_trainable + model::count_elements(model.model->frozen());
    a.version = program_version();
    a.libtorch = libtorch_version();
    a.hardware = hardware_name(device);
    // Their dropout masks are not those of LibTorch's operators.
    if (model::cuda::kernels_wanted(device)) a.hardware += ", CASP_GPU_KERNELS";
    if (const auto* process = std::as_const(*model.model).own_process()) {
        a.parameters_trainable = process->info().parameters_trainable;
        a.parameters_total = process->info().parameters_total;
        if (!process->info().hardware.empty()) a.hardware = process->info().hardware;
    }
    a.device = device.str();
    if (const auto* process = std::as_const(*model.model).own_process()) a.device = process->info().device;
    a.precision = model.precision;
    a.threads = at::get_num_threads();
    a.created = store::utc_now();
    a.checkpointed = false;
    return a;
}

model::NamedTensors checkpoint_tensors(const config::Config& config, const SessionModel& model) {
    auto tensors = model.model->trainable();
    // An unknown checkpoint may be gone tomorrow: its frozen weights are always kept.
    const bool omit =
        config.run.frozen_weights == "omit" && model.backbone != model::BackboneKind::unknown_checkpoint;
    if (!omit)
        for (const auto& tensor : model.model->frozen()) tensors.push_back(tensor);
    for (const auto& more : {model.model->aliases(), model.model->state()})
        tensors.insert(tensors.end(), more.begin(), more.end());
    return tensors;
}

bool same_split(const store::RunRecord& former, const SessionData& data) {
    const auto agree = [](const std::vector<double>& a, const std::vector<double>& b) {
        if (a.size() != b.size()) return a.empty();  // an older file may have none
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!(std::abs(a[i] - b[i]) <= 1e-9 * std::max(std::abs(a[i]), std::abs(b[i])))) return false;
        return true;
    };
    const auto& scaler = data.prepared->scaler;
    return agree(former.data.mean_of_inputs(), scaler.mean) && agree(former.data.std_of_inputs(), scaler.std);
}

std::map<std::string, std::string> checkpoint_metadata(const store::RunAttributes& attributes) {
    return {{"format", "pt"},
            {"program", Phrase("CASP Studio %1", attributes.version)},
            {"backbone", attributes.backbone},
            {"config", attributes.config}};
}

}  // namespace casp::train
