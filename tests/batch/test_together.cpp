// run.together: several runs in one process, each as if it were alone.
#include <csignal>

#include <QtTest>

#include "batch_fixture.h"
#include "store/run_control.h"
#include "test_program.h"
#include "util/threads.h"
#include "verify_text.h"

using namespace casp;
using test::batch;

namespace {

const QStringList set_four_seeds{"--set", "sweep.train.seed=[1, 2, 3, 4]"};
const QStringList seeds{"seed-1", "seed-2", "seed-3", "seed-4"};

QStringList together(const QString& runs) { return {"--set", "run.together=" + runs}; }
QStringList together(int runs) { return together(QString::number(runs)); }
QStringList to(const QString& out) { return {"--out", out}; }

}  // namespace

class TestTogether : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", test::small_experiment());
        VERIFY_RUN(alone, 0, batch + set_four_seeds + to("alone"));
    }

    void concurrent_runs_equal_separate_runs_data() {
        QTest::addColumn<QString>("runs");
        QTest::addColumn<QString>("threads");
        QTest::addColumn<QString>("said");
        const auto processors = usable_processors();
        const auto at_once = std::min(processors, 4);
        QTest::addRow("one at a time") << "4"
                                       << "0"
                                       << "up to 4 runs share this process; 1 computes at a time";
        QTest::addRow("as many at a time as there are processors") << "3"
                                                                   << "1"
                                                                   << "up to 3 runs share this process; ";
        QTest::addRow("more than there are runs") << "9"
                                                  << "1"
                                                  << "up to 9 runs share this process; ";
        QTest::addRow("auto, all threads") << "auto"
                                           << "0"
                                           << "one run at a time, which uses all processors";
        QTest::addRow("auto, one thread")
            << "auto"
            << "1"
            << (processors == 1
                    ? QStringLiteral("one run at a time, which uses 1 of 1 processor")
                    : QStringLiteral("up to %1 runs share this process; %1 compute at a time (%2 processors, "
                                     "run.threads = 1)")
                          .arg(at_once)
                          .arg(processors));
    }

    void concurrent_runs_equal_separate_runs() {
        QFETCH(QString, runs);
        QFETCH(QString, threads);
        QFETCH(QString, said);
        const auto out = runs + "-together-" + threads;
        const auto same = batch + set_four_seeds + QStringList{"--set", "run.threads=" + threads};
        const QString alone = threads == "1" ? "alone" : "alone-all-threads";
        VERIFY_RUN(one_after_another, 0, same + to(alone));
        VERIFY_RUN(end, 0, same + to(out) + together(runs));
        VERIFY_HAS(end.err, said.toUtf8());
        QCOMPARE(table(out), table(alone));
        for (const auto& run : seeds) QVERIFY(tensors(out, run) == tensors(alone, run));
        VERIFY_RUN(again, 0, same + to(out) + together(runs));
        QCOMPARE(again.err.count(" is already finished"), qsizetype{4});
    }

    void models_may_differ() {
        const QStringList models{"--set", "sweep.model.name=[\"casp-llm\", \"ofa\", \"dlinear\", \"naive\"]"};
        VERIFY_RUN(alone, 0, batch + models + to("models-alone"));
        VERIFY_RUN(end, 0, batch + models + to("models") + together(4));
        QCOMPARE(table("models"), table("models-alone"));
    }

    void workers_share_processes_too() {
        const auto arguments = batch + set_four_seeds + to("workers") + together(2) + QStringList{"--worker"};
        QProcess other;
        place_.prepare(other, arguments);
        other.start();
        VERIFY_RUN(one, 0, arguments);
        QVERIFY(other.waitForFinished(600000));
        const auto messages = one.err + other.readAllStandardError();
        QVERIFY2(other.exitCode() == 0, messages.constData());
        QCOMPARE(messages.count(": test MSE "), qsizetype{4});
        QCOMPARE(table("workers"), table("alone"));
    }

    void messages_name_their_run() {
        VERIFY_RUN(text, 0, batch + set_four_seeds + to("text") + together(2));
        for (const auto& line : text.err_lines()) {
            const bool of_a_run = line.contains("epoch ") || line.contains("test MSE");
            QVERIFY2(!of_a_run || line.startsWith("seed-"), line.constData());
        }
        VERIFY_RUN(json, 0,
                   batch + set_four_seeds + to("json") + together(2) + QStringList{"--log-format", "json"});
        for (const auto& line : json.err_lines()) {
            const auto event = nlohmann::json::parse(line.toStdString());
            QVERIFY2(event["event"] == "message" || event.contains("run"), line.constData());
        }
    }

    void an_interrupted_batch_is_resumed() {
        QProcess process;
        start_two_runs(process, batch + set_four_seeds + to("stopped") + together(2));
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        for (const auto& run : seeds.first(2))
            QVERIFY2(place_.read("stopped/small/" + run + "/run.json").contains("\"state\": \"interrupted\""),
                     qPrintable(run));
        VERIFY_RUN(rest, 0, batch + set_four_seeds + to("stopped") + together(3) + QStringList{"--resume"});
        QCOMPARE(rest.err.count("continuing after step "), qsizetype{2});
        QCOMPARE(table("stopped"), table("alone"));
        for (const auto& run : seeds) QVERIFY(tensors("stopped", run) == tensors("alone", run));
    }

    void a_request_to_finish_early_ends_the_runs_in_progress() {
        QProcess process;
        start_two_runs(process, batch + set_four_seeds + to("early") + together(2));
        ::kill(static_cast<pid_t>(process.processId()), SIGUSR2);
        read_to_the_end(process);
        QCOMPARE(process.exitCode(), 0);
        const auto rows = test::Finished::lines_of(place_.read("early/small/results.csv"));
        QCOMPARE(rows.size(), qsizetype{5});
        for (int run = 1; run <= 4; ++run)
            VERIFY_HAS(rows[run], run <= 2 ? ",finished_early," : ",finished,");
    }

    void cancelled_run_leaves_others_running_data() {
        QTest::addColumn<QString>("mode");
        QTest::addRow("batch") << "--resume";
        QTest::addRow("worker") << "--worker";
    }

    void cancelled_run_leaves_others_running() {
        QFETCH(QString, mode);
        const auto out = "cancelled" + mode;
        const auto arguments = batch + set_four_seeds + to(out) + together(2) + QStringList{mode};
        QProcess process;
        start_two_runs(process, arguments);
        store::send_command(place_.path(out + "/small/seed-1").toStdString(), store::RunCommand::cancel);
        QTest::qSleep(1500);  // it looks twice a second, and does not get far while its messages are not read
        read_to_the_end(process);
        QCOMPARE(process.exitCode(), 130);
        const auto rows = test::Finished::lines_of(place_.read(out + "/small/results.csv"));
        QCOMPARE(rows.size(), qsizetype{5});
        for (int run = 1; run <= 4; ++run) VERIFY_HAS(rows[run], run == 1 ? ",cancelled," : ",finished,");
        VERIFY_RUN(rest, 0, arguments);
        QCOMPARE(table(out), table("alone"));
    }

    void failed_run_leaves_others_running() {
        VERIFY_RUN(end, 1,
                   batch + to("failed") + together(3) +
                       QStringList{"--set", "sweep.run.device=[\"cpu\", \"cuda:99\"]", "--set",
                                   "sweep.train.seed=[1, 2]"});
        const auto rows = place_.read("failed/small/results.csv");
        QCOMPARE(rows.count(",finished,"), qsizetype{2});
        QCOMPARE(rows.count(",failed,"), qsizetype{2});
    }

    void bad_input_starts_nothing() {
        VERIFY_RUN(missing, 2,
                   batch + set_four_seeds + to("missing") + together(4) +
                       QStringList{"--set", "data.path=\"nothing.csv\""});
        QCOMPARE(missing.err.count("nothing.csv"), qsizetype{1});
        QVERIFY(!QFile::exists(place_.path("missing")));
    }

    void contradicting_settings_data() {
        QTest::addColumn<QString>("runs");
        QTest::addColumn<QString>("setting");
        for (const QString runs : {"2", "auto"}) {
            QTest::addRow("%s, processes", qPrintable(runs)) << runs << "run.processes=2";
            QTest::addRow("%s, threads differ", qPrintable(runs)) << runs << "sweep.run.threads=[1, 2]";
            QTest::addRow("%s, numbers differ", qPrintable(runs))
                << runs << "sweep.run.together=[1, \"auto\"]";
        }
        QTest::addRow("auto, devices differ") << "auto"
                                              << "sweep.run.device=[\"cpu\", \"cuda\"]";
    }

    void contradicting_settings() {
        QFETCH(QString, runs);
        QFETCH(QString, setting);
        VERIFY_RUN(end, 2, batch + to("contradiction") + together(runs) + QStringList{"--set", setting});
        VERIFY_HAS(end.err, "run.together: ");
        QVERIFY(!QFile::exists(place_.path("contradiction")));
    }

