#pragma once
// Worker threads, and the way back to the GUI thread. The basis of Job<T> (job.h), which most callers want.
//
// Threads synchronise through std::mutex and plain std:: types only, because ThreadSanitizer does not see
// Qt's own locks.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include <QObject>

namespace casp::widgets {

/// A FIFO queue with a few threads, of lower priority than the window but higher than training.
class WorkPool {
public:
    explicit WorkPool(int threads);
    /// Drops waiting work, requests the stop of running work, and waits for it.
    ~WorkPool();
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;

    /// Any thread. `work` must not throw.
    void start(std::function<void()> work);
    /// Waits until the queue is empty and all threads are idle.
    void finish();
    /// Requested by the destructor.
    [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }

private:
    void loop();
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable work_available_, idle_;
    int busy_ = 0;
    std::deque<std::function<void()>> waiting_;
    std::vector<std::thread> threads_;
};

/// Runs functions posted by any thread on the GUI thread, in order and for a few milliseconds at a time. A
/// member of the receiver: later functions are dropped.
class Inbox : public QObject {
public:
    Inbox();
    ~Inbox() override;

    /// The handle for other threads; it may outlive the inbox.
    class Link {
    public:
        /// Any thread. `call` runs on the inbox's thread, or never if the inbox is destroyed before.
        void post(std::function<void()> call);

    private:
        friend class Inbox;
        std::mutex mutex_;
        Inbox* inbox_ = nullptr;
        std::vector<std::function<void()>> calls_;
    };
    [[nodiscard]] const std::shared_ptr<Link>& link() const { return link_; }

protected:
    bool event(QEvent* event) override;

private:
    std::shared_ptr<Link> link_;
};

}  // namespace casp::widgets
