// The forecasts page: what it asks of runs and when, and its keys.
#include <QAction>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include "panels/forecasts_page.h"
#include "test_runs_memory.h"

using namespace casp;
using namespace casp::widgets;

namespace {

/// Stores the errors of six test windows and counts who asks for them.
class AskedRun : public widgets::testing::MemoryRun {
public:
    int asked = 0;

    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        ++asked;
        if (split != QStringLiteral("test")) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = 6;
        a->channels = 2;
        a->mse.assign(12, 0.5F);
        return a;
    }
};

class Library : public widgets::testing::MemoryLibrary {
public:
    AskedRun& make(int seed) {
        const auto& plain = add(QStringLiteral("x-96"), 0.1, seed);
        auto run = std::make_shared<AskedRun>();
        run->its_summary = plain.its_summary;
        run->its_record = plain.its_record;
        run->its_record.data.channel_names = {"HUFL", "OT"};
        run->its_record.test.emplace();
        runs.back() = run;
        return *run;
    }
};

}  // namespace

class TestForecastsPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_hidden_page_asks_nothing() {
        Library library;
        auto &a = library.make(1), &b = library.make(2);
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), b.folder()});
        Q_EMIT a.changed(RunPart::forecasts);
        QCOMPARE(page.source(), ForecastSource::test);
        QCOMPARE(a.asked + b.asked, 0);
        auto* number = page.findChild<QSpinBox*>();
        page.show();
        QCOMPARE(number->maximum(), 5);
        QCOMPARE(a.asked, 1);
        QCOMPARE(b.asked, 0);  // the first run says how many windows there are
    }

    void the_source_follows_what_changes() {
        Library library;
        auto& a = library.make(1);
        a.its_record.test.reset();
        Selection selection;
        ForecastsPage page(&library, &selection);
        page.show();
        selection.set_runs({a.folder()});
        QVERIFY(page.source() != ForecastSource::train);
        a.its_record.test.emplace();
        a.its_record.attributes.config = [] {
            config::Config config;
            config.data.path = "/data/x.csv";
            config.run.store_forecasts = {"train"};
            return config::to_toml(config);
        }();
        Q_EMIT a.changed(RunPart::everything);
        QCOMPARE(page.split(), QStringLiteral("train"));
        page.set_source(ForecastSource::val);
        QCOMPARE(page.split(), QStringLiteral("val"));
        page.set_source(ForecastSource::automatic);
        QCOMPARE(page.split(), QStringLiteral("train"));
        selection.set_runs({library.make(2).folder()});
        QCOMPARE(page.split(), QStringLiteral("test"));
    }

    void brackets_step_and_alt_arrows_are_the_windows() {
        Library library;
        auto& a = library.make(1);
        Selection selection;
        QWidget window;
        auto* page = new ForecastsPage(&library, &selection, &window);
        QAction back;  // as the window's "Selection back"
        back.setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
        window.addAction(&back);
        QSignalSpy backs(&back, &QAction::triggered);
        window.resize(1100, 800);
        page->resize(window.size());
        selection.set_runs({a.folder()});
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* slider = page->findChild<QSlider*>();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_BracketRight);
        QTest::keyClick(slider, Qt::Key_BracketRight);
        QCOMPARE(page->windows(), (std::vector<std::int64_t>{2}));
        QTest::keyClick(slider, Qt::Key_BracketLeft);
        QCOMPARE(page->windows(), (std::vector<std::int64_t>{1}));
        QTest::keyClick(slider, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(backs.size(), 1);
        QCOMPARE(page->windows(), (std::vector<std::int64_t>{1}));
    }
};

QTEST_MAIN(TestForecastsPage)
#include "test_forecasts_page.moc"
