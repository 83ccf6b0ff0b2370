// View → Language: the choice is kept, and the next window has it.

#include "window_fixture.h"

#include <algorithm>

#include <QDockWidget>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

#include "gui/language.h"
#include "language_fixture.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/option_form.h"
#include "test_program.h"
#include "translation_checks.h"
#include "verify_text.h"
#include "words/core_text.h"
#include "words/mnemonic.h"

using namespace casp;

namespace {

/// As run_window() does at the start of the program.
bool install_chosen_language() {
    test::remove_translations();
    return gui::install_language(*qApp, gui::language_for(gui::chosen_language(), {}));
}

void choose(gui::MainWindow& window, const char* language) {
    window.actions().find(QStringLiteral("view.language-") + language)->trigger();
}

bool is_chinese(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
}

/// A part of the session without its sizes, which depend on texts; empty if it is not JSON.
QJsonObject choices_in(const QByteArray& part) {
    auto object = QJsonDocument::fromJson(part).object();
    object.remove("splitter");
    object.remove("columns");
    return object;
}

/// Alt and the letter, in a menu bar: "文件(&F)".
bool opens_by_its_mnemonic(gui::MainWindow& window, const QAction& entry) {
    const auto letter = test::mnemonics_of(entry.text()).value(0);
    if (letter.isEmpty()) return false;
    QTest::keyClick(&window, letter[0].toLatin1(), Qt::AltModifier);
    return QTest::qWaitFor([&] { return entry.menu()->isVisible(); }, 60000);
}

QStringList checked_languages(gui::MainWindow& window) {
    QStringList checked;
    for (const auto& entry : window.actions().entries())
        if (entry.spec.id.startsWith("view.language-") && entry.action->isChecked()) checked << entry.spec.id;
    return checked;
}

}  // namespace

