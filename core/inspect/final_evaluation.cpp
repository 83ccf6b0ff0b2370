#include "inspect/final_evaluation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "analysis/m4_scores.h"
#include "data/series_collection.h"
#include "inspect/embedding_snapshots.h"
#include "store/atomic_file.h"
#include "store/result_columns.h"
#include "store/run_file.h"
#include "train/damaged_lookbacks.h"
#include "util/error.h"
#include "util/tf32.h"

namespace casp::inspect {

namespace {

template <class Value>
std::span<const Value> values_of(const at::Tensor& t) {
    return {t.data_ptr<Value>(), static_cast<std::size_t>(t.numel())};
}
std::span<const float> floats(const at::Tensor& t) { return values_of<float>(t); }

/// Writes evaluated batches of one split to arrays.h5.
class ArraysSink {
public:
    ArraysSink(store::ArraysWriter& writer, const config::Config& config, model::Forecaster& model,
               std::string split, const data::WindowSet& windows)
        : writer_(writer), config_(config), model_(model), split_(std::move(split)), windows_(windows) {
        writer_.begin_forecast(split_, windows.horizon(), windows.target_channels(), model::top_k(model),
                               !windows.scaled());
        // A model in Python knows late that its embed() fails, and has said so.
        stores_embeddings_ = config.run.store_embeddings &&
                             (std::as_const(model).anchors() != nullptr || model.embedding_width() > 0);
        if (!stores_embeddings_) return;
        const Tf32Scope products(windows.device(), model.uses_tf32());
        const auto* pool = std::as_const(model).anchors();
        const auto anchors = pool != nullptr ? pool->anchor_values().to(at::kCPU).contiguous()
                                             : at::zeros({0, model.embedding_width()});
        writer_.begin_embedding(split_, "best", anchors.size(0), anchors.size(1), floats(anchors));
    }

