// caspstudio --import: forecasts made by other code become a run, whose numbers are those of the arrays.
#include <algorithm>
#include <cmath>
#include <random>

#include "batch_fixture.h"
#include "data/csv_import.h"
#include "data/scaler.h"
#include "foreign_files.h"
#include "store/hdf5_file.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// A cell of the only row of results.csv.
QByteArray cell(const QByteArray& csv, const QByteArray& column, qsizetype row = 1) {
    const auto lines = csv.split('\n');
    const auto at = lines.value(0).split(',').indexOf(column);
    return at < 0 ? QByteArray("no column") : lines.value(row).split(',').value(at);
}

}  // namespace

class TestImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::two_channels());
        table_ = data::import_csv(place_.path("series.csv").toStdString());
        truth_ = test::windows_of(table_, 630, 720, 169, 12);
        save("method_a", truth_);
    }

    void clean_forecasts_become_a_run() {
        const auto r = import("method_a");
        VERIFY_CODE(r, 0);
        QVERIFY2(r.out.startsWith("clean: ") && r.out.endsWith("Run: runs/method_a/single\n"),
                 r.out.constData());
        const auto results = place_.read("runs/method_a/results.csv");
        QCOMPARE(cell(results, "model"), QByteArray("imported"));
        QCOMPARE(cell(results, "state"), QByteArray("finished"));
        QCOMPARE(cell(results, "imported.label"), QByteArray("method_a"));
        QCOMPARE(cell(results, "horizon"), QByteArray("12"));
        QCOMPARE(cell(results, "val_mse"), QByteArray("nan"));

        double squares = 0, sizes = 0;
        for (const double value : truth_.values) {
            const auto error = static_cast<float>(1.1 * value) - static_cast<float>(value);
            squares += double{error} * error;
            sizes += std::abs(error);
        }
        const auto n = static_cast<double>(truth_.values.size());
        QVERIFY(std::abs(cell(results, "test_mse").toDouble() - squares / n) < 1e-7);
        QVERIFY(std::abs(cell(results, "test_mae").toDouble() - sizes / n) < 1e-7);
        QVERIFY(cell(results, "last_value_mse").toDouble() > 0);

        const auto arrays = open("method_a");
        const auto prediction = arrays.read<float>("/forecast/test/prediction", {169, 12, 2});
        const auto truth = arrays.read<float>("/forecast/test/truth", {169, 12, 2});
        for (std::size_t i = 0; i < prediction.size(); ++i) {
            QCOMPARE(prediction[i], static_cast<float>(1.1 * truth_.values[i]));
            QVERIFY(std::abs(truth[i] - truth_.values[i]) < 1e-6);
        }
        const auto start = arrays.read<std::int64_t>("/forecast/test/start", {169});
        QCOMPARE(start.front(), std::int64_t{720 - 24});
        QCOMPARE(start.back(), std::int64_t{888 - 24});
        QVERIFY(place_.read("runs/method_a/single/audit.json").contains("\"clean\""));
        QCOMPARE(place_.run({"--verify", "runs/method_a"}).code, 0);
    }

    /// Whatever was done to the arrays, the run is the same.
    void order_and_scale_are_undone() {
        std::vector<std::size_t> order(169);
        for (std::size_t w = 0; w < order.size(); ++w) order[w] = w;
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
        test::Windows mixed(169, 12, 2);
        auto prediction = mixed;
        for (const std::size_t c : {0, 1}) {
            const auto [mean, deviation] = data::moments(table_.columns[1 - c].values.data(), 630);
            for (std::size_t w = 0; w < 169; ++w)
                for (std::size_t h = 0; h < 12; ++h) {
                    const double value = truth_.at(order[w], h, 1 - c);
                    mixed.at(w, h, c) = mean + deviation * value;
                    prediction.at(w, h, c) = mean + deviation * 1.1 * value;
                }
        }
        const std::filesystem::path folder = place_.path("mixed").toStdString();
        test::write_bytes(folder / "true.npy", test::npy_bytes(mixed, {.float64 = true}));
        test::write_bytes(folder / "pred.npy", test::npy_bytes(prediction, {.float64 = true}));
        const auto r = import("mixed");
        VERIFY_CODE(r, 0);
        VERIFY_HAS(r.out, "reordered-windows: ", "reordered-channels: ", "original-units: ");
        const auto arrays = open("mixed"), clean = open("method_a");
        const auto ours = clean.read<float>("/forecast/test/prediction", {169, 12, 2});
        const auto theirs = arrays.read<float>("/forecast/test/prediction", {169, 12, 2});
        for (std::size_t i = 0; i < ours.size(); ++i) QVERIFY(std::abs(ours[i] - theirs[i]) < 1e-5);
        QCOMPARE(place_.run({"--verify", "runs/mixed"}).code, 0);
    }

    /// Runs are compared over the windows that all have.
    void dropped_windows_are_left_out_of_comparisons() {
        save("short", test::windows_of(table_, 630, 720, 160, 12));
        QVERIFY(import("short").out.startsWith("dropped-windows: "));
        QCOMPARE(std::ssize(open("short").read<std::int64_t>("/forecast/test/start", {160})), 160);
        place_.write("naive.toml",
                     "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 12\n[model]\nname = "
                     "\"naive\"\n[run]\ndevice = \"cpu\"\n");
        QCOMPARE(place_.run({"--batch", "naive.toml"}).code, 0);
        VERIFY_RUN(r, 0, {"--compare", "runs/naive", "runs/short", "--by", "model.name", "--out", "t"});
        VERIFY_HAS(r.err,
                   "series-12: test errors are over the 160 of 169 windows of which all compared "
                   "runs have forecasts");
        const auto table = place_.read("t/comparisons.csv");
        const auto file = store::Hdf5File::open(place_.path("runs/naive/single/arrays.h5").toStdString());
        const auto errors = file.read<float>("/forecast/test/mse", {169, 2});
        double sum = 0;
        for (std::size_t i = 0; i < 320; ++i) sum += errors[i];
        QVERIFY(std::abs(cell(table, "mean_base").toDouble() - sum / 320) < 1e-12);
        // Neither has seeds: they are tested over the windows.
        QCOMPARE(cell(table, "windows").toInt(), 160);
        const double p = cell(table, "p_dm").toDouble();
        QVERIFY2(p > 0 && p <= 1 && !cell(table, "block_low").isEmpty(), table.constData());
        VERIFY_HAS(r.out, "1 pair: says nothing about seed noise; over periods: ");
        QVERIFY(std::abs(cell(table, "mean_other").toDouble() -
                         cell(place_.read("runs/short/results.csv"), "test_mse").toDouble()) < 1e-7);
        // Without imported forecasts, nothing changes.
        const auto alone = place_.run({"--compare", "runs/naive", "runs/method_a", "--by", "model.name"});
        QVERIFY(!alone.err.contains("test errors are over"));
    }

    /// Errors over other windows are not compared, even if our run cannot tell over which they are.
    void runs_without_forecasts_are_left_out() {
        place_.write("bare.toml",
                     "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 12\n[model]\nname = "
                     "\"seasonal-naive\"\n[run]\ndevice = \"cpu\"\nstore_forecasts = []\n");
        QCOMPARE(place_.run({"--batch", "bare.toml"}).code, 0);
        VERIFY_RUN(r, 0, {"--compare", "runs/naive", "runs/bare", "runs/short", "--by", "model.name"});
        VERIFY_HAS(r.err, "left out, because their test forecasts are not stored: ", "/runs/bare/single");
        QVERIFY(!r.out.contains("seasonal-naive"));
    }

    void other_splits_have_no_test_errors() {
        save("val", test::windows_of(table_, 630, 630, 60, 12));
        const auto r = import("val");
        QCOMPARE(r.code, 0);
        QVERIFY2(r.out.startsWith("wrong-split: ") && r.out.contains("The arrays contain no test window"),
                 r.out.constData());
        QCOMPARE(cell(place_.read("runs/val/results.csv"), "test_mse"), QByteArray("nan"));
        QCOMPARE(open("val").read<std::int64_t>("/forecast/test/start", {60}).front(),
                 std::int64_t{630 - 24});
        QCOMPARE(place_.run({"--verify", "runs/val"}).code, 0);
    }

    /// Forecasts that match nothing are a run without forecasts.
    void unrelated_forecasts() {
        auto noise = truth_;
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        for (auto& value : noise.values) value = normal(random);
        save("noise", noise);
        const auto r = import("noise");
        QCOMPARE(r.code, 0);
        QVERIFY2(r.out.startsWith("truth-differs: "), r.out.constData());
        QVERIFY(!QFile::exists(place_.path("runs/noise/single/arrays.h5")));
        QCOMPARE(place_.run({"--verify", "runs/noise"}).code, 0);
    }

    void missing_channels_are_left_out() {
        test::Windows wind(169, 12, 1);
        for (std::size_t w = 0; w < 169; ++w)
            for (std::size_t h = 0; h < 12; ++h) wind.at(w, h, 0) = truth_.at(w, h, 1);
        save("wind", wind);
        QVERIFY(import("wind").out.startsWith("missing-channels: "));
        QVERIFY(place_.read("runs/wind/single/config.toml").contains("columns = [\"wind\"]"));
        QCOMPARE(std::ssize(open("wind").read<float>("/forecast/test/mse", {169, 1})), 169);
        QCOMPARE(place_.run({"--verify", "runs/wind"}).code, 0);
    }

    /// A CSV file of forecasts without truths: those of the data set.
    void csv_without_truths() {
        QByteArray text = "window,step,channel,prediction\n";
        for (int w = 0; w < 169; ++w)
            for (int h = 0; h < 12; ++h)
                for (int c = 0; c < 2; ++c)
                    text += QByteArray::number(w) + ',' + QByteArray::number(h) + ',' +
                            (c == 0 ? "load" : "wind") + ',' +
                            QByteArray::number(
                                1.1 * truth_.at(static_cast<std::size_t>(w), static_cast<std::size_t>(h),
                                                static_cast<std::size_t>(c)),
                                'g', 17) +
                            '\n';
        place_.write("long.csv", text);
        const auto r = import("long.csv");
        QVERIFY2(r.code == 0 && r.out.contains("Run: runs/long/single"), (r.out + r.err).constData());
        QCOMPARE(open("long").read<float>("/forecast/test/prediction", {169, 12, 2}),
                 open("method_a").read<float>("/forecast/test/prediction", {169, 12, 2}));
    }

    void a_changed_audit_is_named() {
        auto text = place_.read("runs/method_a/single/audit.json");
        const auto original = text;
        text.replace("\"windows\": 169", "\"windows\": 168");
        QVERIFY(text != original);
        place_.write("runs/method_a/single/audit.json", text);
        const auto r = place_.run({"--verify", "runs/method_a"});
        QCOMPARE(r.code, 1);
        QVERIFY2(r.out.startsWith("runs/method_a/single/audit.json: SHA-256 "), r.out.constData());
        place_.write("runs/method_a/single/audit.json", original);
    }

    void names_and_seeds() {
        // The same forecasts again: replaced. Others: not.
        QCOMPARE(import("method_a").code, 0);
        const auto others = import("short", {"--name", "method_a"});
        QCOMPARE(others.code, 2);
        VERIFY_HAS(others.err, "the folder has the forecasts of ", "--name");
        const auto trained = import("short", {"--name", "naive"});
        QCOMPARE(trained.code, 2);
        VERIFY_HAS(trained.err, "runs that were trained here");
        for (const char* seed : {"1", "2"})
            QCOMPARE(import(QByteArray(seed) == "1" ? "method_a" : "short",
                            {"--name", "seeds", "--set", QStringLiteral("train.seed=") + seed})
                         .code,
                     0);
        const auto results = place_.read("runs/seeds/results.csv");
        QCOMPARE(cell(results, "run", 1), QByteArray("seed-1"));
        QCOMPARE(cell(results, "seed", 2), QByteArray("2"));
        QCOMPARE(cell(place_.read("runs/seeds/summary.csv"), "n"), QByteArray("2"));
    }

    void bad_input_data() {
        test::add_refusals({{"without --data", {"--import", "method_a"}, "--import without --data"},
                            {"a name with a slash",
                             {"--import", "method_a", "--data", "series.csv", "--name", "a/b"},
                             "--name: \"a/b\" contains a slash"},
                            {"other settings",
                             {"--import", "method_a", "--data", "series.csv", "--set", "train.epochs=1"},
                             "expected --set data.KEY=VALUE or --set train.seed=N"},
                            {"no folder",
                             {"--import", "nothing", "--data", "series.csv"},
                             "there is no such file or folder"},
                            {"trained",
                             {"--batch", "runs/method_a/single/config.toml", "--out", "elsewhere"},
                             "\"imported\" are forecasts made by other code"},
                            {"evaluated",
                             {"--evaluate", "runs/method_a/single", "--data", "series.csv"},
                             "best.safetensors"},
                            {"name elsewhere",
                             {"--audit", "method_a", "--data", "series.csv", "--name", "x"},
                             "--name does not apply to --audit"}});
    }
    void bad_input() { test::verify_refusal(place_); }

    void imported_is_not_a_selectable_model() {
        QVERIFY(!place_.run({"--list-models"}).out.contains("imported"));
        QVERIFY(
            !place_.run({"--batch", "naive.toml", "--set", "model.name=nonsense"}).err.contains("imported"));
    }

private:
    [[nodiscard]] test::Finished import(const QString& path, const QStringList& more = {}) const {
        return place_.run(QStringList{"--import", path, "--data", "series.csv", "--set", "data.lookback=24",
                                      "--set", "data.horizon=12"}
                          << more);
    }
    [[nodiscard]] store::Hdf5File open(const char* name) const {
        return store::Hdf5File::open(
            place_.path(QStringLiteral("runs/%1/single/arrays.h5").arg(name)).toStdString());
    }
    void save(const QString& folder, const test::Windows& truth) const {
        test::save_forecasts(place_.path(folder).toStdString(), truth);
    }

    test::Workplace place_;
    data::Table table_;
    test::Windows truth_;
};

TEST_MAIN_WITHOUT_GUI(TestImport)
#include "test_import.moc"
