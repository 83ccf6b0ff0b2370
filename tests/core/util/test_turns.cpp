// Turns of threads: how many work at once, and in which order.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <QtTest>

#include "test_program.h"
#include "util/turns.h"

using namespace casp;

class TestTurns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void concurrency_limit_is_kept() {
        constexpr int at_once = 2, threads = 6, rounds = 200;
        Turns turns(at_once);
        std::atomic<int> working{0}, most{0}, done{0};
        {
            std::vector<std::jthread> all;
            for (int i = 0; i < threads; ++i)
                all.emplace_back([&] {
                    for (int round = 0; round < rounds; ++round) {
                        const Turn turn(turns);
                        const int now = ++working;
                        int seen = most;
                        while (seen < now && !most.compare_exchange_weak(seen, now)) {
                        }
                        std::this_thread::yield();
                        --working;
                        ++done;
                    }
                });
        }
        QCOMPARE(done.load(), threads * rounds);
        QVERIFY2(most <= at_once, qPrintable(QString::number(most)));
        QVERIFY(!turns.wanted());
    }

    void turns_are_granted_in_order() {
        Turns turns(1);
        std::vector<int> order;  // written by who has the turn
        std::vector<std::jthread> all;
        turns.take();
        auto give_back = qScopeGuard([&] { turns.give_back(); });  // else the threads wait for ever
        for (int i = 0; i < 4; ++i) {
            std::atomic<bool> asking{false};
            all.emplace_back([&, i] {
                asking = true;
                const Turn turn(turns);
                order.push_back(i);
            });
            QTRY_VERIFY(asking);
            // Asked after the flag was set: long enough for take() to have begun.
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        QVERIFY(turns.wanted());
        give_back.dismiss();
        turns.give_back();
        all.clear();
        QCOMPARE(order, (std::vector<int>{0, 1, 2, 3}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestTurns)
#include "test_turns.moc"
