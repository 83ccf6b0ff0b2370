// Remote folders over a real sshd, 50 ms away, with a connection that breaks.
#include <csignal>
#include <mutex>
#include <random>

#include <QtTest>

#include "batch_fixture.h"
#include "core/store/store_test.h"
#include "remote/mirror.h"
#include "ssh_fixture.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using remote::Mirror;
using remote::MirroredFile;
using remote::MirrorStatus;

namespace {

constexpr auto one_way = 25ms;

using store_test::bytes_of;
using store_test::put;
using store_test::write_status;

std::string random_bytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    return bytes;
}

/// A mirror and what it has reported.
class Window {
public:
    Window(const std::string& address, const fs::path& folder)
        : mirror_(remote::Address::parse(address), folder,
                  {[this](const MirrorStatus& status) {
                       const std::lock_guard lock(mutex_);
                       status_ = status;
                       connections_ += status.state == MirrorStatus::State::connecting ? 1 : 0;
                   },
                   {},
                   {}}) {}
    [[nodiscard]] MirrorStatus status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    [[nodiscard]] int connections() const {
        const std::lock_guard lock(mutex_);
        return connections_;
    }
    Mirror* operator->() { return &mirror_; }
    [[nodiscard]] fs::path folder() const { return mirror_.folder(); }
    [[nodiscard]] bool is_listed(int timeout_ms = 60000) const {
        return QTest::qWaitFor([this] { return status().complete; }, timeout_ms);
    }
    [[nodiscard]] bool is_stopped() const {
        return QTest::qWaitFor([this] { return status().state == MirrorStatus::State::stopped; }, 30000);
    }
    [[nodiscard]] bool is_current(const std::string& run, const std::string& name, int timeout_ms = 60000) {
        return QTest::qWaitFor([&] { return mirror_.file(run, name).state == MirroredFile::State::current; },
                               timeout_ms);
    }
    /// What the other side answers; "…" in ten minutes: nothing.
    [[nodiscard]] QString send(const std::string& run, store::RunCommand command) {
        return answer([&](Mirror::Done done) { mirror_.send(run, command, std::move(done)); });
    }
    [[nodiscard]] QString start(const QByteArray& toml) {
        return answer([&](Mirror::Done done) { mirror_.start(toml.toStdString(), std::move(done)); });
    }

private:
    template <class Ask>
    [[nodiscard]] static QString answer(Ask ask) {
        const auto said = std::make_shared<std::atomic<bool>>(false);
        const auto text = std::make_shared<std::string>();
        ask([said, text](const std::string& problem) {
            *text = problem;
            *said = true;
        });
        return QTest::qWaitFor([&] { return said->load(); }, 120000) ? QString::fromStdString(*text) : "…";
    }

    mutable std::mutex mutex_;
    MirrorStatus status_;
    int connections_ = 0;
    Mirror mirror_;  ///< the last member: its thread uses the others
};

}  // namespace

