// What everybody must be able to use: names, tooltips, the keyboard's path, texts that fit, in both themes
// and every scale. CTest runs it at QT_SCALE_FACTOR 1, 1.5 and 2.

#include "window_fixture.h"

#include <functional>
#include <map>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QButtonGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QShortcut>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTextEdit>
#include <QToolBar>

#include "gui/about_dialog.h"
#include "gui/command_palette.h"
#include "panels/data_panel.h"
#include "panels/experiment_panel.h"
#include "panels/fork_popover.h"
#include "panels/option_form.h"
#include "panels/runs_panel.h"
#include "widgets/require_gl.h"

using namespace casp;

namespace {

constexpr QSize small_screen(1280, 700);

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

/// Something to look at: a panel, one of its pages, or a small window of the main one.
struct Scene {
    QString name;
    std::function<void()> open = [] {};
    std::function<void()> close = [] {};
};

/// Where the text of a widget that is shown does not fit and its tooltip does not say it, either.
QStringList cut_off_texts(const QWidget* widget) {
    QStringList cut;
    const auto too_long = [&](const QString& text, int room, const QString& tip,
                              const QFontMetrics& metrics) {
        const auto plain = QString(text).remove('&');
        const int wanted = metrics.horizontalAdvance(plain);
        if (wanted <= room || tip.contains(plain)) return;
        cut << QStringLiteral("%1 px wanted, %2 there for \"%3\": ")
                       .arg(wanted)
                       .arg(room)
                       .arg(plain.left(60)) +
                   describe(widget);
    };
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
        button != nullptr && !button->text().isEmpty()) {
        // A link button breaks its description by itself.
        if (widget->inherits("QCommandLinkButton")) return cut;
        too_long(button->text(), button->width(), {}, button->fontMetrics());
        if (button->fontMetrics().height() > button->height() + 2)
            cut << "not high enough: " + describe(button);
    } else if (const auto* label = qobject_cast<const QLabel*>(widget);
               label != nullptr && !label->text().isEmpty() && label->pixmap().isNull()) {
        const auto wanted =
            label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
        // A view's title gives way to its controls, and its tooltip says it.
        const bool tells = label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored &&
                           label->toolTip().contains(label->text());
        if ((wanted.width() > label->width() + 1 && !tells) || wanted.height() > label->height() + 2)
            cut << QStringLiteral("%1×%2 wanted, %3×%4 there: ")
                           .arg(wanted.width())
                           .arg(wanted.height())
                           .arg(label->width())
                           .arg(label->height()) +
                       describe(label);
    } else if (const auto* box = qobject_cast<const QComboBox*>(widget);
               box != nullptr && !box->isEditable()) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        option.subControls = QStyle::SC_All;
        const auto room =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        too_long(box->currentText(), room.width(), box->toolTip(), box->fontMetrics());
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
        for (int i = 0; i < tabs->count(); ++i)
            too_long(tabs->tabText(i), tabs->tabRect(i).width(), tabs->tabToolTip(i), tabs->fontMetrics());
    } else if (const auto* header = qobject_cast<const QHeaderView*>(widget);
               header != nullptr && header->orientation() == Qt::Horizontal && header->model() != nullptr) {
        for (int i = 0; i < header->count(); ++i) {
            if (header->isSectionHidden(i)) continue;
            const auto text = header->model()->headerData(i, Qt::Horizontal).toString();
            const auto tip = header->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString();
            // Whoever points at it is told the meaning, which is more than the title.
            if (tip.isEmpty()) too_long(text, header->sectionSize(i), {}, header->fontMetrics());
        }
    } else if (const auto* dock = qobject_cast<const QDockWidget*>(widget)) {
        constexpr int buttons = 40;
        too_long(dock->windowTitle(), dock->width() - buttons, {}, dock->fontMetrics());
    }
    return cut;
}

}  // namespace

class TestAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void every_control_has_name_and_tooltip();
    void no_text_is_cut_off_data();
    void no_text_is_cut_off();
    void tab_goes_round_everything_data();
    void tab_goes_round_everything();
    void every_action_has_tip_and_menu();
    void every_action_has_a_key_of_its_own();
    void every_action_is_found_by_the_palette();
    void text_is_large_enough();
    void fits_a_small_screen();
    void cleanupTestCase() { window_.reset(); }

private:
    void make_scenes();
    /// Opens each scene, calls `look` and closes it again.
    void in_every_scene(const std::function<void(const Scene&)>& look);
    [[nodiscard]] QList<QAction*> named_actions() const;
    /// What has the keyboard one after the other when Tab (or Shift+Tab) is pressed until `first` has it
    /// again. Empty, with the test failed, where that never happens.
    static QList<QWidget*> way_round(QWidget* first, Qt::Key key);
    std::unique_ptr<test::WindowPlace> place_;
    std::unique_ptr<gui::MainWindow> window_;
    QStringList docks_;
    std::vector<Scene> scenes_;
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
    docks_ = {"start", "data",  "training",   "anchors", "embeddings", "forecasts", "compare",   "runs",
              "queue", "sweep", "experiment", "help",    "fetch",      "messages",  "difference"};
    for (const auto& name : docks_) QVERIFY2(window_->dock(name) != nullptr, qPrintable(name));
    const auto all = window_->findChildren<QDockWidget*>();
    QCOMPARE(all.size(), docks_.size());
    make_scenes();
}

void TestAccess::make_scenes() {
    const auto shown = [this](const QString& dock) { return [this, dock] { window_->show_dock(dock); }; };
    for (const auto& name : docks_) scenes_.push_back({name, shown(name)});
    auto* data = window_->findChild<widgets::DataPanel*>();
    const auto data_page = [this, data](widgets::DataPanel::Page page) {
        return [this, data, page] {
            window_->show_dock("data");
            data->show_page(page);
        };
    };
    const auto first_page = [data] { data->show_page(widgets::DataPanel::table_page); };
    scenes_.push_back({"data/channels", data_page(widgets::DataPanel::channels_page), first_page});
    scenes_.push_back({"data/preparation", data_page(widgets::DataPanel::preparation_page), first_page});
    auto* experiment = window_->findChild<widgets::ExperimentPanel*>();
    scenes_.push_back({"experiment/toml",
                       [this, experiment] {
                           window_->show_dock("experiment");
                           experiment->set_toml_visible(true);
                       },
                       [experiment] { experiment->set_toml_visible(false); }});
    auto* form = window_->findChild<widgets::OptionForm*>();
    const auto folded = form->folded_groups();
    scenes_.push_back({"experiment/all groups",
                       [this, form] {
                           window_->show_dock("experiment");
                           form->set_folded_groups({});
                       },
                       [form, folded] { form->set_folded_groups(folded); }});
    auto* runs = window_->findChild<widgets::RunsPanel*>();
    scenes_.push_back({"runs/wastebasket",
                       [this, runs] {
                           window_->show_dock("runs");
                           runs->show_wastebasket(true);
                       },
                       [runs] { runs->show_wastebasket(false); }});
    auto* fork = window_->findChild<widgets::ForkPopover*>();
    scenes_.push_back({"fork",
                       [this, runs, fork] {
                           window_->show_dock("runs");
                           runs->select_runs(window_->selection().state().runs.mid(0, 1));
                           runs->action("runs_fork")->trigger();
                           QVERIFY(fork->isVisible());
                       },
                       [fork] { fork->close(); }});
    scenes_.push_back({"palette", [this] { window_->palette_of_actions().open(); },
                       [this] { window_->palette_of_actions().hide(); }});
    scenes_.push_back({"about", [this] { window_->actions().find("help.about")->trigger(); },
                       [this] { delete window_->findChild<gui::AboutDialog*>(); }});
}

void TestAccess::in_every_scene(const std::function<void(const Scene&)>& look) {
    for (const auto& scene : scenes_) {
        scene.open();
        QTest::qWait(120);
        look(scene);
        scene.close();
    }
}

