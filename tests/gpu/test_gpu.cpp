// The checks of gpu_checks.h on CASP_CHECKED_DEVICE: the GPU of this machine, skipped with the reason where
// there is none, or the pretend device.
#include <set>
#include <string>

#include <QtTest>

#include "gpu/gpu_checks.h"
#include "test_program.h"

class TestGpu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void check_data() {
        const auto search = casp::gpu::find_device(CASP_CHECKED_DEVICE);
        if (!search.found) QSKIP(search.reason.c_str());
        QTest::addColumn<int>("index");
        const auto checks = casp::gpu::all_checks(CASP_SOURCE_DIR);
        QVERIFY(checks.size() >= 30);
        // The pretend device has no TF32, and what is resumed with dropout is resumed without.
        const std::set<std::string> left_out{"TF32 follows fp32", "cancel and resume"};
        for (std::size_t i = 0; i < checks.size(); ++i)
            if (search.device.is_cuda() || left_out.count(checks[i].name) == 0)
                QTest::newRow(checks[i].name.c_str()) << static_cast<int>(i);
    }

    void check() {
        QFETCH(int, index);
        QVERIFY(scratch_.isValid());
        const casp::gpu::Setting setting{casp::gpu::find_device(CASP_CHECKED_DEVICE).device, CASP_SOURCE_DIR,
                                         scratch_.path().toStdString(), true};
        const auto checks = casp::gpu::all_checks(CASP_SOURCE_DIR);
        try {
            qInfo("%s", checks[static_cast<std::size_t>(index)].run(setting).c_str());
        } catch (const std::exception& problem) {
            QFAIL(problem.what());
        }
    }

private:
    QTemporaryDir scratch_;
};

TEST_MAIN_WITHOUT_GUI(TestGpu)
#include "test_gpu.moc"
