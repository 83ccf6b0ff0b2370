#pragma once
// Settings with which a run ends in a given time on this computer, with what each change gives up. Does not
// include LibTorch's headers.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "run/preview.h"

namespace casp::run {

/// Time that a run is fitted to, in seconds.
inline constexpr double fit_seconds = 600;

/// FLOP/s that a training step of these settings reaches on the device (Machine::flop_rate); narrow backbones
/// reach less.
using RateFunction = std::function<double(const config::Config&)>;

struct FitChange {
    std::string key;
    config::Value before, after;
    std::string gives_up;  ///< one clause without a full stop
};

/// A proposal; its changes never raise a size, and touch neither [data] nor what a run computes with.
struct Fit {
    std::vector<FitChange> changes;  ///< empty: the settings already end in time
    double seconds_before = 0;       ///< estimates, without early stopping
    double seconds = 0;
    /// False: even this smallest proposal takes longer, or does not fit into memory.
    bool in_time = true;
    bool fits = true;  ///< a training step of the proposal fits into memory
    /// Preview::memory_total, memory_others and shorter_in of the settings as they are.
    std::int64_t memory_total = 0, memory_others = 0;
    std::vector<std::pair<std::string, double>> shorter_in = {};
};

/// Proposes settings whose estimate is at most `seconds`: the settings closest to `config`, in this order:
/// fewer epochs or steps; three GPT-2 blocks; small untrained backbones and anchor pools. train.batch_size is
/// reduced if a step does not fit into memory. Asks `rate` for at most six settings. Pure otherwise; any
/// thread. `machine`: its rate is not used. Throws an input Error as preview() does.
[[nodiscard]] Fit fit_to_time(const config::Config& config, const DataFacts& data, const Machine& machine,
                              const RateFunction& rate, double seconds = fit_seconds);

}  // namespace casp::run
