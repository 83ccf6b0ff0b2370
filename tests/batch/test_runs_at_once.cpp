// The rule of run.together = "auto" on a GPU, with made-up speeds; threads whose number grows.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include <QtTest>

#include "batch/lanes.h"
#include "batch/runs_at_once.h"
#include "test_program.h"

using namespace casp;
using batch::RunsAtOnce;

namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

/// Runs of a sweep on a device whose speed is given, in steps of a quarter of a second.
struct Card {
    struct Run {
        double speed = 10;     ///< steps a second, alone
        double seconds = 1e9;  ///< until it ends, whatever the speed
        std::string kind = "a";
    };

    explicit Card(std::vector<double> steps_of_all, std::int64_t most = 16)
        : throughput(std::move(steps_of_all)), rule(most, [this](const std::string& device) {
              return device == "cuda:0" ? room() : DeviceRoom();
          }) {}

    /// Takes the runs of `queue` as lanes do, until `seconds` have passed.
    void pass(double seconds) {
        const auto end = now + seconds;
        while (now < end) {
            while (static_cast<std::int64_t>(running.size()) < rule.wanted() && !queue.empty()) {
                rule.begun(next, queue.front().kind, "cuda:0", now);
                running[next++] = {queue.front(), now};
                queue.erase(queue.begin());
            }
            const auto n = running.size() - static_cast<std::size_t>(running.count(paused));
            now += 0.25;
            const auto all = running;
            for (const auto& [number, run] : all) {
                if (number == paused) continue;
                // Reports hold whole steps.
                const auto steps =
                    std::llround(run.first.speed * 1e4 * throughput.at(n - 1) / static_cast<double>(n));
                if (const auto text = rule.stepped(number, steps, 0.25, now); !text.empty())
                    said.push_back(text);
                const auto age = now - run.second;
                if (epochs && std::fmod(age, 1.0) < 0.1) rule.epoch_ended(number, now);
                if (age < run.first.seconds) continue;
                rule.ended(number, now);
                running.erase(number);
            }
        }
    }
    [[nodiscard]] DeviceRoom room() const {
        const auto used = static_cast<std::int64_t>(running.size()) * one;
        return {total - used, used};
    }

    std::vector<double> throughput;  ///< of 1, 2, … runs, in steps of one alone
    std::int64_t total = 100 * gibibyte, one = gibibyte;
    bool epochs = true;  ///< of a second
    std::vector<Run> queue = std::vector<Run>(100);
    std::map<RunsAtOnce::Run, std::pair<Run, double>> running;
    RunsAtOnce::Run next = 0, paused = -1;
    double now = 1000;
    std::vector<std::string> said;
    RunsAtOnce rule;
};

}  // namespace

