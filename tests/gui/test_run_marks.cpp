// Notes and colours of runs: nothing that was entered is lost.
#include <QtTest>

#include "library_fixture.h"
#include "run_fixture.h"
#include "state/file_run_library.h"
#include "store/run_marks.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using casp::test::open;
using casp::test::patience_ms;
using casp::test::summary_of;
using casp::test::write_run;
using widgets::FileRunLibrary;
namespace fs = std::filesystem;

class TestRunMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        dir_ = std::make_unique<QTemporaryDir>();
        QVERIFY(dir_->isValid());
        write_run(folder("a"), store::RunState::finished);
    }

    void a_note_survives_a_full_disk() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        {
            const test::FullDisk full;
            QVERIFY(library.set_note(run("a"), "x"));
            QTRY_COMPARE(problems.size(), 1);
            // Looks at the files, and attempts to write it, that change nothing.
            for (int look = 0; look < 3; ++look) {
                library.refresh();
                QTest::qWait(50);
            }
            QCOMPARE(library.at(0).note, QString("x"));
            QCOMPARE(problems.size(), 1);  // told once
        }
        QVERIFY(problems[0][0].toString().contains("marks.json"));
        QVERIFY(store::read_marks(folder("a")).note.empty());
        library.refresh();
        QTRY_COMPARE(store::read_marks(folder("a")).note, std::string("x"));
        QCOMPARE(library.at(0).note, QString("x"));
        QCOMPARE(problems.size(), 1);
    }

    void note_on_a_removed_run_is_reported() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QSignalSpy problems(&library, &FileRunLibrary::problem), removed(&library, &FileRunLibrary::removed);
        fs::remove_all(folder("a"));
        QVERIFY(library.set_note(run("a"), "last words"));  // it is in the list until the next look
        QTRY_COMPARE(problems.size(), 1);
        QVERIFY(problems[0][0].toString().contains("last words"));
        library.refresh();
        QTRY_COMPARE(removed.size(), 1);
        QVERIFY(!library.set_note(run("a"), "too late"));
        QVERIFY(!library.set_colour(run("a"), QColor("#123456")));
        // Another run at its place has nothing of it.
        write_run(folder("a"), store::RunState::finished);
        library.refresh();
        QTRY_COMPARE(library.size(), 1);
        QVERIFY(library.at(0).note.isEmpty());
    }

    void two_windows_keep_note_and_colour() {
        FileRunLibrary one, two;
        open(one, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        open(two, runs());
        QVERIFY(one.set_note(run("a"), "newer"));
        QTRY_COMPARE(store::read_marks(folder("a")).note, std::string("newer"));
        // At once: this window has not looked at the files since.
        two.set_colour(run("a"), QColor("#123456"));
        QTRY_COMPARE(store::read_marks(folder("a")).colour, std::string("#123456"));
        QCOMPARE(store::read_marks(folder("a")).note, std::string("newer"));
        QTRY_COMPARE(two.at(0).note, QString("newer"));
        one.refresh();
        QTRY_COMPARE(one.at(0).colour, QColor("#123456"));
        QCOMPARE(one.at(0).note, QString("newer"));
        // And the other way round: a note taken away stays away.
        QVERIFY(one.set_note(run("a"), {}));
        QTRY_VERIFY(store::read_marks(folder("a")).note.empty());
        QCOMPARE(store::read_marks(folder("a")).colour, std::string("#123456"));
    }

    void note_survives_removal_of_the_folder() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        QVERIFY(QDir().rename(runs(), dir_->filePath("elsewhere")));
        QVERIFY(library.set_note(run("a"), "kept"));
        library.refresh();
        QTRY_COMPARE(library.size(), 0);
        VERIFY_HAS(library.why_empty(), runs());
        QVERIFY(QDir().rename(dir_->filePath("elsewhere"), runs()));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, 10000);
        QVERIFY(library.why_empty().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(store::read_marks(folder("a")).note, std::string("kept"), 10000);
        QTRY_COMPARE(library.at(0).note, QString("kept"));
    }

    void note_survives_a_folder_that_is_back_at_once() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        QVERIFY(QDir().rename(runs(), dir_->filePath("elsewhere")));
        QVERIFY(library.set_note(run("a"), "kept"));
        QTest::qSleep(200);  // the writer finds no folder; the list has not heard of it yet
        QVERIFY(QDir().rename(dir_->filePath("elsewhere"), runs()));
        QTRY_COMPARE_WITH_TIMEOUT(store::read_marks(folder("a")).note, std::string("kept"), 10000);
        for (const auto& told : problems) VERIFY_HAS(told[0].toString(), "is saved when");
    }

    void note_on_a_run_that_does_not_come_back_is_reported() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QSignalSpy problems(&library, &FileRunLibrary::problem);
        QVERIFY(QDir(runs()).removeRecursively());
        QVERIFY(library.set_note(run("a"), "last words"));
        QTRY_COMPARE(problems.size(), 1);
        VERIFY_HAS(problems[0][0].toString(), "is saved when the folder is back");
        QVERIFY(QDir().mkpath(runs()));
        library.refresh();
        QTRY_VERIFY(problems.last()[0].toString().contains("“last words” was not saved"));
    }

    void a_folder_that_comes_back_empty_is_empty() {
        FileRunLibrary library;
        open(library, runs());
        QTRY_VERIFY(store::read_marks(folder("a")).colour_index >= 0);
        QVERIFY(QDir(runs()).removeRecursively());
        library.refresh();
        QTRY_COMPARE(library.size(), 0);
        QVERIFY(!library.why_empty().isEmpty());
        QSignalSpy told(&library, &FileRunLibrary::loading);
        QVERIFY(QDir().mkpath(runs()));
        library.refresh();
        QTRY_VERIFY(library.why_empty().isEmpty());
        QCOMPARE(told.size(), 1);  // the panel writes its empty text anew
    }

    void pending_note_survives_moves() {
        write_run(folder("a"), store::RunState::finished);
        FileRunLibrary library;
        open(library, runs());
        for (int i = 0; i < 20; ++i) {
            const auto note = QStringLiteral("note %1").arg(i);
            library.refresh();  // a look at the files that may have read the note before
            library.set_note(run("a"), note);
            QVERIFY(test::move(library, {run("a")}).isEmpty());
            QVERIFY(test::move(library, {run("a")}, true).isEmpty());
            QTRY_COMPARE(library.size(), 1);
            QCOMPARE(summary_of(library, run("a")).note, note);
            QVERIFY(test::bytes_of(folder("a") / "marks.json").find(note.toStdString()) != std::string::npos);
            // Away and back, and something else is written.
            library.set_note(run("a"), note + " again");
            library.open({});
            open(library, runs());
            QCOMPARE(summary_of(library, run("a")).note, note + " again");
            library.set_colour(run("a"), QColor(i, 1, 2));
            QTest::qWait(i);
            QCOMPARE(summary_of(library, run("a")).note, note + " again");
        }
        QTRY_VERIFY(test::bytes_of(folder("a") / "marks.json").find("#130102") != std::string::npos);
        QVERIFY(test::bytes_of(folder("a") / "marks.json").find("note 19 again") != std::string::npos);
    }

    void a_note_that_was_not_read_yet_is_not_lost() {
        write_run(folder("a"), store::RunState::finished);
        write_run(folder("z"), store::RunState::failed);
        store::write_marks(folder("z"), {"precious", 7, {}});
        FileRunLibrary library;
        QSignalSpy loaded(&library, &FileRunLibrary::loaded);
        library.open(runs());
        library.live().added(run("z"));  // a retry before the folder has been read
        library.set_colour(run("z"), QColor("#123456"));
        QVERIFY(loaded.wait(patience_ms));
        QTRY_COMPARE(summary_of(library, run("z")).note, QString("precious"));
        QTRY_VERIFY(test::bytes_of(folder("z") / "marks.json").find("#123456") != std::string::npos);
        const auto marks = store::read_marks(folder("z"));
        QCOMPARE(marks.note, std::string("precious"));
        QCOMPARE(marks.colour_index, 7);
    }

private:
    [[nodiscard]] QString runs() const { return dir_->filePath("runs"); }
    [[nodiscard]] QString run(const QString& name) const { return dir_->filePath("runs/test/" + name); }
    [[nodiscard]] fs::path folder(const QString& name) const { return run(name).toStdString(); }
    std::unique_ptr<QTemporaryDir> dir_;
};

TEST_MAIN(TestRunMarks)
#include "test_run_marks.moc"
