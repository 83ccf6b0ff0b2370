// The forecasts page: what it asks of runs and when, and its keys.
#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include "charts/figure_view.h"
#include "panel_test.h"
#include "panels/forecasts/forecasts_page.h"
#include "test_program.h"
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

/// Stores 8,000 test windows of 3 channels, K = 4; window w chooses anchors w % 100 … w % 100 + 3.
class LargeRun : public widgets::testing::MemoryRun {
public:
    static constexpr std::int64_t count = 8000;
    std::shared_ptr<store::ForecastArrays> arrays = std::make_shared<store::ForecastArrays>();
    LargeRun() {
        auto& a = *arrays;
        a.windows = count;
        a.channels = 3;
        a.top_k = 4;
        a.horizon = 2;
        for (std::int64_t w = 0; w < count; ++w) {
            a.start.push_back(w);
            for (int c = 0; c < 3; ++c) {
                a.mse.push_back(0.1F + static_cast<float>(w % 37));
                for (int k = 0; k < 4; ++k) a.retrieved.push_back(static_cast<std::int32_t>(w % 100 + k));
            }
        }
        a.mae = a.mse;
    }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        return split == QStringLiteral("test") ? arrays : nullptr;
    }
    std::shared_ptr<const store::ForecastArrays> forecasts(const QString&, std::int64_t first,
                                                           std::int64_t n) override {
        auto part = std::make_shared<store::ForecastArrays>();
        part->windows = n;
        part->channels = 3;
        part->horizon = 2;
        part->prediction.assign(static_cast<std::size_t>(6 * n), 0.5F);
        part->truth.assign(static_cast<std::size_t>(6 * n), 1);
        for (std::int64_t w = first; w < first + n; ++w) part->start.push_back(w);
        return part;
    }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t,
                                                        std::int64_t n) override {
        return std::make_shared<std::vector<float>>(static_cast<std::size_t>(n * 512 * 3), 1.0F);
    }
};

class AskedLibrary : public widgets::testing::MemoryLibrary {
public:
    AskedRun& make(int seed) {
        auto& run = add<AskedRun>(QStringLiteral("x-96"), 0.1, seed);
        run.its_record.data.channel_names = {"HUFL", "OT"};
        run.its_record.test.emplace();
        return run;
    }
};

}  // namespace

class TestForecastsPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hidden_page_reads_nothing() {
        AskedLibrary library;
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

    void automatic_source_follows_changes() {
        AskedLibrary library;
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
        AskedLibrary library;
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

    void thousands_of_windows_are_paged_and_cheap() {
        widgets::testing::MemoryLibrary library;
        auto* run = &library.add<LargeRun>(QStringLiteral("x-96"), 0.1, 1);
        run->its_record.data.channel_names = {"a", "b", "c"};
        run->its_record.anchors.pool_size = 103;
        run->its_record.test.emplace();
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({run->folder()});
        page.resize(1100, 1500);
        page.show();
        page.update_now();
        std::set<std::int64_t> odd;
        for (std::int64_t w = 1; w < LargeRun::count; w += 2) odd.insert(w);
        QElapsedTimer clock;
        clock.start();
        selection.set_windows(odd, QStringLiteral("test"));
        page.update_now();
        const auto spent = clock.elapsed();
        qInfo("4,000 windows chosen and drawn: %lld ms", static_cast<long long>(spent));
        QVERIFY2(spent < 500, qPrintable(QString::number(spent)));
        QCOMPARE(page.windows(), (std::vector<std::int64_t>{1, 3, 5, 7, 9, 11}));
        const auto* text = control<QLabel>(page, QStringLiteral("Plotted windows"));
        QVERIFY(text && text->isVisible());
        QVERIFY2(text->text().startsWith(QStringLiteral("1 to 6 of 4,000 selected windows")),
                 qPrintable(text->text()));
        page.step_window(1);
        QCOMPARE(page.windows().front(), 13);
        QCOMPARE(selection.state().windows, odd);  // as it was
        for (int i = 0; i < 1000; ++i) page.step_window(1);
        QCOMPARE(page.windows(), (std::vector<std::int64_t>{7993, 7995, 7997, 7999}));
        page.step_window(-1);
        QCOMPARE(page.windows().front(), 7981);
        const auto& bands = page.view(QStringLiteral("window-errors"))->figure().plots.back().bands;
        QVERIFY(!bands.empty() && bands.size() <= 300);

        // Of anchors alone: the windows that choose one of them.
        selection.clear();
        clock.start();
        selection.set_anchors({102});
        page.update_now();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(page.windows(), (std::vector<std::int64_t>{99, 199, 299, 399, 499, 599}));
        QVERIFY2(text->text().contains(QStringLiteral("of 80 windows that retrieve anchor 102")),
                 qPrintable(text->text()));
        QVERIFY(selection.state().windows.empty());
        selection.set_anchors({5000});  // nobody chooses it
        QCOMPARE(page.windows(), (std::vector<std::int64_t>{0}));
        QVERIFY(!text->isVisible());
    }
};

TEST_MAIN(TestForecastsPage)
#include "test_forecasts_page.moc"
