#pragma once
// What an experiment will cost, told while its form is being filled in. Free of LibTorch's headers.

#include <cstdint>
#include <string>

#include "config/config.h"
#include "data/catalog.h"
#include "data/split.h"

namespace casp::run {

/// What there is to know of the data set; rows = 0: nothing yet.
struct DataFacts {
    std::int64_t rows = 0;
    std::int64_t channels = 0;                  ///< those that data.columns selects
    const data::CatalogEntry* entry = nullptr;  ///< known data set with the file's digest, else null
};

/// What a machine can do for a run, measured.
struct Machine {
    std::string device;             ///< what run.device resolved to: "cpu", "cuda:0"
    std::string hardware;           ///< for people
    std::int64_t memory_total = 0;  ///< bytes; 0: not known
    std::int64_t memory_available = 0;
    double flop_rate = 0;  ///< FLOP/s that a step of the run's width and precision reaches
};

/// Looks at the device that `run.device` names and measures what rate a step of the configuration's width
/// reaches there in `run.precision` with `run.threads` threads: about 0.2 s, once per process, device and
/// shape of the backbone's blocks; on a GPU the first call takes seconds. Call it from a worker thread, and
/// while no run goes on (a busy machine measures slow). Throws an input Error where the device cannot be had.
[[nodiscard]] Machine measure_machine(const config::Config& config);

/// Sizes and times of a run.
struct Preview {
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t patches = 0;  ///< N_p; 0: the model has no patches
    std::int64_t tokens = 0;   ///< tokens per row that a transformer reads; 0: there is none

    // From here on zero as long as the data is not known.
    data::SplitPlan plan;            ///< rows and windows of train, val, test
    bool single_channel = false;     ///< what data.batching resolves to
    std::int64_t rows_per_step = 0;  ///< windows × channels of a full batch
    std::int64_t steps_per_epoch = 0;
    std::int64_t step_bytes = 0;          ///< peak memory of a training step
    std::int64_t memory_available = 0;    ///< of the device; 0: not known
    bool fits = true;                     ///< step_bytes within memory_available
    std::int64_t largest_batch_size = 0;  ///< train.batch_size that still fits, at most all windows; 0: none
    double step_flop = 0;

    // Zero also without a measured rate. What a run needs by arithmetic alone, so rather too short.
    double step_seconds = 0;
    double epoch_seconds = 0;    ///< training and validation
    double test_seconds = 0;     ///< the evaluation at the end
    double longest_seconds = 0;  ///< all epochs that are permitted; early stopping usually ends it before
};

/// Arithmetic alone: microseconds, any thread. `machine` may be empty. Throws an input Error where the split
/// leaves a part without windows (which key, how many rows it would take).
[[nodiscard]] Preview preview(const config::Config& config, const DataFacts& data,
                              const Machine& machine = {});

}  // namespace casp::run
