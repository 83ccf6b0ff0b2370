// The pages over runs in memory: what a click in a view, or a step of its controls, does to the selection.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "charts/figure_view.h"
#include "pages_fixture.h"
#include "panel_test.h"
#include "panels/anchors/anchors_page.h"
#include "panels/anchors/anchors_scores.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/training/training_page.h"
#include "panels/view/view_step_bar.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;

class TestViewsClicks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void clicking_a_curve_selects_its_step() {
        Shown<TrainingPage> t;
        auto* view = t.page.view(QStringLiteral("loss-terms"));
        QVERIFY(QTest::qWaitForWindowExposed(&t.page));
        const auto click = [&](double x, double y) {
            QTest::mouseClick(view, Qt::LeftButton, {}, view->painter().to_scene(0, x, y).toPoint());
        };
        const double high = view->painter().scales(0).y.value(0.95);
        click(7, 0.5);  // on the line, which is 0.5 throughout
        QCOMPARE(t.selection.state().step, std::optional<std::int64_t>(7));
        const auto& rules = t.figure("loss-terms").plots[0].rules;
        QCOMPARE(rules.size(), std::size_t{1});
        QCOMPARE(rules[0].at, 7.0);
        click(2.7, high);  // beside it
        QCOMPARE(t.selection.state().step, std::optional<std::int64_t>(3));
    }

    void anchors_are_picked_added_and_toggled() {
        Shown<AnchorsPage> t;
        auto* usage = t.page.view(QStringLiteral("anchor-usage"));
        QCOMPARE(t.figure("anchor-usage").plots[0].series[0].y, (std::vector<double>{1, 0, 11, 0}));
        Q_EMIT usage->picked({2}, Qt::NoModifier);
        Q_EMIT usage->picked({3}, Qt::ShiftModifier);
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{2, 3}));
        Q_EMIT usage->picked({2, 1}, Qt::ControlModifier);
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{1, 3}));
        Q_EMIT usage->picked({}, Qt::NoModifier);
        QVERIFY(t.selection.state().anchors.empty());
    }

    void heatmap_cells_select_anchor_window_and_channel() {
        Shown<AnchorsPage> t;
        auto& scores = t.page.scores();
        QTRY_VERIFY(!scores.is_busy());
        QCOMPARE(scores.matrix()->columns, std::int64_t{4});
        Q_EMIT scores.view().cells_picked({2}, {3}, Qt::NoModifier);
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{2}));
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{40}));
        QCOMPARE(t.selection.state().channels, (std::set<std::int64_t>{1}));
        QCOMPARE(t.selection.state().split, QStringLiteral("val"));
    }

    void snapshot_slider_and_selection_are_one() {
        Shown<AnchorsPage> t;
        auto* steps = t.page.findChild<StepBar*>();
        QCOMPARE(steps->steps(), (std::vector<std::int64_t>{5, 10}));
        steps->previous();
        QCOMPARE(t.selection.state().step, std::optional<std::int64_t>(5));
        QCOMPARE(t.figure("anchor-usage").plots[0].series[0].y, (std::vector<double>{1, 0, 3, 0}));
        steps->latest();
        QVERIFY(!t.selection.state().step);
        t.selection.set_step(5);
        QCOMPARE(steps->step(), std::optional<std::int64_t>(5));
        t.selection.clear();
        QCOMPARE(t.figure("anchor-usage").plots[0].series[0].y, (std::vector<double>{1, 0, 11, 0}));
    }

    void playing_ends_at_the_latest() {
        StepBar bar;
        bar.show();
        bar.set_steps({1, 2, 3});
        QSignalSpy chosen(&bar, &StepBar::step_chosen);
        bar.play(true);
        QVERIFY(bar.is_playing());
        QCOMPARE(bar.step(), std::optional<std::int64_t>(1));
        QTRY_VERIFY_WITH_TIMEOUT(!bar.is_playing(), 3000);
        QVERIFY(!bar.step());
        QCOMPARE(chosen.size(), 3);
    }

    void embedding_points_select_anchors_or_windows() {
        Shown<EmbeddingsPage> t;
        Q_EMIT t.page.space().picked(0, {3, 4 + 2}, Qt::NoModifier);  // anchor 3; row 2: window 40, channel 0
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{3}));
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{40}));
        QCOMPARE(t.selection.state().channels, (std::set<std::int64_t>{0}));
        t.page.set_kinds({PointKind::prompt});
        t.page.set_colour(CloudColour::usage);
        const auto state = t.page.save_state();
        Shown<EmbeddingsPage> other;
        QVERIFY(other.page.restore_state(state));
        QCOMPARE(other.page.kinds(), std::vector{PointKind::prompt});
        QCOMPARE(other.page.colour(), CloudColour::usage);
    }

    void stored_forecasts_of_an_evaluated_run() {
        Shown<ForecastsPage> t;
        QCOMPARE(t.page.source(), ForecastSource::test);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{0}));
        t.page.step_window(1);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{1}));
        QCOMPARE(t.selection.state().split, QStringLiteral("test"));
        const auto& plot = t.figure("forecasts").plots[0];
        QCOMPARE(plot.series.back().y, (std::vector<double>{1.5, 1.5}));
        QCOMPARE(plot.series.back().x, (std::vector<double>{104, 105}));
        t.page.pick(figures::Pick::worst);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{2}));
        QVERIFY(t.figure("forecasts").plots[0].title.startsWith(QStringLiteral("OT")));
        t.selection.set_channels({0});
        t.page.pick(figures::Pick::worst);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{0}));
        QVERIFY(t.figure("forecasts").plots[0].title.startsWith(QStringLiteral("HUFL")));
        QCOMPARE(t.figure("window-errors").plots[0].x.title, QStringLiteral("window MSE of HUFL"));
        t.selection.set_channels({});
        QCOMPARE(t.figure("window-errors").plots[0].x.title, QStringLiteral("window MSE, all channels"));
        t.page.pick(figures::Pick::best);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{1}));
        t.page.step_window(-5);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{0}));
        Q_EMIT t.page.view(QStringLiteral("window-errors"))->picked({4, 5}, Qt::NoModifier);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{4, 5}));
        QCOMPARE(t.figure("forecasts").plots.size(), std::size_t{2});
    }

    /// Not the first plotted run, if another one is highlighted; the bar and the caption name it.
    void worst_is_that_of_the_highlighted_run() {
        Shown<ForecastsPage> t;
        const auto first = t.selection.state().runs.front();
        auto& other = t.library.make(QStringLiteral("other"));
        other.errors = {0.1F, 0.2F, 0.3F, 0.4F, 0.9F, 0.5F};
        t.selection.set_runs({first, other.folder()});
        const auto label = [&](const QString& folder) {
            for (const auto& series : t.figure("forecasts").plots[0].series)
                if (series.run == folder) return series.name;
            return QString();
        };
        const auto bar = [&] { return control<QLabel>(t.page, QStringLiteral("Plotted windows"))->text(); };
        const auto press = [&] {
            for (auto* button : t.page.findChildren<QToolButton*>())
                if (button->text() == QStringLiteral("Worst")) QTest::mouseClick(button, Qt::LeftButton);
        };
        press();
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{2}));  // no run is highlighted: the first
        const auto of_first = bar();
        t.selection.highlight({other.folder()});
        press();
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{4}));
        QVERIFY2(bar().startsWith(QStringLiteral("highest MSE of ")) && bar() != of_first, qPrintable(bar()));
        const auto name = bar().mid(15);
        QVERIFY2(t.figure("forecasts")
                     .caption.contains(QStringLiteral("highest MSE over the plotted channels for ") + name),
                 qPrintable(t.figure("forecasts").caption));
        QVERIFY2(label(other.folder()).contains(name), qPrintable(label(other.folder())));
        t.page.step_window(1);
        QVERIFY2(!bar().contains(QStringLiteral("MSE")) &&
                     !t.figure("forecasts").caption.contains(QStringLiteral("highest")),
                 qPrintable(bar()));
        // A highlighted run that is not plotted: the first plotted one.
        t.selection.highlight({QStringLiteral("/runs/x/elsewhere")});
        press();
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{2}));
        QCOMPARE(bar(), of_first);
    }

    /// Windows selected in runs on other data pale no bars, and the page says why nothing is marked.
    void windows_of_other_runs_highlight_nothing() {
        Shown<AnchorsPage> t;
        auto& run = t.library.make(QStringLiteral("other"));
        auto retrieving = std::make_shared<train::Probe>(*run.its_probes.back());
        retrieving->retrieved = {2, 2, 2, 2};
        run.its_probes = {retrieving};
        t.selection.set_runs({run.folder()});
        t.page.update_now();
        auto* usage = t.page.view(QStringLiteral("anchor-usage"));
        // Of two bars, only one of which is the retrieved anchor.
        const auto look_alike = [&] {
            t.page.update_now();
            const auto image = usage->grab().toImage();
            const auto colour = [&](double anchor) {
                const auto at = usage->painter().to_scene(0, anchor, 0.5) * image.devicePixelRatio();
                return image.pixelColor(at.toPoint());
            };
            return colour(0) == colour(2);
        };
        QVERIFY(look_alike());
        t.selection.set_windows({40}, QStringLiteral("val"));
        QVERIFY(!look_alike());
        t.selection.set_windows({359}, QStringLiteral("val"));
        QVERIFY(look_alike());
        const auto labels = t.page.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("selected windows"));
        }));
    }

    void probe_windows_until_evaluated() {
        Shown<ForecastsPage> t;
        auto& live = t.library.make(QStringLiteral("live"), false);
        t.selection.set_runs({live.folder()});
        QCOMPARE(t.page.source(), ForecastSource::probe);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{7}));
        t.page.step_window(1);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{40}));
        QCOMPARE(t.selection.state().split, QStringLiteral("val"));
        QCOMPARE(t.figure("forecasts").plots[0].series.back().y, (std::vector<double>{2, 2}));
        t.page.step_window(1);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{40}));
        t.page.pick(figures::Pick::best);
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{7}));
    }

    void old_forecasts_stay_while_new_are_read() {
        Shown<ForecastsPage> t;
        auto* view = t.page.view(QStringLiteral("forecasts"));
        QVERIFY(!view->busy());
        const auto before = view->figure().plots[0].title;
        t.run.arrays_are_there = false;
        t.selection.set_windows({3}, QStringLiteral("test"));
        t.page.update_now();
        QVERIFY(view->busy());
        QCOMPARE(view->figure().plots[0].title, before);
        t.run.arrays_are_there = true;
        Q_EMIT t.run.changed(RunPart::forecasts);
        t.page.update_now();
        QVERIFY(!view->busy());
        QVERIFY(view->figure().plots[0].title.endsWith(QStringLiteral("window 3")));
    }

    void channel_bars_select_channels() {
        Shown<ForecastsPage> t;
        Q_EMIT t.page.view(QStringLiteral("error-per-channel"))->picked({0}, Qt::NoModifier);
        QCOMPARE(t.selection.state().channels, (std::set<std::int64_t>{0}));
        QVERIFY(t.figure("forecasts").plots[0].title.startsWith(QStringLiteral("HUFL")));
    }
};

TEST_MAIN(TestViewsClicks)
#include "test_views_clicks.moc"
