// Comparisons of a batch and --compare, with the real program.
#include <filesystem>

#include <QtTest>

#include "batch_fixture.h"
#include "test_program.h"

using namespace casp;

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void batch_compares_its_values();
    void compare_says_the_same();
    void base_metric_and_key();
    void cases_and_a_swept_setting();
    void without_coverage_is_no_lambda();
    void bad_requests_data();
    void bad_requests();
    void other_settings_and_seeds();
    void damaged_runs_are_skipped();
    void a_copy_compares_alike();
    void unfinished_runs_and_empty_folders_are_named();

private:
    void copy_runs(const QString& from, const QString& to) const;

    test::Workplace place_;
};

void TestCompare::initTestCase() {
    QVERIFY(place_.valid());
    QVERIFY2(QFile::exists(CASP_EXECUTABLE), "build the target caspstudio first");
    place_.write("series.csv", test::small_csv());
    // Four steps.
    const auto experiment = test::small_experiment().replace("epochs = 3", "epochs = 1\nmax_steps = 4");
    for (const char* name : {"sweep.toml", "a.toml", "b.toml", "c.toml"}) place_.write(name, experiment);
    const auto r = place_.run({"--batch", "sweep.toml", "--out", "runs", "--set",
                               "sweep.loss.lambda_cov=[0.1, 0]", "--set", "sweep.train.seed=[1, 2]"});
    VERIFY_CODE(r, 0);
    QVERIFY2(r.out.contains("2 pairs: too few for p < 0.05 (at least 6)"), r.out.constData());
    QVERIFY2(r.out.contains("\n† Fewer than 6 pairs"), r.out.constData());
    QVERIFY2(r.out.contains("\ntest MSE\n") && !r.out.contains("\ntest MAE\n"), r.out.constData());
    QVERIFY2(r.out.contains("Backbone of the runs: untrained."), r.out.constData());
}

void TestCompare::batch_compares_its_values() {
    const auto lines = test::Finished::lines_of(place_.read("runs/sweep/comparisons.csv"));
    QCOMPARE(lines.size(), qsizetype{3});
    QCOMPARE(lines[0],
             QByteArray("task,metric,base,other,n,improved,mean_base,mean_other,delta,delta_percent,"
                        "ci_low,ci_high,w,p,p_holm,precision,method"));
    // The first value of the sweep is the base, though not the smallest.
    QVERIFY2(lines[1].startsWith("series-24,test_mse,0.1,0,2,"), lines[1].constData());
    QVERIFY2(lines[2].startsWith("series-24,test_mae,0.1,0,2,") && lines[2].endsWith(",fp32,exact"),
             lines[2].constData());
    const auto mse = [&](const QString& run) {
        return store::read_run_file(place_.path("runs/sweep/" + run + "/run.h5").toStdString()).test->mse;
    };
    const auto cells = lines[1].split(',');
    const double base = (mse("lambda_cov-0.1_seed-1") + mse("lambda_cov-0.1_seed-2")) / 2;
    const double other = (mse("lambda_cov-0_seed-1") + mse("lambda_cov-0_seed-2")) / 2;
    QVERIFY(std::abs(cells[6].toDouble() - base) < 1e-12 && std::abs(cells[7].toDouble() - other) < 1e-12);
    QVERIFY(std::abs(cells[8].toDouble() - (other - base)) < 1e-12);
    QVERIFY(place_.read("runs/sweep/comparisons.md").contains("2 pairs: too few"));
    QVERIFY(place_.read("runs/sweep/comparisons.tex").contains("\\toprule"));
    for (const char* file : {"comparisons.md", "comparisons.tex"})
        QVERIFY(place_.read(QString("runs/sweep/") + file).contains("Fewer than 6 pairs"));
}

void TestCompare::compare_says_the_same() {
    for (const char* folder : {"runs", "runs/sweep", "runs/sweep/"}) {
        const auto r = place_.run({"--compare", folder, "--base", "0.1", "--out", "same"});
        VERIFY_CODE(r, 0);
        QVERIFY2(r.out.startsWith("loss.lambda_cov, compared with 0.1 (4 finished runs)"), r.out.constData());
        QVERIFY2(r.out.contains("2 pairs: too few for p < 0.05 (at least 6)"), r.out.constData());
        QCOMPARE(place_.read("same/comparisons.csv"), place_.read("runs/sweep/comparisons.csv"));
    }
    // Runs one by one.
    const auto two =
        place_.run({"--compare", "runs/sweep/lambda_cov-0.1_seed-2", "runs/sweep/lambda_cov-0_seed-2"});
    VERIFY_CODE(two, 0);
    QVERIFY2(two.out.contains("1 pair: says nothing about seed noise"), two.out.constData());
}

