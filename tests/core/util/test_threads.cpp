// Threads that give way, and a process whose waiting threads sleep.
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include <QtTest>

#include <ATen/Parallel.h>

#include "test_program.h"
#include "util/threads.h"

using namespace casp;

namespace {

struct Standing {
    int nice = 99, policy = -1;
    bool operator==(const Standing&) const = default;
};

Standing standing() {
    return {::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))), ::sched_getscheduler(0)};
}

/// What this program does as a child: says how libgomp waits.
int say_how_it_waits(char** argv) {
    let_waiting_threads_sleep(ThreadSleep::at_once, argv);
    std::printf("%s %s %d\n", waiting_threads_sleep() ? "sleep" : "spin", argv[3], at::get_num_threads() > 0);
    return 0;
}

}  // namespace

class TestThreads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void background_thread_and_its_children() {
        const auto before = standing();
        bool done = false;
        Standing self, child;
        std::thread([&] {
            done = work_in_background();
            self = standing();
            std::thread([&] { child = standing(); }).join();
        }).join();
        QVERIFY(done);
        QVERIFY(self.nice == 10 && self.policy == SCHED_BATCH);
        QVERIFY(child == self);
        QVERIFY(standing() == before && before.policy == SCHED_OTHER);  // nobody else is touched
    }

    void waiting_threads_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("libgomp");
        QTest::newRow("nothing set") << ""
                                     << ""
                                     << "sleep"
                                     << "OMP_WAIT_POLICY = 'PASSIVE'";
        QTest::newRow("the user wants spinning") << "OMP_WAIT_POLICY"
                                                 << "active"
                                                 << "spin"
                                                 << "OMP_WAIT_POLICY = 'ACTIVE'";
        QTest::newRow("the user's own count") << "GOMP_SPINCOUNT"
                                              << "77"
                                              << "spin"
                                              << "GOMP_SPINCOUNT = '77'";
    }

    void waiting_threads() {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(QString, says);
        QFETCH(QString, libgomp);
        QProcess child;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("OMP_WAIT_POLICY");
        environment.remove("GOMP_SPINCOUNT");
        environment.insert("OMP_DISPLAY_ENV", "verbose");
        if (!variable.isEmpty()) environment.insert(variable, value);
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), {"test_threads", "--how-it-waits", "two words"});
        QVERIFY(child.waitForFinished(30000));
        QCOMPARE(child.exitCode(), 0);
        QCOMPARE(QString(child.readAllStandardOutput()), says + " two words 1\n");  // arguments survive
        // The last start's libgomp is the one that counts.
        const QString said = child.readAllStandardError();
        QVERIFY2(said.mid(said.lastIndexOf("BEGIN")).contains(libgomp), qPrintable(said));
    }
};

TEST_PROGRAM(TestThreads)(int argc, char** argv) {
    if (argc > 2 && std::strcmp(argv[1], "--how-it-waits") == 0)
        return say_how_it_waits(argv - 1);  // as the program was started
    QCoreApplication application(argc, argv);
    TestThreads test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_threads.moc"
