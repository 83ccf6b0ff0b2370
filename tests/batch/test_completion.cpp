// The man page and the shell completions: what they list, and what the shells make of them.
#include <QtTest>

#include "batch/flags.h"
#include "batch_fixture.h"
#include "config/options.h"
#include "config/presets.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

struct Output {
    int status = -1;
    QByteArray out, err;
};

Output run_command(const QString& program, const QStringList& arguments, const QString& folder,
                   const QByteArray& input = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LC_ALL", "C.UTF-8");
    environment.insert("MANWIDTH", "100");
    environment.insert("MANROFFSEQ", "");
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

bool has_program(const char* name) { return !QStandardPaths::findExecutable(QLatin1String(name)).isEmpty(); }

/// Flags that a text mentions.
QSet<QString> flags_in(const QString& text) {
    static const QRegularExpression flag("--[a-z]+(-[a-z]+)*");
    QSet<QString> found;
    for (auto each = flag.globalMatch(text); each.hasNext();) found.insert(each.next().captured());
    return found;
}

QSet<QString> all_flags() {
    QSet<QString> flags;
    for (const auto& entry : batch::mode_flags()) flags.insert(entry.flag);
    for (const auto& entry : batch::modifiers()) flags.insert(entry.flag);
    return flags;
}

QString harness(const char* name) {
    return QStringLiteral(CASP_SOURCE_DIR "/tests/batch/") + QLatin1String(name);
}

}  // namespace

