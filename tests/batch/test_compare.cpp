// Comparisons of a batch and --compare, with the real program.
#include <filesystem>

#include <QtTest>

#include "batch_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        // Four steps.
        const auto experiment = test::small_experiment().replace("epochs = 3", "epochs = 1\nmax_steps = 4");
        for (const char* name : {"sweep.toml", "a.toml", "b.toml", "c.toml"}) place_.write(name, experiment);
        VERIFY_RUN(r, 0,
                   {"--batch", "sweep.toml", "--out", "runs", "--set", "sweep.loss.lambda_cov=[0.1, 0]",
                    "--set", "sweep.train.seed=[1, 2]"});
        VERIFY_HAS(r.out, "2 pairs: too few for p < 0.05 (at least 6)", "\n† Fewer than 6 pairs");
        QVERIFY2(r.out.contains("\ntest MSE\n") && !r.out.contains("\ntest MAE\n"), r.out.constData());
        VERIFY_HAS(r.out, "Backbone of the runs: untrained.");
    }

    void batch_compares_its_values() {
        const auto lines = test::Finished::lines_of(place_.read("runs/sweep/comparisons.csv"));
        QCOMPARE(lines.size(), qsizetype{3});
        QCOMPARE(
            lines[0],
            QByteArray("task,metric,base,other,n,improved,mean_base,mean_other,delta,delta_percent,"
                       "ci_low,ci_high,w,p,p_holm,precision,method,dm,p_dm,block_low,block_high,windows"));
        // The first value of the sweep is the base, though not the smallest.
        QVERIFY2(lines[1].startsWith("series-24,test_mse,0.1,0,2,"), lines[1].constData());
        QVERIFY2(lines[2].startsWith("series-24,test_mae,0.1,0,2,") && lines[2].contains(",fp32,exact,"),
                 lines[2].constData());
        const auto mse = [&](const QString& run) {
            return store::read_run_file(place_.path("runs/sweep/" + run + "/run.h5").toStdString()).test->mse;
        };
        const auto cells = lines[1].split(',');
        const double base = (mse("lambda_cov-0.1_seed-1") + mse("lambda_cov-0.1_seed-2")) / 2;
        const double other = (mse("lambda_cov-0_seed-1") + mse("lambda_cov-0_seed-2")) / 2;
        QVERIFY(std::abs(cells[6].toDouble() - base) < 1e-12 &&
                std::abs(cells[7].toDouble() - other) < 1e-12);
        QVERIFY(std::abs(cells[8].toDouble() - (other - base)) < 1e-12);
        QVERIFY(place_.read("runs/sweep/comparisons.md").contains("2 pairs: too few"));
        QVERIFY(place_.read("runs/sweep/comparisons.tex").contains("\\toprule"));
        for (const char* file : {"comparisons.md", "comparisons.tex"})
            QVERIFY(place_.read(QString("runs/sweep/") + file).contains("Fewer than 6 pairs"));
    }

    void compare_equals_the_batch_comparison() {
        for (const char* folder : {"runs", "runs/sweep", "runs/sweep/"}) {
            VERIFY_RUN(r, 0, {"--compare", folder, "--base", "0.1", "--out", "same"});
            QVERIFY2(r.out.startsWith("loss.lambda_cov, compared with 0.1 (4 finished runs)"),
                     r.out.constData());
            VERIFY_HAS(r.out, "2 pairs: too few for p < 0.05 (at least 6)");
            QCOMPARE(place_.read("same/comparisons.csv"), place_.read("runs/sweep/comparisons.csv"));
        }
        // Runs one by one.
        VERIFY_RUN(two, 0,
                   {"--compare", "runs/sweep/lambda_cov-0.1_seed-2", "runs/sweep/lambda_cov-0_seed-2"});
        VERIFY_HAS(two.out, "1 pair: says nothing about seed noise; ", "over periods: ");
    }

    void verification_recomputes_tests_over_periods() {
        VERIFY_CODE(place_.run({"--verify", "runs/sweep"}), 0);
        const auto text = place_.read("runs/sweep/comparisons.csv");
        const auto windows = text.trimmed().split(',').last();
        QVERIFY(windows.toInt() > 0);
        place_.write("runs/sweep/comparisons.csv", text.trimmed() + "0\n");
        VERIFY_RUN(changed, 1, {"--verify", "runs/sweep"});
        VERIFY_HAS(changed.out + changed.err, "comparisons.csv", "column windows");
        // Without the forecasts, the other columns only.
        place_.write("runs/sweep/comparisons.csv", text);
        const auto arrays = place_.path("runs/sweep/lambda_cov-0_seed-2/arrays.h5");
        QVERIFY(QFile::rename(arrays, arrays + ".away"));
        VERIFY_RUN(without, 0, {"--verify", "runs/sweep"});
        VERIFY_HAS(without.out + without.err, "tests over periods in comparisons.*");
        place_.write("runs/sweep/comparisons.csv", QByteArray(text).replace(",fp32,", ",fp64,"));
        VERIFY_CODE(place_.run({"--verify", "runs/sweep"}), 1);
        QVERIFY(QFile::rename(arrays + ".away", arrays));
        place_.write("runs/sweep/comparisons.csv", text);
    }

    /// Without --out, no file is written.
    void base_metric_and_key() {
        const auto before = QDir(place_.path(".")).entryList();
        VERIFY_RUN(r, 0,
                   {"--compare", "runs", "--by", "loss.lambda_cov", "--base", "0", "--metric", "val_mse"});
        QVERIFY2(r.out.contains("compared with 0 (") && r.out.contains("\nvalidation MSE\n") &&
                     !r.out.contains("MAE"),
                 r.out.constData());
        QCOMPARE(QDir(place_.path(".")).entryList(), before);
    }

    void cases_and_a_swept_setting() {
        place_.write("cases.toml", place_.read("a.toml") +
                                       "[[sweep.case]]\nlabel = \"slow\"\n\"train.learning_rate\" = 1e-4\n"
                                       "[[sweep.case]]\nlabel = \"fast\"\n\"train.learning_rate\" = 1e-3\n");
        VERIFY_CODE(
            place_.run({"--batch", "cases.toml", "--out", "both", "--set", "sweep.loss.lambda_cov=[0.1, 0]"}),
            0);
        VERIFY_RUN(r, 0, {"--compare", "both", "--out", "both-tables"});
        VERIFY_HAS(r.out, "case, compared with slow (4 finished runs)",
                   "loss.lambda_cov, compared with 0.1 (4 finished runs)");
        QCOMPARE(place_.read("both-tables/comparisons.csv"), place_.read("both/cases/comparisons.csv"));
        VERIFY_RUN(base, 2, {"--compare", "both", "--base", "0"});
        VERIFY_HAS(base.err, "Add --by case or --by loss.lambda_cov.");
        VERIFY_CODE(place_.run({"--compare", "both", "--base", "0", "--by", "loss.lambda_cov"}), 0);
    }

    void bad_requests_data() {
        QVERIFY(QDir().mkpath(place_.path("empty")));
        test::add_refusals(
            {{"metric", {"--compare", "runs", "--metric", "test_mse_"}, "Nearest: test_mse."},
             {"no such metric",
              {"--compare", "runs", "--metric", "nix"},
              "key_cosine, seconds, test_smape, test_mase, test_owa"},
             {"key", {"--compare", "runs", "--by", "lambda_cov"}, "Nearest valid key: loss.lambda_cov."},
             {"seed", {"--compare", "runs", "--by", "train.seed"}, "runs are paired by train.seed"},
             {"task",
              {"--compare", "runs", "--by", "data.horizon"},
              "data.horizon changes the data that are forecast"},
             {"base",
              {"--compare", "runs", "--base", "0.2"},
              "\"0.2\" is not a value of loss.lambda_cov in the finished runs; expected 0.1 or 0."},
             {"one value", {"--compare", "runs", "--by", "model.top_k"}, "all with model.top_k = 4"},
             {"what differs",
              {"--compare", "runs", "--by", "model.top_k"},
              "These settings differ: loss.lambda_cov (0.1, 0)."},
             {"no case", {"--compare", "runs", "--by", "case"}, "4 finished runs, none with a case"},
             {"no preset",
              {"--compare", "runs", "--by", "preset"},
              "4 finished runs, none with a value of preset; expected"},
             {"no folder", {"--compare", "no-such-folder"}, "no-such-folder"},
             {"no runs", {"--compare", "empty"}, "no finished run below empty"},
             {"one run",
              {"--compare", "runs/sweep/lambda_cov-0_seed-1"},
              "nothing to compare: 1 finished run"}});
    }
    void bad_requests() { test::verify_refusal(place_); }

    void other_settings_and_seeds() {
        const auto run = [&](const QString& name, const QStringList& sets) {
            QStringList arguments{"--batch", name + ".toml", "--out", "others"};
            for (const auto& set : sets) arguments << "--set" << set;
            return place_.run(arguments).code;
        };
        QCOMPARE(run("a", {"loss.lambda_cov=0", "train.seed=1"}), 0);
        QCOMPARE(run("b", {"loss.lambda_cov=0.1", "train.seed=1", "train.learning_rate=0.002"}), 0);
        QCOMPARE(run("c", {"loss.lambda_cov=0.1", "train.seed=3"}), 0);
        // A single run has no table of comparisons.
        QVERIFY(!QFile::exists(place_.path("others/a/comparisons.csv")));
        VERIFY_RUN(settings, 2, {"--compare", "others/a", "others/b", "--by", "loss.lambda_cov"});
        VERIFY_HAS(settings.err, "These settings differ as well: train.learning_rate (0.001, 0.002)");
        VERIFY_RUN(seeds, 2, {"--compare", "others/a", "others/c"});
        VERIFY_HAS(seeds.err, "no seed in common with 0 (3 against 1)");
    }

    void damaged_runs_are_skipped() {
        QVERIFY(QDir(place_.path(".")).mkpath("damaged/one"));
        place_.write("damaged/one/run.json", place_.read("runs/sweep/lambda_cov-0_seed-1/run.json"));
        place_.write("damaged/one/config.toml", "[broken\n");
        VERIFY_RUN(r, 0, {"--compare", "runs", "damaged"});
        VERIFY_HAS(r.out, "(4 finished runs)");
        QCOMPARE(r.err.count("warning: "), qsizetype{1});
        VERIFY_HAS(r.err, "damaged/one: ");
        const auto table = place_.run({"--table", "lambda", "runs", "damaged"});
        VERIFY_HAS(table.err, "damaged/one: ");
        // Without its run.json, a run is neither counted nor forgotten.
        copy_runs("runs/sweep", "lost");
        QVERIFY(QFile::remove(place_.path("lost/lambda_cov-0_seed-1/run.json")));
        VERIFY_RUN(lost, 0, {"--compare", "lost"});
        VERIFY_HAS(lost.out, "(3 finished runs)");
        QCOMPARE(lost.err.count("warning: "), qsizetype{1});
        VERIFY_HAS(lost.err, "lost/lambda_cov-0_seed-1: run.json is missing. Start the run again");
    }

    void unfinished_runs_and_empty_folders_are_named() {
        copy_runs("runs/sweep", "partial/sweep");
        QVERIFY(QDir().mkpath(place_.path("empty")));
        const QString json = "partial/sweep/lambda_cov-0_seed-2/run.json";
        place_.write(json, place_.read(json).replace("\"finished\"", "\"interrupted\""));
        VERIFY_RUN(r, 0, {"--compare", "partial", "empty"});
        VERIFY_HAS(r.out, "(3 finished runs)");
        VERIFY_HAS(r.err,
                   "partial/sweep: 1 of 4 runs is not finished (1 interrupted) and omitted. Finish "
                   "the batch with: caspstudio --batch sweep.toml --out ",
                   "/partial --resume", "warning: empty: no run (no run.json or run.h5 in it");
        // One pair is no test.
        VERIFY_HAS(r.out, "1 pair: says nothing about seed noise");
    }

private:
    /// Copies the runs of a batch in the opposite order of their creation.
    void copy_runs(const QString& from, const QString& to) const {
        const QStringList runs{"lambda_cov-0_seed-2", "lambda_cov-0_seed-1", "lambda_cov-0.1_seed-2",
                               "lambda_cov-0.1_seed-1"};
        std::filesystem::create_directories(place_.path(to).toStdString());
        for (const auto& run : runs)
            std::filesystem::copy(place_.path(from + '/' + run).toStdString(),
                                  place_.path(to + '/' + run).toStdString());
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestCompare)
#include "test_compare.moc"
