// Queue and drawer of messages, and the table of differences.
#include <algorithm>

#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "config/options.h"
#include "panel_test.h"
#include "panels/compare/difference_panel.h"
#include "panels/messages/message_drawer.h"
#include "panels/queue/queue_panel.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;

namespace {

std::vector<QueueEntry> some_entries() {
    return {
        {1, QStringLiteral("etth1-96/lambda_cov-0_seed-2021"), QueueEntryState::done, 1, {}, 0, {}},
        {2, QStringLiteral("etth1-96/lambda_cov-0.1_seed-2021"), QueueEntryState::running, 0.42, {}, 254, {}},
        {3, QStringLiteral("etth1-96/lambda_cov-0.2_seed-2021"), QueueEntryState::waiting, -1, {}, 0, {}},
        {4, QStringLiteral("etth1-96/lambda_cov-0.5_seed-2021"), QueueEntryState::waiting, -1, {}, 0, {}},
        {5,
         QStringLiteral("weather-96/single"),
         QueueEntryState::failed,
         -1,
         QStringLiteral("out of memory; halve train.batch_size"),
         0,
         {}},
        {6, QStringLiteral("weather-96/single-2"), QueueEntryState::waiting, -1, {}, 0, {}}};
}

/// Run 1 goes on, runs 2 … 501 wait.
std::vector<QueueEntry> many_entries() {
    std::vector<QueueEntry> entries{{1, QStringLiteral("first"), QueueEntryState::running, 0, {}, 900, {}}};
    for (int i = 2; i <= 501; ++i)
        entries.push_back(
            {i, QStringLiteral("sample-96 · seed %1").arg(i), QueueEntryState::waiting, -1, {}, 0, {}});
    return entries;
}

/// What a model tells that is more than another text in a line.
struct Upheavals {
    explicit Upheavals(const QAbstractItemModel* model)
        : changed(model, &QAbstractItemModel::dataChanged),
          resets(model, &QAbstractItemModel::modelReset),
          layouts(model, &QAbstractItemModel::layoutChanged),
          added(model, &QAbstractItemModel::rowsInserted),
          removed(model, &QAbstractItemModel::rowsRemoved),
          moved(model, &QAbstractItemModel::rowsMoved) {}
    QSignalSpy changed, resets, layouts, added, removed, moved;
    [[nodiscard]] bool none() const {
        return resets.isEmpty() && layouts.isEmpty() && added.isEmpty() && removed.isEmpty() &&
               moved.isEmpty();
    }
    /// Lines that were said to look different, one after the other.
    [[nodiscard]] QList<int> lines() const {
        QList<int> rows;
        for (const auto& told : changed)
            for (int row = told.at(0).toModelIndex().row(); row <= told.at(1).toModelIndex().row(); ++row)
                rows << row;
        return rows;
    }
};

void select(QueuePanel& panel, int row) { panel.view()->setCurrentIndex(panel.model()->index(row)); }

}  // namespace

class TestRunsQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void queue_emits_requested_actions() {
        QueuePanel panel;
        panel.resize(320, 360);
        panel.show();
        panel.set_entries(some_entries());
        const auto enabled = [&](const char* name) { return panel.action(QLatin1String(name))->isEnabled(); };
        QSignalSpy move(&panel, &QueuePanel::move_requested), pause(&panel, &QueuePanel::pause_requested),
            retry(&panel, &QueuePanel::retry_requested), remove(&panel, &QueuePanel::remove_requested),
            hold(&panel, &QueuePanel::hold_requested);
        select(panel, 2);
        QVERIFY(enabled("queue_up") && enabled("queue_down") && enabled("queue_remove") &&
                !enabled("queue_pause") && !enabled("queue_retry"));
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.view()->setFocus();
        QTest::keyClick(panel.view(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(move.count(), 1);
        QCOMPARE(move.takeFirst(), (QList<QVariant>{4, 0}));
        QTest::keyClick(panel.view(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(move.takeFirst(), (QList<QVariant>{4, 2}));
        select(panel, 1);
        QVERIFY(!enabled("queue_up"));
        select(panel, 0);
        QVERIFY(enabled("queue_pause") && enabled("queue_cancel") && enabled("queue_finish") &&
                !enabled("queue_remove"));
        panel.action(QStringLiteral("queue_pause"))->trigger();
        QCOMPARE(pause.takeFirst(), (QList<QVariant>{2, true}));
        auto entries = some_entries();
        entries[1].state = QueueEntryState::paused;
        panel.set_entries(entries);
        panel.action(QStringLiteral("queue_pause"))->trigger();
        QCOMPARE(pause.takeFirst(), (QList<QVariant>{2, false}));
        select(panel, 4);
        panel.action(QStringLiteral("queue_retry"))->trigger();
        QCOMPARE(retry.takeFirst().at(0).toInt(), 5);
        QTest::keyClick(panel.view(), Qt::Key_Delete);
        QCOMPARE(remove.takeFirst().at(0).toInt(), 5);
        for (auto* button : panel.findChildren<QToolButton*>())
            if (button->isCheckable()) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(hold.takeFirst().at(0).toBool(), true);
    }

    void queue_shows_validation_and_evaluation() {
        QueuePanel panel;
        auto entries = some_entries();
        const auto text = [&] {
            panel.set_entries(entries);
            return panel.model()->index(0, 0).data(Qt::AccessibleTextRole).toString();
        };
        QVERIFY(text().contains(QStringLiteral("running 42 %")));
        entries[1].stage = QStringLiteral("validating 13 %");
        QVERIFY2(text().contains(QStringLiteral("validating 13 % 42 %")), qPrintable(text()));
        entries[1].stage = QStringLiteral("evaluating test 32 %");
        entries[1].evaluates = true;
        entries[1].progress = 1;
        QVERIFY(text().contains(QStringLiteral("evaluating test 32 %")));
        QVERIFY2(!text().contains(QStringLiteral("100 %")) && !text().contains(QStringLiteral("running")),
                 qPrintable(text()));
        const auto summary = [&] {
            return control<QLabel>(panel, QStringLiteral("State of the queue"))->text();
        };
        QVERIFY(summary().startsWith(QStringLiteral("1 running")));
        entries[1].state = QueueEntryState::paused;
        QVERIFY(text().contains(QStringLiteral("paused")));
        QVERIFY2(summary().startsWith(QStringLiteral("1 paused")), qPrintable(summary()));
        entries[1].state = QueueEntryState::stopping;
        QVERIFY2((panel.set_entries(entries), summary()).startsWith(QStringLiteral("1 stopping")),
                 qPrintable(summary()));
        // The evaluation that finishing early leads to can be cancelled, until that is asked of it.
        select(panel, 0);
        const auto* cancel = panel.action(QStringLiteral("queue_cancel"));
        QVERIFY(!cancel->isEnabled());
        entries[1].finishing = true;
        panel.set_entries(entries);
        QVERIFY(cancel->isEnabled() && !panel.action(QStringLiteral("queue_pause"))->isEnabled());
        entries[1].finishing = false;
        panel.set_entries(entries);
        QVERIFY(!cancel->isEnabled());
    }

    /// What runs, what waits in its order, and what has ended, the newest first.
    void running_first_and_ended_last() {
        QueuePanel panel;
        auto entries = some_entries();
        const auto ids = [&] {
            panel.set_entries(entries);
            QList<int> shown;
            for (const auto& entry : panel.model()->entries()) shown << entry.id;
            return shown;
        };
        QCOMPARE(ids(), (QList<int>{2, 3, 4, 6, 5, 1}));
        QCOMPARE(panel.model()->waiting_position(3), 2);
        entries[1].state = QueueEntryState::interrupted;
        entries[2].state = QueueEntryState::paused;
        entries[3].state = QueueEntryState::stopping;
        QCOMPARE(ids(), (QList<int>{3, 4, 6, 5, 2, 1}));
    }

    void current_entry_survives_reordering() {
        QueuePanel panel;
        panel.set_entries(some_entries());
        select(panel, 3);
        auto entries = some_entries();
        std::swap(entries[2], entries[5]);
        panel.set_entries(entries);
        QCOMPARE(panel.view()->currentIndex().row(), 1);
    }

    void progress_report_updates_only_its_row() {
        QueuePanel panel;
        auto entries = many_entries();
        panel.set_entries(entries);
        select(panel, 250);
        const Upheavals told(panel.model());
        for (int i = 1; i <= 200; ++i) {
            entries[0].progress = i / 200.0;
            panel.set_entries(entries);
        }
        QVERIFY(told.none());
        QVERIFY(told.lines().size() > 100 && told.lines().count(0) == told.lines().size());
        QVERIFY(panel.model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains("100 %"));
        // What is the same to the eye is not drawn again.
        entries[0].progress = 0.9502;
        panel.set_entries(entries);
        const auto lines = told.lines();
        entries[0].progress -= 1e-6;
        panel.set_entries(entries);
        QCOMPARE(told.lines().size(), lines.size());
        // The second has begun on another device: all behind it wait one place further ahead.
        entries[1].state = QueueEntryState::running;
        panel.set_entries(entries);
        QVERIFY(told.none());
        QCOMPARE(told.lines().size(), lines.size() + 500);
        // The first is over, and goes to the end.
        entries[0].state = QueueEntryState::done;
        panel.set_entries(entries);
        QCOMPARE(panel.model()->entries().back().id, 1);
        QCOMPARE(panel.view()->currentIndex().row(), 249);
    }

    void entry_changes_keep_current_entry_and_scroll() {
        QueuePanel panel;
        panel.resize(320, 360);
        panel.show();
        auto entries = many_entries();
        panel.set_entries(entries);
        select(panel, 250);
        panel.view()->scrollTo(panel.model()->index(240), QAbstractItemView::PositionAtTop);
        const int scrolled = panel.view()->verticalScrollBar()->value();
        QVERIFY(scrolled > 0);
        const auto id = [&] {
            return panel.model()->entries()[static_cast<std::size_t>(panel.view()->currentIndex().row())].id;
        };
        // Two at the end, two out of the middle, one to the front.
        entries.push_back({600, QStringLiteral("a"), QueueEntryState::waiting, -1, {}, 0, {}});
        entries.push_back({601, QStringLiteral("b"), QueueEntryState::waiting, -1, {}, 0, {}});
        entries.erase(entries.begin() + 300, entries.begin() + 302);
        std::rotate(entries.begin() + 2, entries.begin() + 400, entries.begin() + 401);
        panel.set_entries(entries);
        QTest::qWait(20);
        QCOMPARE(id(), 251);
        QCOMPARE(panel.view()->currentIndex().row(), 251);
        QCOMPARE(panel.view()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(panel.view()->verticalScrollBar()->value(), scrolled);
        // The one with the keyboard goes: its neighbour has it.
        entries.erase(entries.begin() + panel.view()->currentIndex().row());
        panel.set_entries(entries);
        QVERIFY(panel.view()->currentIndex().isValid());
        panel.set_entries({});
        QVERIFY(!panel.view()->currentIndex().isValid());
    }

    void messages_are_filtered_and_copied() {
        MessageDrawer drawer;
        drawer.resize(760, 240);
        drawer.show();
        QSignalSpy go(&drawer, &MessageDrawer::run_requested);
        const auto run = QStringLiteral("/runs/weather-96/single");
        drawer.add(Severity::note, QStringLiteral("Copied the picture."));
        drawer.add(Severity::warning, QStringLiteral("ETTh1.csv: line 17 has 6 fields, expected 8"));
        for (int i = 0; i < 3; ++i)
            drawer.add(Severity::error, QStringLiteral("Out of memory. Halve train.batch_size."), run,
                       QStringLiteral("weather-96"));
        QCOMPARE(drawer.texts().size(), 3);  // one line for what repeats
        auto* view = drawer.view();
        QVERIFY(view->topLevelItem(2)->text(MessageDrawer::text_column).endsWith(QStringLiteral("(3 ×)")));
        const auto visible = [&] {
            int count = 0;
            for (int row = 0; row < view->topLevelItemCount(); ++row)
                count += view->topLevelItem(row)->isHidden() ? 0 : 1;
            return count;
        };
        auto* least = drawer.findChild<QComboBox*>();
        least->setCurrentIndex(static_cast<int>(Severity::warning));
        QCOMPARE(visible(), 2);
        drawer.filter_box()->setText(QStringLiteral("batch_size"));
        QCOMPARE(visible(), 1);
        drawer.copy();
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(
            QStringLiteral("\terror\tweather-96\tOut of memory. Halve train.batch_size.\n")));
        drawer.filter_box()->clear();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(view->model()->index(2, MessageDrawer::run_column)).center());
        QCOMPARE(go.takeFirst().at(0).toString(), run);
        bool seen = false;
        for (const auto* label : drawer.findChildren<QLabel*>())
            seen = seen || (label->isVisible() && label->text().contains(QStringLiteral("Halve")));
        QVERIFY(seen);
        least->setCurrentIndex(static_cast<int>(Severity::note));
        QTest::qWait(20);
        drawer.clear();
        for (int i = 0; i < 5100; ++i) drawer.add(Severity::warning, QString::number(i));
        QCOMPARE(drawer.texts().size(), 5000);
        QCOMPARE(drawer.texts().front(), QStringLiteral("100"));
    }

    void differences_are_read_in_the_background() {
        MemoryLibrary library;
        library.add(QStringLiteral("ETTh1-96"), 0.0, 2021);
        library.add(QStringLiteral("ETTh1-96"), 0.1, 2022);
        library.runs[1]->its_summary.row.backbone = "untrained";
        DifferencePanel panel(library);
        panel.resize(760, 420);
        panel.show();
        QVERIFY(panel.text().contains(QStringLiteral("Select two or more")));
        panel.set_runs({library.runs[0]->folder(), library.runs[1]->folder()});
        QTRY_VERIFY(panel.table()->item(0, 0) != nullptr &&
                    panel.table()->item(0, 0)->text() == QStringLiteral("λ_cov"));
        QCOMPARE(panel.table()->item(1, 0)->text(), QStringLiteral("seed"));
        QCOMPARE(panel.table()->item(1, 2)->text(), QStringLiteral("2022"));
        panel.copy_markdown();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("| train.seed ")));
        panel.table()->item(0, 0)->setText(QStringLiteral("written over"));
        panel.setPalette(QPalette(QColor(40, 40, 40)));  // filled again in the theme's colours
        QCOMPARE(panel.table()->item(0, 0)->text(), QStringLiteral("λ_cov"));
        // A configuration that cannot be read is said, the results stay.
        auto& broken = library.add(QStringLiteral("ETTh1-96"), 0.2, 2023);
        broken.its_record.attributes.config = "loss = [nonsense";
        panel.set_runs({library.runs[0]->folder(), broken.folder()});
        QTRY_VERIFY(panel.text().contains(QStringLiteral("cannot be read")));
        // Of one run all settings.
        panel.set_runs({library.runs[0]->folder()});
        QTRY_VERIFY(panel.table()->findItems(QStringLiteral("λ_cov"), Qt::MatchExactly).size() == 1);
        QVERIFY(panel.table()->rowCount() > static_cast<int>(casp::config::options().size()));
        QCOMPARE(panel.table()->columnCount(), 2);
        panel.set_runs({});
        QVERIFY(!panel.table()->isVisible());
    }
};

TEST_MAIN(TestRunsQueue)
#include "test_runs_queue.moc"
