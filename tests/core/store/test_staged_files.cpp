// A set of files that replaces another one, stopped at every step.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <QtTest>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "store/staged_files.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp::store;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

/// Ends the process, as a kill would, before this many more changes of the folder; below 0: never.
int steps_left = -1;
constexpr int killed = 77;
/// So many calls of fsync() are interrupted by a signal.
int interruptions = 0;

void step() {
    if (steps_left == 0) ::_exit(killed);
    if (steps_left > 0) --steps_left;
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// In front of the C library's: all that renames or removes. Where it is hidden, the C++ library does not find
// it.
#define IN_FRONT extern "C" __attribute__((visibility("default")))
IN_FRONT int rename(const char* from, const char* to) noexcept {
    static const auto next = real<int (*)(const char*, const char*)>("rename");
    step();
    return next(from, to);
}
IN_FRONT int remove(const char* path) noexcept {
    static const auto next = real<int (*)(const char*)>("remove");
    step();
    return next(path);
}
IN_FRONT int unlinkat(int folder, const char* path, int flags) noexcept {
    static const auto next = real<int (*)(int, const char*, int)>("unlinkat");
    step();
    return next(folder, path, flags);
}

IN_FRONT int fsync(int descriptor) {
    static const auto next = real<int (*)(int)>("fsync");
    if (interruptions == 0) return next(descriptor);
    --interruptions;
    errno = EINTR;
    return -1;
}

namespace {

constexpr const char* all_names[] = {"config.toml", "arrays.h5", "run.h5", "run.json"};

void fill(const fs::path& place, const std::string& content, const std::string& but = {}) {
    for (const char* name : all_names)
        if (name != but) put(place / name, content);
}

/// "one", "two": the whole set is that one (without the file `but`); "" where it is neither.
std::string set_in(const fs::path& place, const std::string& but_of_two) {
    for (const std::string content : {"one", "two"}) {
        bool all = true;
        for (const char* name : all_names) {
            const bool wanted = content == "one" || name != but_of_two;
            all = all && fs::exists(place / name) == wanted && (!wanted || bytes_of(place / name) == content);
        }
        if (all) return content;
    }
    return {};
}

/// Runs `work` in a child that ends before its step `steps` (counted from 0); whether it was killed.
template <class Work>
bool killed_at(int steps, const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        steps_left = steps;
        try {
            work();
        } catch (...) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == killed;
}

/// No file that is read without the lock is new beside a former one.
bool never_mixed(const RunFolder& run) {
    if (!fs::exists(run.run_json())) return true;
    for (const char* name : all_names)
        if (fs::exists(run.path() / name) && bytes_of(run.path() / name) != bytes_of(run.run_json()))
            return false;
    return true;
}

}  // namespace

class TestStagedFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_kill_at_any_step_data() {
        QTest::addColumn<QString>("but");
        QTest::newRow("all four") << QString();
        QTest::newRow("without arrays") << QStringLiteral("arrays.h5");
    }

    void a_kill_at_any_step() {
        QFETCH(QString, but);
        const auto left_out = but.toStdString();
        const auto replace = [&](const RunFolder& run) {
            const RunLock lock(run);
            StagedFiles staged(run);
            fill(staged.folder(), "two", left_out);
            staged.commit();
        };
        bool former_seen = false, new_seen = false;
        int step = 0;
        for (bool was_killed = true; was_killed; ++step) {
            // A second kill while the next one clears up, at each of its steps as well.
            bool again = true;
            for (int second = 0; again; ++second) {
                const Folder folder;
                const RunFolder run(folder / "evaluation");
                run.create();
                fill(run.path(), "one");
                was_killed = killed_at(step, [&] { replace(run); });
                QVERIFY2(never_mixed(run), std::to_string(step).c_str());
                again = was_killed && killed_at(second, [&] { const RunLock lock(run); });
                QVERIFY2(never_mixed(run), std::to_string(step).c_str());
                { const RunLock lock(run); }
                const auto found = set_in(run.path(), left_out);
                const auto at =
                    "killed before step " + std::to_string(step) + ", then " + std::to_string(second);
                QVERIFY2(!found.empty(), at.c_str());
                QVERIFY2(was_killed || found == "two", at.c_str());
                (found == "one" ? former_seen : new_seen) = true;
                // And nothing else is left: the set and the lock.
                const auto entries =
                    std::distance(fs::directory_iterator(run.path()), fs::directory_iterator());
                QCOMPARE(entries, found == "one" || left_out.empty() ? 5 : 4);
            }
        }
        QVERIFY(step > 10);  // eight renames and more: the steps were counted
        QVERIFY(former_seen && new_seen);
    }

    void an_interrupted_flush_is_repeated() {
        const Folder folder;
        interruptions = 3;
        write_file_atomically(folder / "file", "content");
        QCOMPARE(interruptions, 0);
        QCOMPARE(bytes_of(folder / "file"), std::string("content"));
        interruptions = 3;
        sync_path(folder.path());
        QCOMPARE(interruptions, 0);
    }

    /// Of a process that had the same number, or put there by somebody who knows how they are called.
    void a_temporary_that_is_there_is_not_written_through() {
        const Folder folder;
        put(folder / "precious", "keep me");
        const auto before = temporary_name_for(folder / "file").string();
        const auto dash = before.rfind('-');
        const auto next = before.substr(0, dash + 1) + std::to_string(std::stoi(before.substr(dash + 1)) + 1);
        fs::create_symlink(folder / "precious", next + ".tmp");
        write_file_atomically(folder / "file", "content");
        QCOMPARE(bytes_of(folder / "precious"), std::string("keep me"));
        QCOMPARE(bytes_of(folder / "file"), std::string("content"));
        QVERIFY(!fs::is_symlink(folder / "file"));
    }

    void a_new_folder_without_files_is_removed() {
        const Folder folder;
        const RunFolder run(folder / "batch/evaluation");
        {
            const LockedFolder locked(run);
            const StagedFiles staged(run);
            QVERIFY(fs::exists(run.lock()));
        }
        QVERIFY(!fs::exists(folder / "batch"));
        {
            const LockedFolder locked(run);
            put(run.run_json(), "one");
        }
        QVERIFY(fs::exists(run.run_json()));
        fs::remove(run.run_json());
        { const LockedFolder locked(run); }
        QVERIFY(fs::exists(run.path()));  // it was there before
    }

    void a_link_is_not_followed() {
        const Folder folder, outside;
        put(outside / "run.json", "theirs");
        const RunFolder run(folder / "evaluation");
        run.create();
        fill(run.path(), "one");
        fs::create_directory_symlink(outside.path(), run.path() / ".replacing");
        CASP_SAYS(error_of([&] { const RunLock lock(run); }), ".replacing: this is a link or a file");
        QVERIFY(!RunLock::holder(run));
        QCOMPARE(bytes_of(outside / "run.json"), std::string("theirs"));
        QCOMPARE(bytes_of(run.run_json()), std::string("one"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestStagedFiles)
#include "test_staged_files.moc"
