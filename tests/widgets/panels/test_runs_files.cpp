// The panels of runs on the library that reads real folders.
#include <algorithm>

#include <QDir>
#include <QInputDialog>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "panels/compare/compare_panel.h"
#include "panels/runs/runs_panel.h"
#include "state/file_run_library.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;

namespace {

/// A run folder as a batch leaves it: config.toml and run.json.
void write_run(const QString& root, const casp::widgets::testing::MemoryRun& run) {
    const std::filesystem::path folder =
        (root + QLatin1Char('/') + run.its_summary.batch + QLatin1Char('/') + run.its_summary.name)
            .toStdString();
    const casp::store::RunFolder where(folder);
    where.create();
    QFile file(QString::fromStdString(where.config().string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(run.its_record.attributes.config));
    casp::store::RunStatus status;
    status.row = run.its_summary.row;
    casp::store::write_run_status(where, status);
}

}  // namespace

class TestRunsFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void real_folders() {
        QTemporaryDir root;
        MemoryLibrary made;
        for (const double l : {0.0, 0.1})
            for (const int seed : {2021, 2022}) made.add(QStringLiteral("ETTh1-96"), l, seed);
        auto& cut = made.add(QStringLiteral("ETTh1-96"), 0.2, 2021);
        cut.its_summary.row.state = casp::store::RunState::running;  // and no process holds its lock
        for (const auto& run : made.runs) write_run(root.path(), *run);

        FileRunLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        ComparePanel compare(library, selection);
        compare.show();
        library.open(root.path());
        QTRY_COMPARE(panel.model()->rowCount(), 5);
        panel.set_filter_text(QStringLiteral("state:finished"));
        QCOMPARE(panel.model()->rowCount(), 4);
        panel.set_filter_text(QStringLiteral("state:interrupted"));
        QTRY_COMPARE(panel.model()->rowCount(), 1);
        panel.set_filter_text({});
        panel.set_filter_text(QStringLiteral("state:finished"));
        panel.view()->selectAll();
        QTest::keyClick(panel.view(), Qt::Key_Space);
        QCOMPARE(selection.state().runs.size(), 4);
        QTRY_COMPARE(compare.comparison().lines.size(), std::size_t{1});
        QCOMPARE(compare.comparison().lines[0].points.size(), std::size_t{2});
        QCOMPARE(compare.comparison().lines[0].points[1].statistic.n, std::int64_t{2});

        const QString first = panel.model()->run(0).folder;
        library.set_note(first, QStringLiteral("kept"));
        QTRY_COMPARE(library.at(library.index_of(first)).note, QStringLiteral("kept"));
        panel.removal()->discard({first});
        QTRY_COMPARE(panel.model()->total(), 4);
        QVERIFY(!QDir(first).exists());
        QTRY_COMPARE(selection.state().runs.size(), 3);
        QTRY_COMPARE(panel.banner()->button()->text(), QStringLiteral("Undo"));
        panel.banner()->button()->click();
        QTRY_COMPARE(panel.model()->total(), 5);
        QVERIFY(QDir(first).exists());
        QTRY_COMPARE(library.at(library.index_of(first)).note, QStringLiteral("kept"));
    }

    /// All runs of a batch are exported as the batch, some of them as runs.
    void a_whole_batch_is_exported() {
        MemoryLibrary library;
        QStringList folders;
        for (const int seed : {2021, 2022, 2023})
            folders << library.add(QStringLiteral("ETTh1-96"), 0.1, seed).folder();
        const auto other = library.add(QStringLiteral("ETTm1-96"), 0.1, 2021).folder();
        Selection selection;
        RunsPanel panel(library, selection);
        QSignalSpy exported(panel.commands(), &RunsCommands::export_requested);
        const auto request = [&](const QStringList& runs) {
            panel.select_runs(runs);
            panel.action(QStringLiteral("runs_export"))->trigger();
            return exported.isEmpty() ? QStringList() : exported.takeFirst().at(0).toStringList();
        };
        QCOMPARE(request(folders), QStringList{QFileInfo(folders[0]).path()});
        QCOMPARE(request(folders.mid(0, 2)).size(), 2);
        QCOMPARE(request(folders + QStringList{other}).size(), 4);
        QCOMPARE(request({other}), QStringList{other});
    }

