#pragma once
// A background job: work on other threads whose results, progress and failures arrive on the GUI thread.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <QElapsedTimer>

#include "state/background.h"
#include "util/progress.h"

namespace casp::widgets {

/// Argument of a job's work, valid until the work returns. Used by one thread at a time.
struct JobContext {
    /// Requested by cancel(), request_stop(), a new start() and the destruction of the job.
    std::stop_token stop;
    /// Reports progress. Reports are rate-limited (JobBase::progress_interval), except for the first of a
    /// stage and for a complete one.
    ProgressFn progress;
    /// Runs a function on the GUI thread, in order with the progress and the result; never once the request
    /// is cancelled or superseded. For partial results.
    std::function<void(std::function<void()>)> post;
};

/// The part of Job<T> that does not depend on the result. GUI thread.
class JobBase {
public:
    /// Identifies one request; 0: none.
    using Id = std::uint64_t;
    static constexpr std::chrono::milliseconds progress_interval{50};

    JobBase(const JobBase&) = delete;
    JobBase& operator=(const JobBase&) = delete;

    [[nodiscard]] bool is_running() const { return !requests_.empty(); }
    /// Stops all requests, or one, and drops their results: no handler is called any more.
    void cancel();
    void cancel(Id id);
    /// Asks all requests to stop. They end with the `cancelled` handler, or with `done` if they were complete
    /// before the request took effect.
    void request_stop();

    /// Last report of the running request; empty before the first.
    [[nodiscard]] const Progress& progress() const { return progress_; }
    /// Completed fraction of the stage, 0 … 1; negative: unknown.
    [[nodiscard]] double fraction() const;
    /// Estimated time left in the stage; negative: unknown.
    [[nodiscard]] double seconds_left() const;
    /// Milliseconds since the job started running.
    [[nodiscard]] qint64 elapsed() const { return is_running() ? since_start_.elapsed() : 0; }

    /// If on, work runs in the calling thread: start() returns after the last handler. For tests, for batch
    /// figures, which have no event loop, and for work too short for a thread. Handlers must not destroy a
    /// synchronous job, except for the last one of a request. A stop request on `stop` also stops such work.
    void set_synchronous(bool on, std::stop_token stop = {}) {
        synchronous_ = on;
        stop_ = std::move(stop);
    }

protected:
    using Run = std::function<void(const JobContext&)>;
    struct Events {
        std::function<void()> done, cancelled;
        std::function<void(const std::exception&)> failed;
        std::function<void(const Progress&)> progress;
    };
    explicit JobBase(int threads) : threads_(threads) {}
    explicit JobBase(WorkPool& pool) : pool_(&pool) {}
    ~JobBase() { cancel(); }
    Id begin(Run run, Events events);

private:
    using Post = std::function<void(std::function<void()>)>;
    struct Request {
        std::stop_source stop;
        std::shared_ptr<const Events> events;  ///< shared: a handler may cancel its request
    };
    static void perform(JobBase* job, Id id, Run run, const std::stop_token& stop, const Post& post);
    void forget_progress();
    void report(Id id, const Progress& progress);
    void end(Id id, bool was_cancelled, const std::exception_ptr& failure);

    std::map<Id, Request> requests_;
    Id last_id_ = 0;
    Progress progress_;
    QElapsedTimer since_start_, since_stage_;
    bool synchronous_ = false;
    std::stop_token stop_;  ///< of the caller of synchronous work
    int threads_ = 0;
    WorkPool* pool_ = nullptr;
    Inbox inbox_;
    std::unique_ptr<WorkPool> own_pool_;  ///< the last member: its work posts to the inbox
};

/// Work of one kind with a result of type T. GUI thread, except for the work itself.
///
/// start() replaces all waiting and running requests; their results are dropped. add() runs a request
/// concurrently with them.
///
/// Make a job the last member of its owner. With its own threads the destructor requests the stop and waits,
/// so the work may use the members declared before it. On a shared pool it does not wait: the work must own
/// its data.
template <class T>
class Job : public JobBase {
public:
    /// Throws Cancelled after a requested stop; any other exception is a failure.
    using Work = std::function<T(const JobContext&)>;

    /// Called on the GUI thread, each optional; after `done`, `failed` or `cancelled` none follows.
    struct Handlers {
        std::function<void(T)> done = {};
        /// Without it the exception is thrown on the GUI thread, to the application's handler.
        std::function<void(const std::exception&)> failed = {};
        /// The work threw Cancelled, after request_stop(). Not called after cancel().
        std::function<void()> cancelled = {};
        std::function<void(const Progress&)> progress = {};
    };

    /// With a separate pool of `threads` threads, created by the first request.
    explicit Job(int threads = 1) : JobBase(threads) {}
    /// On a shared pool, which must outlive the job.
    explicit Job(WorkPool& pool) : JobBase(pool) {}

    Id start(Work work, Handlers handlers) {
        cancel();
        return add(std::move(work), std::move(handlers));
    }

    Id add(Work work, Handlers handlers) {
        const auto result = std::make_shared<std::optional<T>>();
        Events events;
        if (handlers.done)
            events.done = [result, done = std::move(handlers.done)] { done(std::move(**result)); };
        events.cancelled = std::move(handlers.cancelled);
        events.failed = std::move(handlers.failed);
        events.progress = std::move(handlers.progress);
        return begin(
            [result, work = std::move(work)](const JobContext& context) { result->emplace(work(context)); },
            std::move(events));
    }
};

}  // namespace casp::widgets
