// The pages over runs in memory: what they show, when they rebuild, and what they do to the selection.

#include <functional>
#include <utility>

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QTimer>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "panels/anchors_page.h"
#include "panels/anchors_scores.h"
#include "panels/embeddings_page.h"
#include "panels/forecasts_page.h"
#include "panels/training_page.h"
#include "panels/training_progress.h"
#include "panels/view_step_bar.h"
#include "test_runs_memory.h"
#include "vtk/heatmap_view.h"

using namespace casp;
using namespace casp::widgets;

namespace {

/// A run with probes and stored forecasts of 6 windows; what it was asked for is counted.
class ViewRun : public widgets::testing::MemoryRun {
public:
    std::vector<std::shared_ptr<const train::Probe>> its_probes;
    bool arrays_are_there = true;
    QString its_problem;

    const std::vector<std::shared_ptr<const train::Probe>>& probes() const override { return its_probes; }
    QString problem() const override { return its_problem; }
    std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split, std::int64_t first,
                                                           std::int64_t count) override {
        if (!arrays_are_there || split != QStringLiteral("test")) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = count;
        a->horizon = 2;
        a->channels = 2;
        for (std::int64_t w = first; w < first + count; ++w) {
            a->start.push_back(100 + w);
            for (int i = 0; i < 4; ++i) {
                a->truth.push_back(static_cast<float>(w));
                a->prediction.push_back(static_cast<float>(w) + 0.5F);
            }
        }
        return a;
    }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        if (!arrays_are_there || split != QStringLiteral("test")) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = 6;
        a->channels = 2;
        for (const float mse : {0.3F, 0.1F, 0.9F, 0.4F, 0.5F, 0.2F}) a->mse.insert(a->mse.end(), {mse, mse});
        return a;
    }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t,
                                                        std::int64_t count) override {
        return arrays_are_there
                   ? std::make_shared<std::vector<float>>(static_cast<std::size_t>(count * 3 * 2), 1.0F)
                   : nullptr;
    }
};

std::shared_ptr<const train::Probe> probe_of(std::int64_t step) {
    auto p = std::make_shared<train::Probe>();
    p->step = step;
    p->windows = {7, 40};
    p->start = {107, 140};
    p->channels = 2;
    p->lookback_length = 3;
    p->horizon = 2;
    p->pool_size = 4;
    p->top_k = 1;
    p->lookback.assign(12, 1);
    p->truth.assign(8, 1);
    p->prediction = {1, 1, 1, 1, 2, 2, 2, 2};
    for (int i = 0; i < 16; ++i) p->similarity.push_back(static_cast<float>(i) / 16);
    p->pca.components = 2;
    for (int i = 0; i < 12; ++i) {
        p->pca.points.insert(p->pca.points.end(), {static_cast<float>(i), static_cast<float>(i % 3)});
        p->pca.kind.push_back(i < 4 ? 0 : i < 8 ? 1 : 2);
        p->pca.row.push_back(i % 4);
    }
    p->pca.variance_ratio = {0.5, 0.25, 0.5, 0.25, 0.5, 0.25};
    return p;
}

std::string its_config() {
    config::Config config;
    config.data.path = "/data/x.csv";
    config.data.lookback = 3;
    config.data.horizon = 2;
    config.model.patch_length = 2;
    config.model.patch_stride = 1;
    config.model.trend_length = 2;
    config.model.seasonal_length = 2;
    config.model.pool_size = 4;
    config.model.top_k = 1;
    return config::to_toml(config);
}

