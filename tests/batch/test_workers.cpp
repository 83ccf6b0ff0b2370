// Several processes on one batch: workers, shares, merged folders, devices.
#include <unistd.h>

#include <csignal>
#include <memory>
#include <vector>

#include <QtTest>

#include "batch_fixture.h"
#include "store/run_folder.h"
#include "test_program.h"

using namespace casp;
using casp::test::batch;

namespace {

const QString four_seeds = "sweep.train.seed=[1, 2, 3, 4]";

}  // namespace

class TestWorkers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void workers_share_a_batch();
    void a_worker_leaves_what_is_held_and_ends_well();
    void a_worker_continues_what_others_left();
    void a_worker_retries_old_failures_once();
    void bad_input_starts_nothing();
    void shares_are_merged();
    void other_runs_are_not_merged();
    void unfinished_runs_are_merged();
    void devices_have_a_worker_each();
    void a_killed_device_costs_its_run_alone();
    void devices_are_checked();

private:
    /// Of a process with --log-format json, until it has reported four steps.
    static void wait_for_steps(QProcess& process) {
        process.setReadChannel(QProcess::StandardError);
        QByteArray log;
        while (log.count("\"event\":\"step\"") < 4 && process.waitForReadyRead(60000))
            log += process.readAllStandardError();
    }
    [[nodiscard]] QByteArray table(const QString& batch) const {
        return test::results_without_seconds(place_.read(batch + "/results.csv"));
    }

    test::Workplace place_;
};

void TestWorkers::initTestCase() {
    QVERIFY(place_.valid());
    place_.write("series.csv", test::small_csv());
    place_.write("small.toml", test::small_experiment());
    const auto plain = place_.run(batch + QStringList{"--out", "plain", "--set", four_seeds});
    VERIFY_CODE(plain, 0);
}

void TestWorkers::workers_share_a_batch() {
    for (const QString lock : {"auto", "lease"}) {
        const auto out = "together-" + lock;
        std::vector<std::unique_ptr<QProcess>> workers;
        for (int i = 0; i < 3; ++i) {
            workers.push_back(std::make_unique<QProcess>());
            place_.prepare(*workers.back(), batch + QStringList{"--worker", "--out", out, "--set", four_seeds,
                                                                "--set", "run.lock=" + lock});
            workers.back()->start();
        }
        int reports = 0;
        for (auto& worker : workers) {
            QVERIFY(worker->waitForFinished(600000));
            const auto told = worker->readAllStandardError();
            QVERIFY2(worker->exitStatus() == QProcess::NormalExit && worker->exitCode() == 0,
                     told.constData());
            reports += static_cast<int>(told.count(": test MSE "));
        }
        QCOMPARE(reports, 4);  // each run by one of them
        QCOMPARE(table(out + "/small"), table("plain/small"));
    }
    const auto again =
        place_.run(batch + QStringList{"--worker", "--out", "together-auto", "--set", four_seeds});
    VERIFY_CODE(again, 0);
    QVERIFY2(again.err.contains("seed-4 is already finished"), again.err.constData());
}

/// This test stands for the other process.
void TestWorkers::a_worker_leaves_what_is_held_and_ends_well() {
    const QStringList shared = batch + QStringList{"--out", "held", "--set", four_seeds};
    const store::RunFolder second(place_.path("held/small/seed-2").toStdString());
    second.create();
    {
        const store::RunLock lock(second);
        const auto worker = place_.run(shared + QStringList{"--worker"});
        VERIFY_CODE(worker, 0);
        QVERIFY2(!worker.err.contains("seed-2"), worker.err.constData());
        QVERIFY(!place_.read("held/small/results.csv").contains("seed-2,finished"));
    }
    const auto rest = place_.run(shared + QStringList{"--worker"});
    VERIFY_CODE(rest, 0);
    QCOMPARE(table("held/small"), table("plain/small"));
}

void TestWorkers::a_worker_continues_what_others_left() {
    const QStringList shared = batch + QStringList{"--out", "left", "--set", four_seeds, "--worker"};
    QProcess process;
    place_.prepare(process,
                   shared + QStringList{"--log-format", "json", "--set", "run.checkpoint_seconds=0"});
    test::keep_in_step(process);
    process.start();
    wait_for_steps(process);
    process.kill();
    QVERIFY(process.waitForFinished(60000));
    QVERIFY(place_.read("left/small/seed-1/run.json").contains("\"state\": \"running\""));
    const auto rest = place_.run(shared);
    VERIFY_CODE(rest, 0);
    QVERIFY2(rest.err.contains("continuing after step "), rest.err.constData());
    QCOMPARE(table("left/small"), table("plain/small"));
}

