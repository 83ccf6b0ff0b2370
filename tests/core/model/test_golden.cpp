// The model against the Python oracle's fixtures, on the CPU.
#include <QtTest>

#include <torch/torch.h>

#include "golden/golden_checks.h"
#include "test_program.h"

namespace {

const std::filesystem::path folder = std::filesystem::path(CASP_SOURCE_DIR) / "tests/golden";

void report(const std::vector<casp::golden::Check>& checks) {
    double worst = 0;
    for (const auto& check : checks) {
        if (!check.passed())
            QFAIL(qPrintable(QString("%1: error %2, allowed %3")
                                 .arg(check.name.c_str())
                                 .arg(check.error)
                                 .arg(check.bound)));
        if (check.bound > 0) worst = std::max(worst, check.error / check.bound);
    }
    qInfo("%zu tensors, worst error %.2g of what is allowed", checks.size(), worst);
}

}  // namespace

class TestGolden : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decomposition() {
        const auto checks = casp::golden::check_decomposition(folder / "decomposition.safetensors", at::kCPU);
        QVERIFY(checks.size() >= 24);
        report(checks);
    }

    void casp_llm_data() {
        QTest::addColumn<QString>("file");
        const auto cases = casp::golden::golden_cases(folder);
        QVERIFY(cases.size() >= 10);
        for (const auto& file : cases)
            QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
    }

    void casp_llm() {
        QFETCH(QString, file);
        report(casp::golden::check_case(file.toStdString(), at::kCPU));
    }
};

TEST_MAIN_WITHOUT_GUI(TestGolden)
#include "test_golden.moc"
