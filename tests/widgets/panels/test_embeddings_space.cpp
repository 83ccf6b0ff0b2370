// The cloud of the embeddings page: that it agrees with the plane, picks and highlights through the
// selection, and outlives docks. CTest runs it with the painter and under Xvfb with OpenGL.

#include <QAbstractButton>
#include <QClipboard>
#include <QDockWidget>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "pages_fixture.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_space.h"
#include "test_program.h"
#include "vtk/embedding_view.h"
#include "vtk/opengl.h"
#include "widgets/require_gl.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;

namespace {

/// Of the 12 points of the fixture in three components. `turned` flips PC1 and PC3.
std::shared_ptr<train::Probe> probe_in_space(std::int64_t step, bool turned = false) {
    auto p = std::make_shared<train::Probe>(*probe_of(step));
    auto& pca = p->pca;
    pca.components = 3;
    pca.points.clear();
    const float sign = turned ? -1.0F : 1.0F;
    for (int i = 0; i < 12; ++i) {
        const auto angle = static_cast<float>(i);
        pca.points.insert(pca.points.end(), {sign * 3 * std::sin(angle), 2 * std::cos(2 * angle),
                                             sign * (static_cast<float>(i % 5) - 2)});
    }
    pca.variance_ratio.assign(9, 0.3);
    pca.explained = {0.5, 0.2, 0.1};
    p->similarity.clear();
    p->retrieved = {0, 1, 2, 3};
    p->usage = {1, 1, 1, 1};
    p->mse = {0.25F, 1, 1, 4};
    p->mae = {0.5F, 1, 1, 2};
    return p;
}

struct ShownSpace {
    PagesLibrary library;
    Selection selection;
    ViewRun& run = library.make(QStringLiteral("a"), false);
    EmbeddingsPage page{&library, &selection};
    ShownSpace() {
        run.its_probes = {probe_in_space(5), probe_in_space(10, true)};
        selection.set_runs({run.folder()});
    }
    void show() {
        page.resize(1100, 1100);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.update_now();
    }
    EmbeddingView& view() { return page.space().view(); }
    const EmbeddingPoints& points() {
        page.update_now();
        return view().points();
    }
    ViewFrame& frame() { return *page.findChild<ViewFrame*>(QStringLiteral("frame-embedding-space")); }
    QAbstractButton* button(const QString& text) {
        for (auto* found : frame().findChildren<QAbstractButton*>())
            if (found->text() == text) return found;
        return nullptr;
    }
};

/// Different colours of the points' part of the canvas.
qsizetype colours_of(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
    return colours.size();
}

}  // namespace

