// What everybody must be able to use: names, tooltips, the keyboard's path, texts that fit, in both themes
// and every scale. CTest runs it at QT_SCALE_FACTOR 1, 1.5 and 2.

#include "window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QShortcut>
#include <QTabBar>
#include <QTextEdit>
#include <QToolBar>

#include "panels/data_panel.h"
#include "panels/experiment_panel.h"
#include "panels/fork_popover.h"
#include "panels/option_form.h"
#include "panels/runs_panel.h"
#include "widgets/require_gl.h"

using namespace casp;

namespace {

/// Qt's own small parts (a spin box's field, a tab bar's arrows) speak through what they belong to.
bool is_part_of_a_control(const QWidget* widget) {
    for (const auto* above = widget->parentWidget(); above != nullptr; above = above->parentWidget()) {
        if (qobject_cast<const QAbstractSpinBox*>(above) != nullptr ||
            qobject_cast<const QComboBox*>(above) != nullptr ||
            qobject_cast<const QTabBar*>(above) != nullptr ||
            qobject_cast<const QMenuBar*>(above) != nullptr || above->inherits("QLineEdit"))
            return true;
    }
    return widget->objectName().startsWith("qt_") || widget->inherits("QDockWidgetTitleButton") ||
           widget->inherits("QToolBarExtension") || widget->inherits("QTableCornerButton") ||
           widget->inherits("QSplitterHandle");
}

bool is_control(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(widget) != nullptr &&
            qobject_cast<const QScrollBar*>(widget) == nullptr) ||
           (qobject_cast<const QAbstractItemView*>(widget) != nullptr &&
            qobject_cast<const QHeaderView*>(widget) == nullptr) ||
           qobject_cast<const QTextEdit*>(widget) != nullptr || widget->inherits("QPlainTextEdit");
}

QString describe(const QWidget* widget) {
    QStringList path;
    for (const auto* at = widget; at != nullptr && path.size() < 5; at = at->parentWidget())
        path.prepend(QString::fromLatin1(at->metaObject()->className()) +
                     (at->objectName().isEmpty() ? "" : "#" + at->objectName()));
    QString text;
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) text = button->text();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) text = label->text();
    return path.join(" > ") + (text.isEmpty() ? "" : " \"" + text.left(60) + "\"");
}

}  // namespace

class TestAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void every_control_has_name_and_tooltip();
    void no_text_is_cut_off_data();
    void no_text_is_cut_off();
    void tab_reaches_every_control();
    void every_action_is_in_a_menu_with_tip_and_found();
    void text_is_large_enough();
    void fits_a_small_screen();
    void cleanupTestCase() { window_.reset(); }

private:
    void show_everything(const QString& dock);
    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
    QStringList docks_;
};

void TestAccess::initTestCase() {
    place_ = std::make_unique<test::WindowPlace>();
    window_ = place_->open();
    window_->resize(1480, 920);
    window_->open_paths({place_->csv()});
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<widgets::DataPanel*>()->is_settled(), 20000);
    window_->experiment().replace(place_->tiny(), {}, "tiny");
    window_->actions().find("run.start")->trigger();
    QVERIFY(test::wait_idle(*window_));
    docks_ = {"start", "data",  "training",   "anchors", "embeddings", "forecasts", "compare",
              "runs",  "queue", "experiment", "help",    "fetch",      "messages",  "difference"};
    for (const auto& name : docks_) QVERIFY2(window_->dock(name) != nullptr, qPrintable(name));
}

void TestAccess::show_everything(const QString& dock) {
    window_->show_dock(dock);
    QTest::qWait(120);
}

void TestAccess::every_control_has_name_and_tooltip() {
    QStringList missing;
    for (const auto& dock : docks_) {
        show_everything(dock);
        for (auto* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !is_control(widget) || is_part_of_a_control(widget)) continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool named =
                !widget->accessibleName().isEmpty() || (button != nullptr && button->text().size() > 2);
            if (!named) missing << "no accessible name: " + describe(widget);
            if (widget->toolTip().isEmpty()) missing << "no tooltip: " + describe(widget);
        }
    }
    missing.removeDuplicates();
    QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
}

