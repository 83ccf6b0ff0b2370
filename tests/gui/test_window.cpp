// The real window, driven as a person would: drop, edit, run, watch, stop, fork, compare.

#include <sys/stat.h>
#include <unistd.h>

#include "window_fixture.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QMimeData>
#include <QToolButton>
#include <QUndoStack>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/figure.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "store/atomic_file.h"
#include "store/run_file.h"
#include "verify_text.h"

using namespace casp;
using gui::QueueState;

class TestWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drop_a_csv() {
        auto window = place_->open();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(place_->csv())});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
        QCOMPARE(data->current_path(), place_->csv());
        QVERIFY(!window->dock("data")->visibleRegion().isEmpty());
        // The strip that says that no file is given offers the one beside it.
        const auto* run = window->actions().find("run.start");
        QVERIFY(!run->isEnabled());
        auto* panel = window->findChild<widgets::ExperimentPanel*>();
        QTRY_VERIFY(panel->reason_button()->isVisible());
        QCOMPARE(panel->reason_button()->text(), "Use " + QFileInfo(place_->csv()).fileName());
        QTest::mouseClick(panel->reason_button(), Qt::LeftButton);
        QCOMPARE(QString::fromStdString(window->experiment().config().data.path), place_->csv());
        QTRY_VERIFY(panel->reason().isEmpty());
        QVERIFY(run->isEnabled());
    }

    void drop_anywhere() {
        auto window = place_->open();
        auto* data = window->findChild<widgets::DataPanel*>();
        const auto file = [&](const QString& name) {
            const auto path = place_->path(name);
            return QFile::copy(place_->csv(), path) ? path : QString();
        };
        // As a file manager drags it: the address, and the same as text, which fields would take.
        const auto drop = [&](QObject* target, const QString& path) {
            QMimeData mime;
            mime.setUrls({QUrl::fromLocalFile(path)});
            mime.setText(QUrl::fromLocalFile(path).toString());
            QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton,
                                  Qt::NoModifier);
            QApplication::sendEvent(target, &enter);
            QDragMoveEvent move(QPoint(6, 6), Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton,
                                Qt::NoModifier);
            QApplication::sendEvent(target, &move);
            QDropEvent end(QPointF(6, 6), Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton,
                           Qt::NoModifier);
            QApplication::sendEvent(target, &end);
            return enter.isAccepted() && move.isAccepted() && end.isAccepted() &&
                   end.dropAction() == Qt::CopyAction;
        };
        auto* dock = window->dock("runs");
        dock->setFloating(true);
        QTRY_VERIFY(dock->windowHandle() != nullptr);
        QVERIFY(drop(dock->windowHandle(), file("a.csv")));
        QTRY_COMPARE(data->paths(), QStringList{place_->path("a.csv")});
        auto* field = window->findChild<widgets::RunsPanel*>()->filter_box();
        QVERIFY(field != nullptr);
        const auto text = field->text();
        QVERIFY(drop(field, file("b.csv")));
        QTRY_COMPARE(data->paths().size(), 2);
        auto* knob = window->findChild<widgets::LambdaCovEdit*>()->number();
        const auto value = knob->text();
        QVERIFY(drop(knob, file("c.csv")));
        QTRY_COMPARE(data->paths().size(), 3);
        QCOMPARE(field->text(), text);
        QCOMPARE(knob->text(), value);
        // Text alone is still for the field.
        QMimeData words;
        words.setText("etth1");
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &words, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &enter);
        QDropEvent typed(QPointF(6, 6), Qt::CopyAction, &words, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &typed);
        VERIFY_HAS(field->text(), "etth1");
        QTRY_VERIFY(data->is_settled());
    }

    void special_files_are_refused() {
        auto window = place_->open();
        const auto pipe = place_->path("a.toml"), device = place_->path("b.toml");
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        QVERIFY(QFile::link("/dev/zero", device));
        window->open_paths({pipe});
        VERIFY_HAS(window->info().text("error"), "a.toml: this is a pipe");
        window->open_paths({place_->path("nowhere.csv")});
        VERIFY_HAS(window->info().text("error"), "nowhere.csv");
        window->open_paths({device});
        VERIFY_HAS(window->info().text("error"), "b.toml: this is a device");
    }

    void empty_views_offer_the_next_step() {
        auto window = place_->open();
        window->show_dock("training");
        auto* page = qobject_cast<widgets::ViewPage*>(window->dock("training")->widget());
        const auto* view = page->view("loss-terms");
        auto* offer = page->frames().first()->offer();
        QVERIFY(offer != nullptr && offer->isVisible());
        QCOMPARE(offer->defaultAction(), window->actions().find("file.open"));
        QTRY_VERIFY(view->figure().empty_text.contains("Open a CSV file and press Run"));
        set_tiny(*window);
        QCOMPARE(offer->defaultAction(), window->actions().find("run.start"));
        QTRY_VERIFY(!view->figure().empty_text.contains("Open a CSV file"));
        QVERIFY(view->figure().empty_text.contains("Press Run"));
        QTest::mouseClick(offer, Qt::LeftButton);
        QVERIFY(window->queue().is_running());
        QTRY_VERIFY(!offer->isVisible());  // there is something to see
        QVERIFY(test::wait_idle(*window));
    }

    void fork_a_run() {
        auto window = place_->open();
        set_tiny(*window, 200);
        window->actions().find("run.start")->trigger();
        const auto parent = window->selection().state().runs.value(0);
        QTRY_VERIFY(window->library().data(parent) != nullptr);
        auto* run = window->library().data(parent);
        QTRY_VERIFY_WITH_TIMEOUT(run->record().steps.step.size() > 6, test::run_limit);
        window->actions().find("run.cancel")->trigger();
        QVERIFY(test::wait_idle(*window));
        auto config = config::load((parent + "/config.toml").toStdString()).base;
        config.train.continue_from = parent.toStdString();
        config.loss.lambda_cov = 0.7;
        // The parent's checkpoint stands in some epoch; the fork goes on from there.
        const auto before = store::read_run_file((parent + "/run.h5").toStdString());
        config.train.epochs = static_cast<std::int64_t>(before.epochs.epoch.size()) + 3;
        window->launcher().fork(config, {});
        QVERIFY(test::wait_idle(*window));
        const auto runs = window->selection().state().runs;
        QCOMPARE(runs.size(), 2);
        QVERIFY(runs.contains(parent));
        const auto fork = runs.first() == parent ? runs.last() : runs.first();
        const auto record = store::read_run_file((fork + "/run.h5").toStdString());
        QCOMPARE(QString::fromStdString(record.attributes.parent), parent);
        // The parent's steps come first, then its own.
        QVERIFY(record.steps.step.size() > before.steps.step.size());
        QCOMPARE(record.steps.total.front(), before.steps.total.front());

        // "Run with this λ_cov" repeats what began from nothing, here the highlighted parent, not what the
        // form holds.
        auto other = place_->tiny(1);
        other.data.horizon = config.data.horizon + 1;
        window->experiment().replace(other, {}, "other");
        auto* list = window->findChild<widgets::RunsPanel*>();
        list->select_runs({parent});
        window->experiment().set("loss.lambda_cov", 0.9);
        window->launcher().run_with_lambda();
        const auto again = window->selection().state().runs.last();
        QVERIFY(again != fork && again != parent);
        const auto repeated = config::load((again + "/config.toml").toStdString()).base;
        QCOMPARE(repeated.data.horizon, config.data.horizon);
        QCOMPARE(repeated.loss.lambda_cov, 0.9);
        QVERIFY(repeated.train.continue_from.empty());
        window->actions().find("run.cancel")->trigger();
        QVERIFY(test::wait_idle(*window));
        // A fork is not repeated, and that is said.
        list->select_runs({fork});
        QSignalSpy problems(&window->launcher(), &gui::Launcher::problem);
        window->launcher().run_with_lambda();
        QCOMPARE(problems.size(), 1);
        QVERIFY(problems[0][0].toString().contains("is no fork"));
    }

    void layout_theme_and_session_come_back() {
        {
            auto window = place_->open();
            set_tiny(*window);
            window->resize(1400, 850);
            window->set_theme(gui::Theme::dark);
            window->dock("runs")->hide();
            window->show_dock("forecasts");
            QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());
            QVERIFY(window->close());
        }
        {
            auto window = place_->open();
            QCOMPARE(window->size(), QSize(1400, 850));
            QVERIFY(window->dock("runs")->isHidden());
            QVERIFY(!window->dock("experiment")->isHidden());
            QTRY_VERIFY(!window->dock("forecasts")->visibleRegion().isEmpty());
            QVERIFY(window->actions().find("view.theme-dark")->isChecked());
            QVERIFY(qApp->palette().color(QPalette::Window).lightness() < 80);
            QCOMPARE(window->experiment().config().loss.lambda_cov, 0.37);
            window->actions().find("view.reset")->trigger();
            QVERIFY(!window->dock("runs")->isHidden());
            window->set_theme(gui::Theme::light);
        }
    }

    void run_fails_when_its_folder_is_removed() {
        auto window = place_->open();
        auto config = place_->tiny(3);
        config.train.patience = 100000;
        config.train.epochs = 100000;
        config.run.checkpoint_seconds = 0;
        window->experiment().replace(config, {}, "tiny");
        window->actions().find("run.start")->trigger();
        const auto folder = window->selection().state().runs.value(0);
        QTRY_VERIFY_WITH_TIMEOUT(store::current_checkpoint(store::RunFolder(folder.toStdString())),
                                 test::run_limit);
        QVERIFY(window->experiment().set("loss.lambda_cov", 0.37).isEmpty());  // typed meanwhile
        // What the run writes at this moment must not come back behind the removal's back.
        QVERIFY(QDir().rename(place_->runs(), place_->path("gone")));
        QVERIFY(test::wait_idle(*window));
        QCOMPARE(window->queue().items().front().state, QueueState::failed);
        QTRY_VERIFY(window->info().has("error"));
        const auto text = window->info().text("error");
        VERIFY_HAS(text, place_->runs());
        QCOMPARE(window->experiment().config().loss.lambda_cov, 0.37);
        // Once there is a place for it again, the same run can be had.
        QVERIFY(QDir(place_->path("gone")).removeRecursively());
        QVERIFY(QDir().mkpath(place_->runs()));
        window->queue().retry(window->queue().items().front().id);
        QTRY_VERIFY_WITH_TIMEOUT(store::current_checkpoint(store::RunFolder(folder.toStdString())),
                                 test::run_limit);
        window->actions().find("run.finish")->trigger();
        QVERIFY(test::wait_idle(*window));
        QTRY_COMPARE(test::file_state(folder.toStdString()), store::RunState::finished_early);
    }

    void a_point_of_the_comparison_is_found_in_the_list() {
        auto window = place_->open();
        set_tiny(*window);
        for (const double lambda : {0.1, 0.4}) {
            QVERIFY(window->experiment().set("loss.lambda_cov", lambda).isEmpty());
            window->actions().find("run.start")->trigger();
            QVERIFY(test::wait_idle(*window));
        }
        QTRY_COMPARE(window->library().size(), 2);
        window->selection().set_runs({window->library().at(0).folder, window->library().at(1).folder});
        window->show_dock("compare");
        auto* compare = window->findChild<widgets::ComparePanel*>();
        QTRY_VERIFY(!compare->comparison().lines.empty() &&
                    compare->comparison().lines[0].points.size() == 2);
        auto* view = compare->frame()->figure_view();
        QTRY_VERIFY(view->width() > 100 && view->figure().plots.size() == 1);
        auto* list = window->findChild<widgets::RunsPanel*>();
        for (const int run : {1, 0}) {
            const auto& row = window->library().at(run).row;
            QTest::mouseClick(view, Qt::LeftButton, {},
                              view->painter().to_scene(0, row.lambda_cov, row.test_mse).toPoint());
            QCOMPARE(list->selected_runs(), QStringList{window->library().at(run).folder});
        }
        QCOMPARE(window->selection().state().runs.size(), 2);  // what is compared stays
    }

    void changed_data_file_is_reported_at_start() {
        auto window = place_->open();
        set_tiny(*window);
        auto* data = window->findChild<widgets::DataPanel*>();
        data->open({place_->csv()});
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), 20000);
        window->show_dock("training");
        QFile csv(place_->csv());
        QVERIFY(csv.open(QIODevice::Append));
        csv.write("2020-02-01 00:00:00,1,2,3\n");
        csv.close();
        window->actions().find("run.start")->trigger();
        QTRY_VERIFY2(window->info().text("error").contains("has changed since it was read"),
                     qPrintable(window->info().text("error")));
        QVERIFY(test::wait_idle(*window));
    }

private:
    void set_tiny(gui::MainWindow& window, std::int64_t epochs = 2) {
        window.experiment().replace(place_->tiny(epochs), {}, "tiny");
    }
    std::unique_ptr<test::WindowPlace> place_;

private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }
};

TEST_WINDOW(TestWindow)
#include "test_window.moc"
