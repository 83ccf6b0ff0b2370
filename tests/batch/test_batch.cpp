// Batches as a script sees them: exit statuses, tables, files, what is skipped and refused.
#include <algorithm>

#include <QtTest>

#include "batch_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestBatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", test::small_experiment());
        place_.write("sweep.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"
                                                          "\"model.decomposition\" = [true, false]\n"));
    }

    void sweep_leaves_tables_and_runs() {
        VERIFY_RUN(r, 0, {"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1"});
        // Standard output has the table and nothing of the progress.
        VERIFY_HAS(r.out, "test MSE", "persistence MSE", "untrained");
        QVERIFY(r.out.contains("random weights, not a language model"));
        QVERIFY(!r.out.contains("epoch 1/1") && r.err.contains("epoch 1/1"));
        const auto csv = place_.read("results/sweep/results.csv");
        const auto lines = test::Finished::lines_of(csv);
        QCOMPARE(lines.size(), qsizetype{5});
        // Scripts read these; new ones come last.
        QVERIFY2(lines[0].startsWith(
                     "run,state,data,model,lookback,horizon,lambda_sim,lambda_cov,seed,epochs,best_epoch,"
                     "steps,val_mse,test_mse,test_mae,last_value_mse,usage_entropy,distinct_anchors,"
                     "key_cosine,seconds,backbone,model.decomposition,case,peak_memory,precision,device"),
                 lines[0].constData());
        const QList<QByteArray> runs{"lambda_cov-0_decomposition-true", "lambda_cov-0_decomposition-false",
                                     "lambda_cov-0.1_decomposition-true",
                                     "lambda_cov-0.1_decomposition-false"};
        for (int i = 0; i < 4; ++i) {
            const auto cells = lines[i + 1].split(',');
            QCOMPARE(cells.size(), lines[0].split(',').size());
            QCOMPARE(cells[0], runs[i]);
            QCOMPARE(cells[1], QByteArray("finished"));
            QCOMPARE(cells[2], QByteArray("series"));
            QCOMPARE(cells[7].toDouble(), i < 2 ? 0.0 : 0.1);
            QCOMPARE(cells[11], QByteArray("27"));
            QCOMPARE(cells[20], QByteArray("untrained"));
            QCOMPARE(cells[21], QByteArray(i % 2 == 0 ? "true" : "false"));
            QVERIFY(cells[23].toLongLong() > 1 << 20);
            const auto folder = "results/sweep/" + QString::fromUtf8(runs[i]) + "/";
            for (const char* file :
                 {"config.toml", "run.json", "run.h5", "arrays.h5", "best.safetensors", "log.txt"})
                QVERIFY2(QFile::exists(place_.path(folder + file)), file);
            QVERIFY(!QFile::exists(place_.path(folder + "last")));
            // The table says what the run's file says.
            const auto record = store::read_run_file(place_.path(folder + "run.h5").toStdString());
            QCOMPARE(cells[13].toDouble(), record.test->mse);
            QCOMPARE(cells[15].toDouble(), record.test->last_value_mse);
        }
        QVERIFY(place_.read("results/sweep/results.md").contains("lambda_cov-0.1_decomposition-true"));
        const auto summary = test::Finished::lines_of(place_.read("results/sweep/summary.csv"));
        QCOMPARE(summary.size(), qsizetype{5});
        QCOMPARE(std::count_if(summary.begin(), summary.end(),
                               [](const auto& line) { return line.contains(",yes,"); }),
                 1);
        QVERIFY(place_.read("results/sweep/summary.md").contains("**best**"));
    }

    void finished_runs_are_skipped() {
        const auto before = place_.read("results/sweep/results.csv");
        QVERIFY(!before.isEmpty());
        // A kill right after the last word of one leaves its checkpoint.
        const auto last = place_.path("results/sweep/lambda_cov-0_decomposition-true/last");
        QVERIFY(QDir().mkpath(last + "/gen-27"));
        place_.write("results/sweep/lambda_cov-0_decomposition-true/last/gen-27/model.safetensors", "model");
        QElapsedTimer timer;
        timer.start();
        VERIFY_RUN(r, 0, {"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1"});
        QVERIFY(r.err.count("is already finished") == 4);
        QVERIFY(r.out.contains("test MSE"));
        QCOMPARE(place_.read("results/sweep/results.csv"), before);
        QVERIFY2(timer.elapsed() < 5000, "nothing had to be computed");
        QVERIFY(!QFile::exists(last));
        // One more value: only its runs are computed.
        VERIFY_RUN(more, 0,
                   {"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1", "--set",
                    "sweep.loss.lambda_cov=[0, 0.1, 1]"});
        QVERIFY(more.err.count("is already finished") == 4);
        QCOMPARE(test::Finished::lines_of(place_.read("results/sweep/results.csv")).size(), qsizetype{7});
    }

    void finished_run_with_other_settings_is_refused() {
        VERIFY_RUN(r, 2, {"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=2"});
        VERIFY_HAS(r.err, "train.epochs was 1, is now 2");
    }

    void cases_are_in_all_tables() {
        place_.write("cases.toml", test::small_experiment("[sweep]\ntrain.seed = [1, 2]\n"
                                                          "[[sweep.case]]\nlabel = \"without, coverage\"\n"
                                                          "coverage.enabled = false\n"
                                                          "[[sweep.case]]\nlabel = \"coverage\"\n"));
        VERIFY_RUN(r, 0, {"--batch", "cases.toml", "--out", "results", "--set", "train.max_steps=2"});
        VERIFY_HAS(r.out, "without, coverage");
        const auto results = test::Finished::lines_of(place_.read("results/cases/results.csv"));
        QCOMPARE(results.size(), qsizetype{5});
        QVERIFY2(results[0].contains(",backbone,case,peak_memory,precision,device"), results[0].constData());
        // Pairs first: an interrupted batch has whole ones.
        QVERIFY(results[1].startsWith("seed-1_case-without--coverage,finished,") &&
                results[1].contains(",untrained,\"without, coverage\","));
        QVERIFY(results[2].startsWith("seed-1_case-coverage,finished,") &&
                results[2].contains(",untrained,coverage,"));
        const auto summary = test::Finished::lines_of(place_.read("results/cases/summary.csv"));
        QCOMPARE(summary.size(), qsizetype{3});
        QVERIFY(summary[0].startsWith("data,horizon,case,runs,n,"));
        QVERIFY(summary[1].startsWith("series,24,\"without, coverage\",2,2,"));
        QVERIFY(summary[2].startsWith("series,24,coverage,2,2,"));
        for (const char* table : {"results.md", "summary.md"})
            QVERIFY(place_.read(QStringLiteral("results/cases/") + table).contains(" case "));
        QVERIFY(place_.read("results/cases/seed-2_case-without--coverage/config.toml")
                    .contains("enabled = false"));
        QVERIFY(place_.read("results/cases/seed-2_case-coverage/config.toml").contains("enabled = true"));
        VERIFY_RUN(equal, 2, {"--batch", "cases.toml", "--out", "equal", "--set", "coverage.enabled=false"});
        VERIFY_HAS(equal.err, "these cases are equal: \"without, coverage\", \"coverage\"");
    }

    void a_model_without_coverage_runs_once() {
        place_.write("models.toml",
                     test::small_experiment("[sweep]\nmodel.name = [\"casp-llm\", \"dlinear\"]\n"
                                            "loss.lambda_cov = [0, 0.1]\ntrain.seed = [1, 2]\n"));
        VERIFY_RUN(r, 0, {"--batch", "models.toml", "--out", "results", "--set", "train.max_steps=2"});
        VERIFY_HAS(r.err, "warning: 2 of 8 combinations of the sweep are left out");
        const auto results = test::Finished::lines_of(place_.read("results/models/results.csv"));
        QCOMPARE(results.size(), qsizetype{7});
        QVERIFY2(results[5].startsWith("name-dlinear_seed-1,finished,"), results[5].constData());
        QCOMPARE(test::Finished::lines_of(place_.read("results/models/summary.csv")).size(), qsizetype{4});
        VERIFY_RUN(by_model, 0, {"--compare", "results/models", "--by", "model.name"});
        VERIFY_HAS(by_model.out, "lambda_cov 0 ", "lambda_cov 0.1 ");
        VERIFY_RUN(printed, 0, {"--print-config", "small.toml", "--set", "model.name=dlinear"});
        VERIFY_HAS(printed.err, "warning: not read by dlinear in this experiment: backbone.heads, ");
        QVERIFY(printed.out.startsWith("name = "));
    }

    void evaluate_a_run() {
        const QString run = "results/sweep/lambda_cov-0.1_decomposition-true";
        VERIFY_RUN(r, 0, {"--evaluate", run, "--data", "series.csv", "--out", "elsewhere"});
        QVERIFY(r.out.contains("test_mse") && r.out.contains("untrained"));
        const auto folder =
            place_.path("elsewhere/evaluations/sweep-lambda_cov-0.1_decomposition-true_series");
        QVERIFY2(QFile::exists(folder + "/run.h5"), r.out.constData());
        const auto found = store::read_run_file((folder + "/run.h5").toStdString());
        const auto own = store::read_run_file(place_.path(run + "/run.h5").toStdString());
        QCOMPARE(found.test->mse, own.test->mse);
        QCOMPARE(found.val->mse, own.val->mse);
    }

    void json_log() {
        VERIFY_RUN(
            r, 0,
            {"--batch", "small.toml", "--out", "json", "--log-format", "json", "--set", "train.epochs=1"});
        std::map<std::string, int> events;
        for (const auto& line : r.err_lines()) {
            const auto json = nlohmann::json::parse(line.toStdString(), nullptr, false);
            QVERIFY2(json.is_object() && json.contains("event"), line.constData());
            ++events[json["event"].get<std::string>()];
        }
        QCOMPARE(events["started"], 1);
        QCOMPARE(events["step"], 27);
        QCOMPARE(events["epoch"], 1);
        QCOMPARE(events["snapshot"], 1);
        QCOMPARE(events["finished"], 1);
        QVERIFY(r.out.contains("test MSE"));
        // An error is an event, too.
        VERIFY_RUN(
            refused, 2,
            {"--batch", "small.toml", "--out", "json", "--log-format", "json", "--set", "train.epochs=2"});
        const auto json = nlohmann::json::parse(refused.err.toStdString(), nullptr, false);
        QVERIFY2(json.is_object() && json["event"] == "error", refused.err.constData());
        QVERIFY(json["text"].get<std::string>().find("train.epochs") != std::string::npos);
    }

    void failing_run_exits_1_and_others_continue() {
        // Weight decay beyond reason makes every weight overflow within a few steps.
        place_.write("fail.toml", test::small_experiment("[sweep]\n\"train.weight_decay\" = [10, 1e-5]\n"));
        VERIFY_RUN(r, 1,
                   {"--batch", "fail.toml", "--out", "fail", "--set", "train.learning_rate=10", "--set",
                    "train.epochs=1", "--set", "train.max_steps=20"});
        VERIFY_HAS(r.err, "loss is");
        const auto lines = test::Finished::lines_of(place_.read("fail/fail/results.csv"));
        QCOMPARE(lines.size(), qsizetype{3});
        QVERIFY(lines[1].startsWith("weight_decay-10,failed,"));
        VERIFY_HAS(lines[2], ",finished,");
        // It is told again, and the finished one is kept.
        VERIFY_RUN(again, 1,
                   {"--batch", "fail.toml", "--out", "fail", "--set", "train.learning_rate=10", "--set",
                    "train.epochs=1", "--set", "train.max_steps=20", "--resume"});
        QVERIFY(again.err.contains("is already finished"));
    }

    void run_json_damaged_during_a_batch_exits_1() {
        QProcess process;
        QByteArray log;
        QVERIFY(place_.start(process,
                             {"--batch", "small.toml", "--out", "meanwhile", "--log-format", "json", "--set",
                              "sweep.train.seed=[1, 2, 3]", "--set", "train.epochs=1"},
                             "run 2 of 3", 1, &log));
        place_.write("meanwhile/small/seed-1/run.json", "{");
        QVERIFY(process.waitForFinished(60000));
        log += process.readAllStandardError();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 1, log.constData());
        QCOMPARE(log.count("the tables could not be written"), 1);
        VERIFY_HAS(log, "seed-1/run.json");
        // The others were made all the same; what the message advises mends it.
        for (const char* run : {"seed-2", "seed-3"})
            QVERIFY(
                place_.read(QStringLiteral("meanwhile/small/%1/run.json").arg(run)).contains("\"finished\""));
        QVERIFY(QFile::remove(place_.path("meanwhile/small/seed-1/run.json")));
        VERIFY_RUN(again, 0,
                   {"--batch", "small.toml", "--out", "meanwhile", "--set", "sweep.train.seed=[1, 2, 3]",
                    "--set", "train.epochs=1"});
        const auto lines = test::Finished::lines_of(place_.read("meanwhile/small/results.csv"));
        QCOMPARE(lines.size(), qsizetype{4});
        QVERIFY2(lines[1].startsWith("seed-1,finished,series,"), lines[1].constData());
    }

    /// Before the first epoch, and the run goes on.
    void preset_for_another_file_is_reported() {
        VERIFY_RUN(r, 0,
                   {"--batch", "small.toml", "--out", "preset", "--set", "preset=etth1-96", "--set",
                    "data.split=ratio", "--set", "train.epochs=1"});
        const auto warning = r.err.indexOf(
            "the preset etth1-96 is for ETTh1 (17,420 rows and 7 channels at intervals of 1 hour), but the "
            "file "
            "has 400 rows and 2 channels at intervals of 1 hour");
        QVERIFY2(warning >= 0 && warning < r.err.indexOf("epoch 1/1"), r.err.constData());
        QVERIFY(place_.read("preset/small/results.csv").contains("single,finished,series,"));
        // Once for a sweep on the terminal, and in the log of each run.
        VERIFY_RUN(sweep, 0,
                   {"--batch", "small.toml", "--out", "presets", "--set", "preset=etth1-96", "--set",
                    "data.split=ratio", "--set", "train.max_steps=1", "--set", "sweep.train.seed=[1, 2]"});
        QCOMPARE(sweep.err.count("the preset etth1-96 is for ETTh1"), qsizetype{1});
        for (const char* run : {"seed-1", "seed-2"})
            QVERIFY(place_.read(QStringLiteral("presets/small/%1/log.txt").arg(run))
                        .contains("warning: the preset etth1-96 is for ETTh1"));
    }

    /// The README's first command, cut short: its file is read, finds its data, and all runs beat the last
    /// value.
    void quick_start() {
        VERIFY_RUN(r, 0,
                   {"--batch", CASP_SOURCE_DIR "/resources/experiments/quickstart.toml", "--out", "quick",
                    "--set", "train.max_steps=60"});
        const auto lines = test::Finished::lines_of(place_.read("quick/quickstart/results.csv"));
        QCOMPARE(lines.size(), qsizetype{7});
        const auto names = lines[0].split(',');
        QStringList lambdas;
        for (const auto& line : lines.mid(1)) {
            const auto cells = line.split(',');
            const auto cell = [&](const char* name) { return cells.value(names.indexOf(QByteArray(name))); };
            QCOMPARE(cell("state"), QByteArray("finished"));
            QCOMPARE(cell("backbone"), QByteArray("untrained"));
            lambdas << QString::fromLatin1(cell("lambda_cov"));
            const double mse = cell("test_mse").toDouble(), last = cell("last_value_mse").toDouble();
            QVERIFY2(mse > 0 && mse < last / 4, line.constData());
        }
        QCOMPARE(lambdas, (QStringList{"0", "0", "0", "0.1", "0.1", "0.1"}));
        VERIFY_HAS(r.out, "persistence MSE", "key cosine");
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestBatch)
#include "test_batch.moc"
