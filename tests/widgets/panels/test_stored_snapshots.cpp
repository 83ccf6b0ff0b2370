// What was watched live is opened again: the snapshots of embeddings that a run keeps, as probes.
#include <fstream>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "analysis/pca.h"
#include "charts/figure_view.h"
#include "core/train/train_fixture.h"
#include "inspect/stored_probes.h"
#include "inspect/window_embeddings.h"
#include "panel_test.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/view/view_step_bar.h"
#include "state/embedding_work.h"
#include "state/file_run_library.h"
#include "test_program.h"
#include "vtk/embedding_view.h"

using namespace casp;
using namespace casp::widgets;
namespace fs = std::filesystem;

namespace {}  // namespace

class TestStoredSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(dir_.isValid());
        csv_ = test::write_csv(file("series.csv"), test::small_rows, test::small_channels);
        (void)test::run_in(file("runs/test/a"), settings());
        steps_ = test::record_of(file("runs/test/a")).anchors.snapshot_step;
        QCOMPARE(steps_, (std::vector<std::int64_t>{3, 6, 9, 10}));
    }

    void a_fresh_library_has_the_snapshots() {
        FileRunLibrary library;
        auto& run = *open(library, "runs", "a");
        QVERIFY(run.probes().empty());  // not before somebody draws them
        run.read_probes();
        QVERIFY(run.is_reading_probes());
        QTRY_VERIFY_WITH_TIMEOUT(!run.is_reading_probes(), patience);
        QVERIFY2(run.problem().isEmpty(), qPrintable(run.problem()));
        const auto& probes = run.probes();
        QCOMPARE(probes.size(), steps_.size());
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const auto& stored = *probes[i];
            QCOMPARE(stored.step, steps_[i]);
            QCOMPARE(stored.pool_size, std::int64_t{30});
            QCOMPARE(stored.windows.size(), static_cast<std::size_t>(test::val_windows));
            QCOMPARE(stored.has_vectors(), i + 1 == steps_.size());
            QVERIFY(stored.prediction.empty());  // those are not kept
        }
        // The last is what the last weights say.
        inspect::EmbeddingRequest request;
        request.run = file("runs/test/a");
        request.weights = "last";
        request.split = "val";
        request.device = "cpu";
        const auto e = inspect::compute_embeddings(request);
        QCOMPARE(e.step, steps_.back());
        const auto& last = *probes.back();
        QCOMPARE(last.windows, e.windows);
        QCOMPARE(last.start, e.start);
        QCOMPARE(last.channels, e.channels);
        QCOMPARE(last.top_k, e.top_k);
        QCOMPARE(last.similarity.size(), e.similarity.size());
        for (std::size_t s = 0; s < e.similarity.size(); ++s)
            QVERIFY(std::abs(last.similarity[s] - e.similarity[s]) < 1e-5F);
        QCOMPARE(last.retrieved, e.retrieved);
        const auto layout = analysis::joint_layout(e.anchors, e.series, e.prompt, e.dimension, 3);
        QCOMPARE(last.pca.kind, layout.kind);
        QCOMPARE(last.pca.variance_ratio.size(), layout.variance_ratio.size());
        for (std::size_t v = 0; v < layout.variance_ratio.size(); ++v)
            QVERIFY(std::abs(last.pca.variance_ratio[v] - layout.variance_ratio[v]) < 1e-6);
    }

    void the_pages_go_to_the_first_step() {
        FileRunLibrary library;
        auto& run = *open(library, "runs", "a");
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        ForecastsPage forecasts(&library, &selection);
        selection.set_runs({run.folder()});
        for (ViewPage* shown : std::initializer_list<ViewPage*>{&page, &forecasts}) {
            shown->resize(1100, 1400);
            shown->show();
        }
        auto* bar = page.findChild<StepBar*>();
        QTRY_COMPARE_WITH_TIMEOUT(bar->steps(), steps_, patience);
        QVERIFY(bar->isVisible());
        // Without a step: the best checkpoint, which this run has stored.
        QTRY_VERIFY_WITH_TIMEOUT(run.embeddings() != nullptr, patience);
        page.update_now();
        const auto& view = page.space().view();
        QTRY_VERIFY(view.points().title.contains(QStringLiteral("best checkpoint")));
        bar->play(false);
        selection.set_step(steps_.front());
        page.update_now();
        QTRY_VERIFY(view.points().title.contains(QStringLiteral("step 3")));
        auto* course = page.view(QStringLiteral("variance-course"));
        QTRY_COMPARE(course->figure().plots.size(), std::size_t{3});
        QCOMPARE(course->figure().plots[0].series.front().x, (std::vector<double>{3, 6, 9, 10}));
        bar->next();
        QCOMPARE(selection.state().step, std::optional<std::int64_t>(6));
        page.update_now();
        QTRY_VERIFY(view.points().title.contains(QStringLiteral("step 6")));
        // Their forecasts were not kept: that page shows the stored ones of the test windows.
        QCOMPARE(forecasts.source(), ForecastSource::test);
    }

    void interrupted_run_shows_its_snapshots() {
        train::StopControl stop;
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        (void)run::run({{"b", settings(), {}, file("cut/test/b")}}, probe, stop);
        FileRunLibrary library;
        auto& run = *open(library, "cut", "b");
        run.read_probes();
        QTRY_VERIFY_WITH_TIMEOUT(!run.is_reading_probes(), patience);
        QCOMPARE(run.probes().size(), std::size_t{3});  // also where it stopped
        QCOMPARE(run.probes().front()->step, std::int64_t{3});
        QCOMPARE(run.probes().back()->step, std::int64_t{7});
        // Goes on here: what it tells now comes after those.
        train::RunStarted started;
        started.first_step = 6;
        const auto log = std::make_shared<train::RunLog>([] {});
        log->on_started(started);
        library.live().grew(run.folder(), log);
        auto told = std::make_shared<train::Probe>();
        told->step = 6;
        log->on_probe(told);
        library.live().grew(run.folder(), log);
        QCOMPARE(run.probes().size(), std::size_t{2});
        QCOMPARE(run.probes().back(), std::shared_ptr<const train::Probe>(told));
    }

    void stored_sets_do_not_hide_snapshots() {
        train::StopControl stop;
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == 7) stop.ask(train::StopRequest::cancel);
        };
        const auto run = file("cut-too/test/h");
        (void)run::run({{"h", settings(), {}, run}}, probe, stop);
        inspect::EmbeddingRequest request;
        request.run = run;
        request.weights = "3";
        request.split = "val";
        request.device = "cpu";
        request.windows = 5;
        inspect::store_embeddings(run, inspect::compute_embeddings(request));
        const auto stored = inspect::read_stored_probes({file("cut-too/test/h"), {3, 6}, 4});
        QVERIFY2(stored.problem.empty(), stored.problem.english().c_str());
        QCOMPARE(stored.probes.size(), std::size_t{2});
        for (const auto& one : stored.probes)
            QCOMPARE(one->windows.size(), static_cast<std::size_t>(test::val_windows));
    }

    void sets_on_request_are_no_snapshots() {
        fs::create_directories(file("asked/test"));
        fs::copy(file("runs/test/a"), file("asked/test/c"), fs::copy_options::recursive);
        inspect::EmbeddingRequest request;
        request.run = file("asked/test/c");
        request.split = "val";
        request.device = "cpu";
        request.windows = 5;
        auto some = inspect::compute_embeddings(request);
        // Where an older version's snapshot stood, which kept no weights and could be replaced.
        store::ArraysWriter writer(request.run, {"/embedding/val/9"});
        writer.write_embedding("val", "9", some);
        writer.finish();
        const auto stored = inspect::read_stored_probes({file("asked/test/c"), steps_, 4});
        QVERIFY2(stored.problem.empty(), stored.problem.english().c_str());
        QCOMPARE(stored.probes.size(), std::size_t{3});
        QCOMPARE(stored.probes[2]->step, std::int64_t{10});
    }

    void components_of_other_rows_are_not_the_snapshots() {
        fs::create_directories(file("asked/test"));
        const auto run = file("asked/test/e");
        fs::copy(file("runs/test/a"), run, fs::copy_options::recursive);
        inspect::EmbeddingRequest request;
        request.run = run;
        request.split = "val";
        request.device = "cpu";
        request.windows = 5;
        auto some = inspect::compute_embeddings(request);
        some.weights = "last";
        some.step = 9;
        inspect::store_layout(
            run, some, "pca",
            analysis::joint_layout(some.anchors, some.series, some.prompt, some.dimension, 3));
        const auto stored = inspect::read_stored_probes({file("asked/test/e"), steps_, 4});
        QVERIFY2(stored.problem.empty(), stored.problem.english().c_str());
        QCOMPARE(stored.probes.size(), steps_.size());
        QCOMPARE(stored.probes[2]->step, std::int64_t{9});
        QCOMPARE(stored.probes[2]->pca.kind.size(), stored.probes[1]->pca.kind.size());
    }

    void any_windows_at_a_snapshot() {
        fs::create_directories(file("any/test"));
        fs::copy(file("runs/test/a"), file("any/test/f"), fs::copy_options::recursive);
        FileRunLibrary library;
        auto& run = *open(library, "any", "f");
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        selection.set_runs({run.folder()});
        page.resize(1100, 1400);
        page.show();
        auto* bar = page.findChild<StepBar*>();
        QTRY_COMPARE_WITH_TIMEOUT(bar->steps(), steps_, patience);
        page.source().set_source(EmbeddingSource::snapshot);
        QVERIFY(bar->isVisible());
        bar->play(false);
        const auto& view = page.space().view();
        auto* compute = page.findChild<QPushButton*>(QStringLiteral("embeddings.compute"));
        auto* store = page.findChild<QPushButton*>(QStringLiteral("embeddings.store"));
        const auto set_at = [&](std::int64_t step) { return run.embeddings_of({"test", step}); };
        for (const std::int64_t step : {3, 6}) {
            selection.set_step(step);
            page.update_now();
            QTRY_VERIFY2_WITH_TIMEOUT(
                view.points().size() == 0 && view.points().empty_text.contains("press Compute"),
                qPrintable(view.points().empty_text), patience);
            QVERIFY(!store->isVisible());
            QTRY_VERIFY(compute->isEnabled());
            QTest::mouseClick(compute, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(set_at(step) && !run.embedding_status().is_busy(), patience);
            page.update_now();
            QTRY_VERIFY2(view.points().title.endsWith(QStringLiteral("test windows, step %1").arg(step)),
                         qPrintable(view.points().title));
            QCOMPARE(set_at(step)->values.windows_total, set_at(step)->values.rows / 3);
            QTRY_VERIFY(store->isVisible());
        }
        // What is known of a step is offered as soon as it is chosen, and no other's.
        selection.set_step(9);
        page.update_now();
        QTRY_VERIFY(!store->isVisible() && !run.embedding_status().is_busy());
        selection.set_step(3);
        QVERIFY(store->isVisible());
        selection.set_step(9);
        QVERIFY(!store->isVisible());
        selection.set_step(6);
        QVERIFY(store->isVisible());
        // Each is of its own moment, and what other pages take for the best checkpoint's is not touched.
        QVERIFY(set_at(3)->values.series != set_at(6)->values.series);
        QVERIFY(!run.embeddings() || run.embeddings()->values.weights == "best");
        QTest::mouseClick(store, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(set_at(6)->stored, patience);
        QVERIFY(!set_at(3)->stored);
        QCOMPARE(store::read_embedding(file("any/test/f/run.h5"), "test", "6").series,
                 set_at(6)->values.series);
        // Of the validation windows the run has kept some: they are shown until all are computed, and stay.
        auto* split = control<QComboBox>(page, QStringLiteral("Split of the windows"));
        QVERIFY(split);
        split->setCurrentIndex(1);
        const auto val = [&] { return run.embeddings_of({"val", 6}); };
        QTRY_VERIFY_WITH_TIMEOUT(val() && val()->stored, patience);
        QTRY_VERIFY(compute->isEnabled());
        QTest::mouseClick(compute, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(val() && !val()->stored && !run.embedding_status().is_busy(), patience);
        QVERIFY(!store->isVisible());
        const auto labels = page.findChildren<QLabel*>();
        QTRY_VERIFY(std::any_of(labels.begin(), labels.end(), [](const auto* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("cannot be stored"));
        }));
        // The next start finds what was stored.
        FileRunLibrary next;
        auto& again = *open(next, "any", "f");
        again.read_embeddings({"test", 6});
        QTRY_VERIFY_WITH_TIMEOUT(again.embeddings_of({"test", 6}), patience);
        QCOMPARE(again.embeddings_of({"test", 6})->values.series, set_at(6)->values.series);
        QVERIFY(!again.embeddings());
    }

    /// A run that was watched was looked at between its snapshots, and before its first step.
    void probes_between_snapshots_are_not_snapshots() {
        fs::create_directories(file("watched/test"));
        fs::copy(file("runs/test/a"), file("watched/test/g"), fs::copy_options::recursive);
        FileRunLibrary library;
        auto& run = *open(library, "watched", "g");
        const auto row = run.summary().row;
        train::RunStarted started;
        started.first_step = steps_.back();
        const auto log = std::make_shared<train::RunLog>([] {});
        log->on_started(started);
        for (const std::int64_t step : {0, 3, 4, 6, 8, 9, 10}) {
            auto told = std::make_shared<train::Probe>();
            told->step = step;
            log->on_probe(told);
            library.live().grew(run.folder(), log);
        }
        library.live().finished(run.folder(), row);
        QCOMPARE(run.probes().size(), std::size_t{7});
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        selection.set_runs({run.folder()});
        page.source().set_source(EmbeddingSource::snapshot);
        QTRY_COMPARE(page.source().moment_of(run)->step, std::optional<std::int64_t>(10));  // from run.h5
        const std::vector<std::pair<std::int64_t, std::int64_t>> meant{{0, 3}, {4, 3}, {6, 6}, {8, 6}};
        for (const auto& [chosen, snapshot] : meant) {
            selection.set_step(chosen);
            QCOMPARE(page.source().moment_of(run)->step, std::optional<std::int64_t>(snapshot));
        }
    }

    void only_the_latest_unsaved_set_is_kept() {
        const auto host = std::make_shared<EmbeddingHost>(1, 0);
        EmbeddingWork work(path("runs/test/a"), host, [](bool) {});
        const auto compute = [&](const EmbeddingMoment& moment) {
            inspect::EmbeddingRequest request;
            request.device = "cpu";
            request.windows = 5;
            if (moment.step) request.weights = std::to_string(*moment.step);
            return work.compute(request) &&
                   QTest::qWaitFor([&] { return !work.status().is_busy(); }, patience) && work.set_of(moment);
        };
        QVERIFY(compute({"test", 3}));
        QVERIFY(work.set_of({"test", 3}));  // the latest stays
        QVERIFY(compute({"test", 6}));
        QVERIFY(!work.set_of({"test", 3}));
        QVERIFY(compute("test"));
        QVERIFY(compute({"test", 9}));
        QVERIFY(work.set() && !work.set()->stored && !work.set_of({"test", 6}));
    }

    /// The run goes on: what was asked for of its former weights is not computed of others.
    void forgotten_requests_are_dropped() {
        EmbeddingWork work(path("runs/test/a"), std::make_shared<EmbeddingHost>(), [](bool) {});
        inspect::EmbeddingRequest request;
        request.device = "cpu";
        request.windows = 5;
        work.read_stored("test");
        QVERIFY(work.status().is_busy() && work.compute(request));  // waits for the reading
        work.forget();
        QTRY_VERIFY_WITH_TIMEOUT(!work.status().is_busy(), patience);
        QVERIFY(!work.set());
        QVERIFY(work.compute(request));
        QTRY_VERIFY_WITH_TIMEOUT(!work.status().is_busy(), patience);
        QVERIFY(work.set());
    }

    void many_are_thinned_evenly() {
        const auto stored = inspect::read_stored_probes({file("runs/test/a"), steps_, 4, 2});
        QCOMPARE(stored.probes.size(), std::size_t{2});
        QCOMPARE(stored.probes.front()->step, std::int64_t{3});
        QCOMPARE(stored.probes.back()->step, std::int64_t{10});
    }

    void damaged_snapshot_is_reported_and_others_are_read() {
        fs::create_directories(file("bad/test/d/snapshots"));
        fs::copy_file(file("runs/test/a/arrays.h5"), file("bad/test/d/arrays.h5"));
        std::ofstream(file("bad/test/d/snapshots/7.safetensors")) << "nothing";
        auto steps = steps_;
        steps.insert(steps.begin() + 2, 7);
        const auto stored = inspect::read_stored_probes({file("bad/test/d"), steps, 4});
        QCOMPARE(stored.probes.size(), std::size_t{4});
        QVERIFY2(stored.problem.english().find("7.safetensors") != std::string::npos,
                 stored.problem.english().c_str());
        std::stop_source stop;
        stop.request_stop();
        const inspect::StoredProbeRequest request{file("bad/test/d"), steps, 4};
        bool cancelled = false;
        try {
            (void)inspect::read_stored_probes(request, stop.get_token());
        } catch (const Cancelled&) {
            cancelled = true;
        }
        QVERIFY(cancelled);
        QVERIFY(inspect::read_stored_probes({file("nowhere"), steps, 4}).probes.empty());
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }
    [[nodiscard]] fs::path file(const QString& name) const { return path(name).toStdString(); }
    [[nodiscard]] config::Config settings() const {
        auto config = test::small_config(csv_);
        config.run.snapshot_steps = 3;
        config.run.store_embeddings = true;
        config.run.keep_last = true;
        return config;
    }
    [[nodiscard]] RunData* open(FileRunLibrary& library, const QString& root, const QString& name) const {
        library.open(path(root));
        const auto folder = path(root + QStringLiteral("/test/") + name);
        if (!QTest::qWaitFor([&] { return library.index_of(folder) >= 0; }, patience)) qFatal("no run");
        auto* run = library.data(folder);
        run->load();
        if (!QTest::qWaitFor([&] { return run->is_loaded(); }, patience)) qFatal("it was not read");
        return run;
    }

    QTemporaryDir dir_;
    std::string csv_;
    std::vector<std::int64_t> steps_;
};

TEST_MAIN(TestStoredSnapshots)
#include "test_stored_snapshots.moc"
