// Layouts beside the GUI thread: right, held, replaced, followed from snapshot to snapshot; and the page that
// shows them while a run goes on.

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QPushButton>

#include "analysis/tsne.h"
#include "charts/figure_view.h"
#include "layouts_fixture.h"
#include "panel_test.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing::layouts;
using State = LayoutWork::State;

namespace {

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        size += std::pow(static_cast<double>(a[i]), 2);
    }
    return std::sqrt(sum / size);
}

}  // namespace

class TestEmbeddingsLayouts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void common_components_are_those_of_all_points() {
        const auto a = set_of(1), b = set_of(10, QStringLiteral("/b"));
        LayoutWork work;
        work.start({a, b}, {});
        QVERIFY(reach(work, State::finished));
        const auto joined = [](const std::vector<float>& x, const std::vector<float>& y) {
            auto both = x;
            both.insert(both.end(), y.begin(), y.end());
            return both;
        };
        const auto whole = analysis::joint_layout(joined(a->values.anchors, b->values.anchors),
                                                  joined(a->values.series, b->values.series),
                                                  joined(a->values.prompt, b->values.prompt), width, 3);
        const auto& picture = *work.picture();
        QCOMPARE(picture.layouts.size(), std::size_t{2});
        // b's anchor 4, a's series 7, b's prompt 59.
        const auto check = [&](const store::EmbeddingLayout& layout, std::size_t at, std::size_t in_whole) {
            for (std::size_t c = 0; c < 3; ++c)
                QCOMPARE(layout.points[3 * at + c], whole.points[3 * in_whole + c]);
        };
        check(*picture.layouts[1], 4, 20 + 4);
        check(*picture.layouts[0], 20 + 7, 40 + 7);
        check(*picture.layouts[1], 20 + 60 + 59, 40 + 120 + 60 + 59);
        QCOMPARE(picture.layouts[1]->kind[20 + 60 + 59], 2);
        QCOMPARE(picture.layouts[1]->row[20 + 60 + 59], 59);
        QCOMPARE(picture.layouts[0]->variance_ratio, a->values.pca.variance_ratio);
    }

    void paused_tsne_equals_the_core() {
        const auto set = set_of(1);
        LayoutWork work;
        auto asked = tsne_options(120);
        asked.early_exaggeration = 5;
        work.start({set}, asked);
        QVERIFY(QTest::qWaitFor([&] { return work.picture() != nullptr; }, patience));
        work.pause();
        QTest::qWait(60);
        work.resume();
        QVERIFY(reach(work, State::finished));
        analysis::TsneOptions options;
        options.perplexity = 10;
        options.iterations = 120;
        options.early_iterations = 40;
        options.early_exaggeration = 5;
        const auto& v = set->values;
        const auto expected = analysis::tsne(v.anchors, v.series, v.prompt, width, options);
        const auto& got = *work.picture()->layouts[0];
        QCOMPARE(got.points, expected.points);
        QCOMPARE(got.kind, expected.kind);
        QCOMPARE(got.row, expected.row);
        QCOMPARE(got.kl, expected.kl);
        QCOMPARE(got.iterations, expected.iterations);
        QCOMPARE(work.picture()->iteration, std::int64_t{120});
    }

    void the_bar_has_every_setting_of_a_tsne() {
        LayoutWork work;
        LayoutBar bar(&work);
        QCOMPARE(bar.options(), LayoutOptions());  // what it offers first is the usual
        QJsonObject changed{{QStringLiteral("layout"), 1},
                            {QStringLiteral("common"), false},
                            {QStringLiteral("tsne_components"), 1},
                            {QStringLiteral("perplexity"), 17.5},
                            {QStringLiteral("iterations"), 1230},
                            {QStringLiteral("exaggeration"), 4.5},
                            {QStringLiteral("seed"), 9}};
        bar.restore(changed);
        const auto options = bar.options();
        QCOMPARE(options.method, LayoutMethod::tsne);
        QVERIFY(!options.common && options.components == 3 && options.perplexity == 17.5);
        QVERIFY(options.iterations == 1230 && options.early_exaggeration == 4.5 && options.seed == 9);
        QJsonObject saved;
        bar.save(saved);
        QCOMPARE(saved, changed);
        // By hand, and only beside a t-SNE.
        auto* field = control<QDoubleSpinBox>(bar, QStringLiteral("Early exaggeration"));
        QVERIFY(field && !field->toolTip().isEmpty());
        field->setValue(1);
        QCOMPARE(bar.options().early_exaggeration, 1.0);
        QVERIFY(field->isVisibleTo(&bar));
        bar.set_method(LayoutMethod::pca);
        QVERIFY(!field->isVisibleTo(&bar));
    }

    void kinds_and_several_runs() {
        const auto a = set_of(1), b = set_of(10, QStringLiteral("/b"));
        LayoutWork work;
        auto options = tsne_options(20);
        options.kinds = {PointKind::anchor, PointKind::prompt};
        options.common = false;
        options.components = 3;
        work.start({a, b}, options);
        QVERIFY(reach(work, State::finished));
        QCOMPARE(work.picture()->kl.size(), std::size_t{2});
        for (const auto& layout : work.picture()->layouts) {
            QCOMPARE(layout->components, std::int64_t{3});
            QCOMPARE(layout->kind.size(), std::size_t{80});
            QCOMPARE(layout->kind.back(), 2);
            QCOMPARE(layout->points.size(), std::size_t{240});
            QCOMPARE(layout->common_runs, std::int64_t{1});
        }
        // Together: one KL, of the points of both, and each run's layout says that it is.
        options.common = true;
        work.start({a, b}, options);
        QVERIFY(reach(work, State::finished));
        QCOMPARE(work.picture()->kl.size(), std::size_t{1});
        for (const auto& layout : work.picture()->layouts) {
            QCOMPARE(layout->kind.size(), std::size_t{80});
            QCOMPARE(layout->common_runs, std::int64_t{2});
            QCOMPARE(layout->common_points, std::int64_t{160});
        }
    }

    void layout_stopped_before_following_keeps_its_snapshot() {
        const auto before = set_of(1, QStringLiteral("/a"), 2500),
                   next = set_of(1, QStringLiteral("/a"), 2500);
        LayoutWork work;
        // Neighbours of 10,000 points take far longer than the signal that they are looked for; once in a
        // while, on a busy machine, it comes too late all the same.
        for (int attempt = 0; attempt < 5; ++attempt) {
            work.start({before}, tsne_options(6));
            QVERIFY(reach(work, State::finished));
            const auto iteration = work.picture()->iteration;
            const auto stop = connect(&work, &LayoutWork::state_changed, &work, [&] { work.stop(); });
            work.follow({next});
            QVERIFY(reach(work, State::stopped));
            disconnect(stop);
            if (work.picture()->iteration != iteration) continue;
            QCOMPARE(work.picture()->sets[0], std::shared_ptr<const EmbeddingSet>(before));
            return;
        }
        QFAIL("it was never stopped while neighbours were looked for");
    }

    void stopped_layout_stays_until_a_new_start() {
        LayoutWork work;
        work.start({set_of(1)}, tsne_options(1000000));
        QVERIFY(QTest::qWaitFor([&] { return work.picture() && work.picture()->iteration > 10; }, patience));
        work.stop();
        QVERIFY(reach(work, State::stopped));
        const auto kept = work.picture();
        QVERIFY(std::isfinite(kept->kl[0]));
        QTest::qWait(80);
        QCOMPARE(work.picture(), kept);
        work.start({set_of(2)}, tsne_options(1000000));
        QVERIFY(!work.picture());
        work.start({set_of(3)}, {});
        QVERIFY(reach(work, State::finished));
        QCOMPARE(work.picture()->options.method, LayoutMethod::pca);
        QTest::qWait(80);
        QCOMPARE(work.picture()->options.method, LayoutMethod::pca);
        auto bare = std::make_shared<EmbeddingSet>();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, work.start({bare}, {}));
        QElapsedTimer clock;
        clock.start();
        {
            LayoutWork other;
            other.start({set_of(1)}, tsne_options(1000000));
            QTest::qWait(50);
        }
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
    }

    void layout_of_invalid_values_reports_a_problem() {
        auto set = set_of(1);
        set->values.series[5] = std::nanf("");
        LayoutWork work;
        work.start({set}, tsne_options(50));
        QVERIFY(reach(work, State::failed));
        QVERIFY2(!work.problem().isEmpty(), qPrintable(work.problem()));
    }

    void next_snapshot_starts_from_the_last_layout() {
        LayoutWork work;
        work.start({set_of(1)}, tsne_options(400));
        QVERIFY(reach(work, State::finished));
        const auto before = work.picture()->layouts[0]->points;
        auto next = set_of(1);
        const auto moved = noise(next->values.series.size(), 77);
        for (std::size_t i = 0; i < moved.size(); ++i) next->values.series[i] += 0.02F * moved[i];
        work.follow({next});
        QVERIFY(QTest::qWaitFor([&] { return work.picture()->sets[0] == next; }, patience));
        // The first picture of the new values is about where the old one ended; on a busy machine it is some
        // steps old when it is looked at.
        QVERIFY2(distance(before, work.picture()->layouts[0]->points) < 0.5,
                 qPrintable(QString::number(distance(before, work.picture()->layouts[0]->points))));
        QVERIFY(QTest::qWaitFor([&] { return work.picture()->iteration == 650; }, patience));
        QVERIFY2(distance(before, work.picture()->layouts[0]->points) < 0.5, "it started over");
    }

    void page_follows_a_running_run() {
        OnePage watched(true);
        watched.show();
        auto& [library, selection, run, page] = watched;
        auto& view = page.space().view();
        QCOMPARE(view.points().size(), std::size_t{140});
        QVERIFY(view.points().title.contains(QStringLiteral("step 5")));
        page.layout_bar().set_method(LayoutMethod::tsne);
        page.start_tsne();
        QTRY_COMPARE_WITH_TIMEOUT(page.layout_work().state(), State::finished, patience);
        QVERIFY2(page.layout_work().notes().isEmpty(), qPrintable(page.layout_work().notes().join(u' ')));
        page.update_now();
        QTRY_COMPARE(view.points().axis_titles.value(0), QStringLiteral("t-SNE 1"));
        // The last picture, not one on the way there.
        QTRY_VERIFY(distance(page.layout_work().picture()->layouts[0]->points, view.points().points) < 1e-6);
        const auto before = view.points().points;
        run->its_probes.push_back(probe_of(10, 2));
        Q_EMIT run->changed(RunPart::probe);
        QTRY_VERIFY_WITH_TIMEOUT(page.layout_work().picture()->sets[0]->values.step == 10, patience);
        QTRY_VERIFY_WITH_TIMEOUT(view.points().title.contains(QStringLiteral("step 10")), patience);
        QVERIFY2(distance(before, view.points().points) < 0.5,
                 qPrintable(QStringLiteral("the picture jumped by %1 after %2 iterations")
                                .arg(distance(before, view.points().points))
                                .arg(page.layout_work().picture()->iteration)));
        // PCA follows at once.
        page.layout_bar().set_method(LayoutMethod::pca);
        run->its_probes.push_back(probe_of(15, 3));
        Q_EMIT run->changed(RunPart::probe);
        page.update_now();
        QVERIFY(view.points().title.contains(QStringLiteral("step 15")));
        QVERIFY(view.points().axis_titles.value(0).startsWith(QStringLiteral("PC1")));
        // A snapshot whose vectors are gone has its components, and no t-SNE to start.
        auto slim = std::make_shared<train::Probe>(*run->its_probes[0]);
        slim->drop_vectors();
        run->its_probes[0] = slim;
        selection.set_step(5);
        page.layout_work().clear();
        page.layout_bar().set_method(LayoutMethod::tsne);
        page.update_now();
        QVERIFY2(view.points().empty_text.contains(QStringLiteral("latest snapshot")),
                 qPrintable(view.points().empty_text));
    }

    void many_channels_are_distinguishable() {
        auto set = std::make_shared<EmbeddingSet>();
        auto& v = set->values;
        v.dimension = 2;
        v.pool_size = 3;
        v.windows = {0, 1};
        v.windows_total = 2;
        for (std::int64_t c = 0; c < 30; ++c) v.channels.push_back(c);
        v.channels_total = 30;
        v.rows = 60;
        v.anchors = noise(6, 1);
        v.series = noise(120, 2);
        v.prompt = noise(120, 3);
        store::EmbeddingLayout layout;
        for (int kind = 0; kind < 3; ++kind)
            for (std::int64_t i = 0; i < set->points_of(static_cast<PointKind>(kind)); ++i) {
                layout.kind.push_back(kind);
                layout.row.push_back(static_cast<std::int32_t>(i));
                layout.points.insert(layout.points.end(), {static_cast<float>(i), static_cast<float>(kind)});
            }
        CloudOptions options;
        options.colour = CloudColour::channel;
        const auto cloud = embedding_cloud(set, layout, {}, options);
        QVERIFY(cloud.is_consistent());
        const auto look = [&](PointKind kind, std::int64_t row) {
            for (std::size_t i = 0; i < cloud.size(); ++i)
                if (layout.kind[i] == static_cast<int>(kind) && layout.row[i] == row)
                    return cloud.kinds[cloud.kind[i]];
            return EmbeddingKind{};
        };
        for (const auto kind : {PointKind::series, PointKind::prompt}) {
            std::set<std::pair<QString, int>> looks;
            for (std::int64_t c = 0; c < 22; ++c) {
                const auto of_channel = look(kind, c);
                QVERIFY(look(kind, 30 + c).colour == of_channel.colour);  // the other window's
                looks.emplace(of_channel.colour.name(), static_cast<int>(of_channel.marker));
                // Neither is the other's, whatever the channel.
                QVERIFY(of_channel.marker != figures::MarkerShape::circle);
            }
            QCOMPARE(looks.size(), std::size_t{22});
            const auto rest = look(kind, 25);
            QCOMPARE(rest.colour, look(PointKind::anchor, 0).colour);
            QVERIFY(rest.layer < look(kind, 0).layer);  // grey hides no colour
        }
        QStringList names;
        for (const auto& kind : cloud.kinds)
            if (!kind.name.isEmpty()) names << kind.name;
        QCOMPARE(names.size(), 1 + 22 + 1);
        QCOMPARE(names.last(), QStringLiteral("8 more channels"));
        for (const auto& kind : cloud.kinds)
            if (kind.name == names.last())
                QVERIFY2(kind.about.contains(QStringLiteral("channel 22, channel 23")) &&
                             kind.about.endsWith(QStringLiteral("channel 29")),
                         qPrintable(kind.about));
        // By kind the anchors, which are few, lie above what is made of them; in the figure as well.
        const auto by_kind = embedding_cloud(set, layout, {}, {});
        QVERIFY(by_kind.kinds[0].layer > by_kind.kinds[2].layer);
        QCOMPARE(cloud_figure({&by_kind}, QStringLiteral("a"), {}).plots[0].series.back().name,
                 figures::kind_name(figures::kind_anchor));
    }

    void a_hundred_thousand_points_are_drawn_and_lit() {  // how fast: tests/bench/gui_frames.cpp
        auto set = std::make_shared<EmbeddingSet>();
        set->folder = QStringLiteral("/a");
        auto& v = set->values;
        v.dimension = 2;
        v.pool_size = 1000;
        v.top_k = 1;
        v.split = "test";
        v.weights = "best";
        v.channels = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        for (std::int64_t w = 0; w < 5500; ++w) {
            v.windows.push_back(w);
            v.start.push_back(w);
        }
        v.rows = 5500 * 9;
        v.windows_total = 5500;
        v.channels_total = 9;
        v.anchors = noise(1000 * 2, 1);
        v.series = noise(static_cast<std::size_t>(v.rows) * 2, 2, 2);
        v.prompt = noise(static_cast<std::size_t>(v.rows) * 2, 3, -2);
        for (std::int64_t i = 0; i < v.rows; ++i) v.retrieved.push_back(static_cast<std::int32_t>(i % 1000));
        store::EmbeddingLayout layout;
        for (int kind = 0; kind < 3; ++kind) {
            const auto values = set->vectors_of(static_cast<PointKind>(kind));
            layout.points.insert(layout.points.end(), values.begin(), values.end());
            for (std::int64_t i = 0; i < set->points_of(static_cast<PointKind>(kind)); ++i) {
                layout.kind.push_back(kind);
                layout.row.push_back(static_cast<std::int32_t>(i));
            }
        }
        EmbeddingsSpace space;
        space.resize(1000, 700);
        space.show();
        QVERIFY(QTest::qWaitForWindowExposed(&space));
        figures::RunInput run;
        run.folder = set->folder;
        QElapsedTimer clock;
        std::vector<qint64> times;
        for (int frame = 0; frame < 12; ++frame) {
            for (auto& x : layout.points) x *= 0.999F;
            clock.start();
            std::vector<EmbeddingsSpace::Cloud> clouds;
            clouds.push_back({run.folder, embedding_cloud(set, layout, run, {})});
            space.show_clouds(std::move(clouds));
            (void)space.view().canvas_picture();
            times.push_back(clock.elapsed());
        }
        QCOMPARE(space.view().points().size(), std::size_t{100000});
        std::sort(times.begin(), times.end());
        qInfo("100,000 points given anew and drawn: median %lld ms", static_cast<long long>(times[6]));
        clock.start();
        const auto ids = set->windows_retrieving({7}, {});
        QCOMPARE(ids.size(), std::size_t{50});
        const auto lit = ids_of(*set, {7}, ids, {}, set->pairs_retrieving({7}, {}));
        QVERIFY(lit.size() > 50);  // the anchor, its windows' series and prompts
        const auto before = space.view().canvas_picture();
        space.set_highlight(0, lit);
        QVERIFY(space.view().canvas_picture() != before);
        qInfo("an anchor's windows of 49,500 rows, lit: %lld ms", static_cast<long long>(clock.elapsed()));
    }

    void layout_of_other_points_restarts() {
        LayoutWork work;
        const auto begins_anew = [&](auto change) {
            work.start({set_of(1)}, tsne_options(5));
            if (!reach(work, State::finished)) qFatal("no layout");
            auto next = set_of(1);
            change(*next);
            work.follow({next});
            return !work.picture();
        };
        QVERIFY(!begins_anew([](auto&) {}));
        QVERIFY(!begins_anew([](auto& set) { set.values.series[0] += 1; }));
        QVERIFY(begins_anew([](auto& set) { set.values.split = "val"; }));
        QVERIFY(begins_anew([](auto& set) { set.values.windows[4] = 40; }));
        QVERIFY(begins_anew([](auto& set) { set.values.channels = {0, 2}; }));
        QVERIFY(begins_anew([](auto& set) { set.values.patches = 2; }));
        QVERIFY(begins_anew([](auto& set) { set.values.prefix_only = true; }));
        QVERIFY(begins_anew([](auto& set) { set.folder = QStringLiteral("/b"); }));
    }

    void stopped_layout_names_its_snapshot() {
        OnePage watched(true);
        watched.show();
        auto& page = watched.page;
        auto& work = page.layout_work();
        page.layout_bar().set_method(LayoutMethod::tsne);
        page.layout_bar().findChildren<QSpinBox*>()[0]->setValue(100000);
        page.start_tsne();
        QTRY_VERIFY_WITH_TIMEOUT(work.picture() && work.picture()->iteration > 5, patience);
        work.stop();
        QVERIFY(reach(work, State::stopped));
        const auto kept = work.picture();
        watched.run->its_probes.push_back(probe_of(10, 2));
        watched.changed(RunPart::probe);
        QTRY_COMPARE(watched.points().points, kept->layouts[0]->points);
        QCOMPARE(work.picture(), kept);
        QVERIFY2(watched.points().title.contains(QStringLiteral("step 5")),
                 qPrintable(watched.points().title));
        // The components are of the snapshot that came.
        page.layout_bar().set_method(LayoutMethod::pca);
        page.update_now();
        QVERIFY(watched.points().title.contains(QStringLiteral("step 10")));
    }

    void layout_is_drawn_only_for_its_points() {
        OnePage stored(false);
        const auto folder = stored.run->folder();
        const auto first = set_of(1, folder);
        stored.run->its_set = first;
        stored.show();
        auto& work = stored.page.layout_work();
        stored.page.layout_bar().set_method(LayoutMethod::tsne);
        stored.page.layout_bar().findChildren<QSpinBox*>()[0]->setValue(20);
        stored.page.start_tsne();
        QVERIFY(reach(work, State::finished));
        const auto made = work.picture();
        QTRY_COMPARE(stored.points().points, made->layouts[0]->points);
        using Change = void (*)(store::Embeddings&);
        const std::vector<Change> changes{[](auto& v) { v.windows.back() += 1; },
                                          [](auto& v) {
                                              v.channels = {0, 2};
                                          },
                                          [](auto& v) { v.prefix_only = true; },
                                          [](auto& v) { v.patches = 2; },
                                          [](auto& v) { v.anchors[3] += 1; }};  // other weights
        for (std::size_t i = 0; i < changes.size(); ++i) {
            auto other = set_of(1, folder);
            changes[i](other->values);
            stored.run->its_set = other;
            stored.changed(RunPart::embeddings);
            QVERIFY2(stored.points().empty_text.contains(QStringLiteral("Press Start t-SNE")),
                     qPrintable(QString::number(i)));
            QCOMPARE(work.picture(), made);  // nothing goes on from there, either
            // The same rows once more: as it was, to the last bit.
            stored.run->its_set = std::make_shared<EmbeddingSet>(*first);
            stored.changed(RunPart::embeddings);
            QCOMPARE(stored.points().points, made->layouts[0]->points);
            QCOMPARE(work.state(), State::finished);
            QCOMPARE(work.picture(), made);
        }
    }

    void stored_layout_must_match_its_rows() {
        const auto set = set_of(1);
        const auto fits = [&](auto change) {
            auto layout = set->values.pca;
            change(layout);
            return set->values.fits(layout);
        };
        const auto& v = set->values;
        QVERIFY(fits([](auto&) {}));  // no lists: all rows, which these are
        QVERIFY(fits([&](auto& l) { l.windows = v.windows, l.channels = v.channels; }));
        QVERIFY(!fits([](auto& l) { l.windows = {0, 11, 22}; }));
        QVERIFY(!fits([](auto& l) { l.channels = {1, 0}; }));
        QVERIFY(!fits([](auto& l) { l.patches = 2; }));
        QVERIFY(!fits([](auto& l) { l.prefix_only = true; }));
        QVERIFY(!fits([](auto& l) { l.row.back() = 60; }));
        QVERIFY(!fits([](auto& l) { l.kind.front() = 3; }));
        QVERIFY(!fits([](auto& l) { l.points.pop_back(); }));
        auto some = *set;
        some.values.windows_total = 300;  // every tenth, as it were
        QVERIFY(!some.values.fits(set->values.pca));
    }
};

TEST_MAIN(TestEmbeddingsLayouts)
#include "test_embeddings_layouts.moc"