void TestWorkers::a_worker_retries_old_failures_once() {
    const QStringList wild =
        batch + QStringList{"--out", "wild", "--set", "sweep.run.device=[\"cpu\", \"cuda:99\"]", "--worker"};
    for (int i = 0; i < 2; ++i) {
        const auto worker = place_.run(wild);
        VERIFY_CODE(worker, 1);
        QCOMPARE(worker.err.count("device-cuda-99 failed: "), qsizetype{1});
    }
    const auto lines = test::Finished::lines_of(place_.read("wild/small/results.csv"));
    QCOMPARE(lines.size(), qsizetype{3});
    QVERIFY2(lines[1].startsWith("device-cpu,finished,"), lines[1].constData());
    QVERIFY2(lines[2].startsWith("device-cuda-99,failed,"), lines[2].constData());
}

void TestWorkers::bad_input_starts_nothing() {
    const auto missing =
        place_.run(batch + QStringList{"--worker", "--out", "missing", "--set", "data.path=\"nothing.csv\""});
    QCOMPARE(missing.code, 2);
    QVERIFY(!QFile::exists(place_.path("missing")));
    for (const auto* share : {"0/2", "3/2", "2", "1/", "/2", "a/b", "-1/2", "1/2/3"}) {
        const auto refused = place_.run(batch + QStringList{"--runs", share});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("expected I/N with 1 ≤ I ≤ N"), refused.err.constData());
    }
    const auto elsewhere = place_.run({"--worker", "--describe", "series.csv"});
    QCOMPARE(elsewhere.code, 2);
    QVERIFY2(elsewhere.err.contains("--worker does not apply to --describe"), elsewhere.err.constData());
}

void TestWorkers::shares_are_merged() {
    for (const QString share : {"1", "2", "3"}) {
        const auto part = place_.run(
            batch + QStringList{"--runs", share + "/3", "--out", "part" + share, "--set", four_seeds});
        VERIFY_CODE(part, 0);
        const QByteArray share_text = share == "1" ? "Finished: 2 of 4 runs" : "Finished: 1 of 4 runs";
        QVERIFY2(part.out.contains(share_text), part.out.constData());
    }
    QVERIFY(QFile::exists(place_.path("part1/small/seed-4")) &&
            !QFile::exists(place_.path("part2/small/seed-4")));
    // Batch folders and folders of batches, in any order.
    const auto merged = place_.run({"--merge", "part3", "part1/small", "part2", "--out", "merged"});
    VERIFY_CODE(merged, 0);
    QVERIFY2(merged.out.contains("4 runs of 3 folders, 4 finished"), merged.out.constData());
    QVERIFY2(!merged.out.contains("in none of the folders"), merged.out.constData());
    const auto incomplete = place_.run({"--merge", "part1", "part3", "--out", "incomplete"});
    VERIFY_CODE(incomplete, 0);
    QVERIFY2(incomplete.out.contains("At least 1 run of the sweep"), incomplete.out.constData());
    QCOMPARE(table("merged/small"), table("plain/small"));
    QCOMPARE(test::tensors_of(place_.path("merged/small/seed-3/best.safetensors")),
             test::tensors_of(place_.path("plain/small/seed-3/best.safetensors")));
    const auto verified = place_.run({"--verify", "merged"});
    VERIFY_CODE(verified, 0);
    // The same runs twice are no contradiction.
    const auto twice = place_.run({"--merge", "part1", "merged", "--out", "twice"});
    VERIFY_CODE(twice, 0);
    QVERIFY2(twice.out.contains("In several folders") && twice.out.contains("seed-1, seed-4"),
             twice.out.constData());
    const auto inside = place_.run({"--merge", "part1", "part2", "--out", "part1/new"});
    QVERIFY2(inside.code == 2 && inside.err.contains("whose runs are merged"), inside.err.constData());
    QVERIFY(!QFile::exists(place_.path("part1/new")));
    const auto again = place_.run({"--merge", "part1", "--out", "merged"});
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.contains("merged/small: this exists"), again.err.constData());
}

