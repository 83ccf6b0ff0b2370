#pragma once
// Durations of planned runs on this machine.

#include <map>
#include <stop_token>
#include <string>
#include <utility>

#include "config/config.h"
#include "data/preset_data.h"
#include "evidence/missing_time.h"

namespace casp::batch {

/// Estimates runs for the maximum number of epochs, from a short measurement of this machine
/// (run::measure_machine()); each data set is read once. One thread at a time.
class RunTimes {
public:
    /// With the problem instead, if the run cannot be estimated. Throws Cancelled.
    evidence::RunTime of(const config::Config& config, const std::stop_token& stop);

private:
    const data::FileFacts& known_facts(const config::Config& config, const std::stop_token& stop);
    std::map<std::pair<std::string, std::string>, data::FileFacts> files_;  ///< by path and data.frequency
};

}  // namespace casp::batch
