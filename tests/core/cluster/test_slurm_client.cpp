// Answers of squeue and sacct. Their commands run in tests/batch/slurm.py.

#include <QtTest>

#include "cluster/slurm_client.h"
#include "test_program.h"

using namespace casp::cluster;

class TestSlurmClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void states() {
        const auto queued =
            parse_states("PENDING|Resources\nPENDING|Priority\nRUNNING|None\nCOMPLETED|None\n");
        QVERIFY((queued == ArrayState{2, 1, 1, 0, "Resources"}));
        QVERIFY(queued.is_open());
        const auto accounted =
            parse_states("COMPLETED\nCANCELLED by 1000\nTIMEOUT\nNODE_FAIL\nOUT_OF_MEMORY\nCOMPLETED\n");
        QVERIFY((accounted == ArrayState{0, 0, 2, 4, ""}));
        QVERIFY(!accounted.is_open());
        QVERIFY((parse_states("COMPLETING|None\nREQUEUE_HOLD|JobHoldMaxRequeue\n") ==
                 ArrayState{1, 1, 0, 0, "JobHoldMaxRequeue"}));
        QVERIFY(parse_states("\n") == ArrayState{});
        QVERIFY((parse_states("PENDING|None\nPENDING|Priority\n") == ArrayState{2, 0, 0, 0, "Priority"}));
    }

    void text() {
        QCOMPARE(state_text("7", {2, 3, 1, 0, "Resources"}),
                 std::string("Slurm job 7: 2 pending (Resources), 3 running, 1 finished"));
        QCOMPARE(state_text("7", {0, 0, 0, 2, ""}), std::string("Slurm job 7: 2 failed or cancelled"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestSlurmClient)
#include "test_slurm_client.moc"
