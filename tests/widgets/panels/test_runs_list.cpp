// What a row of the list of runs tells: order, state, note, damage; and which folder the list is of.
#include <tuple>

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "figures/style.h"
#include "panel_test.h"
#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_panel.h"
#include "panels/training/training_progress.h"
#include "panels/view/icons.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::store::RunState;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

MemoryRun& add_going(MemoryLibrary& library) {
    auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
    run.its_summary.row.state = RunState::running;
    run.its_summary.live = run.its_summary.ours = true;
    run.its_pace.stage = Stage::training;
    run.its_pace.step = 60;
    run.its_pace.last_step = 80;
    run.its_pace.epoch = 2;
    run.its_pace.epochs = 2;
    run.its_pace.seconds_left = 90;
    return run;
}

QString cell(const RunsPanel& panel, const QString& folder, int role) {
    const int row = panel.model()->row_of(folder);
    return panel.model()->index(row, static_cast<int>(RunsColumn::name)).data(role).toString();
}

QStringList order(const RunsPanel& panel) {
    QStringList folders;
    for (int row = 0; row < panel.model()->rowCount(); ++row) folders << panel.model()->run(row).folder;
    return folders;
}

QString text_of(const QWidget& panel, const char* accessible_name) {
    return control<QLabel>(panel, QString::fromLatin1(accessible_name))->text();
}

}  // namespace

