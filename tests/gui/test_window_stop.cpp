// Cancel and pause while a run is evaluated, in the real window: what is going on by then may take minutes.

#include "window_fixture.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QStatusBar>

#include "panels/queue/queue_panel.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestWindowStop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void an_evaluation_can_be_cancelled() {
        auto window = place_->open();
        window->experiment().replace(slow_to_evaluate(500), {}, "slow");
        window->actions().find("run.start")->trigger();
        const auto folder = window->selection().state().runs.value(0);
        const auto run = [&] { return window->library().data(folder); };
        QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr && run()->record().steps.step.size() > 3, test::run_limit);
        window->show_dock("queue");
        auto* queue = window->findChild<widgets::QueuePanel*>();
        queue->view()->setCurrentIndex(queue->model()->index(0));
        auto* cancel = window->actions().find("run.cancel");
        auto* cancel_in_queue = queue->action("queue_cancel");
        bool both = false, others = true, neither = false;
        QString told;
        connect(&window->queue(), &gui::RunQueue::run_grew, this,
                [&](const QString&, const std::shared_ptr<const train::RunLog>& log) {
                    const auto progress = log->now().progress;
                    if (!evaluates(progress) || !told.isEmpty()) return;
                    // The first batches say nothing of the time left, on a fast machine more of them.
                    const auto text = status_text(*window);
                    if (!text.contains(" left") && progress.done * 10 < progress.total * 9) return;
                    told = text;
                    both = cancel->isEnabled() && cancel_in_queue->isEnabled();
                    others = window->actions().find("run.pause")->isEnabled() ||
                             window->actions().find("run.finish")->isEnabled();
                    cancel->trigger();
                    neither = !cancel->isEnabled();
                });
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QVERIFY2(!told.isEmpty(), "the evaluation was over too soon");
        VERIFY_HAS(told, "evaluating test", " left");
        QVERIFY(both && !others && neither);
        QTRY_COMPARE(run()->summary().row.state, store::RunState::cancelled);
        QVERIFY(!cancel->isEnabled() && !cancel_in_queue->isEnabled());
        // The cancel took the early finish back: going on means training, to the end that the settings say.
        const auto steps = run()->record().steps.step.size();
        window->launcher().resume(folder);
        QTRY_VERIFY_WITH_TIMEOUT(run()->record().steps.step.size() > steps, test::run_limit);
        cancel->trigger();
        QVERIFY(test::wait_idle(*window));
        QTRY_COMPARE(run()->summary().row.state, store::RunState::cancelled);
    }

    void an_evaluation_can_be_paused() {
        auto window = place_->open();
        window->experiment().replace(slow_to_evaluate(1), {}, "slow");
        auto* pause = window->actions().find("run.pause");
        int batches = 0;
        connect(&window->queue(), &gui::RunQueue::run_grew, this,
                [&](const QString&, const std::shared_ptr<const train::RunLog>& log) {
                    const auto progress = log->now().progress;
                    if (!evaluates(progress)) return;
                    if (++batches == 1) pause->trigger();
                });
        QElapsedTimer clock;
        clock.start();
        window->actions().find("run.start")->trigger();
        const auto folder = window->selection().state().runs.value(0);
        QTRY_VERIFY_WITH_TIMEOUT(batches > 0, test::run_limit);
        QTest::qWait(500);  // what was on its way
        const int before = batches;
        QElapsedTimer held;
        held.start();
        QTest::qWait(500);
        const double held_seconds = static_cast<double>(held.elapsed()) / 1000;
        QCOMPARE(batches, before);
        QVERIFY(window->queue().is_running() && pause->isChecked());
        const auto text = status_text(*window);
        QVERIFY2(text.contains("paused") && !text.contains(" left"), qPrintable(text));
        pause->trigger();
        QVERIFY(test::wait_idle(*window));
        auto* run = window->library().data(folder);
        QTRY_COMPARE(run->summary().row.state, store::RunState::finished);
        QVERIFY(batches > before);
        // Standing still is no time of the run.
        QVERIFY2(run->summary().row.seconds < double(clock.elapsed()) / 1000 - held_seconds,
                 qPrintable(QString::number(run->summary().row.seconds)));
    }

private:
    /// Of few steps, with a test split that takes a while.
    [[nodiscard]] config::Config slow_to_evaluate(std::int64_t epochs) const {
        auto config = place_->tiny(epochs);
        const auto csv = place_->path("long.csv").toStdString();
        config.data.path = test::write_csv(csv, 8000, test::small_channels);
        config.data.split.rule = "rows";
        config.data.split.rows = {200, 100, 7700};
        return config;
    }
    static bool evaluates(const Progress& progress) {
        return progress.stage == StageOf(Stage::evaluating, "test");
    }
    static QString status_text(const gui::MainWindow& window) {
        for (const auto* label : window.statusBar()->findChildren<QLabel*>())
            if (label->text().contains("step ")) return label->text();
        return {};
    }
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_MAIN(TestWindowStop)
#include "test_window_stop.moc"