class TestEmbeddingsSpace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opengl_is_used_where_available() {
        ShownSpace t;
        QCOMPARE(t.view().uses_opengl(), opengl_available());
    }

    void components_do_not_flip() {
        ShownSpace t;
        t.show();
        for (const std::int64_t step : {5, 10}) {
            t.selection.set_step(step);
            const auto& cloud = t.points();
            QVERIFY(cloud.is_consistent());
            QCOMPARE(cloud.components, 3);
            QCOMPARE(cloud.size(), std::size_t{12});
            QCOMPARE(cloud.title, QStringLiteral("%1 · step %2").arg(t.run.summary().label()).arg(step));
            // Components must not flip between snapshots.
            QCOMPARE(cloud.points, probe_in_space(5)->pca.points);
        }
    }

    void colours_are_readable_on_light_and_dark() {
        ShownSpace t;
        t.show();
        const auto light = t.points().kinds;
        QCOMPARE(t.page.palette().base().color().lightness() > 128, true);
        auto palette = t.page.palette();
        for (const auto role : {QPalette::Base, QPalette::Window}) palette.setColor(role, QColor(30, 30, 32));
        for (const auto role : {QPalette::Text, QPalette::WindowText})
            palette.setColor(role, QColor(230, 230, 230));
        t.page.setPalette(palette);
        const auto& dark = t.points().kinds;
        QVERIFY(light[1].colour != figures::kind_colour(figures::kind_series));  // too pale on white
        QCOMPARE(dark[1].colour, figures::kind_colour(figures::kind_series));
        QVERIFY(dark[0].colour != light[0].colour);
        QVERIFY(!t.view().is_flat());
    }

    void points_axes_and_kinds_have_names() {
        ShownSpace t;
        t.show();
        t.selection.set_step(5);
        const auto& cloud = t.points();
        QCOMPARE(cloud.label_of(2), QStringLiteral("anchor 2\nretrieved 3 times"));
        QCOMPARE(cloud.label_of(4 + 3), QStringLiteral("window 40, OT\nMSE 4\nretrieves 3"));
        QCOMPARE(cloud.label_of(8 + 1), QStringLiteral("prompt of window 7, OT\nMSE 1\nretrieves 1"));
        QCOMPARE(cloud.kinds.size(), std::size_t{3});
        QCOMPARE(cloud.kinds[0].name, QStringLiteral("anchors"));
        QCOMPARE(cloud.kinds[2].name, QStringLiteral("prompts"));
        QCOMPARE(cloud.axis_titles.size(), 3);
        QCOMPARE(cloud.axis_titles, (QStringList{QStringLiteral("PC1 (50 %)"), QStringLiteral("PC2 (20 %)"),
                                                 QStringLiteral("PC3 (10 %)")}));
    }

    /// The paper's table: each kind on its own components, a row per run and kind.
    void each_kind_has_a_row_in_the_table() {
        ShownSpace t;
        t.show();
        const auto* table = t.page.findChild<QTableWidget*>();
        QVERIFY(table->isVisible());
        t.page.update_now();
        QCOMPARE(table->rowCount(), 3);
        QStringList kinds, totals;
        for (int row = 0; row < 3; ++row) {
            kinds << table->item(row, 1)->text();
            totals << table->item(row, 5)->text();
        }
        QCOMPARE(kinds, (QStringList{QStringLiteral("anchors"), QStringLiteral("series"),
                                     QStringLiteral("prompts")}));
        QCOMPARE(totals, (QStringList{QStringLiteral("60"), QStringLiteral("60"), QStringLiteral("60")}));
        QCOMPARE(table->item(0, 8)->text(), QStringLiteral("–"));  // not computed for probes
    }

    void kinds_and_usage_follow_the_controls() {
        ShownSpace t;
        t.show();
        t.selection.set_step(5);
        t.page.set_kinds({PointKind::anchor, PointKind::prompt});
        t.page.set_colour(CloudColour::usage);
        const auto& cloud = t.points();
        QCOMPARE(cloud.size(), std::size_t{8});
        // Selections of the training until step 5: 1, 0, 3, 0; prompts have none.
        QCOMPARE(cloud.scalar.size(), std::size_t{8});
        QCOMPARE(cloud.scalar[0], std::log10(2.0F));
        QCOMPARE(cloud.scalar[1], 0.0F);
        QCOMPARE(cloud.scalar[2], std::log10(4.0F));
        for (std::size_t i = 4; i < 8; ++i) QVERIFY(std::isnan(cloud.scalar[i]));
        t.page.set_kinds({});
        QCOMPARE(t.points().size(), std::size_t{0});
        QVERIFY(t.points().empty_text.contains(QStringLiteral("Check anchors")));
    }

    void clicks_select_and_the_selection_highlights() {
        ShownSpace t;
        t.show();
        t.selection.set_step(5);
        const auto& cloud = t.points();
        t.button(QStringLiteral("3-D"))->setChecked(false);
        const auto place = [&](std::size_t point) { return t.view().place_of(point).toPoint(); };
        QTest::mouseClick(&t.view(), Qt::LeftButton, {}, place(3));
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{3}));
        QTest::mouseClick(&t.view(), Qt::LeftButton, Qt::ShiftModifier, place(1));
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{1, 3}));
        QTest::mouseClick(&t.view(), Qt::LeftButton, Qt::ControlModifier, place(3));
        QCOMPARE(t.selection.state().anchors, (std::set<std::int64_t>{1}));
        const auto ids = std::vector<std::int64_t>{cloud.ids[4 + 2]};
        Q_EMIT t.view().picked(ids, Qt::NoModifier);  // row 2: window 40, channel 0
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{40}));
        QCOMPARE(t.selection.state().channels, (std::set<std::int64_t>{0}));
        QVERIFY(t.selection.state().anchors.empty());
        // The window's points, and the anchor that it chooses in this channel.
        QCOMPARE(t.view().highlight(), (std::set<std::int64_t>{2, 4 + 2}));

        const auto plain = t.view().to_image();
        t.selection.clear();
        const auto cleared = t.view().to_image();
        QVERIFY(plain != cleared);  // window 40 stood out
        t.selection.set_anchors({0});
        QVERIFY(t.view().to_image() != cleared);
        QVERIFY(t.view().to_image() != plain);
    }

    void header_controls_work_and_are_saved() {
        ShownSpace t;
        t.show();
        auto* space = t.button(QStringLiteral("3-D"));
        auto* lasso = t.button(QStringLiteral("Lasso"));
        auto* all = t.button(QStringLiteral("Show all"));
        QVERIFY(space && lasso && all);
        for (auto* control : {space, lasso, all}) {
            QVERIFY(!control->accessibleName().isEmpty() && !control->toolTip().isEmpty());
            QVERIFY(control->isVisible() && control->width() >= control->sizeHint().width());
        }
        QVERIFY(space->isChecked() && !t.view().is_flat());
        space->click();
        QVERIFY(t.view().is_flat());
        const auto state = t.page.save_state();
        QTest::keyClick(&t.view(), Qt::Key_3);
        QVERIFY(space->isChecked());
        lasso->click();
        QCOMPARE(t.view().tool(), EmbeddingView::Tool::lasso);
        auto camera = t.view().camera();
        const auto half_height = camera.half_height;
        camera.half_height /= 4;
        t.view().set_camera(camera);
        all->click();
        QCOMPARE(t.view().camera().half_height, half_height);
        ShownSpace other;
        QVERIFY(other.page.restore_state(state));
        QVERIFY(other.view().is_flat());
        QVERIFY(!other.button(QStringLiteral("3-D"))->isChecked());
    }

    void a_live_snapshot_arrives_and_the_camera_stays() {
        ShownSpace t;
        t.show();
        QVERIFY(t.points().title.endsWith(QStringLiteral("step 10")));
        auto camera = t.view().camera();
        camera.turn = 80;
        camera.half_height /= 3;
        t.view().set_camera(camera);
        auto next = probe_in_space(15);
        for (auto& value : next->pca.points) value *= 10;
        t.run.its_probes.push_back(next);
        Q_EMIT t.run.changed(RunPart::probe);
        QVERIFY(t.points().title.endsWith(QStringLiteral("step 15")));
        QCOMPARE(t.view().camera().half_height, camera.half_height);  // somebody looks at a part
        QCOMPARE(t.view().camera().turn, 80.0);
        t.view().fit();
        const auto whole = t.view().camera().half_height;
        t.selection.set_step(5);
        t.points();
        QVERIFY(t.view().camera().half_height < whole / 5);  // all was shown and is again
        QCOMPARE(t.view().camera().turn, 80.0);
        // Hidden pages do nothing.
        t.page.hide();
        t.run.its_probes.push_back(probe_in_space(20));
        t.selection.set_step({});
        Q_EMIT t.run.changed(RunPart::probe);
        QTest::qWait(150);
        QVERIFY(t.view().points().title.endsWith(QStringLiteral("step 5")));
        t.page.show();
        QTRY_VERIFY(t.view().points().title.endsWith(QStringLiteral("step 20")));
    }

    void two_components_are_drawn_flat() {
        ShownSpace t;
        auto flat = probe_in_space(10);
        flat->pca.components = 2;
        flat->pca.points.resize(24);
        t.run.its_probes = {flat};
        t.show();
        QCOMPARE(t.points().components, 2);
        QCOMPARE(t.points().axis_titles.size(), 2);
        QVERIFY(!t.button(QStringLiteral("3-D"))->isEnabled());
        QVERIFY(t.view().is_flat());
        t.run.its_probes = {probe_in_space(10)};
        Q_EMIT t.run.changed(RunPart::probe);
        QCOMPARE(t.points().components, 3);
        QVERIFY(!t.view().is_flat());
    }

    void the_menu_copies_picture_and_numbers() {
        ShownSpace t;
        t.show();
        t.points();
        QSignalSpy said(&t.frame(), &ViewFrame::message);
        t.frame().copy_picture();
        QCOMPARE(QApplication::clipboard()->image().size(), t.page.space().size() * 2);
        t.frame().copy_numbers();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("PC1")));
        QCOMPARE(said.size(), 2);
        QSet<QString> ids;  // names of files: no two alike
        for (const auto& figure : t.page.figures()) ids << figure.id;
        QCOMPARE(ids, (QSet<QString>{QStringLiteral("embedding-space-pca"), QStringLiteral("variance-course"),
                                     QStringLiteral("pca-variance")}));
    }

    void empty_views_teach() {
        ShownSpace t;
        t.show();
        t.run.its_probes.clear();
        Q_EMIT t.run.changed(RunPart::probe);
        QVERIFY2(t.points().empty_text.contains(QStringLiteral("Press Compute embeddings")),
                 qPrintable(t.points().empty_text));
        t.selection.set_runs({});
        QVERIFY2(t.points().empty_text.contains(QStringLiteral("Press Run")),
                 qPrintable(t.points().empty_text));
        QVERIFY(t.points().empty_text.size() > 40);
        t.frame().copy_picture();  // nothing to copy, nothing happens
    }

    void docks_float_and_tabs_change() {
        ShownSpace t;
        QMainWindow window;
        auto* dock = new QDockWidget(QStringLiteral("Embeddings"), &window);
        auto* other = new QDockWidget(QStringLiteral("Other"), &window);
        t.page.setParent(dock);
        dock->setWidget(&t.page);
        other->setWidget(new QWidget);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.tabifyDockWidget(dock, other);
        window.resize(900, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto drawn = [&] {
            t.page.update_now();
            QTest::qWait(60);
            return t.view().isVisible() && colours_of(t.view().canvas_picture()) > 20;
        };
        dock->raise();
        QTRY_VERIFY(drawn());
        dock->setFloating(true);
        QTRY_VERIFY(drawn());
        dock->setFloating(false);
        QTRY_VERIFY(drawn());
        other->raise();
        QTest::qWait(60);
        dock->raise();
        QTRY_VERIFY(drawn());
        dock->hide();
        dock->show();
        dock->raise();
        QTRY_VERIFY(drawn());
        // What is on the screen, not only what the canvas could draw.
        QVERIFY(colours_of(t.view().grab().toImage()) > 20);
        dock->setWidget(nullptr);
        t.page.setParent(nullptr);
    }
};

TEST_PROGRAM(TestEmbeddingsSpace)(int argc, char** argv) {
    widgets::set_default_surface_format();  // as the program does
    QApplication application(argc, argv);
    test::require_opengl();
    TestEmbeddingsSpace test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_embeddings_space.moc"
