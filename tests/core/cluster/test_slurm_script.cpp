// The batch script: its options, and what its shell does with signals and with the worker's exit status. A
// real Slurm and real workers are in tests/batch/slurm.py; here a short shell script is the worker.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <csignal>

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "cluster/array_job.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp::cluster;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    fs::permissions(file, fs::perms::owner_all);
}

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ArrayJob job_in(const fs::path& out) {
    ArrayJob job;
    job.scheduler.name = job.experiment = "small";
    job.scheduler.workers = 3;
    job.scheduler.cpus = 2;
    job.scheduler.memory = "2G";
    job.scheduler.gpus = 0;
    job.program = out / "worker";
    job.out = out;
    job.folder = out / "small";
    job.worker_options = {"--batch", "/x y.toml"};
    return job;
}

}  // namespace

class TestSlurmScript : public QObject {
    Q_OBJECT

    /// Runs the script of a job whose worker is this shell script, sends signals once it is ready, and
    /// returns the exit status.
    int run(const QTemporaryDir& folder, const std::string& worker, const std::vector<int>& sent) {
        const fs::path out = folder.path().toStdString();
        const auto job = job_in(out);
        fs::create_directories(job.folder / "run" / "last");
        write(job.program, "#!/bin/bash\necho \"$@\" >>" + (out / "arguments").string() + "\n" + worker);
        write(out / "bin" / "scontrol", "#!/bin/sh\necho \"$@\" >>" + (out / "scontrol.log").string() + "\n");
        write(job.script(), slurm_script(job));
        QProcess shell;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", folder.path() + "/bin:" + environment.value("PATH"));
        environment.insert("SLURM_CPUS_PER_TASK", "2");
        environment.insert("SLURM_ARRAY_JOB_ID", "7");
        environment.insert("SLURM_ARRAY_TASK_ID", "3");
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(QString::fromStdString(job.folder.string()));
        shell.start("bash", {QString::fromStdString(job.script().string())});
        if (!shell.waitForStarted()) return -1;
        for (const int number : sent) {
            if (!QTest::qWaitFor([&] { return fs::exists(job.folder / "ready"); }, 60000)) return -2;
            fs::remove(job.folder / "ready");
            ::kill(static_cast<pid_t>(shell.processId()), number);
        }
        if (!shell.waitForFinished()) return -3;
        errors_ = shell.readAllStandardError().toStdString();
        return shell.exitCode();
    }
    std::string errors_;

    static std::string requeued(const QTemporaryDir& folder) {
        return content(fs::path(folder.path().toStdString()) / "scontrol.log");
    }

    /// Ends with status 130 at the given signal, after `last_words`.
    static std::string until(const std::string& signal, const std::string& last_words) {
        return "trap '" + last_words + "; exit 130' " + signal +
               "\ntouch ready\nfor i in $(seq 600); do sleep 0.05; done\n";
    }

private Q_SLOTS:
    void options() {
        auto job = job_in("/scratch/my runs");
        const auto text = slurm_script(job);
        for (const auto* line :
             {"#SBATCH --job-name=small\n", "#SBATCH --array=1-3\n", "#SBATCH --cpus-per-task=2\n",
              "#SBATCH --mem=2G\n", "#SBATCH --signal=B:USR1@120\n", "#SBATCH --requeue\n",
              "#SBATCH --chdir=\"/scratch/my runs/small\"\n",
              "#SBATCH --output=\"/scratch/my runs/small/slurm/%A_%a.out\"\n", "#SBATCH --open-mode=append\n",
              "\n'/scratch/my runs/worker' --batch '/x y.toml' --out '/scratch/my runs' --worker &\n"})
            QVERIFY2(contains(text, line), line);
        for (const auto* part : {"--time", "--partition", "--account", "--qos", "--gres"})
            QVERIFY2(!contains(text, std::string("#SBATCH ") + part), part);

        auto& s = job.scheduler;
        s.partition = "gpu,long";
        s.account = "group#1";
        s.time = "1-12:00:00";
        s.gpus = 2;
        s.requeue = false;
        s.setup = {"module load cuda", "echo \"$HOSTNAME\""};
        s.extra = {"--constraint=a100"};
        const auto other = slurm_script(job);
        for (const auto* line :
             {"#SBATCH --partition=gpu,long\n", "#SBATCH --account=\"group#1\"\n",
              "#SBATCH --time=1-12:00:00\n", "#SBATCH --gres=gpu:2\n", "#SBATCH --no-requeue\n",
              "#SBATCH --constraint=a100\n", "\nmodule load cuda\necho \"$HOSTNAME\"\n"})
            QVERIFY2(contains(other, line), line);
        QVERIFY(contains(other, "requeue=no\n"));
    }

