// Runs that are thrown away and had back.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <set>
#include <utility>

#include <QtTest>

#include "store/run_folder.h"
#include "store/wastebasket.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

/// What the next move of a run meets.
enum class Fault {
    none,
    instead,  ///< it fails
    after,    ///< it works, and an error is reported: a network file system whose answer was lost
    copied    ///< an error, and the run is in both places
};
Fault fault = Fault::none;

template <class Function>
Function libc(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// In front of the C library's.
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) noexcept {
    static const auto next = libc<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
    if (fault == Fault::none) return next(from_folder, from, to_folder, to, flags);
    const auto met = std::exchange(fault, Fault::none);
    if (met == Fault::after) (void)next(from_folder, from, to_folder, to, flags);
    if (met == Fault::copied) fs::copy(from, to, fs::copy_options::recursive);
    errno = met == Fault::after ? ENOENT : EIO;
    return -1;
}

namespace {

fs::path make_run(const fs::path& dir, const std::string& name, const std::string& content = "x") {
    const auto run = dir / "etth1" / name;
    fs::create_directories(run / "last");
    put(run / "run.json", content);
    put(run / "last" / "current", "gen-1\n");
    return run;
}

}  // namespace

class TestWastebasket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void discarded_run_can_be_restored() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single", "precious");
        struct stat before {
        }, after{};
        ::stat((run / "run.json").c_str(), &before);
        const store::Wastebasket basket(dir.path());
        const auto gone = basket.discard(run);
        QVERIFY(!fs::exists(run));
        QCOMPARE(gone.folder, run);
        QVERIFY(gone.entry.string().find(".wastebasket/") != std::string::npos);
        QVERIFY(contains(gone.entry.string(), "-etth1-single"));
        const auto listed = basket.list();
        QCOMPARE(listed.size(), std::size_t{1});
        QVERIFY(listed[0].folder == run && listed[0].entry == gone.entry &&
                listed[0].discarded == gone.discarded);
        basket.restore(listed[0]);
        QCOMPARE(bytes_of(run / "run.json"), std::string("precious"));
        QVERIFY(fs::exists(run / "last" / "current"));
        ::stat((run / "run.json").c_str(), &after);
        QCOMPARE(after.st_ino, before.st_ino);  // renamed, not copied
        QVERIFY(basket.list().empty());
        QVERIFY(!fs::exists(gone.entry));
        QVERIFY(contains(error_of([&] { basket.restore(gone); }), "no longer in the wastebasket"));
    }

    void runs_of_equal_name_are_kept_apart() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        for (const char* content : {"first", "second", "third"})
            basket.discard(make_run(dir.path(), "single", content));
        const auto listed = basket.list();
        QCOMPARE(listed.size(), std::size_t{3});
        std::set<std::string> contents;
        for (const auto& run : listed) contents.insert(bytes_of(run.entry / "run" / "run.json"));
        QCOMPARE(contents.size(), std::size_t{3});
        QVERIFY(!fs::exists(dir / "etth1"));  // an empty folder goes with its last run
        basket.restore(listed[0]);
        QVERIFY(fs::exists(dir / "etth1" / "single" / "run.json"));
    }

    void running_run_is_refused() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single");
        {
            const store::RunLock lock{store::RunFolder(run)};
            const auto error = error_of([&] { store::Wastebasket(dir.path()).discard(run); });
            QVERIFY(contains(error, "input: ") && contains(error, "being written by process"));
            QVERIFY(fs::exists(run / "run.json"));
            QVERIFY(store::Wastebasket(dir.path()).list().empty());
        }
        store::Wastebasket(dir.path()).discard(run);
        QVERIFY(!fs::exists(run));
    }

    void other_folders_are_refused() {
        const Folder dir, other;
        const auto run = make_run(dir.path(), "single");
        const auto foreign = make_run(other.path(), "single");
        const store::Wastebasket basket(dir.path());
        for (const auto& path : {dir / "etth1", run / "last", foreign, dir.path(), fs::path("/")}) {
            QVERIFY2(contains(error_of([&] { basket.discard(path); }), "input: "), path.c_str());
            QVERIFY(fs::exists(path));
        }
        QVERIFY(contains(error_of([&] { basket.discard(dir / "etth1" / "nowhere"); }),
                         "this run no longer exists"));
        put(run / "keep", "");
        // With a slash at the end, or by a detour, it is the same folder.
        basket.discard(fs::path(run.string() + "/"));
        QVERIFY(!fs::exists(run));
        basket.restore(basket.list().at(0));
        basket.discard(dir / "etth1" / ".." / "etth1" / "single");
        QVERIFY(!fs::exists(run));
        // What is in the wastebasket cannot be thrown away again.
        QVERIFY(contains(error_of([&] { basket.discard(basket.list().at(0).entry); }), "not a run of"));
    }

    void folder_that_is_a_batch_itself() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single");
        put(dir / "etth1" / "results.csv", "x");
        const store::Wastebasket basket(dir / "etth1");
        const auto gone = basket.discard(run);
        QVERIFY(!fs::exists(run) && fs::exists(dir / "etth1" / "results.csv"));
        QCOMPARE(basket.list().at(0).folder, run);
        QCOMPARE(store::find_in_wastebasket(run)->entry, gone.entry);
        basket.restore(gone);
        QVERIFY(fs::exists(run / "run.json"));
    }

    void restore_does_not_overwrite() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        const auto run = make_run(dir.path(), "single", "old");
        const auto gone = basket.discard(run);
        make_run(dir.path(), "single", "new");
        QVERIFY(contains(error_of([&] { basket.restore(gone); }), "another run exists there"));
        QCOMPARE(bytes_of(run / "run.json"), std::string("new"));
        QCOMPARE(bytes_of(gone.entry / "run" / "run.json"), std::string("old"));
        QCOMPARE(basket.list().size(), std::size_t{1});
        // Not even an empty folder is replaced.
        fs::remove_all(run);
        fs::create_directories(run);
        QVERIFY(contains(error_of([&] { basket.restore(gone); }), "another run exists there"));
        fs::remove(run);
        basket.restore(gone);
        QCOMPARE(bytes_of(run / "run.json"), std::string("old"));
    }

    void emptied() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        QCOMPARE(basket.empty(), std::size_t{0});
        for (int i = 0; i < 3; ++i) basket.discard(make_run(dir.path(), "run" + std::to_string(i)));
        const auto kept = make_run(dir.path(), "kept");
        QCOMPARE(basket.empty(), std::size_t{3});
        QVERIFY(basket.list().empty() && fs::is_empty(basket.folder()));
        QVERIFY(fs::exists(kept / "run.json"));
    }

    void links_are_not_followed() {
        const Folder dir, outside;
        put(outside / "precious.txt", "keep me");
        const auto run = make_run(dir.path(), "single");
        fs::create_directory_symlink(outside.path(), run / "link");
        const store::Wastebasket basket(dir.path());
        basket.discard(run);
        QCOMPARE(basket.empty(), std::size_t{1});
        QCOMPARE(bytes_of(outside / "precious.txt"), std::string("keep me"));
    }

    void basket_that_is_a_link() {
        const Folder dir, outside;
        // What it leads to looks like a wastebasket with a run, and holds more.
        const auto lost = make_run(outside.path(), "single", "theirs");
        const auto theirs = store::Wastebasket(outside.path()).discard(lost);
        const auto elsewhere = theirs.entry.parent_path();
        put(elsewhere / "precious.txt", "keep me");
        const auto run = make_run(dir.path(), "single", "mine");
        fs::create_directory_symlink(elsewhere, dir / ".wastebasket");
        const store::Wastebasket basket(dir.path());
        QVERIFY(basket.list().empty());
        CASP_SAYS(error_of([&] { (void)basket.empty(); }), ".wastebasket: this is a link");
        CASP_SAYS(error_of([&] { basket.discard(run); }), ".wastebasket: this is a link");
        CASP_SAYS(error_of([&] {
                      basket.restore({basket.folder() / theirs.entry.filename(), run, theirs.discarded});
                  }),
                  ".wastebasket: this is a link");
        QCOMPARE(bytes_of(run / "run.json"), std::string("mine"));
        QCOMPARE(bytes_of(elsewhere / "precious.txt"), std::string("keep me"));
        QCOMPARE(store::Wastebasket(outside.path()).list().size(), std::size_t{1});
    }

    void entry_that_is_a_link() {
        const Folder dir, outside;
        const store::Wastebasket basket(dir.path());
        const auto gone = basket.discard(make_run(dir.path(), "single"));
        fs::rename(gone.entry, outside / "entry");
        fs::create_directory_symlink(outside / "entry", gone.entry);
        QVERIFY(basket.list().empty());
        QCOMPARE(basket.empty(), std::size_t{0});
        QVERIFY(fs::exists(outside / "entry" / "origin.json"));
        QVERIFY(fs::exists(outside / "entry" / "run" / "run.json"));
        QVERIFY(contains(error_of([&] { basket.restore(gone); }), "no longer in the wastebasket"));
    }

    void batch_that_is_a_link() {
        const Folder dir, outside;
        const auto run = make_run(outside.path(), "single");
        fs::create_directory_symlink(outside / "etth1", dir / "etth1");
        const store::Wastebasket basket(dir.path());
        CASP_SAYS(error_of([&] { basket.discard(dir / "etth1" / "single"); }), "this is a link");
        QVERIFY(fs::exists(run / "run.json"));
        // Nor does a run come back through one.
        fs::remove(dir / "etth1");
        const auto gone = basket.discard(make_run(dir.path(), "other"));
        fs::create_directory_symlink(outside / "etth1", dir / "etth1");
        CASP_SAYS(error_of([&] { basket.restore(gone); }), "this is a link");
        QVERIFY(!fs::exists(outside / "etth1" / "other"));
        QCOMPARE(basket.list().size(), std::size_t{1});
    }

    void foreign_files_are_not_deleted() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        basket.discard(make_run(dir.path(), "single"));
        fs::create_directories(basket.folder() / "of another program");
        put(basket.folder() / "of another program" / "precious.txt", "keep me");
        put(basket.folder() / "note.txt", "keep me, too");
        QCOMPARE(basket.empty(), std::size_t{1});
        QCOMPARE(bytes_of(basket.folder() / "of another program" / "precious.txt"), std::string("keep me"));
        QCOMPARE(bytes_of(basket.folder() / "note.txt"), std::string("keep me, too"));
    }

    void rename_that_reports_a_failure_though_it_worked() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single", "precious");
        const store::Wastebasket basket(dir.path());
        fault = Fault::after;
        const auto gone = basket.discard(run);
        QVERIFY(fault == Fault::none);  // it was met
        QVERIFY(!fs::exists(run));
        QCOMPARE(bytes_of(basket.list().at(0).entry / "run" / "run.json"), std::string("precious"));
        fault = Fault::after;
        basket.restore(gone);
        QVERIFY(fault == Fault::none);
        QCOMPARE(bytes_of(run / "run.json"), std::string("precious"));
        QVERIFY(basket.list().empty());
    }

    void rename_that_fails() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single", "precious");
        const store::Wastebasket basket(dir.path());
        fault = Fault::instead;
        CASP_SAYS(error_of([&] { basket.discard(run); }), "cannot be moved to the wastebasket");
        QCOMPARE(bytes_of(run / "run.json"), std::string("precious"));
        QVERIFY(fs::is_empty(basket.folder()));
        // The run is whole in the entry by now, and yet something stands where it was: neither is touched.
        fault = Fault::copied;
        CASP_SAYS(error_of([&] { basket.discard(run); }), "cannot be moved to the wastebasket");
        QCOMPARE(bytes_of(run / "run.json"), std::string("precious"));
        const auto listed = basket.list();
        QCOMPARE(listed.size(), std::size_t{1});
        QCOMPARE(bytes_of(listed.at(0).entry / "run" / "run.json"), std::string("precious"));
    }

    void incomplete_entries_are_not_listed() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        const auto gone = basket.discard(make_run(dir.path(), "single"));
        fs::remove(gone.entry / "origin.json");  // a kill while it was being emptied
        QVERIFY(basket.list().empty());
        fs::create_directories(basket.folder() / "only-begun");  // a kill while something was thrown away
        QCOMPARE(basket.empty(), std::size_t{0});
        QVERIFY(fs::is_empty(basket.folder()));
    }

    void invalid_origin_is_ignored() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        const auto gone = basket.discard(make_run(dir.path(), "single"));
        for (const char* folder : {"../etth1", "/tmp/x", "a/b/c", "", "a/..", "a/", ".wastebasket/x"}) {
            put(gone.entry / "origin.json",
                "{\"folder\": \"" + std::string(folder) + "\", \"discarded\": \"2026-01-01T00:00:00Z\"}");
            QVERIFY2(basket.list().empty(), folder);
            QVERIFY(contains(error_of([&] { basket.restore(gone); }), "no longer in the wastebasket"));
        }
    }

    void long_names() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        std::string name;
        while (name.size() < 240) name += "λ";
        const auto run = make_run(dir.path(), name);
        basket.discard(run);
        QCOMPARE(basket.list().at(0).folder, run);
        basket.restore(basket.list().at(0));
        QVERIFY(fs::exists(run));
    }

    void found_by_former_name() {
        const Folder dir;
        const store::Wastebasket basket(dir.path());
        const auto run = make_run(dir.path(), "single");
        QVERIFY(!store::find_in_wastebasket(run));
        basket.discard(run);
        const auto found = store::find_in_wastebasket(run);
        QVERIFY(found && found->folder == run);
        QVERIFY(!store::find_in_wastebasket(dir / "etth1" / "other"));
    }

    void read_only_folder() {
        if (::geteuid() == 0) QSKIP("root may write everywhere");
        const Folder dir;
        const auto run = make_run(dir.path(), "single");
        fs::permissions(dir.path(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto error = error_of([&] { store::Wastebasket(dir.path()).discard(run); });
        fs::permissions(dir.path(), fs::perms::owner_all);
        QVERIFY(contains(error, "run: ") && contains(error, "your permissions"));
        QVERIFY(fs::exists(run / "run.json"));
    }

    /// A limit on the size of files stands for a full disk.
    void origin_that_cannot_be_written() {
        const Folder dir;
        const auto run = make_run(dir.path(), "single");
        const store::Wastebasket basket(dir.path());
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        auto limit = before;
        limit.rlim_cur = 0;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        const auto error = error_of([&] { basket.discard(run); });
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        CASP_SAYS(error, "File too large");
        QVERIFY(fs::exists(run / "run.json"));
        QVERIFY(fs::is_empty(basket.folder()));
    }
};

TEST_MAIN_WITHOUT_GUI(TestWastebasket)
#include "test_wastebasket.moc"
