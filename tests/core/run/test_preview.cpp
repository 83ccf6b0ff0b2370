// What the form says of an experiment must be what the run then says of itself.
#include <QtTest>

#include "core/train/train_fixture.h"
#include "run/preview.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

class TestPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agrees_with_a_run_data() {
        QTest::addColumn<QString>("batching");
        QTest::newRow("channels together") << "multi-channel";
        QTest::newRow("channels one by one") << "single-channel";
    }

    void agrees_with_a_run() {
        QFETCH(QString, batching);
        auto config = test::small_config(csv());
        config.data.batching = batching.toStdString();
        config.train.epochs = 1;
        test::Probe probe;
        const auto folder = fs::path(dir_.path().toStdString()) / batching.toStdString();
        probe.run(folder, config);
        const auto& started = probe.started.at(0);
        const auto p =
            run::preview(config, {test::small_rows, test::small_channels}, run::measure_machine(config));
        QCOMPARE(p.parameters_total, started.parameters_total);
        QCOMPARE(p.parameters_trainable, started.parameters_trainable);
        QCOMPARE(p.plan.train.windows, started.train_windows);
        QCOMPARE(p.plan.val.windows, started.val_windows);
        QCOMPARE(p.plan.test.windows, started.test_windows);
        QCOMPARE(p.single_channel, started.single_channel);
        QCOMPARE(p.steps_per_epoch, started.steps_per_epoch);
        QCOMPARE(p.step_bytes, started.estimated_bytes);
        QVERIFY(std::abs(p.epoch_seconds / started.estimated_epoch_seconds - 1) < 1e-9);
        QVERIFY(p.peak_bytes > p.step_bytes);
    }

    void without_a_data_set() {
        const auto p = run::preview(test::small_config("x.csv"), {});
        QVERIFY(p.parameters_trainable > 0 && p.tokens == p.patches + 4);
        QVERIFY(p.steps_per_epoch == 0 && p.step_bytes == 0 && p.fits);
    }

    void memory() {
        auto config = test::small_config("x.csv");
        run::Machine machine;
        const data::FileFacts data{test::small_rows, test::small_channels};
        config.train.batch_size = 20;
        const auto twenty = run::preview(config, data, machine).step_bytes;
        machine.memory_available = twenty;
        config.train.batch_size = 21;
        const auto tight = run::preview(config, data, machine);
        QVERIFY(!tight.fits);
        QCOMPARE(tight.largest_batch_size, std::int64_t{20});
        machine.memory_available = 1000;
        QCOMPARE(run::preview(config, data, machine).largest_batch_size, std::int64_t{0});
        machine.memory_available = std::int64_t{1} << 40;
        QCOMPARE(run::preview(config, data, machine).largest_batch_size, test::train_windows);
    }

    void times_add_up() {
        auto config = test::small_config("x.csv");
        run::Machine machine;
        machine.flop_rate = 1e9;
        const data::FileFacts data{test::small_rows, test::small_channels};
        config.train.epochs = 4;
        const auto p = run::preview(config, data, machine);
        const double validation = p.epoch_seconds - 5 * p.step_seconds;
        QVERIFY(validation > 0);
        QVERIFY(std::abs(p.longest_seconds - (4 * p.epoch_seconds + p.test_seconds)) < 1e-12);
        // 49 test windows beside 19 of validation.
        QVERIFY(std::abs(p.test_seconds / validation - 49.0 / 19) < 1e-9);
        config.train.max_steps = 7;  // two epochs are begun
        const auto shorter = run::preview(config, data, machine);
        QVERIFY(std::abs(shorter.longest_seconds - (7 * p.step_seconds + 2 * validation + p.test_seconds)) <
                1e-12);
    }

    void corrected_by_finished_runs() {
        auto config = test::small_config("x.csv");
        run::Machine machine;
        machine.flop_rate = 1e9;
        machine.memory_base = 300'000'000;
        const data::FileFacts data{test::small_rows, test::small_channels};
        const auto plain = run::preview(config, data, machine);
        QCOMPARE(plain.compared_runs, std::int64_t{0});
        machine.correction = {.time = 3, .memory = 1.5, .runs = 2};
        const auto corrected = run::preview(config, data, machine);
        QVERIFY(std::abs(corrected.longest_seconds / plain.longest_seconds - 3) < 1e-9);
        QVERIFY(std::abs(static_cast<double>(corrected.peak_bytes) / static_cast<double>(plain.peak_bytes) -
                         1.5) < 1e-6);
        QCOMPARE(corrected.compared_runs, std::int64_t{2});
        // What does not fit is not made to.
        QCOMPARE(corrected.step_bytes, plain.step_bytes);
        machine.correction.memory = 0.5;
        QCOMPARE(run::preview(config, data, machine).peak_bytes, machine.memory_base);
    }

    void duration_is_at_least_one_epoch() {
        run::Machine machine;
        machine.flop_rate = 1e9;
        auto config = test::small_config("x.csv");
        const auto preview = [&] {
            return run::preview(config, {test::small_rows, test::small_channels}, machine);
        };
        for (const std::int64_t epochs : {1, 2, 50}) {
            config.train.epochs = epochs;
            config.train.patience = 3;
            QVERIFY(preview().longest_seconds >= preview().epoch_seconds);
            QCOMPARE(preview().may_end_early, epochs > 3);
        }
        config.train.max_steps = 5;  // an epoch
        QVERIFY(preview().longest_seconds >= preview().epoch_seconds);
        QVERIFY(!preview().may_end_early);
        config.train.max_steps = 1;
        QVERIFY(preview().longest_seconds < preview().epoch_seconds);
    }

    /// A narrow backbone's blocks are bound by memory: the rate is that of its own width, measured once.
    void rate_is_measured_per_width() {
        auto config = test::small_config("x.csv");
        config.backbone.heads = 4;
        const auto rate = [&](std::int64_t width) {
            config.backbone.width = width;
            return run::measure_machine(config).flop_rate;
        };
        const double narrow = rate(16), wide = rate(512);
        QVERIFY2(narrow > 0 && narrow < wide, qPrintable(QString("%1 %2").arg(narrow).arg(wide)));
        QCOMPARE(rate(16), narrow);
    }

    void split_that_does_not_fit() {
        auto config = test::small_config("x.csv");
        config.data.horizon = 200;
        const auto error = test::error_of([&] { static_cast<void>(run::preview(config, {300, 3})); });
        QVERIFY(error.kind() == ErrorKind::input);
    }

    void split_by_dates() {
        auto config = test::small_config("x.csv");
        config.data.split = {"dates", {}, {}, {"2020-01-06", "2020-01-09"}};
        data::FileFacts facts{test::small_rows, test::small_channels};
        const auto error = test::error_of([&] { static_cast<void>(run::preview(config, facts)); });
        QVERIFY(error.kind() == ErrorKind::input);
        std::vector<double> hours;
        for (int hour = 0; hour < test::small_rows; ++hour) hours.push_back(1577836800.0 + 3600.0 * hour);
        facts.time = std::make_shared<const std::vector<double>>(std::move(hours));
        const auto parts = run::preview(config, facts).plan.part_rows;
        QCOMPARE(parts, (std::array<std::int64_t, 3>{120, 72, test::small_rows - 192}));
    }

private:
    QTemporaryDir dir_;
    [[nodiscard]] std::string csv() const {
        return test::write_csv(fs::path(dir_.path().toStdString()) / "small.csv", test::small_rows,
                               test::small_channels);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPreview)
#include "test_preview.moc"
