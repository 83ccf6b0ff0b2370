// Runs with data.targets through the program: tables, --verify, --export, --forecast, --evaluate, --describe.
#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestTargetsCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("small.toml", test::small_experiment("store_forecasts = [\"val\", \"test\"]\n")
                                       .replace("epochs = 3", "epochs = 1"));
        VERIFY_CODE(place_.run({"--batch", "small.toml", "--out", "runs", "--set",
                                "data.targets=[\"temperature\"]", "--set",
                                "sweep.model.name=[\"casp-llm\", \"itransformer\", \"dlinear\", \"ridge\", "
                                "\"naive\"]"}),
                    0);
    }

    void tables_name_the_targets() {
        const test::Table results(place_.read("runs/small/results.csv"));
        for (int row = 0; row < results.rows.size(); ++row)
            QCOMPARE(results.at(row, "data"), QString("series (temperature)"));
        QVERIFY(place_.read("runs/small/summary.md").contains("series (temperature)"));
    }

    void a_batch_verifies() {
        const auto r = place_.run({"--verify", "runs", "--repeat", "100"});
        QVERIFY2(
            r.code == 0 && r.out.contains("all equal") && r.out.contains(" forecasts of 5 runs, to the bit."),
            (r.out + r.err).constData());
        QVERIFY2(!r.out.contains("against the data"), r.out.constData());
    }

    void exports_have_the_targets() {
        VERIFY_RUN(r, 0, {"--export", "runs/small/name-dlinear", "--format", "csv", "--out", "table.csv"});
        const test::Table table(place_.read("table.csv/forecasts.csv"));
        QCOMPARE(table.rows.size(), qsizetype{57 * 24});
        for (int row = 0; row < table.rows.size(); ++row)
            QCOMPARE(table.at(row, "unique_id"), QString("temperature"));
        // Original units: 10 ± 3.2.
        QVERIFY(table.number(0, "y") > 6 && table.number(0, "y") < 14);
    }

    void forecasts_have_the_targets() {
        for (const QString model : {"dlinear", "itransformer"}) {
            const auto run = "runs/small/name-" + model;
            VERIFY_RUN(r, 0, {"--forecast", run, "--data", "series.csv", "--level", "80"});
            const test::Table table(r.out);
            QCOMPARE(table.columns,
                     (QStringList{"date", "temperature", "temperature-lo-80", "temperature-hi-80"}));
            QCOMPARE(table.rows.size(), qsizetype{24});
            for (int row = 0; row < 24; ++row) {
                QVERIFY(table.number(row, "temperature-lo-80") < table.number(row, "temperature"));
                QVERIFY(table.number(row, "temperature") > 5 && table.number(row, "temperature") < 15);
            }
            // The file must have what the model reads.
            place_.write("target.csv", "date,temperature\n1577836800,1\n");
            VERIFY_RUN(refused, 2, {"--forecast", run, "--data", "target.csv"});
            VERIFY_HAS(refused.err, "\"load\" is missing");
        }
    }

    void another_file_is_read_by_name() {
        // The channels in another order: their own scaler and the same targets.
        QByteArray turned;
        for (const auto& line : test::Finished::lines_of(test::small_csv())) {
            const auto cells = line.split(',');
            turned += cells[0] + ',' + cells[2] + ',' + cells[1] + '\n';
        }
        place_.write("turned.csv", turned);
        const QStringList arguments{"--evaluate", "runs/small/name-dlinear", "--data", "turned.csv", "--out",
                                    "elsewhere"};
        VERIFY_CODE(place_.run(arguments), 0);
        const auto here = store::read_run_file(place_.path("runs/small/name-dlinear/run.h5").toStdString());
        const auto there = store::read_run_file(
            place_.path("elsewhere/evaluations/small-name-dlinear_turned/run.h5").toStdString());
        QCOMPARE(there.data.channel_names, std::vector<std::string>{"temperature"});
        QCOMPARE(there.data.input_names, (std::vector<std::string>{"temperature", "load"}));
        QVERIFY(std::abs(there.test->mse - here.test->mse) < 1e-6 * here.test->mse);
        VERIFY_RUN(unknown, 2,
                   QStringList(arguments) << "--set"
                                          << "data.targets=[\"temperature2\"]");
        VERIFY_HAS(unknown.err, "nearest name is \"temperature\"");
    }

    void targets_are_swept() {
        const QStringList arguments{"--batch", "small.toml",
                                    "--set",   "sweep.data.targets=[[\"load\"], [\"temperature\"], []]",
                                    "--set",   "model.name=dlinear"};
        VERIFY_CODE(place_.run(arguments + QStringList{"--out", "apart"}), 0);
        const test::Table results(place_.read("apart/small/results.csv"));
        QCOMPARE(results.rows.size(), qsizetype{3});
        QCOMPARE(results.at(0, "run"), QString("targets-load"));
        QCOMPARE(results.at(0, "data"), QString("series (load)"));
        QCOMPARE(results.at(2, "data"), QString("series"));
    }

    void several_processes_give_the_numbers_of_one() {
        for (const QString model : {"casp-llm", "calf"}) {
            const QStringList arguments{"--batch", "small.toml",        "--set", "data.targets=[\"load\"]",
                                        "--set",   "train.max_steps=4", "--set", "model.name=" + model};
            VERIFY_CODE(place_.run(arguments + QStringList{"--out", "one-" + model}), 0);
            VERIFY_CODE(
                place_.run(arguments + QStringList{"--out", "three-" + model, "--set", "run.processes=3"}),
                0);
            const auto record = [&](const QString& out) {
                return store::read_run_file(place_.path(out + "/small/single/run.h5").toStdString());
            };
            const auto one = record("one-" + model), three = record("three-" + model);
            QCOMPARE(one.steps.step.size(), three.steps.step.size());
            for (std::size_t i = 0; i < one.steps.total.size(); ++i)
                QVERIFY(std::abs(one.steps.total[i] - three.steps.total[i]) <
                        1e-5 * std::abs(one.steps.total[i]));
            QVERIFY(std::abs(one.test->mse - three.test->mse) < 1e-4 * one.test->mse);
        }
    }

    void concurrent_runs_give_equal_results() {
        const QStringList arguments{"--batch", "small.toml",
                                    "--set",   "sweep.data.targets=[[\"load\"], [\"temperature\"], []]",
                                    "--set",   "model.name=dlinear"};
        VERIFY_CODE(place_.run(arguments + QStringList{"--out", "apart"}), 0);
        VERIFY_CODE(place_.run(arguments + QStringList{"--out", "together", "--set", "run.together=3"}), 0);
        QCOMPARE(test::results_without_seconds(place_.read("together/small/results.csv")),
                 test::results_without_seconds(place_.read("apart/small/results.csv")));
        const test::Table results(place_.read("apart/small/results.csv"));
        QCOMPARE(results.rows.size(), qsizetype{3});
        QCOMPARE(results.at(0, "run"), QString("targets-load"));
        QCOMPARE(results.at(0, "data"), QString("series (load)"));
        QCOMPARE(results.at(2, "data"), QString("series"));
    }

    void described() {
        auto r = place_.run({"--describe", "series.csv", "--set", "data.targets=[\"load\"]", "--set",
                             "data.split=[\"2020-01-12\", \"2020-01-14 12:00\"]", "--set", "data.lookback=48",
                             "--set", "data.horizon=24"});
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.out, "targets", "load", "[\"2020-01-12\", \"2020-01-14 12:00\"], lookback 48");
        // 264 rows to 12 January, 60 more to noon two days later.
        VERIFY_HAS(r.out, "0 .. 263", "264 .. 323", "324 .. 399");
        r = place_.run({"--describe", "series.csv", "--set", "data.split=[\"2020-01-12\", \"2021-01-01\"]"});
        VERIFY_HAS(r.out, "\"2021-01-01\" is after the last row");
        r = place_.run({"--describe", "series.csv", "--set", "data.targets=[\"laod\"]"});
        VERIFY_HAS(r.out, "\"laod\"");
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestTargetsCommand)
#include "test_targets_command.moc"