    void impossible_jobs() { QVERIFY_THROWS_EXCEPTION(casp::Error, (void)slurm_script(job_in("/a\"b"))); }

    /// Answers of squeue; its commands run in tests/batch/slurm.py.
    void states() {
        QCOMPARE(state_text("7", "PENDING|Resources\nPENDING|Priority\nRUNNING|None\n"),
                 std::string("Slurm job 7: 2 pending (Resources), 1 running"));
        QCOMPARE(state_text("7", "REQUEUE_HOLD|None\nPENDING|Priority\n"),
                 std::string("Slurm job 7: 2 pending (Priority)"));
        QCOMPARE(state_text("7", "COMPLETING|None\n"), std::string("Slurm job 7: 1 running"));
        QCOMPARE(state_text("7", "\n"), std::string());
    }

    void missing_program_on_the_node_is_reported() {
        const QTemporaryDir folder;
        const fs::path out = folder.path().toStdString();
        auto job = job_in(out);
        fs::create_directories(job.folder);
        write(job.script(), slurm_script(job));
        QProcess shell;
        shell.start("bash", {QString::fromStdString(job.script().string())});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 1);
        const auto errors = shell.readAllStandardError();
        QVERIFY2(errors.contains("worker is not on "), errors.constData());
    }

    void status_of_the_worker() {
        for (const int status : {0, 1, 2, 130}) {
            const QTemporaryDir folder;
            QCOMPARE(run(folder, "exit " + std::to_string(status) + "\n", {}), status);
            QCOMPARE(requeued(folder), std::string());
            QCOMPARE(content(fs::path(folder.path().toStdString()) / "arguments"),
                     "--batch /x y.toml --out " + folder.path().toStdString() + " --worker\n");
        }
    }

    void requeued_before_the_limit() {
        const QTemporaryDir folder;
        QCOMPARE(run(folder, until("USR1", "echo gen-12 >run/last/current"), {SIGUSR1}), 130);
        QCOMPARE(requeued(folder), std::string("requeue 7_3\n"));
        // Another checkpoint, and a run that has finished, are progress, too.
        QCOMPARE(run(folder, until("USR1", "echo gen-13 >run/last/current"), {SIGUSR1}), 130);
        const auto finished =
            std::string("rm run/last/current; echo \"  \\\"state\\\": \\\"finished\\\",\" >run/run.json");
        QCOMPARE(run(folder, until("USR1", finished), {SIGUSR1}), 130);
        QCOMPARE(requeued(folder), std::string("requeue 7_3\nrequeue 7_3\nrequeue 7_3\n"));
    }

    void not_requeued_without_progress() {
        const QTemporaryDir folder;
        QCOMPARE(run(folder, "echo gen-12 >run/last/current\nexit 0\n", {}), 0);
        QCOMPARE(run(folder, until("USR1", "echo gen-12 >run/last/current"), {SIGUSR1}), 1);
        QCOMPARE(requeued(folder), std::string());
        QVERIFY2(contains(errors_, "Not requeued"), errors_.c_str());
    }

    void not_requeued_when_cancelled() {
        const QTemporaryDir folder;
        QCOMPARE(run(folder, until("HUP", "echo gen-12 >run/last/current"), {SIGTERM}), 130);
        QCOMPARE(requeued(folder), std::string());
    }

    void cancelled_after_the_signal() {
        const QTemporaryDir folder;
        const std::string slow = "trap 'touch ready' USR1\n" + until("HUP", "echo gen-12 >run/last/current");
        QCOMPARE(run(folder, slow, {SIGUSR1, SIGTERM}), 130);
        QCOMPARE(requeued(folder), std::string());
    }
};

TEST_MAIN_WITHOUT_GUI(TestSlurmScript)
#include "test_slurm_script.moc"
