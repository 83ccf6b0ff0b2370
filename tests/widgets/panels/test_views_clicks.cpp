// The pages over runs in memory: what a click in a view, or a step of its controls, does to the selection.
#include <QSignalSpy>
#include <QTest>

#include "charts/figure_view.h"
#include "pages_fixture.h"
#include "panels/anchors/anchors_page.h"
#include "panels/anchors/anchors_scores.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/training/training_page.h"
#include "panels/view/view_step_bar.h"
#include "vtk/heatmap_view.h"

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
        QCOMPARE(scores.view().matrix().columns, std::int64_t{4});
        Q_EMIT scores.view().picked({2}, {3}, Qt::NoModifier);
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
        auto* plane = t.page.view(QStringLiteral("embedding-pca"));
        QCOMPARE(t.figure("embedding-pca").plots.size(), std::size_t{1});
        Q_EMIT plane->picked({3, 4 + 2}, Qt::NoModifier);  // anchor 3; row 2: window 40, channel 0
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{3}));
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{40}));
        QCOMPARE(t.selection.state().channels, (std::set<std::int64_t>{0}));
        figures::EmbeddingOptions options;
        options.kinds = {figures::kind_prompt};
        options.by_usage = true;
        t.page.set_options(options);
        const auto state = t.page.save_state();
        Shown<EmbeddingsPage> other;
        QVERIFY(other.page.restore_state(state));
        QCOMPARE(other.page.options().kinds, (std::vector<int>{figures::kind_prompt}));
        QVERIFY(other.page.options().by_usage);
        QCOMPARE(other.page.colour(), CloudColour::usage);
        QCOMPARE(other.figure("embedding-pca").plots[0].series.size(), std::size_t{1});
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

    void forecasts_that_are_being_read_keep_the_old_picture() {
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

QTEST_MAIN(TestViewsClicks)
#include "test_views_clicks.moc"
