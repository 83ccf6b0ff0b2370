#include "train/session.h"

#include <algorithm>
#include <cmath>

#include <torch/torch.h>

#include "config/experiment.h"
#include "model/factory.h"
#include "store/run_file.h"
#include "train/embedding_snapshots.h"
#include "util/device.h"
#include "util/error.h"

namespace casp::train {

SessionData open_data(const config::Config& config, const at::Device& device, TrainObserver& observer,
                      const StopControl& stop) {
    SessionData data;
    std::stop_source cancel;
    const auto progress = [&](const Progress& p) {
        if (stop.must_stop()) cancel.request_stop();
        observer.on_progress(p);
    };
    data.prepared = data::prepare_data(config, progress, cancel.get_token());
    for (const auto& warning : data.prepared.table.warnings)
        observer.on_message(
            MessageLevel::warning,
            (warning.line > 0 ? "line " + std::to_string(warning.line) + ": " : "") + warning.text);
    const auto series = data::scaled_series(data.prepared.table, data.prepared.scaler, device);
    const auto& plan = data.prepared.plan;
    const auto make = [&](const data::SplitPart& part, bool single) {
        return std::make_unique<data::WindowSet>(series, part, plan.lookback, plan.horizon, single);
    };
    data.train = make(plan.train, data.prepared.single_channel);
    data.val = make(plan.val, false);
    data.test = make(plan.test, false);
    return data;
}

void use_threads(const config::Config& config) {
    static const int all = at::get_num_threads();
    const int wanted = config.run.threads > 0 ? static_cast<int>(config.run.threads) : all;
    // Not in vain: it reaches into matrix products that go on in other threads.
    if (wanted != at::get_num_threads()) at::set_num_threads(wanted);
}

SessionModel open_model(const config::Config& config, std::int64_t channels, const at::Device& device,
                        TrainObserver& observer, const StopControl& stop) {
    SessionModel session;
    std::filesystem::path file;
    const bool untrained = config.backbone.path == "untrained";
    if (!untrained) file = model::find_backbone_file(config.backbone.path);
    session.model = model::make_model(config, channels);
    if (!untrained) {
        model::NamedTensors tensors = session.model->frozen();
        for (const auto& tensor : session.model->trainable())
            if (tensor.name.rfind("gpt2.", 0) == 0) tensors.push_back(tensor);
        session.backbone = model::load_backbone(file, tensors, [&](const Progress& progress) {
            if (stop.must_stop()) throw Cancelled();
            observer.on_progress(progress);
        });
    }
    session.frozen_digest = digest_of(session.model->frozen());
    session.model->to(device);
    return session;
}

store::RunAttributes describe_run(const config::Config& config, const SessionData& data,
                                  const SessionModel& model, const at::Device& device) {
    store::RunAttributes a;
    a.config = config::to_toml(config);
    a.state = store::RunState::running;
    a.backbone = model::to_string(model.backbone);
    a.dataset_sha256 = data.prepared.table.sha256;
    a.parameters_trainable = model::count_elements(model.model->trainable());
    a.parameters_total = a.parameters_trainable + model::count_elements(model.model->frozen());
    a.version = CASP_VERSION;
    a.libtorch = libtorch_version();
    a.hardware = hardware_name(device);
    a.device = device.str();
    a.precision = config.run.precision;
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
    for (const auto& tensor : model.model->state()) tensors.push_back(tensor);
    return tensors;
}

bool same_split(const store::RunRecord& former, const SessionData& data) {
    const auto agree = [](const std::vector<double>& a, const std::vector<double>& b) {
        if (a.size() != b.size()) return a.empty();  // an older file may have none
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!(std::abs(a[i] - b[i]) <= 1e-9 * std::max(std::abs(a[i]), std::abs(b[i])))) return false;
        return true;
    };
    const auto& scaler = data.prepared.scaler;
    return agree(former.data.mean, scaler.mean) && agree(former.data.std, scaler.std);
}

std::map<std::string, std::string> checkpoint_metadata(const store::RunAttributes& attributes) {
    return {{"format", "pt"},
            {"program", "CASP Studio " + attributes.version},
            {"backbone", attributes.backbone},
            {"config", attributes.config}};
}

namespace {

store::SplitMetrics to_metrics(const Evaluation& e) {
    store::SplitMetrics m;
    m.mse = e.mse;
    m.mae = e.mae;
    m.usage_entropy = e.usage_entropy;
    m.distinct_anchors = e.usage.empty() ? store::not_known : static_cast<double>(e.distinct_anchors);
    m.key_cosine = e.key_cosine;
    m.last_value_mse = e.last_value_mse;
    m.last_value_mae = e.last_value_mae;
    m.mse_per_channel = e.mse_per_channel;
    m.mae_per_channel = e.mae_per_channel;
    m.mse_per_step = e.mse_per_step;
    m.mae_per_step = e.mae_per_step;
    return m;
}

std::span<const float> floats(const at::Tensor& t) {
    return {t.data_ptr<float>(), static_cast<std::size_t>(t.numel())};
}

/// Takes evaluated batches of one split to arrays.h5.
class ArraysSink {
public:
    ArraysSink(store::ArraysWriter& writer, const config::Config& config, model::Forecaster& model,
               std::string split, const data::WindowSet& windows)
        : writer_(writer), config_(config), model_(model), split_(std::move(split)), windows_(windows) {
        writer_.begin_forecast(split_, windows.horizon(), windows.channels(), model.top_k());
        if (!config.run.store_embeddings) return;
        auto anchors = model.anchor_values();
        anchors =
            anchors.defined() ? anchors.to(at::kCPU).contiguous() : at::zeros({0, model.embedding_width()});
        writer_.begin_embedding(split_, "best", anchors.size(0), anchors.size(1), floats(anchors));
    }