class TestRunsList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QApplication::setPalette(QPalette()); }

    void order_by_creation_is_stable() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        Selection selection;
        RunsPanel panel(library, selection);
        const auto before = order(panel);
        QCOMPARE(before.front(), library.runs[2]->folder());
        // The oldest one is written to: it stays where it is.
        library.runs[0]->its_summary.updated = QStringLiteral("2026-03-09T12:00:00Z");
        Q_EMIT library.changed(0);
        QCOMPARE(order(panel), before);
        auto& fresh = library.add(QStringLiteral("ETTh1-96"), 0.2, 2021);
        fresh.its_summary.created = QStringLiteral("2026-03-01T12:00:30.500Z");
        fresh.its_summary.updated.clear();  // its run.json is not read yet
        Q_EMIT library.added(3, 3);
        QCOMPARE(order(panel), QStringList{fresh.folder()} + before);
    }

    /// In a dock that is too narrow for their names, runs whose names differ in the middle look different.
    void narrow_rows_keep_what_distinguishes_them() {
        MemoryLibrary library;
        const auto name =
            QStringLiteral("a-rather-long-name-of-batch-%1-of-a-study-of-coverage-and-retrieval");
        for (const int i : {1, 2}) {
            auto& run = library.add(name.arg(i), 0.1, 2021);
            run.its_summary.colour = Qt::gray;
            run.its_summary.name = name.arg(i);
            run.its_summary.updated = QStringLiteral("2026-03-01T12:00:00Z");
            run.its_summary.best = false;
        }
        Selection selection;
        RunsPanel panel(library, selection);
        auto* view = panel.view();
        panel.show();
        const auto row_image = [&](int row) {
            const auto column = static_cast<int>(RunsColumn::name);
            return view->viewport()->grab(view->visualRect(panel.model()->index(row, column))).toImage();
        };
        for (const bool wide : {false, true}) {
            panel.resize(wide ? 1100 : 40 * panel.fontMetrics().averageCharWidth(), 300);
            if (wide) view->setColumnWidth(static_cast<int>(RunsColumn::name), 150);
            QTest::qWait(20);
            view->clearSelection();
            view->setAlternatingRowColors(false);
            QVERIFY(view->visualRect(panel.model()->index(0, static_cast<int>(RunsColumn::name))).width() <
                    panel.fontMetrics().horizontalAdvance(name));
            QVERIFY(row_image(0) != row_image(1));
            // Nothing but the names differs.
            auto& summary = library.runs[0]->its_summary;
            const auto before = std::pair(summary.batch, summary.name);
            summary.batch = library.runs[1]->its_summary.batch;
            summary.name = library.runs[1]->its_summary.name;
            Q_EMIT library.changed(0);
            QTRY_COMPARE(row_image(0), row_image(1));
            std::tie(summary.batch, summary.name) = before;
            Q_EMIT library.changed(0);
        }
    }

    void run_row_shows_state_and_progress() {
        MemoryLibrary library;
        auto& run = add_going(library);
        Selection selection;
        RunsPanel panel(library, selection);
        panel.resize(300, 200);
        const auto state = [&] { return cell(panel, run.folder(), RunsModel::StateRole); };
        const auto pace = [&] { return cell(panel, run.folder(), RunsModel::PaceRole); };
        QCOMPARE(state(), QStringLiteral("running"));
        QCOMPARE(pace(), QStringLiteral("epoch 2/2 · 2 min left"));
        run.its_pace.halt = widgets::Halt::paused;
        QCOMPARE(state(), QStringLiteral("paused"));
        QCOMPARE(pace(), QStringLiteral("paused"));  // and no time left
        const auto paused = panel.grab().toImage();
        QVERIFY(!pace_text(run.its_pace).contains(QStringLiteral("left")) &&
                pace_text(run.its_pace).contains(QStringLiteral("paused")));
        run.its_pace.halt = widgets::Halt::stopping;
        QCOMPARE(state(), QStringLiteral("stopping"));
        // The evaluation that finishing early leads to is no stopping any more.
        run.its_pace.stage = {Stage::evaluating, "test"};
        run.its_pace.stage_share = 0.32;
        QCOMPARE(state(), QStringLiteral("evaluating test 32 %"));
        QCOMPARE(pace(), QStringLiteral("evaluating test 32 % · 2 min left"));
        run.its_pace.halt = widgets::Halt::none;
        QCOMPARE(pace(), QStringLiteral("evaluating test 32 % · 2 min left"));
        QVERIFY2(pace_text(run.its_pace).contains(QStringLiteral("evaluating test 32 % · 2 min left")),
                 qPrintable(pace_text(run.its_pace)));
        Q_EMIT run.changed(RunPart::summary);
        QVERIFY(panel.grab().toImage() != paused);
    }

    void a_fork_counts_its_own_steps() {
        RunPace pace;
        pace.first_step = 266;
        pace.step = 284;
        pace.last_step = 399;
        QVERIFY(std::abs(pace.share() - 18.0 / 133) < 1e-12);
        pace.step = 399;
        QCOMPARE(pace.share(), 1.0);
    }

    void only_queued_runs_are_shown_as_queued() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        run.its_summary.row.state = RunState::queued;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.select_runs({run.folder()});
        const auto* resume = panel.action(QStringLiteral("runs_resume"));
        QCOMPARE(cell(panel, run.folder(), RunsModel::StateRole), QStringLiteral("not started"));
        QVERIFY(resume->isEnabled());
        panel.set_queued({run.folder()});
        QCOMPARE(cell(panel, run.folder(), RunsModel::StateRole), QStringLiteral("queued"));
        QVERIFY(!resume->isEnabled());
    }

    void the_footer_counts_this_folder_which_is_named() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        Selection selection;
        RunsPanel panel(library, selection);
        selection.set_runs({run.folder(), QStringLiteral("/other/a/b"), QStringLiteral("/other/a/c")});
        QCOMPARE(text_of(panel, "Number of runs"), QStringLiteral("1 run · 1 shown"));
        QToolButton* folder = nullptr;
        for (auto* button : panel.findChildren<QToolButton*>())
            if (button->text() == library.folder()) folder = button;
        QVERIFY(folder != nullptr && folder->toolTip().contains(library.folder()));
        QSignalSpy open(&panel, &RunsPanel::open_folder_requested);
        folder->click();
        QCOMPARE(open.count(), 1);
    }

    void notes_are_seen_in_the_narrow_list() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        Selection selection;
        RunsPanel panel(library, selection);
        for (const int width : {200, 300}) {
            panel.resize(width, 140);
            library.set_note(run.folder(), {});
            const auto without = panel.grab().toImage();
            library.set_note(run.folder(), QStringLiteral("baseline of the paper"));
            QVERIFY(panel.view()->is_compact());
            QVERIFY2(panel.grab().toImage() != without, qPrintable(QString::number(width)));
        }
        QVERIFY(cell(panel, run.folder(), Qt::ToolTipRole).contains(QStringLiteral("baseline of the paper")));
    }

    void unreadable_run_is_marked() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        Selection selection;
        RunsPanel panel(library, selection);
        panel.resize(300, 140);
        selection.set_runs({run.folder()});
        QCOMPARE(cell(panel, run.folder(), RunsModel::DamageRole), QString());
        const auto good = panel.grab().toImage();
        run.its_problem = QStringLiteral("run.h5: truncated");
        Q_EMIT run.changed(RunPart::everything);
        QCOMPARE(cell(panel, run.folder(), RunsModel::DamageRole), run.its_problem);
        QVERIFY(cell(panel, run.folder(), Qt::ToolTipRole).contains(QStringLiteral("truncated")));
        QVERIFY(panel.grab().toImage() != good);
    }

    void restoring_removes_the_undo_offer() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        const auto folder = run.folder();
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        panel.removal()->discard({folder});
        QVERIFY(panel.banner()->isVisible());
        Q_EMIT panel.wastebasket()->restored({folder});
        QVERIFY(!panel.banner()->isVisible());
    }

    void moving_many_runs_can_be_cancelled() {
        class Slow : public MemoryLibrary {
        public:
            QStringList asked;
            bool stopped = false, moves = false;
            void start_discard(const QStringList& folders) override {
                asked = folders;
                moves = true;
                tell(0);
            }
            void cancel_moves() override { stopped = true; }
            bool is_moving() const override { return moves; }
            void tell(int done) { Q_EMIT moving(false, done, static_cast<int>(asked.size())); }
            void end(qsizetype moved) {
                RunMoves result;
                result.folder = folder();
                result.moved = asked.mid(0, moved);
                result.left = asked.size() - moved;
                (void)discard(result.moved);
                moves = false;
                Q_EMIT moves_ended(result);
            }
        } library;
        QStringList folders;
        for (int seed = 0; seed < 50; ++seed)
            folders << library.add(QStringLiteral("ETTh1-96"), 0.1, seed).folder();
        Q_EMIT library.reset();
        Selection selection;
        selection.set_runs({folders[0], folders[40]});
        RunsPanel panel(library, selection);
        panel.show();
        panel.show_wastebasket(true);
        panel.removal()->discard(folders.mid(0, 3));  // gone before it could be read
        QVERIFY(!panel.banner()->isVisible());
        library.end(3);
        QVERIFY(panel.banner()->text().startsWith(QStringLiteral("3 runs moved")));
        QCOMPARE(selection.state().runs, QStringList{folders[40]});

        panel.removal()->discard(folders.mid(3));
        QTest::qWait(600);
        library.tell(10);
        QVERIFY2(panel.banner()->text().startsWith(QStringLiteral("Moving 10 of 47 runs")),
                 qPrintable(panel.banner()->text()));
        QVERIFY(panel.banner()->text().contains(QStringLiteral("left")));
        // Emptying would take more than was asked about.
        for (const auto* button : panel.wastebasket()->findChildren<QPushButton*>())
            QCOMPARE(button->isEnabled(), button->text().contains(QStringLiteral("Back")));
        panel.wastebasket()->empty_now();
        QCOMPARE(library.basket.size(), std::size_t{3});
        QCOMPARE(panel.banner()->button()->text(), QStringLiteral("Cancel"));
        panel.banner()->button()->click();
        QVERIFY(library.stopped);
        library.tell(12);  // one more was on its way
        QCOMPARE(panel.banner()->text(), QStringLiteral("Stopping…"));
        QVERIFY(panel.banner()->isVisible() && !panel.banner()->button()->isVisible());
        library.end(20);
        QVERIFY(panel.banner()->text().startsWith(QStringLiteral("20 runs moved")));
        QVERIFY(panel.banner()->text().contains(QStringLiteral("27 runs remain")));
        QCOMPARE(selection.state().runs, QStringList{folders[40]});  // it has stayed
        panel.banner()->button()->click();
        QCOMPARE(panel.model()->total(), 47);
        QVERIFY(library.basket.size() == 3 && !panel.banner()->isVisible());
    }

    void moving_runs_cannot_be_started() {
        class Slow : public MemoryLibrary {
        public:
            QSet<QString> leaving;
            void start_discard(const QStringList& folders) override {
                leaving = {folders.begin(), folders.end()};
                Q_EMIT moving(false, 0, static_cast<int>(folders.size()));
            }
            bool is_moving() const override { return !leaving.isEmpty(); }
            bool is_leaving(const QString& folder) const override { return leaving.contains(folder); }
        } library;
        QStringList folders;
        for (int seed = 0; seed < 2; ++seed) {
            auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
            run.its_summary.row.state = casp::store::RunState::interrupted;
            run.its_summary.row.steps = 5;
            folders << run.folder();
        }
        Q_EMIT library.reset();
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        const auto all = [&](bool on) {
            return panel.action(QStringLiteral("runs_resume"))->isEnabled() == on &&
                   panel.action(QStringLiteral("runs_fork"))->isEnabled() == on &&
                   panel.action(QStringLiteral("runs_note"))->isEnabled() == on &&
                   panel.action(QStringLiteral("runs_colour"))->isEnabled() == on &&
                   panel.action(QStringLiteral("runs_discard"))->isEnabled() == on;
        };
        panel.select_runs({folders[0]});
        QVERIFY(all(true));
        panel.removal()->discard({folders[0]});
        QVERIFY(all(false));
        panel.select_runs({folders[1]});
        QVERIFY(all(true));
        panel.select_runs({folders[0]});
        RunMoves result;
        result.left = 1;
        library.leaving.clear();
        Q_EMIT library.moves_ended(result);  // it has stayed
        QVERIFY(all(true));
    }

    void second_move_does_not_reset_the_progress() {
        class Slow : public MemoryLibrary {
        public:
            void start_discard(const QStringList&) override { Q_EMIT moving(false, 0, 1000); }
            bool is_moving() const override { return true; }
        } library;
        const auto folder = library.add(QStringLiteral("ETTh1-96"), 0.1, 1).folder();
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        panel.removal()->discard({folder});
        Q_EMIT library.moving(false, 500, 1000);
        const auto told = panel.banner()->text();
        panel.removal()->discard({folder});  // waits for the first
        QCOMPARE(panel.banner()->text(), told);
    }

    void restore_problem_is_reported() {
        class Refusing : public MemoryLibrary {
        public:
            void start_restore(const QStringList& folders) override {
                (void)restore(folders.mid(1));
                report(folders, true, {QStringLiteral("another run exists there by now")});
            }
        } library;
        QStringList folders;
        for (int seed = 0; seed < 2; ++seed)
            folders << library.add(QStringLiteral("ETTh1-96"), 0.1, seed).folder();
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        panel.removal()->discard(folders);
        panel.show_wastebasket(true);
        panel.wastebasket()->restore_selected();
        QVERIFY(panel.banner()->isVisible());
        QVERIFY(panel.banner()->text().contains(QStringLiteral("another run exists there")));
        QCOMPARE(panel.model()->total(), 1);
    }

    void a_run_has_one_name() {
        MemoryLibrary library;
        auto& run = library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        QCOMPARE(run_title(run.its_summary), QStringLiteral("ETTh1-96 · λ_cov 0.1 · seed 2021"));
        QVERIFY(run_title(run.its_summary).startsWith(compact_title(run.its_summary)));
        QCOMPARE(run_title(library, run.folder()), run_title(run.its_summary));
        QCOMPARE(run_title(library, QStringLiteral("/elsewhere/a/b")), QStringLiteral("a/b"));
        run.its_summary.parent = QStringLiteral("/runs/a");
        QVERIFY(compact_title(run.its_summary).contains(QStringLiteral("fork")));
    }

    void circles_are_seen_in_the_dark() {
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(28, 30, 34));
        QApplication::setPalette(dark);
        QImage image(16, 16, QImage::Format_ARGB32);
        image.fill(dark.color(QPalette::Base));
        QPainter painter(&image);
        draw_swatch(painter, QRectF(0, 0, 16, 16), QColor(51, 34, 136), true);  // indigo
        painter.end();
        QVERIFY(casp::figures::contrast(image.pixelColor(8, 8), dark.color(QPalette::Base)) > 3);
    }
};

TEST_MAIN(TestRunsList)
#include "test_runs_list.moc"
