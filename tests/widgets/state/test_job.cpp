// Background jobs: coalescing, cancellation, progress, failures, and the synchronous mode; the order of an
// inbox, and what one that throws leaves.
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "state/background.h"
#include "state/job.h"
#include "test_program.h"
#include "util/error.h"

using casp::Cancelled;
using casp::Progress;
using casp::Stage;
using casp::widgets::Inbox;
using casp::widgets::Job;
using casp::widgets::JobContext;
using casp::widgets::WorkPool;

namespace {

/// Until the stop is requested.
int wait_for_stop(const JobContext& job) {
    while (!job.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Cancelled();
}

}  // namespace

class TestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void result_on_the_gui_thread() {
        Job<int> job;
        QVERIFY(!job.is_running());
        std::thread::id worked, arrived;
        int result = 0;
        job.start(
            [&](const JobContext&) {
                worked = std::this_thread::get_id();
                return 42;
            },
            {.done = [&](int value) {
                arrived = std::this_thread::get_id();
                QVERIFY(!job.is_running());
                result = value;
            }});
        QVERIFY(job.is_running());
        QTRY_COMPARE(result, 42);
        QVERIFY(arrived == std::this_thread::get_id());
        QVERIFY(worked != arrived);
        QVERIFY(!job.is_running());
    }

    void new_start_supersedes() {
        Job<int> job;
        std::binary_semaphore begun{0};
        std::vector<int> results;
        bool cancelled = false;
        job.start(
            [&](const JobContext& context) {
                begun.release();
                return wait_for_stop(context);
            },
            {.done = [&](int value) { results.push_back(value); }, .cancelled = [&] { cancelled = true; }});
        begun.acquire();
        job.start([](const JobContext&) { return 2; },
                  {.done = [&](int value) { results.push_back(value); }});
        QVERIFY(job.is_running());
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(results, std::vector<int>{2});
        QVERIFY2(!cancelled, "nobody waits for superseded work");
    }

    void waiting_requests_are_skipped() {
        Job<int> job;
        std::binary_semaphore begun{0}, go_on{0};
        std::atomic<int> worked = 0;
        std::vector<int> results;
        const auto done = [&](int value) { results.push_back(value); };
        job.start(
            [&](const JobContext&) {
                begun.release();
                go_on.acquire();
                return 0;
            },
            {.done = done});
        begun.acquire();
        for (int i = 1; i <= 5; ++i)
            job.start(
                [&worked, i](const JobContext&) {
                    ++worked;
                    return i;
                },
                {.done = done});
        go_on.release();
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(results, std::vector<int>{5});
        QCOMPARE(worked.load(), 1);
    }

    /// The result is on its way already when the next request comes.
    void result_of_superseded_work_is_dropped() {
        WorkPool pool(1);
        Job<int> job(pool);
        std::vector<int> results;
        const auto done = [&](int value) { results.push_back(value); };
        job.start([](const JobContext&) { return 1; }, {.done = done});
        pool.finish();
        job.start([](const JobContext&) { return 2; }, {.done = done});
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(results, std::vector<int>{2});
    }

    void added_requests_all_arrive() {
        Job<int> job(2);
        int sum = 0;
        for (int i = 1; i <= 10; ++i)
            job.add([i](const JobContext&) { return i; }, {.done = [&](int value) { sum += value; }});
        QVERIFY(job.is_running());
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(sum, 55);
    }

    void cancel_drops_the_result() {
        WorkPool pool(1);
        Job<int> job(pool);
        int calls = 0;
        job.start([](const JobContext&) { return 1; },
                  {.done = [&](int) { ++calls; }, .cancelled = [&] { ++calls; }});
        pool.finish();
        job.cancel();
        QVERIFY(!job.is_running());
        job.start([](const JobContext& context) { return wait_for_stop(context); },
                  {.done = [&](int) { ++calls; }, .cancelled = [&] { ++calls; }});
        job.cancel();
        pool.finish();
        QCoreApplication::processEvents();
        QCOMPARE(calls, 0);
    }

