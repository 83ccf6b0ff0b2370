// Values that are made once for all who ask: who makes them, who waits, and what is kept.

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <QtTest>

#include "test_program.h"
#include "util/kept_values.h"

using namespace casp;

class TestKeptValues : public QObject {
    Q_OBJECT

    using Texts = KeptValues<int, std::string>;
    static std::int64_t length(const std::string& text) { return std::ssize(text); }

    /// The value of `key`, which is made of `size` letters; counts those that are made.
    Texts::Shared get(Texts& texts, int key, std::size_t size, bool current = true) {
        return texts.get(
            key,
            [&](const ProgressFn&) {
                ++made_;
                return std::string(size, 'x');
            },
            [&](const std::string&, auto) { return current; }, {}, {});
    }
    std::atomic<int> made_{0};

private Q_SLOTS:
    void init() { made_ = 0; }

    void values_in_use_are_shared_others_released() {
        Texts texts(0, length);
        auto first = get(texts, 1, 5);
        QVERIFY(get(texts, 1, 5) == first);
        QVERIFY(get(texts, 2, 5) != first);
        QCOMPARE(made_.load(), 2);
        const std::weak_ptr watched = first;
        first.reset();
        QVERIFY(watched.expired());
        (void)get(texts, 1, 5);
        QCOMPARE(made_.load(), 3);
    }

    void the_latest_are_kept_within_the_limit() {
        Texts texts(10, length);
        const std::weak_ptr one = get(texts, 1, 4), two = get(texts, 2, 4);
        QVERIFY(!one.expired() && !two.expired());
        (void)get(texts, 1, 4);  // is now the latest
        (void)get(texts, 3, 4);
        QVERIFY(!one.expired() && two.expired());
        (void)get(texts, 4, 11);  // more than the limit by itself
        QVERIFY(!one.expired());
        QCOMPARE(made_.load(), 4);
    }

    void outdated_values_are_recreated() {
        Texts texts(10, length);
        const auto first = get(texts, 1, 4);
        QVERIFY(get(texts, 1, 4, false) != first);
        QCOMPARE(made_.load(), 2);
    }

    void concurrent_requests_create_one_value() {
        Texts texts(10, length);
        std::atomic<bool> may_end{false};
        std::atomic<int> reports{0};
        std::vector<Texts::Shared> found(4);
        {
            std::vector<std::jthread> threads;
            for (auto& value : found)
                threads.emplace_back([&] {
                    value = texts.get(
                        1,
                        [&](const ProgressFn& report) {
                            ++made_;
                            report({Stage::reading, 1, 2, "steps"});
                            while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                            return std::string("x");
                        },
                        [](const std::string&, auto) { return true; },
                        [&](const Progress& progress) {
                            reports += progress.stage == Stage::reading ? 1 : 0;
                        },
                        {});
                });
            QTRY_VERIFY(reports >= 4);  // of those that wait, too
            may_end = true;
        }
        QCOMPARE(made_.load(), 1);
        for (const auto& value : found) QVERIFY(value != nullptr && value == found.front());
    }

    /// Whoever waits can be cancelled by itself, and makes the value where the maker has failed.
    void failures_and_cancellations_affect_own_thread_only() {
        Texts texts(10, length);
        std::atomic<bool> may_fail{false};
        std::atomic<int> makers{0}, failed{0}, cancelled{0};
        std::stop_source stop;
        const auto ask = [&](const std::stop_token& token) {
            try {
                return texts.get(
                    1,
                    [&](const ProgressFn&) {
                        if (++makers > 1) return std::string("second");
                        while (!may_fail) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        throw std::runtime_error("the first fails");
                    },
                    [](const std::string&, auto) { return true; }, {}, token);
            } catch (const Cancelled&) {
                ++cancelled;
            } catch (const std::runtime_error&) {
                ++failed;
            }
            return Texts::Shared();
        };
        std::jthread maker([&] { (void)ask({}); });
        QTRY_COMPARE(makers.load(), 1);
        std::jthread impatient([&] { (void)ask(stop.get_token()); });
        stop.request_stop();
        QTRY_COMPARE(cancelled.load(), 1);
        std::jthread patient([&] {
            const auto value = ask({});
            made_ = value != nullptr && *value == "second" ? 1 : -1;
        });
        may_fail = true;
        patient.join();
        maker.join();
        QCOMPARE(failed.load(), 1);
        QCOMPARE(made_.load(), 1);
    }
};

TEST_MAIN_WITHOUT_GUI(TestKeptValues)
#include "test_kept_values.moc"
