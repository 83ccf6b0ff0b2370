// Runs that wait and go on in worker threads, as the window sees them.
#include <QtTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

#include "gui/run_queue.h"
#include "run_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using gui::QueueState;
using gui::RunQueue;
using test::file_state;
using test::state_of;
namespace fs = std::filesystem;

namespace {

constexpr int queue_patience_ms = 60000;

/// Everything a queue tells about its runs.
struct Listener : QObject {
    struct Heard {
        std::shared_ptr<const train::RunLog> log;
        store::RunRecord record;
        std::vector<train::RunStarted> started;
        std::vector<std::chrono::steady_clock::time_point> times;  ///< when there were more steps
        std::vector<store::ResultRow> ended;
        QString failed;
        [[nodiscard]] std::size_t steps() const { return record.steps.step.size(); }
    };

    explicit Listener(RunQueue& queue) {
        QObject::connect(&queue, &RunQueue::run_grew, this,
                         [this](const QString& run, const std::shared_ptr<const train::RunLog>& log) {
                             auto& heard = runs[run];
                             if (std::exchange(heard.log, log) != log) heard.record = {};
                             const auto before = heard.steps();
                             log->catch_up(heard.record);
                             if (heard.steps() == before) return;
                             heard.times.push_back(std::chrono::steady_clock::now());
                             if (at_steps) at_steps(run);
                         });
        QObject::connect(&queue, &RunQueue::run_started, this, [this](const QString& run) {
            runs[run].started.push_back(*runs[run].log->now().started);
        });
        QObject::connect(
            &queue, &RunQueue::run_finished, this,
            [this](const QString& run, const store::ResultRow& row) { runs[run].ended.push_back(row); });
        QObject::connect(&queue, &RunQueue::run_failed, this,
                         [this](const QString& run, const QString& text) { runs[run].failed = text; });
    }
    std::map<QString, Heard> runs;
    std::function<void(const QString&)> at_steps;
};

QString text_of(const run::RunRequest& request) { return QString::fromStdString(request.folder.string()); }

/// A run in a queue of its own.
struct QueuedRun {
    explicit QueuedRun(const run::RunRequest& wanted)
        : request(wanted), run(text_of(wanted)), id(queue.add(wanted)) {}

    [[nodiscard]] QueueState state() const { return state_of(queue, id); }
    [[nodiscard]] std::size_t steps() { return heard.runs[run].steps(); }
    [[nodiscard]] const std::vector<store::ResultRow>& ends() { return heard.runs[run].ended; }

    RunQueue queue;
    Listener heard{queue};
    run::RunRequest request;
    QString run;
    int id;
};

/// As the window's (gui/application.h): what a slot throws ends its event, not the program.
class Application : public QCoreApplication {
public:
    using QCoreApplication::QCoreApplication;
    int caught = 0;

    bool notify(QObject* receiver, QEvent* event) override {
        try {
            return QCoreApplication::notify(receiver, event);
        } catch (const std::exception&) {
            ++caught;
        }
        return true;
    }
};

/// The message of what add() throws.
QString refusal(RunQueue& queue, const run::RunRequest& request) {
    return QString::fromUtf8(test::error_of([&] { queue.add(request); }).what());
}

}  // namespace

class TestRunQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        shop_ = std::make_unique<test::Workshop>();
        QVERIFY(shop_->valid());
    }

    void steps_are_complete_and_in_order() {
        RunQueue queue;
        Listener heard(queue);
        QSignalSpy idle(&queue, &RunQueue::idle);
        const auto request = shop_->request("one", 4);
        const auto run = text_of(request);
        const int id = queue.add(request);
        QCOMPARE(state_of(queue, id), QueueState::running);
        QTRY_COMPARE_WITH_TIMEOUT(idle.size(), 1, queue_patience_ms);
        QCOMPARE(state_of(queue, id), QueueState::done);
        QVERIFY(!queue.is_running());

        const auto record = test::record_of(request.folder);
        const auto& seen = heard.runs[run].record;
        QCOMPARE(seen.steps.step.size(), std::size_t{20});
        QVERIFY(seen.steps.step == record.steps.step && seen.steps.forecast == record.steps.forecast);
        QVERIFY(*seen.steps.find_term("coverage") == *record.steps.find_term("coverage"));
        QCOMPARE(seen.epochs.epoch.size(), std::size_t{4});
        QVERIFY(seen.epochs.val_mse == record.epochs.val_mse);
        QVERIFY(seen.anchors.usage_train == record.anchors.usage_train);
        QCOMPARE(heard.runs[run].started.size(), std::size_t{1});
        QCOMPARE(heard.runs[run].started[0].channels, std::int64_t{3});
        QCOMPARE(heard.runs[run].ended.size(), std::size_t{1});
        QCOMPARE(heard.runs[run].ended[0].test_mse, record.test->mse);
        QVERIFY(heard.runs[run].failed.isEmpty());
        const auto probes = heard.runs[run].log->now().probes;
        // One before the first step; later ones only as time allows.
        QVERIFY2(!probes.empty(), "the queue asks for probes");
        QCOMPARE(probes.front()->step, std::int64_t{0});
        QVERIFY(std::is_sorted(probes.begin(), probes.end(),
                               [](const auto& one, const auto& other) { return one->step < other->step; }));
        QCOMPARE(probes.back()->channels.size(), std::size_t{3});
        // The experiment's tables, as a batch leaves them.
        QVERIFY(QString::fromStdString(test::bytes_of(request.folder.parent_path() / "results.csv"))
                    .contains("\none,finished,series,"));
    }

    void at_most_twenty_times_a_second() {
        RunQueue queue;
        Listener heard(queue);
        const auto request = shop_->request("many", 40);
        const auto run = text_of(request);
        queue.add(request);
        QTRY_COMPARE_WITH_TIMEOUT(heard.runs[run].ended.size(), std::size_t{1}, queue_patience_ms);
        QCOMPARE(heard.runs[run].steps(), std::size_t{200});
        QCOMPARE(heard.runs[run].record.epochs.epoch.size(), std::size_t{40});
        const auto& times = heard.runs[run].times;
        QVERIFY2(times.size() > 2, "the run was over too soon to say anything");
        QVERIFY(times.size() < 200);
        for (std::size_t i = 1; i < times.size(); ++i) {
            const auto apart = std::chrono::duration<double, std::milli>(times[i] - times[i - 1]).count();
            QVERIFY2(apart > 45, qPrintable(QString::number(apart)));
        }
    }

    void queued_runs_are_sequential_and_independent() {
        RunQueue queue;
        Listener heard(queue);
        QSignalSpy idle(&queue, &RunQueue::idle);
        int max_running = 0;
        QObject::connect(&queue, &RunQueue::changed, this, [&] {
            int running = 0;
            for (const auto& item : queue.items()) running += item.state == QueueState::running ? 1 : 0;
            max_running = std::max(max_running, running);
        });
        const auto a = shop_->request("a"), again = shop_->request("a again");
        auto b = shop_->request("b");
        b.config.train.seed = 7;
        b.config.model.top_k = 1;
        queue.add(a);
        queue.add(b);
        queue.add(again);
        QTRY_COMPARE_WITH_TIMEOUT(idle.size(), 1, queue_patience_ms);
        QCOMPARE(max_running, 1);
        VERIFY_SAME_RUN(a.folder, again.folder);
        QVERIFY(!test::run_difference(a.folder, b.folder).empty());
        // Watching changes nothing: the same run without a queue.
        test::run_in(shop_->file("plain"), a.config);
        VERIFY_SAME_RUN(a.folder, shop_->file("plain"));
    }

    void waiting_run_is_stored_as_queued() {
        RunQueue queue;
        queue.hold(true);
        QSignalSpy added(&queue, &RunQueue::run_added);
        auto request = shop_->request("waiting");
        request.swept = {{"loss.lambda_cov", "0.1"}};
        const int id = queue.add(request);
        QCOMPARE(added.size(), 1);
        QCOMPARE(added[0][0].toString(), text_of(request));
        QCOMPARE(state_of(queue, id), QueueState::waiting);
        QVERIFY(!queue.is_running());
        const auto status = store::read_run_status(store::RunFolder(request.folder));
        QVERIFY(status && status->row.state == store::RunState::queued);
        QCOMPARE(status->row.horizon, std::int64_t{12});
        QVERIFY(status->row.swept == request.swept);
        QVERIFY(test::bytes_of(request.folder / "config.toml").find("lookback = 48") != std::string::npos);
        queue.remove(id);
        QVERIFY2(!fs::exists(request.folder), "a run that never began leaves a folder");
        QVERIFY(queue.items().empty());
    }

    void order_hold_and_remove() {
        RunQueue queue;
        Listener heard(queue);
        QSignalSpy idle(&queue, &RunQueue::idle);
        queue.hold(true);
        QVERIFY(queue.is_held());
        std::vector<int> ids;
        for (const char* name : {"a", "b", "c", "d"}) ids.push_back(queue.add(shop_->request(name, 1)));
        queue.move(ids[3], 0);
        queue.move(ids[0], 99);
        queue.remove(ids[1]);
        QStringList names;
        for (const auto& item : queue.items()) names << QString::fromStdString(item.request.name);
        QCOMPARE(names, (QStringList{"d", "c", "a"}));
        QStringList order;
        QObject::connect(&queue, &RunQueue::run_started, this,
                         [&](const QString& run) { order << run.section('/', -1); });
        queue.hold(false);
        QTRY_COMPARE_WITH_TIMEOUT(idle.size(), 1, queue_patience_ms);
        QCOMPARE(order, names);
        QVERIFY(!fs::exists(shop_->file("runs/test/b")));
        queue.remove(ids[2]);
        QCOMPARE(queue.items().size(), std::size_t{2});
        QVERIFY2(fs::exists(shop_->file("runs/test/c/run.h5")), "a finished run stays");
    }

    void finish_early() {
        QueuedRun early(shop_->request("early", 100000));
        early.heard.at_steps = [&](const QString&) { early.queue.finish_early(early.id); };
        QTRY_COMPARE_WITH_TIMEOUT(early.ends().size(), std::size_t{1}, queue_patience_ms);
        QVERIFY(early.ends()[0].state == store::RunState::finished_early);
        QVERIFY(std::isfinite(early.ends()[0].test_mse));
        QCOMPARE(early.state(), QueueState::done);
        QCOMPARE(early.steps(), test::record_of(early.request.folder).steps.step.size());
    }

    void a_cancel_takes_the_early_finish_back() {
        for (const bool closes : {false, true}) {
            QueuedRun run(shop_->request(closes ? "closes" : "stays", 100000));
            auto& queue = run.queue;
            const int id = run.id;
            QVERIFY(queue.can_cancel(id));
            QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 0, queue_patience_ms);
            queue.finish_early(id);
            const bool could = queue.can_cancel(id);  // its evaluation may take minutes
            if (closes) queue.interrupt_all();
            queue.cancel(id);
            QVERIFY(could && !queue.can_cancel(id));
            // An interruption is stronger: what goes on later still finishes early.
            QCOMPARE(queue.items()[0].finish_early, closes);
            QTRY_VERIFY_WITH_TIMEOUT(!queue.is_running(), queue_patience_ms);
            QCOMPARE(state_of(queue, id), closes ? QueueState::interrupted : QueueState::cancelled);
            QVERIFY(!queue.can_cancel(id));
        }
    }

    /// A run that waits to be continued when the window closes still says "queued" at the next start. Taking
    /// it out of the queue then must leave all it has done.
    void dequeued_run_keeps_its_checkpoint() {
        auto request = shop_->request("kept", 6);
        {
            QueuedRun run(request);
            run.heard.at_steps = [&](const QString&) { run.queue.cancel(run.id); };
            QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::cancelled, queue_patience_ms);
            run.heard.at_steps = nullptr;
            run.queue.hold(true);
            run.queue.retry(run.id);
            QVERIFY(file_state(request.folder) == store::RunState::queued);
        }
        QVERIFY(file_state(request.folder) == store::RunState::queued);  // as after a kill
        request.resume = true;
        RunQueue queue;
        queue.hold(true);
        const int id = queue.add(request);
        queue.remove(id);
        const store::RunFolder folder(request.folder);
        for (const auto& file : {folder.config(), folder.run_file(), folder.run_json()})
            QVERIFY2(fs::exists(file), file.c_str());
        QVERIFY(store::current_checkpoint(folder).has_value());
        QVERIFY(file_state(request.folder) == store::RunState::interrupted);
    }

    void cancel_and_retry() {
        QueuedRun run(shop_->request("cancelled", 6));
        auto& queue = run.queue;
        run.heard.at_steps = [&](const QString&) { queue.cancel(run.id); };
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::cancelled, queue_patience_ms);
        run.heard.at_steps = nullptr;
        QVERIFY(run.ends()[0].state == store::RunState::cancelled);
        QVERIFY(store::current_checkpoint(store::RunFolder(run.request.folder)).has_value());
        const auto done = run.steps();
        QVERIFY2(done < 30, "it was over before it was cancelled");

        queue.hold(true);
        queue.retry(run.id);
        QCOMPARE(run.state(), QueueState::waiting);
        QVERIFY(file_state(run.request.folder) == store::RunState::queued);
        queue.cancel(run.id);  // back to what it was
        QCOMPARE(run.state(), QueueState::cancelled);
        QVERIFY(file_state(run.request.folder) == store::RunState::cancelled);
        queue.retry(run.id);
        queue.hold(false);
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::done, queue_patience_ms);
        QCOMPARE(run.heard.runs[run.run].started.back().first_step, static_cast<std::int64_t>(done));
        QCOMPARE(run.steps(), std::size_t{30});
        test::run_in(shop_->file("undisturbed"), run.request.config);
        VERIFY_SAME_RUN(run.request.folder, shop_->file("undisturbed"));
    }

    void pause() {
        QueuedRun run(shop_->request("paused", 100000));
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 0, queue_patience_ms);
        run.queue.pause(run.id, true);
        QCOMPARE(run.state(), QueueState::paused);
        QTest::qWait(300);  // the step that was going on, and its report
        const auto before = run.steps();
        QTest::qWait(300);
        QCOMPARE(run.steps(), before);
        run.queue.pause(run.id, false);
        QCOMPARE(run.state(), QueueState::running);
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > before, queue_patience_ms);
        run.queue.pause(run.id, true);
        run.queue.cancel(run.id);  // a paused run can be stopped
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::cancelled, queue_patience_ms);
    }

    void failing_run_reports_reason() {
        RunQueue queue;
        Listener heard(queue);
        auto request = shop_->request("bad");
        const auto csv = shop_->file("bad.csv");
        std::ofstream(csv) << "date,a\n2020-01-01,1\n2020-01-02,\n";
        request.config.data.path = csv.string();
        const int id = queue.add(request);
        const int next = queue.add(shop_->request("good", 1));
        QTRY_COMPARE_WITH_TIMEOUT(state_of(queue, next), QueueState::done, queue_patience_ms);
        QCOMPARE(state_of(queue, id), QueueState::failed);
        const auto run = text_of(request);
        QVERIFY2(heard.runs[run].failed.contains("row") && !heard.runs[run].failed.contains("frame #0"),
                 qPrintable(heard.runs[run].failed));
        QCOMPARE(queue.items().front().message, heard.runs[run].failed);
        const auto status = store::read_run_status(store::RunFolder(request.folder));
        QVERIFY(status->row.state == store::RunState::failed);
        QCOMPARE(QString::fromStdString(status->message), heard.runs[run].failed);
        // Mended, it can be tried again.
        test::write_csv(csv, test::small_rows, 2);
        queue.retry(id);
        QTRY_COMPARE_WITH_TIMEOUT(state_of(queue, id), QueueState::done, queue_patience_ms);
    }

    void refuses_folders_with_other_work() {
        const auto request = shop_->request("taken", 1);
        RunQueue queue;
        fs::create_directories(request.folder);
        std::ofstream(request.folder / "thesis.txt") << "chapter 1";
        QVERIFY(refusal(queue, request).contains("thesis.txt"));
        QVERIFY(!fs::exists(request.folder / "run.json"));
        fs::remove(request.folder / "thesis.txt");

        queue.hold(true);
        const int id = queue.add(request);
        QVERIFY(refusal(queue, request).contains("already queued"));
        queue.hold(false);
        QTRY_COMPARE_WITH_TIMEOUT(state_of(queue, id), QueueState::done, queue_patience_ms);
        const auto text = refusal(queue, request);
        VERIFY_HAS(text, "finished run", "another name");

        auto unfinished = shop_->request("unfinished", 1);
        store::write_run_status(
            (fs::create_directories(unfinished.folder), store::RunFolder(unfinished.folder)),
            {[] {
                 store::ResultRow row;
                 row.state = store::RunState::failed;
                 return row;
             }(),
             "no luck",
             {}});
        QVERIFY(refusal(queue, unfinished).contains("unfinished run"));
        unfinished.resume = true;
        queue.add(unfinished);
        QTRY_VERIFY_WITH_TIMEOUT(!queue.is_running(), queue_patience_ms);
        QVERIFY(file_state(unfinished.folder) == store::RunState::finished);

        const auto locked = shop_->request("locked", 1);
        fs::create_directories(locked.folder);
        const store::RunLock lock{store::RunFolder(locked.folder)};
        QVERIFY(refusal(queue, locked).contains("being written by process"));
        QCOMPARE(queue.items().size(), std::size_t{2});
    }

    void cancel_before_the_first_step() {
        QueuedRun run(shop_->request("never"));
        run.queue.cancel(run.id);
        QCOMPARE(run.state(), QueueState::stopping);
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::cancelled, queue_patience_ms);
        QVERIFY(file_state(run.request.folder) == store::RunState::cancelled);
        run.queue.retry(run.id);
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::done, queue_patience_ms);
    }

    void closing_window() {
        RunQueue queue;
        Listener heard(queue);
        QSignalSpy finished(&queue, &RunQueue::finished);
        const auto request = shop_->request("closing", 100000), next = shop_->request("next");
        const int id = queue.add(request), waiting = queue.add(next);
        QTRY_VERIFY_WITH_TIMEOUT(heard.runs[text_of(request)].steps() > 0, queue_patience_ms);
        queue.interrupt_all();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, queue_patience_ms);
        QVERIFY(!queue.is_running());
        QCOMPARE(state_of(queue, id), QueueState::interrupted);
        QCOMPARE(state_of(queue, waiting), QueueState::waiting);
        QVERIFY(file_state(request.folder) == store::RunState::interrupted);
        QVERIFY(file_state(next.folder) == store::RunState::queued);
        // With nothing to stop, too.
        queue.interrupt_all();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, queue_patience_ms);
    }

    void end_of_the_queue_leaves_a_checkpoint() {
        const auto request = shop_->request("dropped", 100000);
        {
            QueuedRun run(request);
            QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 0, queue_patience_ms);
        }
        QVERIFY(file_state(request.folder) == store::RunState::interrupted);
        QVERIFY(run::folder_content(request.folder) == run::FolderContent::resumable);
        const auto before = test::record_of(request.folder).steps.step.size();
        auto again = request;
        again.resume = true;
        QueuedRun run(again);
        // The first news may only have the steps of before.
        run.heard.at_steps = [&](const QString&) {
            if (run.steps() > before) run.queue.finish_early(run.id);
        };
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), QueueState::done, queue_patience_ms);
        QCOMPARE(run.heard.runs[run.run].started[0].first_step, static_cast<std::int64_t>(before));
        QVERIFY(test::record_of(request.folder).steps.step.size() > before);
    }

    /// The run is over all the same, and so is the next one of its device.
    void exceptions_of_listeners_are_tolerated() {
        RunQueue queue;
        Listener heard(queue);
        QSignalSpy idle(&queue, &RunQueue::idle);
        const auto request = shop_->request("one", 1);
        const int id = queue.add(request), next = queue.add(shop_->request("two", 1));
        // The first report holds this thread until the run is over: its end then comes together with its
        // steps.
        QObject::connect(&queue, &RunQueue::run_started, &heard, [&](const QString& run) {
            if (run != text_of(request)) return;
            const auto table = request.folder.parent_path() / "results.csv";
            for (int waited = 0; waited < queue_patience_ms; waited += 10) {
                QThread::msleep(10);
                if (QString::fromStdString(test::bytes_of(table)).contains("\none,finished,")) break;
            }
            QThread::msleep(50);  // the tables are written right before the end is told
        });
        const auto fail = [] { throw std::runtime_error("a view"); };
        heard.at_steps = [&](const QString&) { fail(); };
        QObject::connect(&queue, &RunQueue::changed, &heard, fail);
        QObject::connect(&queue, &RunQueue::run_finished, &heard, fail);
        QTRY_COMPARE_WITH_TIMEOUT(idle.size(), 1, queue_patience_ms);
        QCOMPARE(state_of(queue, id), QueueState::done);
        QCOMPARE(state_of(queue, next), QueueState::done);
        QVERIFY(!queue.is_running());
        QVERIFY(static_cast<Application*>(QCoreApplication::instance())->caught >= 2);
    }

    void each_device_trains_one_run() {
        RunQueue queue;
        QSignalSpy idle(&queue, &RunQueue::idle);
        std::vector<int> ids;
        for (const auto* name : {"first", "second", "third"}) {
            auto request = shop_->request(name, 40);
            request.config.run.devices = {"cpu", "cpu"};
            ids.push_back(queue.add(request));
        }
        QVERIFY(is_going(queue.items()[0]) && is_going(queue.items()[1]));
        QCOMPARE(state_of(queue, ids[2]), QueueState::waiting);
        queue.cancel(ids[0]);
        QTRY_VERIFY_WITH_TIMEOUT(is_going(queue.items()[2]),
                                 queue_patience_ms);  // on the place that is free now
        for (const int id : ids) queue.cancel(id);
        QTRY_COMPARE_WITH_TIMEOUT(idle.size(), 1, queue_patience_ms);
    }

private:
    std::unique_ptr<test::Workshop> shop_;
};

TEST_PROGRAM(TestRunQueue)(int argc, char** argv) {
    Application application(argc, argv);
    TestRunQueue test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_run_queue.moc"
