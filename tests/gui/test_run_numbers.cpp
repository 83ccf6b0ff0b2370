// The numbers of a run that the library hands out: live, of another process, and read from its files in
// slices.

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "batch/batch_fixture.h"
#include "config/experiment.h"
#include "gui/run_queue.h"
#include "library_fixture.h"
#include "run_fixture.h"
#include "state/file_run_library.h"
#include "state/run_arrays.h"
#include "store/run_file.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using casp::test::open;
using casp::test::patience_ms;
using casp::test::summary_of;
using casp::test::write_run;
using gui::QueueState;
using gui::RunQueue;
using widgets::FileRunLibrary;
using widgets::LiveRuns;
using widgets::RunData;
using widgets::RunPart;
namespace fs = std::filesystem;

namespace {

void connect_queue(RunQueue& queue, FileRunLibrary& library) {
    QObject::connect(&queue, &RunQueue::run_added, &library.live(), &LiveRuns::added);
    QObject::connect(&queue, &RunQueue::run_grew, &library.live(), &LiveRuns::grew);
    QObject::connect(&queue, &RunQueue::run_finished, &library.live(), &LiveRuns::finished);
    QObject::connect(&queue, &RunQueue::run_failed, &library.live(), &LiveRuns::failed);
}

/// A run of this process, which the library follows.
struct Worker {
    Worker(FileRunLibrary& to, QString name) : library(to), folder(std::move(name)) {}
    void start(const train::RunStarted& started = {}) {
        log->on_started(started);
        library.live().grew(folder, log);
    }
    void step(std::int64_t number) {
        train::StepReport report;
        report.step = number;
        log->append(report);
        log->on_step(report);
        library.live().grew(folder, log);
    }
    void snapshot(std::shared_ptr<const train::AnchorSnapshot> anchors) {
        log->on_snapshot(anchors);
        library.live().grew(folder, log);
    }
    void probe(std::int64_t step, std::shared_ptr<const train::AnchorSnapshot> since = nullptr) {
        auto probe = std::make_shared<train::Probe>();
        probe->step = step;
        probe->since_snapshot = std::move(since);
        log->on_probe(probe);
        library.live().grew(folder, log);
    }

    FileRunLibrary& library;
    QString folder;
    std::shared_ptr<train::RunLog> log = std::make_shared<train::RunLog>([] {});
};

}  // namespace

class TestRunNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        kept_ = std::make_unique<test::Workshop>();
        const auto request = kept_->request("kept", 2);
        const auto row = test::run_in(request.folder, request.config);
        QVERIFY(row.state == store::RunState::finished);
    }

    void init() {
        shop_ = std::make_unique<test::Workshop>();
        QVERIFY(shop_->valid());
        QVERIFY(QDir().mkpath(runs()));
    }

    void live_values_equal_the_file() {
        FileRunLibrary library;
        open(library, runs());
        RunQueue queue;
        connect_queue(queue, library);
        auto request = shop_->request("live", 12);
        request.config.run.snapshot_steps = 3;
        queue.hold(true);
        const int id = queue.add(request);
        QCOMPARE(library.size(), 1);  // at once
        QTRY_COMPARE(summary_of(library, run("live")).row.horizon, std::int64_t{12});
        QVERIFY(test::move(library, {run("live")}).value(0).contains("waits in the queue"));
        auto* data = library.data(run("live"));
        QVERIFY(data != nullptr);
        QCOMPARE(data->folder(), run("live"));
        std::size_t pieces = 0, seen = 0;
        bool ours = false, asked = false;
        QSignalSpy moves(&library, &FileRunLibrary::moves_ended);
        QObject::connect(data, &RunData::changed, this, [&](RunPart part) {
            if (part != RunPart::curves) return;
            const auto& steps = data->record().steps;
            if (steps.step.size() > seen) ++pieces;
            seen = steps.step.size();
            for (std::size_t i = 0; i < seen; ++i) QCOMPARE(steps.step[i], static_cast<std::int64_t>(i) + 1);
            ours = ours || (data->summary().ours && data->summary().live);
            if (!std::exchange(asked, true)) library.start_discard({run("live")});
            if (data->pace().step > 0)
                QVERIFY(data->pace().steps_per_second > 0 && data->pace().epochs == 12);
        });
        queue.hold(false);
        QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::done, patience_ms);
        QVERIFY(pieces > 2);
        QVERIFY(ours);
        QCOMPARE(moves.size(), 1);
        QVERIFY(moves[0][0].value<widgets::RunMoves>().problems.value(0).contains("is running"));
        QTRY_VERIFY(data->is_loaded() && data->record().test.has_value());
        const auto file = test::record_of(request.folder);
        QVERIFY(test::same_bits(file.steps.total, data->record().steps.total));
        QVERIFY(test::same_bits(file.epochs.val_mse, data->record().epochs.val_mse));
        QVERIFY(test::same_bits(file.anchors.usage_train, data->record().anchors.usage_train));
        QVERIFY(file.anchors.usage_test == data->record().anchors.usage_test);
        const auto& summary = summary_of(library, run("live"));
        QVERIFY(!summary.ours && !summary.live);
        QCOMPARE(summary.row.test_mse, file.test->mse);
        QCOMPARE(data->pace().step, std::int64_t{0});
    }

    void a_resumed_run_shows_one_curve() {
        FileRunLibrary library;
        open(library, runs());
        RunQueue queue;
        connect_queue(queue, library);
        const int id = queue.add(shop_->request("again", 8));
        auto* data = library.data(run("again"));
        const auto stopper = QObject::connect(data, &RunData::changed, this, [&] {
            if (!data->record().steps.step.empty()) queue.cancel(id);
        });
        QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::cancelled, patience_ms);
        QObject::disconnect(stopper);
        QTRY_COMPARE(summary_of(library, run("again")).row.state, store::RunState::cancelled);
        const auto before = test::record_of(folder("again")).steps.step.size();
        QVERIFY(before < 40);
        queue.retry(id);
        QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::done, patience_ms);
        QTRY_VERIFY(data->record().test.has_value());
        const auto& steps = data->record().steps.step;
        QCOMPARE(steps.size(), std::size_t{40});
        for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i], static_cast<std::int64_t>(i) + 1);
    }

    void a_resumed_fork_counts_its_own_steps() {
        const auto kept = kept_->path("runs/test/kept");
        FileRunLibrary library;
        open(library, kept_->path("runs"));
        train::RunStarted started;
        started.steps_per_epoch = 5;
        started.first_step = 8;  // stopped there, and resumed
        started.last_step = 14;
        started.epoch = 2;
        started.epochs = 3;
        for (const std::int64_t of_parent : {0, 2}) {
            started.parent_steps = of_parent;
            Worker(library, kept).start(started);
            const auto& pace = library.data(kept)->pace();
            QCOMPARE(pace.first_step, of_parent);
            QCOMPARE(pace.share(), of_parent == 0 ? 8.0 / 14 : 0.5);
            QCOMPARE(pace.epoch, std::int64_t{2});
        }
    }

    void a_run_of_another_process_is_seen_growing() {
        if (!QFile::exists(CASP_EXECUTABLE)) QSKIP("caspstudio is not built");
        const test::Workplace place;
        place.write("series.csv", test::small_csv());
        auto experiment = test::small_experiment("checkpoint_seconds = 0\n");
        experiment.replace("epochs = 3", "epochs = 100000\npatience = 100000");
        place.write("other.toml", experiment);
        FileRunLibrary library;
        QVERIFY(QDir().mkpath(place.path("runs")));
        open(library, place.path("runs"));
        QProcess process;
        place.prepare(process, {"--batch", "other.toml"});
        process.start();
        QVERIFY(process.waitForStarted());
        const auto single = place.path("runs/other/single");
        QTRY_VERIFY_WITH_TIMEOUT(library.index_of(single) == 0 && summary_of(library, single).live,
                                 patience_ms);
        QVERIFY(!summary_of(library, single).ours);
        QVERIFY(test::move(library, {single}).value(0).contains("being written by process"));
        auto* data = library.data(single);
        data->load();
        const auto steps = [data] { return data->record().steps.step.size(); };
        // It is asked for once: what the other process writes from then on shows up by itself.
        std::size_t seen = 0;
        for (int time = 0; time < 3; ++time) {
            QTRY_VERIFY_WITH_TIMEOUT(steps() > seen, patience_ms);
            seen = steps();
            QVERIFY(summary_of(library, single).live && !summary_of(library, single).ours);
            for (std::size_t i = 0; i < seen; ++i)
                QCOMPARE(data->record().steps.step[i], static_cast<std::int64_t>(i) + 1);
            QCOMPARE(data->pace().step, static_cast<std::int64_t>(seen));
            QCOMPARE(data->pace().epoch, data->record().steps.epoch.back());
        }
        QCOMPARE(process.state(), QProcess::Running);
        process.terminate();
        QVERIFY(process.waitForFinished(patience_ms));
        QTRY_COMPARE_WITH_TIMEOUT(summary_of(library, single).row.state, store::RunState::interrupted,
                                  patience_ms);
        QVERIFY(!summary_of(library, single).live);
        QTRY_VERIFY_WITH_TIMEOUT(static_cast<std::int64_t>(steps()) == summary_of(library, single).row.steps,
                                 patience_ms);
        QVERIFY(steps() >= seen);
        QTRY_COMPARE(data->pace().epoch, std::int64_t{0});
    }

    void forecasts_in_slices() {
        FileRunLibrary library;
        open(library, kept_->path("runs"));
        auto* data = library.data(kept_->path("runs/test/kept"));
        QSignalSpy changed(data, &RunData::changed);
        QVERIFY(data->forecasts("test", 10, 5) == nullptr);
        QVERIFY(data->forecasts("test", 10, 5) == nullptr);  // on its way, not asked for twice
        QTRY_VERIFY(data->forecasts("test", 10, 5) != nullptr);
        QVERIFY(!changed.isEmpty());
        const auto slice = data->forecasts("test", 10, 5);
        const auto whole = store::read_forecast(kept_->file("runs/test/kept/arrays.h5"), "test");
        QCOMPARE(slice->windows, std::int64_t{5});
        QCOMPARE(slice->start[0], whole.start[10]);
        const auto width = static_cast<std::size_t>(whole.horizon * whole.channels);
        for (std::size_t i = 0; i < 5 * width; ++i)
            QCOMPARE(slice->prediction[i], whole.prediction[10 * width + i]);
        // The last ones, and a split that is not there.
        (void)data->forecasts("test", test::test_windows - 2, 100);
        (void)data->forecasts("train", 0, 1);
        (void)data->window_errors("test");
        QTRY_VERIFY(data->forecasts("test", test::test_windows - 2, 100) && data->forecasts("train", 0, 1) &&
                    data->window_errors("test"));
        QCOMPARE(data->forecasts("test", test::test_windows - 2, 100)->windows, std::int64_t{2});
        QCOMPARE(data->forecasts("train", 0, 1)->windows, std::int64_t{0});
        const auto errors = data->window_errors("test");
        QVERIFY(errors->mse == whole.mse && errors->mae == whole.mae && errors->start == whole.start &&
                errors->retrieved == whole.retrieved);
        QVERIFY(errors->prediction.empty() && errors->truth.empty());
        QVERIFY(data->problem().isEmpty());
    }

    void lookbacks_from_the_data_file() {
        FileRunLibrary library;
        open(library, kept_->path("runs"));
        auto* data = library.data(kept_->path("runs/test/kept"));
        QTRY_VERIFY(data->lookbacks("test", 3, 2) != nullptr);
        const auto values = data->lookbacks("test", 3, 2);
        QCOMPARE(values->size(), std::size_t{2 * 48 * 3});
        const auto start =
            store::read_forecast(kept_->file("runs/test/kept/arrays.h5"), "test", 3, 1).start[0];
        const auto& scale = data->record().data;
        for (std::size_t t = 0; t < 48; ++t)
            for (std::size_t c = 0; c < 3; ++c) {
                const double raw =
                    test::cell(start + static_cast<std::int64_t>(t), static_cast<std::int64_t>(c));
                const double scaled = (raw - scale.mean[c]) / scale.std[c];
                QVERIFY(std::abs((*values)[t * 3 + c] - scaled) < 1e-4);
            }
        QVERIFY(data->problem_with_data().isEmpty());
        // Another file under the same name.
        const auto csv = kept_->csv();
        const auto bytes = test::bytes_of(csv);
        test::write_csv(csv, test::small_rows, test::small_channels, 0.5);
        FileRunLibrary again;
        open(again, kept_->path("runs"));
        data = again.data(kept_->path("runs/test/kept"));
        (void)data->lookbacks("test", 3, 2);
        QTRY_VERIFY((void(data->lookbacks("test", 3, 2)), !data->problem_with_data().isEmpty()));
        QVERIFY(data->lookbacks("test", 3, 2) == nullptr);
        VERIFY_HAS(data->problem_with_data(), "has changed since");
        fs::remove(csv);
        data = again.data(kept_->path("runs/test/kept"));
        (void)data->lookbacks("test", 4, 2);
        QTRY_VERIFY(!data->problem_with_data().contains("has changed since"));
        VERIFY_HAS(data->problem_with_data(), "series.csv");
        std::ofstream(csv, std::ios::binary) << bytes;
    }

    void probes_are_thinned_evenly() {
        FileRunLibrary library;
        open(library, runs());
        library.live().added(run("p"));
        auto* data = library.data(run("p"));
        Worker worker(library, run("p"));
        worker.start();
        for (int step = 0; step <= 1000; ++step) {
            worker.probe(step);
            QVERIFY(data->probes().size() <= 64);
            QCOMPARE(data->probes().back()->step, static_cast<std::int64_t>(step));
        }
        const auto& probes = data->probes();
        QVERIFY(probes.size() > 30);
        const auto stride = probes[1]->step - probes[0]->step;
        for (std::size_t i = 0; i + 1 < probes.size(); ++i)
            QCOMPARE(probes[i]->step, static_cast<std::int64_t>(i) * stride);
    }

    void probe_usage_is_replaced_by_the_snapshot() {
        FileRunLibrary library;
        open(library, runs());
        library.live().added(run("a"));
        Worker worker(library, run("a"));
        worker.start();
        auto* data = library.data(run("a"));
        const auto anchors = [](std::int64_t step, std::int64_t count) {
            auto snapshot = std::make_shared<train::AnchorSnapshot>();
            snapshot->step = step;
            snapshot->usage = {count, 0, 1};
            snapshot->coverage_statistic = {0.5F, 0.25F, static_cast<float>(step)};
            return snapshot;
        };
        const auto& h = data->record().anchors;
        using Steps = std::vector<std::int64_t>;
        using Counts = std::vector<std::int64_t>;
        bool told = false;
        QObject::connect(data, &RunData::changed, this, [&](RunPart part) {
            told = told || (h.last_is_live && (part == RunPart::anchors || part == RunPart::everything));
        });
        QTRY_VERIFY(data->is_loaded());
        worker.probe(0, nullptr);
        QVERIFY(h.snapshot_step.empty() && !h.last_is_live);
        worker.probe(3, anchors(3, 7));
        QTRY_VERIFY(told);
        QCOMPARE(h.snapshot_step, Steps{3});
        QCOMPARE(h.pool_size, std::int64_t{3});
        QVERIFY(h.last_is_live);
        worker.probe(8, anchors(8, 9));  // the latest only
        QCOMPARE(h.snapshot_step, Steps{8});
        QCOMPARE(h.usage_train, (Counts{9, 0, 1}));
        QCOMPARE(h.coverage_statistic, (std::vector<float>{0.5F, 0.25F, 8.0F}));
        worker.snapshot(anchors(10, 12));
        QCOMPARE(h.snapshot_step, Steps{10});
        QCOMPARE(h.usage_train, (Counts{12, 0, 1}));
        QVERIFY(!h.last_is_live);
        worker.probe(9, anchors(9, 11));  // one that was on its way
        QCOMPARE(h.snapshot_step, Steps{10});
        QVERIFY(!h.last_is_live);
        worker.probe(15, anchors(15, 2));
        QCOMPARE(h.snapshot_step, (Steps{10, 15}));
        QCOMPARE(h.usage_train, (Counts{12, 0, 1, 2, 0, 1}));
        QVERIFY(h.last_is_live);
        QVERIFY(data->probes().back()->since_snapshot != nullptr &&
                data->probes().front()->since_snapshot == nullptr);
        // A run that ends has its snapshots, and no more.
        store::ResultRow row;
        row.state = store::RunState::cancelled;
        library.live().finished(run("a"), row);
        QVERIFY(!h.last_is_live);
        QCOMPARE(h.snapshot_step, Steps{10});
    }

    void a_probe_after_snapshots_without_coverage() {
        FileRunLibrary library;
        open(library, runs());
        library.live().added(run("a"));
        Worker worker(library, run("a"));
        worker.start();
        auto* data = library.data(run("a"));
        QTRY_VERIFY(data->is_loaded());
        const auto anchors = [](std::int64_t step, std::vector<float> coverage) {
            auto snapshot = std::make_shared<train::AnchorSnapshot>();
            snapshot->step = step;
            snapshot->usage = {1, 0, 2};
            snapshot->coverage_statistic = std::move(coverage);
            return snapshot;
        };
        const auto& c = data->record().anchors.coverage_statistic;
        const auto known_from = [&](std::size_t first) {
            for (std::size_t i = 0; i < c.size(); ++i)
                if (std::isnan(c[i]) != (i < first)) return false;
            return true;
        };
        // As a fork with c̃ of a parent without it.
        worker.snapshot(anchors(5, {}));
        QVERIFY(c.empty());
        for (std::int64_t step = 6; step < 9; ++step) {
            worker.probe(step, anchors(step, {0.5F, 0.25F, 1.0F}));
            QCOMPARE(c.size(), std::size_t{6});
            QVERIFY(known_from(3));
        }
        worker.snapshot(anchors(10, {0.5F, 0.5F, 0.5F}));
        QCOMPARE(c.size(), std::size_t{6});
        QVERIFY(known_from(3));
    }

    void twenty_changes_a_second() {
        FileRunLibrary library;
        open(library, runs());
        library.live().added(run("t"));
        auto* data = library.data(run("t"));
        std::map<RunPart, std::vector<qint64>> told;
        QElapsedTimer clock;
        clock.start();
        QObject::connect(data, &RunData::changed, this,
                         [&](RunPart part) { told[part].push_back(clock.elapsed()); });
        Worker worker(library, run("t"));
        worker.start();
        for (std::int64_t step = 1; clock.elapsed() < 600; ++step) {
            worker.step(step);
            QTest::qWait(1);
        }
        QTest::qWait(100);
        const auto& times = told[RunPart::curves];
        QVERIFY(times.size() >= 4 && times.size() <= 16);
        for (std::size_t i = 1; i < times.size(); ++i) QVERIFY(times[i] - times[i - 1] >= 45);
        QVERIFY(data->record().steps.step.size() > 20);
    }

    void opened_folder_joins_a_running_run() {
        const auto kept = kept_->path("runs/test/kept");
        const auto file = test::record_of(kept_->file("runs/test/kept"));
        FileRunLibrary library;
        open(library, runs());
        Worker worker(library, kept);
        worker.start();
        worker.step(1);  // not here
        QCOMPARE(library.size(), 0);
        open(library, kept_->path("runs"));
        QVERIFY(!summary_of(library, kept).ours);
        worker.step(2);
        QVERIFY(summary_of(library, kept).ours && summary_of(library, kept).live);
        QVERIFY(test::move(library, {kept}).value(0).contains("is running"));
        auto* data = library.data(kept);
        QVERIFY(data->is_loaded());
        QCOMPARE(data->record().steps.step, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(data->pace().step, std::int64_t{2});
        library.live().finished(kept, summary_of(library, kept).row);
        QVERIFY(!summary_of(library, kept).ours);
        QTRY_COMPARE(data->record().steps.step.size(), file.steps.step.size());
    }

    void slices_of_all_runs_share_a_budget() {
        const auto folder = kept_->path("runs/test/kept");
        const auto pool = std::make_shared<widgets::WorkPool>(1);
        const auto budget = std::make_shared<widgets::SliceCache>(1, 200);
        int arrived = 0;
        widgets::RunArrays first(folder, pool, budget, [&] { ++arrived; });
        auto second = std::make_unique<widgets::RunArrays>(folder, pool, budget, [&] { ++arrived; });
        (void)first.forecasts("test", 0, 2);
        (void)second->forecasts("test", 0, 2);
        QTRY_COMPARE(arrived, 2);
        // Far too much, but both were asked a moment ago.
        QVERIFY(first.forecasts("test", 0, 2) && second->forecasts("test", 0, 2));
        QTest::qWait(250);
        (void)second->forecasts("test", 2, 2);
        QTRY_COMPARE(arrived, 3);
        QVERIFY(second->forecasts("test", 2, 2) != nullptr);
        QVERIFY(first.forecasts("test", 0, 2) == nullptr);
        second.reset();
        QTRY_COMPARE(arrived, 4);  // read again
        QVERIFY(first.forecasts("test", 0, 2) != nullptr);
    }

    void removed_run_is_readable_in_handlers() {
        write_run(folder("a"), store::RunState::finished, 0.5);
        FileRunLibrary library;
        open(library, runs());
        QPointer<RunData> data = library.data(run("a"));
        bool looked = false;
        QObject::connect(&library, &FileRunLibrary::removed, this, [&](const QString& name) {
            looked = data != nullptr && data->folder() == name && data->summary().row.val_mse == 0.5;
        });
        QVERIFY(test::move(library, {run("a")}).isEmpty());
        QVERIFY(looked);
        QTRY_VERIFY(data == nullptr);
        // Everything goes at another open, also while reading goes on.
        QVERIFY(test::move(library, {run("a")}, true).isEmpty());
        QTRY_COMPARE(library.size(), 1);
        data = library.data(run("a"));
        data->load();
        library.open(kept_->path("runs"));
        QTRY_VERIFY(data == nullptr);
    }

private:
    [[nodiscard]] QString runs() const { return shop_->path("runs"); }
    [[nodiscard]] QString run(const QString& name) const { return shop_->path("runs/test/" + name); }
    [[nodiscard]] fs::path folder(const QString& name) const { return run(name).toStdString(); }
    std::unique_ptr<test::Workshop> shop_;
    std::unique_ptr<test::Workshop> kept_;  ///< a finished run that several functions read
};

TEST_MAIN(TestRunNumbers)
#include "test_run_numbers.moc"