    void operator()(const train::EvaluatedBatch& batch) {
        const auto count = batch.prediction.size(0);
        std::vector<std::int64_t> start(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            start[static_cast<std::size_t>(i)] = windows_.start_of(batch.first + i);
        std::span<const std::int32_t> retrieved;
        if (batch.retrieved.defined())
            retrieved = {batch.retrieved.data_ptr<std::int32_t>(),
                         static_cast<std::size_t>(batch.retrieved.numel())};
        const auto mse = floats(batch.mse), mae = floats(batch.mae);
        if (windows_.scaled())
            writer_.append_forecast(split_, count, floats(batch.prediction), floats(batch.target), mse, mae,
                                    start, retrieved);
        else
            writer_.append_forecast_float64(split_, count, values_of<double>(batch.prediction),
                                            values_of<double>(batch.target), mse, mae, start, retrieved);
        if (!batch.trace) return;
        const auto query = batch.trace->query.to(at::kCPU).contiguous();
        if (stores_embeddings_) {
            const auto prompt = batch.trace->prompt.defined() ? batch.trace->prompt.to(at::kCPU).contiguous()
                                                              : at::zeros({0});
            writer_.append_embedding(split_, "best", floats(query), floats(prompt));
        }
        if (config_.run.store_similarity && batch.trace->similarity.defined()) {
            const auto similarity = batch.trace->similarity.to(at::kCPU).contiguous();
            writer_.append_similarity(split_, "best", model::pool_size(model_), similarity.size(0),
                                      floats(similarity));
        }
    }

private:
    store::ArraysWriter& writer_;
    const config::Config& config_;
    bool stores_embeddings_ = false;
    model::Forecaster& model_;
    std::string split_;
    const data::WindowSet& windows_;
};

/// Scores of a collection's test forecasts [series, H], in original units and the collection's order, beside
/// Naive2's: their means into the log (series without MASE, constant ones, count in no mean of it), those
/// of each series into arrays.h5 if there is one. The forecasts also into submission.csv.
void score_collection(const data::SeriesCollection& collection, const std::vector<double>& forecasts,
                      const std::filesystem::path& folder, store::ArraysWriter* writer, train::RunLog& log) {
    const auto horizon = collection.horizon, season = collection.frequency.season;
    if (std::ssize(forecasts) != collection.size() * horizon)
        throw std::invalid_argument("forecasts of " + std::to_string(forecasts.size()) + " values for " +
                                    std::to_string(collection.size()) + " series");
    store::SeriesScores scores, naive2;
    const auto add = [&](store::SeriesScores& to, std::span<const double> forecast, std::int64_t i) {
        to.smape.push_back(analysis::smape(forecast, collection.test_of(i)));
        to.mase.push_back(analysis::mase(forecast, collection.test_of(i), collection.training_of(i), season));
    };
    for (std::int64_t i = 0; i < collection.size(); ++i) {
        add(scores,
            std::span(forecasts).subspan(static_cast<std::size_t>(i * horizon),
                                         static_cast<std::size_t>(horizon)),
            i);
        add(naive2, analysis::naive2(collection.training_of(i), season, horizon), i);
    }
    log.change([&](store::RunRecord& record) {
        auto& metrics = *record.test;
        metrics.smape = analysis::mean_of_known(scores.smape);
        metrics.mase = analysis::mean_of_known(scores.mase);
        metrics.naive2_smape = analysis::mean_of_known(naive2.smape);
        metrics.naive2_mase = analysis::mean_of_known(naive2.mase);
        metrics.owa = analysis::owa(metrics.smape, metrics.mase, metrics.naive2_smape, metrics.naive2_mase);
        record.data.series = collection.ids;
    });
    if (writer != nullptr) writer->write_series("test", collection.ids, scores);
    store::write_file_atomically(folder / "submission.csv",
                                 store::submission_csv(collection.ids, horizon, forecasts));
}

/// Test errors with damaged look-backs. A collection's series are in original units, where the mean of the
/// training rows is not 0: it has none with masked rows.
void check_lookbacks(const config::Config& config, const data::WindowSet& windows, model::Forecaster& model,
                     train::EvaluationOptions options, const train::StopControl& stop, train::RunLog& log) {
    options.sink = {};
    options.trace = false;
    for (const auto& error : train::damaged_errors) {
        if (error.damage == train::Damage::masked && !windows.scaled()) continue;
        options.change = [&](const at::Tensor& lookback, std::int64_t first) {
            return train::damaged(lookback, error.damage, static_cast<std::uint64_t>(config.train.seed),
                                  first);
        };
        const auto evaluation = train::evaluate(model, windows, options, stop);
        log.change([&](store::RunRecord& record) { (*record.test).*error.mse = evaluation.mse; });
    }
}

/// Starts arrays.h5 with the sets and layouts stored on request, under their steps, while the run was
/// interrupted.
void begin_arrays(std::optional<store::ArraysWriter>& writer, const std::filesystem::path& folder,
                  const std::vector<std::int64_t>& snapshots, train::TrainObserver& observer) {
    std::vector<std::string> replaced{"/forecast"};
    for (const std::string split : {"train", "val", "test"})
        for (const char* group : {"/embedding/", "/similarity/"}) replaced.push_back(group + split + "/best");
    // The run's own snapshot replaces a set stored on request at the same step.
    std::vector<std::string> sets;
    for (const auto step : snapshots)
        if (EmbeddingSnapshots::has(folder, step)) sets.push_back("/embedding/val/" + std::to_string(step));
    try {
        writer.emplace(folder, replaced, sets);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        observer.on_message(train::MessageLevel::warning,
                            Phrase("the previous content of arrays.h5 is not kept: %1", phrase_of(problem)));
        writer.emplace(folder);
    }
}

}  // namespace

void evaluate_and_store(const config::Config& config, const train::SessionData& data,
                        model::Forecaster& model, const std::filesystem::path& folder, train::RunLog& log,
                        const train::StopControl& stop, const train::Evaluation* known_validation) {
    const auto wanted = [&](const std::string& split) {
        const auto& list = config.run.store_forecasts;
        return std::find(list.begin(), list.end(), split) != list.end();
    };
    std::optional<store::ArraysWriter> writer;
    const bool snapshots = EmbeddingSnapshots::any(folder);
    if (!config.run.store_forecasts.empty() || snapshots)
        begin_arrays(writer, folder, log.record().anchors.snapshot_step, log);
    for (const std::string split : {"train", "val", "test"}) {
        if (split == "train" && !wanted(split)) continue;
        if (split == "val" && !wanted(split) && known_validation != nullptr) {
            log.change([&](store::RunRecord& record) { record.val = *known_validation; });
            continue;
        }
        const auto& windows = data.of(split);
        train::EvaluationOptions options;
        options.rows_per_batch = train::evaluation_rows(config, windows.channels());
        options.progress = [&](const Progress& p) {
            log.on_progress({{Stage::evaluating, split}, p.done, p.total, p.unit});
        };
        std::optional<ArraysSink> sink;
        if (writer && wanted(split)) {
            sink.emplace(*writer, config, model, split, windows);
            options.trace = config.run.store_embeddings || config.run.store_similarity;
        }
        const auto* collection = split == "test" ? data.prepared->collection.get() : nullptr;
        std::vector<double> forecasts;
        options.sink = [&](const train::EvaluatedBatch& batch) {
            if (sink) (*sink)(batch);
            if (collection == nullptr) return;
            const auto values = values_of<double>(batch.prediction);
            forecasts.insert(forecasts.end(), values.begin(), values.end());
        };
        if (!sink && collection == nullptr) options.sink = {};
        const auto evaluation = train::evaluate(model, windows, options, stop);
        if (split == "test" && !std::isfinite(evaluation.mse))
            throw run_error("test", "the MSE is not finite", {},
                            "Forecasts have values that are no numbers, or very large ones.");
        log.change([&](store::RunRecord& record) {
            if (split == "val") record.val = evaluation;
            if (split != "test") return;
            record.test = evaluation;
            record.anchors.pool_size = model::pool_size(model);
            record.anchors.usage_test = evaluation.usage;
        });
        if (split == "test" && config.run.lookback_checks)
            check_lookbacks(config, windows, model, options, stop, log);
        if (collection != nullptr)
            score_collection(*collection, forecasts, folder, sink ? &*writer : nullptr, log);
    }
    if (snapshots) EmbeddingSnapshots::gather(folder, log.record().anchors.snapshot_step, *writer);
    if (writer) writer->finish();
}

}  // namespace casp::inspect
