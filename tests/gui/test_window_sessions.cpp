// What a window leaves to the next one: closed, killed, ended by a signal, and with others beside it.

#include <sys/resource.h>

#include "window_fixture.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSaveFile>

#include "gui/gui_main.h"
#include "panels/experiment/toml_view.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"
#include "widgets/require_gl.h"

using namespace casp;

namespace {
const QByteArray unapplied = "[loss]\nlambda_cov = 0.25  # not applied yet\n";
}

namespace {

/// Opens the window on the given session, starts a long run, tells when its checkpoint is there.
int be_the_child(const QStringList& arguments) {
    gui::MainWindow window{gui::SessionFile(arguments.value(2))};
    const auto session = gui::SessionFile(arguments.value(2)).of_window(arguments.value(5, "1").toInt());
    window.set_output_folder(arguments.value(3));
    window.show();
    auto config = test::small_config(arguments.value(4).toStdString());
    config.train.epochs = 10000;
    config.train.patience = 10000;
    config.run.checkpoint_seconds = 0;
    config.loss.lambda_cov = 0.1;
    window.experiment().replace(config, {}, "child");
    window.actions().find("run.start")->trigger();
    (void)window.experiment().set("loss.lambda_cov", 0.1234);  // typed after the run had begun
    QTimer timer;
    int rounds = 0;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        const auto folder = window.selection().state().runs.value(0);
        if (++rounds == 5) {
            auto* toml = window.findChild<widgets::TomlView*>();
            toml->begin_edit();
            toml->text_edit()->setPlainText(QString::fromUtf8(unapplied));
        }
        if (rounds > 15 && store::current_checkpoint(store::RunFolder(folder.toStdString())) &&
            gui::SessionFile(session).read(nullptr, false).parts.value("toml_draft") == unapplied) {
            std::fputs("checkpoint\n", stdout);
            std::fflush(stdout);
            rounds = -1000000;
        }
    });
    timer.start(100);
    return QApplication::exec();
}

/// Opens the window on the given session, writes down what came back, and closes it.
int be_opened_again(const QStringList& arguments) {
    gui::MainWindow window{gui::SessionFile(arguments.value(2))};
    window.show();
    QTimer::singleShot(0, &window, [&] {
        QSaveFile file(arguments.value(3));
        if (!file.open(QIODevice::WriteOnly)) return;
        file.write(window.info().has("second") ? "second " : "first ");
        file.write(QByteArray::number(window.experiment().config().loss.lambda_cov) + '\n');
        file.write(window.findChild<widgets::TomlView*>()->draft().toUtf8());
        if (window.close()) file.commit();
    });
    return QApplication::exec();
}

/// In the program as it is, run_window(): starts a run as soon as its window is there, and tells of its first
/// checkpoint.
void start_in_the_program() {
    const auto arguments = QCoreApplication::arguments();
    if (arguments.value(1) != "--program") return;
    QTimer::singleShot(0, qApp, [csv = arguments.value(2)] {
        gui::MainWindow* window = nullptr;
        for (auto* widget : QApplication::topLevelWidgets())
            if (window == nullptr) window = qobject_cast<gui::MainWindow*>(widget);
        auto config = test::small_config(csv.toStdString());
        config.train.epochs = 10000;
        config.train.patience = 10000;
        config.run.checkpoint_seconds = 0;
        window->experiment().replace(config, {}, "program");
        window->actions().find("run.start")->trigger();
        auto* timer = new QTimer(window);
        QObject::connect(timer, &QTimer::timeout, window, [window, timer] {
            const auto folder = window->selection().state().runs.value(0);
            if (!store::current_checkpoint(store::RunFolder(folder.toStdString()))) return;
            timer->stop();
            if (!window->save_session()) return;
            std::fputs("checkpoint\n", stdout);
            std::fflush(stdout);
        });
        timer->start(20);
    });
}

}  // namespace

class TestWindowSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void killed_window_offers_to_continue_data() {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("checkpoint") << "was interrupted and can be resumed from its last checkpoint.";
        QTest::newRow("no checkpoint")
            << "was interrupted before its first checkpoint and starts again from the beginning.";
        QTest::newRow("lost checkpoint") << QString();
    }

    void killed_window_offers_to_continue() {
        QFETCH(const QString, sentence);
        // The same program as a child: it opens the window, starts a run and waits to be killed.
        const auto csv = place_->csv();
        QProcess child;
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(),
                    {"test_window_sessions", "--child", place_->session(), place_->runs(), csv});
        QVERIFY(child.waitForStarted());
        QByteArray said;
        QVERIFY(
            QTest::qWaitFor([&] { return (said += child.readAllStandardOutput()).contains("checkpoint\n"); },
                            test::run_limit));
        ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished());
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        const store::RunFolder run_folder(place_->saved().going_runs.value(0).toStdString());
        if (QTest::currentDataTag() != QByteArray("checkpoint"))
            std::filesystem::remove_all(run_folder.last());
        if (QTest::currentDataTag() == QByteArray("no checkpoint")) {
            auto record = store::read_run_file(run_folder.run_file());
            record.attributes.checkpointed = false;
            store::write_run_file(run_folder.path(), record);
        }

        auto window = place_->open();
        QCOMPARE(window->info().has("recovery"), !sentence.isEmpty());
        if (sentence.isEmpty()) return;  // it cannot be resumed
        QVERIFY2(window->info().text("recovery").endsWith(sentence),
                 qPrintable(window->info().text("recovery")));
        // What was entered is there again, also what was not applied yet.
        QCOMPARE(window->experiment().config().loss.lambda_cov, 0.1234);
        QCOMPARE(window->findChild<widgets::TomlView*>()->draft(), QString::fromUtf8(unapplied));
        for (auto* button : window->info().findChildren<QPushButton*>())
            if (button->text() == "Continue") button->click();
        QVERIFY(window->queue().is_running());
        const auto folder = QString::fromStdString(window->queue().items().front().request.folder.string());
        QTRY_VERIFY_WITH_TIMEOUT(window->library().data(folder) != nullptr &&
                                     !window->library().data(folder)->record().steps.step.empty(),
                                 test::run_limit);
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
    }

    void second_window_keeps_its_settings() {
        {
            auto first = place_->open();
            QVERIFY(first->experiment().set("loss.lambda_cov", 0.2).isEmpty());
            QVERIFY(first->save_session());
            auto second = place_->open();
            QVERIFY(second->info().has("second"));
            QVERIFY(!first->info().has("second"));
            QCOMPARE(second->experiment().config().loss.lambda_cov, 0.2);  // begins as the first
            QVERIFY(second->experiment().set("loss.lambda_cov", 0.33).isEmpty());
            QVERIFY(second->close());
            QVERIFY(first->close());
        }
        auto first = place_->open();
        QCOMPARE(first->experiment().config().loss.lambda_cov, 0.2);
        auto second = place_->open();
        QCOMPARE(second->experiment().config().loss.lambda_cov, 0.33);
    }

    void session_of_killed_second_window_is_restored() {
        {
            auto first = place_->open();
            QVERIFY(first->experiment().set("loss.lambda_cov", 0.2).isEmpty());
            QVERIFY(first->save_session());
            QProcess child;
            child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            child.start(
                QCoreApplication::applicationFilePath(),
                {"test_window_sessions", "--child", place_->session(), place_->runs(), place_->csv(), "2"});
            QVERIFY(has_checkpoint(child));
            child.kill();
            QVERIFY(child.waitForFinished());
            QVERIFY(first->close());
        }
        QCOMPARE(place_->saved(2).going_runs.size(), 1);
        const auto folder = place_->saved(2).going_runs.first();
        for (int time = 0; time < 2; ++time) {  // however often it is not answered
            auto window = place_->open();
            QCOMPARE(window->experiment().config().loss.lambda_cov, 0.2);
            const auto text = window->info().text("recovery");
            VERIFY_HAS(text, QFileInfo(folder).fileName(), "can be resumed");
            QVERIFY2(time > 0 || text.contains("was interrupted"), qPrintable(text));
            VERIFY_HAS(window->info().text("windows"), "ended unexpectedly");
            QTRY_VERIFY_WITH_TIMEOUT(place_->saved(2).going_runs.isEmpty(), 15000);  // it has one place
            QCOMPARE(place_->saved().going_runs, QStringList{folder});
            QCOMPARE(place_->saved(2).parts.value("toml_draft"), unapplied);
            QVERIFY(window->close());
        }
        auto window = place_->open();
        const auto report = place_->path("opened again");
        window->set_program_of_other_windows(QCoreApplication::applicationFilePath(),
                                             {"test_window_sessions", "--reopen", place_->session(), report});
        QVERIFY(test::press(*window, "Open it again"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(report), test::run_limit);
        QCOMPARE(test::bytes_of(report.toStdString()), "second 0.1234\n" + unapplied.toStdString());
        QVERIFY(test::press(*window, "Continue"));
        QVERIFY(window->queue().is_running());
        QTRY_VERIFY_WITH_TIMEOUT(window->library().data(folder) != nullptr &&
                                     !window->library().data(folder)->record().steps.step.empty(),
                                 test::run_limit);
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
        // It was closed this time: nothing is left to be offered.
        QVERIFY(window->close());
        QTRY_VERIFY(place_->saved(2).closed_properly);
        window.reset();
        window = place_->open();
        QVERIFY(!window->info().has("windows") && !window->info().has("recovery"));
    }

    void runs_of_a_closed_second_window_are_offered_once() {
        QString folder;
        {
            auto first = place_->open();
            QVERIFY(first->save_session());
            auto second = place_->open();
            QVERIFY(second->info().has("second"));
            folder = place_->start(*second, 10000);
            QVERIFY(!folder.isEmpty());
            second->close();
            QTRY_VERIFY_WITH_TIMEOUT(!second->isVisible(), test::run_limit);
            QVERIFY(first->close());
        }
        QCOMPARE(place_->saved(2).going_runs, QStringList{folder});
        auto window = place_->open();
        VERIFY_HAS(window->info().text("recovery"), "was stopped when the window closed");
        QVERIFY(!window->info().has("windows"));  // it was closed: nobody misses it
        QVERIFY(window->save_session());
        auto second = place_->open();
        QVERIFY(second->info().has("second"));
        QVERIFY(!second->info().has("recovery"));
        QVERIFY(second->close());
        QVERIFY(test::press(*window, "Not now"));
        QVERIFY(window->close());
        window.reset();
        second.reset();
        QVERIFY(!place_->open()->info().has("recovery"));
    }

    void other_sessions_wait_for_disk_space() {
        const auto run = place_->path("drive/batch/waits");
        QVERIFY(QDir().mkpath(run));
        (void)place_->write("drive/batch/waits/config.toml", "");
        gui::SessionState state;
        state.waiting_runs = {run};
        state.closed_properly = false;
        // The third window's: of the second there is nothing.
        QCOMPARE(gui::SessionFile(place_->session()).of_window(3).write(state), QString());
        auto full = std::make_unique<test::FullDisk>();
        auto window = place_->open();
        QVERIFY(window->info().has("saving"));
        QVERIFY(!window->save_session());
        QCOMPARE(place_->saved(3).waiting_runs, QStringList{run});
        full.reset();
        QVERIFY(window->save_session());
        QCOMPARE(window->info().text("recovery"), QString("One run waited in the queue."));
        QVERIFY(window->info().has("windows"));
        QCOMPARE(place_->saved().waiting_runs, QStringList{run});
        QCOMPARE(place_->saved(3).waiting_runs, QStringList());
        QVERIFY(!place_->saved(3).closed_properly);
        window->info().remove("recovery");
        QVERIFY(test::press(*window, "Not now"));
        QVERIFY(place_->saved(3).closed_properly);
        QVERIFY(window->close());
        window.reset();
        QVERIFY(!place_->open()->info().has("windows"));
    }

    void damaged_session_of_another_window_is_reported() {
        (void)place_->write("session-2.json", "{ cut");
        auto window = place_->open();
        const auto text = window->info().text("session");
        VERIFY_HAS(text, "session-2.json could not be read", "session-2.json.damaged");
        QCOMPARE(test::bytes_of(place_->path("session-2.json.damaged").toStdString()), std::string("{ cut"));
    }

    void sigterm_with_a_full_disk() {
        auto config = place_->tiny();
        config.loss.lambda_cov = 0.37;
        const auto toml = place_->write("entered.toml", QByteArray::fromStdString(config::to_toml(config)));
        QProcess program;
        prepare(program, CASP_EXECUTABLE, {toml});
        program.start();
        QTRY_VERIFY_WITH_TIMEOUT(
            gui::SessionFile(session_at_home()).read(nullptr, false).recent_files.contains(toml),
            test::run_limit);
        QVERIFY(fill_disk_of(program));
        program.terminate();
        QVERIFY(program.waitForFinished(test::run_limit));
        const auto said = program.readAllStandardError();
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, said.constData());
        VERIFY_HAS(said, "The session cannot be saved");
        const gui::MainWindow window{gui::SessionFile(session_at_home())};
        QCOMPARE(const_cast<gui::MainWindow&>(window).experiment().config().loss.lambda_cov, 0.37);
    }

    void sigterm_with_a_full_disk_while_a_run_trains() {
        QProcess program;
        prepare(program, QCoreApplication::applicationFilePath(),
                {"test_window_sessions", "--program", place_->csv()});
        program.start();
        QVERIFY(has_checkpoint(program));
        QVERIFY(fill_disk_of(program));
        program.terminate();
        QVERIFY(program.waitForFinished(test::run_limit));
        const auto said = program.readAllStandardError();
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, said.constData());
        VERIFY_HAS(said, "The session cannot be saved");
        // What was on the disk before is whole: the run goes on from it.
        gui::MainWindow window{gui::SessionFile(session_at_home())};
        window.show();
        const auto folder = gui::SessionFile(session_at_home()).read(nullptr, false).going_runs.value(0);
        VERIFY_HAS(window.info().text("recovery"), QFileInfo(folder).fileName());
        QVERIFY(test::press(window, "Continue"));
        QTRY_VERIFY_WITH_TIMEOUT(window.library().data(folder) != nullptr &&
                                     window.library().data(folder)->record().steps.step.size() > 3,
                                 test::run_limit);
        window.actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(window));
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
    }

    void a_signal_closes_with_a_checkpoint_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("times");
        QTest::newRow("SIGTERM") << SIGTERM << 1;
        QTest::newRow("SIGINT") << SIGINT << 1;
        QTest::newRow("SIGHUP") << SIGHUP << 1;
        // Of a terminal that goes the system tells and the shell.
        QTest::newRow("SIGHUP twice") << SIGHUP << 2;
    }

    void a_signal_closes_with_a_checkpoint() {
        QFETCH(int, signal);
        QFETCH(int, times);
        QProcess program;
        prepare(program, QCoreApplication::applicationFilePath(),
                {"test_window_sessions", "--program", place_->csv()});
        // Whatever this test was started with.
        program.setChildProcessModifier([] {
            for (const int number : {SIGHUP, SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
        });
        program.start();
        QVERIFY(has_checkpoint(program));
        const auto folder = going_run();
        for (int time = 0; time < times; ++time) ::kill(static_cast<pid_t>(program.processId()), signal);
        QVERIFY(program.waitForFinished(test::run_limit));
        const auto said = program.readAllStandardError();
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, said.constData());
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::interrupted);
        QVERIFY(store::current_checkpoint(store::RunFolder(folder.toStdString())));
        gui::MainWindow window{gui::SessionFile(session_at_home())};
        window.show();
        VERIFY_HAS(window.info().text("recovery"), QFileInfo(folder).fileName());
    }

    void a_hangup_after_nohup_is_ignored() {
        QProcess program;
        prepare(program, QCoreApplication::applicationFilePath(),
                {"test_window_sessions", "--program", place_->csv()});
        program.setChildProcessModifier([] { std::signal(SIGHUP, SIG_IGN); });
        program.start();
        QVERIFY(has_checkpoint(program));
        const auto folder = going_run();
        const store::RunFolder run(folder.toStdString());
        for (int time = 0; time < 2; ++time) ::kill(static_cast<pid_t>(program.processId()), SIGHUP);
        // It trains on, past the step it may have been in.
        for (int more = 0; more < 3; ++more) {
            const auto before = store::current_checkpoint(run);
            QTRY_VERIFY_WITH_TIMEOUT(store::current_checkpoint(run) != before, test::run_limit);
        }
        QCOMPARE(program.state(), QProcess::Running);
        program.terminate();
        QVERIFY(program.waitForFinished(test::run_limit));
        QVERIFY(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0);
        QCOMPARE(test::file_state(folder.toStdString()), store::RunState::interrupted);
    }

