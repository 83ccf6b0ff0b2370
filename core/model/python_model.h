#pragma once
// A model that the user wrote in Python, in a process of its own (docs/python-worker.md).

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/python_source.h"
#include "model/factory.h"
#include "model/forecaster.h"
#include "model/python_worker.h"
#include "util/error.h"

namespace casp::model {

/// The model of `python.file`. Its forecasts see look-backs, and time features of look-back and horizon:
/// never targets. Data are on the CPU; where it computes (`run.device`) is decided in its process.
class PythonModel : public Forecaster, public OwnProcess {
public:
    PythonModel(const config::Config& config, DataShape data);

    // Forecaster. It has no tensors here.
    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    void begin_evaluation() override { forecasts_ = 0; }
    [[nodiscard]] NamedTensors trainable() const override { return {}; }
    void to(const at::Device& /*device*/) override {}
    /// Asks for it once, by a look at zeros: call after the fit, if there is one.
    [[nodiscard]] std::int64_t embedding_width() const override;
    [[nodiscard]] Forecast look(const ModelInput& input) override;
    [[nodiscard]] OwnProcess* own_process() override { return this; }

    // OwnProcess.
    void start(Hosting hosting) override;
    [[nodiscard]] bool has_ended() const override { return worker_ != nullptr && worker_->ended(); }
    [[nodiscard]] Training training() const override { return training_; }
    Losses step(const data::WindowSet& windows, const at::Tensor& items, double learning_rate, double beta1,
                std::uint64_t seed) override;
    void fit(const data::WindowSet& windows, std::uint64_t seed) override;
    std::string write_weights(const std::filesystem::path& file,
                              const std::map<std::string, std::string>& metadata) override;
    void read_weights(const std::filesystem::path& file) override;
    std::string write_optimizer(const std::filesystem::path& file) override;
    void read_optimizer(const std::filesystem::path& file) override;
    [[nodiscard]] const Info& info() const override { return info_; }
    [[nodiscard]] std::int64_t peak_memory() const override;
    void describe_in(const std::filesystem::path& folder) const override;

private:
    /// Copies arrays to the shared memory one behind the other, into the request under their names.
    void share(nlohmann::json& request, const std::vector<std::pair<const char*, at::Tensor>>& arrays);
    /// What the model gives for look-backs, of this shape.
    [[nodiscard]] at::Tensor answer(const char* request, const ModelInput& input,
                                    std::vector<std::int64_t> shape);
    [[nodiscard]] std::optional<Trace> trace_of(const ModelInput& input);
    /// Hands over the rows of a set of consecutive windows, once, so that a step names its windows only.
    void share_rows(const data::WindowSet& windows);
    /// Notes how many windows of a batch [B, H, M] have all their future values: an object gets no others.
    void count_whole(const at::Tensor& mask);
    [[nodiscard]] Error no_whole_window(const char* function) const;
    [[nodiscard]] std::size_t share_file(const std::filesystem::path& file, std::size_t at);

    config::Config config_;
    DataShape data_;
    std::shared_ptr<Hosting> hosting_ = std::make_shared<Hosting>();
    std::unique_ptr<PythonWorker> worker_;
    Training training_ = Training::none;
    bool reads_marks_ = false;
    bool is_module_ = false;                          ///< of PyTorch; else an object
    bool partial_seen_ = false, whole_seen_ = false;  ///< windows in the batches of an object
    const data::WindowSet* shared_rows_ = nullptr;    ///< of which the process has the rows
    Info info_;
    mutable std::optional<std::int64_t> width_;  ///< d, once asked for
    bool embedding_fails_ = false;
    config::PythonSource source_;
    std::uint64_t forecasts_ = 0;  ///< batches since begin_evaluation(), for their seeds
};

}  // namespace casp::model
