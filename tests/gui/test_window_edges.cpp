// What lies over the window or beside its pages: tooltips, messages, files that are dragged, keys of menus in
// text fields. Nothing of it covers, cuts or swallows anything.

#include "window_fixture.h"

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QToolTip>
#include <QVBoxLayout>

#include "gui/file_drops.h"
#include "panels/data/data_panel.h"
#include "panels/runs/runs_panel.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// The tooltip that a widget shows of a place; null: none.
QLabel* tip_at(QWidget& widget, const QPoint& place) {
    QHelpEvent asked(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &asked);
    for (auto* top : QApplication::topLevelWidgets())
        if (top->inherits("QTipLabel") && top->isVisible()) return qobject_cast<QLabel*>(top);
    return nullptr;
}

QString without_breaks(QString text) { return text.remove(QChar(0x200b)); }

/// Claims every key, as QLineEdit does some on some platforms.
struct GreedyField : QLineEdit {
    using QLineEdit::QLineEdit;
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return QLineEdit::event(event);
    }
};

}  // namespace

class TestWindowEdges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { place_ = std::make_unique<test::WindowPlace>(); }
    void cleanup() { place_.reset(); }

    void long_tips_have_lines_data() {
        QTest::addColumn<QString>("text");
        QString words, path = "/home", list;
        for (int i = 0; i < 40; ++i) {
            words += QStringLiteral("word %1 <of many> ").arg(i);
            path += QStringLiteral("/folder_%1").arg(i);
            list += QStringLiteral("train.setting_%1=%1,").arg(i);
        }
        QTest::newRow("words") << words + "\nλ_cov";
        QTest::newRow("a path") << "Opens " + path;
        QTest::newRow("a list") << list;
        QTest::newRow("a sentence") << QString(
            "The fraction of windows whose forecast error is below that of "
            "the seasonal naive forecast of the same window");
    }

    void long_tips_have_lines() {
        QFETCH(QString, text);
        auto window = place_->open();
        QDialog dialog(window.get());
        auto* layout = new QVBoxLayout(&dialog);
        auto* combo = new QComboBox;
        combo->setEditable(true);
        combo->setToolTip(text);
        auto* items = new QListWidget;
        items->addItem("item");
        items->item(0)->setToolTip(text);
        auto* tabs = new QTabBar;
        tabs->addTab("tab");
        tabs->setTabToolTip(0, text);
        for (QWidget* part : std::initializer_list<QWidget*>{combo, items, tabs}) layout->addWidget(part);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QMenu menu;
        menu.setToolTipsVisible(true);
        menu.addAction("action")->setToolTip(text);
        menu.popup(dialog.mapToGlobal(QPoint(0, 0)));
        const std::vector<std::pair<QWidget*, QPoint>> places{
            {combo, {3, 3}},
            {combo->lineEdit(), {3, 3}},
            {items->viewport(), items->visualItemRect(items->item(0)).center()},
            {tabs, tabs->tabRect(0).center()},
            {&menu, menu.actionGeometry(menu.actions().first()).center()}};
        for (const auto& [widget, place] : places) {
            const auto* tip = tip_at(*widget, place);
            QVERIFY2(tip != nullptr, widget->metaObject()->className());
            const auto metrics = tip->fontMetrics();
            QVERIFY2(tip->width() < 75 * metrics.averageCharWidth() && tip->height() > 2 * metrics.height(),
                     qPrintable(QStringLiteral("%1 x %2 of %3")
                                    .arg(tip->width())
                                    .arg(tip->height())
                                    .arg(widget->metaObject()->className())));
            QVERIFY(tip->height() >= tip->heightForWidth(tip->width()));
            QVERIFY(tip->screen()->geometry().contains(tip->geometry()));
            QCOMPARE(without_breaks(tip->text()), text);
            QToolTip::hideText();
            QTRY_VERIFY(!QToolTip::isVisible());
        }
        menu.close();
        // Another one in the same tip, and a short one in one line.
        combo->setToolTip("K");
        const auto* tip = tip_at(*combo, {3, 3});
        QVERIFY(tip && tip->text() == "K" && tip->height() < 2 * tip->fontMetrics().height() + 10);
        QVERIFY(tip_at(*items->viewport(), items->visualItemRect(items->item(0)).center())->width() <
                75 * tip->fontMetrics().averageCharWidth());
    }

    /// A message of a line takes the place of the status bar: nothing moves, nothing is covered. A longer one
    /// makes room for itself.
    void messages_do_not_cover_panels() {
        auto window = place_->open();
        for (const auto& size : {QSize(1480, 920), QSize(1280, 720)}) {
            window->resize(size);
            auto* centre = window->findChild<QMainWindow*>("centre");
            window->actions().find("view.runs")->trigger();
            QTest::qWait(50);
            const auto* focus = qApp->focusWidget();
            const auto before = centre->geometry();
            const auto beside = window->dock("experiment")->geometry();
            auto& bar = window->info();
            const auto edge = [&] { return bar.mapTo(window.get(), QPoint(0, 0)).y(); };
            bar.show_message("note", "Copied as LaTeX");
            bar.show_message("offer", "Three runs were interrupted", false, {{"Resume", "tip", [] {}}});
            QTest::qWait(50);
            QCOMPARE(centre->geometry(), before);
            QCOMPARE(window->dock("experiment")->geometry(), beside);
            QVERIFY(edge() >= before.bottom());
            QVERIFY(bar.isVisible() && bar.height() == window->statusBar()->height());
            QCOMPARE(qApp->focusWidget(), focus);
            // Both can be reached.
            QPushButton* next = nullptr;
            for (auto* button : bar.findChildren<QPushButton*>())
                if (button->text() == "+1" && button->isVisible()) next = button;
            QVERIFY(next != nullptr && !bar.visibleRegion().isEmpty());
            const auto* label = bar.findChild<QFrame*>("note")->findChild<QLabel*>("text");
            QVERIFY(!label->isVisible());
            next->click();
            QVERIFY(label->isVisible());
            bar.remove("offer");
            QVERIFY(!next->isVisible() && label->isVisible());
            QString text;
            for (int i = 0; i < 60; ++i) text += "a rather long message ";
            bar.show_message("error", text, true);
            QTRY_VERIFY(centre->geometry().bottom() < before.bottom());
            label = bar.findChild<QFrame*>("error")->findChild<QLabel*>("text");
            QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
            QVERIFY(edge() >= centre->geometry().bottom());
            QCOMPARE(bar.height(), window->statusBar()->height());
            if (const auto folder = qEnvironmentVariable("CASP_TEST_PICTURES"); !folder.isEmpty())
                QVERIFY(window->grab().save(folder + "/messages.png"));
            bar.remove("error");
            bar.remove("note");
            QTRY_COMPARE(centre->geometry(), before);
            QVERIFY(bar.isHidden());
        }
    }

    void dragged_file_shows_what_a_drop_does() {
        auto window = place_->open();
        const auto experiment = place_->write("sweep.toml", "[train]\nseed = 1\n");
        QDir(place_->path("")).mkdir("more runs");
        const auto text_over = [&](const QList<QUrl>& urls) {
            QMimeData mime;
            mime.setUrls(urls);
            if (urls.isEmpty()) mime.setText("etth1");
            QDragMoveEvent move(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(window->windowHandle(), &move);
            const auto* label = window->findChild<QLabel*>("drop-text");
            const auto text = label != nullptr && label->isVisible() ? label->text() : QString();
            QDragLeaveEvent leave;
            QApplication::sendEvent(window->windowHandle(), &leave);
            return window->findChild<QLabel*>("drop-text") == nullptr ? text : "stays: " + text;
        };
        const auto file = [](const QString& path) { return QUrl::fromLocalFile(path); };
        QCOMPARE(text_over({file(place_->csv())}), QString("Open series.csv on the Data page"));
        QCOMPARE(text_over({file(experiment)}), QString("Load the experiment sweep.toml into the form"));
        QCOMPARE(text_over({file(place_->path("more runs"))}),
                 QString("Open more runs as the folder of runs"));
        QCOMPARE(text_over({file(place_->csv()), file(experiment)}).count('\n'), 1);
        // What cannot be dropped.
        QCOMPARE(text_over({}), QString());
        QCOMPARE(text_over({QUrl("https://example.org/series.csv")}), QString());
        QCOMPARE(text_over({file(place_->path("nowhere.csv"))}), QString());
        // It goes with the drop, too.
        QMimeData mime;
        mime.setUrls({file(place_->csv())});
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window->windowHandle(), &drop);
        QVERIFY(window->findChild<QLabel*>("drop-text") == nullptr);
        auto* data = window->findChild<widgets::DataPanel*>();
        QTRY_VERIFY(data->paths() == QStringList{place_->csv()} && data->is_settled());
    }

    void keys_of_menus_work_in_text_fields() {
        auto window = place_->open();
        auto* greedy = new GreedyField(window->findChild<widgets::RunsPanel*>());
        greedy->show();
        for (auto* field :
             {window->findChild<widgets::RunsPanel*>()->filter_box(), static_cast<QLineEdit*>(greedy)}) {
            window->activateWindow();
            field->setText("etth1 weather");
            field->setFocus();
            QTRY_VERIFY(field->hasFocus());
            auto* use = window->actions().find("file.use");  // Ctrl+U, which deletes a line on X11
            use->setEnabled(true);
            QSignalSpy used(use, &QAction::triggered);
            QTest::keyClick(field, Qt::Key_U, Qt::ControlModifier);
            QCOMPARE(used.size(), 1);
            QCOMPARE(field->text(), QString("etth1 weather"));
            // Keys of editing are the field's, also those that a menu has: here a word is deleted, no
            // experiment.
            field->setFocus();
            QSignalSpy reset(window->actions().find("edit.reset"), &QAction::triggered);
            QSignalSpy undo(window->actions().find("edit.undo"), &QAction::triggered);
            QTest::keyClick(field, Qt::Key_End);
            QTest::keyClick(field, Qt::Key_Backspace, Qt::ControlModifier);
            QCOMPARE(field->text(), QString("etth1 "));
            QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(field->text(), QString("etth1 weather"));
            QVERIFY(reset.isEmpty() && undo.isEmpty());
        }
    }

private:
    std::unique_ptr<test::WindowPlace> place_;
};

TEST_WINDOW(TestWindowEdges)
#include "test_window_edges.moc"
