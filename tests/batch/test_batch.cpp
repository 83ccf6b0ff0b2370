// The program as a script sees it: exit statuses, output, files.
#include <algorithm>

#include <QtTest>

#include "batch_fixture.h"

using namespace casp;

class TestBatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void version();
    void help_fits_the_terminal();
    void lists();
    void print_config_of_a_preset();
    void describe_the_sample();
    void bad_arguments_data();
    void bad_arguments();
    void missing_gpt2_names_three_ways_out();
    void unknown_data_to_fetch();
    void sweep_leaves_tables_and_runs();
    void finished_runs_are_skipped();
    void finished_run_with_other_settings_is_refused();
    void evaluate_a_run();
    void json_log();
    void failing_run_exits_1_and_the_others_go_on();
    void figures_need_the_window();

private:
    test::Workplace place_;
};

void TestBatch::initTestCase() {
    QVERIFY(place_.valid());
    QVERIFY2(QFile::exists(CASP_EXECUTABLE), "build the target caspstudio first");
    place_.write("series.csv", test::small_csv());
    place_.write("small.toml", test::small_experiment());
    place_.write("sweep.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"
                                                      "\"model.decomposition\" = [true, false]\n"));
}

void TestBatch::version() {
    const auto r = place_.run({"--version"});
    VERIFY_CODE(r, 0);
    QCOMPARE(r.out, QByteArray("CASP Studio " CASP_VERSION "\n"));
    QVERIFY(r.err.isEmpty());
}

void TestBatch::help_fits_the_terminal() {
    const auto r = place_.run({"--help"});
    VERIFY_CODE(r, 0);
    QVERIFY(r.err.isEmpty());
    const auto lines = r.out_lines();
    QVERIFY(lines.size() > 50);
    for (const auto& line : lines) QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
    for (const char* flag :
         {"--batch", "--evaluate", "--describe", "--print-config", "--fetch", "--list-presets",
          "--list-options", "--list-catalog", "--version", "--resume", "--log-format"})
        QVERIFY2(r.out.contains(flag), flag);
}

void TestBatch::lists() {
    const auto presets = place_.run({"--list-presets"});
    VERIFY_CODE(presets, 0);
    QCOMPARE(presets.out_lines().size(), qsizetype{24});
    const auto options = place_.run({"--list-options"});
    VERIFY_CODE(options, 0);
    for (const auto& line : options.out_lines()) QCOMPARE(line.count('\t'), qsizetype{6});
    const auto help = place_.run({"--help"}).out;
    for (const auto& line : options.out_lines())
        QVERIFY2(help.contains("  " + line.left(line.indexOf('\t'))), line.constData());
    const auto catalog = place_.run({"--list-catalog"});
    VERIFY_CODE(catalog, 0);
    QVERIFY(catalog.out.contains("ETTh1") && catalog.out.contains("gpt2"));
    QVERIFY(!catalog.out.contains("in the cache"));  // the home is empty
}

void TestBatch::print_config_of_a_preset() {
    const auto r = place_.run({"--print-config", "--preset", "etth1-96", "--set", "train.seed=7"});
    VERIFY_CODE(r, 0);
    QVERIFY(r.out.contains("preset = \"etth1-96\"") && r.out.contains("seed = 7") &&
            r.out.contains("horizon = 96"));
    // What is printed is an experiment file that means the same.
    place_.write("printed.toml", r.out);
    const auto again = place_.run({"--print-config", "printed.toml"});
    VERIFY_CODE(again, 0);
    QCOMPARE(again.out.mid(again.out.indexOf("preset =")), r.out.mid(r.out.indexOf("preset =")));
    const auto sweep = place_.run({"--print-config", "sweep.toml"});
    VERIFY_CODE(sweep, 0);
    QVERIFY(sweep.out.contains("[sweep]"));
}

void TestBatch::describe_the_sample() {
    const auto r = place_.run({"--describe", CASP_SOURCE_DIR "/datasets/sample.csv"});
    VERIFY_CODE(r, 0);
    for (const char* text : {"17,520", "HVAL", "OT"}) QVERIFY2(r.out.contains(text), r.out.constData());
}

