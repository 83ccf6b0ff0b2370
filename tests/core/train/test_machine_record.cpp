// Estimates must not move with the load of the machine, and learn from finished runs.
#include <QtTest>

#include <filesystem>

#include "test_program.h"
#include "train/machine_record.h"

using namespace casp;
using train::MachineRecord;
using train::RunCost;
namespace fs = std::filesystem;

class TestMachineRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Starts of the program, with other programs running during most of the measurements.
    void rate_is_robust_to_load() {
        const auto file = place("load.json");
        const double idle = 40e9;
        double last = 0;
        for (const double fraction : {0.9, 0.3, 0.08, 0.5, 0.12}) {
            MachineRecord record;
            record.keep_in(file);
            last = record.best_rate("products", [&] { return idle * fraction; });
            QVERIFY2(last >= idle / 1.25 && last <= idle, qPrintable(QString::number(last / idle)));
        }
        // A slower machine is noticed after some starts.
        for (std::size_t start = 0; start < MachineRecord::max_rates; ++start) {
            MachineRecord record;
            record.keep_in(file);
            last = record.best_rate("products", [&] { return idle / 10; });
        }
        QCOMPARE(last, idle / 10);
    }

    void measured_once_in_a_process() {
        MachineRecord record;
        int measured = 0;
        const auto measure = [&] { return 1e9 * ++measured; };
        QCOMPARE(record.best_rate("a", measure), 1e9);
        QCOMPARE(record.best_rate("a", measure), 1e9);
        QCOMPARE(record.best_rate("b", measure), 2e9);
    }

    void median_of_finished_runs() {
        MachineRecord record;
        const train::Correction usual{.time = 4};
        QCOMPARE(record.correction("dlinear", usual).time, 4.0);
        record.add("dlinear", {10, 30, 200e6, 300e6});
        QCOMPARE(record.correction("dlinear", usual).time, 3.0);
        QCOMPARE(record.correction("dlinear", usual).memory, 1.5);
        QCOMPARE(record.correction("patchtst", usual).runs, std::int64_t{0});
        record.add("dlinear", {10, 1000, 200e6, 300e6});  // a suspended laptop
        record.add("dlinear", {20, 62, 200e6, 300e6});
        QCOMPARE(record.correction("dlinear", usual).time, 3.1);
        QCOMPARE(record.correction("dlinear", usual).runs, std::int64_t{3});
        // Only the latest count.
        for (std::size_t run = 0; run < MachineRecord::max_runs; ++run)
            record.add("dlinear", {10, 20, 200e6, 200e6});
        QCOMPARE(record.correction("dlinear", usual).time, 2.0);
        QCOMPARE(record.correction("dlinear", usual).memory, 1.0);
    }

    void bounded() {
        MachineRecord record;
        record.add("slow", {1, 1e6, 1e6, 1e12});
        QCOMPARE(record.correction("slow", {}).time, MachineRecord::max_time_factor);
        QCOMPARE(record.correction("slow", {}).memory, MachineRecord::max_memory_factor);
        record.add("fast", {1e6, 2, 1e12, 1e6});
        QCOMPARE(record.correction("fast", {}).time, MachineRecord::min_factor);
        QCOMPARE(record.correction("fast", {}).memory, MachineRecord::min_factor);
        // Short runs are all overhead; without an estimate there is nothing to compare.
        record.add("short", {0.01, MachineRecord::min_seconds / 2, 1e6, 1e6});
        record.add("short", {0, 10, 1e6, 1e6});
        record.add("short", {1, std::numeric_limits<double>::quiet_NaN(), 1e6, 1e6});
        QCOMPARE(record.correction("short", {}).runs, std::int64_t{0});
    }

    void kept_between_starts_and_processes() {
        const auto file = place("new/machine.json");
        MachineRecord first, second;
        for (auto* record : {&first, &second}) record->keep_in(file);
        first.add("dlinear", {10, 20, 1e8, 1e8});
        second.add("dlinear", {10, 40, 1e8, 1e8});
        QCOMPARE(first.correction("dlinear", {}).time, 3.0);
        for (const char* text : {"", "{", "[]", R"({"rates": 3})", R"({"rates": {"a": ["x"]}, "runs": {}})",
                                 R"({"rates": {"a": [-1, 1e999]}, "runs": {"dlinear": [[1]]}})"}) {
            QFile(QString::fromStdString(file.string())).remove();
            QFile damaged(QString::fromStdString(file.string()));
            QVERIFY(damaged.open(QIODevice::WriteOnly));
            damaged.write(text);
            damaged.close();
            MachineRecord third;
            third.keep_in(file);
            QCOMPARE(third.best_rate("a", [] { return 5.0; }), 5.0);
            QCOMPARE(third.correction("dlinear", {}).runs, std::int64_t{0});
        }
        MachineRecord unwritable;
        unwritable.keep_in("/proc/none/machine.json");
        unwritable.add("dlinear", {10, 20, 1e8, 1e8});
        QCOMPARE(unwritable.correction("dlinear", {}).time, 2.0);
    }

private:
    QTemporaryDir dir_;
    [[nodiscard]] fs::path place(const char* name) const {
        return fs::path(dir_.path().toStdString()) / name;
    }
};

TEST_MAIN_WITHOUT_GUI(TestMachineRecord)
#include "test_machine_record.moc"
