// The window and a disk that fills up, goes away or holds something else: nothing that was entered is lost
// unseen.

#include <sys/mount.h>

#include "window_fixture.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>

#include "gui/application.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/toml_view.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestWindowDisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void closing_with_a_full_disk_asks() {
        {
            auto window = place_->open();
            QVERIFY(window->save_session());
            QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
            {
                const test::FullDisk full;
                QVERIFY(!window->close());
                QVERIFY(window->isVisible());
                VERIFY_HAS(window->info().text("closing"), "session");
                QVERIFY(test::press(*window, "Try again"));
                QVERIFY(window->isVisible() && window->info().has("closing"));
            }
            QVERIFY(test::press(*window, "Try again"));
            QVERIFY(!window->isVisible());
        }
        {
            auto window = place_->open();
            QCOMPARE(window->experiment().config().loss.lambda_cov, 0.37);
            QVERIFY(window->experiment().set("loss.lambda_cov", 0.5).isEmpty());
            const test::FullDisk full;
            QVERIFY(!window->close());
            QVERIFY(test::press(*window, "Close anyway"));
            QVERIFY(!window->isVisible());
        }
        QCOMPARE(place_->open()->experiment().config().loss.lambda_cov, 0.37);
    }

    void a_full_disk_at_the_start() {
        {
            auto full = std::make_unique<test::FullDisk>();
            auto window = place_->open();
            VERIFY_HAS(window->info().text("saving"), "cannot be saved");
            QVERIFY(!window->info().has("second"));
            QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
            QVERIFY(!window->close());
            QVERIFY(window->isVisible());
            full.reset();
            QVERIFY(test::press(*window, "Try again"));
            QVERIFY(!window->isVisible());
            QVERIFY(!window->info().has("saving"));
        }
        QCOMPARE(place_->open()->experiment().config().loss.lambda_cov, 0.37);
    }

    void a_checkpoint_that_cannot_be_written_keeps_the_window() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 10000);
        QVERIFY(!folder.isEmpty());
        QVERIFY(close_without_checkpoint(*window, folder));
        QVERIFY(!window->queue().is_running());
        QTest::qWait(50);  // nothing closes it afterwards
        QVERIFY(window->isVisible());
        for (auto* button : window->info().findChildren<QPushButton*>())
            QVERIFY(button->text() != "Try again");  // that run would not be tried again
        QVERIFY(!window->close());                   // it was not answered
        QVERIFY(window->info().has("closing"));
        QVERIFY(test::press(*window, "Close anyway"));
        QVERIFY(!window->isVisible());
    }

    void new_run_starts_after_cancelled_close() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 10000);
        QVERIFY(!folder.isEmpty());
        QVERIFY(close_without_checkpoint(*window, folder));
        QVERIFY(!place_->start(*window, 1).isEmpty());
        QVERIFY(!window->info().has("closing"));
        QVERIFY(!window->queue().is_held());
        QVERIFY(test::wait_idle(*window));
        QVERIFY(window->close());
    }

    void keeping_the_window_open_resumes_the_queue() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 10000);
        QVERIFY(!folder.isEmpty());
        auto next = place_->tiny(1);
        next.loss.lambda_cov = 0.4;
        window->experiment().replace(next, {}, "next");
        window->actions().find("run.start")->trigger();
        QCOMPARE(window->queue().items().size(), std::size_t(2));
        QVERIFY(close_without_checkpoint(*window, folder));
        QVERIFY(window->queue().is_held() && !window->queue().is_running());
        QVERIFY(test::press(*window, "Keep open"));
        QVERIFY(window->isVisible());
        QVERIFY(!window->info().has("closing"));
        QVERIFY(!window->queue().is_held());  // what waited goes on
        QVERIFY(window->queue().is_running());
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(window->queue().items().back().state, gui::QueueState::done);
        QVERIFY(window->isVisible());
        QVERIFY(window->close());  // that loss was seen: nothing else is lost now
    }

    void keep_open_does_not_stop_the_run() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 10000);
        QVERIFY(!folder.isEmpty());
        const auto steps = [&] { return window->library().data(folder)->record().steps.step.size(); };
        // Where the session belongs there is a folder now.
        QVERIFY(window->save_session());
        QVERIFY(QFile::remove(place_->session()));
        QVERIFY(QDir().mkpath(place_->session()));
        QVERIFY(!window->close());
        VERIFY_HAS(window->info().text("closing"), "session");
        QVERIFY(test::press(*window, "Keep open"));
        QVERIFY(!window->info().has("closing"));
        QVERIFY(window->isVisible() && window->queue().is_running() && !window->queue().is_held());
        const auto before = steps();
        QTRY_VERIFY_WITH_TIMEOUT(steps() > before + 3, test::run_limit);  // it was not stopped
        // The queue is not held for a closing that was called off.
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QVERIFY(!place_->start(*window, 1).isEmpty());
        QVERIFY(test::wait_idle(*window));
        QVERIFY(window->isVisible());
        QVERIFY(QDir().rmdir(place_->session()));
        QVERIFY(window->close());
    }

    void a_signal_writes_a_checkpoint_though_the_session_cannot_be_saved() {
        auto window = place_->open();
        const auto folder = place_->start(*window, 10000);
        QVERIFY(!folder.isEmpty());
        // Where the session belongs there is a folder now.
        QVERIFY(window->save_session());
        QVERIFY(QFile::remove(place_->session()));
        QVERIFY(QDir().mkpath(place_->session()));
        QVERIFY(!window->close());  // a person is asked
        QVERIFY(window->info().has("closing") && window->queue().is_running());
        window->close_for_signal();
        QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
        QCOMPARE(window->queue().items().front().state, gui::QueueState::interrupted);
        QVERIFY(store::current_checkpoint(store::RunFolder(folder.toStdString())));
    }

    void a_signal_with_a_full_disk_closes() {
        auto window = place_->open();
        QVERIFY(!place_->start(*window, 10000).isEmpty());
        const test::FullDisk full;
        window->close_for_signal();
        QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
        QVERIFY(!window->queue().is_running());
    }

    void a_run_that_failed_on_a_full_disk_is_offered_again() {
        QString folder;
        {
            auto window = place_->open();
            folder = place_->start(*window, 10000, 0);
            QVERIFY(!folder.isEmpty());
            QTRY_VERIFY_WITH_TIMEOUT(store::current_checkpoint(store::RunFolder(folder.toStdString())),
                                     test::run_limit);
            {
                const test::FullDisk full;
                QVERIFY(test::wait_idle(*window));
            }
            QCOMPARE(window->queue().items().front().state, gui::QueueState::failed);
            QVERIFY(window->info().has("error"));
            QVERIFY(window->close());
        }
        auto window = place_->open();
        const auto text = window->info().text("recovery");
        VERIFY_HAS(text, QFileInfo(folder).fileName(), "failed");
        QVERIFY2(!text.contains("was stopped"), qPrintable(text));
        // Not answered: it is kept as what it was.
        QVERIFY(window->close());
        QCOMPARE(place_->saved().failed_runs, place_->saved().going_runs);
    }

    void unavailable_csv_keeps_its_corrections() {
        const auto path = place_->write("plain.csv", "10;1;2\n11;3;4\n12;5;6\n");
        {
            auto window = place_->open();
            window->open_paths({path});
            auto* data = window->findChild<widgets::DataPanel*>();
            QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
            config::Config::DataCsv options;
            options.header = "yes";  // by content there is none
            options.time_column = "none";
            options.delimiter = ";";
            data->model().correct(0, options);
            QTRY_VERIFY(!data->model().at(0).busy);
            QVERIFY(window->close());
        }
        QVERIFY(QFile::rename(path, path + ".away"));
        {
            auto window = place_->open();
            auto* data = window->findChild<widgets::DataPanel*>();
            QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
            QVERIFY(data->model().at(0).problem.is_set());
            QTRY_VERIFY2(window->info().text("error").contains("plain.csv"),
                         qPrintable(window->info().text("error")));
            QVERIFY(window->close());
        }
        QVERIFY(QFile::rename(path + ".away", path));
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY(data->model().count() == 1 && !data->model().at(0).busy);
        QVERIFY(!data->model().at(0).problem.is_set());
        QVERIFY(data->model().at(0).is_corrected());
        QVERIFY(data->model().at(0).options.header == "yes");
    }

    void run_on_unmounted_drive_is_offered_later() {
        const auto drive = place_->path("drive"), batch = drive + "/batch";
        for (const auto* run : {"/waits", "/removed"}) {
            QVERIFY(QDir().mkpath(batch + run));
            place_->write(QStringLiteral("drive/batch") + run + "/config.toml", "");
        }
        remember_waiting({batch + "/waits", batch + "/removed"});
        QVERIFY(QDir(batch + "/removed").removeRecursively());
        QVERIFY(QDir().rename(drive, drive + "-away"));
        for (int time = 0; time < 2; ++time) {  // however often it is away
            auto window = place_->open();
            VERIFY_HAS(window->info().text("away"), "waits");
            QVERIFY(!window->info().has("recovery"));
            QVERIFY(window->close());
        }
        QVERIFY(QDir().rename(drive + "-away", drive));
        {
            auto window = place_->open();
            QVERIFY(!window->info().has("away"));
            QCOMPARE(window->info().text("recovery"), QString("One run waited in the queue."));
            QVERIFY(window->close());
        }
        QCOMPARE(place_->saved().waiting_runs, QStringList{batch + "/waits"});
        // One that was removed from among the others is not waited for; nor one that is to be forgotten, nor
        // one whose batch was removed.
        QVERIFY(QDir().rename(drive, drive + "-away"));
        {
            auto window = place_->open();
            QVERIFY(test::press(*window, "Forget"));
            QVERIFY(window->close());
        }
        QCOMPARE(place_->saved().waiting_runs, QStringList());
        QVERIFY(QDir().rename(drive + "-away", drive));
        remember_waiting({batch + "/waits"});
        QVERIFY(QDir(batch).removeRecursively());
        QVERIFY(QDir().mkpath(drive + "/another batch"));
        auto window = place_->open();
        QVERIFY2(!window->info().has("away"), qPrintable(window->info().text("away")));
        QVERIFY(!window->info().has("recovery"));
    }

    void unmounted_drive_leaves_an_empty_folder() {
        if (gui::drive_of(place_->path(".")).isEmpty())
            QSKIP(
                "this system does not tell which drive a folder is on (a chroot without a mount of its own)");
        QString folder;
        {
            auto window = place_->open();
            folder = place_->start(*window, 10000);
            QVERIFY(!folder.isEmpty());
            window->close();
            QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), test::run_limit);
        }
        auto state = place_->saved();
        QCOMPARE(state.output_folder, place_->runs());
        QCOMPARE(state.output_drive, gui::drive_of(place_->runs()));
        QCOMPARE(state.going_runs, QStringList{folder});
        // As if it had been another drive, which is not mounted now.
        state.output_drive = "/mnt/lab";
        QCOMPARE(gui::SessionFile(place_->session()).write(state), QString());
        QVERIFY(QDir().rename(place_->runs(), place_->path("unmounted")));
        QVERIFY(QDir().mkpath(place_->runs()));
        for (int time = 0; time < 2; ++time) {
            auto window = place_->open();
            const auto text = window->info().text("away");
            VERIFY_HAS(text, "/mnt/lab", folder);
            QVERIFY(!window->info().has("recovery"));
            QCOMPARE(window->selection().state().runs, QStringList{folder});
            // Something is written there meanwhile: it is no less away.
            QVERIFY(QDir().mkpath(place_->path("runs/another batch")));
            QVERIFY(window->close());
        }
        QCOMPARE(place_->saved().going_runs, QStringList{folder});
        QCOMPARE(place_->saved().shown_runs, QStringList{folder});
        // It comes back under the window's eyes.
        auto window = place_->open();
        QVERIFY(window->info().has("away"));
        QVERIFY(QDir(place_->runs()).removeRecursively());
        QVERIFY(QDir().rename(place_->path("unmounted"), place_->runs()));
        QTRY_VERIFY_WITH_TIMEOUT(window->info().has("recovery"), test::run_limit);
        VERIFY_HAS(window->info().text("recovery"), QFileInfo(folder).fileName());
        QTRY_VERIFY_WITH_TIMEOUT(!window->info().has("away"),
                                 test::run_limit);  // with the next look at the runs
        QVERIFY(test::press(*window, "Continue"));
        QVERIFY(window->queue().is_running());
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
        QTRY_VERIFY_WITH_TIMEOUT(
            window->save_session() && place_->saved().output_drive == gui::drive_of(place_->runs()), 15000);
    }

    void empty_folder_on_an_unknown_drive() {
        if (gui::drive_of(place_->path(".")).isEmpty())
            QSKIP(
                "this system does not tell which drive a folder is on (a chroot without a mount of its own)");
        const auto run = place_->path("runs/batch/waits");
        QVERIFY(QDir().mkpath(place_->runs()));
        remember_waiting({run});
        {
            auto window = place_->open();  // it may be one that is not mounted
            VERIFY_HAS(window->info().text("away"), "waits");
            QVERIFY(window->close());
        }
        QCOMPARE(place_->saved().waiting_runs, QStringList{run});
        auto state = place_->saved();
        state.output_drive = gui::drive_of(place_->runs());
        QCOMPARE(gui::SessionFile(place_->session()).write(state), QString());
        auto window = place_->open();  // the drive is there: the run was removed
        QVERIFY2(!window->info().has("away"), qPrintable(window->info().text("away")));
        QVERIFY(window->close());
        QCOMPARE(place_->saved().waiting_runs, QStringList());
    }

    void a_drive_that_is_unmounted() {
        if (gui::drive_of(place_->path(".")).isEmpty())
            QSKIP(
                "this system does not tell which drive a folder is on (a chroot without a mount of its own)");
        const auto drive = place_->path("drive").toUtf8(), point = place_->runs().toUtf8();
        QVERIFY(QDir().mkpath(drive) && QDir().mkpath(point));
        const auto mount = [&] {
            return ::mount(drive.constData(), point.constData(), nullptr, MS_BIND, nullptr) == 0;
        };
        const auto unmount = [&] { return ::umount2(point.constData(), MNT_DETACH) == 0; };
        if (!mount()) QSKIP("no permission to mount");
        const auto clean = qScopeGuard([&] { (void)unmount(); });
        auto window = place_->open();
        const auto folder = place_->start(*window, 1);
        QVERIFY(!folder.isEmpty());
        QVERIFY(test::wait_idle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(window->save_session() && place_->saved().output_drive == place_->runs(),
                                 15000);
        QVERIFY(!window->info().has("away"));
        QVERIFY(unmount());
        QTRY_VERIFY_WITH_TIMEOUT(window->info().text("away").contains("drive of the runs is not there"),
                                 30000);
        QCOMPARE(window->library().size(), 0);
        QVERIFY(window->close());  // and closed without it: what was shown is kept
        window.reset();
        QCOMPARE(place_->saved().output_drive, place_->runs());
        QCOMPARE(place_->saved().shown_runs, QStringList{folder});
        window = place_->open();
        QVERIFY(window->info().has("away"));
        QVERIFY(mount());
        QTRY_COMPARE_WITH_TIMEOUT(window->library().size(), 1, 30000);
        QTRY_VERIFY(!window->info().has("away"));
        QCOMPARE(window->selection().state().runs, QStringList{folder});
        window.reset();
    }

    void damaged_run_stays_in_the_session() {
        const auto run = place_->path("drive/batch/damaged");
        QVERIFY(QDir().mkpath(run + "/last"));
        place_->write("drive/batch/damaged/last/current", "step-7\n");  // which is not there
        remember_waiting({run});
        {
            auto window = place_->open();
            QVERIFY2(!window->info().has("away"), qPrintable(window->info().text("away")));
            QVERIFY(!window->info().has("recovery"));
            QVERIFY(window->close());
        }
        QCOMPARE(place_->saved().waiting_runs, QStringList{run});
    }

    void uncaught_exception_is_reported() {
        auto window = place_->open();
        auto* application = static_cast<gui::Application*>(qApp);
        application->unexpected = [&](const QString& problem) { window->report_unexpected(problem); };
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
        QTimer::singleShot(0, window.get(), [] { throw std::runtime_error("the roof is leaking"); });
        QTRY_VERIFY2(window->info().text("error").contains("the roof is leaking"),
                     qPrintable(window->info().text("error")));
        QTRY_VERIFY_WITH_TIMEOUT(!place_->saved().parts.value("experiment").isEmpty(), 15000);
        // The same many times a second is said once.
        window->report_unexpected("the cellar is wet");
        window->info().remove("error");
        window->report_unexpected("the cellar is wet");
        QVERIFY(!window->info().has("error"));
        window->report_unexpected("the door is open");
        QVERIFY(window->info().text("error").contains("the door is open"));
        application->unexpected = nullptr;
    }

private:
    /// As if a window had been closed with these in its queue.
    void remember_waiting(const QStringList& runs) const {
        gui::SessionState state;
        state.output_folder = place_->runs();
        state.waiting_runs = runs;
        if (!gui::SessionFile(place_->session()).write(state).isEmpty()) qFatal("cannot write");
    }
    /// Closes a window whose run cannot write its checkpoint, and waits for what the window says of it.
    static bool close_without_checkpoint(gui::MainWindow& window, const QString& folder) {
        // Where its checkpoints belong there is a file now.
        QDir(folder + "/last").removeRecursively();
        QFile in_the_way(folder + "/last");
        if (!in_the_way.open(QIODevice::WriteOnly)) return false;
        in_the_way.close();
        if (window.close()) return false;
        const auto said = [&] {
            return window.info().text("closing").contains("failed while the window closed");
        };
        return QTest::qWaitFor(said, test::run_limit) && window.isVisible();
    }
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_PROGRAM(TestWindowDisk)(int argc, char** argv) {
    gui::Application application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    TestWindowDisk test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_disk.moc"