private:
    [[nodiscard]] QByteArray table(const QString& out) const {
        return test::results_without_seconds(place_.read(out + "/small/results.csv"));
    }
    [[nodiscard]] std::map<std::string, std::string> tensors(const QString& out, const QString& run) const {
        return test::tensors_of(place_.path(out + "/small/" + run + "/best.safetensors"));
    }
    /// Of a process with --log-format json, until each of `runs` has made a step.
    static void wait_for_steps_of(QProcess& process, const QStringList& runs) {
        process.setReadChannel(QProcess::StandardError);
        QByteArray log;
        const auto has_step = [&](const QString& run) {
            for (const auto& line : log.split('\n'))
                if (line.contains("\"event\":\"step\"") && line.contains("\"run\":\"" + run.toUtf8() + "\""))
                    return true;
            return false;
        };
        while (!std::all_of(runs.begin(), runs.end(), has_step) && process.waitForReadyRead(60000))
            log += process.readAllStandardError();
    }

    /// Starts a batch that gets no further than its messages are read, and waits until its first two runs are
    /// in progress.
    void start_two_runs(QProcess& process, const QStringList& arguments) const {
        place_.prepare(process, arguments + QStringList{"--log-format", "json"});
        test::keep_in_step(process);
        process.start();
        wait_for_steps_of(process, {"seed-1", "seed-2"});
    }
    static void read_to_the_end(QProcess& process) {
        while (process.state() == QProcess::Running) {
            process.waitForReadyRead(60000);
            process.readAllStandardError();
        }
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestTogether)
#include "test_together.moc"
