// caspstudio --audit: exit statuses, output and audit.json; and the benchmark's own files as public code
// saves them.
#include <cmath>

#include "batch_fixture.h"
#include "core/audit/npy_writer.h"
#include "data/csv_import.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// Windows of the rows from `first` on, scaled with the training rows in float64 and saved as float32.
test::Windows windows_of(const data::Table& table, std::size_t train, std::size_t first, std::size_t windows,
                         std::size_t horizon) {
    test::Windows array(windows, horizon, table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const auto& values = table.columns[c].values;
        long double mean = 0, squares = 0;
        for (std::size_t t = 0; t < train; ++t) mean += values[t];
        mean /= static_cast<long double>(train);
        for (std::size_t t = 0; t < train; ++t) squares += (values[t] - mean) * (values[t] - mean);
        const auto deviation = std::sqrt(squares / static_cast<long double>(train));
        for (std::size_t w = 0; w < windows; ++w)
            for (std::size_t h = 0; h < horizon; ++h)
                array.at(w, h, c) = static_cast<double>((values[first + w + h] - mean) / deviation);
    }
    return array;
}

}  // namespace

class TestAuditCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QByteArray text = "date,load,wind\n";
        const QDateTime start(QDate(2024, 1, 1), QTime(0, 0), Qt::UTC);
        for (int t = 0; t < 900; ++t)
            text += start.addSecs(3600LL * t).toString("yyyy-MM-dd HH:mm:ss").toLatin1() + ',' +
                    QByteArray::number(10 + std::sin(t * 0.26) + 0.1 * std::sin(t * 1.7) + 0.001 * t) + ',' +
                    QByteArray::number(50 + 9 * std::cos(t * 0.11) + 0.01 * std::sin(t * 2.3)) + '\n';
        place_.write("series.csv", text);
        const auto table = data::import_csv(place_.path("series.csv").toStdString());
        save("clean", windows_of(table, 630, 720, 169, 12));
        save("short", windows_of(table, 630, 720, 160, 12));
    }

    void clean_and_not() {
        const auto clean = audit("clean");
        QVERIFY2(clean.code == 0, clean.err.constData());
        QVERIFY2(clean.out.startsWith("clean: the 169 windows are those of the test split"),
                 clean.out.constData());
        const auto dropped = audit("short", {"--out", "found"});
        QCOMPARE(dropped.code, 1);
        QVERIFY2(dropped.out.startsWith("dropped-windows: 9 of 169 test windows are missing: the last 9, the "
                                        "remainder of 169 by 16 or 32"),
                 dropped.out.constData());
        const auto json = nlohmann::json::parse(place_.read("found/audit.json").toStdString());
        QCOMPARE(json.at("findings").at(0).at("code").get<std::string>(), std::string("dropped-windows"));
        QCOMPARE(json.at("rows").size(), std::size_t{160});
        QCOMPARE(json.at("rows").at(0).get<int>(), 720);
        QCOMPARE(json.at("errors").at("shared").at("windows").get<int>(), 160);
        QVERIFY(json.at("errors").at("stored").at("mse").get<double>() > 0);
    }

    /// Shown after the findings, which they do not change.
    void scripts_and_logs() {
        const auto before = audit("clean").out;
        place_.write("clean/args.json", "{\"random_seed\": 2021}\n");
        const auto r = audit("clean", {"--out", "hints"});
        place_.write("clean/args.json", "");
        QCOMPARE(r.code, 0);
        QVERIFY2(r.out.startsWith(before + "args.json, line 1, shows the fixed seed 2021: {\"random_seed\": "
                                           "2021}\n"),
                 r.out.constData());
        const auto json = nlohmann::json::parse(place_.read("hints/audit.json").toStdString());
        QCOMPARE(json.at("hints").size(), std::size_t{1});
        QCOMPARE(json.at("hints").at(0).at("line").get<int>(), 1);
        QCOMPARE(json.at("hints").at(0).at("what").get<std::string>(), std::string("the fixed seed 2021"));
    }

    void horizon_is_that_of_the_settings() {
        const auto r = place_.run({"--audit", "clean", "--data", "series.csv", "--set", "data.lookback=24",
                                   "--set", "data.horizon=13"});
        QCOMPARE(r.code, 1);
        QVERIFY2(r.out.startsWith("wrong-horizon: the arrays have 12 steps, and data.horizon is 13"),
                 r.out.constData());
    }

    void bad_input_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QByteArray(message);
        };
        row("no folder", {"--audit", "nothing", "--data", "series.csv"},
            "nothing: there is no such file or folder");
        row("no arrays", {"--audit", ".", "--data", "series.csv"}, "it has no .npy file");
        row("no data", {"--audit", "clean", "--data", "none.csv"}, "none.csv");
        row("without --data", {"--audit", "clean"}, "--audit without --data");
        row("other settings", {"--audit", "clean", "--data", "series.csv", "--set", "train.seed=1"},
            "expected --set data.KEY=VALUE");
        row("look-back", {"--audit", "clean", "--data", "series.csv", "--set", "data.lookback=800"}, "rows");
    }
    void bad_input() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const auto r = place_.run(arguments);
        QCOMPARE(r.code, 2);
        QVERIFY2(r.err.contains(message), r.err.constData());
    }

    /// ETTh1 and Weather at horizon 96 as public loaders make them: complete, and without the last batch.
    void benchmark_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("train");
        QTest::addColumn<int>("test");
        QTest::addColumn<int>("windows");
        QTest::newRow("ETTh1") << "ETTh1" << 8640 << 11520 << 2785;
        QTest::newRow("weather") << "weather" << 36887 << 42157 << 10444;
    }
    void benchmark() {
        QFETCH(QString, name);
        QFETCH(int, train);
        QFETCH(int, test);
        QFETCH(int, windows);
        const auto file = QStringLiteral(CASP_SHARED_DATA "/") + name + ".csv";
        if (!QFile::exists(file)) QSKIP("the shared data is not on this computer");
        const auto table = data::import_csv(file.toStdString());
        const auto all = static_cast<std::size_t>(windows);
        save("whole",
             windows_of(table, static_cast<std::size_t>(train), static_cast<std::size_t>(test), all, 96));
        const auto clean = place_.run({"--audit", "whole", "--data", file});
        QVERIFY2(clean.code == 0 && clean.out.startsWith("clean: "), (clean.out + clean.err).constData());
        save("cut", windows_of(table, static_cast<std::size_t>(train), static_cast<std::size_t>(test),
                               all - all % 128, 96));
        const auto cut = place_.run({"--audit", "cut", "--data", file});
        QCOMPARE(cut.code, 1);
        QVERIFY2(cut.out.startsWith("dropped-windows: ") && cut.out.contains("128 (a dropped last batch)"),
                 cut.out.constData());
        QCOMPARE(cut.out.count("dropped-windows"), 1);
    }

private:
    [[nodiscard]] test::Finished audit(const char* folder, const QStringList& more = {}) const {
        return place_.run(QStringList{"--audit", folder, "--data", "series.csv", "--set", "data.lookback=24",
                                      "--set", "data.horizon=12"}
                          << more);
    }

    /// Predictions are the truths, a tenth too large.
    void save(const QString& folder, const test::Windows& truth) const {
        auto prediction = truth;
        for (auto& value : prediction.values) value *= 1.1;
        const fs::path path = place_.path(folder).toStdString();
        test::write_bytes(path / "true.npy", test::npy_bytes(truth));
        test::write_bytes(path / "pred.npy", test::npy_bytes(prediction));
    }

    test::Workplace place_;
};

QTEST_APPLESS_MAIN(TestAuditCommand)
#include "test_audit_command.moc"
