// What stands around the points of an embedding view: labels of the axes in depth, and the legend.

#include <algorithm>
#include <random>

#include "test_program.h"
#include "views.h"
#include "vtk/embedding_paint.h"

using namespace casp;
using namespace casp::widgets;
namespace figures = casp::figures;

namespace {

/// Three blobs, one beside the other.
EmbeddingPoints three_blobs(std::size_t n) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    EmbeddingPoints points;
    points.components = 3;
    for (std::size_t i = 0; i < n; ++i) {
        const float centre[3][3] = {{-3, 0, 1}, {2, 2, -1}, {1, -2, 0}};
        for (int a = 0; a < 3; ++a) points.points.push_back(centre[i % 3][a] + 1.1f * normal(random));
    }
    return points;
}

}  // namespace

class TestEmbeddingLabels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void labels_of_axes_keep_clear_of_each_other_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size :
             {QSize(360, 400), QSize(700, 430), QSize(300, 260), QSize(330, 160), QSize(200, 120)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }
    void labels_of_axes_keep_clear_of_each_other() {
        QFETCH(QSize, size);
        EmbeddingScene scene;
        scene.set_flat(false);
        auto points = three_blobs(300);
        points.axis_titles = {"PC1 (88.4 % of PC1–PC3)", "PC2 (7.1 % of PC1–PC3)", "PC3 (4.5 % of PC1–PC3)"};
        scene.set_points(points);
        const QSizeF view(size);
        EmbeddingCamera camera;
        camera.flat = false;
        int titles = 0, ticks = 0, cameras = 0;
        for (double turn = -180; turn < 180; turn += 15)
            for (double tilt = -60; tilt <= 60; tilt += 20) {
                camera.turn = turn;
                camera.tilt = tilt;
                camera.fit(scene.bounds(), view);
                ++cameras;
                const auto axes = embedding_axes(scene, scene.bounds(), camera, view);
                for (const auto& label : axes.labels) {
                    ++(label.title ? titles : ticks);
                    const auto rect = label_rect(label, scene);
                    QVERIFY2(QRectF({0, 0}, view).contains(rect), qPrintable(label.text));
                    for (const auto& other : axes.labels)
                        if (&other != &label)
                            QVERIFY2(!rect.intersects(label_rect(other, scene)),
                                     qPrintable(label.text + QStringLiteral(" over ") + other.text));
                }
            }
        // Few are left out; in the smallest view, ticks first.
        QVERIFY2(titles > 2 * cameras, qPrintable(QString::number(titles)));
        if (size.height() > 200) QVERIFY2(ticks > 5 * cameras, qPrintable(QString::number(ticks)));
    }

    void all_that_is_shown_has_its_labels_data() {
        QTest::addColumn<QSize>("size");
        // Of four runs in a page of middling width; alone; beside each other.
        for (const QSize size : {QSize(330, 210), QSize(700, 430), QSize(330, 400)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }
    void all_that_is_shown_has_its_labels() {
        QFETCH(QSize, size);
        EmbeddingScene scene;
        scene.set_flat(false);
        // As PCA of a run has it: long in one direction, so that the box is upright.
        EmbeddingPoints points;
        points.components = 3;
        std::mt19937 random(4);
        std::normal_distribution<float> normal;
        for (int i = 0; i < 400; ++i)
            for (const float spread : {0.2f, 0.5f, 0.15f}) points.points.push_back(spread * normal(random));
        points.axis_titles = {"PC1 (44.8 % of PC1–PC3)", "PC2 (38.8 % of PC1–PC3)",
                              "PC3 (16.4 % of PC1–PC3)"};
        scene.set_points(points);
        EmbeddingCamera camera;
        camera.flat = false;
        const auto fitted = fitted_camera(scene, scene.bounds(), camera, size);
        const auto axes = embedding_axes(scene, scene.bounds(), fitted, size);
        QCOMPARE(axes.left_out, 0);
        QCOMPARE(std::count_if(axes.labels.begin(), axes.labels.end(), [](const auto& l) { return l.title; }),
                 3);
        QVERIFY(axes.labels.size() >= 8);  // two ticks or more along every axis but perhaps one
        // The direction is kept, and the points still have the view.
        QCOMPARE(fitted.turn, camera.turn);
        const EmbeddingProjection projection(fitted, size);
        QRectF drawn;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const float* at = scene.positions().data() + 3 * i;
            drawn |= QRectF(projection(at[0], at[1], at[2]).point(), QSizeF(0.1, 0.1));
        }
        QVERIFY(QRectF({0, 0}, QSizeF(size)).contains(drawn));
        QVERIFY2(drawn.height() > 0.35 * size.height(), qPrintable(QString::number(drawn.height())));
    }

    void a_long_legend_leaves_room_for_the_points() {
        EmbeddingPoints points;
        points.components = 2;
        for (int k = 0; k < 30; ++k) {
            points.points.insert(points.points.end(), {static_cast<float>(k % 6), static_cast<float>(k / 6)});
            points.kind.push_back(static_cast<std::uint8_t>(k));
            points.kinds.push_back({QStringLiteral("channel number %1").arg(k)});
        }
        points.kinds[29].about = QStringLiteral("the last: a, b & c");
        EmbeddingScene scene;
        scene.set_points(points);
        const QSizeF small(330, 210), large(1500, 900);
        const auto layout = embedding_layout(scene, small);
        QVERIFY2(layout.legend.height() < 0.3 * small.height(),
                 qPrintable(QString::number(layout.legend.height())));
        QVERIFY2(layout.plot.height() > 0.4 * small.height(),
                 qPrintable(QString::number(layout.plot.height())));
        const auto legend = embedding_legend(scene, layout.legend.width(), layout.legend_rows);
        QVERIFY(!legend.entries.empty() && legend.entries.size() < 30);
        QCOMPARE(legend.more, QStringLiteral("and %1 more").arg(30 - legend.entries.size()));
        QVERIFY(legend.rows <= layout.legend_rows);
        // The tip has them all, with what stands behind a name.
        const auto tip = legend_tip(scene, legend);
        for (int k = 0; k < 29; ++k) QVERIFY(tip.contains(QStringLiteral("channel number %1").arg(k)));
        QVERIFY(tip.contains(QStringLiteral("the last: a, b &amp; c")));
        // Where there is room for all, all are there.
        const auto wide = embedding_layout(scene, large);
        const auto whole = embedding_legend(scene, wide.legend.width(), wide.legend_rows);
        QVERIFY(whole.more.isEmpty() && whole.entries.size() == 30);
        points.kinds.resize(2);
        points.kind.assign(30, 0);
        scene.set_points(points);
        const auto two = embedding_layout(scene, small);
        QVERIFY(legend_tip(scene, embedding_legend(scene, two.legend.width(), two.legend_rows)).isEmpty());
    }
};

TEST_MAIN(TestEmbeddingLabels)
#include "test_embedding_labels.moc"