void TestBatch::bad_arguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("unknown flag") << QStringList{"--bacth", "small.toml"} << QByteArray("--batch");
    QTest::newRow("no file") << QStringList{"--batch", "none.toml"} << QByteArray("none.toml");
    QTest::newRow("no value") << QStringList{"--batch"} << QByteArray("--batch");
    QTest::newRow("two modes") << QStringList{"--batch", "small.toml", "--help", "--version"} << QByteArray();
    QTest::newRow("unknown key") << QStringList{"--batch", "small.toml", "--set", "loss.lamda_cov=1"}
                                 << QByteArray("loss.lambda_cov");
    QTest::newRow("out of range") << QStringList{"--batch", "small.toml", "--set", "train.epochs=0"}
                                  << QByteArray("train.epochs");
    QTest::newRow("no data") << QStringList{"--batch", "small.toml", "--set", "data.path=none.csv"}
                             << QByteArray("none.csv");
    QTest::newRow("too long") << QStringList{"--batch", "small.toml", "--set", "data.horizon=90"}
                              << QByteArray("longest horizon");
    QTest::newRow("no run") << QStringList{"--evaluate", "nothing", "--data", "series.csv"}
                            << QByteArray("nothing");
    QTest::newRow("no csv") << QStringList{"--describe", "none.csv"} << QByteArray("none.csv");
}

void TestBatch::bad_arguments() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, said);
    const auto r = place_.run(arguments);
    if (QTest::currentDataTag() == QLatin1String("two modes")) {
        VERIFY_CODE(r, 0);  // --help helps whatever else was said
        return;
    }
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains(said), r.err.constData());
    QCOMPARE(r.err.startsWith("caspstudio: ") || r.err_lines().size() > 1, true);
    if (QTest::currentDataTag() == QLatin1String("unknown flag"))
        QCOMPARE(r.err_lines().size(), qsizetype{1});
    QVERIFY(r.out.isEmpty());
    QVERIFY2(!QFile::exists(place_.path("runs")), "nothing may have been started");
}

void TestBatch::missing_gpt2_names_three_ways_out() {
    const auto r =
        place_.run({"--batch", "small.toml", "--set", "backbone.path=catalog:gpt2", "--out", "none"});
    VERIFY_CODE(r, 2);
    for (const char* text : {"--fetch gpt2", "backbone.path", "untrained"})
        QVERIFY2(r.err.contains(text), r.err.constData());
    QVERIFY(!QFile::exists(place_.path("none")));
    QVERIFY(!QFile::exists(place_.path("home")));
}

void TestBatch::unknown_data_to_fetch() {
    const auto r = place_.run({"--fetch", "ETTh9"});
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains("ETTh1"), r.err.constData());  // the nearest name
    QVERIFY(!QFile::exists(place_.path("home")));
}

