// Threads that give way.
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include <QtTest>

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
};

TEST_MAIN_WITHOUT_GUI(TestThreads)
#include "test_threads.moc"
