// The menu Figures: the paper's figures of the runs that are shown, made beside the window and exported.

#include "window_fixture.h"

#include <QDir>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

#include "charts/export_dialog.h"
#include "test_program.h"
#include "widgets/require_gl.h"

using namespace casp;

class TestFiguresMenu : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        place_ = std::make_unique<test::WindowPlace>();
        window_ = place_->open();
    }
    void cleanup() {
        window_.reset();
        place_.reset();
    }

    void every_recipe_is_in_the_menu() {
        for (const char* name : {"usage-strips", "score-heatmap", "score-distribution", "concentration",
                                 "pca", "tsne", "alignment", "forecast", "sensitivity", "strata"}) {
            const auto* action = window_->actions().find(QStringLiteral("figures.") + name);
            QVERIFY2(action != nullptr, name);
            QVERIFY2(!action->toolTip().isEmpty() && !action->shortcut().isEmpty(), name);
        }
    }

    void figure_without_runs_gives_advice() {
        press("concentration");
        QVERIFY(window_->info().text("error").contains("Show finished runs"));
        QVERIFY(dialog() == nullptr);
    }

    void one_figure_is_made_and_exported() {
        finish_a_run();
        press("concentration");
        // A busy machine takes its time: then the bar offers the dialog.
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr || look_at_them() != nullptr, test::run_limit);
        if (dialog() == nullptr) look_at_them()->click();
        QTRY_VERIFY(dialog() != nullptr);
        dialog()->set_base_path(place_->path("out/shares.csv"));  // its suffix chooses the numbers too
        QVERIFY(QDir().mkpath(place_->path("out")));
        QVERIFY(dialog()->export_now(false));
        QVERIFY(dialog()->formats().size() > 1);
        for (const auto format : dialog()->formats()) {
            const auto file = place_->path("out/shares.") + widgets::suffix_of(format);
            QVERIFY2(QFileInfo(file).size() > 300, qPrintable(file));
        }
        QFile numbers(place_->path("out/shares.csv"));
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        QVERIFY(numbers.readAll().count('\n') > 20);
        dialog()->close();
    }

    void all_figures_are_shown_on_request() {
        finish_a_run();
        QStringList said;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (const auto text = window_->info().text("paper figures"); !said.contains(text)) said << text;
        });
        look.start(5);
        press("all-paper");
        QTRY_VERIFY_WITH_TIMEOUT(look_at_them() != nullptr, test::run_limit);
        QVERIFY(dialog() == nullptr);  // it does not come up by itself
        // Which of them are caught depends on the machine.
        QVERIFY2(said.join('\n').contains(QRegularExpression("Figure \\d+ of 1\\d")),
                 qPrintable(said.join('\n')));
        QVERIFY(window_->info().text("paper figures").contains("figures are complete"));
        QVERIFY2(!can_be_closed(), "they would be lost: Discard says so");
        look_at_them()->click();
        QVERIFY(dialog() != nullptr);
        QVERIFY(!window_->info().has("paper figures"));
        dialog()->close();
    }

    void drawing_all_figures_can_be_cancelled() {
        finish_a_run();
        press("all-paper");
        QTRY_VERIFY(window_->info().has("paper figures"));
        QVERIFY2(!can_be_closed(), "the work would go on without a way to stop it");
        press("pca");  // one at a time
        QVERIFY(window_->info().text("error").contains("are being drawn"));
        QPushButton* cancel = nullptr;
        for (auto* button : window_->info().findChildren<QPushButton*>())
            if (button->text() == "Cancel") cancel = button;
        QVERIFY(cancel != nullptr);
        cancel->click();
        QTRY_VERIFY_WITH_TIMEOUT(window_->info().text("note").contains("Cancelled"), test::run_limit);
        QVERIFY(!window_->info().has("paper figures"));
        QVERIFY(dialog() == nullptr);
    }

private:
    void press(const QString& name) { window_->actions().find(QStringLiteral("figures.") + name)->trigger(); }
    [[nodiscard]] bool can_be_closed() const {
        for (const auto* button : window_->info().findChildren<QToolButton*>())
            if (button->parentWidget()->objectName() == "paper figures") return true;
        return false;
    }
    [[nodiscard]] QPushButton* look_at_them() const {
        for (auto* button : window_->info().findChildren<QPushButton*>())
            if (button->text().startsWith("Show and export")) return button;
        return nullptr;
    }
    [[nodiscard]] widgets::ExportDialog* dialog() const {
        return window_->findChild<widgets::ExportDialog*>();
    }
    void finish_a_run() {
        window_->experiment().replace(place_->tiny(1), {}, "tiny");
        window_->actions().find("run.start")->trigger();
        QTRY_VERIFY(!window_->selection().state().runs.isEmpty());
        QVERIFY(test::wait_idle(*window_));
        QTRY_VERIFY(window_->info().text("note").contains("finished"));
    }

    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
};

TEST_PROGRAM(TestFiguresMenu)(int argc, char** argv) {
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    setlocale(LC_NUMERIC, "C");
    TestFiguresMenu test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_figures_menu.moc"