void TestBatch::sweep_leaves_tables_and_runs() {
    const auto r = place_.run({"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1"});
    VERIFY_CODE(r, 0);
    // Standard output has the table and nothing of the progress.
    QVERIFY2(r.out.contains("test MSE") && r.out.contains("last-value MSE") && r.out.contains("untrained"),
             r.out.constData());
    QVERIFY(r.out.contains("random weights, no language model"));
    QVERIFY(!r.out.contains("epoch 1/1") && r.err.contains("epoch 1/1"));
    const auto csv = place_.read("results/sweep/results.csv");
    const auto lines = test::Finished::lines_of(csv);
    QCOMPARE(lines.size(), qsizetype{5});
    QCOMPARE(
        lines[0],
        QByteArray("run,state,data,model,lookback,horizon,lambda_sim,lambda_cov,seed,epochs,best_epoch,steps,"
                   "val_mse,test_mse,test_mae,last_value_mse,usage_entropy,distinct_anchors,key_cosine,"
                   "seconds,backbone,model.decomposition"));
    const QList<QByteArray> runs{"lambda_cov-0_decomposition-true", "lambda_cov-0_decomposition-false",
                                 "lambda_cov-0.1_decomposition-true", "lambda_cov-0.1_decomposition-false"};
    for (int i = 0; i < 4; ++i) {
        const auto cells = lines[i + 1].split(',');
        QCOMPARE(cells.size(), qsizetype{22});
        QCOMPARE(cells[0], runs[i]);
        QCOMPARE(cells[1], QByteArray("finished"));
        QCOMPARE(cells[2], QByteArray("series"));
        QCOMPARE(cells[7].toDouble(), i < 2 ? 0.0 : 0.1);
        QCOMPARE(cells[11], QByteArray("27"));
        QCOMPARE(cells[20], QByteArray("untrained"));
        QCOMPARE(cells[21], QByteArray(i % 2 == 0 ? "true" : "false"));
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

void TestBatch::finished_runs_are_skipped() {
    const auto before = place_.read("results/sweep/results.csv");
    QVERIFY(!before.isEmpty());
    QElapsedTimer timer;
    timer.start();
    const auto r = place_.run({"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1"});
    VERIFY_CODE(r, 0);
    QVERIFY(r.err.count("is finished already") == 4);
    QVERIFY(r.out.contains("test MSE"));
    QCOMPARE(place_.read("results/sweep/results.csv"), before);
    QVERIFY2(timer.elapsed() < 5000, "nothing had to be computed");
    // One more value: only its runs are computed.
    const auto more = place_.run({"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=1",
                                  "--set", "sweep.loss.lambda_cov=[0, 0.1, 1]"});
    VERIFY_CODE(more, 0);
    QVERIFY(more.err.count("is finished already") == 4);
    QCOMPARE(test::Finished::lines_of(place_.read("results/sweep/results.csv")).size(), qsizetype{7});
}

void TestBatch::finished_run_with_other_settings_is_refused() {
    const auto r = place_.run({"--batch", "sweep.toml", "--out", "results", "--set", "train.epochs=2"});
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains("train.epochs was 1, is now 2"), r.err.constData());
}

void TestBatch::evaluate_a_run() {
    const QString run = "results/sweep/lambda_cov-0.1_decomposition-true";
    const auto r = place_.run({"--evaluate", run, "--data", "series.csv", "--out", "elsewhere"});
    VERIFY_CODE(r, 0);
    QVERIFY(r.out.contains("test_mse") && r.out.contains("untrained"));
    const auto folder = place_.path("elsewhere/evaluations/sweep-lambda_cov-0.1_decomposition-true_series");
    QVERIFY2(QFile::exists(folder + "/run.h5"), r.out.constData());
    const auto found = store::read_run_file((folder + "/run.h5").toStdString());
    const auto own = store::read_run_file(place_.path(run + "/run.h5").toStdString());
    QCOMPARE(found.test->mse, own.test->mse);
    QCOMPARE(found.val->mse, own.val->mse);
}

void TestBatch::json_log() {
    const auto r = place_.run(
        {"--batch", "small.toml", "--out", "json", "--log-format", "json", "--set", "train.epochs=1"});
    VERIFY_CODE(r, 0);
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
    const auto refused = place_.run(
        {"--batch", "small.toml", "--out", "json", "--log-format", "json", "--set", "train.epochs=2"});
    VERIFY_CODE(refused, 2);
    const auto json = nlohmann::json::parse(refused.err.toStdString(), nullptr, false);
    QVERIFY2(json.is_object() && json["event"] == "error", refused.err.constData());
    QVERIFY(json["text"].get<std::string>().find("train.epochs") != std::string::npos);
}

void TestBatch::failing_run_exits_1_and_the_others_go_on() {
    // Weight decay beyond reason makes every weight overflow within a few steps.
    place_.write("fail.toml", test::small_experiment("[sweep]\n\"train.weight_decay\" = [10, 1e-5]\n"));
    const auto r = place_.run({"--batch", "fail.toml", "--out", "fail", "--set", "train.learning_rate=10",
                               "--set", "train.epochs=1", "--set", "train.max_steps=20"});
    VERIFY_CODE(r, 1);
    QVERIFY2(r.err.contains("loss is"), r.err.constData());
    const auto lines = test::Finished::lines_of(place_.read("fail/fail/results.csv"));
    QCOMPARE(lines.size(), qsizetype{3});
    QVERIFY(lines[1].startsWith("weight_decay-10,failed,"));
    QVERIFY2(lines[2].contains(",finished,"), lines[2].constData());
    // It is told again, and the finished one is kept.
    const auto again = place_.run({"--batch", "fail.toml", "--out", "fail", "--set", "train.learning_rate=10",
                                   "--set", "train.epochs=1", "--set", "train.max_steps=20", "--resume"});
    VERIFY_CODE(again, 1);
    QVERIFY(again.err.contains("is finished already"));
}

void TestBatch::figures_need_the_window() {
    const auto r = place_.run({"--batch", "small.toml", "--figures", "forecast", "--out", "figures"});
    if (r.code == 0) QSKIP("this build has figures");
    VERIFY_CODE(r, 2);
    QVERIFY(r.err.contains("--figures"));
    QVERIFY(!QFile::exists(place_.path("figures")));
}

QTEST_GUILESS_MAIN(TestBatch)
#include "test_batch.moc"
