// From trained weights to linked views, end to end: embeddings are computed, stored and read again, a t-SNE
// is watched, held, stopped and kept, and what is chosen on one page is seen on the others through the one
// selection. CTest runs it with the painter and under Xvfb with OpenGL.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "linked_fixture.h"
#include "panel_test.h"
#include "panels/anchors/anchor_inspector_panel.h"
#include "panels/anchors/anchors_scores.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/view/selection_links.h"
#include "test_program.h"
#include "vtk/embedding_view.h"
#include "vtk/opengl.h"
#include "widgets/require_gl.h"

using namespace casp;
using namespace casp::widgets;
using testing::Pages;
using testing::TinyRuns;
using Ids = std::set<std::int64_t>;

namespace {

void compute(Pages& p) {
    p.embeddings.source().compute();
    const auto ready = [&] {
        for (const auto& run : p.selection.state().runs)
            if (!p.library.data(run)->embeddings()) return false;
        return true;
    };
    if (!QTest::qWaitFor(ready, patience)) {
        for (const auto& run : p.selection.state().runs)
            qWarning() << p.library.data(run)->embedding_status().problem;
        qFatal("the embeddings were not computed");
    }
    // Their layout comes from another thread.
    if (!QTest::qWaitFor([&] { return p.embeddings.space().view().points().size() > 0; }, patience))
        qFatal("the embeddings were not laid out");
    p.settle();
}

const EmbeddingSet& set_of(Pages& p, int run = 0) { return *p.run(run).embeddings(); }

/// Windows whose retrieved anchors hold `anchor`, counted anew.
Ids windows_with(const EmbeddingSet& set, std::int64_t anchor) {
    Ids windows;
    for (std::size_t i = 0; i < set.values.retrieved.size(); ++i)
        if (set.values.retrieved[i] == anchor)
            windows.insert(set.window_of(static_cast<std::int64_t>(i) / set.values.top_k));
    return windows;
}

}  // namespace

class TestEmbeddingsLinked : public QObject {
    Q_OBJECT
    std::unique_ptr<TinyRuns> runs_;

private Q_SLOTS:
    void initTestCase() { runs_ = std::make_unique<TinyRuns>(); }

