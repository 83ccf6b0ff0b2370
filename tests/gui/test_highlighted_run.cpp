// Actions on one run use the highlighted one, and say which that is.
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>

#include "gui/command_palette.h"
#include "panels/experiment/fork_popover.h"
#include "panels/runs/runs_panel.h"
#include "store/atomic_file.h"
#include "store/run_control.h"
#include "store/run_file.h"
#include "test_program.h"
#include "verify_text.h"
#include "window_fixture.h"

using namespace casp;

namespace {

constexpr const char *first = "lambda_cov-0.1_seed-1", *second = "lambda_cov-0_seed-1",
                     *plain = "dlinear_seed-1";

}  // namespace

class TestHighlightedRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        place_ = std::make_unique<test::WindowPlace>();
        write(first, "casp-llm", 0.1);
        write(second, "casp-llm", 0);
        write(plain, "dlinear", 0);
        window_ = place_->open();
        window_->queue().hold(true);
        QTRY_COMPARE(window_->library().size(), 3);
        window_->selection().set_runs({folder(first), folder(second)});
    }

    void cleanup() {
        window_.reset();
        place_.reset();
    }

    void exports() {
        for (const auto& [name, said] : {std::pair{second, "λ_cov 0 "}, std::pair{first, "λ_cov 0.1 "}}) {
            click(name);
            for (const auto* id : {"file.export-weights", "file.export-forecasts"}) {
                VERIFY_HAS(action(id).text(), said);
                const auto title = title_of(action(id));
                VERIFY_HAS(title, said);
            }
            auto* archive = list().action("runs_export");
            QVERIFY(title_of(*archive).contains(said));
            QVERIFY(list().commands()->heading()->text().contains(said));
            action("file.export-weights").trigger();
            QTRY_VERIFY(dialog() != nullptr);
            const auto path = place_->path(QString::fromLatin1(name) + ".safetensors");
            dialog()->findChild<QLineEdit*>("fileNameEdit")->setText(path);
            dialog()->findChild<QDialogButtonBox*>("buttonBox")->button(QDialogButtonBox::Save)->click();
            QTRY_VERIFY(QFile::exists(path));
            QTRY_COMPARE(store::read_small_file(path.toStdString()), std::string("weights of ") + name);
        }
        // With the keyboard.
        click(second);
        const int row = list().view()->currentIndex().row();
        QTest::keyClick(list().view(), row == 0 ? Qt::Key_Down : Qt::Key_Up);
        const auto& run = list().model()->run(list().view()->currentIndex().row()).folder;
        QVERIFY(run != folder(second));
        QCOMPARE(window_->selection().highlighted(), run);
    }

    void opening_shows_only_it() {
        for (const auto* name : {second, first}) {
            window_->selection().set_runs({folder(first), folder(second)});
            click(name);
            QTest::keyClick(list().view(), Qt::Key_Return);
            QCOMPARE(window_->selection().state().runs, QStringList{folder(name)});
        }
        click(plain);
        QTest::mouseDClick(list().view()->viewport(), Qt::LeftButton, {}, centre(plain));
        QCOMPARE(window_->selection().state().runs, QStringList{folder(plain)});
    }

    void several_or_none() {
        list().view()->clearSelection();
        QCOMPARE(window_->selection().highlighted(), QString());  // two are shown
        QVERIFY(title_of(action("file.export-weights")).isEmpty());
        QTRY_VERIFY(window_->info().text("error").contains("Highlight one run"));
        QVERIFY(!action("run.lambda").isEnabled());
        click(second);
        click(plain, Qt::ControlModifier);
        QVERIFY(title_of(action("file.export-forecasts")).isEmpty());
        QVERIFY(list().commands()->heading()->text().contains("2 runs"));
        // The only shown run needs no highlight.
        list().view()->clearSelection();
        window_->selection().set_runs({folder(second)});
        QVERIFY(title_of(action("file.export-weights")).contains("λ_cov 0 "));
    }

    void repeating() {
        click(first);
        QVERIFY(action("run.lambda").text().contains("λ_cov 0.1 "));
        // A model without coverage has no λ_cov.
        click(plain);
        QVERIFY(!action("run.lambda").isEnabled());
        click(first);
        QVERIFY(action("run.lambda").isEnabled());
        // The other one was shown last, and the form holds something else.
        window_->experiment().set("loss.lambda_cov", 0.7);
        window_->experiment().set("train.seed", std::int64_t{5});
        action("run.lambda").trigger();
        QTRY_COMPARE(window_->queue().items().size(), std::size_t{1});
        const auto& request = window_->queue().items()[0].request;
        auto wanted = config::load((folder(first) + "/config.toml").toStdString()).base;
        wanted.loss.lambda_cov = 0.7;
        QCOMPARE(request.config, wanted);
        // What was started is highlighted.
        const auto started = QString::fromStdString(request.folder.string());
        QTRY_COMPARE(window_->selection().highlighted(), started);
        QCOMPARE(list().selected_runs(), QStringList{started});
    }

    void forks() {
        click(first);
        QVERIFY(list().action("runs_fork")->isEnabled());
        list().action("runs_fork")->trigger();
        auto* popover = window_->findChild<widgets::ForkPopover*>();
        QTRY_VERIFY(popover->isVisible());
        bool named = false;
        for (const auto* label : popover->findChildren<QLabel*>())
            named |= label->text().contains("λ_cov 0.1 ");
        QVERIFY(named);
        popover->hide();
    }

    /// Pause, Cancel and Finish name the run that they stop, whatever is highlighted.
    void running_runs() {
        QCOMPARE(action("run.cancel").text(), QString("&Cancel"));
        window_->queue().hold(false);
        const auto run = place_->start(*window_, 4000);
        QVERIFY(!run.isEmpty());
        QCOMPARE(list().selected_runs(), QStringList{run});
        click(second);
        for (const auto* id : {"run.pause", "run.cancel", "run.finish"})
            VERIFY_HAS(action(id).text(), "test · λ_cov 0.1 · seed 2021");
        action("run.cancel").trigger();
        QVERIFY(test::wait_idle(*window_));
        QTRY_COMPARE(action("run.cancel").text(), QString("&Cancel"));
    }

    /// Two runs that another process trains, of which the named one ends while the menu is open.
    void no_other_run_is_stopped_instead() {
        std::map<const char*, std::unique_ptr<store::RunLock>> locks;
        for (const auto* name : {first, second}) {
            const store::RunFolder run(folder(name).toStdString());
            locks[name] = std::make_unique<store::RunLock>(run);
            auto status = *store::read_run_status(run);
            status.row.state = store::RunState::running;
            store::write_run_status(run, status);
        }
        window_->library().refresh();
        click(first);
        auto& cancel = action("run.cancel");
        QTRY_VERIFY(cancel.text().contains("λ_cov 0.1 "));
        // The palette lists the texts that it found.
        auto& palette = window_->palette_of_actions();
        auto* query = palette.findChild<QLineEdit*>();
        const auto listed = [&] { return palette.findChild<QListWidget*>()->item(0)->text(); };
        palette.open();
        query->setText("Cancel");
        VERIFY_HAS(listed(), "λ_cov 0.1 ");
        window_->selection().highlight({folder(second)});
        QTest::keyClick(query, Qt::Key_Return);
        VERIFY_HAS(listed(), "Cancel", "λ_cov 0 ");
        QVERIFY(palette.isVisible());
        QTest::keyClick(query, Qt::Key_Escape);
        window_->selection().highlight({folder(first)});
        QMenu* menu = nullptr;
        for (auto* one : window_->menuBar()->findChildren<QMenu*>())
            if (one->actions().contains(&cancel)) menu = one;
        QVERIFY(menu != nullptr);
        menu->popup({});
        locks[first].reset();
        window_->library().refresh();
        const auto& library = window_->library();
        QTRY_VERIFY(!library.at(library.index_of(folder(first))).live);
        QTest::qWait(300);  // the list reports changes at most ten times a second
        VERIFY_HAS(cancel.text(), "λ_cov 0.1 ");
        menu->close();
        cancel.trigger();
        VERIFY_HAS(window_->info().text("note"), "λ_cov 0.1 ", "is no longer running");
        VERIFY_HAS(cancel.text(), "λ_cov 0 ");
        QTest::qWait(200);  // nothing is written
        QVERIFY(!store::read_control(folder(second).toStdString()).cancel);
        cancel.trigger();
        QTRY_VERIFY(store::read_control(folder(second).toStdString()).cancel);
    }