class Library : public widgets::testing::MemoryLibrary {
public:
    ViewRun& make(const QString& name, bool evaluated = true) {
        auto run = std::make_shared<ViewRun>();
        run->its_summary.folder = QStringLiteral("/runs/x/") + name;
        run->its_summary.batch = QStringLiteral("x");
        run->its_summary.name = name;
        run->its_summary.row.data = name.toStdString();
        run->its_summary.colour = QColor(Qt::darkGreen);
        auto& r = run->its_record;
        r.attributes.config = its_config();
        extend(*run, 10);
        r.anchors.pool_size = 4;
        r.anchors.snapshot_step = {5, 10};
        r.anchors.usage_train = {1, 0, 3, 0, 0, 0, 8, 0};
        r.anchors.coverage_statistic = {0.1F, 0.2F, 0.3F, 0.4F, 0.1F, 0.2F, 0.3F, 0.4F};
        r.data.channel_names = {"HUFL", "OT"};
        r.data.mean = {10, 20};
        r.data.std = {2, 4};
        if (evaluated) {
            r.test.emplace();
            r.test->mse_per_step = {0.5, 0.6};
            r.test->mse_per_channel = {0.5, 0.6};
        }
        run->its_probes = {probe_of(5), probe_of(10)};
        runs.push_back(run);
        Q_EMIT added(size() - 1, size() - 1);
        return *run;
    }
    static void extend(ViewRun& run, std::int64_t steps) {
        auto& h = run.its_record.steps;
        for (std::int64_t s = 0; s < steps; ++s) {
            h.step.push_back(static_cast<std::int64_t>(h.step.size()) + 1);
            h.epoch.push_back(1);
            for (auto* column : {&h.learning_rate, &h.forecast, &h.similarity, &h.coverage, &h.total,
                                 &h.gate_share, &h.seconds})
                column->push_back(0.5);
        }
    }
};

template <class Page>
struct Shown {
    Library library;
    Selection selection;
    ViewRun& run = library.make(QStringLiteral("a"));
    Page page{&library, &selection};
    Shown() {
        selection.set_runs({run.folder()});
        page.resize(1100, 800);
        page.show();
        page.update_now();
    }
    const figures::Figure& figure(const char* id) {
        page.update_now();
        return page.view(QString::fromLatin1(id))->figure();
    }
};

/// Counts how often its one view is built.
class CountingPage : public ViewPage {
public:
    int built = 0;
    CountingPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        add_view(QStringLiteral("one"), QStringLiteral("One"), {}, {RunPart::curves},
                 [this](const std::vector<figures::RunInput>&) {
                     ++built;
                     figures::Figure figure;
                     figure.empty_text = QStringLiteral("nothing");
                     return figure;
                 });
    }
};

/// Notes in which turn of the event loop each of its four views is built.
class TurnsPage : public ViewPage {
public:
    int turn = 0;
    std::vector<std::pair<int, int>> built;  ///< view and turn
    std::function<void()> after_second;      ///< called once, in the turn after
    TurnsPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        for (int i = 0; i < 4; ++i)
            add_view(
                QString::number(i), QString::number(i), {}, {RunPart::curves},
                [this, i](const std::vector<figures::RunInput>&) {
                    built.emplace_back(i, turn);
                    if (i == 1 && after_second)
                        QTimer::singleShot(0, this, std::exchange(after_second, nullptr));
                    return figures::Figure();
                },
                120);
    }
};

/// Of two views: the second has something to say about run "a" that is missing from it.
class MissingPage : public ViewPage {
public:
    MissingPage(RunLibrary* library, Selection* selection) : ViewPage(library, selection) {
        add_view(QStringLiteral("one"), QStringLiteral("One"), {}, {RunPart::curves},
                 [](const std::vector<figures::RunInput>&) { return figures::Figure(); });
        add_view(QStringLiteral("two"), QStringLiteral("Two"), {}, {RunPart::curves},
                 [this](const std::vector<figures::RunInput>& runs) {
                     const bool of_a = !runs.empty() && runs[0].folder.endsWith(QStringLiteral("/a"));
                     set_missing(QStringLiteral("two"),
                                 of_a ? QStringLiteral("a is not compared") : QString());
                     return figures::Figure();
                 });
    }
};

}  // namespace