void TestAccess::no_text_is_cut_off_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestAccess::no_text_is_cut_off() {
    QFETCH(bool, dark);
    window_->set_theme(dark ? gui::Theme::dark : gui::Theme::light);
    QStringList cut;
    for (const auto& dock : docks_) {
        show_everything(dock);
        for (auto* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->visibleRegion().isEmpty() || is_part_of_a_control(widget))
                continue;
            if (const auto* button = qobject_cast<QAbstractButton*>(widget);
                button != nullptr && !button->text().isEmpty()) {
                // A link button breaks its description by itself.
                if (widget->inherits("QCommandLinkButton")) continue;
                const int wanted =
                    button->fontMetrics().horizontalAdvance(QString(button->text()).remove('&'));
                if (wanted > button->width() || button->fontMetrics().height() > button->height() + 2)
                    cut << QStringLiteral("%1 px wanted, %2 there: ").arg(wanted).arg(button->width()) +
                               describe(button);
            }
            if (const auto* label = qobject_cast<QLabel*>(widget);
                label != nullptr && !label->text().isEmpty() && label->pixmap().isNull()) {
                const auto wanted =
                    label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
                if (wanted.width() > label->width() + 1 || wanted.height() > label->height() + 2)
                    cut << QStringLiteral("%1×%2 wanted, %3×%4 there: ")
                                   .arg(wanted.width())
                                   .arg(wanted.height())
                                   .arg(label->width())
                                   .arg(label->height()) +
                               describe(label);
            }
        }
    }
    window_->set_theme(gui::Theme::light);
    cut.removeDuplicates();
    QVERIFY2(cut.isEmpty(), qPrintable("\n" + cut.join("\n")));
}

void TestAccess::tab_reaches_every_control() {
    QStringList unreachable;
    for (const auto& dock : docks_) {
        show_everything(dock);
        // What Tab visits, starting anywhere and going once round.
        QSet<QWidget*> reached;
        QWidget* at = window_.get();
        do {
            at = at->nextInFocusChain();
            reached << at;
        } while (at != window_.get());
        for (auto* widget : window_->dock(dock)->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !widget->isEnabled() || !is_control(widget) ||
                is_part_of_a_control(widget))
                continue;
            // A list may be the choice of a text field above it, which hands it the arrow keys.
            if (widget->focusPolicy() == Qt::NoFocus && !widget->property("keyboard-through").isValid())
                unreachable << "takes no keyboard: " + describe(widget);
            else if (!reached.contains(widget))
                unreachable << "not in the focus chain: " + describe(widget);
        }
    }
    unreachable.removeDuplicates();
    QVERIFY2(unreachable.isEmpty(), qPrintable("\n" + unreachable.join("\n")));
}

void TestAccess::every_action_is_in_a_menu_with_tip_and_found() {
    QSet<QAction*> in_menus;
    for (auto* menu : window_->menuBar()->findChildren<QMenu*>())
        for (auto* action : menu->actions()) in_menus << action;
    for (const auto& entry : window_->actions().entries()) {
        QVERIFY2(in_menus.contains(entry.action), qPrintable(entry.spec.id));
        QVERIFY2(!entry.spec.tip.isEmpty(), qPrintable(entry.spec.id));
        QVERIFY2(!entry.action->shortcut().isEmpty(), qPrintable(entry.spec.id));
    }
    // Two of one key: neither would do anything. Actions of panels count where their panel has the keyboard.
    QHash<QString, QStringList> keys;
    for (auto* action : window_->findChildren<QAction*>())
        for (const auto& key : action->shortcuts())
            if (!key.isEmpty()) keys[key.toString()] << action->objectName() + " \"" + action->text() + "\"";
    for (auto* shortcut : window_->findChildren<QShortcut*>()) {
        const bool labels = shortcut->parent()->inherits("QLabel");
        if (!labels && !shortcut->key().isEmpty())
            keys[shortcut->key().toString()] << "shortcut of " + shortcut->parent()->objectName();
    }
    QStringList twice;
    for (const auto& entry : window_->actions().entries())
        if (const auto& users = keys[entry.action->shortcut().toString()]; users.size() > 1)
            twice << entry.action->shortcut().toString() + ": " + users.join(", ");
    QVERIFY2(twice.isEmpty(), qPrintable("\n" + twice.join("\n")));
}

void TestAccess::text_is_large_enough() {
    for (auto* widget : window_->findChildren<QWidget*>())
        QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 11, qPrintable(describe(widget)));
}

void TestAccess::fits_a_small_screen() {
    window_->reset_layout();
    QTest::qWait(50);
    QStringList wide;
    for (const auto& name : docks_) {
        const auto* dock = window_->dock(name);
        wide << QStringLiteral("%1: %2×%3")
                    .arg(name)
                    .arg(dock->minimumSizeHint().width())
                    .arg(dock->minimumSizeHint().height());
    }
    const auto least = window_->minimumSizeHint();
    QVERIFY2(least.width() <= 1280 && least.height() <= 700,
             qPrintable(QStringLiteral("the window needs %1×%2; ").arg(least.width()).arg(least.height()) +
                        wide.join(", ")));
}

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    test::require_opengl();
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    TestAccess test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_access.moc"
