#pragma once
// Data and model of a run, opened from its settings.

#include <memory>

#include "data/prepared.h"
#include "data/windows.h"
#include "model/factory.h"
#include "model/forecaster.h"
#include "model/gpt2_weights.h"
#include "store/results.h"
#include "store/run_folder.h"
#include "store/run_record.h"
#include "train/checkpoint.h"
#include "train/estimate.h"
#include "train/observer.h"
#include "train/shared_parts.h"
#include "train/stop.h"

namespace casp::train {

/// A run's windows of each split, on the device.
struct SessionData {
    std::shared_ptr<const data::PreparedData> prepared;  ///< also keeps what other runs share
    std::unique_ptr<data::WindowSet> train, val, test;

    [[nodiscard]] const data::WindowSet& of(const std::string& split) const {
        return split == "train" ? *train : split == "val" ? *val : *test;
    }
};

/// Prepares the data set and puts it on `device`; an equal one that is there already is shared, whoever in
/// this process uses it. Throws Cancelled on a stop request, as open_model. Any thread.
[[nodiscard]] SessionData open_data(const config::Config& config, const at::Device& device,
                                    TrainObserver& observer, const StopControl& stop);

/// Applies `run.threads` to this process; 0: LibTorch's initial number, of which `sharers` processes on the
/// same processors get a part each, unless OMP_NUM_THREADS gives the number.
void use_threads(const config::Config& config, int sharers = 1);

/// Whether the model's products would have to be in bf16, which `device` would emulate (has_bf16), or in
/// TF32, which it does not have (has_tf32).
[[nodiscard]] bool lacks_precision(const config::Config& config, const at::Device& device);

/// The configuration with the precision that its products have on `device`: product_precision(), and for
/// "auto" bf16 where products in bf16 are faster (has_bf16), else fp32. Throws an input Error if it
/// lacks_precision().
[[nodiscard]] config::Config with_precision(config::Config config, const at::Device& device);

/// A model on its device, with its backbone loaded where it has one.
struct SessionModel {
    std::unique_ptr<model::Forecaster> model;
    model::BackboneKind backbone = model::BackboneKind::none;
    std::string frozen_digest;                  ///< SHA-256 of the frozen tensors
    std::string precision;                      ///< of its products: "fp32", "tf32", "bf16"
    std::shared_ptr<const void> shared_frozen;  ///< keeps frozen tensors for other runs
};

/// The device of windows and tensors: run.device; the processor where the model computes in a process of its
/// own, which has its device itself. Throws an input Error.
[[nodiscard]] at::Device device_of(const config::Config& config);

/// Properties of the data that the model needs.
[[nodiscard]] model::DataShape shape_of(const SessionData& data);

/// `config`: with_precision(). `observer` and `stop` are used during the life of a model with a process of
/// its own. With `shared`, its frozen tensors are those of another run where equal.
[[nodiscard]] SessionModel open_model(const config::Config& config, const model::DataShape& data,
                                      const at::Device& device, TrainObserver& observer,
                                      const StopControl& stop, SharedParts* shared = nullptr);

/// Attributes of run.h5 that are known before the first step.
[[nodiscard]] store::RunAttributes describe_run(const config::Config& config, const SessionData& data,
                                                const SessionModel& model, const at::Device& device);

/// Tensors of best.safetensors: trainable, c̃, and the frozen ones unless run.frozen_weights = "omit" and they
/// can be downloaded or regenerated.
[[nodiscard]] model::NamedTensors checkpoint_tensors(const config::Config& config, const SessionModel& model);

/// Whether a run's data were split as now, judged by the scaler in run.h5, which follows from the training
/// rows.
[[nodiscard]] bool same_split(const store::RunRecord& former, const SessionData& data);

/// Metadata of checkpoint files.
[[nodiscard]] std::map<std::string, std::string> checkpoint_metadata(const store::RunAttributes& attributes);

}  // namespace casp::train