void TestAccess::every_control_has_name_and_tooltip() {
    QStringList missing;
    in_every_scene([&](const Scene&) {
        for (auto* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !is_control(widget) || is_part_of_a_control(widget)) continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool named =
                !widget->accessibleName().isEmpty() || (button != nullptr && button->text().size() > 2);
            if (!named) missing << "no accessible name: " + describe(widget);
            if (widget->toolTip().isEmpty()) missing << "no tooltip: " + describe(widget);
        }
    });
    missing.removeDuplicates();
    QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
}

void TestAccess::no_text_is_cut_off_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light") << false << QSize(1480, 920);
    QTest::newRow("dark") << true << QSize(1480, 920);
    QTest::newRow("small") << false << small_screen;
}

void TestAccess::no_text_is_cut_off() {
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    window_->set_theme(dark ? gui::Theme::dark : gui::Theme::light);
    QStringList cut;
    for (const auto& scene : scenes_) {
        if (size == small_screen) window_->reset_layout();  // as it is at first, without all docks at once
        window_->resize(size);
        scene.open();
        QTest::qWait(120);
        for (const auto* widget : window_->findChildren<QWidget*>())
            if (widget->isVisible() && !widget->visibleRegion().isEmpty() && !is_part_of_a_control(widget))
                for (const auto& text : cut_off_texts(widget)) cut << scene.name + ": " + text;
        scene.close();
    }
    window_->set_theme(gui::Theme::light);
    window_->resize(1480, 920);
    cut.removeDuplicates();
    QVERIFY2(cut.isEmpty(), qPrintable("\n" + cut.join("\n")));
}

void TestAccess::tab_goes_round_everything_data() {
    QTest::addColumn<QString>("dock");
    for (const auto& name : docks_) QTest::newRow(qPrintable(name)) << name;
}

