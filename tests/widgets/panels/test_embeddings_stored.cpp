// Embeddings and layouts of real runs in their files: what is stored is there when the page is opened again,
// of its own rows alone, and what is too large is not read.

#include <hdf5.h>

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>

#include "inspect/window_embeddings.h"
#include "linked_fixture.h"
#include "panel_test.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "test_program.h"
#include "util/memory.h"
#include "vtk/embedding_view.h"

using namespace casp;
using namespace casp::widgets;
using testing::TinyRuns;
using State = LayoutWork::State;

namespace {

/// The page over the first run, as a window has it that is opened (again).
struct Opened {
    FileRunLibrary library;
    Selection selection;
    EmbeddingsPage page{&library, &selection};

    explicit Opened(const TinyRuns& runs) {
        library.open(runs.library());
        if (!QTest::qWaitFor([&] { return library.size() == 2; }, patience)) qFatal("the runs are not there");
        selection.set_runs(runs.folders().mid(0, 1));
        page.resize(1180, 1500);
        page.show();
        if (!QTest::qWaitFor([&] { return run().is_loaded(); }, patience)) qFatal("the run was not read");
        rest();
    }
    RunData& run() { return *library.data(selection.state().runs.front()); }
    LayoutWork& work() { return page.layout_work(); }
    [[nodiscard]] const EmbeddingPoints& points() const { return page.space().view().points(); }
    void settle() {
        for (int i = 0; i < 2; ++i) {
            QCoreApplication::processEvents();
            page.update_now();
        }
    }
    /// Until nothing is read, computed or stored any more.
    void rest() {
        settle();
        if (!QTest::qWaitFor([&] { return !run().embedding_status().is_busy(); }, patience))
            qFatal("the work does not end");
        QTest::qWait(120);  // changes are told at most every 50 ms
        settle();
    }
    /// Evenly spaced windows of a split, which the page then shows.
    void compute(const QString& split, std::int64_t windows) {
        control<QComboBox>(page.source(), QStringLiteral("Split of the windows"))
            ->setCurrentIndex(split == QStringLiteral("test") ? 0 : 1);
        rest();
        inspect::EmbeddingRequest request;
        request.split = split.toStdString();
        request.windows = windows;
        run().compute_embeddings(request);
        rest();
        const auto set = run().embeddings();
        if (!set || set->values.split != request.split || std::ssize(set->values.windows) != windows)
            qFatal("not computed: %s", qPrintable(run().embedding_status().problem));
    }
    void show_tsne() {
        page.layout_bar().set_method(LayoutMethod::tsne);
        settle();
    }
    /// A t-SNE of what is shown, to its end.
    void lay_out() {
        show_tsne();
        page.layout_bar().findChildren<QSpinBox*>()[0]->setValue(40);
        button(page, QStringLiteral("Start t-SNE"))->click();
        if (!QTest::qWaitFor([&] { return work().state() == State::finished; }, patience)) qFatal("no t-SNE");
        settle();
    }
    void press(const QString& name) {
        auto* pressed = button(page, name);
        if (!QTest::qWaitFor([&] { return pressed->isVisible(); }, patience))
            qFatal("%s cannot be pressed", qPrintable(name));
        pressed->click();
    }
};

/// The file then says that a set is so long; its values are not there.
bool stretch(const std::string& file, const std::string& dataset, std::int64_t rows) {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t values = H5Dopen2(opened, dataset.c_str(), H5P_DEFAULT);
    const hid_t space = H5Dget_space(values);
    hsize_t sizes[2]{};
    bool done = H5Sget_simple_extent_dims(space, sizes, nullptr) == 2;
    sizes[0] = static_cast<hsize_t>(rows);
    done = done && H5Dset_extent(values, sizes) >= 0;
    H5Sclose(space);
    H5Dclose(values);
    return H5Fclose(opened) >= 0 && done;
}

}  // namespace

class TestEmbeddingsStored : public QObject {
    Q_OBJECT
    std::unique_ptr<TinyRuns> runs_;

private Q_SLOTS:
    void init() { runs_ = std::make_unique<TinyRuns>(); }

    void another_split_of_the_same_size_has_no_layout_yet() {
        Opened w(*runs_);
        w.compute(QStringLiteral("test"), 15);
        w.lay_out();
        const auto made = w.work().picture();
        const auto& of_test = *w.run().embeddings();
        QTRY_COMPARE(w.points().points, made->layouts[0]->points);
        const auto points = [](const EmbeddingSet& set) {
            return std::array{set.points_of(PointKind::anchor), set.points_of(PointKind::series),
                              set.points_of(PointKind::prompt)};
        };
        const auto before = points(of_test);
        w.compute(QStringLiteral("val"), 15);
        QVERIFY(points(*w.run().embeddings()) == before);
        QTRY_VERIFY2(w.points().empty_text.contains(QStringLiteral("Press Start t-SNE")),
                     qPrintable(w.points().title));
        QVERIFY(!button(w.page, QStringLiteral("Store layout"))->isVisible());
        QCOMPARE(w.work().picture(), made);  // it is no start for the layout of others, either
        QCOMPARE(w.work().state(), State::finished);
        // The first ones once more: their layout is there, as it was.
        w.compute(QStringLiteral("test"), 15);
        QTRY_COMPARE(w.points().points, made->layouts[0]->points);
        QTRY_VERIFY(button(w.page, QStringLiteral("Store layout"))->isVisible());
        QCOMPARE(w.work().picture(), made);
    }

