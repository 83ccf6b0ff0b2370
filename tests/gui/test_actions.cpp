// What can be done in the window is an action: every entry of every menu is found by the palette, every key
// stands on the help page, and the buttons of pages can be pressed from the menu bar.

#include "window_fixture.h"

#include <set>
#include <utility>

#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QWidgetAction>

#include "charts/view_frame.h"
#include "gui/command_palette.h"
#include "gui/help_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/data/data_panel.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/option_form.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "state/embedding_set.h"
#include "test_program.h"

using namespace casp;

class TestActions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        place_ = std::make_unique<test::WindowPlace>();
        window_ = place_->open();
        window_->resize(1480, 920);
        window_->experiment().replace(place_->tiny(), {}, "tiny");
        trigger("run.start");
        QVERIFY(test::wait_idle(*window_));
    }

    void the_palette_goes_to_every_setting() {
        window_->dock("experiment")->hide();
        auto* form = window_->findChild<widgets::OptionForm*>();
        for (const auto& [typed, key] : {std::pair{"train.weight_decay", "train.weight_decay"},
                                         std::pair{"L_tr", "model.trend_length"}}) {
            window_->actions().find("view.palette")->trigger();
            auto* palette = window_->findChild<gui::CommandPalette*>();
            QTest::keyClicks(palette->findChild<QLineEdit*>(), typed);
            QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
            QTRY_VERIFY(!form->row(key)->visibleRegion().isEmpty());
            QVERIFY(form->row(key)->isAncestorOf(QApplication::focusWidget()));
        }
    }

    void the_toolbar_has_lambda_cov_of_models_with_coverage() {
        auto* knob = window_->findChild<widgets::LambdaCovEdit*>();
        const auto is_offered = [&] {
            return std::set<bool>{knob->isVisible(), window_->actions().find("run.lambda")->isVisible(),
                                  window_->actions().find("run.go-to-lambda")->isVisible()};
        };
        QCOMPARE(is_offered(), std::set<bool>{true});
        window_->experiment().set("model.name", std::string("dlinear"));
        QTRY_COMPARE(is_offered(), std::set<bool>{false});
        window_->experiment().undo_stack()->undo();
        QTRY_COMPARE(is_offered(), std::set<bool>{true});
    }

    void every_menu_entry_is_found_by_the_palette() {
        // What every view's ⋯ menu has is said there of the view one is in; a choice of a control is no
        // action.
        const QHash<QString, QString> of_views{{"Copy picture", "figures.copy-picture"},
                                               {"Copy table as Markdown", "figures.copy-table-markdown"},
                                               {"Copy table as LaTeX", "figures.copy-table-latex"},
                                               {"Copy numbers", "figures.copy-numbers"},
                                               {"Export…", "figures.export-view"},
                                               {"Settings of the shown runs", "figures.settings"},
                                               {"Help for this view", "help.here"}};
        auto& palette = window_->palette_of_actions();
        auto* query = palette.findChild<QLineEdit*>();
        auto* list = palette.findChild<QListWidget*>();
        palette.open();
        QStringList missing;
        int entries = 0, of_frames = 0;
        for (const auto* menu : window_->findChildren<QMenu*>()) {
            const auto* button =
                qobject_cast<QMenu*>(menu->parent()) ? menu->parent()->parent() : menu->parent();
            const bool choice = button != nullptr && button->objectName() == "data.fetch";
            const bool frame = qobject_cast<widgets::ViewFrame*>(menu->parent()) != nullptr;
            for (auto* action : menu->actions()) {
                if (action->isSeparator() || action->menu() != nullptr || choice ||
                    qobject_cast<QWidgetAction*>(action) != nullptr)
                    continue;
                ++entries;
                const auto text = action->text().remove('&');
                if (frame && of_views.contains(text)) {
                    ++of_frames;
                    QVERIFY(window_->actions().find(of_views[text]) != nullptr);
                    continue;
                }
                query->setText(text);
                bool found = false;
                for (int row = 0; row < list->count() && !found; ++row)
                    found = list->item(row)->text().startsWith(text + ' ');
                if (!found) missing << "\"" + text + "\" of the menu \"" + menu->title() + "\"";
            }
        }
        palette.hide();
        QVERIFY2(entries > 150 && of_frames > 30, qPrintable(QString("%1, %2").arg(entries).arg(of_frames)));
        missing.removeDuplicates();
        QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
    }

    void every_key_is_on_the_help_page() {
        trigger("help.keyboard");
        const auto* help = window_->findChild<gui::HelpPanel*>();
        QCOMPARE(help->topic(), QString("keyboard"));
        keep_pictures("keyboard");
        const auto lines = help->text().split('\n');
        QVERIFY(!help->text().contains("[actions]"));
        QStringList missing;
        int keys = 0;
        const auto look = [&](const QAction& action, const QString& text) {
            const auto key = action.shortcut().toString(QKeySequence::NativeText);
            if (key.isEmpty()) return;
            ++keys;
            // A cell is a line of the plain text.
            const auto plain = QString(text).remove('&');
            bool found = false;
            for (qsizetype i = 0; i + 1 < lines.size() && !found; ++i)
                found = lines[i].contains(key) && lines[i + 1].trimmed() == plain;
            if (!found) missing << key + ": " + plain;
        };
        for (const auto& entry : window_->actions().entries()) look(*entry.action, entry.spec.text);
        for (const auto* action : window_->findChild<widgets::RunsPanel*>()->commands()->actions())
            look(*action, action->text());
        for (const auto* action : window_->findChild<widgets::QueuePanel*>()->queue_actions())
            look(*action, action->text());
        for (const auto* dock : window_->findChildren<QDockWidget*>())
            look(*dock->toggleViewAction(), dock->toggleViewAction()->text());
        QVERIFY2(keys > 110, qPrintable(QString::number(keys)));
        QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
    }

    void columns_and_order_of_the_runs() {
        auto* runs = window_->findChild<widgets::RunsPanel*>();
        const auto entry = [](const QMenu* menu, const QString& text) {
            for (auto* action : menu->actions())
                if (action->text() == text) return action;
            return static_cast<QAction*>(nullptr);
        };
        auto* name = entry(runs->view()->sort_menu(), "Name");
        QVERIFY(name != nullptr && !name->isChecked());
        name->trigger();
        QVERIFY(runs->model()->sort_column() == widgets::RunsColumn::name && name->isChecked());
        entry(runs->view()->sort_menu(), "Newest first")->trigger();
        QVERIFY(runs->model()->sort_column() == widgets::RunsColumn::created);
        Q_EMIT runs->view()->sort_menu()->aboutToShow();
        QVERIFY(!name->isChecked());
        // Also where the menu was not opened since the columns changed.
        const auto column = widgets::RunsColumn::note;
        auto* note = entry(runs->view()->columns_menu(), widgets::info_of(column).title);
        QVERIFY(note != nullptr);
        const bool before = runs->view()->is_column_visible(column);
        note->trigger();
        QCOMPARE(runs->view()->is_column_visible(column), !before);
        QCOMPARE(note->isChecked(), !before);
        runs->view()->set_column_visible(column, before);
        note->trigger();
        QCOMPARE(runs->view()->is_column_visible(column), !before);
        runs->view()->set_column_visible(column, before);
    }

    void the_open_file_is_used_and_closed() {
        window_->experiment().replace(config::Config(), {}, "empty");
        trigger("file.use");
        QTRY_VERIFY2(said().contains("Open a CSV file first"), qPrintable(said()));
        window_->open_paths({place_->csv()});
        auto* data = window_->findChild<widgets::DataPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(data->is_settled() && !data->usable_path().isEmpty(), 20000);
        window_->show_dock("experiment");
        keep_pictures("offer");
        trigger("file.use");
        QCOMPARE(QString::fromStdString(window_->experiment().config().data.path), place_->csv());
        QCOMPARE(data->usable_path(), QString());
        trigger("file.close");
        QTRY_VERIFY(data->paths().isEmpty());
        trigger("file.close");
        QTRY_VERIFY2(said().contains("No file is open"), qPrintable(said()));
    }

    void buttons_of_the_embeddings_are_pressed() {
        auto* page = window_->findChild<widgets::EmbeddingsPage*>();
        const auto& work = page->layout_work();
        using State = widgets::LayoutWork::State;
        trigger("tsne.stop");
        QTRY_VERIFY2(said().contains("No t-SNE is running"), qPrintable(said()));
        QVERIFY(page->isVisible());  // one is taken there
        trigger("embeddings.store");
        QTRY_VERIFY2(said().contains("stored already"), qPrintable(said()));
        trigger("embeddings.compute");
        const auto run = window_->selection().state().runs.value(0);
        const auto set = [&] { return window_->library().data(run)->embeddings(); };
        QTRY_VERIFY_WITH_TIMEOUT(set() != nullptr && !set()->stored, test::run_limit);
        for (auto* box : page->findChildren<QSpinBox*>())
            if (box->accessibleName() == "Iterations") box->setValue(box->maximum());
        trigger("tsne.start");  // takes that method first
        QCOMPARE(page->layout_bar().method(), widgets::LayoutMethod::tsne);
        const auto* start = page->findChild<QPushButton*>("tsne.start");
        QTRY_VERIFY_WITH_TIMEOUT(work.is_busy() || start->isEnabled(), 20000);
        if (!work.is_busy()) trigger("tsne.start");
        QTRY_VERIFY_WITH_TIMEOUT(work.state() == State::running, 20000);
        trigger("tsne.pause");
        QTRY_VERIFY(work.state() == State::paused);
        trigger("tsne.pause");
        QTRY_VERIFY(work.state() == State::running);
        trigger("tsne.stop");
        QTRY_VERIFY(work.state() == State::stopped);
        trigger("embeddings.store");
        QTRY_VERIFY_WITH_TIMEOUT(set() != nullptr && set()->stored, 20000);
    }

    void tables_and_toml_are_copied() {
        auto* clipboard = QGuiApplication::clipboard();
        trigger("file.copy-toml");
        QVERIFY(clipboard->text().contains("lambda_cov"));
        trigger("figures.copy-table-markdown");
        QTRY_VERIFY2(clipboard->text().startsWith('|'), qPrintable(clipboard->text()));
        trigger("figures.copy-table-latex");
        QTRY_VERIFY2(clipboard->text().contains("\\begin{tabular}"), qPrintable(clipboard->text()));
    }

    void settings_of_a_view() {
        window_->show_dock("training");
        auto* page = window_->dock("training")->findChild<widgets::ViewPage*>();
        auto* frame = page->frames().front();
        QAction* entry = nullptr;
        for (auto* action : frame->menu()->actions())
            if (action->text().remove('&') == "Settings of the shown runs") entry = action;
        QVERIFY(entry != nullptr && entry->isVisible());
        entry->trigger();
        auto* difference = window_->findChild<widgets::DifferencePanel*>();
        QTRY_VERIFY(difference->isVisible());
        QTRY_VERIFY(difference->table()->findItems("λ_cov", Qt::MatchExactly).size() == 1);
        QCOMPARE(difference->table()->columnCount(), 2);
        keep_pictures("settings");
        // A view without runs has no such entry, and its ⋯ does not promise one.
        auto* plain = window_->findChild<widgets::DataPanel*>()->channels().frame();
        for (auto* action : plain->menu()->actions())
            QVERIFY(action->text().remove('&') != "Settings of the shown runs" || !action->isVisible());
        for (const auto* button : plain->findChildren<QToolButton*>())
            QVERIFY2(!button->toolTip().contains("settings"), qPrintable(button->toolTip()));
    }
    void cleanupTestCase() { window_.reset(); }

private:
    void trigger(const QString& id) const { window_->actions().find(id)->trigger(); }
    /// What the message bar says last.
    [[nodiscard]] QString said() const {
        const auto note = window_->info().text("note"), error = window_->info().text("error");
        return note.isEmpty() ? error : note;
    }
    /// To be looked at, where CASP_TEST_PICTURES names a folder.
    void keep_pictures(const QString& name) const {
        const auto folder = qEnvironmentVariable("CASP_TEST_PICTURES");
        if (folder.isEmpty()) return;
        for (const auto theme : {gui::Theme::dark, gui::Theme::light}) {
            window_->set_theme(theme);
            QTest::qWait(300);
            QVERIFY(window_->grab().save(folder + '/' + name + '-' + gui::theme_name(theme) + ".png"));
        }
    }
    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
};

TEST_MAIN(TestActions)
#include "test_actions.moc"
