// Processes with a (pretend) GPU each exchange tensors through a (pretend) NCCL.
#include <string>
#include <thread>

#include <QtTest>

#include "folder_test.h"
#include "pretend_device/pretend_device.h"
#include "test_program.h"
#include "train/process_group.h"
#include "train_fixture.h"

using namespace casp;
namespace fs = std::filesystem;

extern "C" std::int64_t pretend_nccl_operations();

namespace {

int follow(const train::ProcessPlace& place) {
    train::Processes processes(place);
    train::StopControl stop;
    return run::follow(processes, stop);
}

/// The other processes: this program with other arguments.
class Others {
public:
    Others(const train::ProcessPlace& first, const QString& end) {
        for (int rank = 1; rank < first.size; ++rank) {
            auto process = std::make_unique<QProcess>();
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("PRETEND_NCCL_END", end);
            process->setProcessEnvironment(environment);
            process->setProcessChannelMode(QProcess::ForwardedChannels);
            process->start(QCoreApplication::applicationFilePath(),
                           {"test_nccl", "--follow", QString::number(rank), QString::number(first.size),
                            QString::number(first.port)});
            processes_.push_back(std::move(process));
        }
    }
    /// Exit codes.
    std::vector<int> wait() {
        std::vector<int> codes;
        for (const auto& process : processes_)
            codes.push_back(process->waitForFinished(60000) ? process->exitCode() : -1);
        return codes;
    }

private:
    std::vector<std::unique_ptr<QProcess>> processes_;
};

double largest_difference(const std::vector<double>& found, const std::vector<double>& expected) {
    if (found.size() != expected.size()) return HUGE_VAL;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        worst = std::max(worst, std::abs(found[i] / expected[i] - 1));
    return worst;
}

}  // namespace

class TestNccl : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        config_ =
            test::small_config(test::write_csv(folder("series.csv"), test::small_rows, test::small_channels));
        config_.run.device = "auto";
        config_.train.learning_rate = 1e-4;  // AdamW magnifies rounding by the rate
        test::run_in(folder("one"), config_);
        QCOMPARE(pretend_nccl_operations(), std::int64_t(0));
    }

    void processes_of_several_gpus_use_it_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("2") << 2;
        QTest::newRow("3") << 3;
    }

    void processes_of_several_gpus_use_it() {
        QFETCH(int, size);
        const auto operations = pretend_nccl_operations();
        train::Processes first({.rank = 0, .size = size});
        Others others(first.place(), "");
        const auto name = "of " + std::to_string(size);
        const auto row = run_with(first, name);
        first.end(0);
        QCOMPARE(others.wait(), std::vector<int>(static_cast<std::size_t>(size - 1), 0));
        QCOMPARE(row.state, store::RunState::finished);
        verify_same_as_one(name);
        QCOMPARE(warnings(), std::size_t(0));
        // At least the gradient of the anchors, all others, the usage and the logged values of each step.
        QVERIFY(pretend_nccl_operations() - operations >= 4 * 10);
    }

    /// The work that it has queued on the GPUs of the others does not end.
    void lost_process_interrupts_the_run() {
        train::Processes first({.rank = 0, .size = 3});
        Others others(first.place(), "1:40");
        const auto row = run_with(first, "lost");
        first.end(130);
        QCOMPARE(others.wait(), (std::vector<int>{9, 130}));
        QCOMPARE(row.state, store::RunState::interrupted);
        const auto steps = test::record_of(folder("lost")).steps.step.size();
        QVERIFY(steps > 0 && steps < 10);
        test::run_in(folder("lost"), config_, true);
        verify_same_as_one("lost");
    }

    void processes_of_one_gpu_do_not() {
        const auto operations = pretend_nccl_operations();
        train::Processes first({.rank = 0, .size = 2});
        auto place = first.place();
        place.rank = 1;
        std::jthread other([place] { (void)follow(place); });
        const auto row = run_with(first, "shared");
        first.end(0);
        QCOMPARE(row.state, store::RunState::finished);
        verify_same_as_one("shared");
        QCOMPARE(warnings(), std::size_t(1));
        QCOMPARE(pretend_nccl_operations(), operations);
    }

private:
    [[nodiscard]] store::ResultRow run_with(train::Processes& processes, const std::string& name) {
        train::StopControl stop;
        run::RunRequest request{{name, config_, {}, folder(name)}};
        request.processes = &processes;
        return run::run(request, probe_, stop);
    }
    void verify_same_as_one(const std::string& name) const {
        const auto a = test::record_of(folder(name)), b = test::record_of(folder("one"));
        QCOMPARE(a.steps.step.size(), std::size_t(10));
        QVERIFY(largest_difference(a.steps.total, b.steps.total) < 1e-5);
        QVERIFY(largest_difference(a.epochs.val_mse, b.epochs.val_mse) < 1e-5);
        QCOMPARE(a.anchors.usage_train, b.anchors.usage_train);
    }
    [[nodiscard]] std::size_t warnings() const {
        return static_cast<std::size_t>(
            std::count_if(probe_.messages.begin(), probe_.messages.end(), [](const std::string& message) {
                return message.find("slower than NCCL: several processes use one GPU") != std::string::npos;
            }));
    }

    config::Config config_;
    test::Probe probe_;
};

TEST_PROGRAM(TestNccl)(int count, char** values) {
    const std::vector<std::string> arguments(values, values + count);
    if (count == 5 && arguments[1] == "--follow")
        return follow({.rank = std::stoi(arguments[2]),
                       .size = std::stoi(arguments[3]),
                       .port = std::stoi(arguments[4])});
    QCoreApplication application(count, values);
    TestNccl test;
    return QTest::qExec(&test, count, values);
}
#include "test_nccl.moc"
