// A run as one file. Read back with tar(1), as whoever gets it will.
#include <sys/resource.h>
#include <sys/stat.h>

#include <clocale>
#include <csignal>
#include <random>
#include <utility>

#include <QtTest>

#include "store/run_archive.h"
#include "store/run_folder.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

fs::path make_large_run(const fs::path& dir) {
    const auto run = dir / "etth1" / "single";
    fs::create_directories(run / "last" / "gen-10");
    put(run / "run.json", "{}");
    put(run / "run.h5", std::string("\x89HDF\0\n", 6) + std::string(3'000'000, 'h'));
    put(run / "best.safetensors", std::string(5'000'000, 'w'));
    put(run / "log.txt", "");
    fs::last_write_time(run / "run.h5", fs::file_time_type::clock::now() - std::chrono::hours(1000));
    put(run / ".lock", "{\"pid\": 1}");
    put(run / ".run.h5.1-2.tmp", "half");
    put(run / "last" / "current", "gen-10\n");
    put(run / "last" / "gen-10" / "model.safetensors", "moments");
    put(run / "last" / "model.safetensors", "last");
    return run;
}

std::string tar(const QStringList& arguments) {
    QProcess process;
    process.start("tar", arguments);
    if (!process.waitForFinished(30000) || process.exitCode() != 0)
        return "tar failed: " + process.readAllStandardError().toStdString();
    return process.readAllStandardOutput().toStdString();
}

/// When a file was written last, in seconds since 1970.
std::int64_t seconds_of(const fs::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? static_cast<std::int64_t>(info.st_mtim.tv_sec) : -1;
}

QString q(const fs::path& path) { return QString::fromStdString(path.string()); }

}  // namespace