    void note_on_a_removed_run_is_reported() {
        MemoryLibrary library;
        const auto folder = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021).folder();
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        panel.select_runs({folder});
        panel.action(QStringLiteral("runs_note"))->trigger();
        auto* dialog = panel.findChild<QInputDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setTextValue(QStringLiteral("many words"));
        (void)library.discard({folder});
        dialog->accept();
        QVERIFY(panel.banner()->isVisible() && panel.banner()->text().contains(QStringLiteral("many words")));
    }

    /// Known before it is pressed: of the chosen runs alone, and anew when somebody may have mended it.
    void continue_reports_a_lost_checkpoint() {
        namespace fs = std::filesystem;
        QTemporaryDir root;
        MemoryLibrary made;
        for (const int seed : {1, 2}) {
            auto& cut = made.add(QStringLiteral("ETTh1-96"), 0.1, seed);
            cut.its_summary.row.state = casp::store::RunState::interrupted;
            write_run(root.path(), cut);
        }
        const auto folder = [&](int number) { return root.filePath("ETTh1-96/" + made.at(number).name); };
        const fs::path damaged = folder(0).toStdString();
        casp::store::RunRecord record;
        record.attributes.checkpointed = true;
        casp::store::write_run_file(damaged, record);

        FileRunLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        library.open(root.path());
        QTRY_COMPARE(panel.model()->rowCount(), 2);
        auto* resume = panel.action(QStringLiteral("runs_resume"));
        const auto usual = resume->toolTip();
        panel.select_runs({folder(1)});  // cut off before its first checkpoint: it starts anew
        QVERIFY(resume->isEnabled());
        panel.select_runs({folder(0)});
        QTRY_VERIFY(!resume->isEnabled());
        for (const auto& tip : {resume->toolTip(), resume->statusTip()})
            QVERIFY2(tip.contains(QStringLiteral("checkpoint is lost")) &&
                         tip.contains(QStringLiteral("Restore last/")),
                     qPrintable(tip));
        QSignalSpy asked(panel.commands(), &RunsCommands::resume_requested);
        resume->trigger();
        QCOMPARE(asked.size(), 0);
        panel.select_runs({folder(0), folder(1)});
        QTRY_VERIFY(!resume->isEnabled());
        panel.select_runs({folder(1)});
        QVERIFY(resume->isEnabled());
        QCOMPARE(resume->toolTip(), usual);

        panel.select_runs({folder(0)});
        QTRY_VERIFY(!resume->isEnabled());
        record.attributes.checkpointed = false;
        casp::store::write_run_file(damaged, record);
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        panel.activateWindow();
        QTRY_VERIFY(resume->isEnabled());
        QCOMPARE(resume->toolTip(), usual);
        resume->trigger();
        QCOMPARE(asked.size(), 1);
    }

    void missing_folder_is_not_shown_as_empty() {
        MemoryLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        const auto says = [&](const QString& text) {
            const auto labels = panel.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        QVERIFY(says(QStringLiteral("Your runs will be listed here")));
        library.its_why_empty = QStringLiteral("/runs is not there any more");
        Q_EMIT library.reset();
        QVERIFY(says(QStringLiteral("/runs is not there any more")));
        QVERIFY(!says(QStringLiteral("will be listed here")));
    }

    void unreadable_settings_are_reported_and_reread() {
        QTemporaryDir root;
        MemoryLibrary made;
        for (const double l : {0.0, 0.1}) made.add(QStringLiteral("ETTh1-96"), l, 2021);
        for (const auto& run : made.runs) write_run(root.path(), *run);
        const auto toml = root.filePath(QStringLiteral("ETTh1-96/%1/config.toml").arg(made.at(0).name));
        const auto write = [&](const QByteArray& text) {
            QFile file(toml);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("this is no = = TOML");
        FileRunLibrary library;
        Selection selection;
        ComparePanel compare(library, selection);
        compare.show();
        library.open(root.path());
        QTRY_COMPARE(library.size(), 2);
        auto* note = compare.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note != nullptr && !note->isVisible());
        selection.set_runs({library.at(0).folder, library.at(1).folder});
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().contains(QStringLiteral("its settings cannot be read")),
                 qPrintable(note->text()));
        QVERIFY(note->text().contains(QStringLiteral("config.toml")));
        write(QByteArray::fromStdString(made.runs[0]->its_record.attributes.config));
        compare.hide();
        compare.show();
        QTRY_VERIFY(!note->isVisible());
    }
};

TEST_MAIN(TestRunsFiles)
#include "test_runs_files.moc"