class TestCompletion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const auto* file : {"a.csv", "b.toml", "c.txt", "w.safetensors", "with space.csv", "x.tar.gz"})
            place_.write(file, "");
        QVERIFY(QDir(place_.path(".")).mkdir("folder"));
        place_.write("caspstudio.bash", QByteArray::fromStdString(batch::bash_completion()));
        place_.write("_caspstudio", QByteArray::fromStdString(batch::zsh_completion()));
        place_.write("caspstudio.1", QByteArray::fromStdString(batch::man_page("2026-11-26")));
    }

    void help_and_man_name_all_flags() {
        const auto help = QString::fromStdString(batch::help_text());
        auto man = QString::fromStdString(batch::man_page());
        for (const auto c : man) QVERIFY(c.unicode() < 128);
        man.replace("\\-", "-");
        // Both say what --help does, in their own layout.
        const auto settings = help.indexOf("\nExperiment\n");
        QCOMPARE(flags_in(help.left(settings)), all_flags());
        QCOMPARE(flags_in(man), all_flags());
        for (const auto& flag : all_flags())
            QVERIFY2(man.contains("\\fB" + flag + "\\fR") || man.contains("\\fBcaspstudio " + flag + "\\fR"),
                     qPrintable(flag));
        for (const auto& modifier : batch::modifiers())
            QVERIFY2(QString::fromStdString(batch::bash_completion()).contains(modifier.flag), modifier.flag);
    }

    void every_flag_is_parsed() {
        for (const auto& flag : all_flags()) {
            VERIFY_RUN(r, 2, {flag + "=x", "--no-such-flag"});
            QVERIFY2(!r.err.contains("unknown flag " + flag.toUtf8()), r.err.constData());
        }
    }

    void the_man_page_has_no_finding() {
        if (!has_program("man")) QSKIP("man is not installed (packages man-db and groff-base)");
        const auto page =
            run_command("man", {"--warnings", "-E", "UTF-8", "-l", "caspstudio.1"}, place_.path("."));
        QCOMPARE(page.status, 0);
        QCOMPARE(page.err, QByteArray());
        VERIFY_HAS(page.out, "NAME", "SYNOPSIS", "EXIT STATUS", "2026-11-26", "CASPSTUDIO(1)", "--batch",
                   "eval \"$(...)\" in ~/.bashrc");
        const auto whatis = run_command("lexgrog", {"caspstudio.1"}, place_.path("."));
        VERIFY_HAS(whatis.out, "caspstudio - time-series forecasting with language models");
    }

    void dates() {
        QCOMPARE(batch::date_of_epoch("1795651200"), std::string("2026-11-26"));
        QCOMPARE(batch::date_of_epoch("0"), std::string("1970-01-01"));
        for (const char* bad :
             {static_cast<const char*>(nullptr), "", "today", "1e9", "-1", "99999999999999"})
            QCOMPARE(batch::date_of_epoch(bad), std::string());
        QVERIFY(batch::man_page("2026-11-26").find(".TH CASPSTUDIO 1 \"2026\\-11\\-26\"") !=
                std::string::npos);
        QVERIFY(batch::man_page().find(".TH CASPSTUDIO 1 \"\"") != std::string::npos);
    }

    void the_same_text_each_time() {
        const auto same = [&](const QStringList& arguments, const std::string& text) {
            const auto first = place_.run(arguments), second = place_.run(arguments);
            return first.code == 0 && first.out == second.out && first.out == QByteArray::fromStdString(text);
        };
        QVERIFY(same({"--completion", "bash"}, batch::bash_completion()));
        QVERIFY(same({"--completion", "zsh"}, batch::zsh_completion()));
        qunsetenv("SOURCE_DATE_EPOCH");
        QVERIFY(same({"--man"}, batch::man_page()));
    }

    void bash_data() {
        QTest::addColumn<QStringList>("words");  // as readline splits them
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<QStringList>("absent");
        const auto row = [](const char* name, const QStringList& words, const QStringList& expected,
                            const QStringList& absent = {}) {
            QTest::newRow(name) << words << expected << absent;
        };
        row("flags", {"--l"}, {"--list-models", "--list-presets", "--list-options", "--list-catalog"},
            {"--level", "--batch"});
        row("files", {""}, {"a.csv", "b.toml", "folder"}, {"--batch"});
        row("experiments", {"--batch", ""}, {"b.toml", "folder", "paper:longterm"}, {"a.csv", "c.txt"});
        row("experiments of the paper", {"--batch", "paper", ":", ""}, {"longterm"}, {"b.toml"});
        row("tables of the paper", {"--batch", "paper", ":", "aver"}, {"averages"});
        row("flags of a command", {"--batch", "b.toml", "--"}, {"--out", "--set", "--resume", "--figures"},
            {"--batch", "--level"});
        row("folders", {"--fetch", "ETTh1", "--to", ""}, {"folder"}, {"a.csv", "b.toml"});
        row("data", {"--describe", ""}, {"a.csv", "with space.csv", "folder"}, {"b.toml"});
        row("a space", {"--describe", "with\\ s"}, {"with space.csv"}, {"a.csv"});
        row("a value in the same word", {"--describe", "=", "a"}, {"a.csv"});
        row("weights", {"--evaluate", ""}, {"w.safetensors", "folder"}, {"a.csv"});
        row("archives", {"--verify", ""}, {"x.tar.gz", "folder"}, {"a.csv"});
        row("downloads", {"--fetch", "ETTh"}, {"ETTh1", "ETTh2"}, {"gpt2"});
        row("libraries", {"--fetch", "c"}, {"cuda"}, {"ETTh1"});
        row("presets", {"--print-config", "--preset", "etth1-9"}, {"etth1-96"}, {"etth1-192"});
        row("tables", {"--table", "m"}, {"mmr", "m4"}, {"pca"});
        row("axes of strata", {"--table", "strata", ":", "l"}, {"low-frequency"});
        row("after the table", {"--table", "m4", ""}, {"folder", "--out"}, {"a.csv"});
        row("words", {"--export", "folder", "--format", ""}, {"npy", "csv"}, {"a.csv"});
        row("keys", {"--batch", "b.toml", "--set", "train."}, {"train.epochs=", "train.seed="},
            {"data.path=", "scheduler.time="});
        row("keys of data", {"--describe", "a.csv", "--set", ""}, {"data.horizon="}, {"train.seed="});
        row("keys of imports", {"--import", "a.csv", "--set", ""}, {"data.horizon=", "train.seed="},
            {"train.epochs="});
        row("keys of the scheduler", {"--submit", "b.toml", "--set", "sch"}, {"scheduler.time="});
        row("values", {"--batch", "b.toml", "--set", "train.optimizer", "="}, {"adam", "adamw"}, {"true"});
        row("values that begin", {"--batch", "b.toml", "--set", "model.name", "=", "d"}, {"dlinear"},
            {"ofa"});
        row("truth", {"--batch", "b.toml", "--set", "train.shuffle", "="}, {"true", "false"});
        row("devices", {"--batch", "b.toml", "--set", "run.device", "=", "c"}, {"cpu", "cuda", "cuda:0"});
        row("a device with a colon", {"--batch", "b.toml", "--set", "run.device", "=", "cuda", ":"}, {"0"});
        row("data sets", {"--batch", "b.toml", "--set", "data.path", "=", "catalog", ":", "ETTh"},
            {"ETTh1", "ETTh2"}, {"gpt2"});
        row("files of settings", {"--batch", "b.toml", "--set", "data.path", "=", "a"}, {"a.csv"});
        row("presets of settings", {"--batch", "b.toml", "--set", "preset", "=", "dlinear-m4-y"},
            {"dlinear-m4-yearly"});
        row("numbers", {"--batch", "b.toml", "--set", "train.seed", "="}, {""}, {"a.csv"});
        row("keys to compare by", {"--compare", "folder", "--by", "mod"}, {"model.name"}, {"train.seed"});
        row("shells", {"--completion", ""}, {"bash", "zsh"}, {"a.csv"});
    }

    void bash() {
        if (!has_program("bash")) QSKIP("bash is not installed");
        QFETCH(QStringList, words);
        QFETCH(QStringList, expected);
        QFETCH(QStringList, absent);
        const auto r = run_command("bash", QStringList{harness("complete.bash"), "caspstudio"} + words,
                                   place_.path("."));
        QCOMPARE(r.err, QByteArray());
        const auto found = QString::fromUtf8(r.out).split('\n');
        for (const auto& word : expected)
            QVERIFY2(found.contains(word), qPrintable(word + " not in " + r.out));
        for (const auto& word : absent) QVERIFY2(!found.contains(word), qPrintable(word + " in " + r.out));
    }

    void bash_has_no_finding() {
        if (!has_program("shellcheck")) QSKIP("shellcheck is not installed");
        const auto r = run_command("shellcheck", {"caspstudio.bash"}, place_.path("."));
        QVERIFY2(r.status == 0, r.out.constData());
    }

    void zsh_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<QStringList>("absent");
        const auto row = [](const char* line, const QStringList& expected, const QStringList& absent = {}) {
            QTest::newRow(line) << QString("caspstudio ") + line << expected << absent;
        };
        row("--batch ", {"b.toml", "paper:longterm"}, {"a.csv"});
        row("--batch b.toml --", {"--out", "--resume"}, {"--level"});
        row("--print-config --preset etth1-", {"etth1-96", "etth1-192"}, {"weather-96"});
        row("--batch b.toml --set train.s", {"train.schedule", "train.seed", "train.shuffle"}, {"data.path"});
        row("--batch b.toml --set train.optimizer=", {"adam", "adamw"}, {"true"});
        row("--submit b.toml --set scheduler.t", {"scheduler.time"});
        row("--describe ", {"a.csv"}, {"b.toml"});
        row("--export folder --format ", {"npy", "csv"});
        row("--completion ", {"bash", "zsh"});
    }

    void zsh() {
        if (!has_program("zsh")) QSKIP("zsh is not installed");
        QCOMPARE(run_command("zsh", {"-n", "_caspstudio"}, place_.path(".")).err, QByteArray());
        QFETCH(QString, line);
        QFETCH(QStringList, expected);
        QFETCH(QStringList, absent);
        const auto r =
            run_command("zsh", {"-f", harness("complete.zsh"), CASP_EXECUTABLE, line}, place_.path("."));
        if (r.status == 77) QSKIP("zsh has no module zpty");
        const auto found = QString::fromUtf8(r.out).split('\n');
        for (const auto& word : expected)
            QVERIFY2(found.contains(word), qPrintable(word + " not in " + r.out));
        for (const auto& word : absent) QVERIFY2(!found.contains(word), qPrintable(word + " in " + r.out));
    }

    void unknown_shells() {
        VERIFY_RUN(r, 2, {"--completion", "fish"});
        VERIFY_HAS(r.err, "--completion \"fish\"; expected bash or zsh");
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestCompletion)
#include "test_completion.moc"