class TestRunArchive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable("tar").isEmpty()) QSKIP("tar is not here");
    }

    void packed_and_unpacked() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        std::vector<std::int64_t> done;
        const auto result = store::write_archive(run, out / "run.tar.gz", {},
                                                 [&](const Progress& p) { done.push_back(p.done); });
        QVERIFY(std::is_sorted(done.begin(), done.end()) && done.back() == result.bytes);
        QCOMPARE(result.files, std::int64_t{7});
        QCOMPARE(result.bytes, std::int64_t{2 + 3'000'006 + 5'000'000 + 4 + 7 + 7});
        QCOMPARE(result.archive_bytes, static_cast<std::int64_t>(fs::file_size(out / "run.tar.gz")));
        QVERIFY(result.left_out.empty());
        QCOMPARE(tar({"xzf", q(out / "run.tar.gz"), "-C", q(out.path())}), std::string());
        for (const char* name : {"run.json", "run.h5", "best.safetensors", "log.txt",
                                 "last/model.safetensors", "last/current", "last/gen-10/model.safetensors"}) {
            QVERIFY2(bytes_of(out.path() / "single" / name) == bytes_of(run / name), name);
            QCOMPARE(seconds_of(out.path() / "single" / name), seconds_of(run / name));
        }
    }

    void archive_contents_follow_the_options() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        const auto names = [&](const store::ArchiveOptions& options) {
            store::write_archive(run, out / "run.tar.gz", options);
            return tar({"tzf", q(out / "run.tar.gz")});
        };
        QCOMPARE(names({}), std::string("single/best.safetensors\nsingle/last/current\nsingle/last/gen-10/"
                                        "model.safetensors\nsingle/last/model.safetensors\nsingle/log.txt\n"
                                        "single/run.h5\nsingle/run.json\n"));
        QCOMPARE(names({true, false}),
                 std::string("single/best.safetensors\nsingle/last/model.safetensors\nsingle/log.txt\n"
                             "single/run.h5\nsingle/run.json\n"));
        QCOMPARE(names({false, false}), std::string("single/log.txt\nsingle/run.h5\nsingle/run.json\n"));
        QCOMPARE(names({false, true}),
                 std::string("single/last/current\nsingle/last/gen-10/model.safetensors\nsingle/log.txt\n"
                             "single/run.h5\nsingle/run.json\n"));
    }

    void same_files_same_bytes() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        store::write_archive(run, out / "a.tar.gz");
        QTest::qSleep(1100);
        store::write_archive(run, out / "b.tar.gz");
        QVERIFY(bytes_of(out / "a.tar.gz") == bytes_of(out / "b.tar.gz"));
        const auto listing = tar({"tvzf", q(out / "a.tar.gz")});
        QVERIFY2(contains(listing, "-rw-r--r-- 0/0"), listing.c_str());  // nobody's name goes along
    }

    /// Packed in the locale of a program without setlocale(), or with LC_ALL=C, and in UTF-8.
    void names_in_any_locale() {
        const Folder dir, out;
        const std::vector<std::string> names = {
            "λ_cov = 0", "中文 实验",  "🙂 run",    "größe" + std::string(180, 'n'),
            "plain",     "cafe\u0301", "Latin-1 \xe9"};
        const auto batch = dir / "Versuch λ";
        for (const auto& name : names) {
            fs::create_directories(batch / name);
            put(batch / name / "run.json", name);
        }
        const std::string before = std::setlocale(LC_CTYPE, nullptr);
        std::vector<std::string> archives;
        for (const char* locale : {"C", "C.UTF-8"}) {
            if (std::setlocale(LC_CTYPE, locale) == nullptr) QSKIP("there is no such locale here");
            store::write_archive(batch, out / "Ω.tar.gz");
            archives.push_back(bytes_of(out / "Ω.tar.gz"));
        }
        std::setlocale(LC_CTYPE, before.c_str());
        QVERIFY(archives[0] == archives[1]);
        const auto listing = tar({"tzf", q(out / "Ω.tar.gz"), "--quoting-style=literal"});
        for (const auto& name : names)
            QVERIFY2(contains(listing, ("Versuch λ/" + name + "/run.json\n").c_str()), name.c_str());
    }

    void links_are_left_out() {
        const Folder dir, out, outside;
        put(outside / "secret", "do not send this");
        const auto run = make_large_run(dir.path());
        fs::create_symlink(outside / "secret", run / "link");
        fs::create_directory_symlink(outside.path(), run / "folder");
        QCOMPARE(::mkfifo((run / "pipe").c_str(), 0600), 0);
        const auto result = store::write_archive(run, out / "run.tar.gz");
        QVERIFY(result.left_out == (std::vector<std::string>{"single/folder", "single/link", "single/pipe"}));
        const auto names = tar({"tzf", q(out / "run.tar.gz")});
        QVERIFY(!contains(names, "link") && !contains(names, "secret") && !contains(names, "pipe"));
    }

    /// Its next checkpoint would take the place of the one that is being packed, and it may finish meanwhile.
    void run_may_finish_while_being_archived() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        bool finished = false;
        store::ArchiveResult result;
        {
            const store::RunLock lock{store::RunFolder(run)};
            result = store::write_archive(run, out / "run.tar.gz", {}, [&](const Progress&) {
                if (std::exchange(finished, true)) return;
                put(run / "arrays.h5", "forecasts");
                put(run / "new", "{\"state\": \"finished\"}");
                fs::rename(run / "new", run / "run.json");
                fs::remove_all(run / "last");
                fs::remove(run / "log.txt");
            });
        }
        QVERIFY(finished);
        QCOMPARE(tar({"xzf", q(out / "run.tar.gz"), "-C", q(out.path())}), std::string());
        const auto unpacked = out.path() / "single";
        QCOMPARE(bytes_of(unpacked / "run.json"), std::string("{}"));
        QVERIFY(!fs::exists(unpacked / "arrays.h5") && !fs::exists(unpacked / "last" / "gen-10"));
        // What went meanwhile is not passed over in silence.
        QVERIFY(
            (result.left_out == std::vector<std::string>{"single/last/model.safetensors", "single/log.txt"}));
    }

    void cancelled_leaves_nothing() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        std::stop_source stop;
        const auto error = error_of([&] {
            store::write_archive(
                run, out / "run.tar.gz", {},
                [&](const Progress& p) {
                    if (p.done > 0) stop.request_stop();
                },
                stop.get_token());
        });
        QVERIFY(contains(error, "interrupted: "));
        QVERIFY(fs::is_empty(out.path()));
        // What was there before stays as it was.
        put(out / "run.tar.gz", "former");
        QVERIFY(contains(
            error_of([&] { store::write_archive(run, out / "run.tar.gz", {}, {}, stop.get_token()); }),
            "interrupted: "));
        QCOMPARE(bytes_of(out / "run.tar.gz"), std::string("former"));
    }

    void refusals() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        const auto refuse = [&](const fs::path& from, const fs::path& to) {
            return error_of([&] { store::write_archive(from, to); });
        };
        QVERIFY(contains(refuse(out.path(), dir / "a.tar.gz"), "it is not a run"));
        QVERIFY(contains(refuse(dir / "nowhere", out / "a.tar.gz"), "it is not a run"));
        QVERIFY(contains(refuse(run, run / "a.tar.gz"), "cannot be in the folder"));
        QVERIFY(contains(refuse(run, run / "last" / ".." / "a.tar.gz"), "cannot be in the folder"));
        QVERIFY(contains(refuse(run, out / "nowhere" / "a.tar.gz"), "Its folder does not exist"));
        QVERIFY(fs::is_empty(out.path()));
    }

    void full_disk() {
        const Folder dir, out;
        const auto run = make_large_run(dir.path());
        std::string noise(3'000'000, ' ');  // does not get smaller
        std::mt19937 random(1);
        for (auto& c : noise) c = static_cast<char>(random());
        put(run / "run.h5", noise);
        // A limit on the size of files stands for a full disk: both fail in write().
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        auto limit = before;
        limit.rlim_cur = 1'000'000;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto error = error_of([&] { store::write_archive(run, out / "run.tar.gz"); });
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY2(contains(error, "run: ") && contains(error, "Make room on that disk"), error.c_str());
        QVERIFY(fs::is_empty(out.path()));
    }

    /// Tables, figures and runs; neither hidden files nor the wastebasket. Runs of another batch lie beside
    /// it.
    void a_batch_with_everything_in_it() {
        const Folder dir, out;
        const auto batch = make_large_run(dir.path()).parent_path();
        for (const char* run : {"seed-1", "seed-2"}) {
            fs::create_directories(batch / run);
            put(batch / run / "run.json", run);
            put(batch / run / "best.safetensors", "weights");
        }
        put(batch / "results.csv", "run\nseed-1\n../shared/seed-3,x\n../nowhere/seed-4\n");
        put(batch / ".results.csv.1-2.tmp", "half");
        fs::create_directories(batch / "figures");
        put(batch / "figures" / "loss.svg", "<svg/>");
        fs::create_directories(batch / ".wastebasket" / "old");
        put(batch / ".wastebasket" / "old" / "run.json", "{}");
        fs::create_directory_symlink(batch / "seed-1", batch / "again");
        fs::create_directories(dir / "shared" / "seed-3");
        put(dir / "shared" / "seed-3" / "run.json", "{}");
        put(dir / "shared" / "results.csv", "not packed");
        const auto result = store::write_archive(batch, out / "batch.tar.gz", {false, false});
        QCOMPARE(tar({"tzf", q(out / "batch.tar.gz")}),
                 std::string("etth1/seed-1/run.json\netth1/seed-2/run.json\netth1/single/log.txt\n"
                             "etth1/single/run.h5\netth1/single/run.json\netth1/figures/loss.svg\n"
                             "etth1/results.csv\nshared/seed-3/run.json\n"));
        QCOMPARE(result.runs, std::int64_t{4});
        QCOMPARE(result.files, std::int64_t{8});
        QVERIFY(
            contains(tar({"tzf", q(out / "batch.tar.gz"), "--wildcards", "*run.h5"}), "etth1/single/run.h5"));
        const auto all = store::write_archive(batch, out / "all.tar.gz");
        QCOMPARE(all.runs, std::int64_t{4});
        QCOMPARE(tar({"xzf", q(out / "all.tar.gz"), "-C", q(out.path())}), std::string());
        QCOMPARE(bytes_of(out.path() / "etth1" / "seed-2" / "best.safetensors"), std::string("weights"));
        QCOMPARE(bytes_of(out.path() / "etth1" / "single" / "last" / "current"), std::string("gen-10\n"));
    }

    void a_folder_of_batches() {
        const Folder dir, out;
        (void)make_large_run(dir.path());
        fs::create_directories(dir / "other" / "single");
        put(dir / "other" / "single" / "run.json", "{}");
        fs::create_directories(dir / "private");
        put(dir / "private" / "diary.txt", "not a run");
        put(dir / "notes.txt", "not a run");
        const auto result = store::write_archive(dir.path(), out / "runs.tar.gz", {false, false});
        const auto top = dir.path().filename().string();
        QCOMPARE(tar({"tzf", q(out / "runs.tar.gz")}),
                 top + "/etth1/single/log.txt\n" + top + "/etth1/single/run.h5\n" + top +
                     "/etth1/single/run.json\n" + top + "/other/single/run.json\n");
        QCOMPARE(result.runs, std::int64_t{2});
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunArchive)
#include "test_run_archive.moc"
