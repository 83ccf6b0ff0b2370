// Many runs to the wastebasket and back, beside the GUI thread.
#include <QtTest>

#include <fstream>
#include <memory>

#include "batch/batch_fixture.h"
#include "library_fixture.h"
#include "run_fixture.h"
#include "state/file_run_library.h"
#include "state/run_mover.h"
#include "store/run_marks.h"
#include "test_program.h"

using namespace casp;
using casp::test::open;
using casp::test::patience_ms;
using casp::test::write_run;
using widgets::FileRunLibrary;
using widgets::RunMoves;
namespace fs = std::filesystem;

class TestRunMoves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        shop_ = std::make_unique<test::Workshop>();
        QVERIFY(shop_->valid());
        write_run(run(0).toStdString(), store::RunState::finished, 0.5);
        make_runs(1, count);
    }

    void rows_are_removed_as_runs_move() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), count, patience_ms);
        QSignalSpy ended(&library, &FileRunLibrary::moves_ended), reset(&library, &FileRunLibrary::reset),
            removed(&library, &FileRunLibrary::removed);
        library.start_discard(all());
        QCOMPARE(library.size(), count);  // nothing has been waited for
        QVERIFY(library.is_moving());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience_ms);
        QVERIFY(reset.size() + removed.size() >= 2);  // not all at the end
        QCOMPARE(library.size(), 0);
        QVERIFY(!library.is_moving());
        const auto gone = ended[0][0].value<RunMoves>();
        QCOMPARE(gone.moved, all());
        QVERIFY(!gone.back && gone.problems.isEmpty() && gone.left == 0 && gone.folder == runs());
        QCOMPARE(library.discarded().size(), count);
        QCOMPARE(in_place(), 0);

        library.start_restore(all() << run(count));  // and one that is not there
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, patience_ms);
        const auto back = ended[1][0].value<RunMoves>();
        QVERIFY(back.back);
        QCOMPARE(back.moved, all());
        QCOMPARE(back.failed, QStringList{run(count)});
        QVERIFY(back.problems.value(0).contains("not in the wastebasket"));
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), count, patience_ms);
        QVERIFY(library.discarded().isEmpty());
    }

    void moves_can_be_cancelled() {
        constexpr int many = 1500;
        make_runs(count, many);
        FileRunLibrary library;
        open(library, runs());
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), many, patience_ms);
        QSignalSpy ended(&library, &FileRunLibrary::moves_ended);
        // The first rows go with 128 runs; the rest takes longer than a turn of the event loop.
        const auto cancel = [&] { library.cancel_moves(); };
        connect(&library, &FileRunLibrary::removed, &library, cancel);
        connect(&library, &FileRunLibrary::reset, &library, cancel);
        library.start_discard(all(many));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience_ms);
        const auto moves = ended[0][0].value<RunMoves>();
        QVERIFY(!moves.moved.isEmpty());
        QVERIFY(moves.left > 0);
        QCOMPARE(moves.moved.size() + moves.left, qsizetype{many});
        QCOMPARE(library.size(), static_cast<int>(moves.left));
        QCOMPARE(in_place(many), static_cast<int>(moves.left));
        QCOMPARE(library.discarded().size(), moves.moved.size());
        // The next ones are not cancelled.
        library.start_discard({run(many - 1)});
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, patience_ms);
        QCOMPARE(ended[1][0].value<RunMoves>().moved, QStringList{run(many - 1)});
    }

    /// Whatever the clock: it stops after the run that moves.
    void stop_takes_effect_after_current_run() {
        std::stop_source stop;
        QStringList told;
        const auto moves = widgets::move_runs(
            runs(), false, all(), [&](const QStringList& moved) { told += moved; },
            [&](qsizetype done) {
                if (done == 140) stop.request_stop();
            },
            stop.get_token());
        QCOMPARE(moves.moved, all().mid(0, 140));
        QCOMPARE(told, moves.moved);
        QCOMPARE(moves.left, qsizetype{count - 140});
        QCOMPARE(in_place(), count - 140);
    }

    void run_being_moved_is_not_changed() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), count, patience_ms);
        QSignalSpy ended(&library, &FileRunLibrary::moves_ended);
        const store::RunLock begun(store::RunFolder(run(1).toStdString()));  // by another process
        library.start_discard({run(0), run(1)});
        QVERIFY(library.is_leaving(run(0)) && !library.is_leaving(run(2)));
        QVERIFY(!library.set_note(run(0), "words"));
        QVERIFY(library.set_note(run(2), "words"));
        const auto before = test::summary_of(library, run(0)).colour;
        QVERIFY(!library.set_colour(run(0), QColor("#123456")));
        QCOMPARE(test::summary_of(library, run(0)).colour, before);
        QVERIFY(library.set_colour(run(2), QColor("#123456")));
        library.start_discard({run(0)});  // the same gesture once more
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, patience_ms);
        const auto moves = ended[0][0].value<RunMoves>();
        QCOMPARE(moves.moved, QStringList{run(0)});
        QCOMPARE(moves.failed, QStringList{run(1)});
        QVERIFY(ended[1][0].value<RunMoves>().problems.isEmpty());
        QVERIFY(!library.is_leaving(run(0)) && !library.is_leaving(run(1)));
        QVERIFY(library.set_note(run(1), "words"));
        QVERIFY(library.set_colour(run(1), QColor("#654321")));
        // It comes back as it went.
        library.start_restore({run(0)});
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), count, patience_ms);
        QVERIFY(test::summary_of(library, run(0)).colour != QColor("#123456"));
        QVERIFY(store::read_marks(run(0).toStdString()).colour.empty());
        QTRY_COMPARE(store::read_marks(run(1).toStdString()).colour, std::string("#654321"));
    }

    void closing_stops_pending_moves() {
        auto library = std::make_unique<FileRunLibrary>();
        open(*library, runs());
        QTRY_COMPARE_WITH_TIMEOUT(library->size(), count, patience_ms);
        library->start_discard(all());
        library.reset();
        const int left = in_place();
        QVERIFY(left > 0);  // nobody had to wait for all
        QTest::qWait(100);
        QCOMPARE(in_place(), left);
        FileRunLibrary again;
        open(again, runs());
        QTRY_COMPARE_WITH_TIMEOUT(again.size(), left, patience_ms);
        QCOMPARE(again.discarded().size(), qsizetype{count - left});
    }

    void runs_of_a_folder_that_was_closed_meanwhile() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), count, patience_ms);
        QVERIFY(test::move(library, {run(0), run(1)}).isEmpty());
        QSignalSpy ended(&library, &FileRunLibrary::moves_ended);
        library.start_restore({run(0), run(1)});
        QVERIFY(QDir().mkpath(shop_->path("others")));
        library.open(shop_->path("others"));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience_ms);
        QCOMPARE(ended[0][0].value<RunMoves>().folder, runs());
        QTest::qWait(300);
        QCOMPARE(library.size(), 0);  // they are back, but not here
        QCOMPARE(in_place(), count);
    }

    void newest_discarded_run_is_restored() {
        const auto mark = [&](const char* text) {
            std::ofstream(fs::path(run(0).toStdString()) / "log.txt") << text;
        };
        mark("older");
        QCOMPARE(widgets::move_runs(runs(), false, {run(0)}).moved, QStringList{run(0)});
        write_run(run(0).toStdString(), store::RunState::finished, 0.5);
        mark("newer");
        QTest::qWait(1100);  // the wastebasket's times are whole seconds
        QCOMPARE(widgets::move_runs(runs(), false, {run(0)}).moved, QStringList{run(0)});
        QCOMPARE(widgets::move_runs(runs(), true, {run(0)}).moved, QStringList{run(0)});
        QCOMPARE(test::bytes_of(fs::path(run(0).toStdString()) / "log.txt"), std::string("newer"));
    }

private:
    static constexpr int count = 300;

    /// What write_run_status would write, without its waits for the disk.
    void make_runs(int first, int end) {
        const auto json = test::bytes_of(fs::path(run(0).toStdString()) / "run.json");
        for (int i = first; i < end; ++i) {
            const fs::path folder = run(i).toStdString();
            fs::create_directories(folder);
            std::ofstream(folder / "run.json", std::ios::binary) << json;
        }
    }

    [[nodiscard]] QStringList all(int end = count) const {
        QStringList folders;
        for (int i = 0; i < end; ++i) folders << run(i);
        return folders;
    }

    [[nodiscard]] int in_place(int end = count) const {
        int there = 0;
        for (const auto& folder : all(end)) there += QFileInfo::exists(folder + "/run.json") ? 1 : 0;
        return there;
    }
    [[nodiscard]] QString runs() const { return shop_->path("runs"); }
    [[nodiscard]] QString run(int i) const { return shop_->path(QStringLiteral("runs/test/r%1").arg(i)); }
    std::unique_ptr<test::Workshop> shop_;
};

TEST_MAIN(TestRunMoves)
#include "test_run_moves.moc"
