#pragma once
// Requests of other processes to a running run.

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "train/stop.h"

namespace casp::run {

/// Passes requests in the run's control.json (store/run_control.h) to its StopControl, within half a second,
/// from construction to destruction; removes the file at both. The caller holds the run's lock.
class ControlWatch {
public:
    ControlWatch(std::filesystem::path run_folder, train::StopControl& stop);
    ~ControlWatch();

private:
    void watch(const std::stop_token& ended);

    const std::filesystem::path folder_;
    train::StopControl& stop_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  ///< the last member: it uses the others
};

}  // namespace casp::run