class TestViewsPages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void without_runs_every_view_teaches() {
        Library library;
        Selection selection;
        TrainingPage a(&library, &selection);
        AnchorsPage b(&library, &selection);
        ForecastsPage c(&library, &selection);
        EmbeddingsPage d(&library, &selection);
        for (ViewPage* page : {static_cast<ViewPage*>(&a), static_cast<ViewPage*>(&b),
                               static_cast<ViewPage*>(&c), static_cast<ViewPage*>(&d)}) {
            page->show();
            page->update_now();
            QVERIFY(page->figures().empty());
            QVERIFY(!page->frames().isEmpty());
            for (auto* frame : page->frames()) {
                if (frame->figure_view() == nullptr) continue;  // test_embeddings_*.cpp
                QVERIFY(frame->figure_view()->figure().empty_text.size() > 40);
                QVERIFY(!frame->isWindow());
            }
        }
    }

    void selected_runs_are_shown_and_read() {
        Shown<TrainingPage> t;
        QVERIFY(t.run.loads > 0);
        QCOMPARE(t.figure("loss-terms").plots.size(), std::size_t{4});
        QCOMPARE(t.figure("loss-terms").plots[0].series.back().x.size(), std::size_t{10});
        auto& second = t.library.make(QStringLiteral("b"));
        t.selection.set_runs({t.run.folder(), second.folder()});
        QCOMPARE(t.page.shown_runs().size(), 2);
        QCOMPARE(t.figure("loss-terms").plots[0].series.size(), std::size_t{4});  // raw and smoothed of both
        t.selection.set_runs({});
        QVERIFY(t.figure("loss-terms").plots.empty());
    }

    void the_live_run_is_shown_without_a_selection() {
        Shown<TrainingPage> t;
        t.selection.set_runs({});
        auto& live = t.library.make(QStringLiteral("live"), false);
        live.its_summary.live = live.its_summary.ours = true;
        live.its_pace.step = 10;
        live.its_pace.epochs = 2;
        live.its_pace.steps_per_epoch = 20;
        live.its_pace.last_step = 35;  // train.max_steps ends it within the second epoch
        live.its_pace.device = QStringLiteral("cuda:0");
        live.its_pace.precision = QStringLiteral("bf16");
        live.its_pace.steps_per_second = 21;
        live.its_pace.seconds_left = 240;
        live.its_pace.memory_bytes = 3'100'000'000;
        Q_EMIT t.library.changed(1);
        QCOMPARE(t.page.shown_runs(), QStringList{live.folder()});
        const auto* progress = t.page.findChild<TrainingProgress*>();
        QVERIFY(progress->isVisible());
        for (const char* part : {"cuda:0 bf16", "step 10/35", "21 steps/s", "4 min left", "3.1 GB"})
            QVERIFY2(progress->text().contains(QString::fromLatin1(part)), part);
        live.its_summary.live = false;
        Q_EMIT live.changed(RunPart::summary);
        QVERIFY(!progress->isVisible());
    }

    void new_steps_arrive_throttled_and_only_while_visible() {
        Shown<TrainingPage> t;
        Library::extend(t.run, 5);
        Q_EMIT t.run.changed(RunPart::curves);
        QTRY_COMPARE_WITH_TIMEOUT(
            t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
            std::size_t{15}, 2000);
        t.page.hide();
        Library::extend(t.run, 5);
        Q_EMIT t.run.changed(RunPart::curves);
        QTest::qWait(200);
        QCOMPARE(t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
                 std::size_t{15});
        QCOMPARE(t.page.figures()[0].plots[0].series.back().x.size(),
                 std::size_t{20});  // for export up to date
        t.page.show();
        QTRY_COMPARE_WITH_TIMEOUT(
            t.page.view(QStringLiteral("loss-terms"))->figure().plots[0].series.back().x.size(),
            std::size_t{20}, 2000);
    }

    void the_event_loop_has_its_turn_between_two_views() {
        Shown<TurnsPage> t;
        QTest::qWait(100);
        t.page.built.clear();
        QTimer turns;
        connect(&turns, &QTimer::timeout, this, [&] { ++t.page.turn; });
        turns.start(0);
        Q_EMIT t.run.changed(RunPart::curves);
        QTRY_COMPARE(t.page.built.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(t.page.built[static_cast<std::size_t>(i)].first, i);
            if (i > 0)
                QVERIFY(t.page.built[static_cast<std::size_t>(i)].second >
                        t.page.built[static_cast<std::size_t>(i) - 1].second);
        }
        // What changes meanwhile holds up none of them, and is drawn after.
        t.page.built.clear();
        t.page.after_second = [&] { Q_EMIT t.run.changed(RunPart::curves); };
        Q_EMIT t.run.changed(RunPart::curves);
        QTest::qWait(50);
        QTRY_VERIFY(t.page.built.size() >= 6);
        QTest::qWait(300);
        QVERIFY(t.page.built.size() <= 8);  // and then it is quiet
        for (int i = 0; i < 4; ++i) QCOMPARE(t.page.built[static_cast<std::size_t>(i)].first, i);
        // Asked for at once, all are.
        t.page.built.clear();
        Q_EMIT t.run.changed(RunPart::curves);
        t.page.update_now();
        QCOMPARE(t.page.built.size(), std::size_t{4});
        QCOMPARE(t.page.built.front().second, t.page.built.back().second);
    }

    void reports_of_the_list_alone_rebuild_nothing() {
        Shown<CountingPage> t;
        const int before = t.page.built;
        for (int i = 0; i < 10; ++i) {
            t.run.its_summary.row.steps = i;  // as the list tells of a run that goes on
            t.run.its_summary.updated = QString::number(i);
            Q_EMIT t.library.changed(0);
            Q_EMIT t.run.changed(RunPart::summary);
            Q_EMIT t.run.changed(RunPart::embedding_work);
            t.page.update_now();
        }
        QCOMPARE(t.page.built, before);
        t.run.its_summary.colour = QColor(Qt::red);
        Q_EMIT t.library.changed(0);
        t.page.update_now();
        QCOMPARE(t.page.built, before + 1);
        Q_EMIT t.run.changed(RunPart::curves);
        t.page.update_now();
        QCOMPARE(t.page.built, before + 2);
    }

    void an_export_draws_a_view_once_while_its_run_goes_on() {
        Shown<CountingPage> t;
        t.page.hide();
        const int before = t.page.built;
        Q_EMIT t.run.changed(RunPart::curves);
        QVERIFY(t.page.prepare());
        QCOMPARE(t.page.built, before + 1);
        Q_EMIT t.run.changed(RunPart::curves);
        QVERIFY(t.page.prepare(true));
        QCOMPARE(t.page.built, before + 1);
        QVERIFY(t.page.prepare());  // the next export
        QCOMPARE(t.page.built, before + 2);
        // One that is being read is drawn when it is there.
        const auto record = std::exchange(t.run.its_record, {});
        t.run.loaded = false;
        Q_EMIT t.run.changed(RunPart::everything);
        QVERIFY(!t.page.prepare());
        t.run.its_record = record;
        t.run.loaded = true;
        Q_EMIT t.run.changed(RunPart::everything);
        QVERIFY(t.page.prepare(true));
        QCOMPARE(t.page.built, before + 3);
    }

    void what_is_missing_is_of_the_runs_that_are_shown() {
        Shown<MissingPage> t;
        const auto& other = t.library.make(QStringLiteral("b"));
        const auto* problems = t.page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(problems->text().contains(QStringLiteral("a is not compared")));
        Q_EMIT t.page.frames()[0]->maximise_requested(true);  // the view that says it is not drawn now
        t.selection.set_runs({other.folder()});
        t.page.update_now();
        QCOMPARE(problems->text(), QString());
    }

    void old_picture_is_dimmed_while_another_run_is_read() {
        Shown<TrainingPage> t;
        auto& second = t.library.make(QStringLiteral("b"));
        second.loaded = false;
        const auto record = second.its_record;
        second.its_record = {};
        t.selection.set_runs({second.folder()});
        t.page.update_now();
        auto* view = t.page.view(QStringLiteral("loss-terms"));
        QVERIFY(view->busy());
        QCOMPARE(view->figure().plots[0].series.back().run, t.run.folder());
        second.its_record = record;
        second.loaded = true;
        Q_EMIT second.changed(RunPart::everything);
        t.page.update_now();
        QVERIFY(!view->busy());
        QCOMPARE(view->figure().plots[0].series.back().run, second.folder());
    }

    void a_run_that_cannot_be_read_says_why() {
        Shown<TrainingPage> t;
        auto& broken = t.library.make(QStringLiteral("b"));
        broken.its_record = {};
        broken.loaded = false;
        broken.its_problem = QStringLiteral("run.h5 is truncated");
        t.selection.set_runs({broken.folder()});
        QVERIFY(t.figure("loss-terms").empty_text.contains(QStringLiteral("truncated")));
    }

    void one_bad_run_beside_a_good_one_is_named() {
        Shown<TrainingPage> t;
        auto* note = t.page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note != nullptr && !note->isVisible());
        auto& broken = t.library.make(QStringLiteral("broken"));
        const auto record = broken.its_record;
        broken.its_record = {};
        broken.its_problem = QStringLiteral("run.h5 is of a newer version");
        t.selection.set_runs({t.run.folder(), broken.folder()});
        QVERIFY(!t.figure("loss-terms").plots.empty());
        QVERIFY(note->isVisible());
        QVERIFY2(note->text().contains(broken.summary().label()) &&
                     note->text().contains(QStringLiteral("newer version")),
                 qPrintable(note->text()));
        // Repaired.
        broken.its_record = record;
        broken.its_problem.clear();
        Q_EMIT broken.changed(RunPart::everything);
        t.page.update_now();
        QVERIFY(!note->isVisible());
    }

    void training_state_comes_back() {
        Shown<TrainingPage> t;
        figures::TrainingOptions options;
        options.x = figures::TrainingAxis::time;
        options.log_x = true;
        options.smoothing = 0.5;
        t.page.set_options(options);
        const auto state = t.page.save_state();
        Shown<TrainingPage> other;
        QVERIFY(other.page.restore_state(state));
        QCOMPARE(other.page.options().x, figures::TrainingAxis::time);
        QVERIFY(other.page.options().log_x && !other.page.options().log_y);
        QCOMPARE(other.page.options().smoothing, 0.5);
        QVERIFY(other.figure("loss-terms").plots[0].x.log);
        QVERIFY(!other.page.restore_state("no json"));
    }

    void a_frame_fills_the_page_and_goes_back() {
        Shown<TrainingPage> t;
        const auto frames = t.page.frames();
        Q_EMIT frames[1]->maximise_requested(true);
        QVERIFY(!frames[0]->isVisible() && frames[1]->isVisible() && frames[1]->maximised());
        const auto state = t.page.save_state();
        Q_EMIT frames[1]->maximise_requested(false);
        QVERIFY(frames[0]->isVisible() && !frames[1]->maximised());
        QVERIFY(t.page.restore_state(state));
        QVERIFY(!frames[0]->isVisible());
    }

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

    void controls_wrap_and_have_names() {
        Shown<ForecastsPage> t;
        t.page.resize(420, 900);
        QTest::qWait(20);
        int checked = 0;
        for (auto* control : t.page.findChildren<QWidget*>()) {
            if (!qobject_cast<QAbstractButton*>(control) && !qobject_cast<QComboBox*>(control) &&
                !qobject_cast<QSlider*>(control))
                continue;
            if (!control->isVisibleTo(&t.page)) continue;
            QVERIFY2(!control->accessibleName().isEmpty() || !control->toolTip().isEmpty(),
                     qPrintable(control->objectName()));
            QVERIFY(control->width() >= control->minimumSizeHint().width());
            const auto in_page = control->mapTo(&t.page, QPoint(control->width(), control->height()));
            QVERIFY2(in_page.x() <= t.page.width(), qPrintable(control->accessibleName()));
            QVERIFY2(
                !control->visibleRegion().isEmpty() || control->parentWidget()->visibleRegion().isEmpty(),
                qPrintable(control->accessibleName()));
            ++checked;
        }
        QVERIFY(checked > 15);
    }
};

QTEST_MAIN(TestViewsPages)
#include "test_views_pages.moc"