    /// The two runs of one seed share the numbers of their anchors, the third one has its own.
    void each_seed_has_its_own_anchors() {
        const TinyRuns runs(true);
        Pages p(runs, 3);
        const auto& folders = runs.folders();
        compute(p);
        QTRY_COMPARE(p.embeddings.space().shown(), std::size_t{3});
        const auto cloud_of = [&](const QString& run) {
            for (std::size_t i = 0; i < 3; ++i)
                if (p.embeddings.space().view(i).points().run == run) return i;
            qFatal("the run has no cloud");
        };
        const auto highlighted = [&](const QString& run) -> std::optional<Ids> {
            const auto& of_runs = p.anchors.view("anchor-usage")->highlight().of_runs;
            const auto found = of_runs.find(run);
            return found == of_runs.end() ? std::optional<Ids>()
                                          : Ids(found->second.begin(), found->second.end());
        };

        // A lasso around all points of the second cloud but its anchors: windows, and what each run
        // retrieves.
        for (auto* box : p.embeddings.findChildren<QCheckBox*>())
            if (box->toolTip() == QLatin1String("Show the V' anchors")) box->click();
        p.settle();
        auto& view = p.embeddings.space().view(cloud_of(folders[1]));
        const auto area = view.rect().adjusted(4, 40, -4, -4);
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, area.topLeft());
        for (const auto& corner : {area.topRight(), QPoint(area.right(), area.center().y()), area.center(),
                                   QPoint(area.left(), area.center().y())})
            QTest::mouseMove(&view, corner);
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(area.left(), area.center().y()));
        const auto& chosen = p.selection.state();
        QVERIFY(!chosen.windows.empty() && chosen.anchors.empty());
        for (int run = 0; run < 3; ++run) {
            QTRY_VERIFY(highlighted(folders[run]));
            QCOMPARE(*highlighted(folders[run]),
                     set_of(p, run).anchors_retrieved_by(chosen.windows, chosen.channels, chosen.pairs));
        }
        QVERIFY(*highlighted(folders[0]) != *highlighted(folders[2]));

        // A click on an anchor of the third run means that run's anchor: everywhere.
        p.selection.clear();
        auto* usage = p.anchors.view("anchor-usage");
        const auto& bars = usage->figure().plots.at(2).series.at(0);
        QCOMPARE(bars.run, folders[2]);
        const auto most = std::max_element(bars.y.begin(), bars.y.end()) - bars.y.begin();
        QTest::mouseClick(
            usage, Qt::LeftButton, {},
            usage->painter()
                .to_scene(2, static_cast<double>(most), bars.y[static_cast<std::size_t>(most)] / 2)
                .toPoint());
        p.settle();
        QCOMPARE(chosen.anchors, Ids{most});
        QCOMPARE(chosen.anchors_of, folders[2]);
        QVERIFY(!highlighted(folders[0]) && !highlighted(folders[1]));
        QCOMPARE(highlighted(folders[2]), std::optional(Ids{most}));
        QCOMPARE(p.anchors.inspector().run(), folders[2]);
        const auto note = p.anchors.findChild<QLabel*>("problems")->text();
        QVERIFY2(note.contains("began from other anchors"), qPrintable(note));
        for (int run = 0; run < 3; ++run)
            QCOMPARE(p.embeddings.space().view(cloud_of(folders[run])).highlight().empty(), run < 2);
        const auto windows = p.forecasts.findChildren<QLabel*>();
        QVERIFY(std::any_of(windows.begin(), windows.end(), [&](const QLabel* label) {
            return label->text().contains(QStringLiteral("retrieve anchor %1").arg(most));
        }));

        // Nor have their spaces a common layout.
        const auto common = [&] {
            return control<QCheckBox>(p.embeddings, QStringLiteral("One layout for all runs"));
        };
        QVERIFY(common() && !common()->isEnabled() && !common()->isChecked());
        QVERIFY(common()->toolTip().contains("different seeds"));
        p.selection.set_runs(folders.mid(0, 2));
        p.settle();
        QVERIFY(common()->isEnabled() && common()->isChecked());
    }

    void pages_without_embeddings_offer_to_compute() {
        Pages p(*runs_);
        QTRY_VERIFY_WITH_TIMEOUT(
            p.embeddings.space().view().points().empty_text.contains("Compute embeddings"), patience);
        QVERIFY(!p.run().embeddings());
        auto* compute = button(p.embeddings, QStringLiteral("Compute embeddings"));
        QVERIFY(compute && compute->isEnabled() && compute->isVisible());
        QVERIFY(p.forecasts.view("strata")->figure().empty_text.contains("Press Compute embeddings"));
    }

    void embeddings_of_two_runs_are_shown_together() {
        Pages p(*runs_);
        compute(p);
        for (int run = 0; run < 2; ++run) {
            const auto& v = set_of(p, run).values;
            QCOMPARE(v.rows, TinyRuns::windows * TinyRuns::channels);
            QCOMPARE(v.pool_size, TinyRuns::pool);
            QCOMPARE(v.windows.back(), TinyRuns::windows - 1);
            QCOMPARE(v.similarity.size(), static_cast<std::size_t>(v.rows * v.pool_size));
            QCOMPARE(std::accumulate(v.usage.begin(), v.usage.end(), std::int64_t{0}), v.rows * TinyRuns::k);
        }
        auto& space = p.embeddings.space();
        QTRY_COMPARE(space.shown(), std::size_t{2});
        const auto points =
            static_cast<std::size_t>(TinyRuns::pool + 2 * TinyRuns::windows * TinyRuns::channels);
        QCOMPARE(space.view(0).points().size(), points);
        QCOMPARE(space.view(1).points().size(), points);
        QVERIFY(space.view(0).isVisible() && space.view(1).isVisible());
        // One layout of both: its components are those of all points together.
        QTRY_VERIFY(!p.embeddings.space().view(0).points().axis_titles.isEmpty());
        // One camera.
        auto camera = space.view(0).camera();
        camera.half_height *= 0.5;
        space.view(0).set_camera(camera);
        QCOMPARE(space.view(1).camera(), camera);
        space.view(1).fit();
        QVERIFY(!(space.view(0).camera() == camera));
        for (int colour = 0; colour < 6; ++colour) {
            p.embeddings.set_colour(static_cast<CloudColour>(colour));
            p.settle();
            const auto& cloud = space.view(0).points();
            QVERIFY(cloud.is_consistent());
            const bool numbers = !cloud.scalar.empty();
            QCOMPARE(numbers, colour == 2 || colour == 4 || colour == 5);
            if (numbers) {  // side by side on one scale
                QCOMPARE(cloud.scalar_min, space.view(1).points().scalar_min);
                QCOMPARE(cloud.scalar_max, space.view(1).points().scalar_max);
            }
        }
        const auto text = space.view(0).points().label_of(static_cast<std::size_t>(TinyRuns::pool));
        QVERIFY2(text.startsWith("window 0, c0") && text.contains("MSE") && text.contains("retrieves"),
                 qPrintable(text));
        auto* frame = p.embeddings.findChild<ViewFrame*>("frame-embedding-space");
        QCOMPARE(frame->current_figure().plots.size(), std::size_t{2});
        p.embeddings.set_colour(CloudColour::kind);
    }

    void selected_points_are_highlighted_on_every_page() {
        Pages p(*runs_, 1);
        compute(p);
        const auto& set = set_of(p);
        auto& view = p.embeddings.space().view();
        view.set_flat(true);
        view.fit();
        QTRY_VERIFY_WITH_TIMEOUT(!p.anchors.scores().is_busy() && p.anchors.scores().matrix() != nullptr,
                                 patience);
        p.settle();
        const auto cleared = p.anchors.view("anchor-usage")->picture();
        // A lasso around one series point by hand.
        const auto point = static_cast<std::size_t>(TinyRuns::pool + 17 * TinyRuns::channels + 1);
        const auto at = view.place_of(point).toPoint();
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, at + QPoint(-6, -6));
        for (const auto& by : {QPoint(6, -6), QPoint(6, 6), QPoint(-6, 6), QPoint(-6, -5)}) {
            QMouseEvent move(QEvent::MouseMove, at + by, view.mapToGlobal(at + by), Qt::NoButton,
                             Qt::LeftButton, Qt::ShiftModifier);
            QApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, at + QPoint(-6, -5));
        const auto& chosen = p.selection.state();
        QVERIFY(chosen.windows.count(17) > 0);
        QCOMPARE(chosen.split, QStringLiteral("test"));
        p.settle();
        // The forecasts page draws them, the matrix marks their columns and the anchors that they choose.
        QCOMPARE(p.forecasts.source(), ForecastSource::test);
        const auto drawn = p.forecasts.windows();
        QVERIFY(std::find(drawn.begin(), drawn.end(), 17) != drawn.end());
        const auto anchors = set.anchors_retrieved_by(chosen.windows, chosen.channels, chosen.pairs);
        QVERIFY(!anchors.empty() && anchors.size() < static_cast<std::size_t>(TinyRuns::pool));
        auto& heat = p.anchors.scores().view();
        QTRY_VERIFY(!p.anchors.scores().is_busy());
        p.settle();
        QCOMPARE(heat.highlight().rows, anchors);
        QVERIFY(heat.highlight().columns.count(17 * TinyRuns::channels + 1) > 0);
        // Its columns are pairs: those that the lasso went round, no others of their windows and channels.
        Ids columns;
        for (const auto& pair : chosen_pairs(chosen, set)) columns.insert(set.row_of_pair(pair));
        QCOMPARE(heat.highlight().columns, columns);
        QVERIFY(p.anchors.view("anchor-usage")->picture() != cleared);
        QCOMPARE(view.highlight(), ids_of(set, anchors, chosen.windows, chosen.channels, chosen.pairs));
        p.selection.clear();
        p.settle();
        QVERIFY(view.highlight().empty() && heat.highlight().rows.empty());
        QCOMPARE(p.anchors.view("anchor-usage")->picture(), cleared);
    }

    void a_chosen_anchor_leads_to_its_windows() {
        Pages p(*runs_, 1);
        compute(p);
        const auto& set = set_of(p);
        // One that only some windows choose.
        std::int64_t anchor = -1;
        for (std::int64_t a = 0; a < TinyRuns::pool; ++a) {
            const auto count = windows_with(set, a).size();
            if (count > 0 && count < static_cast<std::size_t>(TinyRuns::windows)) anchor = a;
        }
        if (anchor < 0) anchor = set.values.retrieved[0];  // this model's windows all choose alike
        const auto expected = windows_with(set, anchor);
        Q_EMIT p.anchors.view("anchor-usage")->picked({anchor}, Qt::NoModifier);
        p.settle();
        QVERIFY(p.selection.state().windows.empty());
        const auto drawn = p.forecasts.windows();
        const auto most = std::min<std::size_t>(6, expected.size());
        QCOMPARE(Ids(drawn.begin(), drawn.end()),
                 Ids(expected.begin(), std::next(expected.begin(), static_cast<std::ptrdiff_t>(most))));
        const auto pairs = set.pairs_retrieving({anchor}, {});
        QTRY_COMPARE(p.embeddings.space().view().highlight(), ids_of(set, {anchor}, expected, {}, pairs));
        Ids columns;
        for (const auto& pair : pairs) columns.insert(set.row_of_pair(pair));
        QCOMPARE(p.anchors.scores().view().highlight().columns, columns);
        if (expected.size() > 6) {  // the next six, the selection as it was
            p.forecasts.step_window(1);
            QCOMPARE(p.forecasts.windows().front(), *std::next(expected.begin(), 6));
            QCOMPARE(p.selection.state().anchors, Ids{anchor});
        }
        // The inspector knows it.
        auto& inspector = p.anchors.inspector();
        QCOMPARE(inspector.anchor(), std::optional(anchor));
        QTRY_VERIFY_WITH_TIMEOUT(!inspector.is_busy(), patience);
        QCOMPARE(inspector.tokens().rowCount(), 20);
        QCOMPARE(inspector.neighbours().rowCount(), 20);
        QVERIFY(inspector.note().contains("untrained"));
        QVERIFY(inspector.windows().rowCount() > 0);
        // Another one, and back.
        const auto words = inspector.tokens().item(0, 0)->text();
        inspector.set_anchor(anchor == 0 ? 1 : 0);
        inspector.set_anchor(anchor);
        QVERIFY(inspector.is_busy());
        QTRY_VERIFY_WITH_TIMEOUT(!inspector.is_busy(), patience);
        QCOMPARE(inspector.tokens().item(0, 0)->text(), words);
        auto* all = button(inspector, QStringLiteral("Select all windows that retrieve it"));
        all->click();
        QCOMPARE(p.selection.state().windows, expected);
        QCOMPARE(chosen_pairs(p.selection.state(), set), pairs);
        QCOMPARE(p.selection.state().anchors, Ids{anchor});
        const auto neighbour = inspector.neighbours().item(0, 0)->text().toLongLong();
        QVERIFY(neighbour != anchor);
        Q_EMIT inspector.neighbours().cellClicked(0, 0);
        QCOMPARE(p.selection.state().anchors, Ids{neighbour});
        QCOMPARE(inspector.anchor(), std::optional<std::int64_t>(neighbour));
        Q_EMIT inspector.windows().cellClicked(0, 0);
        QTRY_COMPARE(p.selection.state().windows.size(), std::size_t{1});
    }

    void the_matrix_orders_picks_and_shows_the_whole_pool() {
        Pages p(*runs_, 1);
        compute(p);
        auto& scores = p.anchors.scores();
        QTRY_VERIFY(!scores.is_busy() && scores.matrix() != nullptr);
        const auto& set = set_of(p);
        const auto expect = [&](analysis::AnchorOrder order) {
            auto options = scores.options();
            options.order = order;
            options.anchors = 0;
            scores.set_options(options);
            if (!QTest::qWaitFor([&] { return !scores.is_busy(); }, patience)) qFatal("no matrix");
            const auto& m = *scores.matrix();
            Ids all(m.row_ids.begin(), m.row_ids.end());
            if (m.rows != TinyRuns::pool || all.size() != static_cast<std::size_t>(TinyRuns::pool))
                qFatal("not the whole pool");
            for (std::int64_t r = 0; r < m.rows; ++r)
                for (const std::int64_t c : {std::int64_t{0}, m.columns / 2, m.columns - 1})
                    if (m.values[static_cast<std::size_t>(r * m.columns + c)] !=
                        set.values.similarity[static_cast<std::size_t>(
                            m.column_ids[static_cast<std::size_t>(c)] * TinyRuns::pool +
                            m.row_ids[static_cast<std::size_t>(r)])])
                        qFatal("another similarity");
            return m.row_ids;
        };
        const auto by_index = expect(analysis::AnchorOrder::index);
        QVERIFY(std::is_sorted(by_index.begin(), by_index.end()));
        const auto by_usage = expect(analysis::AnchorOrder::usage);
        for (std::size_t i = 1; i < by_usage.size(); ++i)
            QVERIFY(set.values.usage[static_cast<std::size_t>(by_usage[i - 1])] >=
                    set.values.usage[static_cast<std::size_t>(by_usage[i])]);
        QVERIFY(expect(analysis::AnchorOrder::clustering) != by_index);
        const auto& matrix = *scores.matrix();
        QCOMPARE(matrix.columns, set.values.rows);
        // Column 40 is window 13, channel 1.
        auto& view = scores.view();
        Q_EMIT view.cells_picked({}, {40}, Qt::NoModifier);
        QCOMPARE(p.selection.state().windows, Ids{13});
        QCOMPARE(p.selection.state().channels, Ids{1});
        // Another column with Ctrl: two pairs, not the four of two windows and two channels.
        Q_EMIT view.cells_picked({}, {21}, Qt::ControlModifier);
        QCOMPARE(p.selection.state().pairs, (std::vector<WindowChannel>{{7, 0}, {13, 1}}));
        p.settle();
        QCOMPARE(view.highlight().columns, (Ids{21, 40}));
        QCOMPARE(p.embeddings.space().view().highlight(),
                 ids_of(set, set.anchors_retrieved_by({7, 13}, {}, p.selection.state().pairs), {7, 13}, {},
                        p.selection.state().pairs));
        Q_EMIT view.cells_picked({}, {21}, Qt::ControlModifier);
        QVERIFY(p.selection.state().pairs.empty());
        QCOMPARE(p.selection.state().windows, Ids{13});
        p.settle();
        QCOMPARE(p.forecasts.windows(), (std::vector<std::int64_t>{13}));
        const auto column = static_cast<std::int64_t>(
            std::find(matrix.column_ids.begin(), matrix.column_ids.end(), 7) - matrix.column_ids.begin());
        const auto at = view.painter().to_scene(0, static_cast<double>(column) + 0.5, 5.5);
        QTest::mouseClick(&view, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(p.selection.state().anchors, Ids{matrix.row_ids[5]});
        QCOMPARE(p.selection.state().windows, Ids{2});
        auto* frame = p.anchors.findChild<ViewFrame*>("frame-similarity");
        QCOMPARE(frame->current_figure().plots[0].heatmap->values.size(), matrix.values.size());
    }

    void a_stratum_selects_its_windows() {
        Pages p(*runs_);
        compute(p);
        auto* strata = p.forecasts.view("strata");
        QTRY_COMPARE(strata->figure().plots.size(),
                     std::size_t{3});  // error, difference of the runs, selection
        const auto& set = set_of(p);
        // Deciles by hand: 49 windows, ranks by the mean of |R| over channels.
        std::vector<std::pair<double, std::int64_t>> difficulty;
        for (std::int64_t w = 0; w < TinyRuns::windows; ++w) {
            double sum = 0;
            for (std::int64_t c = 0; c < TinyRuns::channels; ++c)
                sum += static_cast<double>(
                    set.values.residual[static_cast<std::size_t>(w * TinyRuns::channels + c)]);
            difficulty.emplace_back(sum, w);
        }
        std::sort(difficulty.begin(), difficulty.end());
        Ids hardest;
        for (std::int64_t rank = 9 * TinyRuns::windows / 10; rank < TinyRuns::windows; ++rank)
            hardest.insert(difficulty[static_cast<std::size_t>(rank)].second);
        Q_EMIT strata->x_picked(10.2, Qt::NoModifier);
        QCOMPARE(p.selection.state().windows, hardest);
        QCOMPARE(p.selection.state().split, QStringLiteral("test"));
        p.settle();
        const auto drawn = p.forecasts.windows();
        QCOMPARE(Ids(drawn.begin(), drawn.end()), hardest);
        QVERIFY(!p.embeddings.space().view(1).highlight().empty());
        Q_EMIT strata->x_picked(42, Qt::NoModifier);  // beside all strata
        QCOMPARE(p.selection.state().windows, hardest);
    }

    void other_windows_are_not_compared() {
        Pages p(*runs_);
        inspect::EmbeddingRequest request;
        request.split = "val";
        p.run(0).compute_embeddings(request);
        request.split = "test";
        p.run(1).compute_embeddings(request);
        QTRY_VERIFY_WITH_TIMEOUT(p.run(0).embeddings() && p.run(1).embeddings(), patience);
        p.settle();
        auto* strata = p.forecasts.view("strata");
        auto* note = p.forecasts.findChild<QLabel*>("problems");
        QVERIFY(note != nullptr);
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().contains("validation split") && note->text().contains("test split") &&
                     note->text().contains("λ_cov 0.5"),
                 qPrintable(note->text()));
        QCOMPARE(strata->figure().plots.size(), std::size_t{2});  // error and selection of the first alone
        for (const auto& series : strata->figure().plots[0].series) QCOMPARE(series.run, p.run(0).folder());
        // The same split, but not the same windows.
        p.run(0).compute_embeddings(request);
        request.windows = 20;
        p.run(1).compute_embeddings(request);
        QTRY_VERIFY_WITH_TIMEOUT(p.run(0).embeddings()->values.split == "test" &&
                                     p.run(1).embeddings()->values.windows.size() == 20,
                                 patience);
        p.settle();
        QTRY_VERIFY(note->text().contains("49 windows, the other 20"));
        QCOMPARE(strata->figure().plots.size(), std::size_t{2});
        request.windows = 0;
        p.run(1).compute_embeddings(request);
        QTRY_COMPARE_WITH_TIMEOUT(p.run(1).embeddings()->values.windows.size(), std::size_t{49}, patience);
        p.settle();
        QTRY_COMPARE(strata->figure().plots.size(), std::size_t{3});
        QVERIFY(!note->isVisible());
    }

    void tsne_is_shown_paused_and_stored() {
        Pages p(*runs_);
        compute(p);
        auto& bar = p.embeddings.layout_bar();
        auto& work = p.embeddings.layout_work();
        bar.set_method(LayoutMethod::tsne);
        p.settle();
        QVERIFY(p.embeddings.space().view().points().empty_text.contains("Start t-SNE"));
        bar.findChildren<QSpinBox*>()[0]->setValue(20000);  // iterations: longer than this test
        int moved = 0;
        QElapsedTimer clock;
        clock.start();
        connect(&work, &LayoutWork::moved, this, [&] { ++moved; });
        button(bar, QStringLiteral("Start t-SNE"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(work.picture() && work.picture()->iteration > 40, patience);
        QVERIFY2(moved <= clock.elapsed() / 45 + 2, qPrintable(QString::number(moved)));
        p.settle();
        QTRY_COMPARE(p.embeddings.space().shown(), std::size_t{2});
        QTRY_VERIFY(p.embeddings.space().view(1).points().size() > 0);
        QCOMPARE(p.embeddings.space().view(0).points().axis_titles.value(0), QStringLiteral("t-SNE 1"));
        QVERIFY(p.embeddings.space().view(0).is_flat());
        button(bar, QStringLiteral("Pause"))->click();
        QTRY_COMPARE(work.state(), LayoutWork::State::paused);
        const auto held = work.picture()->iteration;
        QVERIFY(std::isfinite(work.picture()->kl[0]) && work.picture()->kl.size() == 1);
        QTest::qWait(150);
        QCOMPARE(work.picture()->iteration, held);
        button(bar, QStringLiteral("Continue"))->click();
        QTRY_VERIFY(work.picture()->iteration > held);
        button(bar, QStringLiteral("Stop and keep"))->click();
        QTRY_COMPARE(work.state(), LayoutWork::State::stopped);
        const auto kept = work.picture();
        QVERIFY(kept->iteration < 20000);
        p.settle();
        QTRY_COMPARE(p.embeddings.space().view(0).points().points, kept->layouts[0]->points);
        QTRY_COMPARE(p.embeddings.space().view(1).points().points, kept->layouts[1]->points);
        // It is of these points: of others (one run fewer) it tells nothing, and cannot be stored.
        const auto says_iterations = [&] {
            const auto labels = bar.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [](auto* label) {
                return label->text().contains(QStringLiteral("iteration "));
            });
        };
        auto* store_layout = button(bar, QStringLiteral("Store layout"));
        QVERIFY(store_layout && says_iterations() && store_layout->isVisible());
        const auto both = p.selection.state().runs;
        p.selection.set_runs({both.first()});
        p.settle();
        QTRY_VERIFY(!says_iterations());
        QVERIFY(!store_layout->isVisible());
        p.selection.set_runs(both);
        p.settle();
        QTRY_VERIFY(says_iterations() && store_layout->isVisible());
        // Kept in the run, and there the next time.
        p.embeddings.source().store();
        QTRY_VERIFY_WITH_TIMEOUT(p.run(0).embeddings()->stored && p.run(1).embeddings()->stored, patience);
        QVERIFY(p.run(0).embedding_status().problem.isEmpty());
        p.settle();
        Pages again(*runs_);
        QTRY_VERIFY_WITH_TIMEOUT(again.run(0).embeddings(), patience);
        QVERIFY(again.run(0).embeddings()->stored);
        const auto &a = again.run(0).embeddings()->values, &b = p.run(0).embeddings()->values;
        QCOMPARE(a.series, b.series);
        QCOMPARE(a.anchors, b.anchors);
        QCOMPARE(a.prompt, b.prompt);
        QCOMPARE(a.windows, b.windows);
        QCOMPARE(a.retrieved, b.retrieved);
        QCOMPARE(a.similarity, b.similarity);
        // Compute replaces what was stored, here by the same numbers and what is not stored (the residuals).
        QVERIFY(a.residual.empty());
        const auto stored = again.run(0).embeddings();
        again.embeddings.source().compute();
        QTRY_VERIFY_WITH_TIMEOUT(!again.run(0).embeddings()->stored, patience);
        const auto& fresh = again.run(0).embeddings()->values;
        QCOMPARE(fresh.windows, stored->values.windows);
        QCOMPARE(fresh.series, stored->values.series);
        QCOMPARE(fresh.retrieved, stored->values.retrieved);
        QVERIFY(!fresh.residual.empty());
    }

    void computation_can_be_cancelled_and_reports_problems() {
        Pages p(*runs_, 1);
        inspect::EmbeddingRequest request;
        request.split = "test";
        request.channels = {7};
        p.run().compute_embeddings(request);
        QVERIFY(p.run().embedding_status().is_busy());
        QTRY_VERIFY_WITH_TIMEOUT(!p.run().embedding_status().is_busy(), patience);
        QVERIFY2(p.run().embedding_status().problem.contains("channel"),
                 qPrintable(p.run().embedding_status().problem));
        const auto before = p.run().embeddings();
        request.channels = {};
        request.split = "train";
        p.run().compute_embeddings(request);
        p.run().cancel_embeddings();
        QTRY_VERIFY_WITH_TIMEOUT(!p.run().embedding_status().is_busy(), patience);
        QVERIFY(p.run().embedding_status().problem.isEmpty());
        QCOMPARE(p.run().embeddings(), before);
    }
};

TEST_PROGRAM(TestEmbeddingsLinked)(int argc, char** argv) {
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    TestEmbeddingsLinked test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_embeddings_linked.moc"