void TestWorkers::other_runs_are_not_merged() {
    const auto other = [&](const QString& out, const QStringList& settings) {
        QStringList arguments = batch + QStringList{"--out", out, "--set", "sweep.train.seed=[7]"};
        for (const auto& setting : settings) arguments += QStringList{"--set", setting};
        const auto made = place_.run(arguments);
        QCOMPARE(made.code, 0);
    };
    const auto refusal = [&](const QString& out) {
        const auto refused = place_.run({"--merge", "plain", out, "--out", "never"});
        return refused.code == 2 && !QFile::exists(place_.path("never/small")) ? refused.err : QByteArray();
    };
    other("longer", {"train.epochs=1"});
    auto told = refusal("longer");
    QVERIFY2(told.contains("these runs have other settings") &&
                 told.contains("train.epochs was 3, is now 1") && told.contains("plain/small/seed-1") &&
                 told.contains("longer/small/seed-7"),
             told.constData());
    place_.write("other.csv", place_.read("series.csv").replace("\n", " \n").replace("0.1", "0.2"));
    other("data", {"data.path=\"other.csv\""});
    told = refusal("data");
    QVERIFY2(told.contains("these runs have other data ("), told.constData());
    QVERIFY(QDir().mkpath(place_.path("same")));
    place_.write("same/series.csv", place_.read("other.csv"));
    other("digest", {"data.path=\"same/series.csv\""});
    told = refusal("digest");
    QVERIFY2(told.contains("these runs have other data (series; SHA-256 "), told.constData());
    other("named", {"name=\"another\""});
    told = refusal("named");
    QVERIFY2(told.contains("the folders have different batches: \"small\"") && told.contains("\"another\""),
             told.constData());
    // Settings of the machine do not matter.
    other("machine", {"run.lock=\"lease\"", "run.checkpoint_seconds=7"});
    const auto merged = place_.run({"--merge", "plain", "machine", "--out", "machines"});
    VERIFY_CODE(merged, 0);
    const auto empty = place_.run({"--merge", "home", "--out", "never"});
    QCOMPARE(empty.code, 2);
    const auto nowhere = place_.run({"--merge", "plain"});
    QCOMPARE(nowhere.code, 2);
    QVERIFY2(nowhere.err.contains("--merge without --out"), nowhere.err.constData());
}

void TestWorkers::unfinished_runs_are_merged() {
    QProcess process;
    place_.prepare(process,
                   batch + QStringList{"--out", "half", "--set", four_seeds, "--log-format", "json"});
    test::keep_in_step(process);
    process.start();
    wait_for_steps(process);
    const auto held = place_.run({"--merge", "half", "--out", "never"});
    QCOMPARE(held.code, 2);
    QVERIFY2(held.err.contains("being written by process " + QByteArray::number(process.processId())),
             held.err.constData());
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(60000));
    const auto merged = place_.run({"--merge", "half", "--out", "whole"});
    VERIFY_CODE(merged, 0);
    QVERIFY2(merged.out.contains("1 run of 1 folder, 0 finished"), merged.out.constData());
    const auto rest = place_.run(batch + QStringList{"--worker", "--out", "whole", "--set", four_seeds});
    VERIFY_CODE(rest, 0);
    QVERIFY2(rest.err.contains("continuing after step "), rest.err.constData());
    QCOMPARE(table("whole/small"), table("plain/small"));
}

void TestWorkers::devices_have_a_worker_each() {
    const auto made = place_.run(batch + QStringList{"--out", "devices", "--set", four_seeds, "--set",
                                                     "run.devices=[\"cpu\", \"cpu\"]"});
    VERIFY_CODE(made, 0);
    QVERIFY2(made.err.contains("one worker on each of 2 devices") && made.err.contains("cpu | run "),
             made.err.constData());
    QVERIFY(made.out.contains("Tables and runs: devices/small"));
    QCOMPARE(table("devices/small"), table("plain/small"));
}

/// Its process is killed: the run fails, and the other worker makes the rest.
void TestWorkers::a_killed_device_costs_its_run_alone() {
    QProcess process;
    place_.prepare(process, batch + QStringList{"--out", "killed", "--set", four_seeds, "--set",
                                                "run.devices=[\"cpu\", \"cpu\"]", "--set", "train.epochs=40",
                                                "--set", "train.patience=40"});
    process.start();
    std::int64_t victim = 0;
    QString run;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            for (const QString name : {"seed-1", "seed-2"}) {
                run = name;
                victim = store::FolderLock::last_process(place_.path("killed/small/" + name).toStdString());
                if (victim > 0 && QFile::exists(place_.path("killed/small/" + name + "/run.h5"))) return true;
            }
            return false;
        }(),
        600000);
    QVERIFY(victim != process.processId());
    ::kill(static_cast<pid_t>(victim), SIGKILL);
    QVERIFY(process.waitForFinished(600000));
    const auto told = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(told.contains("the worker on cpu was ended by signal 9"), told.constData());
    const auto lines = place_.read("killed/small/results.csv");
    // The other worker may have been faster than the report, and have continued it.
    QVERIFY2(lines.count(",finished,") >= 3 && lines.count(",failed,") + lines.count(",finished,") == 4,
             (lines + told).constData());
}

void TestWorkers::devices_are_checked() {
    const auto refused = [&](const QString& devices, const QStringList& more = {}) {
        const auto result =
            place_.run(batch + QStringList{"--out", "never", "--set", "run.devices=" + devices} + more);
        return result.code == 2 ? result.err : "exit status " + QByteArray::number(result.code);
    };
    QVERIFY(refused("[\"gpu\"]").contains("is no device"));
    QVERIFY(
        refused("[\"auto\"]").contains("\"auto\" names no single device; expected \"cpu\" or \"cuda:N\""));
    QVERIFY(refused("[\"cuda:0\"]").contains("run.device is \"cpu\""));
}

TEST_MAIN_WITHOUT_GUI(TestWorkers)
#include "test_workers.moc"