class TestLanguage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        qunsetenv("CASP_LANGUAGE");
        QSettings().clear();
    }

    void cleanup() {
        qunsetenv("CASP_LANGUAGE");
        test::remove_translations();
    }

    void mnemonics_are_left_out_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("plain");
        QTest::newRow("English") << "&Open…"
                                 << "Open…";
        QTest::newRow("Chinese") << "打开(&O)…"
                                 << "打开…";
        QTest::newRow("with a space") << "打开 (&O)"
                                      << "打开";
        QTest::newRow("menus") << "运行(&R)/嵌入(&E)"
                               << "运行/嵌入";
        QTest::newRow("parentheses") << "Export (PNG)"
                                     << "Export (PNG)";
    }

    void mnemonics_are_left_out() {
        QFETCH(const QString, text);
        QTEST(widgets::without_mnemonic(text), "plain");
    }

    void language_of_the_system_data() {
        QTest::addColumn<QString>("choice");
        QTest::addColumn<QStringList>("preferred");
        QTest::addColumn<QString>("language");
        QTest::newRow("chosen") << "zh_CN" << QStringList{"en-GB"} << "zh_CN";
        QTest::newRow("English chosen") << "en" << QStringList{"zh-Hans-CN"} << "en";
        QTest::newRow("simplified") << "system" << QStringList{"zh-Hans-CN", "zh-CN", "zh"} << "zh_CN";
        QTest::newRow("underscore") << "system" << QStringList{"zh_SG"} << "zh_CN";
        QTest::newRow("traditional") << "system" << QStringList{"zh-Hant-TW", "zh-TW"} << "en";
        QTest::newRow("second choice") << "system" << QStringList{"de-DE", "zh-CN", "en"} << "zh_CN";
        QTest::newRow("English first") << "system" << QStringList{"en-US", "zh-CN"} << "en";
        QTest::newRow("none") << "system" << QStringList{"de-DE"} << "en";
        QTest::newRow("from another version") << "xx" << QStringList{"zh-CN"} << "zh_CN";
    }

    void language_of_the_system() {
        QFETCH(const QString, choice);
        QFETCH(const QStringList, preferred);
        QTEST(gui::language_for(choice, preferred), "language");
    }

    void stages_of_core_are_translated() {
        struct Chinese : QTranslator {
            [[nodiscard]] bool isEmpty() const override { return false; }
            [[nodiscard]] QString translate(const char* context, const char* source, const char*,
                                            int) const override {
                static const QHash<QByteArray, QString> words{{"evaluating %1", "正在评估%1"},
                                                              {"test", "测试集"},
                                                              {"reading %1", "正在读取 %1"},
                                                              {"%1 minutes", "%1 分钟"}};
                return QByteArray(context) == "core" ? words.value(source) : QString();
            }
        } chinese;
        QVERIFY(QCoreApplication::installTranslator(&chinese));
        QCOMPARE(widgets::translated_stage({Stage::evaluating, "test"}), QString("正在评估测试集"));
        QCOMPARE(widgets::translated_stage({Stage::reading, "my data.csv"}), QString("正在读取 my data.csv"));
        // A file with the name of a split.
        QCOMPARE(widgets::translated_stage({Stage::reading, "test"}), QString("正在读取 test"));
        QCOMPARE(widgets::translated(Phrase("%1 minutes", 15)), QString("15 分钟"));
        QCOMPARE(widgets::translated(Phrase("%1 week", 1)), QString("1 week"));
        QCoreApplication::removeTranslator(&chinese);
    }

    void the_next_window_has_the_chosen_language() {
        test::WindowPlace place;
        QHash<QString, QByteArray> english;
        QStringList folded;
        {
            auto window = place.open();
            QCOMPARE(checked_languages(*window), QStringList("view.language-system"));
            window->findChild<widgets::ComparePanel*>()->set_metric(casp::figures::metric_named("test_mae"));
            window->open_paths({place.csv()});
            auto* data = window->findChild<widgets::DataPanel*>();
            QTRY_VERIFY_WITH_TIMEOUT(data->is_settled(), test::run_limit);
            choose(*window, "zh_CN");
            QCOMPARE(checked_languages(*window), QStringList("view.language-zh_CN"));
            QCOMPARE(QSettings().value("language").toString(), QString("zh_CN"));
            VERIFY_HAS(window->info().text("language"), "next start");
            window->close();
            english = place.saved().parts;
            folded = window->findChild<widgets::OptionForm*>()->folded_groups();
            QVERIFY(!folded.isEmpty());
        }
        QVERIFY(install_chosen_language());
        QCOMPARE(gui::language_in_use(), QString("zh_CN"));
        {
            auto window = place.open();
            QCOMPARE(checked_languages(*window), QStringList("view.language-zh_CN"));
            const auto file = window->menuBar()->actions().front()->text();
            QVERIFY2(is_chinese(file) && file.endsWith("(&F)"), qPrintable(file));
            QVERIFY2(is_chinese(window->dock("runs")->windowTitle()),
                     qPrintable(window->dock("runs")->windowTitle()));
            QVERIFY(is_chinese(gui::help_page("start").section('\n', 0, 0)));
            // As it was.
            QCOMPARE(window->findChild<widgets::OptionForm*>()->folded_groups(), folded);
            auto* data = window->findChild<widgets::DataPanel*>();
            QCOMPARE(data->paths(), QStringList(place.csv()));
            QCOMPARE(window->launcher().output_folder(), place.runs());
            for (auto* entry : window->menuBar()->actions()) {
                QVERIFY2(opens_by_its_mnemonic(*window, *entry), qPrintable(entry->text()));
                entry->menu()->close();
            }
            choose(*window, "en");
            QVERIFY(window->info().has("language"));
            window->close();
            // Nothing of the session is kept by its shown text, which the other language does not know.
            const auto chinese = place.saved().parts;
            QCOMPARE(chinese.size(), english.size());
            for (auto part = english.begin(); part != english.end(); ++part)
                QVERIFY2(choices_in(chinese[part.key()]) == choices_in(*part),
                         qPrintable(part.key() + ": " + chinese[part.key()]));
            QVERIFY(choices_in(english["compare"]).size() > 5);
        }
        QVERIFY(install_chosen_language());
        QCOMPARE(gui::language_in_use(), QString("en"));
        auto window = place.open();
        for (auto* entry : window->menuBar()->actions()) {
            QVERIFY2(opens_by_its_mnemonic(*window, *entry), qPrintable(entry->text()));
            entry->menu()->close();
        }
        QCOMPARE(checked_languages(*window), QStringList("view.language-en"));
        QCOMPARE(window->menuBar()->actions().front()->text(), QString("&File"));
    }

    void the_language_in_use_needs_no_notice() {
        test::WindowPlace place;
        auto window = place.open();
        choose(*window, "en");
        QVERIFY(!window->info().has("language"));
        // Back before the next start: the notice goes.
        choose(*window, "zh_CN");
        QVERIFY(window->info().has("language"));
        choose(*window, "en");
        QTRY_VERIFY(!window->info().has("language"));
        QCOMPARE(gui::chosen_language(), QString("en"));
    }

    void environment_overrides_chosen_language() {
        gui::choose_language("en");
        qputenv("CASP_LANGUAGE", "zh_CN");
        QVERIFY(install_chosen_language());
        QCOMPARE(gui::language_in_use(), QString("zh_CN"));
        test::WindowPlace place;
        auto window = place.open();
        QCOMPARE(checked_languages(*window), QStringList("view.language-zh_CN"));
        choose(*window, "en");
        QCOMPARE(QSettings().value("language").toString(), QString("en"));
        VERIFY_HAS(window->info().text("language"), "CASP_LANGUAGE");
    }
};

TEST_PROGRAM(TestLanguage)(int argc, char** argv) {
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    QApplication application(argc, argv);
    QApplication::setApplicationName("caspstudio");
    QApplication::setOrganizationName("caspstudio");
    TestLanguage test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_language.moc"
