// Child processes: output, status, limits, programs that are missing.

#include <chrono>
#include <thread>

#include <QtTest>

#include "test_program.h"
#include "util/error.h"
#include "util/process.h"

using namespace casp;
using namespace std::chrono_literals;

class TestProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void output_and_status() {
        const auto result =
            run_process({"sh", "-c", "cat; echo \"$1\"; echo e >&2; exit 3", "sh", "a 'b\" $c"}, 10s);
        QCOMPARE(result.status, 3);
        QCOMPARE(result.output, std::string("a 'b\" $c\n"));
        QCOMPARE(result.errors, std::string("e\n"));
        QCOMPARE(run_process({"sh", "-c", "kill -TERM $$"}, 10s).status, 128 + 15);
    }

    void much_output_on_both() {
        const auto result =
            run_process({"sh", "-c", "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero"}, 30s);
        QCOMPARE(result.output.size(), std::size_t{3000000});
        QCOMPARE(result.errors.size(), std::size_t{3000000});
    }

    void ends_in_time() {
        const auto began = std::chrono::steady_clock::now();
        QVERIFY_THROWS_EXCEPTION(Error, (void)run_process({"sleep", "60"}, 1s));
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(100ms);
            stop.request_stop();
        });
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)run_process({"sleep", "60"}, 60s, stop.get_token()));
        QVERIFY(std::chrono::steady_clock::now() - began < 30s);
    }

    void missing_programs() {
        QVERIFY(!find_program("no-such-program-here"));
        QVERIFY(find_program("sh"));
        try {
            (void)run_process({"no-such-program-here"}, 1s);
            QFAIL("it was started");
        } catch (const Error& error) {
            QCOMPARE(error.what(), "no-such-program-here: cannot be started: No such file or directory.");
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestProcess)
#include "test_process.moc"
