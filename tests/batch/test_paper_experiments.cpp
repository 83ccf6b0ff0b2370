// Every experiment of the paper with the real program, in small: it runs, shares runs, is continued after an
// interruption and fills its table, which compiles.
#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include <QtTest>

#include "batch_fixture.h"
#include "evidence/paper_experiments.h"
#include "evidence/paper_table.h"
#include "evidence/paper_table_text.h"
#include "evidence/strata_axes.h"
#include "figure_table.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// An experiment in small.
struct Small {
    QString name;
    QStringList sets;  ///< further arguments of --set
    int own;           ///< runs that it trains
    int shared;        ///< runs that an earlier experiment has finished
    QString out = QStringLiteral("runs");
};

QString presets(const QString& names) {
    return QStringLiteral("sweep.preset=[\"%1\"]").arg(QString(names).replace(' ', "\",\""));
}

const QString two_seeds = QStringLiteral("sweep.train.seed=[2021,2022]");

/// In the order in which they run. Two of the cells, and two seeds where the paper has more than one.
QList<Small> experiments() {
    const auto cells = presets("etth1-96 ettm1-96");
    const auto longterm =
        presets("etth1-96 etth1-192 etth1-336 etth1-720 calf-etth1-96 ofa-etth1-96 dlinear-etth1-96");
    const auto fewshot = presets(
        "etth1-96 s2ip-llm-etth1-96 time-llm-etth1-96 ofa-etth1-96 itransformer-etth1-96 "
        "dlinear-etth1-96 patchtst-etth1-96");
    const QString one_seed = "sweep.train.seed=[2021]", longer = "data.split=[850,730,730]";
    return {
        {"lambda", {cells, two_seeds}, 16, 0},
        {"jaccard", {cells, two_seeds}, 0, 8},
        {"seeds", {cells, two_seeds}, 2, 6},
        {"paired", {cells, two_seeds}, 0, 8},
        {"strata", {cells, two_seeds}, 0, 8},
        {"crossed", {two_seeds}, 8, 4},
        {"balancing", {cells, two_seeds}, 8, 8},
        {"mmr", {cells, two_seeds}, 8, 4},
        {"mmr-five-seeds", {presets("etth2-96"), two_seeds}, 8, 0},
        {"components", {cells}, 3, 3},
        {"anchors", {cells}, 4, 2},
        {"sensitivity", {cells}, 12, 2},
        {"concentration", {presets("etth1-96")}, 1, 3},
        {"selection-bias", {}, 0, 2},
        {"revin", {cells, two_seeds}, 4, 4},
        {"pca", {}, 4, 0},  // embeddings are stored
        {"alignment", {}, 0, 1},
        {"tsne", {}, 0, 4},
        {"scores", {}, 2, 0},  // similarities are stored
        // Four horizons, of which the longest needs more rows; a tenth of the training rows.
        {"longterm", {longterm, one_seed, longer}, 7, 0, "long"},
        {"averages", {longterm, one_seed, longer}, 0, 7, "long"},
        {"fewshot", {fewshot, one_seed, "data.split=[1600,140,140]"}, 7, 0, "few"},
    };
}

/// 2,400 rows with the columns of ETT.
QByteArray ett_csv() {
    QByteArray text = "date,HUFL,HULL,MUFL,MULL,LUFL,LULL,OT\n";
    const auto begin = QDateTime(QDate(2016, 7, 1), QTime(0, 0), Qt::UTC);
    for (int row = 0; row < 2400; ++row) {
        text += begin.addSecs(3600LL * row).toString("yyyy-MM-dd HH:mm:ss").toLatin1();
        for (int c = 0; c < 7; ++c)
            text += ',' + QByteArray::number((1 + c) * std::sin(row * 2 * M_PI / 24 + c) +
                                                 0.5 * std::cos(row * 2 * M_PI / 7) +
                                                 0.3 * std::sin(0.37 * row * row + 1.3 * c),
                                             'f', 4);
        text += '\n';
    }
    return text;
}

QStringList arguments_of(const Small& small) {
    QStringList arguments{"--batch", "paper:" + small.name, "--out", small.out};
    for (const char* set :
         {"data.path=series.csv", "data.split=[200,140,140]", "data.lookback=48", "backbone.path=untrained",
          "backbone.layers=1", "backbone.width=12", "backbone.heads=2", "backbone.vocabulary=60",
          "backbone.positions=64", "model.trend_length=13", "model.seasonal_length=12", "train.epochs=1",
          "train.max_steps=2", "train.batch_size=8", "run.device=cpu", "run.threads=1"})
        arguments << "--set" << set;
    for (const auto& set : small.sets) arguments << "--set" << set;
    return arguments;
}

bool is_table(const QString& name) {
    const auto& names = evidence::paper_table_names();
    return std::find(names.begin(), names.end(), name.toStdString()) != names.end();
}