    void stored_layout_is_restored_data() {
        QTest::addColumn<QStringList>("pressed");
        QTest::addColumn<bool>("at_once");
        const auto layout = QStringLiteral("Store layout"), set = QStringLiteral("Store in the run");
        QTest::newRow("then its embeddings") << QStringList{layout, set} << false;
        QTest::newRow("after its embeddings") << QStringList{set, layout} << false;
        QTest::newRow("while its embeddings are written") << QStringList{set, layout} << true;
        QTest::newRow("alone") << QStringList{layout} << false;
    }
    void stored_layout_is_restored() {
        QFETCH(QStringList, pressed);
        QFETCH(bool, at_once);
        std::shared_ptr<const LayoutPicture> made;
        {
            Opened w(*runs_);
            w.compute(QStringLiteral("test"), 20);
            w.lay_out();
            made = w.work().picture();
            for (const auto& name : pressed) {
                w.press(name);
                if (!at_once) w.rest();
                QVERIFY2(w.run().embedding_status().problem.isEmpty(),
                         qPrintable(w.run().embedding_status().problem));
            }
            w.rest();
            QVERIFY2(w.run().embedding_status().problem.isEmpty(),
                     qPrintable(w.run().embedding_status().problem));
            QCOMPARE(w.work().picture(), made);  // storing moves nothing
        }
        Opened again(*runs_);
        again.show_tsne();
        if (pressed.size() == 1) {
            QVERIFY(!again.run().embeddings());
            again.compute(QStringLiteral("test"), 20);
        }
        const auto& layout = *made->layouts[0];
        QTRY_COMPARE(again.points().points, layout.points);
        QVERIFY2(again.points().title.contains(QStringLiteral("KL")), qPrintable(again.points().title));
        QVERIFY(!again.work().picture());  // read, not made anew
        const auto set = again.run().embeddings();
        QCOMPARE(set->stored, pressed.size() == 2);
        QVERIFY(!set->values.tsne.empty() && set->other_tsne.isEmpty());
        QCOMPARE(set->values.tsne.kind, layout.kind);
        QCOMPARE(set->values.tsne.row, layout.row);
        QCOMPARE(set->values.tsne.kl, layout.kl);
        QCOMPARE(set->values.tsne.iterations, layout.iterations);
        QCOMPARE(set->values.tsne.windows, made->sets[0]->values.windows);
        QCOMPARE(set->values.tsne.channels, made->sets[0]->values.channels);
    }

    void stored_layout_waits_for_its_rows() {
        std::shared_ptr<const LayoutPicture> made;
        {
            Opened w(*runs_);
            w.compute(QStringLiteral("test"), TinyRuns::windows);
            w.press(QStringLiteral("Store in the run"));
            w.rest();
            w.compute(QStringLiteral("test"), 20);
            w.lay_out();
            made = w.work().picture();
            w.press(QStringLiteral("Store layout"));
            w.rest();
            QVERIFY(w.run().embedding_status().problem.isEmpty());
        }
        Opened again(*runs_);
        again.show_tsne();
        const auto whole = again.run().embeddings();
        QVERIFY(whole && whole->values.is_whole() && whole->values.tsne.empty());
        QCOMPARE(whole->other_tsne, QStringLiteral("20 windows × 3 channels"));
        const auto& text = again.points().empty_text;
        QTRY_VERIFY2(text.contains(QStringLiteral("Press Start t-SNE")) && text.contains(whole->other_tsne),
                     qPrintable(text));
        again.compute(QStringLiteral("test"), 20);
        QTRY_COMPARE(again.points().points, made->layouts[0]->points);
        // The second window that was laid out is not the second of the split.
        const auto second = again.run().embeddings()->values.windows[1];
        QVERIFY(second > 1);
        const auto label = again.points().label_of(TinyRuns::pool + TinyRuns::channels);
        QVERIFY2(label.startsWith(QStringLiteral("window %1,").arg(second)), qPrintable(label));
    }

    void a_layout_is_known_as_soon_as_it_is_stored() {
        Opened w(*runs_);
        w.compute(QStringLiteral("test"), 20);
        w.lay_out();
        QVERIFY(w.run().embeddings()->values.tsne.empty());
        w.press(QStringLiteral("Store layout"));
        w.rest();
        const auto set = w.run().embeddings();
        QVERIFY(!set->values.tsne.empty() && set->other_tsne.isEmpty());
        QCOMPARE(set->values.tsne.points, w.work().picture()->layouts[0]->points);
        QVERIFY(set->values.fits(set->values.tsne));
        QVERIFY(!set->stored);
        // Other rows have another one in the file; theirs takes its place.
        w.compute(QStringLiteral("test"), 10);
        QCOMPARE(w.run().embeddings()->other_tsne, QStringLiteral("20 windows × 3 channels"));
        w.lay_out();
        w.press(QStringLiteral("Store layout"));
        w.rest();
        QVERIFY(!w.run().embeddings()->values.tsne.empty());
        QVERIFY(w.run().embeddings()->other_tsne.isEmpty());
    }

