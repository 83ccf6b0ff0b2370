// What the window tells of a run, everywhere the same, and that telling it moves nothing: message bar, status
// bar, list, queue, fork, layout.

#include "window_fixture.h"

#include <algorithm>
#include <filesystem>

#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>

#include "panels/experiment/fork_popover.h"
#include "panels/messages/message_drawer.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_panel.h"
#include "store/run_archive.h"
#include "test_program.h"
#include "verify_text.h"
#include "widgets/panels/data_files.h"

using namespace casp;

class TestWindowTold : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void watched_run_stays_selected_and_reported() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 500);
        QVERIFY(!folder.isEmpty());
        auto* pause = window->actions().find("run.pause");
        auto* list = window->findChild<widgets::RunsPanel*>();
        auto* queue = window->findChild<widgets::QueuePanel*>();
        const auto in_list = [&](int role) {
            const auto* model = list->model();
            return model->index(model->row_of(folder), static_cast<int>(widgets::RunsColumn::name))
                .data(role)
                .toString();
        };
        // Paused: the row, the queue, both lines of progress and the button say so.
        pause->trigger();
        QTRY_COMPARE(in_list(widgets::RunsModel::StateRole), QString("paused"));
        QTRY_VERIFY(queue->model()->entries().front().state == widgets::QueueEntryState::paused);
        QCOMPARE(pause->iconText(), QString("▶ Resume"));
        auto* progress = window->statusBar()->findChild<QProgressBar*>();
        const auto bar_says = [&](const QString& text) {
            for (const auto* label : window->statusBar()->findChildren<QLabel*>())
                if (label->text().contains(text)) return true;
            return false;
        };
        QTRY_VERIFY(bar_says("paused"));
        // One name for it, one share of it.
        QCOMPARE(queue->model()->entries().front().name, widgets::run_title(window->library(), folder));
        QCOMPARE(progress->value(), qRound(1000 * window->library().data(folder)->pace().share()));
        // A hint takes the place of the progress, whatever the run tells meanwhile.
        QVERIFY(progress->isVisible());
        window->statusBar()->showMessage("What a button does");
        Q_EMIT window->queue().changed();
        QVERIFY(!progress->isVisible());
        window->statusBar()->clearMessage();
        QVERIFY(progress->isVisible());
        pause->trigger();
        QTRY_COMPARE(in_list(widgets::RunsModel::StateRole), QString("running"));
        QCOMPARE(pause->iconText(), QString("❚❚ Pause"));
        // A sweep that is queued beside it takes it from nobody's sight.
        auto config = place_->tiny(1);
        config.train.seed = 5;
        config::Experiment sweep = config::load_text(
            config::to_toml(config) + "\n[sweep]\n\"loss.lambda_cov\" = [0.2, 0.3]\n", "test", {});
        window->launcher().run_sweep(sweep);
        QTRY_COMPARE(window->selection().state().runs.size(), 3);
        QVERIFY(window->selection().state().runs.contains(folder));
        QTRY_VERIFY(window->info().text("note").isEmpty() ||
                    !window->info().text("note").contains("already queued"));
        // The same again and one more: what became of each is said.
        sweep = config::load_text(
            config::to_toml(config) + "\n[sweep]\n\"loss.lambda_cov\" = [0.2, 0.3, 0.4]\n", "test", {});
        window->launcher().run_sweep(sweep);
        QTRY_COMPARE(window->info().text("note"), QString("1 of 3 runs are queued; 2 were already queued."));
        for (const auto& item : window->queue().items())
            if (item.state == gui::QueueState::waiting) window->queue().cancel(item.id);
        window->actions().find("run.cancel")->trigger();
        QVERIFY(test::wait_idle(*window));
    }

    void progress_report_updates_only_its_queue_entry() {
        auto window = place_->open();
        window->show_dock("queue");
        const auto folder = place_->start(*window, 5000);
        QVERIFY(!folder.isEmpty());
        auto config = place_->tiny(1);
        config.train.seed = 5;
        window->launcher().run_sweep(config::load_text(
            config::to_toml(config) + "\n[sweep]\n\"loss.lambda_cov\" = [0.2, 0.3, 0.4]\n", "test", {}));
        window->show_dock("training");
        auto* queue = window->findChild<widgets::QueuePanel*>();
        const auto named = [&] {
            const auto& entries = queue->model()->entries();
            return entries.size() == 4 && std::all_of(entries.begin(), entries.end(), [](const auto& entry) {
                       return entry.name.contains(QStringLiteral("λ_cov"));
                   });
        };
        QTRY_VERIFY_WITH_TIMEOUT(named(), 20000);  // their settings were read
        queue->view()->setCurrentIndex(queue->model()->index(2));
        queue->view()->setFocus();
        QTRY_COMPARE(qApp->focusWidget(), queue->view());
        QSignalSpy changed(queue->model(), &QAbstractItemModel::dataChanged),
            reset(queue->model(), &QAbstractItemModel::modelReset),
            inserted(queue->model(), &QAbstractItemModel::rowsInserted),
            removed(queue->model(), &QAbstractItemModel::rowsRemoved);
        const auto from = window->library().data(folder)->pace().step;
        QTRY_VERIFY_WITH_TIMEOUT(window->library().data(folder)->pace().step > from + 100, test::run_limit);
        QVERIFY(!changed.isEmpty());
        for (const auto& told : changed) {
            QCOMPARE(told.at(0).toModelIndex().row(), 0);
            QCOMPARE(told.at(1).toModelIndex().row(), 0);
        }
        QVERIFY(reset.isEmpty() && inserted.isEmpty() && removed.isEmpty());
        QVERIFY(queue->model()->entries().front().progress > 0);
        QCOMPARE(queue->view()->currentIndex().row(), 2);
        QCOMPARE(qApp->focusWidget(), queue->view());
        for (const auto& item : window->queue().items())
            if (item.state == gui::QueueState::waiting) window->queue().cancel(item.id);
        window->actions().find("run.cancel")->trigger();
        QVERIFY(test::wait_idle(*window));
    }

    /// On a collection of series, where the list has sMAPE.
    void report_shows_metrics_of_the_list() {
        const auto folder = place_->path("m4");
        std::vector<test::MadeSeries> series;
        for (int i = 0; i < 20; ++i) series.push_back({"Y" + QByteArray::number(i), 20});
        test::write_m4(folder, "Yearly", series, 6);
        auto config = config::load_text("preset = \"dlinear-m4-yearly\"", "test", {}).base;
        config.data.path = folder.toStdString();
        config.run.device = "cpu";
        config.train.epochs = 1;
        auto window = place_->open();
        window->experiment().replace(config, {}, "m4");
        window->actions().find("run.start")->trigger();
        const auto run = window->selection().state().runs.value(0);
        const auto* log = window->findChild<widgets::MessageDrawer*>();
        const auto report = [&] { return log->texts().filter("OWA").value(0); };
        QTRY_VERIFY_WITH_TIMEOUT(!report().isEmpty(), test::run_limit);
        const auto& row = window->library().at(window->library().index_of(run)).row;
        VERIFY_HAS(report(), QString("test sMAPE %1 %").arg(row.test_smape, 0, 'g', 4));
        QVERIFY(!report().contains("MSE"));
        VERIFY_HAS(report(), "DLinear");  // the model is in the run's name
    }

    void a_fork_begins_at_the_best_weights() {
        auto window = place_->open();
        auto config = place_->tiny(4);
        config.train.learning_rate = 0.1;  // so high that the last epoch is hardly the best
        window->experiment().replace(config, {}, "tiny");
        window->actions().find("run.start")->trigger();
        const auto folder = window->selection().state().runs.value(0);
        QVERIFY(test::wait_idle(*window));
        auto* run = window->library().data(folder);
        QTRY_VERIFY(run->is_loaded() && run->record().attributes.best_step > 0);
        const auto best = run->record().attributes.best_step;
        auto* fork = window->findChild<widgets::ForkPopover*>();
        auto* runs = window->findChild<widgets::RunsPanel*>();
        runs->select_runs({folder});
        QTRY_VERIFY(runs->action("runs_fork")->isEnabled());
        runs->action("runs_fork")->trigger();
        QTRY_VERIFY(fork->isVisible());
        bool said = false;
        for (const auto* label : fork->findChildren<QLabel*>())
            said = said ||
                   label->text().contains(QString("after step %1 (epoch %2)").arg(best).arg((best + 4) / 5));
        QVERIFY(said);
        QVERIFY(fork->name_edit()->text().contains(QString("_from-step-%1_").arg(best)));
        // Its progress is of its own steps.
        QList<double> shares;
        connect(&window->queue(), &gui::RunQueue::run_grew, this, [&](const QString& which) {
            const auto& pace = window->library().data(which)->pace();
            if (pace.step == 0) return;  // it is being prepared
            QCOMPARE(pace.first_step, best);
            shares << pace.share();
        });
        fork->start_button()->click();
        QTRY_VERIFY(window->queue().is_running());
        QVERIFY(test::wait_idle(*window));
        QVERIFY(!shares.isEmpty());
        QCOMPARE(shares.last(), 1.0);
        auto* made = window->library().data(window->selection().state().runs.last());
        QTRY_VERIFY(made->is_loaded() && made->summary().parent == folder);
        QCOMPARE(made->record().steps.step.back(), best + 20);
    }

    void repeated_fork_request_uses_the_last_run() {
        auto window = place_->open();
        const auto folders = copies_of_a_run(*window, {"one", "two"});
        QCOMPARE(folders.size(), 2);
        auto* fork = window->findChild<widgets::ForkPopover*>();
        auto* runs = window->findChild<widgets::RunsPanel*>();
        QSignalSpy named(fork->name_edit(), &QLineEdit::textChanged);
        for (const auto& folder : folders) {
            QVERIFY(!window->library().data(folder)->is_loaded());  // its numbers are read first
            Q_EMIT runs->commands()->fork_requested(folder);
            Q_EMIT runs->commands()->fork_requested(folder);  // pressed twice
        }
        QVERIFY(!fork->isVisible());
        QTRY_VERIFY(fork->isVisible() && fork->name_edit()->text().startsWith("two_"));
        QTRY_VERIFY(window->library().data(folders[0])->is_loaded());
        QTest::qWait(200);  // the other's numbers are told
        QVERIFY(fork->name_edit()->text().startsWith("two_"));
        for (const auto& text : named)
            QVERIFY2(!text[0].toString().startsWith("one_"), "filled in for the first");
        fork->hide();
    }

    void run_in_another_folder_is_reported() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 5000);
        QVERIFY(!folder.isEmpty());
        QLabel* pace = nullptr;
        for (auto* label : window->findChildren<QLabel*>())
            if (label->accessibleName() == "Progress of the run") pace = label;
        QVERIFY(pace != nullptr);
        QTRY_VERIFY(pace->text().contains("step"));
        QVERIFY(QDir().mkpath(place_->path("others")));
        window->set_output_folder(place_->path("others"));
        QTRY_VERIFY2(pace->text().contains("is running in another folder of runs"), qPrintable(pace->text()));
        QVERIFY(pace->text().contains(QFileInfo(folder).fileName()));
        QCOMPARE(pace->toolTip(), folder);
        window->set_output_folder(place_->runs());
        QTRY_VERIFY2(pace->text().contains("step"), qPrintable(pace->text()));
        window->actions().find("run.cancel")->trigger();
        QVERIFY(test::wait_idle(*window));
        QTRY_COMPARE(pace->text(), QString("Nothing is running"));
    }

    void several_archives_want_one_folder() {
        auto window = place_->open();
        const auto folders = copies_of_a_run(*window, {"one", "two", "three"});
        QCOMPARE(folders.size(), 3);
        const auto out = place_->path("out");
        QVERIFY(QDir().mkpath(out));
        const auto pack = [&](const QStringList& runs, const QString& name) {
            Q_EMIT window->findChild<widgets::RunsPanel*>()->commands()->export_requested(runs);
            QList<QFileDialog*> dialogs;
            for (auto* dialog : window->findChildren<QFileDialog*>())
                if (dialog->isVisible()) dialogs << dialog;
            QCOMPARE(dialogs.size(), 1);
            QMetaObject::invokeMethod(dialogs[0], "fileSelected", Q_ARG(QString, name));
            dialogs[0]->close();
        };
        pack(folders, out);
        const auto key = "archives " + out;
        QVERIFY2(window->info().text(key).startsWith("Packing 3 runs…"),
                 qPrintable(window->info().text(key)));
        // Cancel is the way out: closing the message would leave the work to go on unseen.
        for (const auto* button : window->info().findChildren<QToolButton*>())
            QVERIFY(button->parentWidget()->objectName() != key);
        QTRY_VERIFY2_WITH_TIMEOUT(
            window->info().text("note").contains("3 of 3 archives are written to " + out),
            qPrintable(window->info().text("note") + window->info().text("error")), test::run_limit);
        const auto batch = QFileInfo(folders[0]).dir().dirName();
        QStringList files{batch + "-one.tar.gz", batch + "-three.tar.gz", batch + "-two.tar.gz"};
        QCOMPARE(QDir(out).entryList(QDir::Files, QDir::Name), files);
        // What is there already stays, and one that is gone keeps no other from its archive.
        QVERIFY(QDir(folders[0]).removeRecursively());
        pack({folders[0], folders[1]}, out);
        QTRY_VERIFY2_WITH_TIMEOUT(window->info().text("error").contains("1 of 2 archives are written"),
                                  qPrintable(window->info().text("error")), test::run_limit);
        VERIFY_HAS(window->info().text("error"), "it is not a run");
        // A batch is one file.
        pack({QFileInfo(folders[1]).path()}, out + "/whole.tar.gz");
        QTRY_VERIFY2_WITH_TIMEOUT(window->info().text("note").contains("whole.tar.gz is written"),
                                  qPrintable(window->info().text("error")), test::run_limit);
        const casp::store::UnpackedArchive whole((out + "/whole.tar.gz").toStdString());
        for (const char* file : {"two/run.json", "three/run.json", "results.csv"})
            QVERIFY2(std::filesystem::exists(whole.folder() / batch.toStdString() / file), file);
        files << batch + "-two-2.tar.gz"
              << "whole.tar.gz";
        files.sort();
        auto found = QDir(out).entryList(QDir::Files);
        found.sort();
        QCOMPARE(found, files);
    }

    void layout_reset_keeps_the_current_page() {
        auto window = place_->open();
        window->show_dock("compare");
        QTRY_VERIFY(!window->dock("compare")->visibleRegion().isEmpty());
        window->show_dock("messages");
        window->actions().find("view.reset")->trigger();
        QVERIFY(window->dock("messages")->isHidden());
        QTRY_VERIFY(!window->dock("compare")->visibleRegion().isEmpty());
        QVERIFY(window->dock("start")->visibleRegion().isEmpty());
    }

    void f6_marks_the_focused_panel() {
        auto window = place_->open();
        window->show_dock("queue");
        window->show_dock("help");
        const auto mark = [&](const char* dock) {
            return window->dock(dock)->findChild<QWidget*>("focus-mark", Qt::FindDirectChildrenOnly);
        };
        for (const auto* dock : {"queue", "help"}) {
            for (int i = 0; i < 10 && (qApp->focusWidget() == nullptr ||
                                       !window->dock(dock)->isAncestorOf(qApp->focusWidget()));
                 ++i)
                QTest::keyClick(window.get(), Qt::Key_F6);
            QVERIFY2(window->dock(dock)->isAncestorOf(qApp->focusWidget()), dock);
            QVERIFY2(mark(dock) != nullptr && mark(dock)->isVisible(), dock);
            if (const auto folder = qEnvironmentVariable("CASP_TEST_PICTURES"); !folder.isEmpty())
                QVERIFY(window->grab().save(folder + "/f6-" + dock + ".png"));
        }
        QTRY_VERIFY(mark("queue") == nullptr);  // it went with the keyboard
    }

private:
    /// A finished run, and copies of it that no view has read yet.
    [[nodiscard]] QStringList copies_of_a_run(gui::MainWindow& window, const QStringList& names) {
        const auto folder = place_->start(window, 1);
        if (folder.isEmpty() || !test::wait_idle(window)) return {};
        QStringList folders;
        for (const auto& name : names) {
            folders << QFileInfo(folder).path() + '/' + name;
            std::filesystem::copy(folder.toStdString(), folders.back().toStdString(),
                                  std::filesystem::copy_options::recursive);
        }
        window.library().refresh();
        const auto listed = [&] {
            return std::all_of(folders.begin(), folders.end(),
                               [&](const QString& copy) { return window.library().index_of(copy) >= 0; });
        };
        return QTest::qWaitFor(listed, test::run_limit) ? folders : QStringList();
    }
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_MAIN(TestWindowTold)
#include "test_window_told.moc"
