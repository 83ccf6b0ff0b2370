// One run over several processes.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>

#include <QtTest>

#include "batch/processes.h"
#include "batch_fixture.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "util/error.h"
#include "verify_text.h"

using namespace casp;

namespace {

constexpr double tolerance = 1e-5;  // of losses, relative

batch::Environment environment(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) -> const char* {
        const auto found = values.find(name);
        return found != values.end() ? found->second.c_str() : nullptr;
    };
}

/// A port that was free a moment ago.
std::string free_port() {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        qFatal("no free port");
    ::close(descriptor);
    return std::to_string(ntohs(address.sin_port));
}

QList<qint64> children_of(qint64 process) {
    QFile file(QString("/proc/%1/task/%1/children").arg(process));
    QList<qint64> children;
    if (file.open(QIODevice::ReadOnly))
        for (const auto& word : file.readAll().split(' '))
            if (!word.trimmed().isEmpty()) children.append(word.toLongLong());
    return children;
}

double largest_difference(const std::vector<double>& found, const std::vector<double>& expected) {
    if (found.size() != expected.size()) return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        worst = std::max(worst, std::abs(found[i] - expected[i]) / std::max(std::abs(expected[i]), 1e-3));
    return worst;
}

}  // namespace

class TestProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        // 26 batches of 8 windows and one of a single window: no even shares, and fewer windows than
        // processes.
        place_.write("small.toml", test::small_experiment().replace("epochs = 3", "epochs = 2"));
        VERIFY_RUN(r, 0, {"--batch", "small.toml", "--out", "plain"});
        QCOMPARE(record("plain").steps.step.size(), std::size_t(54));
    }

    void first_host_of_a_list_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("host");
        QTest::newRow("one") << "node7"
                             << "node7";
        QTest::newRow("several") << "gpu1,gpu2"
                                 << "gpu1";
        QTest::newRow("range") << "node[03-05,9],other"
                               << "node03";
        QTest::newRow("list") << "n[4,6-7]"
                              << "n4";
        QTest::newRow("suffix") << "n[1-2]-ib,x"
                                << "n1-ib";
        QTest::newRow("before a range") << "login,node[1-2]"
                                        << "login";
    }

    void first_host_of_a_list() {
        QFETCH(QString, list);
        QFETCH(QString, host);
        QCOMPARE(QString::fromStdString(batch::first_host(list.toStdString())), host);
    }

    void rank_is_read_from_the_environment() {
        QVERIFY(!batch::place_from_environment(environment({})));
        const auto torchrun = batch::place_from_environment(environment(
            {{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "29500"}}));
        QVERIFY(torchrun && torchrun->rank == 3 && torchrun->size == 4 && torchrun->port == 29500);
        QVERIFY(torchrun->host == "node1" && !torchrun->hosted);
        QVERIFY(!batch::place_from_environment(environment({{"RANK", "0"}, {"WORLD_SIZE", "1"}})));

        std::map<std::string, std::string> slurm{{"SLURM_PROCID", "1"},
                                                 {"SLURM_NTASKS", "2"},
                                                 {"SLURM_LOCALID", "0"},
                                                 {"SLURM_JOB_ID", "4711"},
                                                 {"SLURM_JOB_NODELIST", "node[08-09]"}};
        const auto task = batch::place_from_environment(environment(slurm));
        QVERIFY(task && task->rank == 1 && task->size == 2 && task->host == "node08");
        const int port = task->port;
        QVERIFY(port >= 20000 && port < 30000);
        slurm["SLURM_STEP_ID"] = "1";
        slurm["SLURM_STEP_NODELIST"] = "node09";
        slurm["ENVIRONMENT"] = "BATCH";
        const auto step = batch::place_from_environment(environment(slurm));
        QVERIFY(step && step->host == "node09" && step->port != port);
        // The shell of a batch script is no task, whatever the job's number of tasks.
        slurm.erase("SLURM_STEP_ID");
        QVERIFY(!batch::place_from_environment(environment(slurm)));
        // Workers of one srun are independent.
        slurm["SLURM_STEP_ID"] = "1";
        QVERIFY(!batch::place_from_environment(environment(slurm), true));

        const auto mpi = batch::place_from_environment(environment({{"OMPI_COMM_WORLD_RANK", "1"},
                                                                    {"OMPI_COMM_WORLD_SIZE", "3"},
                                                                    {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}}));
        QVERIFY(mpi && mpi->rank == 1 && mpi->size == 3 && mpi->host == "127.0.0.1" && mpi->port > 0);
    }

    void contradictory_environments_are_input_errors_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("word");
        QTest::newRow("no rank") << QStringList{"WORLD_SIZE=2"} << "RANK";
        QTest::newRow("no address") << QStringList{"WORLD_SIZE=2", "RANK=0"} << "MASTER_ADDR";
        QTest::newRow("no port") << QStringList{"WORLD_SIZE=2", "RANK=0", "MASTER_ADDR=a"} << "MASTER_PORT";
        QTest::newRow("rank beyond the size") << QStringList{"WORLD_SIZE=2", "RANK=2"} << "rank 2 of 2";
        QTest::newRow("no number") << QStringList{"WORLD_SIZE=two", "RANK=0"} << "\"two\"";
        QTest::newRow("several hosts of mpirun")
            << QStringList{"OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_SIZE=2", "OMPI_COMM_WORLD_RANK=0"}
            << "MASTER_ADDR";
    }

    void contradictory_environments_are_input_errors() {
        QFETCH(QStringList, variables);
        QFETCH(QString, word);
        std::map<std::string, std::string> values;
        for (const auto& variable : variables)
            values[variable.section('=', 0, 0).toStdString()] = variable.section('=', 1).toStdString();
        try {
            (void)batch::place_from_environment(environment(values));
            QFAIL("no error");
        } catch (const Error& problem) {
            QCOMPARE(problem.kind(), ErrorKind::input);
            QVERIFY2(QString(problem.what()).contains(word), problem.what());
        }
    }

    void several_processes_give_the_numbers_of_one_data() {
        QTest::addColumn<int>("processes");
        QTest::newRow("2") << 2;
        QTest::newRow("4") << 4;
    }

    void several_processes_give_the_numbers_of_one() {
        QFETCH(int, processes);
        const auto out = QString("of %1").arg(processes);
        VERIFY_RUN(
            r, 0,
            {"--batch", "small.toml", "--out", out, "--set", QString("run.processes=%1").arg(processes)});
        verify_same(out);
        // One process prints; the others leave nothing behind.
        QCOMPARE(r.err.count("epoch 1/2"), 1);
        QCOMPARE(r.out.count("Tables and runs"), 1);
    }

    /// One sweep, whose second model has no training steps and is evaluated by the first process alone.
    void every_model_gives_the_numbers_of_one_process() {
        auto text = test::small_experiment(
                        "[patchtst]\nd_model = 16\nd_ff = 32\npatch_len = 8\nstride = 4\n"
                        "[itransformer]\nd_model = 16\nn_heads = 2\nd_ff = 32\n"
                        "[time-llm]\nd_model = 8\nn_heads = 2\nd_ff = 16\n")
                        .replace("epochs = 3", "epochs = 1\nmax_steps = 30")
                        .replace("learning_rate = 1e-3\n", "")  // more of it magnifies rounding
                        .replace("positions = 32", "positions = 600");
        for (const auto* name : {"autoformer", "fedformer"})
            text += QByteArray("[") + name + "]\nd_model = 16\nn_heads = 2\nd_ff = 32\nlabel_len = 24\n";
        QStringList labels;
        const auto add = [&](const QByteArray& label, const QByteArray& settings) {
            labels << label;
            text += "[[sweep.case]]\nlabel = \"" + label + "\"\n" + settings + "\n";
        };
        for (const QByteArray model : {"s2ip-llm", "naive", "dlinear", "patchtst", "itransformer",
                                       "autoformer", "fedformer", "ofa", "calf", "time-llm", "tempo"})
            add(model, "model.name = \"" + model + "\"");
        add("tempo-pool", "model.name = \"tempo\"\ntempo.pool = true\ntempo.pool_size = 20");
        for (const QByteArray term : {"entropy", "kl-uniform", "switch"})
            add(term, "coverage.term = \"" + term + "\"");
        add("clipped", "train.max_grad_norm = 0.1");  // of the whole batch's gradient
        add("mmr", "selection.rule = \"mmr\"");
        add("random-anchors", "model.anchors = \"random\"");
        add("single-channel", "data.batching = \"single-channel\"");
        place_.write("models.toml", text);
        VERIFY_RUN(one, 0, {"--batch", "models.toml", "--out", "of-1"});
        VERIFY_RUN(three, 0, {"--batch", "models.toml", "--out", "of-3", "--set", "run.processes=3"});
        for (const auto& label : labels) {
            const auto run = "/models/case-" + label + "/run.h5";
            const auto a = store::read_run_file(place_.path("of-3" + run).toStdString());
            const auto b = store::read_run_file(place_.path("of-1" + run).toStdString());
            QVERIFY2(b.steps.step.size() > 20 || label == "naive", qPrintable(label));
            // One process with two threads differs from one with one by as much: AdamW magnifies rounding.
            const double allowed = label == "random-anchors" ? 10 * tolerance : tolerance;
            const auto difference = largest_difference(a.steps.total, b.steps.total);
            QVERIFY2(difference <= allowed, qPrintable(QString("%1: %2").arg(label).arg(difference)));
            QCOMPARE(a.anchors.usage_train, b.anchors.usage_train);
            // A batch norm cancels the bias before it: that bias's gradient, and with it the running mean, is
            // rounding.
            const auto validation = largest_difference(a.epochs.val_mse, b.epochs.val_mse);
            QVERIFY2(validation <= (label == "patchtst" ? 1e-3 : allowed),
                     qPrintable(QString("%1: %2").arg(label).arg(validation)));
        }
    }

    void products_with_the_token_table_are_not_exchanged_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("precision");
        QTest::addColumn<int>("steps");
        const QByteArray pool = "trend_length = 13\nseasonal_length = 12\npool_size = 30\ntop_k = 4\n";
        QTest::newRow("casp-llm") << "name = \"casp-llm\"\n" + pool << QByteArray("fp32") << 25;
        // Soon rounding to bf16 differs somewhere, and another anchor is retrieved.
        QTest::newRow("casp-llm in bf16") << "name = \"casp-llm\"\n" + pool << QByteArray("bf16") << 5;
        QTest::newRow("time-llm") << QByteArray("name = \"time-llm\"\n[time-llm]\nd_model = 8\nn_heads = 2\n")
                                  << QByteArray("fp32") << 25;
    }

    /// Of W·E the gradient of the product is exchanged instead of that of W.
    void products_with_the_token_table_are_not_exchanged() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, precision);
        QFETCH(int, steps);
        place_.write("wide.toml",
                     "name = \"small\"\n[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 24\n"
                     "[backbone]\npath = \"untrained\"\nlayers = 1\nwidth = 24\nheads = 2\n"
                     "vocabulary = 10000\npositions = 600\n[model]\n" +
                         model + "[train]\nepochs = 1\nmax_steps = " + QByteArray::number(steps) +
                         "\nbatch_size = 8\n[run]\ndevice = \"cpu\"\n" + "threads = 1\nprecision = \"" +
                         precision + "\"\n");
        const auto out = "wide " + QString(QTest::currentDataTag());
        const auto one = place_.run({"--batch", "wide.toml", "--out", out + " of 1"});
        if (precision == "bf16" && one.code == 2 && one.err.contains("bf16"))
            QSKIP("this processor has no bf16");
        VERIFY_CODE(one, 0);
        VERIFY_RUN(three, 0, {"--batch", "wide.toml", "--out", out + " of 3", "--set", "run.processes=3"});
        const auto a = record(out + " of 3"), b = record(out + " of 1");
        const auto difference = largest_difference(a.steps.total, b.steps.total);
        QVERIFY2(difference <= tolerance, qPrintable(QString::number(difference)));
        const auto validation = largest_difference(a.epochs.val_mse, b.epochs.val_mse);
        QVERIFY2(validation <= tolerance, qPrintable(QString::number(validation)));

        const QRegularExpression line("3 processes exchanged (\\S+) MB per step");
        const auto found = line.match(place_.read(out + " of 3/small/single/log.txt"));
        QVERIFY2(found.hasMatch(), three.err.constData());
        const auto all_gradients = 4e-6 * static_cast<double>(b.attributes.parameters_trainable);
        QVERIFY2(found.captured(1).toDouble() > 0 && found.captured(1).toDouble() <= all_gradients / 10,
                 qPrintable(found.captured(0) + QString(", all gradients: %1 MB").arg(all_gradients)));
    }

    void resume_takes_any_number_of_processes() {
        const QString out = "resumed";
        const auto interrupt = [&](int processes, int steps, bool one_of_the_others) {
            QProcess process;
            QStringList arguments{"--out", out, "--set", QString("run.processes=%1").arg(processes)};
            if (QFile::exists(place_.path(out))) arguments += "--resume";
            QVERIFY2(start(process, arguments, steps), process.readAllStandardError().constData());
            const auto children = children_of(process.processId());
            QCOMPARE(children.size(), processes - 1);
            ::kill(static_cast<pid_t>(one_of_the_others ? children.last() : process.processId()), SIGTERM);
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitCode(), 130);
            QVERIFY(place_.read(out + "/small/results.csv").contains("single,interrupted,"));
        };
        interrupt(2, 5, false);
        interrupt(4, 5, true);
        interrupt(1, 5, false);
        VERIFY_RUN(r, 0, {"--batch", "small.toml", "--out", out, "--set", "run.processes=3", "--resume"});
        QVERIFY(r.err.contains("continuing after step"));
        verify_same(out);
    }

    void killed_process_interrupts_the_run_data() {
        QTest::addColumn<int>("child");
        QTest::addColumn<int>("later");
        QTest::newRow("the second of four") << 0 << 1;
        QTest::newRow("the last of four") << 2 << 4;
    }

    void killed_process_interrupts_the_run() {
        QFETCH(int, child);
        QFETCH(int, later);
        const auto out = QString("killed %1").arg(child);
        QProcess process;
        // No checkpoint but the one that the loss causes.
        const QStringList arguments{"--out", out, "--set", "run.checkpoint_seconds=1000"};
        QVERIFY(start(process, arguments + QStringList{"--set", "run.processes=4"}, 10));
        const auto children = children_of(process.processId());
        QCOMPARE(children.size(), 3);
        ::kill(static_cast<pid_t>(children[child]), SIGKILL);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        const auto err = process.readAllStandardError();
        VERIFY_HAS(err, "another process of this run has ended",
                   QString("process %1 of 4 was ended by signal 9").arg(child + 2).toUtf8());
        for (const auto other : children) QVERIFY(::kill(static_cast<pid_t>(other), 0) != 0);
        QVERIFY(place_.read(out + "/small/results.csv").contains("single,interrupted,"));

        VERIFY_RUN(r, 0,
                   QStringList{"--batch", "small.toml", "--resume"} + arguments +
                       QStringList{"--set", QString("run.processes=%1").arg(later)});
        QVERIFY(r.err.contains("continuing after step"));
        verify_same(out);
    }

    void failure_of_one_process_is_reported_by_the_first() {
        // The second process finds another file under the same name.
        const auto port = free_port();
        QDir(place_.path("")).mkpath("elsewhere");
        place_.write("elsewhere/series.csv", test::small_csv().left(4000));
        place_.write("elsewhere.toml",
                     place_.read("small.toml").replace("series.csv", "/proc/self/cwd/series.csv"));
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int rank = 0; rank < 2; ++rank) {
            auto process = std::make_unique<QProcess>();
            place_.prepare(*process,
                           {"--batch", place_.path("elsewhere.toml"), "--out", place_.path("failed")});
            auto variables = process->processEnvironment();
            variables.insert("RANK", QString::number(rank));
            variables.insert("WORLD_SIZE", "2");
            variables.insert("MASTER_ADDR", "127.0.0.1");
            variables.insert("MASTER_PORT", port.c_str());
            process->setProcessEnvironment(variables);
            if (rank == 1) process->setWorkingDirectory(place_.path("elsewhere"));
            process->start();
            processes.push_back(std::move(process));
        }
        for (const auto& process : processes) QVERIFY(process->waitForFinished(60000));
        QVERIFY(processes[0]->exitCode() != 0);
        const auto err = processes[0]->readAllStandardError();
        QVERIFY2(err.contains("process 2 of 2 failed") || err.contains("not the same for all processes"),
                 err.constData());
        QCOMPARE(processes[1]->exitCode(), processes[0]->exitCode());
    }

    void a_failing_run_does_not_stop_the_sweep() {
        // All processes find the loss that is not finite, and take part in the next run.
        place_.write("failing.toml", place_.read("small.toml").replace("epochs = 2", "epochs = 1") +
                                         "[sweep]\nloss.lambda_sim = [1e39, 0.05]\n");
        VERIFY_RUN(r, 1, {"--batch", "failing.toml", "--out", "failing", "--set", "run.processes=2"});
        const auto table = place_.read("failing/failing/results.csv");
        VERIFY_HAS(table, ",failed,", ",finished,");
    }

    void launcher_processes_share_one_run_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("rank");
        QTest::newRow("torchrun") << QStringList{"WORLD_SIZE=3", "MASTER_ADDR=127.0.0.1"} << "RANK";
        QTest::newRow("srun") << QStringList{"SLURM_NTASKS=3", "SLURM_JOB_ID=7", "SLURM_STEP_ID=0",
                                             "SLURM_JOB_NODELIST=localhost"}
                              << "SLURM_PROCID";
        QTest::newRow("mpirun") << QStringList{"OMPI_COMM_WORLD_SIZE=3"} << "OMPI_COMM_WORLD_RANK";
    }

    void launcher_processes_share_one_run() {
        QFETCH(QStringList, variables);
        QFETCH(QString, rank);
        const auto port = free_port();
        const auto out = QString("launched by %1").arg(QTest::currentDataTag());
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 2; i >= 0; --i) {
            auto process = std::make_unique<QProcess>();
            place_.prepare(*process, {"--batch", "small.toml", "--out", out});
            auto environment = process->processEnvironment();
            for (const auto& variable : variables)
                environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
            environment.insert(rank, QString::number(i));
            environment.insert("MASTER_PORT", port.c_str());
            process->setProcessEnvironment(environment);
            process->start();
            processes.push_back(std::move(process));
        }
        for (const auto& process : processes) {
            QVERIFY(process->waitForFinished(120000));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        }
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(processes[i]->readAllStandardOutput(), QByteArray());
            QCOMPARE(processes[i]->readAllStandardError(), QByteArray());
        }
        verify_same(out);
        QVERIFY(place_.read(out + "/small/single/config.toml").contains("processes = 3"));
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("message");
        QTest::newRow("other number than the launcher's")
            << QStringList{"--set", "run.processes=2"}
            << QStringList{"RANK=0", "WORLD_SIZE=3", "MASTER_ADDR=127.0.0.1",
                           "MASTER_PORT=" + QString::fromStdString(free_port())}
            << "2 processes are wanted, but 3 were started";
        QTest::newRow("swept") << QStringList{"--set", "sweep.run.processes=[1, 2]"} << QStringList{}
                               << "different numbers of processes";
        QTest::newRow("none") << QStringList{"--set", "run.processes=0"} << QStringList{} << "run.processes";
    }

    void refusals() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, variables);
        QFETCH(QString, message);
        QProcess process;
        place_.prepare(process, QStringList{"--batch", "small.toml", "--out", "refused"} + arguments);
        auto environment = process.processEnvironment();
        for (const auto& variable : variables)
            environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
        process.setProcessEnvironment(environment);
        process.start();
        QVERIFY(process.waitForFinished(60000));
        const auto err = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 2 && err.contains(message.toUtf8()), err.constData());
        QVERIFY(!QFile::exists(place_.path("refused")));
    }