/// The first pair of cells that differ; empty: none does. A variance that is computed with another number of
/// threads may differ in its last bits.
QString first_difference(const QByteArray& a, const QByteArray& b) {
    const auto cells = [](const QByteArray& csv) { return QByteArray(csv).replace('\n', ',').split(','); };
    const auto x = cells(a), y = cells(b);
    if (x.size() != y.size()) return QStringLiteral("%1 and %2 cells").arg(x.size()).arg(y.size());
    for (qsizetype i = 0; i < x.size(); ++i) {
        bool is_number = false;
        const double value = x[i].toDouble(&is_number);
        const double off = std::abs(value - y[i].toDouble());
        if (x[i] != y[i] && !(is_number && off <= 1e-9 * (1 + std::abs(value))))
            return QString::fromUtf8(x[i] + " and " + y[i]);
    }
    return {};
}

/// Cells that have a value of ours.
int filled_cells(const QByteArray& csv) {
    const test::Table table(csv);
    int filled = 0;
    for (int row = 0; row < table.rows.size(); ++row) filled += table.number(row, "n") > 0 ? 1 : 0;
    return filled;
}

}  // namespace

class TestPaperExperiments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { place_.write("series.csv", ett_csv()); }

    void every_shipped_experiment_is_tested() {
        // test_m4, test_tuning_command
        QStringList tested{"m4", "tuning", "tuning-lengths", "tuning-weights"};
        for (const auto& small : experiments()) tested << small.name;
        tested.sort();
        QStringList shipped;
        for (const auto& name : evidence::paper_experiment_names()) shipped << QString::fromStdString(name);
        shipped.sort();
        QCOMPARE(tested, shipped);
    }

    /// The first experiment; the data function below then finds it finished.
    void interrupted_and_continued() {
        const auto lambda = experiments().first();
        QProcess process;
        QVERIFY(place_.start(process, arguments_of(lambda), "run 2 of 16"));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        const auto before = place_.read("runs/paper-lambda/results.csv");
        VERIFY_HAS(before, ",finished,", ",queued,");
        QVERIFY(!QFile::exists(place_.path("runs/paper-lambda/lambda.csv")));
        VERIFY_RUN(rest, 0, arguments_of(lambda) << "--resume");
        VERIFY_HAS(rest.err, "is already finished");
    }

    void runs_to_the_end_data() {
        QTest::addColumn<int>("number");
        const auto all = experiments();
        for (int i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.toLatin1()) << i;
    }

    void runs_to_the_end() {
        QFETCH(int, number);
        const auto small = experiments()[number];
        VERIFY_RUN(r, 0, arguments_of(small));
        QVERIFY2(!r.err.contains("failed"), r.err.constData());
        QCOMPARE(runs_in(folder(small)).size(), qsizetype{small.own});
        QCOMPARE(r.err.count(" is finished in "), small.shared);
        // The batch's tables have the runs of other batches, too.
        const test::Table results(place_.read(folder(small) + "/results.csv"));
        QCOMPARE(results.rows.size(), qsizetype{small.own + small.shared});
        int shared = 0;
        for (int row = 0; row < results.rows.size(); ++row) {
            QCOMPARE(results.at(row, "state"), QString("finished"));
            const auto run = results.at(row, "run");
            QVERIFY2(QFile::exists(place_.path(folder(small) + "/" + run + "/run.json")), qPrintable(run));
            shared += run.startsWith("../") ? 1 : 0;
        }
        QCOMPARE(shared, small.shared);
        const auto csv = folder(small) + "/" + small.name + ".csv";
        QCOMPARE(QFile::exists(place_.path(csv)), is_table(small.name));
        if (!is_table(small.name)) return;
        QVERIFY2(filled_cells(place_.read(csv)) > 0, place_.read(csv).constData());
        VERIFY_HAS(r.out, "Backbone of the runs: untrained.");
        // The same table as from --table.
        VERIFY_RUN(table, 0, {"--table", small.name, small.out, "--out", "tables"});
        // Their time: unknown where the tests' small data sets are too short for a preset's horizon.
        QCOMPARE(table.out.contains(" missing: up to about ") ||
                     table.out.contains(" missing. Their time is unknown"),
                 table.out.contains(" missing. Command"));
        const auto difference =
            first_difference(place_.read("tables/" + small.name + ".csv"), place_.read(csv));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    /// Two cells with two seeds: four pairs.
    void strata_are_filled() {
        const test::Table table(place_.read("runs/paper-strata/strata.csv"));
        QCOMPARE(table.rows.size(), qsizetype{11});
        for (int row = 0; row < table.rows.size(); ++row) {
            QCOMPARE(table.number(row, "n"), 4.0);
            const bool exact = table.at(row, "metric").endsWith("_p_uncorrected");  // no approximation
            QCOMPARE(std::isfinite(table.number(row, "ours")), !exact);
        }
    }

    /// The same runs in the strata of other labels, in files without a colon; --verify finds them.
    void strata_of_other_axes_are_filled() {
        VERIFY_RUN(r, 0, {"--table", "strata:trend-strength", "runs", "--out", "runs/paper-strata"});
        VERIFY_HAS(r.out, "4 of 64", "never read the target", "Random weights are not a language model");
        const test::Table table(place_.read("runs/paper-strata/strata-trend-strength.csv"));
        QCOMPARE(table.rows.size(), qsizetype{15});
        for (int row = 0; row < table.rows.size(); ++row) QVERIFY(std::isfinite(table.number(row, "ours")));
        VERIFY_CODE(place_.run({"--verify", "runs/paper-strata"}), 0);
        QVERIFY(QFile::remove(place_.path("runs/paper-strata/strata-trend-strength.csv")));
        QVERIFY(QFile::remove(place_.path("runs/paper-strata/strata-trend-strength.md")));
        QVERIFY(QFile::remove(place_.path("runs/paper-strata/strata-trend-strength.tex")));
    }

    /// Whatever backbone they need, and whichever of the settings above their presets have anyway.
    void models_fill_their_columns() {
        const auto filled = [&](const QString& file, const QString& row) {
            const test::Table table(place_.read(file));
            QStringList columns;
            for (int i = 0; i < table.rows.size(); ++i)
                if (table.at(i, "row") == row && table.at(i, "metric") == "test_mse" &&
                    table.number(i, "n") == 1)
                    columns << table.at(i, "column").section('|', 0, 0);
            return columns;
        };
        QCOMPARE(filled("long/paper-longterm/longterm.csv", "ETTh1|96"),
                 (QStringList{"CASP-LLM", "CALF", "OFA", "DLinear"}));
        QCOMPARE(filled("long/paper-averages/averages.csv", "ETTh1"), QStringList{"CASP-LLM"});
        const auto ranks = place_.read("long/paper-longterm/ranks.md");
        VERIFY_HAS(ranks, "1 of 4 tasks", "calf");
        QCOMPARE(
            filled("few/paper-fewshot/fewshot.csv", "ETTh1|96"),
            (QStringList{"CASP-LLM", "S2IP-LLM", "Time-LLM", "OFA", "iTransformer", "DLinear", "PatchTST"}));
    }

    void compared_runs_count_once() {
        const test::Table comparisons(place_.read("runs/paper-jaccard/comparisons.csv"));
        QVERIFY(!comparisons.rows.isEmpty());
        QCOMPARE(comparisons.number(0, "n"), 2.0);
        VERIFY_RUN(r, 0, {"--compare", "runs/paper-jaccard", "runs/paper-lambda", "runs/paper-seeds"});
        VERIFY_HAS(r.out, "(18 finished runs)");  // 16 + 2: none of paper-jaccard
    }

    void repeated_batch_trains_nothing() {
        const auto crossed = experiments()[5];
        QCOMPARE(crossed.name, QString("crossed"));
        const auto results = place_.read(folder(crossed) + "/results.csv");
        VERIFY_RUN(r, 0, arguments_of(crossed));
        QCOMPARE(r.err.count("is already finished"), 8);
        QCOMPARE(place_.read(folder(crossed) + "/results.csv"), results);
    }

    void tables_compile() {
        const auto latex = QStandardPaths::findExecutable("pdflatex");
        if (latex.isEmpty()) QSKIP("pdflatex is not installed: the tables were not compiled");
        QByteArray document =
            "\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n";
        VERIFY_CODE(place_.run({"--table", "m4", "--out", "tables"}), 0);
        for (const auto& axis : evidence::strata_axis_tables())
            VERIFY_CODE(place_.run({"--table", QString::fromStdString(axis), "--out", "tables"}), 0);
        for (const auto& name : evidence::paper_table_names()) {
            const auto file = "tables/" + QString::fromStdString(evidence::paper_table_stem(name)) + ".tex";
            QVERIFY2(QFile::exists(place_.path(file)), qPrintable(file));
            document += "\\input{" + file.toLatin1() + "}\n\\clearpage\n";
        }
        document += "\\input{runs/paper-mmr/comparisons.tex}\n\\clearpage\n";
        document += "\\input{long/paper-longterm/ranks.tex}\n\\end{document}\n";
        place_.write("tables.tex", document);
        QProcess process;
        process.setWorkingDirectory(place_.path("."));
        process.start(latex, {"-interaction=nonstopmode", "-halt-on-error", "tables.tex"});
        QVERIFY(process.waitForFinished(300000));
        const auto log = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, log.right(2000).constData());
        QVERIFY(!log.contains("Missing character"));
        QVERIFY2(!log.contains("Overfull \\hbox"), log.constData());
        QVERIFY(QFile::exists(place_.path("tables.pdf")));
    }

private:
    [[nodiscard]] QString folder(const Small& small) const { return small.out + "/paper-" + small.name; }
    [[nodiscard]] QStringList runs_in(const QString& batch) const {
        return QDir(place_.path(batch)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestPaperExperiments)
#include "test_paper_experiments.moc"
