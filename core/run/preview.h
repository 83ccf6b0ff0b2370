#pragma once
// Size, memory and time estimates of a planned run, for the experiment form. Does not include LibTorch's
// headers.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "data/preset_data.h"
#include "data/split.h"
#include "train/machine_record.h"

namespace casp::run {

/// Measured properties of the computing device.
struct Machine {
    std::string device;                                ///< resolved run.device: "cpu", "cuda:0"
    std::string hardware;                              ///< for display
    std::int64_t memory_available = 0;                 ///< bytes; 0: unknown
    std::int64_t memory_total = 0, memory_others = 0;  ///< bytes of a GPU (DeviceMemory)
    /// Bytes of the process (GPU: of its allocator) without a run, the least since its start.
    std::int64_t memory_base = 0;
    double flop_rate = 0;        ///< FLOP/s of a training step at the run's width and precision
    std::string precision = {};  ///< resolved run.precision; empty: as configured
    /// FLOP/s of the same step in lower precisions that the device has, by run.precision; empty for a model
    /// without backbone, of which no step is measured.
    std::map<std::string, double> other_rates = {};
    train::Correction correction = {};  ///< from finished runs of the model
};

/// Bytes that the data takes per value: as read, scaled, and its text while it is read.
inline constexpr std::int64_t bytes_per_value = 24;

/// Measures the device of `run.device` with a step of the configuration's width in `run.precision` on
/// `run.threads` threads, and in the lower precisions that it has: about 0.2 s each, once per process, device
/// and backbone block shape; on a GPU the first call takes seconds. What was measured before counts as well
/// (train/machine_record.h). Any thread. Throws an input Error if the device is not available.
[[nodiscard]] Machine measure_machine(const config::Config& config);

/// Bytes of the data of a run on its device.
[[nodiscard]] std::int64_t data_bytes(const data::SplitPlan& plan, std::int64_t channels, bool on_gpu);
/// Finished runs with which a run is compared: of its model on this device.
[[nodiscard]] std::string comparable_runs(const config::Config& config, const std::string& hardware);
/// Factors for runs of this kind.
[[nodiscard]] train::Correction correction_of(const config::Config& config, const std::string& hardware);

/// Sizes and durations of a run.
struct Preview {
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t patches = 0;  ///< N_p; 0: the model has no patches
    std::int64_t tokens = 0;   ///< tokens per row that a transformer reads; 0: there is none

    // The following are zero while the data set is unknown.
    data::SplitPlan plan;            ///< rows and windows of training, validation and test
    bool single_channel = false;     ///< data.batching, with "auto" resolved
    std::int64_t rows_per_step = 0;  ///< windows × channels of a full batch
    std::int64_t steps_per_epoch = 0;
    std::int64_t step_bytes = 0;        ///< that a training step adds, at most
    std::int64_t peak_bytes = 0;        ///< of the process (GPU: of its allocator) during the run
    std::int64_t memory_available = 0;  ///< of the device; 0: unknown
    std::int64_t memory_total = 0;      ///< of a GPU
    std::int64_t memory_others = 0;     ///< used by other programs; 0: it does not matter (notable_others())
    bool fits = true;                   ///< step_bytes within memory_available
    std::int64_t largest_batch_size =
        0;  ///< largest train.batch_size that fits, at most all windows; 0: none
    double step_flop = 0;

    // Also zero without a measured rate. Arithmetic, with the machine's correction.
    double step_seconds = 0;
    double epoch_seconds = 0;        ///< training and validation
    double test_seconds = 0;         ///< evaluation at the end
    double longest_seconds = 0;      ///< for the maximum number of epochs
    bool may_end_early = false;      ///< by early stopping
    std::int64_t compared_runs = 0;  ///< finished runs that the correction rests on
    /// The same in another precision in which it is at least a tenth shorter, the shortest first.
    std::vector<std::pair<std::string, double>> shorter_in;
};

/// Computes the estimates in microseconds, without accessing data; thread-safe. `data`: of the file, without
/// rows where it is not known yet. `machine` may be empty. Throws an input Error if a part of the split has
/// no window (key, and rows needed), and for a split by dates of a file that has not been read.
[[nodiscard]] Preview preview(const config::Config& config, const data::FileFacts& data,
                              const Machine& machine = {});

}  // namespace casp::run
