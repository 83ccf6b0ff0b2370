// The list of runs and what the user gave them.
#include <sys/file.h>

#include <functional>
#include <thread>

#include <QtTest>

#include "config/config.h"
#include "config/experiment.h"
#include "store/run_marks.h"
#include "store/run_store.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_of(const std::vector<store::ScannedRun>& runs) {
    std::vector<std::string> names;
    for (const auto& run : runs) names.push_back(run.batch + "/" + run.name);
    return names;
}
using Names = std::vector<std::string>;

}  // namespace

class TestRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marks_round_trip() {
        const Folder run;
        QVERIFY(store::read_marks(run.path()) == store::RunMarks{});
        const store::RunMarks marks{"λ too large?\n\"see mail\"", 3, "#0072B2"};
        store::write_marks(run.path(), marks);
        QVERIFY(store::read_marks(run.path()) == marks);
        store::write_marks(run.path(), {});
        QVERIFY(store::read_marks(run.path()) == store::RunMarks{});
        store::write_marks(run.path(), marks, false);
        QVERIFY(store::read_marks(run.path()) == marks);
        QCOMPARE(std::distance(fs::directory_iterator(run.path()), {}), std::ptrdiff_t{1});  // no temporaries
        QVERIFY(
            contains(error_of([&] { store::write_marks(run / "gone", marks, false); }), "cannot be written"));
        // A note with bytes that are no UTF-8 must not be the end of the program.
        store::write_marks(run.path(), {"\xff", 1, ""});
        QCOMPARE(store::read_marks(run.path()).colour_index, 1);
    }

    void marks_that_are_damaged() {
        const Folder run;
        for (const char* text :
             {"", "{", "[]", "{\"note\": 3}", "{\"colour\": \"red\"}", "{\"colour\": \"#12345g\"}"}) {
            put(run / "marks.json", text);
            QVERIFY2(
                contains(error_of([&] { static_cast<void>(store::read_marks(run.path())); }), "marks.json"),
                text);
        }
        store::write_marks(run.path(), {"new", -1, ""});
        QCOMPARE(store::read_marks(run.path()).note, std::string("new"));
    }

    void marks_keep_what_others_wrote() {
        const Folder run;
        put(run / "marks.json", R"({"format_version": 2, "stars": 5, "note": "a"})");
        store::write_marks(run.path(), {"b", 0, ""});
        QVERIFY(contains(bytes_of(run / "marks.json"), "\"stars\": 5"));
        QVERIFY(contains(bytes_of(run / "marks.json"), "\"format_version\": 2"));
        QCOMPARE(store::read_marks(run.path()).note, std::string("b"));
    }

    void first_scan_finds_all_runs() {
        const Folder dir;
        write_status(dir / "etth1/b", 7);
        write_status(dir / "etth1/a", 5);
        write_status(dir / "weather/single", 3, store::RunState::failed);
        write_status(dir / ".wastebasket/entry/run", 1);
        write_status(dir / ".wastebasket/direct", 1);
        write_status(dir / "too/deep/down", 1);
        fs::create_directories(dir / "etth1/empty");
        put(dir / "etth1/results.csv", "x");
        put(dir / "notes.txt", "x");
        store::write_marks(dir / "etth1/a", {"good", 2, ""});
        store::RunStore scanner(dir.path(), 2);
        std::int64_t last = 0;
        const auto changes = scanner.scan([&](const Progress& p) { last = p.done; });
        QVERIFY(names_of(changes.added) == (Names{"etth1/a", "etth1/b", "weather/single"}));
        QVERIFY(changes.changed.empty() && changes.removed.empty() && changes.runs == 3);
        QCOMPARE(last, std::int64_t{5});  // folders looked at
        const auto& a = changes.added[0];
        QCOMPARE(a.folder, dir / "etth1/a");
        QVERIFY(a.status.row.steps == 5 && a.marks.note == "good" && !a.live && a.parent.empty() &&
                a.problem.empty());
        QVERIFY(changes.added[2].status.row.state == store::RunState::failed);
    }

    void folder_that_is_a_batch_itself() {
        const Folder dir;
        write_status(dir / "etth1/a", 1);
        write_status(dir / "etth1/b/last", 1);  // not a run below a run
        write_status(dir / "etth1/b", 1);
        const auto runs = store::RunStore(dir / "etth1").scan().added;
        QVERIFY(names_of(runs) == (Names{"etth1/a", "etth1/b"}));
    }

    void only_changes_are_reported() {
        const Folder dir;
        write_status(dir / "e/a", 1);
        write_status(dir / "e/b", 1);
        store::RunStore scanner(dir.path());
        static_cast<void>(scanner.scan());
        const auto none = scanner.scan();
        QVERIFY(none.added.empty() && none.changed.empty() && none.removed.empty() && none.runs == 2);
        write_status(dir / "e/a", 2);
        write_status(dir / "e/c", 1);
        const auto first = scanner.scan();
        QVERIFY(names_of(first.changed) == Names{"e/a"} && first.changed[0].status.row.steps == 2);
        QVERIFY(names_of(first.added) == Names{"e/c"});
        store::write_marks(dir / "e/b", {"note", -1, ""});
        fs::remove_all(dir / "e/a");
        const auto second = scanner.scan();
        QVERIFY(names_of(second.changed) == Names{"e/b"} && second.changed[0].marks.note == "note");
        QVERIFY(second.removed == std::vector<fs::path>{dir / "e/a"});
        fs::remove_all(dir / "e");
        QCOMPARE(scanner.scan().removed.size(), std::size_t{2});
    }

    /// Whichever ends first.
    void newest_scan_wins() {
        const Folder dir;
        const std::vector<fs::path> a{dir / "e/a"}, b{dir / "e/b"};
        write_status(a[0], 1);
        write_status(b[0], 1);
        store::RunStore runs(dir.path());
        std::vector<store::ScannedRun> read;
        const auto meanwhile = [&](const Progress&) {
            read = runs.scan(a);
            runs.outdate(b[0]);
        };
        const auto first = runs.scan(meanwhile);
        QVERIFY(first.added.empty() && names_of(read) == Names{"e/a"} && runs.is_newest(read[0]));
        QVERIFY(first.omitted == (std::vector<fs::path>{a[0], b[0]}) && runs.has(b[0]));
        const auto second = runs.scan();
        QVERIFY(names_of(second.changed) == Names{"e/b"} && second.omitted.empty());
        // One that was reported before is not missed.
        runs.outdate(b[0]);
        QVERIFY(runs.scan([&](const Progress&) { runs.outdate(b[0]); }).omitted.empty());
        QVERIFY(names_of(runs.scan().changed) == Names{"e/b"});
        runs.outdate(a[0]);
        QVERIFY(!runs.is_newest(read[0]));
        fs::remove_all(a[0]);
        QVERIFY(runs.scan(a).empty() && runs.scan().removed == a && !runs.has(a[0]));
        // One that only a reading of its own has found is missed as well.
        write_status(a[0], 1);
        QVERIFY(names_of(runs.scan(a)) == Names{"e/a"} && runs.scan().added.empty());
        fs::remove_all(a[0]);
        QVERIFY(runs.scan().removed == a);
    }

    void a_run_that_is_outdated_while_it_is_read_is_read_again() {
        const Folder dir;
        const std::vector<fs::path> run{dir / "e/a"};
        write_status(run[0], 1);
        store::RunStore runs(dir.path());
        for (int i = 0; i < 20; ++i) {
            const std::jthread other([&] {
                for (int n = 0; n < 10'000; ++n) runs.outdate(run[0]);
            });
            QCOMPARE(runs.scan(run).size(), std::size_t{1});
        }
    }

    void lock_changes_are_noticed() {
        const Folder dir;
        write_status(dir / "e/a", 1, store::RunState::running);
        store::RunStore scanner(dir.path());
        QVERIFY(!scanner.scan().added.at(0).live);
        {
            const store::RunLock lock{store::RunFolder(dir / "e/a")};
            QVERIFY(scanner.scan().changed.at(0).live);
            QVERIFY(scanner.scan().changed.empty());
        }
        QVERIFY(!scanner.scan().changed.at(0).live);
    }

    void lock_of_a_killed_process() {
        const Folder dir;
        write_status(dir / "e/a", 1, store::RunState::running);
        put(dir / "e/a/.lock", "{\"pid\": 1}\n");
        QVERIFY(!store::RunStore(dir.path()).scan().added.at(0).live);
    }

    void damaged_run() {
        const Folder dir;
        write_status(dir / "e/a", 1);
        put(dir / "e/a/run.json", "{\"format_version\": 1, ");
        write_status(dir / "e/b", 1);
        put(dir / "e/b/marks.json", "?");
        const auto runs = store::RunStore(dir.path()).scan().added;
        QCOMPARE(runs.size(), std::size_t{2});
        QVERIFY(contains(runs[0].problem, "run.json") && runs[0].status.row.run == "a");
        QVERIFY(contains(runs[1].problem, "marks.json") && runs[1].status.row.steps == 1);
    }

    void parents() {
        const Folder dir;
        const auto config = [&](const fs::path& run, const std::string& parent) {
            write_status(run, 1);
            put(run / "config.toml", "[train]\nepochs = 3\ncontinue_from = " + parent + "\nseed = 1\n");
        };
        config(dir / "e/fresh", "\"\"");
        config(dir / "e/fork", "\"" + (dir / "e/fresh").string() + "/\"");
        config(dir / "e/moved", "\"/elsewhere/e/fresh\"");
        config(dir / "e/orphan", "\"/elsewhere/e/gone\"");
        config(dir / "e/broken", "\"never closed");
        QCOMPARE(store::parent_of(dir / "e/fresh"), std::string());
        QCOMPARE(store::parent_of(dir / "e/fork"), (dir / "e/fresh").string());
        QCOMPARE(store::parent_of(dir / "e/moved"), (dir / "e/fresh").string());
        QCOMPARE(store::parent_of(dir / "e/orphan"), std::string("/elsewhere/e/gone"));
        QCOMPARE(store::parent_of(dir / "e/broken"), std::string());
        QCOMPARE(store::parent_of(dir / "e/none"), std::string());
        const auto runs = store::RunStore(dir.path()).scan().added;
        QCOMPARE(runs.at(1).name, std::string("fork"));
        QCOMPARE(runs.at(1).parent, (dir / "e/fresh").string());
    }

    /// Task and budget of training, whatever else the runs differ in.
    void terms() {
        const Folder dir;
        const auto terms = [&](const char* name, const std::function<void(config::Config&)>& change) {
            config::Config config;
            config.data.path = "/data/" + std::string(name) + ".csv";
            change(config);
            write_status(dir / name, 1);
            put(dir / name / "config.toml", config::to_toml(config));
            return store::scan_run(dir / name).terms;
        };
        QCOMPARE(terms("a", [](auto&) {}), std::string());
        QCOMPARE(terms("b",
                       [](auto& config) {
                           config.data.horizon = 192;  // in the row
                           config.data.lookback = 96;
                           config.train.learning_rate = 0.5;
                           config.train.seed = 7;
                           config.patchtst.dropout = 0.5;
                       }),
                 std::string());
        QCOMPARE(
            terms("c",
                  [](auto& config) {
                      config.data.split.rule = "ratio";
                      config.data.percent = 10;
                      config.data.targets = {"OT"};
                      config.train.epochs = 3;
                      config.train.max_steps = 50;
                  }),
            std::string("split = \"ratio\"\npercent = 10\ntargets = [\"OT\"]\nepochs = 3\nmax_steps = 50\n"));
    }

    void cancelled() {
        const Folder dir;
        write_status(dir / "e/a", 1);
        store::RunStore scanner(dir.path());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(contains(error_of([&] { static_cast<void>(scanner.scan({}, stop.get_token())); }),
                         "interrupted: "));
        QCOMPARE(scanner.scan().added.size(), std::size_t{1});
    }

    void missing_folder_is_an_input_error() {
        const Folder dir;
        store::RunStore scanner(dir / "nowhere");
        QVERIFY(contains(error_of([&] { static_cast<void>(scanner.scan()); }), "input: "));
    }

    void ten_thousand_runs() {
        // As real ones: a run.json of 1.3 kB and a config.toml of 4 kB each.
        const Folder dir;
        write_status(dir / "batch0/run0", 0);
        const auto status = bytes_of(dir / "batch0/run0/run.json");
        std::string config = "[train]\ncontinue_from = \"\"\n";
        while (config.size() < 4000) config += "# more settings\n";
        constexpr int batches = 20, runs = 500;
        for (int b = 0; b < batches; ++b)
            for (int r = 0; r < runs; ++r) {
                const auto run = dir / ("batch" + std::to_string(b)) / ("run" + std::to_string(r));
                fs::create_directories(run);
                put(run / "run.json", status);
                put(run / "config.toml", config);
                put(run / ".lock", "");
            }
        store::RunStore scanner(dir.path());
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(scanner.scan().added.size(), std::size_t{batches * runs});
        const auto first = timer.restart();
        const auto again = scanner.scan();
        const auto second = timer.elapsed();
        qInfo("%d runs: first look %lld ms, later ones %lld ms", batches * runs,
              static_cast<long long>(first), static_cast<long long>(second));
        QVERIFY(again.added.empty() && again.changed.empty());
        QVERIFY2(first < 10000 && second < 2000, "far from what this should take, even on a busy machine");
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunStore)
#include "test_run_store.moc"
