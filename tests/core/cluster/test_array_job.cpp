// Experiments as job arrays: checks, automatic settings, files.

#include <filesystem>

#include <QTemporaryDir>
#include <QtTest>

#include "cluster/array_job.h"
#include "config/experiment.h"
#include "store/atomic_file.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

constexpr const char* sweep = R"(
name = "small"
[data]
path = "sample.csv"
split = [400, 160, 160]
lookback = 64
horizon = 16
[model]
name = "dlinear"
[run]
threads = 3
[sweep]
"train.seed" = [1, 2, 3]
)";

}  // namespace

class TestArrayJob : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path here_ = folder_.path().toStdString();

    cluster::Submission submission(const std::vector<std::string>& sets = {},
                                   const std::string& text = sweep) {
        store::write_file_atomically(here_ / "small.toml", text);
        return {.experiment = config::load(here_ / "small.toml", sets),
                .target = (here_ / "small.toml").string(),
                .sets = sets,
                .out = here_ / "runs"};
    }
    std::string problem(const std::vector<std::string>& sets) {
        try {
            (void)cluster::plan_array_job(submission(sets));
        } catch (const Error& error) {
            return error.kind() == ErrorKind::input ? error.what() : "no input Error";
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() { fs::copy_file(CASP_SOURCE_DIR "/datasets/sample.csv", here_ / "sample.csv"); }

    void automatic_settings() {
        const auto job = cluster::plan_array_job(submission());
        QCOMPARE(job.runs, std::int64_t{3});
        QCOMPARE(job.unfinished, std::int64_t{3});
        QCOMPARE(job.scheduler.workers, std::int64_t{3});
        QCOMPARE(job.scheduler.cpus, std::int64_t{3});
        QCOMPARE(job.scheduler.gpus, std::int64_t{0});
        QCOMPARE(job.scheduler.name, std::string("small"));
        QCOMPARE(job.scheduler.memory, std::string("2G"));
        QCOMPARE(job.folder, here_ / "runs" / "small");
        QVERIFY(job.program.is_absolute());
        const auto gpu = cluster::plan_array_job(submission({"run.device=cuda", "run.threads=0"}));
        QCOMPARE(gpu.scheduler.gpus, std::int64_t{1});
        QCOMPARE(gpu.scheduler.cpus, std::int64_t{4});
        QCOMPARE(gpu.scheduler.memory, std::string("8G"));
        const auto gpus = cluster::plan_array_job(submission({"run.devices=[\"cuda:0\", \"cuda:1\"]"}));
        QCOMPARE(gpus.scheduler.gpus, std::int64_t{2});
        const auto together = cluster::plan_array_job(submission({"run.processes=2"}));
        QCOMPARE(together.scheduler.cpus, std::int64_t{6});
        QVERIFY(cluster::slurm_script(together).find("OMP_NUM_THREADS=$((SLURM_CPUS_PER_TASK / 2))") !=
                std::string::npos);
        const auto shared = cluster::plan_array_job(submission({"run.together=2"}));
        QCOMPARE(shared.scheduler.cpus, std::int64_t{6});
        const auto automatic = cluster::plan_array_job(submission({"run.together=auto"}));
        QCOMPARE(automatic.scheduler.cpus, std::int64_t{3});
        QCOMPARE(automatic.scheduler.memory, std::string("2G"));
        // Nine cores have room for three runs of three threads.
        const auto memory = [&](const char* cpus, const char* runs) {
            return cluster::plan_array_job(
                       submission({"model.name=casp-llm", "backbone.path=untrained", "model.trend_length=25",
                                   "model.seasonal_length=24", std::string("scheduler.cpus=") + cpus,
                                   std::string("run.together=") + runs}))
                .scheduler.memory;
        };
        QCOMPARE(memory("9", "auto"), memory("9", "3"));
        QCOMPARE(memory("3", "auto"), memory("3", "1"));
        QVERIFY(memory("3", "1") != memory("9", "3"));
        const auto given =
            cluster::plan_array_job(submission({"scheduler.workers=2", "scheduler.memory=5G"}));
        QCOMPARE(given.scheduler.workers, std::int64_t{2});
        QCOMPARE(given.scheduler.memory, std::string("5G"));
        // A full-size backbone takes gigabytes.
        const auto large =
            cluster::plan_array_job(submission({"model.name=casp-llm", "backbone.path=untrained",
                                                "model.trend_length=25", "model.seasonal_length=24"}));
        QVERIFY2(std::stoi(large.scheduler.memory) >= 4, large.scheduler.memory.c_str());
    }

    void mistakes_are_found_before_submission() {
        QVERIFY(QString::fromStdString(problem({"data.path=/no/such.csv"})).contains("no such file"));
        QVERIFY(QString::fromStdString(problem({"data.split=[100000, 100, 100]"})).contains("rows"));
        QVERIFY(QString::fromStdString(problem({"model.name=ofa", "backbone.path=/no/gpt2"}))
                    .contains("/no/gpt2"));
        QCOMPARE(problem({}), std::string());
    }

    void workers_read_a_copy_of_the_experiment() {
        const auto with_sets = submission({"train.epochs=2", "scheduler.time=30"});
        auto job = cluster::plan_array_job(with_sets);
        const std::vector<std::string> original{"--batch", (here_ / "small.toml").string(), "--set",
                                                "train.epochs=2"};
        QVERIFY(job.worker_options == original);
        cluster::write_array_job(job, with_sets);
        const auto script = store::read_small_file(job.script());
        QVERIFY(script.find("--batch " + job.settings().string()) != std::string::npos);
        QVERIFY(script.find("train.epochs") == std::string::npos);
        QVERIFY(fs::is_directory(job.logs()));
        // The copy gives the same runs, wherever it is read.
        const auto copied = config::expand(config::load(job.settings()));
        const auto runs = config::expand(with_sets.experiment);
        QCOMPARE(copied.size(), runs.size());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            QCOMPARE(copied[i].name, runs[i].name);
            QVERIFY(copied[i].config == runs[i].config);
        }
        for (const auto& [json, jobs] : std::vector<std::pair<const char*, const char*>>{
                 {"{", ""},
                 {R"({"jobs": "12; rm"})", ""},
                 {R"({"jobs": "11,12"})", "11,12"},
                 {R"({"job": "12", "workers": 3, "submitted": "2026-01-01T00:00:00Z"})", "12"}}) {
            store::write_file_atomically(job.folder / "submit.json", json);
            QCOMPARE(cluster::jobs_of(job.folder), std::string(jobs));
        }
    }

    /// squeue's answers are a script's; a real Slurm is in tests/batch/slurm.py.
    void settings_of_waiting_workers_stay() {
        const auto bin = here_ / "bin";
        const auto put_squeue = [&](const std::string& answer) {
            store::write_file_atomically(bin / "squeue", "#!/bin/sh\n" + answer + "\n");
            fs::permissions(bin / "squeue", fs::perms::owner_all);
        };
        fs::create_directories(bin);
        put_squeue("echo 'PENDING|Priority'; echo 'PENDING|Priority'");
        fs::copy_file(bin / "squeue", bin / "sbatch");
        const auto path = qgetenv("PATH");
        qputenv("PATH", bin.c_str());

        const auto written = [&](const std::vector<std::string>& sets) {
            const auto changed = submission(sets);
            try {
                cluster::write_array_job(cluster::plan_array_job(changed), changed);
            } catch (const Error& error) {
                return QString(error.what());
            }
            return QString();
        };
        QCOMPARE(written({"train.epochs=2"}), QString());
        const auto job = cluster::plan_array_job(submission());
        const auto copy = store::read_small_file(job.settings());
        store::write_file_atomically(job.folder / "submit.json", R"({"jobs": "12,13"})");
        QCOMPARE(written({"train.epochs=2", "scheduler.time=30"}), QString());
        const auto longer = written({"train.epochs=3"});
        QVERIFY2(longer.contains("2 pending (Priority)") && longer.contains("scancel 12,13"),
                 qPrintable(longer));
        QVERIFY(!written({"train.epochs=2", "sweep.train.seed=[1, 2, 3, 4]"}).isEmpty());
        QCOMPARE(store::read_small_file(job.settings()), copy);
        put_squeue("echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
        QVERIFY(written({"train.epochs=3"}).contains("Unable to contact"));  // they may be open
        put_squeue("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
        QCOMPARE(written({"train.epochs=3"}), QString());
        // A machine without Slurm only writes the script.
        put_squeue("exit 1");
        fs::remove(bin / "sbatch");
        QCOMPARE(written({"train.epochs=2"}), QString());
        qputenv("PATH", path);
    }
};

TEST_MAIN_WITHOUT_GUI(TestArrayJob)
#include "test_array_job.moc"
