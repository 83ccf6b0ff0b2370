// caspstudio --audit: exit statuses, output and audit.json; and the benchmark's own files as public code
// saves them.

#include "batch_fixture.h"
#include "data/csv_import.h"
#include "foreign_files.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

class TestAuditCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::two_channels());
        const auto table = data::import_csv(place_.path("series.csv").toStdString());
        save("clean", test::windows_of(table, 630, 720, 169, 12));
        save("short", test::windows_of(table, 630, 720, 160, 12));
        test::write_bytes(std::filesystem::path(place_.path("batches").toStdString()) / "pred.npy",
                          test::npy_bytes({2, 84, 12, 2}, std::vector<double>(2 * 84 * 12 * 2, 1)));
    }

    void clean_and_not() {
        const auto clean = audit("clean");
        VERIFY_CODE(clean, 0);
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
        test::add_refusals(
            {{"no folder",
              {"--audit", "nothing", "--data", "series.csv"},
              "nothing: there is no such file or folder"},
             {"no arrays", {"--audit", ".", "--data", "series.csv"}, "it has no .npy file"},
             {"four axes",
              {"--audit", "batches", "--data", "series.csv", "--set", "data.lookback=24"},
              "its shape is [2, 84, 12, 2], 4 axes; expected three axes: [windows, horizon, channels]"},
             {"no data", {"--audit", "clean", "--data", "none.csv"}, "none.csv"},
             {"without --data", {"--audit", "clean"}, "--audit without --data"},
             {"other settings",
              {"--audit", "clean", "--data", "series.csv", "--set", "train.seed=1"},
              "expected --set data.KEY=VALUE"},
             {"look-back",
              {"--audit", "clean", "--data", "series.csv", "--set", "data.lookback=800"},
              "rows"}});
    }
    void bad_input() { test::verify_refusal(place_); }

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
        save("whole", test::windows_of(table, static_cast<std::size_t>(train), static_cast<std::size_t>(test),
                                       all, 96));
        const auto clean = place_.run({"--audit", "whole", "--data", file});
        QVERIFY2(clean.code == 0 && clean.out.startsWith("clean: "), (clean.out + clean.err).constData());
        // The same values in other bytes have the same split; changed ones are named.
        QFile original(file);
        QVERIFY(original.open(QIODevice::ReadOnly));
        auto text = original.readAll();
        text.contains("\r\n") ? text.replace("\r\n", "\n") : text.replace("\n", "\r\n");
        place_.write("other-bytes.csv", text);
        const auto other = place_.run({"--audit", "whole", "--data", "other-bytes.csv"});
        QVERIFY2(other.code == 0 && other.out.startsWith("clean: "), (other.out + other.err).constData());
        QVERIFY2(!other.out.contains("looks like"), other.out.constData());
        place_.write("changed.csv", text.replace(",1.", ",2."));
        const auto changed = place_.run({"--audit", "whole", "--data", "changed.csv"});
        VERIFY_HAS(changed.out,
                   "The file looks like " + (name == "weather" ? QByteArray("Weather") : "ETTh1"));
        save("cut", test::windows_of(table, static_cast<std::size_t>(train), static_cast<std::size_t>(test),
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

    void save(const QString& folder, const test::Windows& truth) const {
        test::save_forecasts(place_.path(folder).toStdString(), truth);
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestAuditCommand)
#include "test_audit_command.moc"
