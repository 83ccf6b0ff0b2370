// The list of a folder's runs: what is there, what others write, marks and the wastebasket.
#include <fcntl.h>

#include <cstdio>  // renameat2

#include <QtTest>

#include <set>

#include "batch/batch_fixture.h"
#include "config/experiment.h"
#include "figures/style.h"
#include "library_fixture.h"
#include "run_fixture.h"
#include "state/file_run_library.h"
#include "store/run_folder.h"
#include "store/run_marks.h"
#include "test_program.h"

using namespace casp;
using casp::test::open;
using casp::test::patience_ms;
using casp::test::summary_of;
using casp::test::write_run;
using widgets::FileRunLibrary;
namespace fs = std::filesystem;

namespace {

/// The library may write there meanwhile (marks of runs): what has vanished is gone, what has come is
/// removed, too.
void remove_folder(const fs::path& path) {
    std::error_code error;
    for (int attempt = 0; attempt < 100 && fs::exists(path); ++attempt) fs::remove_all(path, error);
    QVERIFY(!fs::exists(path));
}

}  // namespace

class TestRunLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        shop_ = std::make_unique<test::Workshop>();
        QVERIFY(shop_->valid());
        QVERIFY(QDir().mkpath(runs()));
    }

    void library_lists_runs_of_the_folder() {
        write_run(folder("a"), store::RunState::finished, 0.5);
        write_run(folder("b"), store::RunState::failed);
        fs::create_directories(shop_->file("runs/not a run/deep"));
        fs::create_directories(shop_->file("runs/.hidden"));
        write_run(shop_->file("runs/.hidden/x"), store::RunState::finished);
        auto config = test::small_config("x.csv");
        config.train.continue_from = "/some \"odd\" place/run";
        std::ofstream(folder("b") / "config.toml") << config::to_toml(config);

        FileRunLibrary library;
        QCOMPARE(library.size(), 0);
        QSignalSpy added(&library, &FileRunLibrary::added), loading(&library, &FileRunLibrary::loading);
        open(library, runs() + "/./");
        QCOMPARE(library.folder(), runs());
        QCOMPARE(library.size(), 2);
        QCOMPARE(added.size(), 1);
        QCOMPARE(loading.back()[0].toInt(), loading.back()[1].toInt());
        const auto& a = summary_of(library, run("a"));
        QCOMPARE(a.batch, QString("test"));
        QCOMPARE(a.name, QString("a"));
        QCOMPARE(a.row.val_mse, 0.5);
        QCOMPARE(a.label(), QString("series-96 · λ_cov 0.1 · seed 0"));
        QVERIFY(!a.live && !a.ours);
        QVERIFY(summary_of(library, run("b")).row.state == store::RunState::failed);
        QCOMPARE(summary_of(library, run("b")).parent, QString("/some \"odd\" place/run"));
        QCOMPARE(library.index_of(run("c")), -1);
        QVERIFY(library.data(run("c")) == nullptr);
        library.open({});
        QCOMPARE(library.size(), 0);
        // A folder that the first run will make.
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        open(library, shop_->path("later"));
        QCOMPARE(library.size(), 0);
        QVERIFY(library.why_empty().isEmpty() && problems.isEmpty());
        write_run(shop_->file("later/test/a"), store::RunState::queued);
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, 10000);
    }

    /// Of one task, model and training budget.
    void marks_the_best_of_runs_that_compare() {
        write_run(folder("a"), store::RunState::finished, 0.5);
        write_run(folder("b"), store::RunState::finished_early, 0.4);
        write_run(folder("c"), store::RunState::running, 0.1);
        write_run(folder("d"), store::RunState::finished, 0.9, 192);
        write_run(folder("d2"), store::RunState::finished, 0.95, 192);
        write_run(folder("more epochs"), store::RunState::finished, 0.2);  // the best of one is none
        config::Config config;
        config.train.epochs = 500;
        std::ofstream(folder("more epochs") / "config.toml") << config::to_toml(config);
        write_run(folder("linear"), store::RunState::finished, 0.2, 96, "dlinear");
        FileRunLibrary library;
        open(library, runs());
        const auto best = [&] {
            QStringList names;
            for (int i = 0; i < library.size(); ++i)
                if (library.at(i).best) names << library.at(i).name;
            return names;
        };
        QCOMPARE(best(), (QStringList{"b", "d"}));
        QSignalSpy changed(&library, &FileRunLibrary::changed);
        write_run(folder("e"), store::RunState::finished, 0.3);
        library.refresh();
        QTRY_COMPARE(best(), (QStringList{"d", "e"}));
        QTRY_VERIFY(changed.size() >= 2);  // b lost it, and e is told of after it was added
        QVERIFY(test::move(library, {run("e")}).isEmpty());
        QCOMPARE(best(), (QStringList{"b", "d"}));
        write_run(folder("linear 2"), store::RunState::finished, 0.3, 96, "dlinear");
        library.refresh();
        QTRY_COMPARE(best(), (QStringList{"b", "d", "linear"}));
    }

    void changes_by_other_processes_are_noticed() {
        FileRunLibrary library;
        open(library, runs());
        QSignalSpy added(&library, &FileRunLibrary::added), removed(&library, &FileRunLibrary::removed);
        write_run(folder("a"), store::RunState::queued);
        QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, 10000);
        write_run(folder("b"), store::RunState::queued);
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 2, 10000);
        auto lock = std::make_unique<store::RunLock>(store::RunFolder(folder("a")));
        write_run(folder("a"), store::RunState::running);
        QTRY_VERIFY_WITH_TIMEOUT(summary_of(library, run("a")).live, 10000);
        QVERIFY(summary_of(library, run("a")).row.state == store::RunState::running);
        QVERIFY(!summary_of(library, run("b")).live);
        // The writer dies.
        lock.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!summary_of(library, run("a")).live, 10000);
        QVERIFY(summary_of(library, run("a")).row.state == store::RunState::running);
        remove_folder(folder("a"));
        QTRY_COMPARE_WITH_TIMEOUT(removed.size(), 1, 10000);
        QCOMPARE(removed[0][0].toString(), run("a"));
        QCOMPARE(library.index_of(run("b")), 0);
        remove_folder(shop_->file("runs/test"));
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 0, 10000);
    }

    void a_damaged_run_is_listed_with_its_reason() {
        fs::create_directories(folder("a"));
        std::ofstream(folder("a") / "run.json") << "{";
        FileRunLibrary library;
        open(library, runs());
        QVERIFY(summary_of(library, run("a")).row.state == store::RunState::failed);
        QVERIFY(summary_of(library, run("a")).message.contains("cannot be parsed"));
    }

    void colours_and_notes_stay() {
        for (const char* name : {"a", "b", "c", "d"}) write_run(folder(name), store::RunState::finished);
        QMap<QString, QColor> colours;
        {
            FileRunLibrary library;
            open(library, runs());
            for (int i = 0; i < library.size(); ++i) colours[library.at(i).name] = library.at(i).colour;
            QSet<QRgb> different;
            for (const auto& colour : colours) different.insert(colour.rgb());
            QCOMPARE(different.size(), 4);
            QCOMPARE(colours["a"].rgb(), figures::run_colour(0).rgb());
            library.set_colour(run("b"), QColor("#123456"));
            library.set_note(run("c"), "first with λ_cov > 0 \"really\"");
            QCOMPARE(summary_of(library, run("c")).note, QString("first with λ_cov > 0 \"really\""));
        }
        // The first run goes, another comes, and another program has put something of its own there.
        remove_folder(folder("a"));
        write_run(folder("0"), store::RunState::finished);
        auto marks = nlohmann::json::parse(test::bytes_of(folder("c") / "marks.json"));
        QCOMPARE(marks["colour_index"].get<int>(), 2);
        marks["stars"] = 5;
        std::ofstream(folder("c") / "marks.json") << marks.dump();
        {
            FileRunLibrary library;
            open(library, runs());
            QCOMPARE(summary_of(library, run("b")).colour, QColor("#123456"));
            QCOMPARE(summary_of(library, run("c")).colour, colours["c"]);
            QCOMPARE(summary_of(library, run("d")).colour, colours["d"]);
            QCOMPARE(summary_of(library, run("c")).note, QString("first with λ_cov > 0 \"really\""));
            library.set_note(run("c"), {});
        }
        marks = nlohmann::json::parse(test::bytes_of(folder("c") / "marks.json"));
        QCOMPARE(marks["stars"].get<int>(), 5);
        QVERIFY(marks["note"].get<std::string>().empty());
    }

    void wastebasket_and_back() {
        write_run(folder("a"), store::RunState::finished);
        write_run(folder("b"), store::RunState::failed);
        FileRunLibrary library;
        open(library, runs());
        library.set_note(run("a"), "keep");
        const auto colour = summary_of(library, run("a")).colour;
        QTRY_VERIFY(test::bytes_of(folder("a") / "marks.json").find("keep") != std::string::npos);
        QSignalSpy removed(&library, &FileRunLibrary::removed);
        QVERIFY(test::move(library, {run("a"), run("b")}).isEmpty());
        QCOMPARE(removed.size(), 2);
        QCOMPARE(library.size(), 0);
        QCOMPARE(library.discarded(), (QStringList{run("b"), run("a")}));  // the newest first
        QVERIFY(!fs::exists(folder("a")));
        QVERIFY(test::move(library, {run("a")}, true).isEmpty());
        QTRY_COMPARE(library.size(), 1);
        QCOMPARE(summary_of(library, run("a")).note, QString("keep"));
        QCOMPARE(summary_of(library, run("a")).colour, colour);
        QCOMPARE(library.discarded(), QStringList{run("b")});

        // The place is taken by now.
        write_run(folder("b"), store::RunState::finished);
        const auto taken = test::move(library, {run("b")}, true);
        QCOMPARE(taken.size(), 1);
        QVERIFY(taken[0].contains("another run exists there"));
        QTRY_COMPARE(library.size(), 2);
        // One that somebody writes stays; so does what is no run of this folder.
        const store::RunLock lock{store::RunFolder(folder("b"))};
        QVERIFY(test::move(library, {run("b")}).value(0).contains("being written by process"));
        QCOMPARE(test::move(library, {shop_->path("runs"), "/tmp", run("nothing")}).size(), 3);
        library.empty_wastebasket();
        QTRY_VERIFY(library.discarded().isEmpty());
        QCOMPARE(test::move(library, {run("b")}, true).size(), 1);
    }

    void missing_folder_is_reported_once_and_returns() {
        write_run(folder("a"), store::RunState::finished);
        write_run(folder("b"), store::RunState::finished);
        FileRunLibrary library;
        open(library, runs());
        QCOMPARE(library.size(), 2);
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        fs::rename(shop_->file("runs"), shop_->file("elsewhere"));
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 0, 10000);
        library.refresh();
        QTest::qWait(200);
        QCOMPARE(problems.size(), 1);  // said once
        QVERIFY(problems[0][0].toString().contains(runs() + " no longer exists"));
        QCOMPARE(library.why_empty(), problems[0][0].toString());
        problems.clear();
        fs::rename(shop_->file("elsewhere"), shop_->file("runs"));
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 2, 10000);
        QVERIFY(library.why_empty().isEmpty());
        QVERIFY(problems.isEmpty());
        // It cannot be looked at, which says nothing about what is in it.
        // A link to itself takes its place in one step, so that no look finds nothing at all.
        fs::create_symlink("runs", shop_->file("loop"));
        QCOMPARE(::renameat2(AT_FDCWD, shop_->file("loop").c_str(), AT_FDCWD, shop_->file("runs").c_str(),
                             RENAME_EXCHANGE),
                 0);
        QTRY_VERIFY_WITH_TIMEOUT(!problems.isEmpty(), 10000);
        library.refresh();
        QTest::qWait(300);
        QCOMPARE(problems.size(), 1);
        QCOMPARE(library.size(), 2);
    }

    /// The first look finds no folder; by the time it says so, the run that makes it is in the list.
    void folder_created_by_the_first_run() {
        remove_folder(shop_->file("runs"));
        FileRunLibrary library;
        QSignalSpy problems(&library, &FileRunLibrary::problem), loaded(&library, &FileRunLibrary::loaded);
        library.open(runs());
        library.live().added(run("a"));
        QCOMPARE(library.size(), 1);
        QVERIFY(loaded.wait(patience_ms));
        QVERIFY2(problems.isEmpty(), qPrintable(problems.isEmpty() ? "" : problems[0][0].toString()));
        QVERIFY(library.why_empty().isEmpty());
        write_run(folder("a"), store::RunState::finished);
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, 10000);
        // Once it was there, its loss is one.
        QTRY_COMPARE_WITH_TIMEOUT(summary_of(library, run("a")).row.state, store::RunState::finished, 10000);
        remove_folder(shop_->file("runs"));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(problems.size(), 1, 10000);
        QVERIFY(library.why_empty().contains("no longer exists"));
    }

    /// A run that this process trained, and that was removed before any look at the whole folder had found
    /// it.
    void run_removed_before_the_first_scan() {
        FileRunLibrary library;
        open(library, runs());
        library.live().added(run("a"));
        write_run(folder("a"), store::RunState::finished);
        library.live().finished(run("a"), summary_of(library, run("a")).row);
        remove_folder(folder("a"));
        library.live().added(run("b"));  // fails before it has written anything: its words stay
        library.live().failed(run("b"), "no permission");
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, 10000);
        library.refresh();
        QTest::qWait(300);
        QCOMPARE(library.size(), 1);
        QCOMPARE(summary_of(library, run("b")).message, QString("no permission"));
    }

    /// A note that is written while the folder is read makes what was read of the run too old.
    void a_run_outdated_during_the_first_look_is_found_before_its_end() {
        write_run(folder("a"), store::RunState::finished);
        widgets::WorkPool readers(widgets::FolderScan::threads);
        widgets::FolderScan scan(readers);
        QStringList told;
        bool outdated = false;
        connect(&scan, &widgets::FolderScan::loading, this, [&] {
            if (!std::exchange(outdated, true)) scan.outdate(run("a"));
        });
        connect(&scan, &widgets::FolderScan::found, this, [&](const auto& runs) {
            for (const auto& one : runs) told << QString::fromStdString(one.name);
        });
        connect(&scan, &widgets::FolderScan::ended, this,
                [&](bool first) { told << (first ? "loaded" : "ended"); });
        scan.open(runs());
        scan.scan();
        QTRY_VERIFY(told.contains("loaded"));
        QCOMPARE(told, (QStringList{"a", "loaded"}));
    }

    /// Restored, and its note being written, while the list hears that it had gone.
    void an_outdated_run_is_not_taken_for_missing() {
        write_run(folder("a"), store::RunState::finished);
        widgets::WorkPool readers(widgets::FolderScan::threads);
        widgets::FolderScan scan(readers);
        QSignalSpy ended(&scan, &widgets::FolderScan::ended), missing(&scan, &widgets::FolderScan::missing);
        scan.open(runs());
        scan.scan();
        QVERIFY(ended.wait(patience_ms));
        remove_folder(folder("a"));
        connect(&scan, &widgets::FolderScan::folder_found, this, [&] {
            write_run(folder("a"), store::RunState::finished);
            scan.outdate(run("a"));
        });
        scan.scan();
        QVERIFY(ended.wait(patience_ms));
        QCOMPARE(missing.size(), 1);
        QCOMPARE(missing[0][0].toStringList(), QStringList());
    }

    void ten_thousand_runs() {
        constexpr int count = 10000;
        // What write_run_status would write, without its 10,000 waits for the disk.
        write_run(folder("model"), store::RunState::finished, 0.5);
        const auto json = test::bytes_of(folder("model") / "run.json");
        remove_folder(folder("model"));
        for (int i = 0; i < count; ++i) {
            const auto path = shop_->file(QStringLiteral("runs/sweep-%1/run-%2").arg(i / 1000).arg(i));
            fs::create_directories(path);
            std::ofstream(path / "run.json", std::ios::binary) << json;
        }
        auto library = std::make_unique<FileRunLibrary>();
        QSignalSpy loaded(library.get(), &FileRunLibrary::loaded),
            added(library.get(), &FileRunLibrary::added);
        QElapsedTimer clock;
        clock.start();
        library->open(runs());
        QVERIFY(clock.elapsed() < 100);
        QVERIFY(loaded.wait(patience_ms));
        QCOMPARE(library->size(), count);
        QVERIFY2(added.size() > 10, "they come in pieces");
        std::set<QString> names;
        for (int i = 0; i < library->size(); ++i) {
            QCOMPARE(library->index_of(library->at(i).folder), i);
            names.insert(library->at(i).name);
        }
        QCOMPARE(names.size(), std::size_t{count});
        QTest::qWait(3000);  // at least one look at what has changed
        QCOMPARE(library->size(), count);
    }

private:
    [[nodiscard]] QString runs() const { return shop_->path("runs"); }
    [[nodiscard]] QString run(const QString& name) const { return shop_->path("runs/test/" + name); }
    [[nodiscard]] fs::path folder(const QString& name) const { return run(name).toStdString(); }
    std::unique_ptr<test::Workshop> shop_;
};

TEST_MAIN(TestRunLibrary)
#include "test_run_library.moc"
