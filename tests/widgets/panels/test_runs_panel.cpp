// The list of runs: filter, order, the eye, actions, wastebasket, layout, and 10,000 runs.
#include <QAction>
#include <QClipboard>
#include <QColorDialog>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "panel_test.h"
#include "panels/runs/runs_panel.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::store::RunState;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

/// Two experiments, 2 × 3 and 1 runs; the last ones go on, failed and were cut off.
void fill(MemoryLibrary& library) {
    for (const double lambda : {0.0, 0.1})
        for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), lambda, seed);
    library.runs[3]->its_summary.best = true;
    auto& going = library.add(QStringLiteral("Weather-96"), 0.05, 2021);
    going.its_summary.row.state = RunState::running;
    going.its_summary.live = going.its_summary.ours = true;
    going.its_summary.row.test_mse = casp::store::not_known;
    going.its_pace = {252, 126, 3, 10, 1260, 4.2, 240, 0, casp::Stage::training, 0.2, QStringLiteral("cpu"),
                      {},  0,   {}};
    auto& failed = library.add(QStringLiteral("Weather-96"), 0.1, 2022);
    failed.its_summary.row.state = RunState::failed;
    failed.its_summary.message = QStringLiteral("out of memory; halve train.batch_size");
    failed.its_summary.row.test_mse = failed.its_summary.row.val_mse = casp::store::not_known;
    auto& gone = library.add(QStringLiteral("Weather-96"), 0.5, 2022);
    gone.its_summary.row.state = RunState::running;  // its process was killed: nobody holds the lock
}

struct FilledLibrary : MemoryLibrary {
    FilledLibrary() { fill(*this); }
};

QStringList names(const RunsModel& model) {
    QStringList result;
    for (int row = 0; row < model.rowCount(); ++row) result += model.run(row).batch + model.run(row).name;
    return result;
}

int count_of(const QString& filter, MemoryLibrary& library) {
    Selection selection;
    RunsModel model(library, selection);
    model.set_filter(RunsFilter(filter));
    return model.rowCount();
}

}  // namespace

class TestRunsPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filter_and_order_follow_what_is_shown() {
        FilledLibrary library;
        const auto folder = [&](int i) { return library.at(i).folder; };
        Selection selection;
        RunsModel model(library, selection);
        model.set_filter(RunsFilter(QStringLiteral("shown:yes")));
        QCOMPARE(model.rowCount(), 0);
        selection.set_runs({folder(3)});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.run(0).folder, folder(3));
        selection.set_runs({folder(3), folder(1), folder(5)});
        QCOMPARE(model.rowCount(), 3);
        model.set_shown({folder(1)}, false);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.row_of(folder(1)), -1);
        selection.set_runs({});
        QCOMPARE(model.rowCount(), 0);

        model.set_filter(RunsFilter());
        model.sort(static_cast<int>(RunsColumn::shown), Qt::AscendingOrder);
        selection.set_runs({folder(4)});
        QCOMPARE(model.run(0).folder, folder(4));
        selection.set_runs({folder(8), folder(2)});
        QCOMPARE(model.run(0).folder, folder(2));
        QCOMPARE(model.run(1).folder, folder(8));
        QCOMPARE(model.run(2).folder, folder(0));
        // Where neither asks for it nothing moves.
        model.sort(static_cast<int>(RunsColumn::name), Qt::AscendingOrder);
        QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged), reset(&model, &RunsModel::modelReset);
        selection.set_runs({folder(1)});
        QVERIFY(moved.isEmpty() && reset.isEmpty());
    }

    void init() { QApplication::setPalette(QPalette()); }

    void filter_finds() {
        FilledLibrary library;
        QCOMPARE(count_of(QString(), library), 9);
        QCOMPARE(count_of(QStringLiteral("weather"), library), 3);
        QCOMPARE(count_of(QStringLiteral("-weather"), library), 6);
        QCOMPARE(count_of(QStringLiteral("lambda_cov>0.05"), library), 5);
        QCOMPARE(count_of(QStringLiteral("λ_cov>=0.05 weather"), library), 3);
        QCOMPARE(count_of(QStringLiteral("lambda_cov<=0"), library), 3);
        QCOMPARE(count_of(QStringLiteral("seed=2021,2023"), library), 5);
        QCOMPARE(count_of(QStringLiteral("state:finished"), library), 6);
        QCOMPARE(count_of(QStringLiteral("state:interrupted"), library), 1);
        QCOMPARE(count_of(QStringLiteral("state:running,failed"), library), 2);
        QCOMPARE(count_of(QStringLiteral("mse<100"), library), 7);  // not known is not small
        QCOMPARE(count_of(QStringLiteral("-mse<100"), library), 2);
        library.runs[0]->its_summary.note = QStringLiteral("too short, again");
        QCOMPARE(count_of(QStringLiteral("note:\"too short\""), library), 1);
        library.runs[1]->its_summary.row.state = RunState::finished_early;
        QCOMPARE(count_of(QStringLiteral("state:finished"), library), 6);
        QCOMPARE(count_of(QStringLiteral("state=finished"), library), 5);
        // The model by its name or title; the star.
        library.runs[2]->its_summary.row.model = "patchtst";
        library.runs[3]->its_summary.row.model = "naive";
        for (const char* filter : {"patchtst", "PatchTST", "model:patch", "model=PatchTST"})
            QCOMPARE(count_of(QString::fromLatin1(filter), library), 1);
        QCOMPARE(count_of(QStringLiteral("persistence"), library), 1);
        QCOMPARE(count_of(QStringLiteral("best:yes"), library), 1);
        QCOMPARE(count_of(QStringLiteral("-best:yes"), library), 8);
        QCOMPARE(count_of(QStringLiteral("best:no"), library), 8);
    }

    void model_and_best_are_columns() {
        FilledLibrary library;
        library.runs[2]->its_summary.row.model = "patchtst";
        Selection selection;
        RunsModel model(library, selection);
        const auto text = [&](const std::shared_ptr<MemoryRun>& run, RunsColumn column, int role) {
            return model.index(model.row_of(run->folder()), static_cast<int>(column)).data(role).toString();
        };
        QCOMPARE(text(library.runs[2], RunsColumn::model, Qt::DisplayRole), QStringLiteral("PatchTST"));
        QVERIFY(
            text(library.runs[2], RunsColumn::name, Qt::ToolTipRole).contains(QStringLiteral("PatchTST")));
        QVERIFY(text(library.runs[2], RunsColumn::name, Qt::AccessibleTextRole)
                    .contains(QStringLiteral("PatchTST")));
        QCOMPARE(text(library.runs[3], RunsColumn::best, Qt::DisplayRole), QStringLiteral("★"));
        QVERIFY(text(library.runs[3], RunsColumn::name, Qt::ToolTipRole).contains(QStringLiteral("budget")));
        QCOMPARE(text(library.runs[2], RunsColumn::best, Qt::DisplayRole), QString());
        model.sort(static_cast<int>(RunsColumn::model), Qt::DescendingOrder);
        QCOMPARE(model.run(0).folder, library.runs[2]->folder());
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(static_cast<int>(RunsColumn::best), order);
            QCOMPARE(model.run(0).folder, library.runs[3]->folder());
        }
    }

    void filter_explains() {
        const auto problem = [](const char* text) { return RunsFilter(QString::fromUtf8(text)).problem(); };
        QVERIFY(problem("lamda_cov>0.1").contains(QStringLiteral("lambda_cov")));
        QVERIFY(problem("mse<abc").contains(QStringLiteral("not a number")));
        QVERIFY(problem("mse<").contains(QStringLiteral("Type a value")));
        QVERIFY(problem("state:done").contains(QStringLiteral("finished_early")));
        QVERIFY(problem("data>3").contains(QStringLiteral("data:3")));
        QVERIFY(problem("best:maybe").contains(QStringLiteral("best:yes")));
        QVERIFY(problem("mse<1,2").contains(QStringLiteral("one number")));
        QCOMPARE(problem("etth1 12:30 -x seed=1"), QString());
        // What cannot be understood restricts nothing, so that a list never empties while one types.
        FilledLibrary library;
        QCOMPARE(count_of(QStringLiteral("weather mse<"), library), 3);
    }

    void sorts_numbers_and_puts_unknown_last() {
        FilledLibrary library;
        Selection selection;
        RunsModel model(library, selection);
        const auto mse = static_cast<int>(result_column("test_mse"));
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(mse, order);
            double last = order == Qt::AscendingOrder ? -1 : 100;
            int known = 0;
            for (int row = 0; row < model.rowCount(); ++row) {
                const double value = model.run(row).row.test_mse;
                if (std::isnan(value)) continue;
                QCOMPARE(known, row);  // no unknown one above
                ++known;
                QVERIFY(order == Qt::AscendingOrder ? value >= last : value <= last);
                last = value;
            }
            QCOMPARE(known, 7);
        }
        // A new number moves the row at once.
        model.sort(mse, Qt::AscendingOrder);
        library.runs[0]->its_summary.row.test_mse = 0.001;
        QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
        Q_EMIT library.changed(0);
        QCOMPARE(moved.count(), 1);
        QCOMPARE(model.run(0).folder, library.runs[0]->its_summary.folder);
        library.runs[0]->its_summary.row.test_mse = 50;
        Q_EMIT library.changed(0);
        QCOMPARE(model.run(6).folder, library.runs[0]->its_summary.folder);
    }

    void follows_the_library() {
        FilledLibrary library;
        Selection selection;
        RunsModel model(library, selection);
        model.set_filter(RunsFilter(QStringLiteral("state:finished")));
        model.sort(static_cast<int>(RunsColumn::name), Qt::AscendingOrder);
        QCOMPARE(model.rowCount(), 6);
        auto& late = library.add(QStringLiteral("ETTm1-96"), 0.02, 2021);
        Q_EMIT library.added(9, 9);
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(model.total(), 10);
        late.its_summary.row.state = RunState::failed;
        Q_EMIT library.changed(9);
        QCOMPARE(model.rowCount(), 6);
        QStringList expected = names(model);
        const QString victim = library.runs[1]->its_summary.folder;
        expected.removeOne(library.runs[1]->its_summary.batch + library.runs[1]->its_summary.name);
        library.discard({victim});
        QCOMPARE(names(model), expected);
        QCOMPARE(model.row_of(victim), -1);
        library.restore({victim});
        QCOMPARE(model.rowCount(), 6);
        library.runs.clear();
        Q_EMIT library.reset();
        QCOMPARE(model.rowCount(), 0);
    }

    void eye_and_selection_stay_in_sync() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const QString a = library.runs[0]->its_summary.folder, b = library.runs[4]->its_summary.folder;
        selection.set_runs({a});
        const auto eye = [&](const QString& folder) {
            return panel.model()->index(panel.model()->row_of(folder), static_cast<int>(RunsColumn::shown));
        };
        QCOMPARE(eye(a).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        QVERIFY(panel.model()->setData(eye(b), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(selection.state().runs, QStringList({a, b}));
        panel.select_runs({a, b});
        panel.view()->setFocus();
        QTest::keyClick(panel.view(), Qt::Key_Space);  // all are shown: hides all
        QCOMPARE(selection.state().runs, QStringList());
        QTest::keyClick(panel.view(), Qt::Key_Space);
        QCOMPARE(selection.state().runs.size(), 2);
        panel.action(QStringLiteral("runs_only"))->trigger();
        QCOMPARE(selection.state().runs.size(), 2);
        selection.back();
        QCOMPARE(selection.state().runs.size(), 0);
        QCOMPARE(eye(a).data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
    }

    void a_click_on_the_circle_or_the_eye_shows() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        for (const int width : {260, 1200}) {
            selection.set_runs({});
            panel.resize(width, 500);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            QCOMPARE(panel.view()->is_compact(), width == 260);
            const auto column = width == 260 ? RunsColumn::name : RunsColumn::shown;
            const QRect cell = panel.view()->visualRect(panel.model()->index(2, static_cast<int>(column)));
            const QPoint at = width == 260 ? QPoint(cell.left() + 14, cell.center().y()) : cell.center();
            QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, at);
            QCOMPARE(selection.state().runs, QStringList{panel.model()->run(2).folder});
            QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, at);
            QCOMPARE(selection.state().runs, QStringList());
            QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {},
                              QPoint(cell.right() + 60, cell.center().y()));
            QCOMPARE(selection.state().runs, QStringList());
        }
    }

    void filter_keeps_what_is_highlighted() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const QString a = library.runs[0]->its_summary.folder;
        panel.select_runs({a});
        panel.set_filter_text(QStringLiteral("etth1"));
        QCOMPARE(panel.selected_runs(), QStringList{a});
        panel.view()->horizontalHeader()->setSortIndicator(static_cast<int>(result_column("test_mse")),
                                                           Qt::DescendingOrder);
        QCOMPARE(panel.selected_runs(), QStringList{a});
        panel.resize(1200, 500);
        QCOMPARE(panel.selected_runs(), QStringList{a});
        panel.set_filter_text(QStringLiteral("weather"));
        QCOMPARE(panel.selected_runs(), QStringList());
    }

    void actions_are_enabled_where_possible() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const auto enabled = [&](const char* name) { return panel.action(QLatin1String(name))->isEnabled(); };
        for (auto* action : panel.commands()->actions()) {
            QVERIFY2(!action->toolTip().isEmpty() && !action->objectName().isEmpty(),
                     qPrintable(action->text()));
            QVERIFY(!action->isEnabled());
        }
        const QString done = library.runs[0]->its_summary.folder, going = library.runs[6]->its_summary.folder,
                      cut = library.runs[8]->its_summary.folder;
        panel.select_runs({done});
        QVERIFY(enabled("runs_open") && enabled("runs_fork") && enabled("runs_discard"));
        QVERIFY(!enabled("runs_compare") && !enabled("runs_resume"));
        panel.select_runs({going});
        QVERIFY(!enabled("runs_discard") && !enabled("runs_resume"));
        panel.select_runs({cut});
        QVERIFY(enabled("runs_resume"));
        // Left in the queue by an earlier session; not one that a process begins just now.
        auto& left = library.runs[8]->its_summary;
        left.row.state = RunState::queued;
        Q_EMIT library.changed(8);
        panel.select_runs({});
        panel.select_runs({cut});
        QVERIFY(enabled("runs_resume"));
        left.live = true;
        Q_EMIT library.changed(8);
        panel.select_runs({});
        panel.select_runs({cut});
        QVERIFY(!enabled("runs_resume"));
        left.live = false;
        left.row.state = RunState::running;
        Q_EMIT library.changed(8);
        panel.select_runs({done, cut});
        QVERIFY(enabled("runs_compare") && enabled("runs_difference") && !enabled("runs_open") &&
                !enabled("runs_resume"));

        QSignalSpy resume(panel.commands(), &RunsCommands::resume_requested),
            compare(panel.commands(), &RunsCommands::compare_requested),
            open(panel.commands(), &RunsCommands::open_requested);
        panel.action(QStringLiteral("runs_compare"))->trigger();
        QCOMPARE(compare.takeFirst().at(0).toStringList().size(), 2);
        panel.select_runs({cut});
        panel.action(QStringLiteral("runs_resume"))->trigger();
        QCOMPARE(resume.takeFirst().at(0).toStringList(), QStringList{cut});
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QCOMPARE(open.takeFirst().at(0).toString(), cut);
    }

    void discard_and_undo() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.resize(300, 500);
        panel.show();
        const QString a = library.runs[0]->its_summary.folder, b = library.runs[1]->its_summary.folder;
        selection.set_runs({a});
        panel.select_runs({a, b});
        QSignalSpy gone(panel.removal(), &RunsRemoval::discarded);
        panel.view()->setFocus();
        panel.removal()->discard({a, b});
        QCOMPARE(gone.count(), 1);
        QCOMPARE(panel.model()->total(), 7);
        QCOMPARE(selection.state().runs, QStringList());
        QVERIFY(panel.banner()->isVisible());
        QVERIFY(panel.banner()->text().startsWith(QStringLiteral("2 runs moved")));
        QTest::mouseClick(panel.banner()->button(), Qt::LeftButton);
        QCOMPARE(panel.model()->total(), 9);
        QCOMPARE(selection.state().runs, QStringList{a});
        QVERIFY(!panel.banner()->isVisible());
        // A run that goes on stays, and the reason is said.
        panel.removal()->discard({library.run(a)->folder(), library.runs[4]->folder()});
        QCOMPARE(panel.model()->total(), 8);
        QVERIFY(panel.banner()->text().contains(QStringLiteral("cancel it first")));
    }

    void wastebasket_restores_and_empties() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const QString a = library.runs[0]->its_summary.folder, b = library.runs[1]->its_summary.folder;
        panel.removal()->discard({a, b});
        panel.show_wastebasket(true);
        auto* list = panel.wastebasket()->list();
        QCOMPARE(list->count(), 2);
        list->item(0)->setSelected(true);
        panel.wastebasket()->restore_selected();
        QCOMPARE(list->count(), 1);
        QCOMPARE(panel.model()->total(), 8);
        panel.wastebasket()->empty_now();
        QCOMPARE(list->count(), 0);
        QCOMPARE(library.basket.size(), std::size_t{0});
        panel.show_wastebasket(false);
    }

    void the_wastebasket_is_emptied_in_the_background() {
        class Slow : public MemoryLibrary {
        public:
            void empty_wastebasket() override {
                QTimer::singleShot(300, this, [this] { basket.clear(); });
            }
        } library;
        fill(library);
        Selection selection;
        RunsPanel panel(library, selection);
        panel.removal()->discard({library.runs[0]->its_summary.folder, library.runs[1]->its_summary.folder});
        panel.show_wastebasket(true);
        panel.wastebasket()->empty_now();
        QCOMPARE(panel.wastebasket()->list()->count(), 2);
        for (const auto* button : panel.wastebasket()->findChildren<QPushButton*>())
            QCOMPARE(button->isEnabled(), button->text().contains(QStringLiteral("Back")));
        panel.wastebasket()->restore_selected();  // not while they go
        QCOMPARE(panel.model()->total(), 7);
        QTRY_COMPARE_WITH_TIMEOUT(panel.wastebasket()->list()->count(), 0, 3000);
        QVERIFY(library.basket.empty());
    }

    void a_note_is_saved_or_left_as_it_was() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.show();
        const QString a = library.runs[0]->its_summary.folder;
        panel.select_runs({a});
        for (const bool keep : {false, true}) {
            panel.action(QStringLiteral("runs_note"))->trigger();
            auto* dialog = panel.findChild<QInputDialog*>();
            QVERIFY(dialog != nullptr);
            QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("good"));
            QTest::keyClick(dialog, keep ? Qt::Key_Return : Qt::Key_Escape);
            QCOMPARE(library.run(a)->its_summary.note, keep ? QStringLiteral("good") : QString());
            QTRY_VERIFY(panel.findChild<QInputDialog*>() == nullptr);
        }
    }

    /// Its row is current no longer, but a neighbour's.
    void the_selected_run_is_opened_when_another_has_gone() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const QString a = panel.model()->run(0).folder, b = panel.model()->run(4).folder;
        panel.select_runs({a, b});
        panel.removal()->discard({a});
        QCOMPARE(panel.selected_runs(), QStringList{b});
        QVERIFY(panel.view()->currentIndex().row() != panel.model()->row_of(b));
        QSignalSpy open(panel.commands(), &RunsCommands::open_requested);
        panel.action(QStringLiteral("runs_open"))->trigger();
        QCOMPARE(open.size(), 1);
        QCOMPARE(open[0][0].toString(), b);
    }

    void the_colour_is_for_the_runs_that_were_selected_first() {
        FilledLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        const QString a = library.runs[0]->its_summary.folder, b = library.runs[1]->its_summary.folder;
        const auto before = library.runs[1]->its_summary.colour;
        panel.select_runs({a});
        panel.commands()->colour_menu()->actions().last()->trigger();
        auto* dialog = panel.findChild<QColorDialog*>();
        QVERIFY(dialog != nullptr);
        panel.select_runs({b});
        dialog->setCurrentColor(QColor(1, 2, 3));
        dialog->accept();
        QCOMPARE(library.run(a)->its_summary.colour, QColor(1, 2, 3));
        QCOMPARE(library.run(b)->its_summary.colour, before);
    }

    void copies_rows() {
        FilledLibrary library;
        library.runs[3]->its_summary.note = QStringLiteral("a, \"b\"");
        Selection selection;
        RunsPanel panel(library, selection);
        panel.select_runs({library.runs[3]->its_summary.folder});
        panel.action(QStringLiteral("runs_copy_csv"))->trigger();
        auto lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);  // header, row, and the end of the last line
        QVERIFY(lines[0].startsWith(
            QStringLiteral("state,name,experiment,data,model,cell,lambda_cov,seed,val_mse,best")));
        QVERIFY(lines[1].startsWith(QStringLiteral(
            "finished,lambda_cov-0.1_seed-2021,ETTh1-96,ETTh1,casp-llm,512/96,0.1,2021,0.39,yes,")));
        QVERIFY(lines[1].endsWith(QStringLiteral("\"a, \"\"b\"\"\"")));
        panel.view()->set_column_visible(result_column("seed"), false);
        panel.view()->selectAll();
        panel.action(QStringLiteral("runs_copy_markdown"))->trigger();
        lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 12);
        QVERIFY(!lines[0].contains(QStringLiteral("Seed")));
        QCOMPARE(lines[1].size(), lines[0].size());
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("★")));
    }

    void layout_comes_back() {
        FilledLibrary library;
        Selection selection;
        QByteArray state;
        {
            RunsPanel panel(library, selection);
            panel.resize(1300, 400);
            panel.show();
            panel.view()->set_column_visible(RunsColumn::note, false);
            panel.view()->set_column_visible(result_column("epochs"), true);
            auto* header = panel.view()->horizontalHeader();
            header->resizeSection(static_cast<int>(result_column("test_mse")), 133);
            header->moveSection(header->visualIndex(static_cast<int>(result_column("test_mse"))), 0);
            header->setSortIndicator(static_cast<int>(result_column("test_mae")), Qt::AscendingOrder);
            state = panel.view()->save_state();
        }
        RunsPanel panel(library, selection);
        QVERIFY(!panel.view()->restore_state(QByteArray("rubbish")));
        QVERIFY(panel.view()->restore_state(state));
        panel.resize(1300, 400);
        panel.show();
        const auto* header = panel.view()->horizontalHeader();
        QVERIFY(!panel.view()->is_column_visible(RunsColumn::note) &&
                panel.view()->is_column_visible(result_column("epochs")));
        QCOMPARE(header->logicalIndex(0), static_cast<int>(result_column("test_mse")));
        QCOMPARE(header->sectionSize(static_cast<int>(result_column("test_mse"))), 133);
        QCOMPARE(panel.model()->sort_column(), result_column("test_mae"));
        QCOMPARE(panel.model()->sort_order(), Qt::AscendingOrder);
        QCOMPARE(panel.view()->save_state(), state);
    }

    void empty_lists_explain_themselves() {
        MemoryLibrary library;
        Selection selection;
        RunsPanel panel(library, selection);
        panel.resize(280, 400);
        panel.show();
        const auto visible_text = [&] {
            QString text;
            for (const auto* label : panel.findChildren<QLabel*>())
                if (label->isVisible()) text += label->text();
            return text;
        };
        QVERIFY(visible_text().contains(QStringLiteral("Your runs will be listed here")));
        fill(library);
        Q_EMIT library.added(0, 8);
        panel.set_filter_text(QStringLiteral("nothing has this name"));
        QVERIFY(visible_text().contains(QStringLiteral("No run matches")));
        panel.set_filter_text(QStringLiteral("lamda_cov>0.1"));
        QVERIFY(visible_text().contains(QStringLiteral("Did you mean lambda_cov?")));
    }

    void ten_thousand_runs() {
        MemoryLibrary library;
        for (int i = 0; i < 10000; ++i) {
            auto& run = library.add(QStringLiteral("ETTh1-%1").arg(i % 50), (i % 7) * 0.05, 2021 + i % 13,
                                    QStringLiteral("-%1").arg(i));
            run.its_summary.row.test_mse += (i * 7919 % 1000) * 1e-4;
            run.its_summary.best = i % 500 == 3;
        }
        Selection selection;
        QElapsedTimer timer;
        timer.start();
        RunsPanel panel(library, selection);
        panel.resize(1350, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.grab();
        const auto opened = timer.restart();
        panel.set_filter_text(QStringLiteral("lambda_cov>0.05 seed=2021,2024"));
        panel.grab();
        const auto filtered = timer.restart();
        QVERIFY(panel.model()->rowCount() > 500 && panel.model()->rowCount() < 2000);
        panel.set_filter_text({});
        const auto unfiltered = timer.restart();
        panel.view()->horizontalHeader()->setSortIndicator(static_cast<int>(result_column("test_mse")),
                                                           Qt::AscendingOrder);
        panel.grab();
        const auto sorted = timer.restart();
        panel.view()->horizontalHeader()->setSortIndicator(static_cast<int>(RunsColumn::name),
                                                           Qt::AscendingOrder);
        const auto by_name = timer.restart();
        panel.view()->selectAll();
        QCOMPARE(panel.selected_runs().size(), 10000);
        QTest::keyClick(panel.view(), Qt::Key_Space);
        QCOMPARE(selection.state().runs.size(), 10000);
        const auto all_shown = timer.restart();
        for (int i = 0; i < 100; ++i) {
            library.runs[static_cast<std::size_t>(i)]->its_summary.row.test_mse = 0.5 - i * 1e-3;
            Q_EMIT library.changed(i);
        }
        const auto changes = timer.restart();
        // Ten times what was measured: a test machine under load must not fail it, a quadratic step must.
        QVERIFY(opened < 3000 && filtered < 1000 && unfiltered < 1000 && sorted < 1000 && by_name < 1000);
        QVERIFY(all_shown < 3000 && changes < 3000);
    }
};

TEST_MAIN(TestRunsPanel)
#include "test_runs_panel.moc"