private:
    [[nodiscard]] QString folder(const char* name) const { return place_->runs() + "/e/" + name; }
    void write(const char* name, const char* model, double lambda) {
        const store::RunFolder run(folder(name).toStdString());
        run.create();
        auto config = place_->tiny(3);
        config.name = "e";
        config.model.name = model;
        config.loss.lambda_cov = lambda;
        config.train.seed = 1;
        store::RunRecord record;
        record.attributes.state = store::RunState::finished;
        record.test = store::SplitMetrics{};
        record.data.channel_names = {"a"};
        record.data.mean = {0};
        record.data.std = {1};
        store::write_run_file(run.path(), record);
        store::write_file_atomically(run.config(), config::to_toml(config));
        store::write_file_atomically(run.path() / "best.safetensors", std::string("weights of ") + name);
        store::write_file_atomically(run.path() / "arrays.h5", std::string("forecasts of ") + name);
        store::RunStatus status;
        status.row.run = name;
        status.row.state = store::RunState::finished;
        status.row.model = model;
        status.row.lambda_cov = model == std::string("casp-llm") ? lambda : store::not_known;
        status.row.seed = 1;
        status.row.steps = 15;
        if (model == std::string("casp-llm"))
            status.row.swept = {{"loss.lambda_cov", lambda == 0 ? "0" : "0.1"}, {"train.seed", "1"}};
        store::write_run_status(run, status);
    }
    [[nodiscard]] widgets::RunsPanel& list() const { return *window_->findChild<widgets::RunsPanel*>(); }
    [[nodiscard]] QAction& action(const char* id) const { return *window_->actions().find(id); }
    /// Highlights with the mouse, and with the arrow keys from there on.
    void click(const char* name, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::mouseClick(list().view()->viewport(), Qt::LeftButton, modifiers, centre(name));
    }
    /// In the view.
    [[nodiscard]] QPoint centre(const char* name) const {
        auto* view = list().view();
        int column = 0;
        while (view->isColumnHidden(column)) ++column;
        const int row = list().model()->row_of(folder(name));
        return view->visualRect(view->model()->index(row, column)).center();
    }
    [[nodiscard]] QFileDialog* dialog() const {
        for (auto* one : window_->findChildren<QFileDialog*>())
            if (one->isVisible()) return one;
        return nullptr;
    }
    /// The title of the dialog that the action opens, which is closed again.
    [[nodiscard]] QString title_of(QAction& action) const {
        action.trigger();
        auto* opened = dialog();
        if (opened == nullptr) return {};
        const auto title = opened->windowTitle();
        delete opened;
        return title;
    }

    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
};

TEST_MAIN(TestHighlightedRun)
#include "test_highlighted_run.moc"
