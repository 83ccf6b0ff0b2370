// The parts of the window that need no run: palette, actions, messages, session, help, about.

#include <cmath>
#include <memory>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QtTest>

#include "config/options.h"
#include "config/presets.h"
#include "data/catalog.h"
#include "figures/style.h"
#include "gui/about_dialog.h"
#include "gui/actions.h"
#include "gui/command_palette.h"
#include "gui/fetch_panel.h"
#include "gui/file_exports.h"
#include "gui/help_panel.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/pages.h"
#include "gui/session.h"
#include "gui/start_page.h"
#include "gui/theme.h"
#include "test_program.h"
#include "util/error.h"
#include "verify_text.h"

using namespace casp;
using namespace casp::gui;

namespace {

/// A session that was cut off while it was written.
void write_damaged(const QString& path) {
    QFile damaged(path);
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("{\"output_folder\": \"/a");
}

}  // namespace

class TestShell : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fuzzy_finds_letters_in_order() {
        QVERIFY(fuzzy_score("rlc", "Run with this λ_cov") == 0 ||
                fuzzy_score("rwt", "Run with this λ_cov") > 0);
        QVERIFY(fuzzy_score("rwt", "Run with this") > 0);
        QCOMPARE(fuzzy_score("twr", "Run with"), 0);
        QVERIFY(fuzzy_score("", "anything") > 0);
        // A whole word beats scattered letters, a word's beginning beats its middle.
        QVERIFY(fuzzy_score("run", "Run") > fuzzy_score("run", "Reset unused things"));
        QVERIFY(fuzzy_score("exp", "Export all") > fuzzy_score("exp", "Reset the experiment"));
        QVERIFY(fuzzy_score("lambda", "λ_cov lambda coverage") > 0);
        QVERIFY(fuzzy_score("OPEN", "&Open…") > 0);
    }

    void two_actions_cannot_share_id_or_shortcut() {
        ActionList list;
        list.add({"a", "File", "A", "does a", QKeySequence("Ctrl+A")}, [] {});
        QVERIFY_THROWS_EXCEPTION(std::logic_error, list.add({"a", "File", "B", "b", {}}, [] {}));
        QVERIFY_THROWS_EXCEPTION(std::logic_error,
                                 list.add({"b", "File", "B", "b", QKeySequence("Ctrl+A")}, [] {}));
        QCOMPARE(list.entries().size(), std::size_t(1));
    }

    void palette_runs_what_is_found() {
        QWidget window;
        window.resize(800, 600);
        ActionList list;
        int opened = 0, ran = 0;
        list.add({"open", "File", "&Open…", "opens", QKeySequence("Ctrl+O")}, [&] { ++opened; });
        auto* run = list.add({"run", "Run", "&Run", "runs", QKeySequence("Ctrl+R"), "train"}, [&] { ++ran; });
        CommandPalette palette(list, &window);
        window.show();
        palette.open();
        QVERIFY(palette.isVisible());
        auto* field = palette.findChild<QLineEdit*>();
        QTest::keyClicks(field, "train");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(ran, 1);
        QCOMPARE(opened, 0);
        QVERIFY(!palette.isVisible());
        // Where nothing is found, that is said.
        palette.open();
        QTest::keyClicks(field, "zzz");
        const auto* found = palette.findChild<QListWidget*>();
        QCOMPARE(found->count(), 1);
        QVERIFY(found->item(0)->text().contains("No action"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(palette.isVisible());
        QTest::keyClick(field, Qt::Key_Escape);
        // A disabled action is listed but cannot be run; Esc closes.
        run->setEnabled(false);
        palette.open();
        QTest::keyClicks(field, "train");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(ran, 1);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
    }

    void session_round_trip() {
        const QTemporaryDir folder;
        SessionFile file(folder.filePath("deep/session.json"));
        SessionState state;
        state.output_folder = "/some/where";
        state.open_files = {"a.csv", "b ü.csv"};
        state.shown_runs = {"r1"};
        state.theme = "dark";
        state.parts["docks"] = QByteArray("\0\1\2", 3);
        state.waiting_runs = {"w"};
        state.going_runs = {"g"};
        state.closed_properly = false;
        QCOMPARE(file.write(state), QString());
        const auto back = file.read();
        QCOMPARE(back.output_folder, state.output_folder);
        QCOMPARE(back.open_files, state.open_files);
        QCOMPARE(back.shown_runs, state.shown_runs);
        QCOMPARE(back.theme, state.theme);
        QCOMPARE(back.parts, state.parts);
        QCOMPARE(back.waiting_runs, state.waiting_runs);
        QCOMPARE(back.going_runs, state.going_runs);
        QCOMPARE(back.closed_properly, false);
    }

    void damaged_session_is_kept_and_reported() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("session.json");
        write_damaged(path);
        QString problem;
        const auto state = SessionFile(path).read(&problem);
        QVERIFY(state.output_folder.isEmpty());
        VERIFY_HAS(problem, "session.json.damaged");
        QVERIFY(QFile::exists(path + ".damaged"));
        // A second one does not cost the first, whose words may still be wanted.
        QFile first(path + ".damaged");
        QVERIFY(first.open(QIODevice::ReadOnly));
        const auto kept = first.readAll();
        QFile second(path);
        QVERIFY(second.open(QIODevice::WriteOnly) && second.write("{ cut again") > 0);
        second.close();
        (void)SessionFile(path).read(&problem);
        VERIFY_HAS(problem, "session.json.damaged-2");
        QVERIFY(first.seek(0));
        QCOMPARE(first.readAll(), kept);
        QCOMPARE(QFileInfo(path + ".damaged").size(), kept.size());
        QCOMPARE(QFileInfo(path + ".damaged-2").size(), 11);
        QCOMPARE(free_name(path + ".damaged"), path + ".damaged-3");
        QCOMPARE(free_name(path + ".before"), path + ".before");
    }

    void session_of_another_window_is_not_renamed() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("session.json");
        write_damaged(path);
        QString problem;
        (void)SessionFile(path).read(&problem, false);
        VERIFY_HAS(problem, "session.json could not be read");
        QVERIFY(QFile::exists(path) && !QFile::exists(path + ".damaged"));
        // Of the second window that is open.
        QCOMPARE(SessionFile(path).of_window(1).path(), path);
        QCOMPARE(SessionFile(path).of_window(2).path(), folder.filePath("session-2.json"));
    }

    void a_session_that_does_not_open_is_kept() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("session.json");
        QVERIFY(QFile::link(path, path));  // in circles
        SessionFile file(path);
        QString problem;
        (void)file.read(&problem);
        VERIFY_HAS(problem, "could not be opened", "points back to itself");
        QVERIFY(QFileInfo(path).isSymLink() && !QFileInfo(path + ".damaged").isSymLink());
        SessionState state;
        state.theme = "dark";
        QCOMPARE(file.write(state), QString());
        QVERIFY(QFileInfo(path + ".unread").isSymLink());
        QCOMPARE(file.write(state), QString());  // the second time there is nothing to keep
        QVERIFY(QFileInfo(path + ".unread").isSymLink());
        QCOMPARE(SessionFile(path).read(&problem).theme, QString("dark"));
    }

    void a_copy_is_whole_or_not_there() {
        const QTemporaryDir folder;
        const auto from = folder.filePath("from"), to = folder.filePath("to");
        QFile file(from);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray bytes(3'000'000, 'x');
        file.write(bytes);
        file.close();
        std::vector<double> shares;
        copy_file(from, to, {}, [&](const casp::Progress& p) {
            shares.push_back(static_cast<double>(p.done) / static_cast<double>(p.total));
        });
        QVERIFY(shares.size() > 1 && shares.front() > 0 && shares.back() == 1);
        QFile copy(to);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll(), bytes);
        // A file whose reading fails (it used to be read for ever), and what is no file.
        for (const auto& source : {QStringLiteral("/proc/self/mem"), folder.path()}) {
            const auto target = folder.filePath("target");
            QVERIFY_THROWS_EXCEPTION(casp::Error, copy_file(source, target, {}));
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), (QStringList{"from", "to"}));
        }
        // One that has another length than it told: as if it grew while it was copied.
        QVERIFY_THROWS_EXCEPTION(casp::Error, copy_file("/proc/self/status", folder.filePath("target"), {}));
        QVERIFY(!QFile::exists(folder.filePath("target")));
    }

    void a_cache_that_may_not_be_read() {
        const QTemporaryDir folder;
        const auto cache = qgetenv("XDG_CACHE_HOME"), home = qgetenv("HOME");
        const bool had_cache = qEnvironmentVariableIsSet("XDG_CACHE_HOME");
        QVERIFY(QFile::link(folder.filePath("caspstudio"), folder.filePath("caspstudio")));  // in circles
        const auto states = [] {
            FetchPanel panel;
            const auto* table = panel.findChild<QTableWidget*>();
            QStringList all;
            for (int row = 0; row < table->rowCount(); ++row) all << table->item(row, 2)->text();
            all.removeDuplicates();
            for (const auto* label : panel.findChildren<QLabel*>())
                if (label->accessibleName() == "About the chosen entry") all << label->text();
            return all;
        };
        qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
        const auto circles = states();
        qunsetenv("XDG_CACHE_HOME");
        qunsetenv("HOME");
        const auto homeless = states();
        had_cache ? qputenv("XDG_CACHE_HOME", cache) : qunsetenv("XDG_CACHE_HOME");
        qputenv("HOME", home);
        QCOMPARE(circles.size(), 2);
        QCOMPARE(circles.first(), QString("unknown"));
        VERIFY_HAS(circles.last(), "cannot be accessed");
        QCOMPARE(homeless.size(), 2);
        VERIFY_HAS(homeless.last(), "HOME");
    }

    void messages_replace_each_other_and_offer_actions() {
        InfoBar bar;
        int pressed = 0;
        bar.show_message("a", "first");
        bar.show_message("a", "second", true, {{"Do it", "tip", [&] { ++pressed; }}});
        QCOMPARE(bar.text("a"), QString("second"));
        QVERIFY(!bar.isHidden());
        for (auto* button : bar.findChildren<QPushButton*>())
            if (button->text() == "Do it") button->click();
        QCOMPARE(pressed, 1);
        QVERIFY(!bar.has("a"));
        QVERIFY(bar.isHidden());
    }

    void error_stays_until_user_activity() {
        QWidget window;
        QWidget strip(&window);
        strip.setGeometry(200, 300, 400, 40);  // not under the mouse, where messages stay
        InfoBar bar(&strip);
        window.show();
        bar.show_message("note", "over soon", false, {}, 1);
        bar.show_message("error", "nobody is there", true, {}, 1);
        QTRY_VERIFY(!bar.has("note"));
        QTest::qWait(300);
        QVERIFY(bar.has("error"));
        QTest::keyClick(&window, Qt::Key_Tab);
        QTRY_VERIFY(!bar.has("error"));
    }

    void every_help_page_is_there() {
        HelpPanel help;
        for (const auto& page : help_contents()) {
            const auto& topic = page.topic;
            help.show_topic(topic);
            QCOMPARE(help.topic(), topic);
            QVERIFY2(help.text().size() > 80, qPrintable(topic));
        }
        help.show_topic("loss.lambda_cov");
        QVERIFY(help.text().contains("λ_cov"));
        help.show_topic("no such thing");
        QCOMPARE(help.topic(), QString("start"));
    }

    void links_of_the_help_have_the_palettes_colour() {
        HelpPanel help;
        const auto* page = help.findChild<QTextBrowser*>();
        const auto colours = [page] {
            QSet<QString> found;
            for (auto block = page->document()->begin(); block.isValid(); block = block.next())
                for (auto it = block.begin(); !it.atEnd(); ++it)
                    if (const auto format = it.fragment().charFormat(); format.isAnchor())
                        found.insert(format.foreground().color().name());
            return found;
        };
        for (const auto& palette : {gui::dark_palette(), gui::light_palette()}) {
            help.setPalette(palette);
            QCOMPARE(colours(), QSet<QString>{palette.color(QPalette::Link).name()});
            help.show_topic("runs");
            help.show_topic("start");
            QCOMPARE(colours(), QSet<QString>{palette.color(QPalette::Link).name()});
        }
    }

    void about_names_licences() {
        const auto text = AboutDialog::text();
        VERIFY_HAS(text, "General Public License", "Qt", "VTK", "LibTorch", "HDF5", "telemetry");
        QVERIFY(!text.contains("%"));
        // Whatever the documents name, the window names, too.
        QFile list(QStringLiteral(CASP_SOURCE_DIR "/docs/third-party.md"));
        QVERIFY(list.open(QIODevice::ReadOnly));
        int named = 0;
        const auto lines = QString::fromUtf8(list.readAll()).split('\n');
        for (const auto& line : lines) {
            if (!line.startsWith("| ") || line.startsWith("| library") ||
                line.contains("not part of the program"))
                continue;
            auto libraries = line.section('|', 1, 1);
            libraries.remove(QRegularExpression("\\([^)]*\\)"));  // its modules, its other name
            libraries.replace(" with ", ", ");
            for (auto library : libraries.split(',')) {
                // Without the version.
                library = library.remove(QRegularExpression(" \\d[\\d.]*\\s*$")).trimmed();
                QVERIFY2(!library.isEmpty() && text.contains(library), qPrintable("not named: " + library));
                ++named;
            }
        }
        QVERIFY2(named > 30, qPrintable(QString::number(named)));
    }

    void start_page_disables_missing_files() {
        StartPage page;
        const QTemporaryDir folder;
        QFile here(folder.filePath("here.csv"));
        QVERIFY(here.open(QIODevice::WriteOnly));
        page.set_recent({here.fileName(), folder.filePath("gone.csv")}, {});
        auto* list = page.findChild<QListWidget*>("start.recent-files");
        QCOMPARE(list->count(), 2);
        QVERIFY(list->item(0)->flags() & Qt::ItemIsEnabled);
        QVERIFY(!(list->item(1)->flags() & Qt::ItemIsEnabled));
        QSignalSpy spy(&page, &StartPage::path_requested);
        Q_EMIT list->itemActivated(list->item(0));
        QCOMPARE(spy.size(), 1);
        QSignalSpy tried(&page, &StartPage::try_requested);
        page.findChild<QAbstractButton*>("start.try")->click();
        QCOMPARE(tried.size(), 1);
    }

    void a_single_run_is_named_by_lambda_and_seed() {
        config::Config config;
        config.data.path = sample_file().toStdString();
        config.backbone.path = "untrained";
        config.loss.lambda_cov = 0.1;
        config.train.seed = 7;
        const auto plan = single_plan(config);
        QCOMPARE(plan.name, std::string("lambda_cov-0.1_seed-7"));
        QCOMPARE(plan.config.loss.lambda_cov, 0.1);
        QVERIFY(QFile::exists(sample_file()));
        QCOMPARE(QFileInfo(sample_file()).size(),
                 QFileInfo(QStringLiteral(CASP_SOURCE_DIR "/datasets/sample.csv")).size());
    }

    void themes_differ_in_lightness_and_have_contrast() {
        QVERIFY(light_palette().color(QPalette::Window).lightness() > 200);
        QVERIFY(dark_palette().color(QPalette::Window).lightness() < 60);
        // Contrast of text on its background, WCAG: at least 4.5 for normal and muted text.
        for (const auto& palette : {light_palette(), dark_palette()}) {
            const auto luminance = [](const QColor& c) {
                const auto channel = [](double v) {
                    return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
                };
                return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) +
                       0.0722 * channel(c.blueF());
            };
            const auto contrast = [&](QPalette::ColorRole a, QPalette::ColorRole b) {
                const double x = luminance(palette.color(a)), y = luminance(palette.color(b));
                return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
            };
            QVERIFY(contrast(QPalette::Text, QPalette::Base) > 7);
            QVERIFY(contrast(QPalette::PlaceholderText, QPalette::Base) > 4.5);
            QVERIFY(contrast(QPalette::HighlightedText, QPalette::Highlight) > 4.5);
        }
        QCOMPARE(theme_from(theme_name(Theme::dark)), Theme::dark);
    }

    void boxes_and_fields_can_be_seen_in_the_dark_data() {
        QTest::addColumn<QString>("kind");
        for (const auto* kind : {"check box", "line edit", "number"}) QTest::newRow(kind) << kind;
    }
    void boxes_and_fields_can_be_seen_in_the_dark() {
        QFETCH(QString, kind);
        const auto as_it_was = qApp->palette();
        apply_theme(*qApp, Theme::dark);
        QWidget window;
        std::unique_ptr<QWidget> control;
        if (kind == "check box")
            control = std::make_unique<QCheckBox>(&window);
        else if (kind == "line edit")
            control = std::make_unique<QLineEdit>(&window);
        else
            control = std::make_unique<QSpinBox>(&window);
        control->setFocusPolicy(Qt::NoFocus);
        control->setGeometry(10, 10, 120, 30);
        window.resize(140, 50);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto picture = window.grab().toImage();
        const auto background = dark_palette().color(QPalette::Window);
        QCOMPARE(QColor(picture.pixel(1, 1)), background);
        // What a line from the left meets first is the outline, along the whole of the left side's middle.
        double least = 21;
        for (int y = 22; y <= 28; ++y) {
            int x = 3;
            while (x < 60 && QColor(picture.pixel(x, y)) == background) ++x;
            QVERIFY2(x < 60, qPrintable(QString::number(y)));
            least = std::min(least, figures::contrast(QColor(picture.pixel(x, y)), background));
        }
        QVERIFY2(least >= 3, qPrintable(QString::number(least)));
        control.reset();
        apply_theme(*qApp, Theme::light);
        qApp->setPalette(as_it_was);
    }

    void system_theme_follows_the_palette() {
        const auto as_it_was = qApp->palette();
        const auto shown = [] { return qApp->palette().color(QPalette::Window); };
        qApp->setPalette(dark_palette());
        remember_system_palette(*qApp);
        apply_theme(*qApp, Theme::light);
        QCOMPARE(shown(), light_palette().color(QPalette::Window));
        apply_theme(*qApp, Theme::system);  // the system is dark
        QCOMPARE(shown(), dark_palette().color(QPalette::Window));
        follow_system_palette(*qApp);  // and now as the platform of the tests has it: light
        QCOMPARE(shown(), light_palette().color(QPalette::Window));
        qApp->setPalette(as_it_was);
    }
};

TEST_MAIN(TestShell)
#include "test_shell.moc"
