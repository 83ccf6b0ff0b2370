// What everybody must be able to use: names, tooltips, keys, texts that fit, in both themes and every scale.
// CTest runs it at QT_SCALE_FACTOR 1, 1.5 and 2, and in the languages of the window: CASP_LANGUAGE=zh_CN, or
// "longer" for one that is 40 % longer than English. CASP_FONT: the font's family; DejaVu Sans, the widest of
// the usual ones, if it is not set. The keyboard's path: test_access_keyboard.cpp.

#include "access_scenes.h"

#include <functional>

#include <QButtonGroup>
#include <QCheckBox>
#include <QFontDatabase>
#include <QGroupBox>
#include <QListWidget>
#include <QMenu>
#include <QRadioButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QToolBar>

#include "language_fixture.h"
#include "test_program.h"
#include "translation_checks.h"
#include "widgets/require_gl.h"
#include "words/mnemonic.h"

using namespace casp;
using casp::test::describe, test::is_control, test::is_part_of_a_control, test::Scene;

namespace {

constexpr QSize small_screen(1280, 700);

std::unique_ptr<test::LongerLanguage> longer_language;  ///< null in other languages

/// CASP_LANGUAGE: a language of the window, or "longer". False: there is no such language.
bool use_language(QApplication& application) {
    const auto language = qEnvironmentVariable("CASP_LANGUAGE", "en");
    if (language != "longer") return gui::install_language(application, language);
    longer_language = std::make_unique<test::LongerLanguage>();
    return QCoreApplication::installTranslator(longer_language.get());
}

/// The font of CASP_FONT at the size of the system's, whatever other fonts are installed.
void use_font() {
    auto font = QApplication::font();
    font.setFamilies({qEnvironmentVariable("CASP_FONT", "DejaVu Sans"), "WenQuanYi Micro Hei"});
    QApplication::setFont(font);
}

/// Width for the text of a button, without its frame, indicator and icon.
int room_for_text(const QAbstractButton& button) {
    QStyleOptionButton option;
    option.initFrom(&button);
    const auto* style = button.style();
    if (qobject_cast<const QCheckBox*>(&button) != nullptr)
        return style->subElementRect(QStyle::SE_CheckBoxContents, &option, &button).width();
    if (qobject_cast<const QRadioButton*>(&button) != nullptr)
        return style->subElementRect(QStyle::SE_RadioButtonContents, &option, &button).width();
    int room = button.width();
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    if (!button.icon().isNull() && (tool == nullptr || tool->toolButtonStyle() != Qt::ToolButtonTextOnly))
        room -= button.iconSize().width() + 4;
    if (tool != nullptr && tool->popupMode() == QToolButton::MenuButtonPopup)
        room -= style->pixelMetric(QStyle::PM_MenuButtonIndicator, nullptr, tool);
    return room;
}

/// The parts, from outside to inside, that give a widget its least width.
QString widest_parts(const QWidget* widget) {
    QString path = QStringLiteral("%1 px: ").arg(widget->minimumSizeHint().width());
    while (widget != nullptr) {
        const QWidget* widest = nullptr;
        const auto least = [](const QWidget* part) {
            return std::max(part->minimumSizeHint().width(), part->minimumWidth());
        };
        for (const auto* part : widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (!part->isWindow() && (widest == nullptr || least(part) > least(widest))) widest = part;
        if (widest == nullptr) return path + describe(widget);
        widget = widest;
    }
    return path;
}

/// How far a widget reaches beyond what contains it, where nothing can be scrolled.
int beyond_its_parents(const QWidget* widget) {
    int most = 0;
    for (const auto* above = widget->parentWidget(); above != nullptr; above = above->parentWidget()) {
        const int right = widget->mapTo(above, QPoint(widget->width(), 0)).x();
        most = std::max({most, right - above->width(), -widget->mapTo(above, QPoint(0, 0)).x()});
        const auto* area = qobject_cast<const QAbstractScrollArea*>(above->parentWidget());
        if (above->isWindow() ||
            (area != nullptr && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff))
            break;
    }
    return most;
}

/// Where the text of a widget that is shown does not fit and its tooltip does not say it, either.
QStringList cut_off_texts(const QWidget* widget) {
    QStringList cut;
    const auto too_long = [&](const QString& text, int room, const QString& tip,
                              const QFontMetrics& metrics) {
        const auto plain = widgets::without_mnemonic(text);
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
        // "打开(&O)" shows its mnemonic.
        const auto text = QString(button->text()).remove('&');
        too_long(text, room_for_text(*button), {}, button->fontMetrics());
        if (button->fontMetrics().height() > button->height() + 2)
            cut << "not high enough: " + describe(button);
        if (const int beyond = beyond_its_parents(button); beyond > 1)
            cut << QStringLiteral("%1 px of %2 are outside: ").arg(beyond).arg(button->width()) +
                       describe(button);
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
    } else if (box != nullptr && !box->currentText().contains('/')) {  // of a path the end is seen
        constexpr int margins = 6;
        too_long(box->currentText(), box->lineEdit()->width() - margins, box->toolTip(), box->fontMetrics());
    } else if (const auto* field = qobject_cast<const QLineEdit*>(widget);
               field != nullptr && field->text().isEmpty()) {
        if (longer_language != nullptr) return cut;  // a hint may end early there
        constexpr int margins = 8;
        too_long(field->placeholderText(), field->width() - margins, field->toolTip(), field->fontMetrics());
    } else if (const auto* group = qobject_cast<const QGroupBox*>(widget); group != nullptr) {
        constexpr int margins = 16, indicator = 20;
        too_long(QString(group->title()).remove('&'),
                 group->width() - margins - (group->isCheckable() ? indicator : 0), {}, group->fontMetrics());
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
    } else if (const auto* area = qobject_cast<const QScrollArea*>(widget);
               area != nullptr && area->widget() != nullptr) {
        // A page is scrolled downwards only.
        if (const int most = area->viewport()->width(); area->widget()->width() > most)
            cut << QStringLiteral("%1 px there for ").arg(most) + widest_parts(area->widget());
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
    void initTestCase() {
        const auto family = QApplication::font().families().constFirst();
        if (!QFontDatabase::hasFamily(family)) QSKIP(qPrintable("not installed: the font " + family));
        access_ = std::make_unique<test::AccessWindow>();
        const auto problem = access_->make();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        window_ = &access_->window();
    }

    void every_control_has_name_and_tooltip() {
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

    void no_text_is_cut_off_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << false << QSize(1480, 920);
        QTest::newRow("dark") << true << QSize(1480, 920);
        QTest::newRow("small") << false << small_screen;
    }

    void no_text_is_cut_off() {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        window_->set_theme(dark ? gui::Theme::dark : gui::Theme::light);
        QStringList cut;
        for (const auto& scene : access_->scenes()) {
            if (size == small_screen)
                window_->reset_layout();  // as it is at first, without all docks at once
            window_->resize(size);
            scene.open();
            QTest::qWait(120);
            QStringList here;
            const auto fits = [&] {
                here.clear();
                for (const auto* widget : window_->findChildren<QWidget*>())
                    if (widget->isVisible() && !widget->visibleRegion().isEmpty() &&
                        !is_part_of_a_control(widget))
                        for (const auto& text : cut_off_texts(widget)) here << scene.name + ": " + text;
                return here.isEmpty();
            };
            (void)QTest::qWaitFor(fits, 1000);  // until all is laid out
            cut += here;
            scene.close();
        }
        window_->set_theme(gui::Theme::light);
        window_->resize(1480, 920);
        cut.removeDuplicates();
        QVERIFY2(cut.isEmpty(), qPrintable("\n" + cut.join("\n")));
    }

    void every_action_has_tip_and_menu() {
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
            const auto text = widgets::without_mnemonic(action->text());
            QVERIFY2(action->toolTip().size() > text.size() || action->toolTip().contains(' '),
                     qPrintable(action->objectName()));
        }
        // What every view's ⋯ menu has can be done from the menu bar, too.
        for (const auto* id : {"figures.copy-picture", "figures.copy-numbers", "figures.export-view",
                               "figures.enlarge", "help.here"})
            QVERIFY2(window_->actions().find(id) != nullptr, id);
    }

    void every_action_has_a_unique_key() {
        QStringList none;
        // Two of one key: neither would do anything. Del, Enter and Ctrl+C of lists count in their list
        // alone.
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

    void text_is_large_enough() {
        for (auto* widget : window_->findChildren<QWidget*>())
            QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 11, qPrintable(describe(widget)));
    }

    void fits_a_small_screen() {
        window_->reset_layout();
        QTest::qWait(50);
        QStringList wide;
        for (const auto& name : access_->docks()) {
            const auto* dock = window_->dock(name);
            wide << QStringLiteral("%1: %2×%3")
                        .arg(name)
                        .arg(dock->minimumSizeHint().width())
                        .arg(dock->minimumSizeHint().height());
        }
        QStringList parts;
        for (const auto& name : access_->docks())
            if (window_->dock(name)->minimumSizeHint().width() > small_screen.width() / 2)
                parts << "\n" + widest_parts(window_->dock(name));
        const auto least = window_->minimumSizeHint();
        QVERIFY2(
            least.width() <= small_screen.width() && least.height() <= small_screen.height(),
            qPrintable(QStringLiteral("the window needs %1×%2; ").arg(least.width()).arg(least.height()) +
                       wide.join(", ") + parts.join(QString())));
    }

    /// Menus are made from their titles, which several classes translate.
    void menus_have_unique_titles() {
        QStringList titles;
        for (auto* entry : window_->menuBar()->actions()) titles << entry->text();
        QVERIFY2(titles.size() == 6, qPrintable(titles.join(", ")));
        QCOMPARE(titles.size(), QSet<QString>(titles.begin(), titles.end()).size());
    }

    void mnemonics_of_a_menu_differ() {
        QStringList twice;
        const auto check = [&](const QString& menu, const QList<QAction*>& actions) {
            QHash<QString, QStringList> letters;
            for (const auto* action : actions)
                for (const auto& letter : test::mnemonics_of(action->text()))
                    letters[letter] << action->text();
            for (auto it = letters.begin(); it != letters.end(); ++it)
                if (it->size() > 1) twice << menu + ": " + it->join(", ");
        };
        std::function<void(const QString&, const QMenu*)> look = [&](const QString& name, const QMenu* menu) {
            check(name, menu->actions());
            for (auto* action : menu->actions())
                if (action->menu() != nullptr) look(name + " → " + action->text(), action->menu());
        };
        check("menu bar", window_->menuBar()->actions());
        for (auto* entry : window_->menuBar()->actions()) look(entry->text(), entry->menu());
        QVERIFY2(twice.isEmpty(), qPrintable("\n" + twice.join("\n")));
    }

    /// Every text that the window has asked a translation for is in the list of messages; also the texts of
    /// core, which packaging/core_texts.py collects. After the other functions have opened everything.
    void every_shown_text_is_listed() {
        if (longer_language == nullptr) QSKIP("only in the longer language");
        QString problem;
        std::set<test::LongerLanguage::Message> listed;
        for (const auto& message : test::read_messages(
                 QStringLiteral(CASP_SOURCE_DIR "/resources/translations/caspstudio_zh_CN.ts"), problem))
            listed.insert({message.context, message.source});
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QStringList missing;
        const auto asked = longer_language->asked();
        // Symbols, metrics that are called so in every language, signs between phrases, and names of settings
        // and files that are literals of core.
        const QRegularExpression symbol(
            "^(\\S(_\\w+)?( %| \\(Holm\\))?|s?[A-Z]{3,4}|\\W*(%\\d\\W*)*|"
            "[\\w-]*[._*/][\\w.*/-]*)$",
            QRegularExpression::UseUnicodePropertiesOption);
        const auto is_known = [&](const test::LongerLanguage::Message& message) {
            return listed.count(message) > 0 ||
                   (message.first == "core" && symbol.match(message.second).hasMatch());
        };
        for (const auto& message : asked)
            if (!is_known(message)) missing << message.first + ": \"" + message.second + '"';
        QVERIFY2(asked.size() > 1000, qPrintable(QString::number(asked.size())));
        QVERIFY2(missing.isEmpty(), qPrintable("\n" + missing.join("\n")));
    }
    void cleanupTestCase() { access_.reset(); }

private:
    /// Opens each scene, calls `look` and closes it again.
    void in_every_scene(const std::function<void(const Scene&)>& look) {
        for (const auto& scene : access_->scenes()) {
            scene.open();
            QTest::qWait(120);
            look(scene);
            scene.close();
        }
    }

    [[nodiscard]] QList<QAction*> named_actions() const {
        QList<QAction*> named;
        for (auto* action : window_->findChildren<QAction*>())
            if (!action->objectName().isEmpty() && !action->objectName().startsWith("qt_") &&
                !action->objectName().startsWith("_q_"))
                named << action;
        return named;
    }
    std::unique_ptr<test::AccessWindow> access_;
    gui::MainWindow* window_ = nullptr;
};

TEST_PROGRAM(TestAccess)(int argc, char** argv) {
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle("Fusion");
    gui::remember_system_palette(application);
    if (!use_language(application)) return 1;
    use_font();
    TestAccess test;
    const int status = QTest::qExec(&test, argc, argv);
    longer_language.reset();
    return status;
}
#include "test_access.moc"