/// Without --out, no file is written.
void TestCompare::base_metric_and_key() {
    const auto before = QDir(place_.path(".")).entryList();
    const auto r =
        place_.run({"--compare", "runs", "--by", "loss.lambda_cov", "--base", "0", "--metric", "val_mse"});
    VERIFY_CODE(r, 0);
    QVERIFY2(
        r.out.contains("compared with 0 (") && r.out.contains("\nvalidation MSE\n") && !r.out.contains("MAE"),
        r.out.constData());
    QCOMPARE(QDir(place_.path(".")).entryList(), before);
}

void TestCompare::cases_and_a_swept_setting() {
    place_.write("cases.toml", place_.read("a.toml") +
                                   "[[sweep.case]]\nlabel = \"slow\"\n\"train.learning_rate\" = 1e-4\n"
                                   "[[sweep.case]]\nlabel = \"fast\"\n\"train.learning_rate\" = 1e-3\n");
    VERIFY_CODE(
        place_.run({"--batch", "cases.toml", "--out", "both", "--set", "sweep.loss.lambda_cov=[0.1, 0]"}), 0);
    const auto r = place_.run({"--compare", "both", "--out", "both-tables"});
    VERIFY_CODE(r, 0);
    QVERIFY2(r.out.contains("case, compared with slow (4 finished runs)") &&
                 r.out.contains("loss.lambda_cov, compared with 0.1 (4 finished runs)"),
             r.out.constData());
    QCOMPARE(place_.read("both-tables/comparisons.csv"), place_.read("both/cases/comparisons.csv"));
    const auto base = place_.run({"--compare", "both", "--base", "0"});
    VERIFY_CODE(base, 2);
    QVERIFY2(base.err.contains("Add --by case or --by loss.lambda_cov."), base.err.constData());
    VERIFY_CODE(place_.run({"--compare", "both", "--base", "0", "--by", "loss.lambda_cov"}), 0);
}

void TestCompare::without_coverage_is_no_lambda() {
    VERIFY_CODE(
        place_.run({"--batch", "c.toml", "--out", "covered", "--set", "sweep.loss.lambda_cov=[0.1, 0]",
                    "--set", "sweep.coverage.enabled=[true, false]"}),
        0);
    const auto r = place_.run({"--compare", "covered", "--by", "loss.lambda_cov", "--out", "covered-tables"});
    VERIFY_CODE(r, 0);
    const auto lines = test::Finished::lines_of(place_.read("covered-tables/comparisons.csv"));
    QCOMPARE(lines.size(), qsizetype{5});
    const auto of_mse = lines[1] + lines[2];
    QVERIFY2(of_mse.contains("series-24,test_mse,0.1,0,1,") &&
                 of_mse.contains("series-24,test_mse,0.1,without coverage,1,"),
             of_mse.constData());
}

void TestCompare::bad_requests_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* name, QStringList arguments, const char* said) {
        QTest::newRow(name) << (QStringList{"--compare", "runs"} << arguments) << QByteArray(said);
    };
    row("metric", {"--metric", "test_mse_"}, "Nearest: test_mse.");
    row("no such metric", {"--metric", "nix"},
        "key_cosine, seconds, test_smape, test_mase, test_owa or val_smape.\n");
    row("key", {"--by", "lambda_cov"}, "Nearest valid key: loss.lambda_cov.");
    row("seed", {"--by", "train.seed"}, "runs are paired by train.seed");
    row("task", {"--by", "data.horizon"}, "data.horizon changes the data that are forecast");
    row("base", {"--base", "0.2"},
        "\"0.2\" is not a value of loss.lambda_cov in the finished runs; expected 0.1 or 0.");
    row("one value", {"--by", "model.top_k"}, "all with model.top_k = 4");
    row("what differs", {"--by", "model.top_k"}, "These settings differ: loss.lambda_cov (0.1, 0).");
    row("no case", {"--by", "case"}, "4 finished runs, none with a case");
    row("no preset", {"--by", "preset"}, "4 finished runs, none with a value of preset; expected");
    QTest::newRow("no folder") << QStringList{"--compare", "no-such-folder"} << QByteArray("no-such-folder");
    QVERIFY(QDir().mkpath(place_.path("empty")));
    QTest::newRow("no runs") << QStringList{"--compare", "empty"}
                             << QByteArray("no finished run below empty");
    QTest::newRow("one run") << QStringList{"--compare", "runs/sweep/lambda_cov-0_seed-1"}
                             << QByteArray("nothing to compare: 1 finished run");
}

