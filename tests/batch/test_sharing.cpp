// run.together = "auto" on a device that is not the CPU (pretend_device.h): runs share it and wait for
// memory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <thread>

#include <QtTest>

#include "batch/sharing.h"
#include "core/train/train_fixture.h"
#include "pretend_device/pretend_device.h"
#include "test_program.h"
#include "util/device.h"
#include "util/out_of_memory.h"

using namespace casp;

namespace {

class Messages : public batch::Console {
public:
    void on_message(train::MessageLevel, const Phrase& text) override {
        const std::scoped_lock lock(mutex_);
        all_.push_back(text);
    }
    void on_started(const train::RunStarted& started) override { estimated_bytes = started.estimated_bytes; }
    [[nodiscard]] std::ptrdiff_t with(const std::string& part) const {
        const std::scoped_lock lock(mutex_);
        return std::count_if(all_.begin(), all_.end(),
                             [&](const std::string& text) { return text.find(part) != std::string::npos; });
    }
    std::atomic<std::int64_t> estimated_bytes = 0;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> all_;
};

}  // namespace

class TestSharing : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    config::Config config_;

    [[nodiscard]] run::RunRequest request(const std::string& name) const {
        return {{name, config_, {}, dir_.path().toStdString() + "/" + name}};
    }

    /// Other programs take the rest.
    static void leave(std::int64_t bytes) {
        pretend::set_memory_of_others(
            static_cast<std::size_t>(device_memory(pretend::device()).total - bytes));
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(dir_.isValid());
        config_ = test::small_config(test::write_csv((dir_.path() + "/series.csv").toStdString(),
                                                     test::small_rows, test::small_channels));
        config_.run.device = pretend::device().str();
        config_.run.together = 0;
    }

    /// As many as there are, up to eight.
    void runs_share_the_device() {
        Messages console;
        QCOMPARE(batch::Sharing(config_, 3, console).wanted(), std::int64_t{3});
        QCOMPARE(batch::Sharing(config_, 30, console).wanted(), std::int64_t{8});
        QCOMPARE(console.with("up to 8 runs share the GPU, as far as its memory allows"), std::ptrdiff_t{1});
    }

    void out_of_memory_reduces_concurrent_runs() {
        Messages console;
        batch::Sharing sharing(config_, 2, console);
        train::StopControl stop;
        auto one = request("without memory");
        one.started = [] { throw std::bad_alloc(); };
        QVERIFY_THROWS_EXCEPTION(OutOfMemory, (void)sharing.run(one, stop, stop));
        QCOMPARE(sharing.wanted(), std::int64_t{1});
        QCOMPARE(console.with("memory ran out: 1 at a time from now on"), std::ptrdiff_t{1});
    }

    /// Of two runs that begin at the same time, only one has room for its first step.
    void runs_wait_for_memory() {
        Messages console;
        batch::Sharing sharing(config_, 2, console);
        train::StopControl stop;
        const auto alone = sharing.run(request("alone"), stop, stop);
        const auto step = console.estimated_bytes.load();
        QVERIFY(step > 0);
        leave(step * 3 / 2);
        std::vector<std::thread> threads;
        std::atomic<bool> same = true;
        for (const auto* name : {"first", "second"})
            threads.emplace_back([&, name] {
                train::StopControl own;
                auto one = request(name);
                one.started = [&] {
                    while (console.with(" waits until another run ends: a step needs about ") == 0)
                        std::this_thread::sleep_for(std::chrono::milliseconds(5));
                };
                const auto row = sharing.run(one, own, stop);
                if (row.val_mse != alone.val_mse || row.test_mse != alone.test_mse) same = false;
            });
        for (auto& thread : threads) thread.join();
        QCOMPARE(console.with(" waits until another run ends"), std::ptrdiff_t{1});
        QVERIFY(same);
        pretend::set_memory_of_others(0);
    }

    /// Who asks for an early end means the runs that train.
    void a_waiting_run_is_not_finished_early() {
        Messages console;
        batch::Sharing sharing(config_, 2, console);
        train::StopControl stop, first_stop, second_stop;
        store::ResultRow waited;
        std::thread second;
        auto one = request("before");
        one.started = [&] {
            leave(device_memory(pretend::device()).used + (1 << 16));
            second = std::thread([&] { waited = sharing.run(request("after"), second_stop, stop); });
            while (console.with("after waits until another run ends") == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            second_stop.ask(train::StopRequest::finish_early);
            while (second_stop.request() != train::StopRequest::none)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            pretend::set_memory_of_others(0);
        };
        QCOMPARE(sharing.run(one, first_stop, stop).state, store::RunState::finished);
        second.join();
        QCOMPARE(waited.state, store::RunState::finished);
    }

    void a_waiting_run_can_be_cancelled() {
        Messages console;
        batch::Sharing sharing(config_, 2, console);
        train::StopControl stop, first_stop, second_stop;
        std::atomic<bool> cancelled = false;
        std::thread second;
        auto one = request("long");
        one.started = [&] {
            leave(device_memory(pretend::device()).used + (1 << 16));
            second = std::thread([&] {
                try {
                    (void)sharing.run(request("waiting"), second_stop, stop);
                } catch (const Cancelled&) {
                    cancelled = true;
                }
            });
            while (console.with("waiting waits until another run ends") == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            second_stop.ask(train::StopRequest::cancel);
            second.join();
            pretend::set_memory_of_others(0);
        };
        QCOMPARE(sharing.run(one, first_stop, stop).state, store::RunState::finished);
        QVERIFY(cancelled);
    }
};

TEST_MAIN_WITHOUT_GUI(TestSharing)
#include "test_sharing.moc"
