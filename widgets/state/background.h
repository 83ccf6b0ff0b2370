#pragma once
// Work beside the GUI thread, and how its results come back.
//
// Everything that crosses threads here goes through std::mutex and plain std:: types, so that
// ThreadSanitizer, which cannot see into Qt's own locks, can follow it.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

#include <QObject>

namespace casp::widgets {

/// A few threads that give way to the window (but not to training) and take work in the order in which it
/// came.
class WorkPool {
public:
    explicit WorkPool(int threads);
    /// Drops what waits, asks what goes on to stop, and waits for it.
    ~WorkPool();
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;

    /// Any thread. `work` must not throw.
    void start(std::function<void()> work);
    /// Waits until all work is done that was given so far.
    void finish();
    /// Requested when the pool goes: for work that takes long.
    [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }

private:
    void loop();
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable there_is_work_, idle_;
    int busy_ = 0;
    std::deque<std::function<void()>> waiting_;
    std::vector<std::thread> threads_;
};

/// Functions from any thread to the GUI thread, in their order and a few milliseconds' worth at a time. A
/// member of what receives them: what arrives after its end is dropped.
class Inbox : public QObject {
public:
    Inbox();
    ~Inbox() override;

    /// The handle that other threads post to; it may outlive the inbox.
    class Link {
    public:
        /// Any thread. `call` runs on the inbox's thread, or never where the inbox is gone.
        void post(std::function<void()> call);

    private:
        friend class Inbox;
        std::mutex mutex_;
        Inbox* inbox_ = nullptr;
        std::vector<std::function<void()>> calls_;
    };
    [[nodiscard]] const std::shared_ptr<Link>& link() const { return link_; }

    /// Runs `work` on the pool and hands its result to `done` on the inbox's thread.
    template <class Work, class Done>
    void run(WorkPool& pool, Work work, Done done) {
        pool.start([link = link_, work = std::move(work), done = std::move(done)]() mutable {
            auto result = std::make_shared<std::invoke_result_t<Work>>(work());
            link->post([result, done = std::move(done)]() mutable { done(std::move(*result)); });
        });
    }

protected:
    bool event(QEvent* event) override;

private:
    std::shared_ptr<Link> link_;
};

}  // namespace casp::widgets