    void two_pages_that_show_two_splits_data() {
        QTest::addColumn<QStringList>("stored");
        QTest::addColumn<QString>("computed");  // and not saved
        const auto test = QStringLiteral("test"), val = QStringLiteral("val");
        QTest::newRow("nothing") << QStringList{} << QString();
        QTest::newRow("one stored") << QStringList{val} << QString();
        QTest::newRow("both stored") << QStringList{test, val} << QString();
        QTest::newRow("one stored, one computed") << QStringList{val} << test;
        QTest::newRow("one computed") << QStringList{} << test;
    }
    void two_pages_that_show_two_splits() {
        QFETCH(QStringList, stored);
        QFETCH(QString, computed);
        for (const auto& split : stored) {
            inspect::EmbeddingRequest request;
            request.run = runs_->folders().front().toStdString();
            request.split = split.toStdString();
            request.windows = 12;
            inspect::store_embeddings(request.run, inspect::compute_embeddings(request));
        }
        Opened w(*runs_);
        if (!computed.isEmpty()) w.compute(computed, 15);
        auto& run = w.run();
        const auto unsaved = computed.isEmpty() ? nullptr : run.embeddings_of(computed);
        int readings = 0;
        auto before = run.embedding_status().phase;
        const auto count = [&] {
            const auto now = run.embedding_status().phase;
            if (now == EmbeddingStatus::Phase::reading && now != before) ++readings;
            before = now;
        };
        AnchorsPage anchors(&w.library, &w.selection);
        // Whoever is told asks again, as both pages do when they are drawn.
        connect(&run, &RunData::changed, &anchors, [&](RunPart part) {
            if (part != RunPart::embeddings) return;
            for (const auto& split : {QStringLiteral("test"), QStringLiteral("val")}) {
                count();
                run.read_embeddings(split);
                count();
            }
        });
        control<QComboBox>(anchors.source(), QStringLiteral("Split of the windows"))->setCurrentIndex(1);
        anchors.resize(1180, 1500);
        anchors.show();
        QTest::qWait(1500);  // endless reading is told 20 times a second
        w.rest();
        anchors.update_now();
        QVERIFY2(readings <= 2, qPrintable(QString::number(readings)));
        QVERIFY(!run.embedding_status().is_busy());
        for (const auto& split : {QStringLiteral("test"), QStringLiteral("val")}) {
            const auto set = run.embeddings_of(split);
            QCOMPARE(set != nullptr, stored.contains(split) || computed == split);
            if (set) QCOMPARE(set->stored, computed != split);
        }
        if (!computed.isEmpty()) QCOMPARE(run.embeddings_of(computed), unsaved);
        // Storing means the split of the page that asks, though the other was read last.
        if (stored == QStringList{QStringLiteral("val")} && !computed.isEmpty()) {
            QCOMPARE(run.embeddings()->values.split, std::string("val"));
            w.press(QStringLiteral("Store in the run"));
            w.rest();
            QVERIFY(run.embeddings_of(computed)->stored);
            QCOMPARE(run.embeddings_of(computed)->values.windows.size(), std::size_t{15});
        }
    }

    void oversized_embeddings_are_not_read() {
        const auto free = available_memory();
        if (free == 0) QSKIP("how much memory is free cannot be told here");
        {
            Opened w(*runs_);
            w.compute(QStringLiteral("test"), 20);
            w.press(QStringLiteral("Store in the run"));
            w.rest();
        }
        const auto file = runs_->folders().front().toStdString() + "/arrays.h5";
        const std::int64_t bytes_per_row = 24 * sizeof(float);
        QVERIFY(stretch(file, "/embedding/test/best/series", 2 * free / bytes_per_row));
        Opened again(*runs_);
        QVERIFY(!again.run().embeddings());
        const auto& text = again.points().empty_text;
        QTRY_VERIFY2(text.contains(QStringLiteral("the embeddings of 20 windows and 3 channels take ")) &&
                         text.contains(QStringLiteral(" MiB are free")),
                     qPrintable(text));
        QVERIFY2(text.contains(QRegularExpression(QStringLiteral("of at most [1-9]\\d? windows"))),
                 qPrintable(text));
        // What is computed instead is shown.
        QVERIFY(button(again.page, QStringLiteral("Compute embeddings"))->isEnabled());
        again.compute(QStringLiteral("test"), 5);
        QTRY_VERIFY(again.points().size() > 0);
    }
};

TEST_MAIN(TestEmbeddingsStored)
#include "test_embeddings_stored.moc"
