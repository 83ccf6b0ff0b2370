#include "state/job.h"

#include <string>

#include "util/error.h"

namespace casp::widgets {

void JobBase::cancel() {
    auto dropped = std::move(requests_);
    requests_.clear();
    forget_progress();
    for (auto& [id, request] : dropped) request.stop.request_stop();
}

void JobBase::cancel(Id id) {
    auto dropped = requests_.extract(id);
    if (dropped.empty()) return;
    forget_progress();
    dropped.mapped().stop.request_stop();
}

void JobBase::request_stop() {
    for (auto& [id, request] : requests_) request.stop.request_stop();
}

double JobBase::fraction() const {
    return progress_.total > 0 ? static_cast<double>(progress_.done) / static_cast<double>(progress_.total)
                               : -1;
}

double JobBase::seconds_left() const {
    // Less is too little to extrapolate from.
    constexpr double min_fraction = 0.02, min_seconds = 1;
    const auto done = fraction();
    if (!is_running() || done < min_fraction) return -1;
    const double seconds = static_cast<double>(since_stage_.elapsed()) / 1000;
    return seconds < min_seconds ? -1 : seconds * (1 - done) / done;
}

JobBase::Id JobBase::begin(Run run, Events events) {
    if (requests_.empty()) since_start_.start();
    const auto id = ++last_id_;
    std::stop_source source;
    const auto stop = source.get_token();
    requests_.emplace(id, Request{source, std::make_shared<const Events>(std::move(events))});
    if (synchronous_) {
        const std::stop_callback of_caller(stop_, [&source] { source.request_stop(); });
        perform(this, id, std::move(run), stop, [](const std::function<void()>& call) { call(); });
        return id;
    }
    if (pool_ == nullptr) {
        own_pool_ = std::make_unique<WorkPool>(threads_);
        pool_ = own_pool_.get();
    }
    pool_->start([this, id, run = std::move(run), stop, link = inbox_.link()]() mutable {
        perform(this, id, std::move(run), stop,
                [link](std::function<void()> call) { link->post(std::move(call)); });
    });
    return id;
}

/// The worker's thread. `job` may be gone there: only what is posted uses it.
void JobBase::perform(JobBase* job, Id id, Run run, const std::stop_token& stop, const Post& post) {
    using Clock = std::chrono::steady_clock;
    bool was_cancelled = false;
    std::exception_ptr failure;
    try {
        if (stop.stop_requested()) throw Cancelled();
        std::optional<StageOf> stage;
        Clock::time_point reported;
        const JobContext context{
            stop,
            [&](const Progress& progress) {
                const auto now = Clock::now();
                const bool complete = progress.total > 0 && progress.done >= progress.total;
                if (stage == progress.stage && !complete && now - reported < progress_interval) return;
                stage = progress.stage;
                reported = now;
                post([job, id, progress] { job->report(id, progress); });
            },
            [&](std::function<void()> call) {
                post([job, id, call = std::move(call)] {
                    if (job->requests_.contains(id)) call();
                });
            }};
        run(context);
    } catch (const Cancelled&) {
        was_cancelled = true;
    } catch (...) {
        failure = std::current_exception();
    }
    // The GUI thread must be the last owner of the captured data and of the exception.
    run = nullptr;
    post([job, id, was_cancelled, failure = std::move(failure)] { job->end(id, was_cancelled, failure); });
}

void JobBase::forget_progress() {
    progress_ = {};
    since_stage_.invalidate();
}

void JobBase::report(Id id, const Progress& progress) {
    const auto found = requests_.find(id);
    if (found == requests_.end()) return;
    if (progress.stage != progress_.stage || !since_stage_.isValid()) since_stage_.start();
    progress_ = progress;
    if (const auto events = found->second.events; events->progress) events->progress(progress);
}

void JobBase::end(Id id, bool was_cancelled, const std::exception_ptr& failure) {
    const auto ended = requests_.extract(id);
    if (ended.empty()) return;
    const auto& events = *ended.mapped().events;
    forget_progress();
    // A handler may be the end of the job: nothing below uses it.
    if (was_cancelled) {
        if (events.cancelled) events.cancelled();
    } else if (failure == nullptr) {
        if (events.done) events.done();
    } else if (!events.failed) {
        std::rethrow_exception(failure);
    } else {
        try {
            std::rethrow_exception(failure);
        } catch (const std::exception& problem) {
            events.failed(problem);
        }
    }
}

}  // namespace casp::widgets