QList<QWidget*> TestAccess::way_round(QWidget* first, Qt::Key key) {
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

void TestAccess::tab_goes_round_everything() {
    QFETCH(QString, dock);
    window_->reset_layout();
    window_->show_dock(dock);
    QTest::qWait(120);
    QApplication::setActiveWindow(window_.get());
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
    QStringList unreachable;
    for (auto* widget : window_->dock(dock)->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || !is_control(widget) ||
            is_part_of_a_control(widget) || widget->property("keyboard-through").isValid())
            continue;
        if (path.contains(widget) || path.contains(widget->focusProxy())) continue;
        // Of buttons that exclude each other the arrow keys choose.
        if (const auto* button = qobject_cast<QAbstractButton*>(widget);
            button != nullptr &&
            (button->autoExclusive() || (button->group() && button->group()->exclusive())) &&
            !button->isChecked())
            continue;
        unreachable << describe(widget);
    }
    QVERIFY2(unreachable.isEmpty(), qPrintable("\nTab does not come to\n" + unreachable.join("\n")));
    // The order of the picture: every panel is gone through as a whole, left, centre, right, below.
    QList<int> places;
    for (auto* at : std::as_const(path)) {
        // Bars above the panels, and the bar that tells notes.
        int place = 0;
        if (qobject_cast<const QTabBar*>(at) != nullptr && qobject_cast<QMainWindow*>(at->parentWidget()))
            continue;  // titles of panels
        for (const QWidget* above = at; above != nullptr; above = above->parentWidget())
            if (const auto* panel = qobject_cast<const QDockWidget*>(above)) {
                auto* side = const_cast<QDockWidget*>(panel);
                place = panel->parentWidget() == window_.get()
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

QList<QAction*> TestAccess::named_actions() const {
    QList<QAction*> named;
    for (auto* action : window_->findChildren<QAction*>())
        if (!action->objectName().isEmpty() && !action->objectName().startsWith("qt_") &&
            !action->objectName().startsWith("_q_"))
            named << action;
    return named;
}

void TestAccess::every_action_has_tip_and_menu() {
    QSet<QAction*> in_menus;
    std::function<void(const QMenu*)> collect = [&](const QMenu* menu) {
        for (auto* action : menu->actions()) {
            in_menus << action;
            if (action->menu() != nullptr) collect(action->menu());
        }
    };
    for (auto* entry : window_->menuBar()->actions()) collect(entry->menu());
    const auto named = named_actions();
    QVERIFY2(named.size() > 90, qPrintable(QString::number(named.size())));
    for (auto* action : named) {
        QVERIFY2(in_menus.contains(action), qPrintable(action->objectName()));
        QVERIFY2(action->toolTip().size() > action->text().size() || action->toolTip().contains(' '),
                 qPrintable(action->objectName()));
    }
    // What every view's ⋯ menu has can be done from the menu bar, too.
    for (const auto* id : {"figures.copy-picture", "figures.copy-numbers", "figures.export-view",
                           "figures.enlarge", "help.here"})
        QVERIFY2(window_->actions().find(id) != nullptr, id);
}

void TestAccess::every_action_has_a_key_of_its_own() {
    QStringList none;
    // Two of one key: neither would do anything. Del, Enter and Ctrl+C of lists count in their list alone.
    QHash<QString, QStringList> keys;
    for (auto* action : named_actions()) {
        if (action->shortcut().isEmpty()) none << action->objectName();
        for (const auto& key : action->shortcuts())
            if (!key.isEmpty()) keys[key.toString()] << action->objectName();
    }
    for (auto* action : window_->findChildren<QAction*>())
        if (action->objectName().isEmpty() && action->shortcutContext() == Qt::WindowShortcut)
            for (const auto& key : action->shortcuts())
                if (!key.isEmpty()) keys[key.toString()] << "\"" + action->text() + "\"";
    for (auto* shortcut : window_->findChildren<QShortcut*>()) {
        const bool labels = shortcut->parent()->inherits("QLabel");
        if (!labels && !shortcut->key().isEmpty())
            keys[shortcut->key().toString()] << "shortcut of " + shortcut->parent()->objectName();
    }
    QVERIFY2(none.isEmpty(), qPrintable("no shortcut: " + none.join(", ")));
    QStringList twice;
    for (auto it = keys.begin(); it != keys.end(); ++it)
        if (it.value().size() > 1) twice << it.key() + ": " + it.value().join(", ");
    QVERIFY2(twice.isEmpty(), qPrintable("\n" + twice.join("\n")));
    // Nor does one begin another one of several keys: that would never be heard.
    for (auto it = keys.begin(); it != keys.end(); ++it)
        for (auto other = keys.begin(); other != keys.end(); ++other)
            QVERIFY2(other.key() == it.key() || !other.key().startsWith(it.key() + ", "),
                     qPrintable(it.key()));
}

void TestAccess::every_action_is_found_by_the_palette() {
    auto& palette = window_->palette_of_actions();
    auto* query = palette.findChild<QLineEdit*>();
    auto* list = palette.findChild<QListWidget*>();
    auto actions = named_actions();
    actions << window_->findChild<widgets::RunsPanel*>()->colour_menu()->actions();
    palette.open();
    QStringList missing;
    for (const auto* action : std::as_const(actions)) {
        if (action->isSeparator()) continue;
        const auto text = QString(action->text()).remove('&');
        query->setText(text);  // QTest has no key for λ
        bool found = false;
        // By its beginning: several panels have an action of one word.
        for (int row = 0; row < list->count() && !found; ++row)
            found = list->item(row)->text().startsWith(text + ' ') &&
                    list->item(row)->toolTip() == action->toolTip();
        if (!found) missing << action->objectName() + " \"" + text + "\"";
    }
    palette.hide();
    QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
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
    QVERIFY2(least.width() <= small_screen.width() && least.height() <= small_screen.height(),
             qPrintable(QStringLiteral("the window needs %1×%2; ").arg(least.width()).arg(least.height()) +
                        wide.join(", ")));
}

int main(int argc, char** argv) {
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    TestAccess test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_access.moc"
