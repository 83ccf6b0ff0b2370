#include "batch/sharing.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "util/device_use.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/out_of_memory.h"
#include "util/threads.h"
#include "util/units.h"

namespace casp::batch {

namespace {

constexpr std::int64_t most_on_gpu = 16;  ///< with "auto"

/// A message about the choice.
std::string of_auto(const std::string& text) { return "run.together = \"auto\": " + text; }

bool on_cpu(const config::Config& config) { return is_on_cpu(config.run.device); }

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Runs whose threads the processors have room for; 1 where each uses all.
std::int64_t runs_of_processors(const config::Config& config) {
    if (config.run.threads == 0) return 1;
    return std::max<std::int64_t>(1, usable_processors() / config.run.threads);
}

std::int64_t most_at_once(const config::Config& config, std::int64_t left) {
    const auto together = config.run.together;
    if (!together.is_auto()) return together.count;
    return std::clamp<std::int64_t>(on_cpu(config) ? runs_of_processors(config) : most_on_gpu, 1,
                                    std::max<std::int64_t>(left, 1));
}

/// How many compute at the same time: on the CPU, those whose threads it has; on a GPU, all.
std::int64_t computing(const config::Config& config, std::int64_t most) {
    return on_cpu(config) ? std::min(runs_of_processors(config), most) : most;
}

std::string announcement(const config::Config& config, std::int64_t most) {
    if (config.run.together.is_auto() && !on_cpu(config))
        return of_auto("begins with one run; others are added while memory allows and it is measured to pay");
    const auto at_once = computing(config, most);
    const auto number = "up to " + std::to_string(most) + (most == 1 ? " run shares" : " runs share") +
                        " this process; " + std::to_string(at_once) +
                        (at_once == 1 ? " computes" : " compute") + " at a time";
    if (!config.run.together.is_auto()) return number;
    return of_auto(number + " (" + std::to_string(usable_processors()) +
                   " processors, run.threads = " + std::to_string(config.run.threads) + ")");
}

}  // namespace

void check_together(const config::Config& base, const std::vector<config::RunPlan>& sweep) {
    const auto is_alone = [](const auto& plan) { return plan.config.run.together.count == 1; };
    if (base.run.together.count == 1 && std::all_of(sweep.begin(), sweep.end(), is_alone)) return;
    for (const auto& plan : sweep) {
        const auto& run = plan.config.run;
        if (run.together != base.run.together || run.threads != base.run.threads)
            throw input_error("run.together",
                              "the runs of this batch have different settings of run.together or run.threads",
                              "the same for runs that share a process",
                              "Take run.together and run.threads out of [sweep].");
        if (run.together.is_auto() && run.device != base.run.device)
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
    if (base.run.together.count == 1) return "";
    if (!base.run.devices.empty()) return std::nullopt;  // each of its workers decides
    if (!base.run.together.is_auto() || !on_cpu(base) || runs_of_processors(base) > 1) return std::nullopt;
    const auto processors = usable_processors();
    if (base.run.threads == 0)
        return of_auto("one run at a time, which uses all processors (run.threads = 0)");
    return of_auto("one run at a time, which uses " + std::to_string(base.run.threads) + " of " +
                   std::to_string(processors) + (processors == 1 ? " processor" : " processors"));
}

/// Passes on a run's events, measures it and its memory.
class Sharing::Watched : public ConsoleOfRun {
public:
    Watched(Sharing& sharing, RunsAtOnce::Run run, const std::string& name)
        : ConsoleOfRun(sharing.console_, name), sharing_(sharing), run_(run) {}
    ~Watched() override {
        const std::scoped_lock lock(sharing_.mutex_);
        sharing_.takes_.erase(run_);
        if (sharing_.rule_) sharing_.rule_->ended(run_, seconds_now());
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    void on_started(const train::RunStarted& started) override {
        ConsoleOfRun::on_started(started);
        step_ = started.first_step;
        std::string kind = started.data + ' ' + started.precision;
        for (const auto part : {started.parameters_total, started.parameters_trainable, started.channels,
                                started.steps_per_epoch})
            kind += ' ' + std::to_string(part);
        device_ = started.device;
        const std::scoped_lock lock(sharing_.mutex_);
        if (sharing_.rule_) sharing_.rule_->begun(run_, kind, device_, seconds_now());
    }
    void on_step(const train::StepReport& step) override {
        ConsoleOfRun::on_step(step);
        const auto steps = step.step - std::exchange(step_, step.step);
        const auto decision = [&] {
            const std::scoped_lock lock(sharing_.mutex_);
            if (!sharing_.rule_) return std::string();
            return sharing_.rule_->stepped(run_, steps, step.step_seconds * static_cast<double>(steps),
                                           seconds_now());
        }();
        if (!decision.empty()) sharing_.say(decision);
    }
    void on_epoch(const train::EpochReport& epoch) override {
        ConsoleOfRun::on_epoch(epoch);
        const auto used = room_on(device_).used;
        const std::scoped_lock lock(sharing_.mutex_);
        if (const auto takes = sharing_.takes_.find(run_); takes != sharing_.takes_.end() && used > 0)
            takes->second = used / static_cast<std::int64_t>(sharing_.takes_.size());
        if (sharing_.rule_) sharing_.rule_->epoch_ended(run_, seconds_now());
    }

private:
    Sharing& sharing_;
    RunsAtOnce::Run run_;
    std::int64_t step_ = 0;
    std::string device_;
};

Sharing::Sharing(const config::Config& base, std::int64_t left, Console& console)
    : console_(console),
      is_auto_(base.run.together.is_auto()),
      most_(most_at_once(base, left)),
      turns_(static_cast<int>(computing(base, most_))) {
    if (is_auto_ && !on_cpu(base)) rule_.emplace(most_, room_on);
    if (most_ == 1) return;
    say(announcement(base, most_));
    share_freed_memory();
}

void Sharing::say(const std::string& text) {
    console_.report_as({}, [&] { console_.on_message(train::MessageLevel::info, text); });
}

std::int64_t Sharing::wanted() const {
    const std::scoped_lock lock(mutex_);
    return rule_ ? rule_->wanted() : most_;
}

void Sharing::decide_after_lack_of_memory() {
    std::unique_lock lock(mutex_);
    if (!rule_) return;
    const auto decision = rule_->ran_out_of_memory();
    lock.unlock();
    if (!decision.empty()) say(decision);
}

/// The number of runs is measured with runs that may be smaller than this one.
void Sharing::wait_for_room(RunsAtOnce::Run run, const std::string& name, std::int64_t bytes,
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
    } catch (const std::exception& problem) {
        if (plain_message(problem).find("out of memory") != std::string::npos) decide_after_lack_of_memory();
        throw;
    }
}

}  // namespace casp::batch