    void operator()(const EvaluatedBatch& batch) {
        const auto count = batch.prediction.size(0);
        std::vector<std::int64_t> start(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            start[static_cast<std::size_t>(i)] = windows_.first_row() + batch.first + i;
        std::span<const std::int32_t> selected;
        if (batch.selected.defined())
            selected = {batch.selected.data_ptr<std::int32_t>(),
                        static_cast<std::size_t>(batch.selected.numel())};
        writer_.append_forecast(split_, count, floats(batch.prediction), floats(batch.target),
                                floats(batch.mse), floats(batch.mae), start, selected);
        if (!batch.trace) return;
        const auto query = batch.trace->query.to(at::kCPU).contiguous();
        if (config_.run.store_embeddings) {
            const auto prompt = batch.trace->prompt.defined() ? batch.trace->prompt.to(at::kCPU).contiguous()
                                                              : at::zeros({0});
            writer_.append_embedding(split_, "best", query.size(0), floats(query), floats(prompt));
        }
        if (config_.run.store_similarity && batch.trace->similarity.defined()) {
            const auto similarity = batch.trace->similarity.to(at::kCPU).contiguous();
            writer_.append_similarity(split_, "best", model_.pool_size(), similarity.size(0),
                                      floats(similarity));
        }
    }

private:
    store::ArraysWriter& writer_;
    const config::Config& config_;
    model::Forecaster& model_;
    std::string split_;
    const data::WindowSet& windows_;
};

/// arrays.h5 anew, but with the sets and layouts that were stored on request, under their steps, while the
/// run was interrupted.
void begin_arrays(std::optional<store::ArraysWriter>& writer, const std::filesystem::path& folder,
                  const std::vector<std::int64_t>& snapshots, TrainObserver& observer) {
    std::vector<std::string> replaced{"/forecast"};
    for (const std::string split : {"train", "val", "test"})
        for (const char* group : {"/embedding/", "/similarity/"}) replaced.push_back(group + split + "/best");
    // The run's own snapshot, of the windows that all have, goes before a set asked for at the same step.
    std::vector<std::string> sets;
    for (const auto step : snapshots)
        if (EmbeddingSnapshots::has(folder, step)) sets.push_back("/embedding/val/" + std::to_string(step));
    try {
        writer.emplace(folder, replaced, sets);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        observer.on_message(MessageLevel::warning,
                            std::string("what arrays.h5 held is not kept: ") + problem.what());
        writer.emplace(folder);
    }
}

}  // namespace

void evaluate_and_store(const config::Config& config, const SessionData& data, model::Forecaster& model,
                        const std::filesystem::path& folder, store::RunRecord& record,
                        TrainObserver& observer, const StopControl& stop,
                        const Evaluation* known_validation) {
    const auto wanted = [&](const std::string& split) {
        const auto& list = config.run.store_forecasts;
        return std::find(list.begin(), list.end(), split) != list.end();
    };
    std::optional<store::ArraysWriter> writer;
    const bool snapshots = EmbeddingSnapshots::any(folder);
    if (!config.run.store_forecasts.empty() || snapshots)
        begin_arrays(writer, folder, record.anchors.snapshot_step, observer);
    for (const std::string split : {"train", "val", "test"}) {
        if (split == "train" && !wanted(split)) continue;
        if (split == "val" && !wanted(split) && known_validation != nullptr) {
            record.val = to_metrics(*known_validation);
            continue;
        }
        const auto& windows = data.of(split);
        EvaluationOptions options;
        options.rows_per_batch = evaluation_rows(config, windows.channels());
        options.progress = [&](const Progress& p) {
            observer.on_progress({"evaluating " + split, p.done, p.total, p.unit});
        };
        std::optional<ArraysSink> sink;
        if (writer && wanted(split)) {
            sink.emplace(*writer, config, model, split, windows);
            options.trace = config.run.store_embeddings || config.run.store_similarity;
            options.sink = [&](const EvaluatedBatch& batch) { (*sink)(batch); };
        }
        const auto evaluation = evaluate(model, windows, options, stop);
        if (split == "val") record.val = to_metrics(evaluation);
        if (split == "test") {
            record.test = to_metrics(evaluation);
            record.anchors.pool_size = model.pool_size();
            record.anchors.usage_test = evaluation.usage;
        }
    }
    if (snapshots) EmbeddingSnapshots::gather(folder, record.anchors.snapshot_step, *writer);
    if (writer) writer->finish();
}

}  // namespace casp::train
