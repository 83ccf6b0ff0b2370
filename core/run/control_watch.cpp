#include "run/control_watch.h"

#include <chrono>
#include <utility>

#include "store/run_control.h"

namespace casp::run {

ControlWatch::ControlWatch(std::filesystem::path run_folder, train::StopControl& stop)
    : folder_(std::move(run_folder)), stop_(stop) {
    store::remove_control(folder_);  // meant for an earlier process
    thread_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

ControlWatch::~ControlWatch() {
    thread_.request_stop();
    thread_.join();
    store::remove_control(folder_);
}

void ControlWatch::watch(const std::stop_token& ended) {
    constexpr std::chrono::milliseconds interval{500};
    store::RunControl known;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, ended, interval, [&] { return ended.stop_requested(); })) {
        const auto now = store::read_control(folder_);
        if (now == known) continue;
        // Only a change counts: the window that trains the run may have paused it, too.
        if (now.pause != known.pause) stop_.pause(now.pause);
        if (now.finish_early) stop_.ask(train::StopRequest::finish_early);
        if (now.cancel) stop_.ask(train::StopRequest::cancel);
        known = now;
    }
    // The next run of a batch is not paused.
    if (known.pause) stop_.pause(false);
}

}  // namespace casp::run