private:
    /// Of the run that goes on in a child.
    [[nodiscard]] QString going_run() const {
        return gui::SessionFile(session_at_home()).read(nullptr, false).going_runs.value(0);
    }
    /// Waits until a child has said that its run has a checkpoint.
    static bool has_checkpoint(QProcess& child) {
        QByteArray said;
        return QTest::qWaitFor(
            [&] { return (said += child.readAllStandardOutput()).contains("checkpoint\n"); },
            test::run_limit);
    }
    /// No file of this process can grow any more.
    static bool fill_disk_of(const QProcess& process) {
        const rlimit none{0, RLIM_INFINITY};
        return ::prlimit(static_cast<pid_t>(process.processId()), RLIMIT_FSIZE, &none, nullptr) == 0;
    }
    /// A program with a session of its own, in `home`, which is made; runs go where place_ has them.
    void prepare(QProcess& process, const QString& program, const QStringList& arguments) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_DATA_HOME", place_->path("home"));
        process.setProcessEnvironment(environment);
        process.setProgram(program);
        process.setArguments(arguments);
        gui::SessionState state;
        state.output_folder = place_->runs();
        QCOMPARE(gui::SessionFile(session_at_home()).write(state), QString());
    }
    [[nodiscard]] QString session_at_home() const { return place_->path("home/caspstudio/session.json"); }
    std::unique_ptr<test::WindowPlace> place_;
};

Q_COREAPP_STARTUP_FUNCTION(start_in_the_program)

TEST_PROGRAM(TestWindowSessions)(int argc, char** argv) {
    if (argc > 1 && argv[1] == std::string("--program")) {
        std::signal(SIGXFSZ, SIG_IGN);  // as main() does
        return gui::run_window(argc, argv, {});
    }
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    const auto arguments = QApplication::arguments();
    if (arguments.value(1) == "--child") return be_the_child(arguments);
    if (arguments.value(1) == "--reopen") return be_opened_again(arguments);
    TestWindowSessions test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_sessions.moc"
