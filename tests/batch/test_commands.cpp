// The program's other commands, and arguments that it refuses.
#include <QtTest>

#include "batch_fixture.h"
#include "config/presets.h"
#include "test_program.h"
#include "util/build_info.h"

using namespace casp;

class TestCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void version();
    void help_fits_the_terminal();
    void lists();
    void print_config_of_a_preset();
    void describe_the_sample();
    void describe_with_corrections();
    void bad_arguments_data();
    void bad_arguments();
    void missing_gpt2_names_three_ways_out();
    void output_that_does_not_arrive();
    void unknown_data_to_fetch();
    void refused_commands_leave_nothing_data();
    void refused_commands_leave_nothing();
    void figures_need_the_window();
    void a_window_needs_a_display();
    void scripts_for_slurm();

private:
    test::Workplace place_;
};

void TestCommands::initTestCase() {
    QVERIFY(place_.valid());
    QVERIFY2(QFile::exists(CASP_EXECUTABLE), "build the target caspstudio first");
    place_.write("series.csv", test::small_csv());
    place_.write("small.toml", test::small_experiment());
    place_.write("sweep.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
}

void TestCommands::version() {
    const auto r = place_.run({"--version"});
    VERIFY_CODE(r, 0);
    static const QRegularExpression line(
        "^CASP Studio " + QRegularExpression::escape(QString::fromStdString(program_version())) +
        " \\(([0-9a-f]{10}, \\d{4}-\\d\\d-\\d\\d|unknown commit)\\)\n$");
    QVERIFY2(line.match(r.out).hasMatch(), r.out.constData());
    // The full program is of the same commit.
    QProcess full;
    full.start(QStringLiteral(CASP_EXECUTABLE "-bin"), {"--version"});
    QVERIFY(full.waitForFinished(60000));
    QCOMPARE(full.readAllStandardOutput(), r.out);
    QVERIFY(r.err.isEmpty());
}

void TestCommands::help_fits_the_terminal() {
    const auto r = place_.run({"--help"});
    VERIFY_CODE(r, 0);
    QVERIFY(r.err.isEmpty());
    const auto lines = r.out_lines();
    QVERIFY(lines.size() > 50);
    for (const auto& line : lines) QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
    for (const char* flag :
         {"--batch", "--evaluate", "--describe", "--print-config", "--fetch", "--list-presets",
          "--list-options", "--list-catalog", "--version", "--resume", "--log-format", "--compare"})
        QVERIFY2(r.out.contains(flag), flag);
}

void TestCommands::lists() {
    const auto presets = place_.run({"--list-presets"});
    VERIFY_CODE(presets, 0);
    QCOMPARE(presets.out_lines().size(), static_cast<qsizetype>(config::preset_names().size()));
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

void TestCommands::output_that_does_not_arrive() {
    QProcess full;  // as on a full disk
    full.setStandardOutputFile(QStringLiteral("/dev/full"));
    full.start(QStringLiteral(CASP_EXECUTABLE), {"--print-config", "--preset", "etth1-96"});
    QVERIFY(full.waitForFinished(60000));
    QCOMPARE(full.exitCode(), 1);
    QVERIFY2(
        full.readAllStandardError().contains("standard output: the output could not be written completely"),
        "");
    QProcess shell;  // a reader that has enough is no failure
    shell.start(
        QStringLiteral("bash"),
        {"-c", QStringLiteral("set -o pipefail; '%1' --list-options | head -n 1").arg(CASP_EXECUTABLE)});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.exitCode(), 0);
    QCOMPARE(shell.readAllStandardError(), QByteArray());
    QCOMPARE(shell.readAllStandardOutput().count('\n'), 1);
}

void TestCommands::print_config_of_a_preset() {
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

void TestCommands::describe_the_sample() {
    const auto r = place_.run({"--describe", CASP_SOURCE_DIR "/datasets/sample.csv"});
    VERIFY_CODE(r, 0);
    for (const char* text : {"17,520", "HVAL", "OT"}) QVERIFY2(r.out.contains(text), r.out.constData());
}

void TestCommands::describe_with_corrections() {
    QByteArray text = "Tag;Last\n";
    for (int day = 1; day <= 12; ++day)
        text += QByteArray::number(day) + "/3/2020;" +
                (day == 5 ? "20" : "1" + QByteArray::number(day % 10) + ",125") + "\n";
    place_.write("commas.csv", text);
    const auto wrong = place_.run({"--describe", "commas.csv", "--set", "data.csv.delimiter=|"});
    VERIFY_CODE(wrong, 2);
    QVERIFY2(wrong.err.contains("set data.csv.delimiter and data.csv.decimal"), wrong.err.constData());
    const auto right = place_.run({"--describe", "commas.csv", "--set", "data.csv.decimal=,", "--set",
                                   "data.csv.date_format=month-first", "--set", "data.csv.time_column=Tag"});
    VERIFY_CODE(right, 0);
    for (const char* part : {"decimal comma", "month/day/year", "2020-01-03", "2020-12-03", "Last"})
        QVERIFY2(right.out.contains(part), right.out.constData());
    const auto bad = place_.run({"--describe", "commas.csv", "--set", "data.csv.decimal=;"});
    VERIFY_CODE(bad, 2);
    QVERIFY2(bad.err.contains("--set data.csv.decimal: data.csv.decimal = \";\" is none of the choices"),
             bad.err.constData());
}

void TestCommands::bad_arguments_data() {
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

void TestCommands::bad_arguments() {
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

void TestCommands::missing_gpt2_names_three_ways_out() {
    const auto r =
        place_.run({"--batch", "small.toml", "--set", "backbone.path=catalog:gpt2", "--out", "none"});
    VERIFY_CODE(r, 2);
    for (const char* text : {"--fetch gpt2", "backbone.path", "untrained"})
        QVERIFY2(r.err.contains(text), r.err.constData());
    QVERIFY(!QFile::exists(place_.path("none")));
    QVERIFY(!QFile::exists(place_.path("home")));
}

void TestCommands::unknown_data_to_fetch() {
    const auto r = place_.run({"--fetch", "ETTh9"});
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains("ETTh1"), r.err.constData());  // the nearest name
    QVERIFY(!QFile::exists(place_.path("home")));
}

void TestCommands::refused_commands_leave_nothing_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
    const QString out = "new folder/below";
    row("merge of nothing", {"--merge", "nowhere", "--out", out});
    row("merge of no batch", {"--merge", "no runs", "--out", out});
    row("archive of nothing", {"--archive", "nowhere", "--out", out + "/a.tar.gz"});
    row("archive of no run", {"--archive", "no runs", "--out", out + "/a.tar.gz"});
    row("export", {"--export", "no runs", "--out", out});
    row("export as table", {"--export", "no runs", "--format", "csv", "--out", out});
    row("audit", {"--audit", "no runs", "--data", "series.csv", "--out", out});
    row("import", {"--import", "no runs", "--data", "series.csv", "--out", out});
    row("import of nothing", {"--import", "nowhere", "--data", "series.csv", "--name", "λ", "--out", out});
    row("comparison", {"--compare", "no runs", "--out", out});
    row("table", {"--table", "accuracy", "no runs", "--out", out});
    row("table of nothing", {"--table", "longterm", "nowhere", "--out", out});
    row("evaluation", {"--evaluate", "no runs", "--data", "series.csv", "--out", out});
    row("forecast", {"--forecast", "no runs", "--data", "series.csv", "--out", out + "/f.csv"});
    row("batch without data", {"--batch", "small.toml", "--set", "data.path=gone.csv", "--out", out});
    row("batch without experiment", {"--batch", "gone.toml", "--out", out});
    row("batch with a wrong setting", {"--batch", "small.toml", "--set", "train.epochs=-1", "--out", out});
    row("batch with a short file", {"--batch", "small.toml", "--set", "data.lookback=5000", "--out", out});
    row("cluster",
        {"--submit", "small.toml", "--scheduler", "slurm", "--set", "data.path=gone.csv", "--out", out});
    row("manual download", {"--fetch", "Weather", "--to", out});
}

void TestCommands::refused_commands_leave_nothing() {
    QFETCH(QStringList, arguments);
    QVERIFY(QDir().mkpath(place_.path("no runs")));
    const auto r = place_.run(arguments);
    QVERIFY2(r.code == 2 || r.code == 1, (r.out + r.err).constData());
    QVERIFY(!r.err.isEmpty());
    QVERIFY2(!QFile::exists(place_.path("new folder")), (r.out + r.err).constData());
    QCOMPARE(QDir(place_.path("no runs")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList());
}

void TestCommands::figures_need_the_window() {
    const auto r = place_.run({"--batch", "small.toml", "--figures", "forecast", "--out", "figures"});
    if (r.code == 0) QSKIP("this build has figures");
    VERIFY_CODE(r, 2);
    QVERIFY(r.err.contains("--figures"));
    QVERIFY(!QFile::exists(place_.path("figures")));
}

/// A real Slurm is in slurm.py.
void TestCommands::scripts_for_slurm() {
    const QStringList submit{"--submit", "sweep.toml", "--scheduler", "slurm", "--out", "cluster"};
    auto r = place_.run(submit + QStringList{"--print", "--set", "scheduler.time=90"});
    VERIFY_CODE(r, 0);
    for (const char* line : {"#!/bin/bash\n", "#SBATCH --array=1-2\n", "#SBATCH --time=90\n"})
        QVERIFY2(r.out.contains(line), r.out.constData());
    r = place_.run(submit + QStringList{"--print", "--set", "data.path=gone.csv"});
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains("gone.csv"), r.err.constData());
    const auto path = qgetenv("PATH");
    qputenv("PATH", place_.path("home").toUtf8());
    r = place_.run(submit);
    qputenv("PATH", path);
    VERIFY_CODE(r, 2);
    QVERIFY2(r.err.contains("sbatch is not on this machine"), r.err.constData());
    QVERIFY(!QFile::exists(place_.path("cluster")));
}

void TestCommands::a_window_needs_a_display() {
    for (const char* display : {"", "unix:9876"}) {  // none, and one that nothing serves
        QProcess process;
        place_.prepare(process, {});
        auto environment = process.processEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
        if (*display != '\0') environment.insert("DISPLAY", display);
        process.setProcessEnvironment(environment);
        process.start();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
        const auto said = process.readAllStandardError();
        QCOMPARE(test::Finished::lines_of(said).size(), 1);
        QVERIFY2(said.contains("--batch"), said.constData());
        QVERIFY2(said.contains("no display") || said.contains("this build does not include the window"),
                 said.constData());
    }
}

TEST_MAIN_WITHOUT_GUI(TestCommands)
#include "test_commands.moc"
