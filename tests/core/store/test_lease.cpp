// Folders held by a lease, and by both kinds of lock.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <QtTest>

#include "store/folder_lock.h"
#include "store/lease.h"
#include "store/run_folder.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp::store;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

constexpr LockRule leased{LockKind::lease, 6};

/// The lease of a process on a machine that cannot be asked, as it stands in its file.
void put_foreign_lease(const fs::path& folder, int number, int beat, int seconds = 1) {
    put(folder / (".lease-" + std::to_string(number)),
        R"({"beat":)" + std::to_string(beat) +
            R"(,"boot":"elsewhere","host":"far","pid":7,"processes":"p","released":)"
            R"(false,"seconds":)" +
            std::to_string(seconds) + R"(,"since":"2026-01-31T12:00:00Z","start":"1"})");
}

}  // namespace

class TestLease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void one_holder_at_a_time() {
        Folder folder;
        {
            const auto lease = Lease::take(folder.path(), 6);
            QVERIFY(lease != nullptr && lease->is_ours());
            QVERIFY(Lease::take(folder.path(), 6) == nullptr);
            CASP_SAYS(Lease::holder(folder.path()).value_or(""),
                      "process " + std::to_string(::getpid()) + " on ");
            QVERIFY(Lease::is_alive(folder.path()));
        }
        QVERIFY(!Lease::holder(folder.path()));
        QVERIFY(fs::exists(folder / ".lease-1"));
        // Numbers never return: whoever looked before finds the next one taken.
        const auto again = Lease::take(folder.path(), 6);
        QVERIFY(again != nullptr && again->is_ours());
        QVERIFY(fs::exists(folder / ".lease-2") && !fs::exists(folder / ".lease-1"));
    }

    void the_lease_of_a_killed_process_is_free_at_once() {
        Folder folder;
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lease = Lease::take(folder.path(), 3600);
            (void)!::write(ready[1], "x", 1);
            ::pause();
            ::_exit(1);
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});
        CASP_SAYS(Lease::holder(folder.path()).value_or(""), "process " + std::to_string(child));
        ::kill(child, SIGKILL);
        siginfo_t ended{};
        ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
        QVERIFY(!Lease::holder(folder.path()));  // although its parent has not looked yet
        ::waitpid(child, nullptr, 0);
        QVERIFY(Lease::take(folder.path(), 6) != nullptr);
        ::close(ready[0]);
        ::close(ready[1]);
    }

    void silent_remote_lease_expires() {
        Folder folder;
        put_foreign_lease(folder.path(), 4, 1);
        // Each look adds at most a sixth of the period, so that a clock that jumps is not believed.
        for (int look = 0; look < 6; ++look) {
            CASP_SAYS(Lease::holder(folder.path()).value_or(""), "process 7 on far since 2026-01-31");
            QVERIFY(!Lease::is_alive(folder.path()));
            QTest::qSleep(250);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!Lease::holder(folder.path()), 10000);
        const auto lease = Lease::take(folder.path(), 6);
        QVERIFY(lease != nullptr && fs::exists(folder / ".lease-5") && !fs::exists(folder / ".lease-4"));
    }

    void renewed_remote_lease_is_kept() {
        Folder folder;
        for (int beat = 1; beat <= 12; ++beat) {
            put_foreign_lease(folder.path(), 1, beat);
            QVERIFY(Lease::holder(folder.path()).has_value());
            QCOMPARE(Lease::is_alive(folder.path()), beat > 1);
            QTest::qSleep(250);
        }
        QVERIFY(Lease::take(folder.path(), 1) == nullptr);
    }

    void lost_lease_is_detected() {
        Folder folder;
        const RunFolder run(folder.path());
        const RunLock lock(run, leased);
        lock.check_ours();
        put_foreign_lease(folder.path(), 2, 1);
        const auto message = error_of([&] { lock.check_ours(); });
        CASP_SAYS(message, "run: " + folder.path().string() + ": another process has taken over this run");
        CASP_SAYS(message, "Nothing is lost");
    }

    void lease_is_renewed_and_survives_a_move() {
        Folder folder;
        fs::create_directory(folder / "run");
        {
            const auto lease = Lease::take(folder / "run", 1);
            QVERIFY(lease != nullptr);
            const auto before = bytes_of(folder / "run" / ".lease-1");
            QTRY_VERIFY_WITH_TIMEOUT(bytes_of(folder / "run" / ".lease-1") != before, 10000);
            fs::rename(folder / "run", folder / "moved");
        }
        QVERIFY(!Lease::holder(folder / "moved"));
    }

    void invalid_lease_files_are_tolerated() {
        Folder folder;
        for (const auto* name :
             {".lease-", ".lease-x", ".lease--1", ".lease-1x", ".lease-99999999999999999999"})
            put(folder / name, "{}");
        QVERIFY(!Lease::holder(folder.path()));
        // Not readable as one: held until it has been silent for a default period.
        put(folder / ".lease-3", "no JSON");
        CASP_SAYS(Lease::holder(folder.path()).value_or(""), "another process");
        put(folder / ".lease-3", R"({"released": true, "seconds": "x"})");
        CASP_SAYS(Lease::holder(folder.path()).value_or(""), "process 0 on an unknown host");
        put(folder / ".lease-3", R"({"released": true})");
        const auto lease = Lease::take(folder.path(), 6);
        QVERIFY(lease != nullptr && fs::exists(folder / ".lease-4"));
    }

    void lock_kinds_exclude_each_other() {
        for (const auto& kinds :
             {std::pair(LockKind::flock, LockKind::lease), std::pair(LockKind::lease, LockKind::flock),
              std::pair(LockKind::lease, LockKind::automatic), std::pair(LockKind::lease, LockKind::lease)}) {
            const auto first = kinds.first;
            const auto second = kinds.second;
            Folder folder;
            {
                const FolderLock lock(folder.path(), {first, 6});
                QVERIFY(FolderLock::holder(folder.path()).has_value());
                QVERIFY(FolderLock::is_alive(folder.path()));
                QCOMPARE(FolderLock::last_process(folder.path()), std::int64_t{::getpid()});
                const auto message = error_of([&] { const FolderLock other(folder.path(), {second, 6}); });
                CASP_SAYS(message, "input: " + folder.path().string() +
                                       ": this run is being written by process " +
                                       std::to_string(::getpid()));
            }
            QVERIFY(!FolderLock::holder(folder.path()));
            QCOMPARE(FolderLock::last_process(folder.path()), std::int64_t{0});
            const FolderLock lock(folder.path(), {second, 6});
        }
    }

    /// A process that is killed while it writes the status of a queued run did not make that run.
    void status_writer_is_not_the_last_process() {
        for (const auto kind : {LockKind::flock, LockKind::lease}) {
            Folder folder;
            const FolderLock lock(folder.path(), {kind, 6, /*makes_the_run=*/false});
            QVERIFY(FolderLock::holder(folder.path()).has_value() && FolderLock::is_alive(folder.path()));
            QCOMPARE(FolderLock::last_process(folder.path()), std::int64_t{0});
            CASP_SAYS(error_of([&] { const FolderLock other(folder.path()); }), "is being written by ");
        }
    }

    void remote_lease_blocks_flock() {
        Folder folder;
        put(folder / ".lock", "{}");
        put_foreign_lease(folder.path(), 1, 1, 60);
        CASP_SAYS(error_of([&] { const FolderLock lock(folder.path()); }), "process 7 on far");
        CASP_SAYS(FolderLock::holder(folder.path()).value_or(""), "process 7 on far");
        QCOMPARE(error_of([&] { const FolderLock lock(folder.path()); }).substr(0, 6), std::string("input:"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestLease)
#include "test_lease.moc"
