// The keyboard's path: Tab comes to every control of everything that one can look at, in the order of the
// picture.

#include "access_scenes.h"

#include <map>

#include <QButtonGroup>
#include <QScopeGuard>

#include "panels/experiment/sweep_editor.h"

using namespace casp;
using casp::test::describe, test::is_control, test::is_part_of_a_control, test::Scene;

namespace {

/// What has the keyboard one after the other when Tab (or Shift+Tab) is pressed until `first` has it again.
/// Empty, with the test failed, where that never happens.
QList<QWidget*> way_round(QWidget* first, Qt::Key key) {
    QList<QWidget*> path{first};
    const auto press = [&](QWidget* at) {
        QTest::keyClick(at, key);
        // In a text it goes from link to link first.
        for (int links = 0; at->inherits("QTextBrowser") && qApp->focusWidget() == at && links < 50; ++links)
            QTest::keyClick(at, key);
    };
    while (true) {
        auto* at = path.last();
        press(at);
        auto* next = qApp->focusWidget();
        if (next == first) return path;
        if (next == nullptr || next == at)
            QTest::qFail(qPrintable("Tab does not leave " + describe(at)), __FILE__, __LINE__);
        else if (path.contains(next))
            QTest::qFail(qPrintable("Tab goes in a circle at " + describe(next)), __FILE__, __LINE__);
        else {
            path << next;
            continue;
        }
        return {};
    }
}

/// Of buttons that exclude each other the arrow keys choose.
bool is_chosen_by_arrows(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return button != nullptr && !button->isChecked() &&
           (button->autoExclusive() || (button->group() && button->group()->exclusive()));
}

/// The controls of `root` that `path` does not come to.
QStringList not_reached(const QWidget* root, const QList<QWidget*>& path) {
    QStringList names;
    for (auto* widget : root->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || !is_control(widget) ||
            is_part_of_a_control(widget) || widget->property("keyboard-through").isValid())
            continue;
        if (!path.contains(widget) && !path.contains(widget->focusProxy()) && !is_chosen_by_arrows(widget))
            names << describe(widget);
    }
    return names;
}

}  // namespace

class TestAccessKeyboard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        access_ = std::make_unique<test::AccessWindow>();
        const auto problem = access_->make();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        window_ = &access_->window();
    }

    void tab_goes_round_everything_data() {
        QTest::addColumn<int>("scene");
        for (std::size_t i = 0; i < access_->scenes().size(); ++i)
            if (const auto& scene = access_->scenes()[i];
                scene.name != "palette")  // one field; arrows choose
                QTest::newRow(qPrintable(scene.name)) << static_cast<int>(i);
    }

    void tab_goes_round_everything() {
        QFETCH(int, scene);
        const auto& looked_at = access_->scenes()[static_cast<std::size_t>(scene)];
        window_->reset_layout();
        looked_at.open();
        const auto closed = qScopeGuard([&] { looked_at.close(); });
        QTest::qWait(120);
        if (QTest::currentTestFailed()) return;
        auto* part = looked_at.inside();
        QVERIFY(part != nullptr && part->isVisible());
        part->isWindow() ? go_round_a_window(part) : go_round_the_window(part);
    }

    void sweep_tab_order_is_top_to_bottom() {
        const auto& scenes = access_->scenes();
        const auto scene = std::find_if(scenes.begin(), scenes.end(),
                                        [](const Scene& one) { return one.name == "sweep/values"; });
        QVERIFY(scene != scenes.end());
        window_->reset_layout();
        scene->open();
        const auto closed = qScopeGuard([&] { scene->close(); });
        const auto* sweep = window_->findChild<widgets::SweepEditor*>();
        QTRY_VERIFY_WITH_TIMEOUT(!sweep->is_pending() && sweep->queue_button()->isEnabled(), test::run_limit);
        QVERIFY(sweep->row_count() >= 3);  // the last of them was added when the window stood
        QApplication::setActiveWindow(window_);
        auto* first = window_->menuBar()->cornerWidget();
        first->setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(qApp->focusWidget(), first);
        const auto path = way_round(first, Qt::Key_Tab);
        QList<qsizetype> places;
        for (int row = 0; row < sweep->row_count(); ++row)
            places << path.indexOf(sweep->key_box(row)) << path.indexOf(sweep->values_field(row));
        for (const auto* below : sweep->findChildren<QWidget*>())
            if (below->accessibleName() == "Add a setting to the sweep") places << path.indexOf(below);
        places << path.indexOf(sweep->queue_button());
        QStringList texts;
        for (const auto place : places) texts << QString::number(place);
        QVERIFY2(places.first() >= 0 && std::is_sorted(places.begin(), places.end()),
                 qPrintable(texts.join(' ')));
    }
    void cleanupTestCase() { access_.reset(); }

