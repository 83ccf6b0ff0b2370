// Which device has a run, and where pictures go meanwhile. On a GPU: tests/gpu.
#include <optional>

#include <QtTest>

#include "test_program.h"
#include "util/device_use.h"

using namespace casp;

class TestDeviceUse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runs_are_counted_while_they_last() {
        QCOMPARE(runs_on("cpu"), 0);
        std::optional<DeviceUse> first(std::in_place, "cpu");
        {
            const DeviceUse second("cpu");
            QCOMPARE(runs_on("cpu"), 2);
            QCOMPARE(runs_on("cuda:0"), 0);
        }
        QCOMPARE(runs_on("cpu"), 1);
        first.reset();
        QCOMPARE(runs_on("cpu"), 0);
    }

    void a_device_that_is_not_there_counts_for_none() {
        const DeviceUse missing("cuda:999"), nonsense("abacus");
        QCOMPARE(runs_on("cuda:999"), 0);
        QCOMPARE(runs_on("abacus"), 0);
        QCOMPARE(runs_on(""), 0);
    }

    void pictures_fall_back_to_the_cpu() {
        QCOMPARE(device_for_pictures("cpu", 0), std::string("cpu"));
        QCOMPARE(device_for_pictures("cuda:999", 0), std::string("cpu"));
        QCOMPARE(device_for_pictures("abacus", 0), std::string("cpu"));
        // No device has that much.
        QCOMPARE(device_for_pictures("auto", std::int64_t{1} << 60), std::string("cpu"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestDeviceUse)
#include "test_device_use.moc"
