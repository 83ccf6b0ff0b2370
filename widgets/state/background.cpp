#include "state/background.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <iterator>

#include <QCoreApplication>
#include <QEvent>

namespace casp::widgets {

namespace {
constexpr int reading_nice = 5;  ///< training has 10 (util/threads.h)
constexpr std::chrono::milliseconds longest_turn{6};

void give_way() {
    // Per thread on Linux. Without permission the window is only less smooth.
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), reading_nice);
}
}  // namespace

WorkPool::WorkPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

WorkPool::~WorkPool() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.clear();
        stop_.request_stop();
    }
    work_available_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void WorkPool::start(std::function<void()> work) {
    {
        const std::lock_guard lock(mutex_);
        if (stop_.stop_requested()) return;
        waiting_.push_back(std::move(work));
    }
    work_available_.notify_one();
}

void WorkPool::finish() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return waiting_.empty() && busy_ == 0; });
}

void WorkPool::loop() {
    give_way();
    while (true) {
        std::function<void()> work;
        {
            std::unique_lock lock(mutex_);
            work_available_.wait(lock, [this] { return stop_.stop_requested() || !waiting_.empty(); });
            if (stop_.stop_requested()) return;
            work = std::move(waiting_.front());
            waiting_.pop_front();
            ++busy_;
        }
        work();
        work = nullptr;  // destroys its captures before finish() returns
        {
            const std::lock_guard lock(mutex_);
            --busy_;
        }
        idle_.notify_all();
    }
}

Inbox::Inbox() : link_(std::make_shared<Link>()) { link_->inbox_ = this; }

Inbox::~Inbox() {
    std::vector<std::function<void()>> dropped;
    const std::lock_guard lock(link_->mutex_);
    link_->inbox_ = nullptr;
    dropped.swap(link_->calls_);
}

void Inbox::Link::post(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    if (inbox_ == nullptr) return;
    calls_.push_back(std::move(call));
    // One event for all calls until it is handled.
    if (calls_.size() == 1) QCoreApplication::postEvent(inbox_, new QEvent(QEvent::User));
}

bool Inbox::event(QEvent* event) {
    if (event->type() != QEvent::User) return QObject::event(event);
    std::vector<std::function<void()>> calls;
    {
        const std::lock_guard lock(link_->mutex_);
        calls.swap(link_->calls_);
    }
    const auto link = link_;
    const auto end = std::chrono::steady_clock::now() + longest_turn;
    auto call = calls.begin();
    // Called with the lock held. Remaining calls precede new ones.
    const auto leave_the_rest_for_later = [&] {
        // A call may have destroyed the inbox.
        if (link->inbox_ == nullptr || call == calls.end()) return;
        if (link->calls_.empty()) QCoreApplication::postEvent(this, new QEvent(QEvent::User));
        link->calls_.insert(link->calls_.begin(), std::make_move_iterator(call),
                            std::make_move_iterator(calls.end()));
    };
    while (call != calls.end()) {
        try {
            (*call++)();
        } catch (...) {
            // The other calls still run: somebody may wait for them.
            const std::lock_guard lock(link->mutex_);
            leave_the_rest_for_later();
            throw;
        }
        const std::lock_guard lock(link->mutex_);
        if (link->inbox_ != nullptr && std::chrono::steady_clock::now() < end) continue;
        // Lets input events pass first.
        leave_the_rest_for_later();
        return true;
    }
    return true;
}

}  // namespace casp::widgets