private:
    void go_round_the_window(const QWidget* part) {
        QApplication::setActiveWindow(window_);
        auto* first = window_->menuBar()->cornerWidget();
        first->setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(qApp->focusWidget(), first);
        const auto path = way_round(first, Qt::Key_Tab);
        if (path.isEmpty()) return;
        QVERIFY(!way_round(first, Qt::Key_Backtab).isEmpty());
        for (const auto* at : path)
            for (const QWidget* above = at; above != nullptr; above = above->parentWidget())
                QVERIFY2(!qobject_cast<const QDockWidget*>(above) || !above->visibleRegion().isEmpty(),
                         qPrintable("Tab goes to what is behind another panel: " + describe(at)));
        const auto missing = not_reached(part, path);
        QVERIFY2(missing.isEmpty(), qPrintable("\nTab does not come to\n" + missing.join("\n")));
        follows_the_picture(path);
    }

    /// Every panel is gone through as a whole, left, centre, right, below.
    void follows_the_picture(const QList<QWidget*>& path) {
        QList<int> places;
        for (auto* at : path) {
            // Bars above the panels, and the bar that tells notes.
            int place = 0;
            if (qobject_cast<const QTabBar*>(at) != nullptr && qobject_cast<QMainWindow*>(at->parentWidget()))
                continue;  // titles of panels
            for (const QWidget* above = at; above != nullptr; above = above->parentWidget())
                if (const auto* panel = qobject_cast<const QDockWidget*>(above)) {
                    auto* side = const_cast<QDockWidget*>(panel);
                    place =
                        panel->parentWidget() == window_
                            ? std::map<int, int>{{Qt::LeftDockWidgetArea, 1},
                                                 {Qt::RightDockWidgetArea, 3},
                                                 {Qt::BottomDockWidgetArea, 4}}[window_->dockWidgetArea(side)]
                            : 2;
                    break;
                }
            if (places.isEmpty() || places.last() != place) places << place;
        }
        if (places.size() > 1 && places.last() == 0) places.removeLast();  // once round
        QStringList texts;
        for (const int place : places)
            texts << QStringList{"bars", "left", "centre", "right", "below"}.value(place);
        QVERIFY2(std::is_sorted(places.begin(), places.end()), qPrintable(texts.join(" → ")));
    }

    static void go_round_a_window(QWidget* window) {
        QApplication::setActiveWindow(window);
        QTRY_VERIFY(window->isAncestorOf(qApp->focusWidget()));
        auto* first = qApp->focusWidget();
        const auto path = way_round(first, Qt::Key_Tab);
        if (path.isEmpty()) return;
        QVERIFY(path.size() > 1);
        QVERIFY(!way_round(first, Qt::Key_Backtab).isEmpty());
        const auto missing = not_reached(window, path);
        QVERIFY2(missing.isEmpty(), qPrintable("\nTab does not come to\n" + missing.join("\n")));
    }
    std::unique_ptr<test::AccessWindow> access_;
    gui::MainWindow* window_ = nullptr;
};

TEST_WINDOW(TestAccessKeyboard)
#include "test_access_keyboard.moc"