void TestCompare::bad_requests() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    const auto r = place_.run(arguments);
    VERIFY_CODE(r, 2);
    QVERIFY(r.out.isEmpty());
    QVERIFY2(r.err.contains(said), r.err.constData());
}

void TestCompare::other_settings_and_seeds() {
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
    const auto settings = place_.run({"--compare", "others/a", "others/b", "--by", "loss.lambda_cov"});
    VERIFY_CODE(settings, 2);
    QVERIFY2(settings.err.contains("These settings differ as well: train.learning_rate (0.001, 0.002)"),
             settings.err.constData());
    const auto seeds = place_.run({"--compare", "others/a", "others/c"});
    VERIFY_CODE(seeds, 2);
    QVERIFY2(seeds.err.contains("no seed in common with 0 (3 against 1)"), seeds.err.constData());
}

void TestCompare::damaged_runs_are_skipped() {
    QVERIFY(QDir(place_.path(".")).mkpath("damaged/one"));
    place_.write("damaged/one/run.json", place_.read("runs/sweep/lambda_cov-0_seed-1/run.json"));
    place_.write("damaged/one/config.toml", "[broken\n");
    const auto r = place_.run({"--compare", "runs", "damaged"});
    VERIFY_CODE(r, 0);
    QVERIFY2(r.out.contains("(4 finished runs)"), r.out.constData());
    QCOMPARE(r.err.count("warning: "), qsizetype{1});
    QVERIFY2(r.err.contains("damaged/one: "), r.err.constData());
    const auto table = place_.run({"--table", "lambda", "runs", "damaged"});
    QVERIFY2(table.err.contains("damaged/one: "), table.err.constData());
    // Without its run.json, a run is neither counted nor forgotten.
    copy_runs("runs/sweep", "lost");
    QVERIFY(QFile::remove(place_.path("lost/lambda_cov-0_seed-1/run.json")));
    const auto lost = place_.run({"--compare", "lost"});
    VERIFY_CODE(lost, 0);
    QVERIFY2(lost.out.contains("(3 finished runs)"), lost.out.constData());
    QCOMPARE(lost.err.count("warning: "), qsizetype{1});
    QVERIFY2(lost.err.contains("lost/lambda_cov-0_seed-1: run.json is missing. Start the run again"),
             lost.err.constData());
}

/// Copies the runs of a batch in the opposite order of their creation.
void TestCompare::copy_runs(const QString& from, const QString& to) const {
    const QStringList runs{"lambda_cov-0_seed-2", "lambda_cov-0_seed-1", "lambda_cov-0.1_seed-2",
                           "lambda_cov-0.1_seed-1"};
    std::filesystem::create_directories(place_.path(to).toStdString());
    for (const auto& run : runs)
        std::filesystem::copy(place_.path(from + '/' + run).toStdString(),
                              place_.path(to + '/' + run).toStdString());
}

void TestCompare::a_copy_compares_alike() {
    copy_runs("runs/sweep", "copied/deep/in/sweep");
    VERIFY_CODE(place_.run({"--compare", "copied", "--out", "of-copy"}), 0);
    QVERIFY(!place_.read("of-copy/comparisons.csv").isEmpty());
    QCOMPARE(place_.read("of-copy/comparisons.csv"), place_.read("runs/sweep/comparisons.csv"));
}

void TestCompare::unfinished_runs_and_empty_folders_are_named() {
    copy_runs("runs/sweep", "partial/sweep");
    QVERIFY(QDir().mkpath(place_.path("empty")));
    const QString json = "partial/sweep/lambda_cov-0_seed-2/run.json";
    place_.write(json, place_.read(json).replace("\"finished\"", "\"interrupted\""));
    const auto r = place_.run({"--compare", "partial", "empty"});
    VERIFY_CODE(r, 0);
    QVERIFY2(r.out.contains("(3 finished runs)"), r.out.constData());
    QVERIFY2(r.err.contains("partial/sweep: 1 of 4 runs is not finished (1 interrupted) and omitted. Finish "
                            "the batch with: caspstudio --batch sweep.toml --out ") &&
                 r.err.contains("/partial --resume"),
             r.err.constData());
    QVERIFY2(r.err.contains("warning: empty: no run (no run.json or run.h5 in it"), r.err.constData());
    // One pair is no test.
    QVERIFY2(r.out.contains("1 pair: says nothing about seed noise"), r.out.constData());
}

TEST_MAIN_WITHOUT_GUI(TestCompare)
#include "test_compare.moc"
