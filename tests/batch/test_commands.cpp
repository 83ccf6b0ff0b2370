// The program's other commands, and arguments that it refuses.
#include <QtTest>

#include "batch_fixture.h"
#include "config/presets.h"
#include "test_program.h"
#include "util/build_info.h"
#include "verify_text.h"

using namespace casp;

class TestCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", test::small_experiment());
        place_.write("sweep.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
    }

    void version() {
        VERIFY_RUN(r, 0, {"--version"});
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

    void help_fits_the_terminal() {
        VERIFY_RUN(r, 0, {"--help"});
        QVERIFY(r.err.isEmpty());
        const auto lines = r.out_lines();
        QVERIFY(lines.size() > 50);
        for (const auto& line : lines) QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
        VERIFY_HAS(r.out, "--batch", "--evaluate", "--describe", "--print-config", "--fetch",
                   "--list-presets", "--list-options", "--list-catalog", "--version", "--resume",
                   "--log-format", "--compare");
    }

    void lists() {
        VERIFY_RUN(presets, 0, {"--list-presets"});
        QCOMPARE(presets.out_lines().size(), static_cast<qsizetype>(config::preset_names().size()));
        VERIFY_RUN(options, 0, {"--list-options"});
        for (const auto& line : options.out_lines()) QCOMPARE(line.count('\t'), qsizetype{6});
        const auto help = place_.run({"--help"}).out;
        for (const auto& line : options.out_lines())
            QVERIFY2(help.contains("  " + line.left(line.indexOf('\t'))), line.constData());
        VERIFY_RUN(catalog, 0, {"--list-catalog"});
        QVERIFY(catalog.out.contains("ETTh1") && catalog.out.contains("gpt2"));
        QVERIFY(!catalog.out.contains("in the cache"));  // the home is empty
    }

    void print_config_of_a_preset() {
        VERIFY_RUN(r, 0, {"--print-config", "--preset", "etth1-96", "--set", "train.seed=7"});
        QVERIFY(r.out.contains("preset = \"etth1-96\"") && r.out.contains("seed = 7") &&
                r.out.contains("horizon = 96"));
        // What is printed is an experiment file that means the same.
        place_.write("printed.toml", r.out);
        VERIFY_RUN(again, 0, {"--print-config", "printed.toml"});
        QCOMPARE(again.out.mid(again.out.indexOf("preset =")), r.out.mid(r.out.indexOf("preset =")));
        VERIFY_RUN(sweep, 0, {"--print-config", "sweep.toml"});
        QVERIFY(sweep.out.contains("[sweep]"));
    }

    void describe_the_sample() {
        VERIFY_RUN(r, 0, {"--describe", CASP_SOURCE_DIR "/datasets/sample.csv"});
        VERIFY_HAS(r.out, "17,520", "HVAL", "OT");
    }

    void describe_with_corrections() {
        QByteArray text = "Tag;Last\n";
        for (int day = 1; day <= 12; ++day)
            text += QByteArray::number(day) + "/3/2020;" +
                    (day == 5 ? "20" : "1" + QByteArray::number(day % 10) + ",125") + "\n";
        place_.write("commas.csv", text);
        VERIFY_RUN(wrong, 2, {"--describe", "commas.csv", "--set", "data.csv.delimiter=|"});
        VERIFY_HAS(wrong.err, "set data.csv.delimiter and data.csv.decimal");
        VERIFY_RUN(right, 0,
                   {"--describe", "commas.csv", "--set", "data.csv.decimal=,", "--set",
                    "data.csv.date_format=month-first", "--set", "data.csv.time_column=Tag"});
        VERIFY_HAS(right.out, "decimal comma", "month/day/year", "2020-01-03", "2020-12-03", "Last");
        const auto bad = place_.run({"--describe", "commas.csv", "--set", "data.csv.decimal=;"});
        VERIFY_CODE(bad, 2);
        VERIFY_HAS(bad.err, "--set data.csv.decimal: data.csv.decimal = \";\" is none of the choices");
    }

    /// A program in place of Python, which gets the name of the output as its last argument.
    void convert() {
        place_.write("x.parquet", QByteArray("PAR1\0\0", 6));
        place_.write("python", "#!/bin/sh\nfor out; do :; done\necho a,b > \"$out\"\nprintf 'pandas 2.1'\n");
        QFile::setPermissions(place_.path("python"), QFile::ReadOwner | QFile::ExeOwner);
        const QString setting = "python.interpreter=" + place_.path("python");
        VERIFY_RUN(r, 0, {"--convert", "x.parquet", "--set", setting});
        QCOMPARE(r.out, "x.csv\n");
        VERIFY_HAS(r.err, "x.parquet was converted to x.csv with pandas 2.1");
        VERIFY_RUN(named, 0, {"--convert", "x.parquet", "--out", "y.csv", "--set", setting});
        QCOMPARE(place_.read("y.csv"), "a,b\n");
        VERIFY_RUN(again, 2, {"--convert", "x.parquet", "--out", "y.csv", "--set", setting});
        VERIFY_HAS(again.err, "y.csv: exists already");
    }

    void bad_arguments_data() {
        test::add_refusals(
            {{"unknown flag", {"--bacth", "small.toml"}, "--batch"},
             {"no file", {"--batch", "none.toml"}, "none.toml"},
             {"no value", {"--batch"}, "--batch"},
             {"unknown key", {"--batch", "small.toml", "--set", "loss.lamda_cov=1"}, "loss.lambda_cov"},
             {"out of range", {"--batch", "small.toml", "--set", "train.epochs=0"}, "train.epochs"},
             {"no data", {"--batch", "small.toml", "--set", "data.path=none.csv"}, "none.csv"},
             {"too long", {"--batch", "small.toml", "--set", "data.horizon=90"}, "longest horizon"},
             {"no run", {"--evaluate", "nothing", "--data", "series.csv"}, "nothing"},
             {"no csv", {"--describe", "none.csv"}, "none.csv"},
             {"read as it is", {"--convert", "series.csv"}, "a file of another format"},
             {"other setting",
              {"--convert", "series.csv", "--set", "data.lookback=3"},
              "--set python.interpreter=PYTHON"}});
    }

    void bad_arguments() {
        test::verify_refusal(place_);
        QVERIFY2(!QFile::exists(place_.path("runs")), "nothing may have been started");
    }

    void help_overrides_other_options() {
        VERIFY_RUN(r, 0, {"--batch", "small.toml", "--help", "--version"});
    }

    void missing_gpt2_names_three_ways_out() {
        VERIFY_RUN(r, 2, {"--batch", "small.toml", "--set", "backbone.path=catalog:gpt2", "--out", "none"});
        VERIFY_HAS(r.err, "--fetch gpt2", "backbone.path", "untrained");
        QVERIFY(!QFile::exists(place_.path("none")));
        QVERIFY(!QFile::exists(place_.path("home")));
    }

    void incomplete_output_is_an_error() {
        QProcess full;  // as on a full disk
        full.setStandardOutputFile(QStringLiteral("/dev/full"));
        full.start(QStringLiteral(CASP_EXECUTABLE), {"--print-config", "--preset", "etth1-96"});
        QVERIFY(full.waitForFinished(60000));
        QCOMPARE(full.exitCode(), 1);
        QVERIFY2(full.readAllStandardError().contains(
                     "standard output: the output could not be written completely"),
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

    void unknown_data_to_fetch() {
        VERIFY_RUN(r, 2, {"--fetch", "ETTh9"});
        VERIFY_HAS(r.err, "ETTh1");  // the nearest name
        QVERIFY(!QFile::exists(place_.path("home")));
    }

    void refused_commands_leave_nothing_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const QStringList& arguments) {
            QTest::newRow(name) << arguments;
        };
        const QString out = "new folder/below";
        row("merge of nothing", {"--merge", "nowhere", "--out", out});
        row("merge of no batch", {"--merge", "no runs", "--out", out});
        row("archive of nothing", {"--archive", "nowhere", "--out", out + "/a.tar.gz"});
        row("archive of no run", {"--archive", "no runs", "--out", out + "/a.tar.gz"});
        row("export", {"--export", "no runs", "--out", out});
        row("export as table", {"--export", "no runs", "--format", "csv", "--out", out});
        row("audit", {"--audit", "no runs", "--data", "series.csv", "--out", out});
        row("import", {"--import", "no runs", "--data", "series.csv", "--out", out});
        row("import of nothing",
            {"--import", "nowhere", "--data", "series.csv", "--name", "λ", "--out", out});
        row("comparison", {"--compare", "no runs", "--out", out});
        row("table", {"--table", "accuracy", "no runs", "--out", out});
        row("table of nothing", {"--table", "longterm", "nowhere", "--out", out});
        row("evaluation", {"--evaluate", "no runs", "--data", "series.csv", "--out", out});
        row("forecast", {"--forecast", "no runs", "--data", "series.csv", "--out", out + "/f.csv"});
        row("batch without data", {"--batch", "small.toml", "--set", "data.path=gone.csv", "--out", out});
        row("batch without experiment", {"--batch", "gone.toml", "--out", out});
        row("batch with a wrong setting",
            {"--batch", "small.toml", "--set", "train.epochs=-1", "--out", out});
        row("batch with a short file",
            {"--batch", "small.toml", "--set", "data.lookback=5000", "--out", out});
        row("cluster",
            {"--submit", "small.toml", "--scheduler", "slurm", "--set", "data.path=gone.csv", "--out", out});
        row("manual download", {"--fetch", "Weather", "--to", out});
    }

    void refused_commands_leave_nothing() {
        QFETCH(QStringList, arguments);
        QVERIFY(QDir().mkpath(place_.path("no runs")));
        const auto r = place_.run(arguments);
        QVERIFY2(r.code == 2 || r.code == 1, (r.out + r.err).constData());
        QVERIFY(!r.err.isEmpty());
        QVERIFY2(!QFile::exists(place_.path("new folder")), (r.out + r.err).constData());
        QCOMPARE(
            QDir(place_.path("no runs")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
            QStringList());
    }

    void figures_need_the_window() {
        const auto r = place_.run({"--batch", "small.toml", "--figures", "forecast", "--out", "figures"});
        if (r.code == 0) QSKIP("this build has figures");
        VERIFY_CODE(r, 2);
        QVERIFY(r.err.contains("--figures"));
        QVERIFY(!QFile::exists(place_.path("figures")));
    }

    void a_window_needs_a_display() {
        for (const char* display : {"", "unix:9876"}) {  // none, and one that nothing serves
            QProcess process;
            place_.prepare(process, {});
            auto environment = process.processEnvironment();
            for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
                environment.remove(name);
            if (*display != '\0') environment.insert("DISPLAY", display);
            process.setProcessEnvironment(environment);
            process.start();
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 2);
            QCOMPARE(process.readAllStandardOutput(), QByteArray());
            const auto said = process.readAllStandardError();
            QCOMPARE(test::Finished::lines_of(said).size(), 1);
            VERIFY_HAS(said, "--batch");
            QVERIFY2(said.contains("no display") || said.contains("this build does not include the window"),
                     said.constData());
        }
    }

    /// A real Slurm is in slurm.py.
    void scripts_for_slurm() {
        const QStringList submit{"--submit", "sweep.toml", "--scheduler", "slurm", "--out", "cluster"};
        auto r = place_.run(submit + QStringList{"--print", "--set", "scheduler.time=90"});
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.out, "#!/bin/bash\n", "#SBATCH --array=1-2\n", "#SBATCH --time=90\n");
        r = place_.run(submit + QStringList{"--print", "--set", "data.path=gone.csv"});
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "gone.csv");
        const auto path = qgetenv("PATH");
        qputenv("PATH", place_.path("home").toUtf8());
        r = place_.run(submit);
        qputenv("PATH", path);
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "sbatch is not on this machine");
        QVERIFY(!QFile::exists(place_.path("cluster")));
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestCommands)
#include "test_commands.moc"
