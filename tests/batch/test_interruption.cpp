// The program under signals: interrupted, killed, continued.
#include <unistd.h>

#include <csignal>

#include <QtTest>

#include "batch_fixture.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestInterruption : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        // 4 × 27 steps: long enough for a signal to arrive while they go on.
        place_.write("small.toml",
                     test::small_experiment().replace("epochs = 3", "epochs = 4\npatience = 20"));
        VERIFY_RUN(r, 0, {"--batch", "small.toml", "--out", "plain"});
    }

    void interrupted_run_continues_to_the_same_result() {
        QProcess process;
        QVERIFY(start(process, {"--out", "interrupted"}, 10));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("--resume"));
        QVERIFY(place_.read("interrupted/small/results.csv").contains("single,interrupted,"));

        VERIFY_RUN(refused, 2, {"--batch", "small.toml", "--out", "interrupted"});
        QVERIFY(refused.err.contains("--resume"));

        VERIFY_RUN(resumed, 0, {"--batch", "small.toml", "--out", "interrupted", "--resume"});
        QVERIFY(resumed.err.contains("continuing after step"));
        verify_same("interrupted");
    }

    /// A terminal that goes: told of by the system and by the shell, which is not to be Ctrl+C twice.
    void a_hangup_is_an_interruption() {
        QProcess process;
        process.setChildProcessModifier([] { std::signal(SIGHUP, SIG_DFL); });
        QVERIFY(start(process, {"--out", "hung_up", "--set", "run.checkpoint_seconds=1000"}, 10));
        for (int time = 0; time < 2; ++time) ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(place_.read("hung_up/small/results.csv").contains("single,interrupted,"));
        VERIFY_RUN(resumed, 0,
                   {"--batch", "small.toml", "--out", "hung_up", "--set", "run.checkpoint_seconds=1000",
                    "--resume"});
        QVERIFY(resumed.err.contains("continuing after step"));
        verify_same("hung_up");
    }

    void a_hangup_after_nohup_is_ignored() {
        QProcess process;
        process.setChildProcessModifier([] { std::signal(SIGHUP, SIG_IGN); });
        QVERIFY(start(process, {"--out", "nohup"}, 10));
        ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        verify_same("nohup");
    }

    void signal_after_the_last_step_is_ignored() {
        QProcess process;
        if (start(process, {"--out", "late", "--set", "train.epochs=1"}, 1, "finished"))
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(place_.read("late/small/results.csv").contains("single,finished,"));
    }

    /// As the program does to itself when it starts anew for its threads' sake.
    void signal_blocked_during_startup_interrupts() {
        for (const bool anew : {false, true}) {
            QProcess process;
            place_.prepare(process, {"--batch", "small.toml", "--out", "held"});
            if (anew) {
                auto environment = process.processEnvironment();
                environment.remove("OMP_WAIT_POLICY");
                environment.remove("GOMP_SPINCOUNT");
                process.setProcessEnvironment(environment);
            }
            process.setChildProcessModifier([] {
                sigset_t held;
                sigemptyset(&held);
                sigaddset(&held, SIGINT);
                sigprocmask(SIG_BLOCK, &held, nullptr);
                std::raise(SIGINT);
            });
            process.start();
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 130);
        }
    }

    /// In the middle of a step, without saving; what was saved before is intact.
    void two_signals_stop_at_once() {
        // Steps of about a second.
        place_.write("slow.toml", test::small_experiment()
                                      .replace("layers = 1", "layers = 10")
                                      .replace("width = 24", "width = 96")
                                      .replace("positions = 32", "positions = 128")
                                      .replace("batch_size = 8", "batch_size = 209")
                                      .replace("[model]\n", "[model]\npatch_stride = 1\nhead_ways = 1\n"));
        QProcess process;
        place_.prepare(process, {"--batch", "slow.toml", "--log-format", "json", "--out", "twice", "--set",
                                 "train.max_steps=1"});
        process.start();
        process.setReadChannel(QProcess::StandardError);
        QByteArray log;
        while (!log.contains("\"event\":\"started\"") && process.waitForReadyRead(60000))
            log += process.readAllStandardError();
        const auto interrupt = [&] {
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            // Until it has arrived, two that wait being one; without the event loop, which may take its time.
            QFile status(QString("/proc/%1/status").arg(process.processId()));
            for (int i = 0; i < 1000 && status.open(QIODevice::ReadOnly); ++i) {
                const auto words = status.readAll();
                status.close();
                const auto at = words.indexOf("ShdPnd:");
                if (at < 0 || (words.mid(at + 7, 17).trimmed().toULongLong(nullptr, 16) & 2U) == 0) break;
                QThread::msleep(1);
            }
        };
        interrupt();
        interrupt();
        QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(30000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        VERIFY_HAS(place_.read("twice/slow/single/run.json"), "\"state\": \"running\"");
        VERIFY_RUN(resumed, 0,
                   {"--batch", "slow.toml", "--out", "twice", "--resume", "--set", "train.max_steps=1"});
    }

    /// What the window's "Finish early and evaluate" is; the next run is not meant.
    void a_signal_finishes_one_run_of_a_sweep_early() {
        QProcess process;
        QVERIFY(start(process, {"--out", "early", "--set", "sweep.train.seed=[1, 2]"}, 5));
        ::kill(static_cast<pid_t>(process.processId()), SIGUSR2);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const auto lines = test::Finished::lines_of(place_.read("early/small/results.csv"));
        QCOMPARE(lines.size(), qsizetype{3});
        QVERIFY2(lines[1].startsWith("seed-1,finished_early,"), lines[1].constData());
        QVERIFY2(lines[2].startsWith("seed-2,finished,"), lines[2].constData());
        // It stands in no mean, and is told apart wherever means are.
        const auto cells = [](const QByteArray& line) { return line.trimmed().split(','); };
        const double early = cells(lines[1])[13].toDouble(), whole = cells(lines[2])[13].toDouble();
        QVERIFY(early != whole);
        const auto summary = test::Finished::lines_of(place_.read("early/small/summary.csv"));
        QCOMPARE(cells(summary[0]).mid(2, 2), (QList<QByteArray>{"runs", "n"}));
        QCOMPARE(cells(summary[1]).mid(2, 2), (QList<QByteArray>{"2", "1"}));
        QCOMPARE(cells(summary[1])[cells(summary[0]).indexOf("finished_early")], QByteArray("1"));
        QCOMPARE(cells(summary[1])[cells(summary[0]).indexOf("test_mse_mean")].toDouble(), whole);
#ifndef CASP_WITH_GUI
        QSKIP("the sweep was ended early and counted; its figures need a build with the window (CASP_GUI)");
#endif
        const QString figure = "sensitivity:test_mse:loss.lambda_cov";
        VERIFY_RUN(drawn, 0,
                   {"--batch", "small.toml", "--out", "early", "--set", "sweep.train.seed=[1, 2]",
                    "--figures", figure});
        VERIFY_HAS(drawn.err, "seed-1 was finished early");
        const auto file = "early/small/figures/" + QString(figure).replace(':', '-');
        const auto numbers = test::Finished::lines_of(place_.read(file + ".csv"));
        const auto row = cells(numbers.at(1));
        QCOMPARE(cells(numbers.at(0)).mid(4, 6),
                 (QList<QByteArray>{"n", "mean", "sd", "finished_early", "early_in_mean", "early_values"}));
        QCOMPARE(row[4], QByteArray("1"));
        QCOMPARE(row[5].toDouble(), whole);
        QCOMPARE(row[7], QByteArray("1"));
        QCOMPARE(row[8], QByteArray("no"));
        QCOMPARE(row[9].toDouble(), early);
        QVERIFY(place_.read(file + ".txt").contains("not in the means"));
        VERIFY_RUN(wrong, 2, {"--batch", "small.toml", "--out", "early", "--figures", "sensitivity:erly"});
        VERIFY_HAS(wrong.err, "there is no metric \"erly\"");
    }
    void describing_can_be_stopped() {
        QByteArray text = "date,a\n";
        while (text.size() < 400'000) text += "2020-01-01 00:00:00,1.25\n";
        QFile file(place_.path("long.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 400; ++i) QVERIFY(file.write(text) == text.size());
        file.close();
        QProcess process;
        place_.prepare(process, {"--describe", "long.csv"});
        process.start();
        QVERIFY(process.waitForStarted());
        // As soon as the program handles signals itself (SigCgt, second bit), which it reads before the file.
        QTRY_VERIFY([&] {
            QFile status(QString("/proc/%1/status").arg(process.processId()));
            if (!status.open(QIODevice::ReadOnly)) return false;
            const auto words = status.readAll();
            const auto at = words.indexOf("SigCgt:");
            return at > 0 && (words.mid(at + 7, 17).trimmed().toULongLong(nullptr, 16) & 2U) != 0;
        }());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        file.remove();
    }

    /// SIGUSR1 is what clusters send before a job's time ends, often several times.
    void terminated_sweep_lists_remaining_runs() {
        for (const int signal : {SIGTERM, SIGUSR1}) {
            const auto out = QString("sweep%1").arg(signal);
            QProcess process;
            QVERIFY(start(process, {"--out", out, "--set", "sweep.train.seed=[1, 2]"}, 5));
            for (int i = 0; i < (signal == SIGUSR1 ? 3 : 1); ++i)
                ::kill(static_cast<pid_t>(process.processId()), signal);
            QVERIFY(process.waitForFinished(30000));
            QCOMPARE(process.exitCode(), 130);
            const auto lines = test::Finished::lines_of(place_.read(out + "/small/results.csv"));
            QCOMPARE(lines.size(), qsizetype{3});
            QVERIFY(lines[1].startsWith("seed-1,interrupted,"));
            QVERIFY(lines[2].startsWith("seed-2,queued,"));
            VERIFY_RUN(
                resumed, 0,
                {"--batch", "small.toml", "--out", out, "--set", "sweep.train.seed=[1, 2]", "--resume"});
        }
    }

    /// Of a sweep: it is that one's to train, and has not failed. This test stands for the other process.
    void run_locked_by_another_process_is_skipped() {
        const QStringList sweep{"--out", "shared", "--set", "sweep.train.seed=[1, 2, 3]"};
        const store::RunFolder second(place_.path("shared/small/seed-2").toStdString());
        const auto me = "being written by process " + QByteArray::number(::getpid());
        {
            QProcess process;
            QVERIFY(start(process, sweep, 1));
            // It is in its first run, and stays there until it is read on.
            const auto program = static_cast<pid_t>(process.processId());
            QCOMPARE(::kill(program, SIGSTOP), 0);
            const store::RunLock lock(second);
            VERIFY_HAS(place_.read("shared/small/seed-1/run.json"), "\"state\": \"running\"");
            QCOMPARE(::kill(program, SIGCONT), 0);
            QVERIFY(process.waitForFinished(600000));
            const auto told = process.readAllStandardError();
            VERIFY_HAS(told, "seed-2 is skipped: ", me,
                       "seed-2, run by another process, is not finished yet");
            QVERIFY(!told.contains("seed-2 failed"));
            QCOMPARE(process.exitCode(), 1);  // the tables lack one
            const auto lines = test::Finished::lines_of(place_.read("shared/small/results.csv"));
            QCOMPARE(lines.size(), qsizetype{4});
            QVERIFY(lines[1].startsWith("seed-1,finished,") && lines[3].startsWith("seed-3,finished,"));
            QVERIFY2(lines[2].startsWith("seed-2,queued,"), lines[2].constData());
            // One that is held when the batch begins is told before anything is started.
            for (const QStringList& more : {QStringList(), QStringList{"--resume"}}) {
                VERIFY_RUN(refused, 2, QStringList{"--batch", "small.toml"} + sweep + more);
                VERIFY_HAS(refused.err, me);
            }
        }
        VERIFY_RUN(rest, 0, QStringList{"--batch", "small.toml"} + sweep + QStringList{"--resume"});
        QVERIFY(place_.read("shared/small/results.csv").contains("seed-2,finished,"));
    }

    void processor_runs_map_no_cuda() {
        QProcess process;
        QVERIFY(start(process, {"--out", "maps"}, 3));
        QFile maps(QString("/proc/%1/maps").arg(process.processId()));
        QVERIFY(maps.open(QIODevice::ReadOnly));
        const auto text = maps.readAll();
        process.kill();
        process.waitForFinished();
        QVERIFY(text.contains("libtorch_cpu"));
        for (const char* library :
             {"libtorch_cuda", "libcublas", "libcudnn", "libcuda.so", "libcufft", "libnccl"})
            QVERIFY2(!text.contains(library), library);
    }

    /// Those that spin for long would make a run many times slower beside another busy program; who asks for
    /// them has them.
    void waiting_threads_sleep() {
        for (const char* wanted : {"", "active"}) {
            QProcess process;
            place_.prepare(process,
                           {"--batch", "small.toml", "--out", QStringLiteral("sleep%1").arg(wanted)});
            auto environment = process.processEnvironment();
            environment.remove("OMP_WAIT_POLICY");
            environment.remove("GOMP_SPINCOUNT");
            if (*wanted != '\0') environment.insert("OMP_WAIT_POLICY", wanted);
            process.setProcessEnvironment(environment);
            process.start();
            process.setReadChannel(QProcess::StandardError);
            QVERIFY(process.waitForReadyRead(60000));
            QFile file(QString("/proc/%1/environ").arg(process.processId()));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto text = file.readAll();
            process.kill();
            process.waitForFinished();
            QCOMPARE(text.contains("GOMP_SPINCOUNT"), *wanted == '\0');
            VERIFY_HAS(text, *wanted == '\0' ? "GOMP_SPINCOUNT=3000" : "OMP_WAIT_POLICY=active");
        }
    }

    /// caspstudio becomes the full program with libgomp's settings, and loads none of its libraries before:
    /// libgomp reports once, not twice, what it is set to.
    void libraries_are_set_up_once() {
        const QStringList batch{"--batch", "missing.toml"}, window{};
        for (const auto& arguments : {batch, window}) {
            QProcess process;
            place_.prepare(process, arguments);
            auto environment = process.processEnvironment();
            for (const char* name :
                 {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
                environment.remove(name);
            environment.insert("OMP_DISPLAY_ENV", "verbose");
            process.setProcessEnvironment(environment);
            process.start();
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitCode(), 2);  // no such file, no display
            const QString said = process.readAllStandardError();
            QCOMPARE(said.count("OPENMP DISPLAY ENVIRONMENT BEGIN"), 1);
            const char* expected =
                arguments.isEmpty() ? "OMP_WAIT_POLICY = 'PASSIVE'" : "GOMP_SPINCOUNT = '3000'";
            VERIFY_HAS(said, expected);
        }
    }

private:
    /// Starts a batch and waits until it has told of `times` events; false: it ended before.
    bool start(QProcess& process, const QStringList& arguments, int times, const char* event = "step") const {
        return place_.start(process, QStringList{"--batch", "small.toml", "--log-format", "json"} + arguments,
                            QByteArray("\"event\":\"") + event + "\"", times);
    }

    void verify_same(const QString& out) const {
        QVERIFY(test::tensors_of(place_.path(out + "/small/single/best.safetensors")) ==
                test::tensors_of(place_.path("plain/small/single/best.safetensors")));
        QCOMPARE(test::results_without_seconds(place_.read(out + "/small/results.csv")),
                 test::results_without_seconds(place_.read("plain/small/results.csv")));
        const auto a = store::read_run_file(place_.path(out + "/small/single/run.h5").toStdString());
        const auto b = store::read_run_file(place_.path("plain/small/single/run.h5").toStdString());
        QCOMPARE(a.steps.step, b.steps.step);
        QCOMPARE(a.steps.total, b.steps.total);
        QCOMPARE(a.epochs.val_mse, b.epochs.val_mse);
        QCOMPARE(a.anchors.usage_train, b.anchors.usage_train);
        QVERIFY(!QFile::exists(place_.path(out + "/small/single/last")));
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestInterruption)
#include "test_interruption.moc"
