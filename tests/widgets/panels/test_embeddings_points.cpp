// A layout belongs to its own points: the windows, channels and patches of one split, at rest also one set of
// weights, of a run that goes on one snapshot after another.

#include "layouts_fixture.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing::layouts;
using State = LayoutWork::State;

class TestEmbeddingsPoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void layouts_of_other_points_begin_anew() {
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

    void a_held_layout_tells_of_its_own_snapshot() {
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

    void a_layout_is_drawn_of_its_own_points_alone() {
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

    void a_layout_from_a_file_is_of_its_rows() {
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

TEST_MAIN(TestEmbeddingsPoints)
#include "test_embeddings_points.moc"