private:
    bool start(QProcess& process, const QStringList& arguments, int steps) const {
        return place_.start(process, QStringList{"--batch", "small.toml", "--log-format", "json"} + arguments,
                            "\"event\":\"step\"", steps);
    }

    [[nodiscard]] store::RunRecord record(const QString& out) const {
        return store::read_run_file(place_.path(out + "/small/single/run.h5").toStdString());
    }

    void verify_same(const QString& out, const QString& expected = "plain") const {
        const auto a = record(out), b = record(expected);
        QCOMPARE(a.steps.step, b.steps.step);
        QVERIFY(!a.steps.step.empty());
        const auto verify_close = [](const char* what, double difference) {
            QVERIFY2(difference <= tolerance, qPrintable(QString("%1: %2").arg(what).arg(difference)));
        };
        verify_close("forecast", largest_difference(a.steps.forecast, b.steps.forecast));
        verify_close("total", largest_difference(a.steps.total, b.steps.total));
        QCOMPARE(a.steps.terms.size(), b.steps.terms.size());
        for (std::size_t i = 0; i < a.steps.terms.size(); ++i)
            verify_close(a.steps.terms[i].name.c_str(),
                         largest_difference(a.steps.terms[i].values, b.steps.terms[i].values));
        verify_close("gate share", largest_difference(a.steps.gate_share, b.steps.gate_share));
        verify_close("validation", largest_difference(a.epochs.val_mse, b.epochs.val_mse));
        QCOMPARE(a.anchors.usage_train, b.anchors.usage_train);
        const auto& c = a.anchors.coverage_statistic;
        verify_close("statistic",
                     largest_difference({c.begin(), c.end()}, {b.anchors.coverage_statistic.begin(),
                                                               b.anchors.coverage_statistic.end()}));
        QVERIFY(!QFile::exists(place_.path(out + "/small/single/last")));
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestProcesses)
#include "test_processes.moc"
