// Runs that are thrown away and had back.
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include <QtTest>

#include "store/run_folder.h"
#include "store/wastebasket.h"
#include "store_test.h"

using namespace casp;
using namespace store_test;
namespace fs = std::filesystem;

class TestWastebasket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void there_and_back();
    void several_of_one_name();
    void run_that_goes_on_is_refused();
    void other_folders_are_refused();
    void folder_that_is_a_batch_itself();
    void nothing_is_overwritten();
    void emptied();
    void links_are_not_followed();
    void half_deleted_is_not_offered();
    void origin_cannot_lead_elsewhere();
    void long_names();
    void found_by_former_name();
    void read_only_folder();
};

namespace {

fs::path make_run(const fs::path& dir, const std::string& name, const std::string& content = "x") {
    const auto run = dir / "etth1" / name;
    fs::create_directories(run / "last");
    put(run / "run.json", content);
    put(run / "last" / "current", "gen-1\n");
    return run;
}

}  // namespace

void TestWastebasket::there_and_back() {
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
    QVERIFY(contains(error_of([&] { basket.restore(gone); }), "not in the wastebasket any more"));
}

void TestWastebasket::several_of_one_name() {
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

void TestWastebasket::run_that_goes_on_is_refused() {
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

void TestWastebasket::other_folders_are_refused() {
    const Folder dir, other;
    const auto run = make_run(dir.path(), "single");
    const auto foreign = make_run(other.path(), "single");
    const store::Wastebasket basket(dir.path());
    for (const auto& path : {dir / "etth1", run / "last", foreign, dir.path(), fs::path("/")}) {
        QVERIFY2(contains(error_of([&] { basket.discard(path); }), "input: "), path.c_str());
        QVERIFY(fs::exists(path));
    }
    QVERIFY(contains(error_of([&] { basket.discard(dir / "etth1" / "nowhere"); }), "not there any more"));
    put(run / "keep", "");
    // With a slash at the end, or by a detour, it is the same folder.
    basket.discard(fs::path(run.string() + "/"));
    QVERIFY(!fs::exists(run));
    basket.restore(basket.list().at(0));
    basket.discard(dir / "etth1" / ".." / "etth1" / "single");
    QVERIFY(!fs::exists(run));
    // What is in the wastebasket cannot be thrown away again.
    QVERIFY(contains(error_of([&] { basket.discard(basket.list().at(0).entry); }), "no run of"));
}

void TestWastebasket::folder_that_is_a_batch_itself() {
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

void TestWastebasket::nothing_is_overwritten() {
    const Folder dir;
    const store::Wastebasket basket(dir.path());
    const auto run = make_run(dir.path(), "single", "old");
    const auto gone = basket.discard(run);
    make_run(dir.path(), "single", "new");
    QVERIFY(contains(error_of([&] { basket.restore(gone); }), "another run stands there"));
    QCOMPARE(bytes_of(run / "run.json"), std::string("new"));
    QCOMPARE(bytes_of(gone.entry / "run" / "run.json"), std::string("old"));
    QCOMPARE(basket.list().size(), std::size_t{1});
    // Not even an empty folder is replaced.
    fs::remove_all(run);
    fs::create_directories(run);
    QVERIFY(contains(error_of([&] { basket.restore(gone); }), "another run stands there"));
    fs::remove(run);
    basket.restore(gone);
    QCOMPARE(bytes_of(run / "run.json"), std::string("old"));
}

void TestWastebasket::emptied() {
    const Folder dir;
    const store::Wastebasket basket(dir.path());
    QCOMPARE(basket.empty(), std::size_t{0});
    for (int i = 0; i < 3; ++i) basket.discard(make_run(dir.path(), "run" + std::to_string(i)));
    const auto kept = make_run(dir.path(), "kept");
    std::vector<std::int64_t> told;
    QCOMPARE(basket.empty([&](const Progress& p) { told.push_back(p.done); }), std::size_t{3});
    QVERIFY(told == (std::vector<std::int64_t>{1, 2, 3}));
    QVERIFY(basket.list().empty() && fs::is_empty(basket.folder()));
    QVERIFY(fs::exists(kept / "run.json"));
}

void TestWastebasket::links_are_not_followed() {
    const Folder dir, outside;
    put(outside / "precious.txt", "keep me");
    const auto run = make_run(dir.path(), "single");
    fs::create_directory_symlink(outside.path(), run / "link");
    const store::Wastebasket basket(dir.path());
    basket.discard(run);
    QCOMPARE(basket.empty(), std::size_t{1});
    QCOMPARE(bytes_of(outside / "precious.txt"), std::string("keep me"));
}

void TestWastebasket::half_deleted_is_not_offered() {
    const Folder dir;
    const store::Wastebasket basket(dir.path());
    const auto gone = basket.discard(make_run(dir.path(), "single"));
    fs::remove(gone.entry / "origin.json");  // a kill while it was being emptied
    QVERIFY(basket.list().empty());
    fs::create_directories(basket.folder() / "only-begun");  // a kill while something was thrown away
    QCOMPARE(basket.empty(), std::size_t{0});
    QVERIFY(fs::is_empty(basket.folder()));
}

void TestWastebasket::origin_cannot_lead_elsewhere() {
    const Folder dir;
    const store::Wastebasket basket(dir.path());
    const auto gone = basket.discard(make_run(dir.path(), "single"));
    for (const char* folder : {"../etth1", "/tmp/x", "a/b/c", "", "a/..", "a/", ".wastebasket/x"}) {
        put(gone.entry / "origin.json",
            "{\"folder\": \"" + std::string(folder) + "\", \"discarded\": \"2026-01-01T00:00:00Z\"}");
        QVERIFY2(basket.list().empty(), folder);
        QVERIFY(contains(error_of([&] { basket.restore(gone); }), "not in the wastebasket any more"));
    }
}

void TestWastebasket::long_names() {
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

void TestWastebasket::found_by_former_name() {
    const Folder dir;
    const store::Wastebasket basket(dir.path());
    const auto run = make_run(dir.path(), "single");
    QVERIFY(!store::find_in_wastebasket(run));
    basket.discard(run);
    const auto found = store::find_in_wastebasket(run);
    QVERIFY(found && found->folder == run);
    QVERIFY(!store::find_in_wastebasket(dir / "etth1" / "other"));
}

void TestWastebasket::read_only_folder() {
    if (::geteuid() == 0) QSKIP("root may write everywhere");
    const Folder dir;
    const auto run = make_run(dir.path(), "single");
    fs::permissions(dir.path(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto error = error_of([&] { store::Wastebasket(dir.path()).discard(run); });
    fs::permissions(dir.path(), fs::perms::owner_all);
    QVERIFY(contains(error, "run: ") && contains(error, "may you not write"));
    QVERIFY(fs::exists(run / "run.json"));
}

QTEST_GUILESS_MAIN(TestWastebasket)
#include "test_wastebasket.moc"
