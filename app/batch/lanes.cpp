#include "batch/lanes.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace casp::batch {

namespace {

struct Lane {
    train::StopControl stop;
    std::future<void> end;  ///< the last member: waits for the thread, which uses the other

    [[nodiscard]] bool has_ended() const {
        return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
};

void pass_on_requests(train::StopControl& stop, const std::vector<std::unique_ptr<Lane>>& lanes) {
    const auto request = stop.request();
    if (request == train::StopRequest::none) return;
    stop.forget_finish_early();
    for (const auto& lane : lanes) lane->stop.ask(request);
}

}  // namespace

void work_in_lanes(std::int64_t number, train::StopControl& stop,
                   const std::function<bool()>& others_may_begin,
                   const std::function<void(train::StopControl& own)>& work) {
    std::vector<std::unique_ptr<Lane>> lanes;
    const auto begin_lane = [&] {
        auto lane = std::make_unique<Lane>();
        lane->end = std::async(std::launch::async, [&work, &own = lane->stop] { work(own); });
        lanes.push_back(std::move(lane));
    };
    std::exception_ptr problem;
    bool out_of_threads = false;
    begin_lane();
    while (true) {
        pass_on_requests(stop, lanes);
        const auto running = [](const auto& lane) { return lane->end.valid(); };
        for (const auto& lane : lanes) {
            if (!running(lane) || !lane->has_ended()) continue;
            try {
                lane->end.get();
            } catch (...) {
                if (!problem) problem = std::current_exception();
                stop.ask(train::StopRequest::interrupt);
            }
        }
        if (std::none_of(lanes.begin(), lanes.end(), running)) break;
        if (!out_of_threads && std::cmp_less(lanes.size(), number) && !stop.must_stop() &&
            others_may_begin()) {
            try {
                begin_lane();
                continue;
            } catch (const std::system_error&) {
                out_of_threads = true;  // those that run do the work
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (problem) std::rethrow_exception(problem);
}

}  // namespace casp::batch