class TestRemote : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const auto missing = test::SshServer::missing(); !missing.isEmpty()) QSKIP(qPrintable(missing));
        std::signal(SIGPIPE, SIG_IGN);  // as in the program
        ssh_ = std::make_unique<test::SshServer>();
        QVERIFY2(ssh_->start(), ssh_->log().constData());
        relay_ = std::make_unique<test::Relay>(ssh_->port(), one_way);
        ssh_->write_config(relay_->port(), "user_key");
    }

    void init() {
        local_ = std::make_unique<QTemporaryDir>();
        fs::remove_all(there("runs"));
        fs::create_directories(there("runs"));
    }

    void two_thousand_runs() {
        write_status(there("runs/batch0/run0"), 0);
        const auto status = bytes_of(there("runs/batch0/run0/run.json"));
        const auto config = place_.run({"--print-config"}).out.toStdString();
        constexpr int batches = 4, runs = 500;
        for (int b = 0; b < batches; ++b)
            for (int r = 0; r < runs; ++r) {
                const auto run = there("runs") / ("batch" + std::to_string(b)) / ("run" + std::to_string(r));
                fs::create_directories(run);
                put(run / "run.json", status);
                put(run / "config.toml", config + "# " + std::to_string(r) + "\n");
            }
        {
            Window window(address("runs"), local_->path().toStdString());
            QVERIFY2(window.is_listed(30000),
                     "far from the 5 s that it takes on a machine without other work");
            QCOMPARE(window.status().runs, std::size_t{batches * runs});
            QCOMPARE(store::RunStore(window.folder()).scan().added.size(), std::size_t{batches * runs});
            QCOMPARE(bytes_of(window.folder() / "batch3/run499/config.toml"),
                     bytes_of(there("runs/batch3/run499/config.toml")));
            // One more run, one that changes, one that goes.
            write_status(there("runs/batch1/new"), 1);
            write_status(there("runs/batch2/run7"), 7);
            fs::remove_all(there("runs/batch3/run8"));
            const auto in_step = [&] {
                return fs::exists(window.folder() / "batch1/new/run.json") &&
                       bytes_of(window.folder() / "batch2/run7/run.json") ==
                           bytes_of(there("runs/batch2/run7/run.json")) &&
                       !fs::exists(window.folder() / "batch3/run8");
            };
            QVERIFY(QTest::qWaitFor(in_step, 20000));
        }
        // Another session begins with what this one has copied.
        fs::remove_all(there("runs/batch0/run9"));
        const auto before = relay_->bytes();
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        QVERIFY(relay_->bytes() - before < 1'000'000);
        QVERIFY(!fs::exists(window.folder() / "batch0/run9"));
    }

    void curves_follow() {
        const auto run = there("runs/batch/run");
        write_status(run, 1, store::RunState::running);
        put(run / "run.h5", random_bytes(1000, 0));
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        window->follow({"batch/run"});
        QVERIFY(window.is_current("batch/run", "run.h5"));
        std::vector<qint64> late;
        for (unsigned i = 1; i <= 5; ++i) {
            QTest::qWait(static_cast<int>(100 * i));  // at any moment between two looks
            const auto bytes = random_bytes(2'000'000, i);
            store::write_file_atomically(run / "run.h5", bytes);
            QElapsedTimer timer;
            timer.start();
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return fs::file_size(window.folder() / "batch/run/run.h5") == bytes.size() &&
                           bytes_of(window.folder() / "batch/run/run.h5") == bytes;
                },
                20000));
            late.push_back(timer.elapsed());
        }
        std::sort(late.begin(), late.end());
        qInfo("run.h5 of 2 MB at 50 ms: here after %lld ms (median), at most %lld ms",
              static_cast<long long>(late[late.size() / 2]), static_cast<long long>(late.back()));
        QVERIFY(late[late.size() / 2] < 1000);
        // What disappears there does here.
        fs::remove(run / "run.h5");
        QVERIFY(QTest::qWaitFor([&] { return !fs::exists(window.folder() / "batch/run/run.h5"); }, 20000));
    }

    void links_are_not_followed() {
        write_status(there("runs/batch/run"), 1);
        write_status(there("elsewhere/secret"), 1);
        put(there("elsewhere/notes"), "secret");
        fs::create_directory_symlink(there("elsewhere"), there("runs/linked"));
        fs::create_symlink(there("elsewhere/notes"), there("runs/batch/run/run.h5"));
        fs::create_symlink(there("elsewhere/notes"), there("runs/batch/run/config.toml"));
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        window->follow({"batch/run", "linked/secret", "../elsewhere"});
        QVERIFY(QTest::qWaitFor(
            [&] { return window->file("batch/run", "run.h5").state == MirroredFile::State::absent; }, 20000));
        QVERIFY(fs::exists(window.folder() / "batch/run/run.json"));
        QVERIFY(!fs::exists(window.folder() / "batch/run/config.toml"));
        QVERIFY(!fs::exists(window.folder() / "linked"));
        QVERIFY(!window.send("linked/secret", store::RunCommand::pause).isEmpty());
        QVERIFY(!window.send("../elsewhere/secret", store::RunCommand::pause).isEmpty());
        fs::remove_all(there("elsewhere"));
    }

    void a_file_replaced_while_it_is_copied() {
        const auto run = there("runs/batch/run");
        write_status(run, 1);
        put(run / "arrays.h5", random_bytes(40'000'000, 1));
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        window->follow({"batch/run"});
        window->request("batch/run", "arrays.h5");
        const auto is_under_way = [&] { return window->file("batch/run", "arrays.h5").done > 4'000'000; };
        QVERIFY(QTest::qWaitFor(is_under_way, 20000));
        const auto bytes = random_bytes(30'000'000, 2);
        store::write_file_atomically(run / "arrays.h5", bytes);
        QVERIFY(QTest::qWaitFor([&] { return bytes_of(window.folder() / "batch/run/arrays.h5") == bytes; },
                                60000));
        for (const auto& file : fs::directory_iterator(window.folder() / "batch/run"))
            QVERIFY2(file.path().extension() != ".new", file.path().c_str());
    }

    void a_copy_continues_after_a_cut() {
        const auto run = there("runs/batch/run");
        write_status(run, 1);
        const auto bytes = random_bytes(40'000'000, 3);
        put(run / "arrays.h5", bytes);
        const auto before = relay_->bytes();
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        window->request("batch/run", "arrays.h5");
        for (const std::int64_t at : {10'000'000, 25'000'000}) {
            QVERIFY(QTest::qWaitFor([&] { return window->file("batch/run", "arrays.h5").done > at; }, 20000));
            relay_->cut();
        }
        QVERIFY(window.is_current("batch/run", "arrays.h5"));
        QCOMPARE(bytes_of(window.folder() / "batch/run/arrays.h5"), bytes);
        const auto carried = relay_->bytes() - before;
        qInfo("40 MB with two interruptions: %lld kB over the network",
              static_cast<long long>(carried / 1000));
        QVERIFY2(carried < 60'000'000, "as if it had begun anew");
    }

    void text_of_the_shell_is_skipped() {
        write_status(there("runs/batch/run"), 1);
        place_.write("noisy", "#!/bin/sh\necho Welcome to the cluster\nexec " CASP_EXECUTABLE " \"$@\"\n");
        fs::permissions(there("noisy"), fs::perms::owner_all);
        Window window(address("runs", place_.path("noisy").toUtf8()), local_->path().toStdString());
        QVERIFY(window.is_listed());
        QVERIFY(fs::exists(window.folder() / "batch/run/run.json"));
    }

    void permanent_problems_stop_the_mirror() {
        const auto problem_of = [&](const std::string& address) {
            const Window window(address, local_->path().toStdString());
            return window.is_stopped() ? QString::fromStdString(window.status().problem) : QString();
        };
        const auto no_folder = problem_of(address("no such folder"));
        VERIFY_HAS(no_folder, "no such folder", "No such file");
        const auto no_program = problem_of(address("runs", "/opt/nothing/caspstudio"));
        VERIFY_HAS(no_program, "Install caspstudio there");
        place_.write("older",
                     "#!/bin/sh\necho 'caspstudio: command line: unknown flag --serve' >&2\nexit 2\n");
        fs::permissions(there("older"), fs::perms::owner_all);
        const auto older = problem_of(address("runs", place_.path("older").toUtf8()));
        VERIFY_HAS(older, "older and cannot serve");
        ssh_->write_config(relay_->port(), "other_key");
        const auto no_key = problem_of(address("runs"));
        ssh_->write_config(relay_->port(), "user_key");
        VERIFY_HAS(no_key, "without a password", "ssh cluster");
        QVERIFY2(!no_key.contains(".)"), qPrintable(no_key));
        // A machine that does not answer may do so later: retried automatically.
        const Window window("ssh://127.0.0.1:1/runs", local_->path().toStdString());
        QVERIFY(
            QTest::qWaitFor([&] { return window.status().state == MirrorStatus::State::waiting; }, 20000));
        QVERIFY(QTest::qWaitFor([&] { return window.connections() >= 3; }, 20000));
    }

    void pause_finish_and_cancel() {
        QProcess training;
        start(training, test::small_experiment().replace("epochs = 3", "epochs = 100000\npatience = 100000"),
              {"--log-format", "json"});
        Window window(address("runs"), local_->path().toStdString());
        const std::string run = "small/single";
        const auto copy = [&] { return store::RunFolder(window.folder() / run); };
        QVERIFY(QTest::qWaitFor(
            [&] { return store::RunLock::holder(copy()).has_value() && steps_in_log() > 5; }, 60000));
        QVERIFY(QString::fromStdString(*store::RunLock::holder(copy()))
                    .contains(QString::number(training.processId())));
        window->follow({run});

        QCOMPARE(window.send(run, store::RunCommand::pause), QString());
        QVERIFY(window.is_current(run, "control.json"));
        QVERIFY(store::read_control(copy().path()).pause);
        QTest::qWait(1000);
        const auto paused_at = steps_in_log();
        QTest::qWait(1500);
        QCOMPARE(steps_in_log(), paused_at);
        QCOMPARE(window.send(run, store::RunCommand::resume), QString());
        QVERIFY(QTest::qWaitFor([&] { return steps_in_log() > paused_at + 5; }, 20000));

        QCOMPARE(window.send(run, store::RunCommand::finish_early), QString());
        QVERIFY(training.waitForFinished(60000));
        QCOMPARE(training.exitCode(), 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto status = store::read_run_status(copy());
                return status && status->row.state == store::RunState::finished_early &&
                       !store::RunLock::holder(copy()).has_value();
            },
            20000));
        QVERIFY(!fs::exists(there("runs/small/single/control.json")));
        QVERIFY(window.send(run, store::RunCommand::pause).contains("no process trains this run"));

        fs::remove_all(there("runs/small"));
        QProcess other;
        start(other, test::small_experiment().replace("epochs = 3", "epochs = 100000\npatience = 100000"),
              {"--log-format", "json"});
        QVERIFY(QTest::qWaitFor(
            [&] { return steps_in_log() > 5 && store::RunLock::holder(copy()).has_value(); }, 60000));
        QCOMPARE(window.send(run, store::RunCommand::cancel), QString());
        QVERIFY(other.waitForFinished(60000));
        QCOMPARE(other.exitCode(), 130);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto status = store::read_run_status(copy());
                return status && status->row.state == store::RunState::cancelled;
            },
            20000));
    }

    void fork_on_the_remote_host() {
        QProcess training;
        start(training, test::small_experiment("keep_last = true\n"));
        QVERIFY(training.waitForFinished(120000));
        QCOMPARE(training.exitCode(), 0);
        Window window(address("runs"), local_->path().toStdString());
        QVERIFY(window.is_listed());
        const auto results = place_.read("runs/small/results.csv");
        QVERIFY(!results.isEmpty());
        const auto fork = test::small_experiment()
                              .replace("series.csv", place_.path("series.csv").toUtf8())
                              .replace("[train]\n", "[train]\ncontinue_from = \"" +
                                                        place_.path("runs/small/single").toUtf8() + "\"\n");
        QCOMPARE(window.start("name = \"small\"\n[sweep]\n\"train.seed\" = [7]\n" + fork), QString());
        // The connection is not needed any more.
        relay_->cut();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto runs = store::RunStore(window.folder()).scan().added;
                return std::any_of(runs.begin(), runs.end(), [](const store::ScannedRun& run) {
                    return run.name == "seed-7" && run.status.row.state == store::RunState::finished;
                });
            },
            120000));
        QVERIFY(!store::parent_of(there("runs/small/seed-7")).empty());
        // The batch's tables are of its own runs.
        QCOMPARE(place_.read("runs/small/results.csv"), results);
        // What is wrong with an experiment is said at once.
        const auto problem = window.start("[model]\nname = \"nothing\"\n");
        VERIFY_HAS(problem, "nothing");
    }

    void lost_connections_lose_nothing() {
        QProcess training;
        // Some seconds of training, which pauses stretch; run.h5 and the weights are replaced at most epochs.
        start(training,
              test::small_experiment("checkpoint_seconds = 1\n[sweep]\n\"train.seed\" = [1, 2, 3, 4]\n")
                  .replace("epochs = 3", "epochs = 20\npatience = 20"));
        std::vector<std::string> runs;
        for (int seed = 1; seed <= 4; ++seed) runs.push_back("small/seed-" + std::to_string(seed));
        Window window(address("runs"), local_->path().toStdString());
        window->follow(runs);
        for (const auto& run : runs)
            for (const auto* name : {"arrays.h5", "best.safetensors"}) window->request(run, name);
        std::mt19937 random(7);
        std::atomic<int> answered{0};
        int asked = 0;
        for (int cut = 0; cut < 15; ++cut) {
            QVERIFY(QTest::qWaitFor([&] { return window.status().state == MirrorStatus::State::connected; },
                                    60000));
            QTest::qWait(static_cast<int>(random() % 500));
            ++asked;
            // A request in the moment of the cut is answered as well, in the end.
            window->send(runs[random() % runs.size()],
                         cut % 2 == 0 ? store::RunCommand::pause : store::RunCommand::resume,
                         [&answered](const std::string&) { ++answered; });
            QTest::qWait(static_cast<int>(random() % 100));
            const auto before = window.connections();
            relay_->cut();
            QVERIFY(QTest::qWaitFor([&] { return window.connections() > before; }, 60000));
        }
        const bool was_training = training.state() == QProcess::Running;
        QVERIFY(window.is_listed());
        QVERIFY(QTest::qWaitFor([&] { return answered == asked; }, 60000));
        const auto connections = window.connections();
        QVERIFY(connections > 15);
        // The last requests may have left a run paused.
        QVERIFY(QTest::qWaitFor(
            [&] {
                for (const auto& run : runs) window->send(run, store::RunCommand::resume, {});
                return training.state() == QProcess::NotRunning || training.waitForFinished(500);
            },
            300000));
        QCOMPARE(training.exitCode(), 0);
        int files = 0;
        std::string differs;
        const auto in_step = [&] {
            files = 0;
            for (const auto& run : runs)
                for (const auto* name :
                     {"run.json", "config.toml", "run.h5", "arrays.h5", "best.safetensors"}) {
                    const auto copy = window.folder() / run / name;
                    if (!fs::exists(copy) || bytes_of(copy) != bytes_of(there("runs") / run / name)) {
                        differs = run + "/" + name + (fs::exists(copy) ? " differs" : " is missing");
                        return false;
                    }
                    ++files;
                }
            return true;
        };
        QVERIFY2(QTest::qWaitFor(in_step, 120000), differs.c_str());
        qInfo("%d connections, %s: %d files of 4 runs equal", connections,
              was_training ? "all while runs trained" : "the last ones after the runs had ended", files);
        for (const auto& run : store::RunStore(window.folder()).scan().added) {
            QVERIFY(run.problem.empty());
            QVERIFY(run.status.row.state == store::RunState::finished && !run.live);
        }
    }

private:
    [[nodiscard]] std::string address(const QString& folder,
                                      const QByteArray& program = CASP_EXECUTABLE) const {
        return ("ssh://cluster" + place_.path(folder) + "?program=" + program).toStdString();
    }
    [[nodiscard]] fs::path there(const QString& path) const { return place_.path(path).toStdString(); }
    /// Trains in the served folder.
    void start(QProcess& process, const QByteArray& experiment, const QStringList& more = {}) const {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", experiment);
        place_.prepare(process, QStringList{"--batch", "small.toml", "--out", "runs"} + more);
        process.setStandardErrorFile(place_.path("log"));
        process.setStandardOutputFile(QProcess::nullDevice());
        process.start();
    }
    [[nodiscard]] std::int64_t steps_in_log() const { return place_.read("log").count("\"event\":\"step\""); }

    std::unique_ptr<test::SshServer> ssh_;
    std::unique_ptr<test::Relay> relay_;
    test::Workplace place_;
    std::unique_ptr<QTemporaryDir> local_;
};

TEST_MAIN_WITHOUT_GUI(TestRemote)
#include "test_remote.moc"