    void cancel_of_one_request() {
        Job<int> job;
        std::vector<int> results;
        const auto done = [&](int value) { results.push_back(value); };
        const auto first =
            job.add([](const JobContext& context) { return wait_for_stop(context); }, {.done = done});
        job.add([](const JobContext&) { return 2; }, {.done = done});
        job.cancel(first);
        job.cancel(first);
        QVERIFY(job.is_running());
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(results, std::vector<int>{2});
    }

    void requested_stop_is_reported() {
        Job<int> job;
        int done = 0, cancelled = 0, failed = 0;
        job.start([](const JobContext& context) { return wait_for_stop(context); },
                  {.done = [&](int) { ++done; },
                   .failed = [&](const std::exception&) { ++failed; },
                   .cancelled = [&] { ++cancelled; }});
        job.request_stop();
        QVERIFY(job.is_running());
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(cancelled, 1);
        QCOMPARE(done, 0);
        QVERIFY2(failed == 0, "a cancelled request is no failure");
    }

    void requested_stop_keeps_a_complete_result() {
        WorkPool pool(1);
        Job<int> job(pool);
        int result = 0;
        job.start([](const JobContext&) { return 3; }, {.done = [&](int value) { result = value; }});
        pool.finish();
        job.request_stop();
        QTRY_COMPARE(result, 3);
    }

    void requested_stop_of_waiting_work() {
        WorkPool pool(1);
        std::binary_semaphore go_on{0};
        pool.start([&] { go_on.acquire(); });
        Job<int> job(pool);
        std::atomic<bool> worked = false;
        bool cancelled = false;
        job.start([&](const JobContext&) { return worked = true, 0; },
                  {.cancelled = [&] { cancelled = true; }});
        job.request_stop();
        go_on.release();
        QTRY_VERIFY(cancelled);
        QVERIFY(!worked);
    }

    void exception_becomes_a_failure() {
        Job<int> job;
        std::string problem;
        int done = 0;
        job.start([](const JobContext&) -> int { throw std::runtime_error("no such file"); },
                  {.done = [&](int) { ++done; },
                   .failed = [&](const std::exception& failure) { problem = failure.what(); }});
        QTRY_COMPARE(problem, std::string("no such file"));
        QVERIFY(!job.is_running());
        QCOMPARE(done, 0);
        // The next request is as good as the first.
        job.start([](const JobContext&) { return 1; }, {.done = [&](int) { ++done; }});
        QTRY_COMPARE(done, 1);
    }

