// Several processes on one batch: workers, shares, merged folders, devices.
#include <unistd.h>

#include <csignal>

#include <QtTest>

#include "batch_fixture.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using test::batch;

namespace {

const QString four_seeds = "sweep.train.seed=[1, 2, 3, 4]";

}  // namespace

class TestWorkers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", test::small_experiment());
        VERIFY_RUN(plain, 0, batch + QStringList{"--out", "plain", "--set", four_seeds});
    }

    /// This test stands for the other process.
    void worker_skips_locked_runs() {
        const QStringList shared = batch + QStringList{"--out", "held", "--set", four_seeds};
        const store::RunFolder second(place_.path("held/small/seed-2").toStdString());
        second.create();
        {
            const store::RunLock lock(second);
            VERIFY_RUN(worker, 0, shared + QStringList{"--worker"});
            QVERIFY2(!worker.err.contains("seed-2"), worker.err.constData());
            QVERIFY(!place_.read("held/small/results.csv").contains("seed-2,finished"));
        }
        VERIFY_RUN(rest, 0, shared + QStringList{"--worker"});
        QCOMPARE(table("held/small"), table("plain/small"));
    }

    void a_worker_retries_old_failures_once() {
        const QStringList wild = batch + QStringList{"--out", "wild", "--set",
                                                     "sweep.run.device=[\"cpu\", \"cuda:99\"]", "--worker"};
        for (int i = 0; i < 2; ++i) {
            VERIFY_RUN(worker, 1, wild);
            QCOMPARE(worker.err.count("device-cuda-99 failed: "), qsizetype{1});
        }
        const auto lines = test::Finished::lines_of(place_.read("wild/small/results.csv"));
        QCOMPARE(lines.size(), qsizetype{3});
        QVERIFY2(lines[1].startsWith("device-cpu,finished,"), lines[1].constData());
        QVERIFY2(lines[2].startsWith("device-cuda-99,failed,"), lines[2].constData());
    }

    void bad_input_starts_nothing() {
        VERIFY_RUN(missing, 2,
                   batch + QStringList{"--worker", "--out", "missing", "--set", "data.path=\"nothing.csv\""});
        QVERIFY(!QFile::exists(place_.path("missing")));
        for (const auto* share : {"0/2", "3/2", "2", "1/", "/2", "a/b", "-1/2", "1/2/3"}) {
            VERIFY_RUN(refused, 2, batch + QStringList{"--runs", share});
            VERIFY_HAS(refused.err, "expected I/N with 1 ≤ I ≤ N");
        }
        VERIFY_RUN(elsewhere, 2, {"--worker", "--describe", "series.csv"});
        VERIFY_HAS(elsewhere.err, "--worker does not apply to --describe");
    }

    void partial_batches_are_merged() {
        for (const QString share : {"1", "2", "3"}) {
            VERIFY_RUN(
                part, 0,
                batch + QStringList{"--runs", share + "/3", "--out", "part" + share, "--set", four_seeds});
            const QByteArray share_text = share == "1" ? "Finished: 2 of 4 runs" : "Finished: 1 of 4 runs";
            VERIFY_HAS(part.out, share_text);
        }
        QVERIFY(QFile::exists(place_.path("part1/small/seed-4")) &&
                !QFile::exists(place_.path("part2/small/seed-4")));
        // Batch folders and folders of batches, in any order.
        VERIFY_RUN(merged, 0, {"--merge", "part3", "part1/small", "part2", "--out", "merged"});
        VERIFY_HAS(merged.out, "4 runs of 3 folders, 4 finished");
        QVERIFY2(!merged.out.contains("in none of the folders"), merged.out.constData());
        VERIFY_RUN(incomplete, 0, {"--merge", "part1", "part3", "--out", "incomplete"});
        VERIFY_HAS(incomplete.out, "At least 1 run of the sweep");
        QCOMPARE(table("merged/small"), table("plain/small"));
        QCOMPARE(test::tensors_of(place_.path("merged/small/seed-3/best.safetensors")),
                 test::tensors_of(place_.path("plain/small/seed-3/best.safetensors")));
        VERIFY_RUN(verified, 0, {"--verify", "merged"});
        // The same runs twice are no contradiction.
        VERIFY_RUN(twice, 0, {"--merge", "part1", "merged", "--out", "twice"});
        VERIFY_HAS(twice.out, "In several folders", "seed-1, seed-4");
        const auto inside = place_.run({"--merge", "part1", "part2", "--out", "part1/new"});
        QVERIFY2(inside.code == 2 && inside.err.contains("whose runs are merged"), inside.err.constData());
        QVERIFY(!QFile::exists(place_.path("part1/new")));
        VERIFY_RUN(again, 2, {"--merge", "part1", "--out", "merged"});
        VERIFY_HAS(again.err, "merged/small: this exists");
    }

    void other_runs_are_not_merged() {
        const auto other = [&](const QString& out, const QStringList& settings) {
            QStringList arguments = batch + QStringList{"--out", out, "--set", "sweep.train.seed=[7]"};
            for (const auto& setting : settings) arguments += QStringList{"--set", setting};
            VERIFY_RUN(made, 0, arguments);
        };
        const auto refusal = [&](const QString& out) {
            const auto refused = place_.run({"--merge", "plain", out, "--out", "never"});
            return refused.code == 2 && !QFile::exists(place_.path("never/small")) ? refused.err
                                                                                   : QByteArray();
        };
        other("longer", {"train.epochs=1"});
        auto told = refusal("longer");
        VERIFY_HAS(told, "these runs have other settings", "train.epochs was 3, is now 1",
                   "plain/small/seed-1", "longer/small/seed-7");
        place_.write("other.csv", place_.read("series.csv").replace("\n", " \n").replace("0.1", "0.2"));
        other("data", {"data.path=\"other.csv\""});
        told = refusal("data");
        VERIFY_HAS(told, "these runs have other data (");
        QVERIFY(QDir().mkpath(place_.path("same")));
        place_.write("same/series.csv", place_.read("other.csv"));
        other("digest", {"data.path=\"same/series.csv\""});
        told = refusal("digest");
        VERIFY_HAS(told, "these runs have other data (series; SHA-256 ");
        other("named", {"name=\"another\""});
        told = refusal("named");
        VERIFY_HAS(told, "the folders have different batches: \"small\"", "\"another\"");
        // Settings of the machine do not matter.
        other("machine", {"run.lock=\"lease\"", "run.checkpoint_seconds=7"});
        VERIFY_RUN(merged, 0, {"--merge", "plain", "machine", "--out", "machines"});
        VERIFY_RUN(empty, 2, {"--merge", "home", "--out", "never"});
        VERIFY_RUN(nowhere, 2, {"--merge", "plain"});
        VERIFY_HAS(nowhere.err, "--merge without --out");
    }

    void unfinished_runs_are_merged() {
        QProcess process;
        start(process, batch + QStringList{"--out", "half", "--set", four_seeds});
        VERIFY_RUN(held, 2, {"--merge", "half", "--out", "never"});
        VERIFY_HAS(held.err, "being written by process " + QByteArray::number(process.processId()));
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(60000));
        VERIFY_RUN(merged, 0, {"--merge", "half", "--out", "whole"});
        VERIFY_HAS(merged.out, "1 run of 1 folder, 0 finished");
        VERIFY_RUN(rest, 0, batch + QStringList{"--worker", "--out", "whole", "--set", four_seeds});
        VERIFY_HAS(rest.err, "continuing after step ");
        QCOMPARE(table("whole/small"), table("plain/small"));
    }

    void each_device_has_one_worker() {
        VERIFY_RUN(made, 0,
                   batch + QStringList{"--out", "devices", "--set", four_seeds, "--set",
                                       "run.devices=[\"cpu\", \"cpu\"]"});
        VERIFY_HAS(made.err, "one worker on each of 2 devices", "cpu | run ");
        QVERIFY(made.out.contains("Tables and runs: devices/small"));
        QCOMPARE(table("devices/small"), table("plain/small"));
    }

    /// Its process is killed: the run fails, and the other worker makes the rest.
    void killed_worker_fails_only_its_run() {
        QProcess process;
        place_.prepare(process, batch + QStringList{"--out", "killed", "--set", four_seeds, "--set",
                                                    "run.devices=[\"cpu\", \"cpu\"]", "--set",
                                                    "train.epochs=40", "--set", "train.patience=40"});
        process.start();
        std::int64_t victim = 0;
        QString run;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                for (const QString name : {"seed-1", "seed-2"}) {
                    run = name;
                    victim =
                        store::FolderLock::last_process(place_.path("killed/small/" + name).toStdString());
                    if (victim > 0 && QFile::exists(place_.path("killed/small/" + name + "/run.h5")))
                        return true;
                }
                return false;
            }(),
            600000);
        QVERIFY(victim != process.processId());
        ::kill(static_cast<pid_t>(victim), SIGKILL);
        QVERIFY(process.waitForFinished(600000));
        const auto told = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        VERIFY_HAS(told, "the worker on cpu was ended by signal 9");
        const auto lines = place_.read("killed/small/results.csv");
        // The other worker may have been faster than the report, and have continued it.
        QVERIFY2(lines.count(",finished,") >= 3 && lines.count(",failed,") + lines.count(",finished,") == 4,
                 (lines + told).constData());
    }

    void devices_are_checked() {
        const auto refused = [&](const QString& devices, const QStringList& more = {}) {
            const auto result =
                place_.run(batch + QStringList{"--out", "never", "--set", "run.devices=" + devices} + more);
            return result.code == 2 ? result.err : "exit status " + QByteArray::number(result.code);
        };
        QVERIFY(refused("[\"gpu\"]").contains("is no device"));
        QVERIFY(refused("[\"auto\"]")
                    .contains("\"auto\" names no single device; expected \"cpu\" or \"cuda:N\""));
        QVERIFY(refused("[\"cuda:0\"]").contains("run.device is \"cpu\""));
    }

private:
    /// Until it has reported four steps.
    void start(QProcess& process, const QStringList& arguments) const {
        place_.start(process, arguments + QStringList{"--log-format", "json"}, "\"event\":\"step\"", 4);
    }
    [[nodiscard]] QByteArray table(const QString& batch) const {
        return test::results_without_seconds(place_.read(batch + "/results.csv"));
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestWorkers)
#include "test_workers.moc"
