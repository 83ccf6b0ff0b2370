// --batch paper:tuning in small: two stages, the choice by validation MSE, and the table tuning.
#include <cmath>

#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "test_program.h"

using namespace casp;

namespace {

/// 1,400 rows with the columns of ETT.
QByteArray ett_csv() {
    QByteArray text = "date,HUFL,HULL,MUFL,MULL,LUFL,LULL,OT\n";
    for (int row = 0; row < 1400; ++row) {
        text += QByteArray::number(1467331200LL + 3600LL * row);
        for (int c = 0; c < 7; ++c)
            text += ',' + QByteArray::number((1 + c) * std::sin(row * 2 * M_PI / 24 + c) +
                                                 0.3 * std::sin(0.37 * row * row + 1.3 * c),
                                             'f', 4);
        text += '\n';
    }
    return text;
}

QStringList arguments(const QStringList& further = {}) {
    QStringList all{"--batch", "paper:tuning", "--out", "runs"};
    QStringList sets{"data.path=series.csv",
                     "data.split=[700,320,320]",
                     "data.lookback=96",
                     "backbone.path=untrained",
                     "backbone.layers=1",
                     "backbone.width=12",
                     "backbone.heads=2",
                     "backbone.vocabulary=60",
                     "backbone.positions=64",
                     "model.pool_size=30",
                     "train.epochs=1",
                     "train.max_steps=3",
                     "train.learning_rate=1e-2",
                     "run.device=cpu",
                     "run.threads=1",
                     "sweep.preset=[\"etth1-96\"]",
                     "sweep.loss.lambda_sim=[0.05]",
                     "sweep.loss.lambda_cov=[0.01,0.1]",
                     "sweep.model.top_k=[4,16]",
                     "sweep.model.trend_length=[24,96]",
                     "sweep.model.seasonal_length=[12,96]"};
    for (const auto& set : sets + further) all << "--set" << set;
    return all;
}

/// Row with the lowest validation MSE.
int best_of(const test::Table& results) {
    int best = 0;
    for (int row = 1; row < results.rows.size(); ++row)
        if (results.number(row, "val_mse") < results.number(best, "val_mse")) best = row;
    return best;
}

}  // namespace

class TestTuningCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { place_.write("series.csv", ett_csv()); }

    void refusals_data() {
        test::add_refusals(
            {{"fixed", arguments({"loss.lambda_cov=0.1"}), "--set 'sweep.loss.lambda_cov=[…]'"},
             {"no setting of the search", arguments({"sweep.model.anchors=[\"random\"]"}),
              "the search does not sweep this setting"},
             {"devices", arguments({"run.devices=[\"cpu\"]"}), "with --worker once for each device"},
             {"seeds", arguments({"sweep.train.seed=[2021,2022]"}), "the search is of one seed"}});
    }
    void refusals() { test::verify_refusal(place_); }

    /// Four weights at S2IP-LLM's 96 and 96, and four lengths, of which 96 and 96 are a run of the first
    /// stage. The paper's setting (λ_cov 0.1, K 8, 96 and 96) is a run of the first stage's grid, too.
    void second_stage_depends_on_the_first() {
        VERIFY_RUN(r, 0, arguments());
        const test::Table weights(place_.read("runs/paper-tuning-weights-etth1-96/results.csv"));
        const test::Table lengths(place_.read("runs/paper-tuning-lengths-etth1-96/results.csv"));
        const test::Table paper(place_.read("runs/paper-tuning/results.csv"));
        QCOMPARE(weights.rows.size(), qsizetype{4});
        QCOMPARE(lengths.rows.size(), qsizetype{4});
        QCOMPARE(paper.rows.size(), qsizetype{1});
        const auto best = best_of(weights), chosen = best_of(lengths);
        QVERIFY(weights.number(best, "val_mse") < paper.number(0, "val_mse"));
        const auto top_k = weights.at(best, "model.top_k").toUtf8();
        QVERIFY(top_k == "4" || top_k == "16");
        for (int row = 0; row < 4; ++row) {
            QCOMPARE(lengths.at(row, "lambda_cov"), weights.at(best, "lambda_cov"));
            const auto folder = "runs/paper-tuning-lengths-etth1-96/" + lengths.at(row, "run");
            VERIFY_HAS(place_.read(folder + "/config.toml"), "top_k = " + top_k + '\n');
        }
        QCOMPARE(r.err.count("is finished in runs/paper-tuning-weights-etth1-96"), 1);
        const test::Table table(place_.read("runs/paper-tuning/tuning.csv"));
        const auto search = table.where({{"preset", "etth1-96"}, {"choice", "search"}}).value(0, -1);
        const auto printed = table.where({{"preset", "etth1-96"}, {"choice", "paper"}}).value(0, -1);
        QVERIFY(search >= 0 && printed == search + 1);
        QCOMPARE(table.rows.size(), qsizetype{25});  // 24 cells, one of them searched
        QCOMPARE(table.number(search, "val_mse"), lengths.number(chosen, "val_mse"));
        QCOMPARE(table.number(search, "test_mse"), lengths.number(chosen, "test_mse"));
        QCOMPARE(table.number(search, "lambda_cov"), weights.number(best, "lambda_cov"));
        QCOMPARE(table.number(search, "runs"), 8.0);
        QCOMPARE(table.number(printed, "top_k"), 8.0);
        QCOMPARE(table.number(printed, "val_mse"), paper.number(0, "val_mse"));
        VERIFY_HAS(r.out, "Choices are by validation MSE only", "8 of 67", "Backbone of the runs: untrained");
    }

    void again_trains_nothing() {
        const auto table = place_.read("runs/paper-tuning/tuning.csv");
        VERIFY_RUN(r, 0, arguments());
        QCOMPARE(r.err.count("is already finished"), 8);
        QCOMPARE(place_.read("runs/paper-tuning/tuning.csv"), table);
        VERIFY_RUN(filled, 0, {"--table", "tuning", "runs", "--out", "tables"});
        QCOMPARE(place_.read("tables/tuning.csv"), table);
        VERIFY_HAS(filled.out, "8 of 67", "tables/tuning.{csv,md,tex}");
    }

    /// A lost run of the first stage is made again, before the second.
    void resumed() {
        const auto table = place_.read("runs/paper-tuning/tuning.csv");
        const QDir folder(place_.path("runs/paper-tuning-weights-etth1-96"));
        const auto runs = folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(QDir(folder.filePath(runs.first())).removeRecursively());
        VERIFY_RUN(r, 0, arguments() << "--resume");
        QCOMPARE(place_.read("runs/paper-tuning/tuning.csv"), table);
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestTuningCommand)
#include "test_tuning_command.moc"