    void exception_without_a_handler() {
        WorkPool pool(1);
        Job<int> job(pool);
        job.start([](const JobContext&) -> int { throw std::runtime_error("no handler"); }, {});
        pool.finish();
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents());
        QVERIFY(!job.is_running());
    }

    void progress_in_order() {
        Job<int> job;
        std::vector<std::string> events;
        job.start(
            [](const JobContext& context) {
                context.progress({Stage::reading, 1, 4, "rows"});
                context.progress({Stage::parsing, 0, 0, "rows"});
                context.progress({Stage::parsing, 4, 4, "rows"});
                return 1;
            },
            {.done =
                 [&](int) {
                     events.emplace_back("done");
                     QVERIFY(job.progress().stage.empty());
                 },
             .progress =
                 [&](const Progress& p) {
                     events.push_back(p.stage.text() + " " + std::to_string(p.done));
                     QVERIFY(job.progress().stage == p.stage);
                     QCOMPARE(job.fraction(), p.total == 0 ? -1.0 : static_cast<double>(p.done) / 4);
                 }});
        QCOMPARE(job.fraction(), -1.0);
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(events, (std::vector<std::string>{"reading 1", "parsing 0", "parsing 4", "done"}));
    }

    void progress_is_limited() {
        Job<int> job;
        std::vector<std::int64_t> reported;
        constexpr std::int64_t all = 200000;
        qint64 took = 0;
        job.start(
            [&](const JobContext& context) {
                QElapsedTimer timer;
                timer.start();
                for (std::int64_t i = 1; i <= all; ++i) context.progress({Stage::verifying, i, all, "steps"});
                took = timer.elapsed();
                return 1;
            },
            {.progress = [&](const Progress& p) { reported.push_back(p.done); }});
        QTRY_VERIFY(!job.is_running());
        QCOMPARE(reported.front(), 1);
        QCOMPARE(reported.back(), all);
        const auto most = took / casp::widgets::JobBase::progress_interval.count() + 2;
        QVERIFY2(std::ssize(reported) <= most, qPrintable(QString::number(reported.size())));
        QVERIFY(std::ranges::is_sorted(reported));
    }

    void progress_of_superseded_work_is_dropped() {
        WorkPool pool(1);
        Job<int> job(pool);
        int reports = 0;
        bool posted = false;
        job.start(
            [&](const JobContext& context) {
                context.progress({Stage::copying, 1, 2, {}});
                context.post([&] { posted = true; });
                return 1;
            },
            {.progress = [&](const Progress&) { ++reports; }});
        pool.finish();
        int result = 0;
        job.start([](const JobContext&) { return 2; }, {.done = [&](int value) { result = value; }});
        QTRY_COMPARE(result, 2);
        QCOMPARE(reports, 0);
        QVERIFY(!posted);
    }

    void partial_results() {
        Job<int> job;
        std::vector<int> seen;
        job.start(
            [&](const JobContext& context) {
                for (int i = 1; i <= 3; ++i) context.post([&seen, i] { seen.push_back(i); });
                return 4;
            },
            {.done = [&](int value) { seen.push_back(value); }});
        QTRY_COMPARE(seen, (std::vector<int>{1, 2, 3, 4}));
    }

    void captures_go_before_the_result() {
        Job<int> job;
        auto held = std::make_shared<int>(0);
        long uses = 0;
        job.start([held](const JobContext&) { return 1; }, {.done = [&](int) { uses = held.use_count(); }});
        QTRY_COMPARE(uses, 1L);
    }

    void start_from_a_handler() {
        Job<int> job;
        std::vector<int> results;
        std::function<void(int)> done = [&](int value) {
            results.push_back(value);
            if (value < 3)
                job.start([value](const JobContext&) { return value + 1; },
                          {.done = [&](int next) { done(next); }});
        };
        job.start([](const JobContext&) { return 1; }, {.done = [&](int value) { done(value); }});
        QTRY_COMPARE(results, (std::vector<int>{1, 2, 3}));
        QVERIFY(!job.is_running());
    }

    void handler_may_destroy_the_job() {
        auto job = std::make_unique<Job<int>>();
        job->start([](const JobContext&) { return 1; }, {.done = [&](int) { job.reset(); }});
        QTRY_VERIFY(!job);
        job = std::make_unique<Job<int>>();
        job->start([](const JobContext&) -> int { throw std::runtime_error("a problem"); },
                   {.failed = [&](const std::exception&) { job.reset(); }});
        QTRY_VERIFY(!job);
        job = std::make_unique<Job<int>>();
        job->start(
            [](const JobContext& context) {
                context.progress({Stage::reading, 0, 1, {}});
                return wait_for_stop(context);
            },
            {.progress = [&](const Progress&) { job.reset(); }});
        QTRY_VERIFY(!job);
    }

    void handler_may_cancel_the_job() {
        Job<int> job;
        int done = 0;
        job.start(
            [](const JobContext& context) {
                context.progress({Stage::reading, 0, 1, {}});
                return 1;
            },
            {.done = [&](int) { ++done; }, .progress = [&](const Progress&) { job.cancel(); }});
        QTRY_VERIFY(!job.is_running());
        QTest::qWait(20);
        QCOMPARE(done, 0);
    }

    /// The destructor requests the stop and waits: the work may use what its owner has.
    void destroyed_while_running() {
        bool ended = false;
        int calls = 0;
        {
            std::binary_semaphore begun{0};
            Job<int> job;
            job.start(
                [&](const JobContext& context) -> int {
                    begun.release();
                    try {
                        return wait_for_stop(context);
                    } catch (const Cancelled&) {
                        ended = true;
                        throw;
                    }
                },
                {.done = [&](int) { ++calls; }, .cancelled = [&] { ++calls; }});
            begun.acquire();
        }
        QVERIFY(ended);
        QCoreApplication::processEvents();
        QCOMPARE(calls, 0);
    }

    void destroyed_on_a_shared_pool() {
        WorkPool pool(1);
        std::binary_semaphore go_on{0};
        int calls = 0;
        {
            Job<int> job(pool);
            job.start(
                [&](const JobContext&) {
                    go_on.acquire();
                    return 1;
                },
                {.done = [&](int) { ++calls; }});
        }
        go_on.release();  // not reached if the destructor waited
        pool.finish();
        QCoreApplication::processEvents();
        QCOMPARE(calls, 0);
    }

    void synchronous() {
        Job<int> job;
        job.set_synchronous(true);
        std::vector<std::string> events;
        std::thread::id worked;
        job.start(
            [&](const JobContext& context) {
                worked = std::this_thread::get_id();
                context.progress({Stage::reading, 0, 2, {}});
                context.post([&] { events.emplace_back("partial"); });
                return 7;
            },
            {.done = [&](int value) { events.push_back(std::to_string(value)); },
             .progress = [&](const Progress& p) { events.push_back(p.stage.text()); }});
        QVERIFY(worked == std::this_thread::get_id());
        QCOMPARE(events, (std::vector<std::string>{"reading", "partial", "7"}));
        QVERIFY(!job.is_running());
    }

    void synchronous_failures() {
        Job<int> job;
        job.set_synchronous(true);
        std::string problem;
        job.start([](const JobContext&) -> int { throw std::runtime_error("no such file"); },
                  {.failed = [&](const std::exception& failure) { problem = failure.what(); }});
        QCOMPARE(problem, std::string("no such file"));
        const auto start = [&] {
            job.start([](const JobContext&) -> int { throw std::runtime_error("no handler"); }, {});
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, start());
        QVERIFY(!job.is_running());
        bool cancelled = false;
        job.start(
            [&](const JobContext& context) -> int {
                job.request_stop();
                return wait_for_stop(context);
            },
            {.cancelled = [&] { cancelled = true; }});
        QVERIFY(cancelled);
        std::stop_source caller;
        job.set_synchronous(true, caller.get_token());
        for (const bool before : {false, true}) {
            cancelled = false;
            job.start(
                [&](const JobContext& context) -> int {
                    if (before) return 1;  // not reached
                    caller.request_stop();
                    return wait_for_stop(context);
                },
                {.cancelled = [&] { cancelled = true; }});
            QVERIFY(cancelled);
        }
    }

    void messages_are_delivered_in_order() {
        Inbox inbox;
        std::vector<int> ran;
        for (int i = 0; i < 4; ++i) inbox.link()->post([&ran, i] { ran.push_back(i); });
        QVERIFY(ran.empty());
        QTRY_COMPARE(ran, (std::vector<int>{0, 1, 2, 3}));
    }

    /// The exception itself goes on, to the application's handler.
    void throwing_message_does_not_drop_others() {
        Inbox inbox;
        const auto link = inbox.link();
        std::vector<int> ran;
        link->post([&] {
            ran.push_back(0);
            // Comes after those that wait already.
            link->post([&] { ran.push_back(3); });
            throw std::runtime_error("a view");
        });
        link->post([&] { ran.push_back(1); });
        link->post([&] { ran.push_back(2); });
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(&inbox));
        QCOMPARE(ran, std::vector<int>{0});
        QTRY_COMPARE(ran, (std::vector<int>{0, 1, 2, 3}));
    }

    void last_throwing_message_is_removed() {
        Inbox inbox;
        int ran = 0;
        inbox.link()->post([&] {
            ++ran;
            throw std::runtime_error("a view");
        });
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(&inbox));
        QCoreApplication::sendPostedEvents(&inbox);
        QCOMPARE(ran, 1);
        inbox.link()->post([&] { ++ran; });
        QTRY_COMPARE(ran, 2);
    }

    void throwing_message_may_destroy_the_inbox() {
        auto inbox = std::make_unique<Inbox>();
        const auto link = inbox->link();
        auto held = std::make_shared<int>(0);
        link->post([&] {
            inbox.reset();
            throw std::runtime_error("a view");
        });
        link->post([held] { ++*held; });
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(inbox.get()));
        QVERIFY(!inbox);
        QCoreApplication::sendPostedEvents();
        QCOMPARE(*held, 0);
        QVERIFY2(held.use_count() == 1, "what was dropped keeps what it held");
    }
};

TEST_MAIN(TestJob)
#include "test_job.moc"
