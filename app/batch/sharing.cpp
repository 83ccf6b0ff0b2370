#include "batch/sharing.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "util/device_use.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/out_of_memory.h"
#include "util/threads.h"
#include "util/units.h"

namespace casp::batch {

namespace {

constexpr std::int64_t max_on_gpu = 8;  ///< with "auto", as far as memory allows

/// A message about the choice.
std::string of_auto(const std::string& text) { return "run.together = \"auto\": " + text; }

bool on_cpu(const config::Config& config) { return is_on_cpu(config.run.device); }

/// Runs whose threads the processors have room for; 1 where each uses all.
std::int64_t runs_of_processors(const config::Config& config) {
    if (config.run.threads == 0) return 1;
    return std::max<std::int64_t>(1, usable_processors() / config.run.threads);
}

std::int64_t max_at_once(const config::Config& config, std::int64_t left) {
    const auto together = config.run.together;
    if (together > 0) return together;
    return std::clamp<std::int64_t>(on_cpu(config) ? runs_of_processors(config) : max_on_gpu, 1,
                                    std::max<std::int64_t>(left, 1));
}

/// How many compute at the same time: on the CPU, those whose threads it has; on a GPU, all.
std::int64_t computing(const config::Config& config, std::int64_t most) {
    return on_cpu(config) ? std::min(runs_of_processors(config), most) : most;
}

std::string announcement(const config::Config& config, std::int64_t most) {
    if (config.run.together == 0 && !on_cpu(config))
        return of_auto("up to " + std::to_string(most) + " runs share the GPU, as far as its memory allows");
    const auto at_once = computing(config, most);
    const auto number = "up to " + std::to_string(most) + (most == 1 ? " run shares" : " runs share") +
                        " this process; " + std::to_string(at_once) +
                        (at_once == 1 ? " computes" : " compute") + " at a time";
    if (config.run.together > 0) return number;
    return of_auto(number + " (" + std::to_string(usable_processors()) +
                   " processors, run.threads = " + std::to_string(config.run.threads) + ")");
}

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

void check_together(const config::Config& base, const std::vector<config::RunPlan>& sweep) {
    const auto is_alone = [](const auto& plan) { return plan.config.run.together == 1; };
    if (base.run.together == 1 && std::all_of(sweep.begin(), sweep.end(), is_alone)) return;
    for (const auto& plan : sweep) {
        const auto& run = plan.config.run;
        if (run.together != base.run.together || run.threads != base.run.threads)
            throw input_error("run.together",
                              "the runs of this batch have different settings of run.together or run.threads",
                              "the same for runs that share a process",
                              "Take run.together and run.threads out of [sweep].");
        if (run.together == 0 && run.device != base.run.device)
            throw input_error("run.together", "the runs of this batch have different settings of run.device",
                              "one device for \"auto\"",
                              "Take run.device out of [sweep], or set run.together to a number.");
        if (run.processes > 1)
            throw input_error(
                "run.together",
                "run.processes trains each run in several processes, run.together several runs in one",
                "one of the two settings", "Leave one of them out.");
    }
}

std::optional<std::string> why_alone(const config::Config& base) {
    if (base.run.together == 1) return "";
    if (!base.run.devices.empty()) return std::nullopt;  // each of its workers decides
    if (base.run.together > 0 || !on_cpu(base) || runs_of_processors(base) > 1) return std::nullopt;
    const auto processors = usable_processors();
    if (base.run.threads == 0)
        return of_auto("one run at a time, which uses all processors (run.threads = 0)");
    return of_auto("one run at a time, which uses " + std::to_string(base.run.threads) + " of " +
                   std::to_string(processors) + (processors == 1 ? " processor" : " processors"));
}

/// Passes on a run's events, and measures its memory.
class Sharing::Watched : public ConsoleOfRun {
public:
    Watched(Sharing& sharing, std::int64_t run, const std::string& name)
        : ConsoleOfRun(sharing.console_, name), sharing_(sharing), run_(run) {}
    ~Watched() override {
        const std::scoped_lock lock(sharing_.mutex_);
        sharing_.takes_.erase(run_);
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    void on_started(const train::RunStarted& started) override {
        ConsoleOfRun::on_started(started);
        device_ = started.device;
    }
    void on_epoch(const train::EpochReport& epoch) override {
        ConsoleOfRun::on_epoch(epoch);
        const auto used = room_on(device_).used;
        const std::scoped_lock lock(sharing_.mutex_);
        if (const auto takes = sharing_.takes_.find(run_); takes != sharing_.takes_.end() && used > 0)
            takes->second = used / static_cast<std::int64_t>(sharing_.takes_.size());
    }

private:
    Sharing& sharing_;
    std::int64_t run_;
    std::string device_;
};

Sharing::Sharing(const config::Config& base, std::int64_t left, Console& console)
    : console_(console),
      is_auto_(base.run.together == 0),
      turns_(static_cast<int>(computing(base, max_at_once(base, left)))),
      wanted_(max_at_once(base, left)) {
    if (wanted_ == 1) return;
    say(announcement(base, wanted_));
    share_freed_memory();
}

void Sharing::say(const std::string& text) {
    console_.report_as({}, [&] { console_.on_message(train::MessageLevel::info, text); });
}

std::int64_t Sharing::wanted() const {
    const std::scoped_lock lock(mutex_);
    return wanted_;
}

void Sharing::take_one_back() {
    std::unique_lock lock(mutex_);
    if (wanted_ == 1) return;
    const auto left = --wanted_;
    lock.unlock();
    say("memory ran out: " + std::to_string(left) + " at a time from now on");
}

/// Runs of a sweep may differ in size.
void Sharing::wait_for_room(std::int64_t run, const std::string& name, std::int64_t bytes,
                            const std::string& device, train::StopControl& own) {
    std::unique_lock lock(mutex_);
    for (bool told = false; !takes_.empty(); told = true) {
        std::int64_t others = 0;
        for (const auto& [other, bytes_of_other] : takes_) others += bytes_of_other;
        // Between two steps of a run its memory is unused, but not free.
        const auto room = room_on(device);
        const auto all = room.free + room.used;
        if (all == 0 || all >= others + bytes) break;  // 0: unknown
        if (!told)
            say(name + " waits until another run ends: a step needs about " + bytes_text(bytes) + ", and " +
                bytes_text(std::max<std::int64_t>(0, all - others)) + " are free");
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        lock.lock();
        if (own.must_stop()) throw Cancelled();
        own.forget_finish_early();  // it concerned the runs that have begun
    }
    takes_[run] = bytes;
}

store::ResultRow Sharing::run(run::RunRequest request, train::StopControl& own,
                              const train::StopControl& all) {
    request.shared = &parts_;
    const Turn turn(turns_);
    if (all.must_stop()) throw Cancelled();
    own.forget();  // what was asked of the lane's previous run
    if (!is_auto_) {
        ConsoleOfRun console(console_, request.name);
        return run::run(request, console, own);
    }
    const auto number = [&] {
        const std::scoped_lock lock(mutex_);
        return next_++;
    }();
    request.room = [&](std::int64_t bytes, const std::string& device) {
        wait_for_room(number, request.name, bytes, device, own);
    };
    Watched console(*this, number, request.name);
    try {
        return run::run(request, console, own);
    } catch (const OutOfMemory&) {
        take_one_back();
        throw;
    }
}

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