class TestRunsAtOnce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void adds_runs_while_they_pay() {
        Card card({1, 1.5, 1.97, 2.05});
        card.pass(100);
        QCOMPARE(card.said.size(), std::size_t{4});
        QCOMPARE(card.said[0], std::string("a second run may begin: 99.0 GiB free, one takes 1.0 GiB"));
        QCOMPARE(card.said[1],
                 std::string("2 runs share the GPU: 1.50 times as fast as 1; a third run may begin: "
                             "98.0 GiB free, one takes 1.0 GiB"));
        QVERIFY(card.said[2].starts_with(
            "3 runs share the GPU: 1.31 times as fast as 2; a fourth run may begin"));
        QCOMPARE(card.said[3],
                 std::string("a fourth run does not pay (1.04 times): 3 at a time from now on"));
        QCOMPARE(card.rule.wanted(), std::int64_t{3});
        card.throughput = {1, 2, 3, 4};  // the number stays
        card.pass(100);
        QCOMPARE(card.said.size(), std::size_t{4});
    }

    void one_run_may_be_the_most() {
        Card card({1, 1.02});
        card.pass(100);
        QCOMPARE(card.said.back(),
                 std::string("a second run does not pay (1.02 times): 1 at a time from now on"));
        QCOMPARE(card.rule.wanted(), std::int64_t{1});
    }

    void memory_is_kept_free() {
        Card card({1, 2, 3, 4, 5, 6});
        card.one = 20 * gibibyte;
        card.pass(100);
        // 40 GiB are free beside three runs, 20 beside four: less than 1.25 times what one takes.
        QCOMPARE(card.said.back(),
                 std::string("4 runs share the GPU: 1.33 times as fast as 3; no memory for a "
                             "fifth run: 20.0 GiB free, one takes 20.0 GiB"));
        QCOMPARE(card.rule.wanted(), std::int64_t{4});
        Card full({1, 2});
        full.total = 41 * gibibyte;
        full.one = 20 * gibibyte;
        full.pass(100);
        QCOMPARE(full.said.size(), std::size_t{1});
        QCOMPARE(full.said[0], std::string("no memory for a second run: 21.0 GiB free, one takes 20.0 GiB"));
    }

    /// Where a run has no memory beside another, there is one less from then on.
    void lack_of_memory_takes_a_run_back() {
        RunsAtOnce rule(4, [](const std::string&) { return DeviceRoom{8, 1}; });
        rule.begun(0, "a", "cuda:0", 0);
        rule.epoch_ended(0, 0);
        for (int second = 1; rule.wanted() == 1 && second < 100; ++second)
            static_cast<void>(rule.stepped(0, 10, 1, second));
        QCOMPARE(rule.wanted(), std::int64_t{2});
        QCOMPARE(rule.ran_out_of_memory(), std::string("memory ran out: 1 at a time from now on"));
        QCOMPARE(rule.ran_out_of_memory(), std::string());
        for (int second = 100; second < 200; ++second)
            QCOMPARE(rule.stepped(0, 10, 1, second), std::string());
        QCOMPARE(rule.wanted(), std::int64_t{1});
    }

    void never_more_than_allowed() {
        Card card({1, 2, 3}, 2);
        card.pass(100);
        QCOMPARE(card.said.back(), std::string("2 runs share the GPU: 2.00 times as fast as 1"));
        QCOMPARE(card.rule.wanted(), std::int64_t{2});
        Card one({1, 2, 3}, 1);
        one.pass(100);
        QVERIFY(one.said.empty());
    }

    void waits_until_the_newest_run_has_validated() {
        Card card({1, 2, 2});
        card.epochs = false;
        card.pass(100);
        QVERIFY(card.said.empty());
        card.epochs = true;
        card.pass(2);
        QVERIFY(card.said.empty());
        card.pass(8);
        QVERIFY(!card.said.empty());
    }

    /// While one is paused the others are faster, which says nothing.
    void paused_runs_stop_the_measurement() {
        Card card({1, 1.02, 1.02});
        card.pass(4);
        QCOMPARE(card.rule.wanted(), std::int64_t{2});
        card.paused = 1;
        card.pass(60);
        QCOMPARE(card.said.size(), std::size_t{1});
        card.paused = -1;
        card.pass(60);
        QCOMPARE(card.said.back(),
                 std::string("a second run does not pay (1.02 times): 1 at a time from now on"));
    }

    /// A fast run does not outweigh a slow one.
    void runs_may_differ_in_speed() {
        Card card({1, 1.5, 1.97, 2.05});
        card.queue = {{1000, 1e9, "a"}, {1, 1e9, "b"}, {50, 1e9, "c"}, {10, 1e9, "d"}, {10, 1e9, "d"}};
        card.pass(100);
        QCOMPARE(card.said.size(), std::size_t{4});
        QVERIFY(card.said[1].starts_with("2 runs share the GPU: 1.50 times"));
        QVERIFY(card.said[2].starts_with("3 runs share the GPU: 1.31 times"));
        QVERIFY(card.said[3].starts_with("a fourth run does not pay (1.04 times)"));
    }

    /// Each run is replaced by the next one of the sweep before a number of runs is measured.
    void runs_may_be_short() {
        Card card({1, 1.5, 1.97, 2.05});
        card.queue.assign(1000, {10, 2, "a"});
        card.pass(200);
        QCOMPARE(card.said.size(), std::size_t{4});
        QVERIFY(card.said[2].starts_with("3 runs share the GPU: 1.31 times"));
        QCOMPARE(card.rule.wanted(), std::int64_t{3});
    }

    /// Speeds of runs of different kinds say nothing about sharing.
    void runs_of_another_kind_are_not_compared() {
        Card card({1, 1.5, 1.52});
        card.queue = {{10, 3.5, "a"}, {1000, 1e9, "b"}, {1000, 1e9, "b"}};
        card.pass(100);
        // The first run ended before two runs were measured.
        QCOMPARE(card.said.size(), std::size_t{1});
        QCOMPARE(card.rule.wanted(), std::int64_t{2});
    }

    void runs_without_steps() {
        Card card({1, 1.5, 1.52});
        card.rule.ended(77, card.now);  // failed before its first step
        card.rule.begun(78, "naive", "cuda:0", card.now);
        card.rule.epoch_ended(78, card.now);
        card.rule.ended(78, card.now);
        card.pass(100);
        QCOMPARE(card.rule.wanted(), std::int64_t{2});
        QCOMPARE(card.said.size(), std::size_t{3});
    }

    void lanes_grow() {
        train::StopControl stop;
        std::atomic<int> wanted = 1, working = 0;
        batch::work_in_lanes([&] { return wanted.load(); }, stop, [] { return true; },
                             [&](train::StopControl&) {
                                 ++working;
                                 wanted = 3;
                                 while (working < 3) std::this_thread::yield();  // all are there at once
                             });
        QCOMPARE(working.load(), 3);
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunsAtOnce)
#include "test_runs_at_once.moc"
