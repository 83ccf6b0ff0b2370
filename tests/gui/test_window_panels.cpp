// Panels and the status bar of the real window: floating, moving and finding them again, their help,
// what the bars say of a run, and going back in the selection.

#include "library_fixture.h"
#include "window_fixture.h"

#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>

#include "charts/view_frame.h"
#include "gui/command_palette.h"
#include "gui/help_panel.h"
#include "gui/pages.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/forecasts/forecasts_ahead.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/runs/runs_panel.h"
#include "panels/submit/submit_dialog.h"
#include "panels/training/training_progress.h"
#include "panels/view/view_page.h"
#include "store/run_file.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// Whether two docks share one row of tabs: then some tab bar has both titles.
bool share_tabs(gui::MainWindow& window, const QString& a, const QString& b) {
    for (const auto* bar : window.findChildren<QTabBar*>()) {
        QStringList titles;
        for (int i = 0; i < bar->count(); ++i) titles << bar->tabText(i).remove('&');
        if (bar->isVisible() && titles.contains(window.dock(a)->windowTitle()) &&
            titles.contains(window.dock(b)->windowTitle()))
            return true;
    }
    return false;
}

}  // namespace

class TestWindowPanels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void bars_count_to_the_last_step() {
        auto window = place_->open();
        auto config = place_->tiny(3);  // of 5 steps
        config.train.max_steps = 7;     // ends it in the second one
        window->experiment().replace(config, {}, "tiny");
        window->show_dock("training");
        auto* bar = window->statusBar()->findChild<QProgressBar*>();
        QStringList said;
        QList<std::pair<std::int64_t, std::int64_t>> paces;
        connect(&window->queue(), &gui::RunQueue::run_grew, this, [&] {
            const auto folder = window->selection().state().runs.value(0);
            auto* run = window->library().data(folder);
            if (run == nullptr || run->pace().step == 0) return;
            paces << std::pair{run->pace().step, run->pace().last_step};
            for (const auto* label : window->statusBar()->findChildren<QLabel*>())
                if (label->text().contains("step ")) said << label->text();
            if (run->pace().step == 7) {
                QCOMPARE(run->pace().share(), 1.0);
                QCOMPARE(bar->value(), bar->maximum());
                auto* progress = window->findChild<widgets::TrainingProgress*>();
                progress->show_run(run->summary(), run->pace());
                VERIFY_HAS(progress->text(), "step 7/7");
            }
        });
        window->actions().find("run.start")->trigger();
        QVERIFY(test::wait_idle(*window));
        QVERIFY(!paces.isEmpty());
        for (const auto& [step, last] : paces) QCOMPARE(last, std::int64_t{7});
        QCOMPARE(paces.last().first, std::int64_t{7});
        QVERIFY2(!said.isEmpty() && said.last().contains("step 7/7") && said.last().contains("cpu fp32") &&
                     said.last().contains("epoch 2/2"),
                 qPrintable(said.join('\n')));
        // One wording for one value: the status bar has what the page has.
        widgets::RunPace pace;
        pace.step = 3;
        pace.last_step = 12;
        pace.stage = Stage::training;
        pace.steps_per_second = 4;
        pace.memory_bytes = 550'000'000;
        const auto text = widgets::pace_text(pace);
        VERIFY_HAS(text, "step 3/12", "4 steps/s", "memory 550 MB");
    }

    void both_lambda_buttons_agree() {
        const auto listed = place_->runs() + "/old/a run";
        test::write_run(listed.toStdString(), store::RunState::finished);
        auto window = place_->open();
        QTRY_COMPARE(window->library().size(), 1);
        auto* form = window->findChild<widgets::ExperimentPanel*>()->run_with_lambda_button();
        const auto* toolbar = window->actions().find("run.lambda");
        QVERIFY(!toolbar->isEnabled() && !form->isEnabled());  // no data yet
        window->selection().set_runs({place_->path("a run")});
        QVERIFY2(!toolbar->isEnabled() && toolbar->toolTip().contains("Highlight the run"),
                 qPrintable(toolbar->toolTip()));
        window->selection().set_runs({listed});
        QVERIFY(toolbar->isEnabled());
        QTRY_VERIFY(form->isEnabled());
        VERIFY_HAS(toolbar->toolTip(), "As old");  // what is repeated
        QVERIFY(!window->actions().find("run.start")->isEnabled());
        window->selection().set_runs({});
        QVERIFY(!toolbar->isEnabled());
        QTRY_VERIFY(!form->isEnabled());
        // Forks are not repeated: also after an edit, once the panel has looked at the form.
        window->experiment().replace(place_->tiny(), {}, "tiny");
        window->actions().find("run.start")->trigger();
        QVERIFY(test::wait_idle(*window));
        const auto run = window->selection().state().runs.value(0);
        QTRY_COMPARE(window->library().data(run)->summary().row.state, store::RunState::finished);
        QVERIFY(toolbar->isEnabled() && form->isEnabled());
        auto config = place_->tiny(1);
        config.train.continue_from = run.toStdString();
        const auto folder = place_->path("runs/tiny/fork");
        window->queue().add({{"fork", config, {}, folder.toStdString()}});
        QVERIFY(test::wait_idle(*window));
        window->findChild<widgets::RunsPanel*>()->select_runs({folder});
        QTRY_VERIFY(!toolbar->isEnabled());
        QVERIFY(!window->experiment().set("train.epochs", std::int64_t{3}).size());
        QTest::qWait(250);
        QVERIFY(!form->isEnabled());
        QCOMPARE(form->toolTip(), toolbar->toolTip());
    }

    void reason_against_submitting_is_shown() {
        auto window = place_->open();
        auto* submit = window->actions().find("run.submit");
        submit->trigger();
        QVERIFY2(window->info().text("submit").startsWith("Cannot submit yet: "),
                 qPrintable(window->info().text("submit")));
        QVERIFY(window->findChild<widgets::SubmitDialog*>() == nullptr);
        window->experiment().replace(place_->tiny(), {}, "tiny");
        submit->trigger();
        auto* dialog = window->findChild<widgets::SubmitDialog*>();
        QVERIFY(dialog != nullptr && !window->info().has("submit"));
        dialog->close();
    }

    void selection_history_enables_its_actions() {
        auto window = place_->open();
        auto* back = window->actions().find("edit.selection-back");
        auto* forward = window->actions().find("edit.selection-forward");
        QVERIFY(!back->isEnabled() && !forward->isEnabled());
        window->selection().set_anchors({3});
        QVERIFY(back->isEnabled() && !forward->isEnabled());
        back->trigger();
        QVERIFY(!back->isEnabled() && forward->isEnabled());
        forward->trigger();
        QVERIFY(window->selection().state().anchors == std::set<std::int64_t>{3});
    }

    void the_keyboard_floats_and_moves_panels() {
        auto window = place_->open();
        QVERIFY(!(window->dockOptions() & QMainWindow::AnimatedDocks));
        for (const auto* name : {"runs", "experiment", "data"}) {
            auto* dock = window->dock(name);
            give_keyboard(*window, name);
            QTRY_VERIFY2(dock->isAncestorOf(qApp->focusWidget()), name);
            auto* focus = qApp->focusWidget();
            QVERIFY(!dock->isFloating());
            QTest::keyClick(focus, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
            QTRY_VERIFY2(dock->isFloating() && dock->isVisible(), name);
            QTRY_COMPARE(qApp->focusWidget(), focus);  // the keyboard goes with it
            QTest::keyClick(focus, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
            QTRY_VERIFY2(!dock->isFloating(), name);
            QTRY_COMPARE(qApp->focusWidget(), focus);
        }
        auto* runs = window->dock("runs");
        give_keyboard(*window, "runs");
        QCOMPARE(window->dockWidgetArea(runs), Qt::LeftDockWidgetArea);
        for (const auto& [id, area] : {std::pair{"view.move-right", Qt::RightDockWidgetArea},
                                       std::pair{"view.move-down", Qt::BottomDockWidgetArea},
                                       std::pair{"view.move-left", Qt::LeftDockWidgetArea}}) {
            window->actions().find(id)->trigger();
            QCOMPARE(window->dockWidgetArea(runs), area);
            QVERIFY(runs->isVisible() && runs->isAncestorOf(qApp->focusWidget()));
        }
        // A page moves within the centre.
        give_keyboard(*window, "data");
        window->actions().find("view.move-right")->trigger();
        auto* centre = window->findChild<QMainWindow*>("centre");
        QCOMPARE(centre->dockWidgetArea(window->dock("data")), Qt::RightDockWidgetArea);
        window->actions().find("view.reset")->trigger();
        QCOMPARE(centre->dockWidgetArea(window->dock("data")), Qt::TopDockWidgetArea);
    }

    void the_palette_gives_the_keyboard_back() {
        auto window = place_->open();
        give_keyboard(*window, "runs");
        auto* before = qApp->focusWidget();
        QVERIFY(before != nullptr && window->dock("runs")->isAncestorOf(before));
        window->actions().find("view.palette")->trigger();
        auto* query = window->palette_of_actions().findChild<QLineEdit*>();
        QTRY_COMPARE(qApp->focusWidget(), query);
        QTest::keyClick(query, Qt::Key_Escape);
        QCOMPARE(qApp->focusWidget(), before);
        // What it does is done to the panel one was in.
        window->actions().find("view.palette")->trigger();
        QTest::keyClicks(query, "float or dock");
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(window->dock("runs")->isFloating());
    }

    void the_palette_goes_to_a_channel() {
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        window->actions().find("file.sample")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!data->current_path().isEmpty() && data->is_settled(), 20000);
        data->show_page(widgets::DataPanel::preparation_page);
        give_keyboard(*window, "runs");
        window->actions().find("view.palette")->trigger();
        auto* query = window->palette_of_actions().findChild<QLineEdit*>();
        QTRY_COMPARE(qApp->focusWidget(), query);
        QTest::keyClicks(query, "go to channel");
        QTest::keyClick(query, Qt::Key_Return);
        auto* field = data->jump().field();
        QTRY_COMPARE(qApp->focusWidget(), field);
        QTest::keyClicks(field, "lval");
        QTest::keyClick(field, Qt::Key_Return);
        auto& preview = data->preview();
        QCOMPARE(preview.model()->headerData(preview.currentIndex().column(), Qt::Horizontal).toString(),
                 QString("LVAL"));
    }

    void a_folder_of_m4_opens_on_the_data_page() {
        auto window = place_->open();
        for (const auto* part : {"m4/Train", "m4/Test", "runs of m4/Train"})
            QVERIFY(QDir().mkpath(place_->path(part)));
        const auto train =
            place_->write("m4/Train/Yearly-train.csv", "\"V1\",\"V2\"\n\"Y1\",1,2,3,4,5,6,7,8,9\n");
        (void)place_->write("m4/Test/Yearly-test.csv", "\"V1\",\"V2\"\n\"Y1\",10,11,12,13,14,15\n");
        window->open_paths({place_->path("m4")});
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(!data->current_path().isEmpty() && data->is_settled(), 20000);
        QCOMPARE(data->current_path(), train);
        QVERIFY(data->collection().isVisible() && data->collection().isEnabled());
        QCOMPARE(window->launcher().output_folder(), place_->runs());
        // Its figures are exported and enlarged like those of other views.
        auto* frame = data->collection().frames().first();
        QVERIFY(!frame->current_figure().plots.empty());
        frame->enlarge_or_put_back();
        QTRY_VERIFY(frame->maximised());
        frame->enlarge_or_put_back();
        QTRY_VERIFY(!frame->maximised());
        // A folder without training files is a folder of runs, whatever it contains.
        window->open_paths({place_->path("runs of m4")});
        QCOMPARE(window->launcher().output_folder(), place_->path("runs of m4"));
        QCOMPARE(data->paths(), QStringList{train});
    }

    void actions_apply_to_the_last_used_view() {
        auto window = place_->open();
        window->show_dock("training");
        auto* page = qobject_cast<widgets::ViewPage*>(window->dock("training")->widget());
        QTRY_VERIFY(page->frames().size() > 2 && page->frames()[1]->isVisible());
        const auto frame_of = [&](const QString& id) {
            return page->findChild<widgets::ViewFrame*>("frame-" + id);
        };
        auto* frame = frame_of("validation");
        auto* view = page->findChild<QWidget*>("validation");
        view->setFocus();
        QTRY_COMPARE(qApp->focusWidget(), view);
        QSignalSpy said(page, &widgets::ViewPage::message);
        for (const auto* id : {"figures.copy-picture", "figures.copy-numbers", "figures.export-view"}) {
            said.clear();
            window->actions().find(id)->trigger();
            QVERIFY2(said.size() == 1 && said[0][0].toString().contains(frame->title()), id);
        }
        QTest::keyClick(view, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(frame->maximised() && !frame_of("loss-terms")->isVisible());
        QTest::keyClick(view, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(!frame->maximised());
        QTRY_VERIFY(frame_of("loss-terms")->isVisible());
    }

    void floating_and_tabbed_panels_come_back() {
        QRect floated;
        {
            auto window = place_->open();
            window->show_dock("messages");
            auto* messages = window->dock("messages");
            messages->setFloating(true);
            messages->setGeometry(220, 260, 520, 240);
            window->show_dock("queue");
            window->tabifyDockWidget(window->dock("runs"), window->dock("queue"));
            window->dock("queue")->raise();
            window->addDockWidget(Qt::RightDockWidgetArea, window->dock("difference"));
            window->dock("difference")->show();
            QTRY_VERIFY(messages->isFloating() && share_tabs(*window, "runs", "queue"));
            floated = messages->geometry();
            QVERIFY(window->close());
        }
        auto window = place_->open();
        auto* messages = window->dock("messages");
        QVERIFY(messages->isFloating() && messages->isVisible());
        QTRY_COMPARE(messages->size(), floated.size());
        QVERIFY((messages->pos() - floated.topLeft()).manhattanLength() <
                80);  // a window manager adds its frame
        QTRY_VERIFY(share_tabs(*window, "runs", "queue"));
        QTRY_VERIFY(!window->dock("queue")->visibleRegion().isEmpty());
        QVERIFY(window->dock("runs")->visibleRegion().isEmpty());
        QCOMPARE(window->dockWidgetArea(window->dock("difference")), Qt::RightDockWidgetArea);
        QVERIFY(!window->dock("difference")->isHidden());
        window->actions().find("view.reset")->trigger();
        QVERIFY(!messages->isFloating() && messages->isHidden());
        QVERIFY(!share_tabs(*window, "runs", "queue"));
        QCOMPARE(window->dockWidgetArea(window->dock("difference")), Qt::BottomDockWidgetArea);
    }

    void f1_opens_the_page_of_each_panel() {
        auto window = place_->open();
        window->open_paths({place_->csv()});
        auto* help = window->findChild<gui::HelpPanel*>();
        for (const auto& page : gui::pages()) {
            const auto& name = page.id;
            if (name == "help") continue;
            help->show_topic("keyboard");
            give_keyboard(*window, name);
            QTRY_VERIFY2(window->dock(name)->isAncestorOf(qApp->focusWidget()), qPrintable(name));
            QTest::keyClick(qApp->focusWidget(), Qt::Key_F1);
            QVERIFY(window->dock("help")->isVisible());
            // A part of a panel may have a page of its own, which then is a page of the help as well.
            const auto topic = help->topic();
            QVERIFY2(topic == name || (name == "experiment" && topic != "keyboard"),
                     qPrintable(name + ": " + topic));
        }
    }

    void typed_input_is_saved_on_close() {
        {
            auto window = place_->open();
            window->open_paths({place_->csv()});
            window->experiment().replace(place_->tiny(), {}, "tiny");
            window->show_dock("data");
            auto* data = window->findChild<widgets::DataPanel*>();
            QTRY_VERIFY(data->model().count() == 1 && data->is_settled());
            // A field that is read when one leaves it.
            QLineEdit* sentinels = nullptr;
            for (auto* field : data->findChildren<QLineEdit*>())
                if (field->accessibleName().contains("data.sentinels")) sentinels = field;
            QVERIFY(sentinels != nullptr && sentinels->isEnabled());
            auto* tabs = data->findChild<QTabWidget*>();
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->widget(i)->isAncestorOf(sentinels)) tabs->setCurrentIndex(i);
            sentinels->setFocus();
            QTRY_COMPARE(QApplication::focusWidget(), sentinels);
            QTest::keyClicks(sentinels, "-9999");
            QVERIFY(window->experiment().config().data.sentinels.empty());
            QVERIFY(window->close());
        }
        QCOMPARE(place_->open()->experiment().config().data.sentinels, std::vector<double>{-9999});
    }

    void a_file_dropped_on_the_forecasts_is_continued() {
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        auto* page = window->findChild<widgets::ForecastsPage*>();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(place_->csv())});
        const auto middle_of = [&](const QString& dock) {
            auto* content = window->dock(dock)->widget();
            return content->mapTo(window.get(), content->rect().center());
        };
        const auto drag_over = [&](const QString& dock) {
            QDragMoveEvent move(middle_of(dock), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(window->windowHandle(), &move);
            const auto* label = page->findChild<QLabel*>("drop-text");
            return label != nullptr && label->isVisible() ? label->text() : QString();
        };
        const auto drop = [&](const QString& dock) {
            QDropEvent drop(middle_of(dock), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(window->windowHandle(), &drop);
        };
        // Without a finished run it is opened, as everywhere.
        window->show_dock("forecasts");
        QVERIFY(drag_over("forecasts").isEmpty());
        window->actions().find("forecast.ahead")->trigger();
        QTRY_VERIFY2(window->info().text("note").contains("Show a finished run"),
                     qPrintable(window->info().text("note")));
        drop("forecasts");
        QTRY_COMPARE(data->paths(), QStringList{place_->csv()});
        window->actions().find("file.close")->trigger();
        QTRY_VERIFY(data->paths().isEmpty());

        QVERIFY(!place_->start(*window, 1).isEmpty());
        QVERIFY(test::wait_idle(*window));
        const auto opened = data->paths();
        window->show_dock("forecasts");
        QTRY_VERIFY2(
            drag_over("forecasts").startsWith("Forecasts the 12 rows after the last one of series.csv"),
            qPrintable(drag_over("forecasts")));
        QVERIFY(drag_over("runs").isEmpty());
        QVERIFY(!drag_over("forecasts").isEmpty());
        QDragLeaveEvent leave;
        QApplication::sendEvent(window->windowHandle(), &leave);
        QVERIFY(page->findChild<QLabel*>("drop-text") == nullptr);
        drop("forecasts");
        QTRY_VERIFY_WITH_TIMEOUT(page->ahead().work().forecast() && !page->ahead().is_busy(),
                                 test::run_limit);
        QVERIFY2(page->ahead().work().problem().isEmpty(), qPrintable(page->ahead().work().problem()));
        QVERIFY(page->findChild<QLabel*>("drop-text") == nullptr);
        QCOMPARE(data->paths(), opened);
        // The menu repeats it.
        window->actions().find("forecast.ahead")->trigger();
        QVERIFY(page->ahead().is_busy());
        QTRY_VERIFY_WITH_TIMEOUT(!page->ahead().is_busy(), test::run_limit);
    }

private:
    static void give_keyboard(gui::MainWindow& window, const QString& dock) {
        window.actions().find("view." + dock)->trigger();
    }
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_WINDOW(TestWindowPanels)
#include "test_window_panels.moc"
