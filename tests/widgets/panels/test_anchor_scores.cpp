// The similarity matrix: its numbers, and what is shown while it is computed.
#include <random>

#include <QElapsedTimer>
#include <QTest>

#include "charts/figure_view.h"
#include "figures/numbers.h"
#include "panel_test.h"
#include "panels/anchors/anchors_scores.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;

namespace {

/// Similarities without structure of so many windows of one channel.
std::shared_ptr<const EmbeddingSet> scored_set(std::int64_t windows, std::int64_t anchors) {
    auto set = std::make_shared<EmbeddingSet>();
    auto& v = set->values;
    v.split = "test";
    v.weights = "best";
    v.pool_size = anchors;
    v.top_k = 1;
    for (std::int64_t w = 0; w < windows; ++w) v.windows.push_back(w);
    v.channels = {0};
    v.windows_total = v.rows = windows;
    v.channels_total = 1;
    std::mt19937 random(3);
    v.similarity.resize(static_cast<std::size_t>(windows * anchors));
    for (auto& s : v.similarity) s = static_cast<float>(random() % 2000) / 1000 - 1;
    for (std::int64_t w = 0; w < windows; ++w) v.retrieved.push_back(static_cast<std::int32_t>(w % anchors));
    return set;
}

}  // namespace

class TestAnchorScores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbers_are_of_all_columns() {
        AnchorScores scores;
        scores.show_set(scored_set(5000, 6), QStringLiteral("run"), {QStringLiteral("OT")}, {});
        QTRY_VERIFY(!scores.is_busy());
        const auto figure = scores.figure();
        QVERIFY(figure.plots.at(0).heatmap->columns < 5000);  // what a picture can show
        QVERIFY(figure.caption.contains(QStringLiteral("drawn: ")));
        const auto& matrix = *scores.matrix();
        QCOMPARE(figures::row_count(figure), matrix.rows * matrix.columns);
        QCOMPARE(matrix.columns, std::int64_t{5000});
        const auto numbers = figures::numbers_of(figure);
        QCOMPARE(numbers.rows.size(), static_cast<std::size_t>(matrix.rows * matrix.columns));
        QCOMPARE(numbers.columns.size(), qsizetype{4});
        QCOMPARE(numbers.rows[4321][0], QStringLiteral("run"));
        QCOMPARE(numbers.rows[4321][2], matrix.column_names[4321]);
        QCOMPARE(numbers.rows[4321][3], figures::exact_text(matrix.values[4321]));
    }

    void the_last_request_counts() {
        AnchorScores scores;
        const auto set = scored_set(40, 8);
        const auto show = [&](const char* channel) {
            scores.show_set(set, QStringLiteral("run"), {QString::fromLatin1(channel)}, {});
        };
        show("OT");
        QTRY_VERIFY(!scores.is_busy());
        QCOMPARE(scores.matrix()->column_names.first(), QStringLiteral("0, OT"));
        show("HUFL");
        scores.set_options({0, 20000, analysis::AnchorOrder::clustering});
        QCOMPARE(scores.matrix()->column_names.first(),
                 QStringLiteral("0, OT"));  // until the new one is made
        QTRY_VERIFY(!scores.is_busy());
        QCOMPARE(scores.matrix()->column_names.last(), QStringLiteral("39, HUFL"));
        scores.show_set({}, {}, {}, QStringLiteral("none"));
        QVERIFY(scores.matrix() == nullptr);
        QCOMPARE(scores.view().figure().empty_text, QStringLiteral("none"));
    }

    /// The largest matrix, from the numbers to the picture, whole and enlarged.
    void a_thousand_by_twenty_thousand() {
        AnchorScores scores;
        scores.resize(900, 600);
        scores.show();
        scores.set_options({0, 20000, analysis::AnchorOrder::index});
        scores.show_set(scored_set(20000, 1000), QStringLiteral("run"), {QStringLiteral("OT")}, {});
        QTRY_VERIFY_WITH_TIMEOUT(!scores.is_busy(), 60000);
        auto& view = scores.view();
        QElapsedTimer clock;
        clock.start();
        (void)view.picture(1);
        qInfo("first frame %lld ms", clock.restart());
        for (int i = 0; i < 20; ++i) QTest::keyClick(&view, Qt::Key_Plus);
        for (int i = 0; i < 20; ++i) QTest::keyClick(&view, Qt::Key_Plus, Qt::ControlModifier);
        const auto picture = view.picture(1);
        qInfo("40 steps of zoom %lld ms", clock.elapsed());
        // Here every cell is itself.
        const auto& painter = view.painter();
        const auto [column, row] =
            std::pair(std::floor(painter.scales(0).x.value(0.5)), std::floor(painter.scales(0).y.value(0.5)));
        const auto& matrix = *scores.matrix();
        const double value = matrix.values[static_cast<std::size_t>(row * 20000 + column)],
                     share = (value - *matrix.min) / (*matrix.max - *matrix.min);
        const QColor wanted(figures::map_colour(matrix.colour_map, share)),
            seen = picture.pixelColor(painter.to_scene(0, column + 0.5, row + 0.5).toPoint());
        QVERIFY(std::abs(wanted.red() - seen.red()) + std::abs(wanted.green() - seen.green()) +
                    std::abs(wanted.blue() - seen.blue()) <
                6);
    }
};

TEST_MAIN(TestAnchorScores)
#include "test_anchor_scores.moc"
