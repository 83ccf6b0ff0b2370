// From the form to the queue: what cannot run is refused before it leaves a run behind.
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "gui/launcher.h"
#include "gui/preview_source.h"
#include "gui/run_queue.h"
#include "state/file_run_library.h"

using namespace casp;
using namespace casp::gui;

class TestLauncher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void a_missing_backbone_leaves_no_run();
    void a_sweep_starts_what_can_start();

private:
    QTemporaryDir folder_;
};

namespace {

struct Bench {
    widgets::ExperimentModel experiment;
    RunQueue queue;
    widgets::FileRunLibrary library;
    widgets::Selection selection;
    Launcher launcher{experiment, queue, library, selection};
    QSignalSpy missing{&launcher, &Launcher::backbone_missing}, problem{&launcher, &Launcher::problem};

    explicit Bench(const QString& folder) {
        queue.hold(true);
        launcher.set_output_folder(folder);
        experiment.set("data.path", std::string("/data/x.csv"));
        experiment.set("name", std::string("e"));
    }
};

}  // namespace

void TestLauncher::initTestCase() {
    QVERIFY(folder_.isValid());
    qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());  // without GPT-2
}

void TestLauncher::a_missing_backbone_leaves_no_run() {
    Bench bench(folder_.filePath("refused"));
    bench.launcher.run();
    QCOMPARE(bench.missing.size(), 1);
    const auto text = bench.missing[0][0].toString();
    QVERIFY2(text.contains("GPT-2 is not on this computer yet") && text.contains("Get GPT-2"),
             qPrintable(text));
    QVERIFY2(!text.contains("--fetch"), "no command line inside the window");
    QVERIFY(bench.missing[0][1].toBool());
    QCOMPARE(bench.problem.size(), 0);
    QVERIFY(bench.queue.items().empty());
    QVERIFY(bench.selection.state().runs.isEmpty());
    QVERIFY(!QDir(folder_.filePath("refused")).exists());
    // Another file that is not there: nothing that could be fetched.
    bench.experiment.set("backbone.path", std::string("/nowhere/model.safetensors"));
    bench.launcher.run();
    QCOMPARE(bench.missing.size(), 2);
    QVERIFY(bench.missing[1][0].toString().contains("/nowhere/model.safetensors"));
    QVERIFY(!bench.missing[1][1].toBool());
    QVERIFY(bench.queue.items().empty());
    bench.experiment.set("backbone.path", std::string("untrained"));
    bench.launcher.run();
    QCOMPARE(bench.missing.size(), 2);
    QCOMPARE(bench.queue.items().size(), std::size_t{1});
}

void TestLauncher::a_sweep_starts_what_can_start() {
    Bench bench(folder_.filePath("sweep"));
    bench.experiment.set_axis("backbone.path", {"catalog:gpt2", "untrained"});
    bench.experiment.set_axis("train.seed", {"1", "2"});
    bench.launcher.run_sweep(bench.experiment.experiment());
    QTRY_COMPARE(bench.missing.size(), 1);  // once, not for every run
    QCOMPARE(bench.queue.items().size(), std::size_t{2});
    for (const auto& item : bench.queue.items())
        QCOMPARE(item.request.config.backbone.path, std::string("untrained"));
}

QTEST_MAIN(TestLauncher)
#include "test_launcher.moc"
