// What is chosen, shown and left out on the pages of embeddings and anchors, over runs in memory.
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "choices_fixture.h"
#include "panel_test.h"
#include "panels/anchors/anchor_inspector_panel.h"
#include "panels/anchors/anchors_page.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/training/training_page.h"
#include "test_program.h"
#include "vtk/embedding_view.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;
using Ids = std::set<std::int64_t>;
using Pairs = std::vector<WindowChannel>;

class TestViewsChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_lasso_means_its_points() {
        ChoicesLibrary library;
        auto& run = library.make(0.1);
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        selection.set_runs({run.folder()});
        show(page);
        const auto id = [](std::int64_t window, std::int64_t channel) { return pool + 2 * window + channel; };
        Q_EMIT page.space().picked(0, {id(3, 0), id(3, 1), id(8, 1)}, Qt::NoModifier);
        const Pairs three{{3, 0}, {3, 1}, {8, 1}};
        QCOMPARE(selection.state().pairs, three);
        QCOMPARE(selection.state().windows, (Ids{3, 8}));
        QCOMPARE(selection.text({"HUFL", "OT"}), QStringLiteral("3 points of 2 test windows × 2 channels"));
        // Lit up: those and the anchors that these rows (6, 7, 17; shift 1) choose.
        const Ids anchors{1, 2, 3, 0};
        auto expected = anchors;
        expected.insert({id(3, 0), id(3, 1), id(8, 1)});
        QCOMPARE(page.space().view().highlight(), expected);
        QVERIFY(page.space().view().highlight().count(id(8, 0)) == 0);
        // Shift adds, Ctrl takes away; a rectangle of windows and channels is no longer a matter of pairs.
        Q_EMIT page.space().picked(0, {id(9, 0)}, Qt::ShiftModifier);
        QCOMPARE(selection.state().pairs.size(), std::size_t{4});
        Q_EMIT page.space().picked(0, {id(9, 0), id(8, 1)}, Qt::ControlModifier);
        QVERIFY(selection.state().pairs.empty());
        QCOMPARE(selection.state().windows, Ids{3});
        QVERIFY(selection.state().channels.empty());
        // Back in the history they are pairs again; who chooses other windows drops them.
        selection.back();
        selection.back();
        QCOMPARE(selection.state().pairs, three);
        selection.set_windows({3}, QStringLiteral("test"));
        QVERIFY(selection.state().pairs.empty());
        selection.back();
        QCOMPARE(selection.state().pairs, three);
        selection.set_channels({1});
        QVERIFY(selection.state().pairs.empty());
        selection.back();
        selection.set_step(5);
        QCOMPARE(selection.state().pairs, three);  // a step has nothing to do with them
        selection.clear();
        QVERIFY(selection.state().pairs.empty());
    }

    void clouds_in_rows_have_room() {
        ChoicesLibrary library;
        QStringList folders;
        for (const double lambda : {0.0, 0.1, 0.2, 0.5}) folders << library.make(lambda).folder();
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        selection.set_runs(folders);
        show(page);
        page.resize(760, 900);  // two beside each other
        page.update_now();
        QCOMPARE(page.space().shown(), std::size_t{4});
        const auto* frame = page.findChild<ViewFrame*>(QStringLiteral("frame-embedding-space"));
        QVERIFY(frame != nullptr);
        QTRY_VERIFY(frame->minimumHeight() > 600);
        for (std::size_t i = 0; i < 4; ++i) {
            QTRY_VERIFY(page.space().view(i).height() >= 290);
            // Most of it is for the points, also with their legend.
            QVERIFY(page.space().view(i).plot_rect().height() > page.space().view(i).height() / 2);
        }
        selection.set_runs({folders[0]});
        page.update_now();
        QTRY_VERIFY(frame->minimumHeight() < 600);
    }

    void highlight_distinguishes_points_by_run() {
        figures::Figure figure;
        for (const auto* run : {"a", "b"}) {
            figures::Plot plot;
            figures::Series series;
            series.kind = figures::MarkKind::points;
            series.x = series.y = {0, 1};
            series.ids = {1, 2};
            series.colour = Qt::red;
            series.width = 12;
            series.run = QString::fromLatin1(run);
            plot.series.push_back(series);
            figure.plots.push_back(plot);
        }
        figure.columns = 2;
        FigureView view;
        view.resize(600, 300);
        view.set_figure(figure);
        const auto half = [&](int number) { return view.picture(1).copy(300 * number, 0, 300, 300); };
        view.set_highlight({1});
        const auto first = half(0), second = half(1);
        view.set_highlight({3});
        const auto dimmed = half(1);
        view.set_highlight({});
        view.set_highlight_of_runs({{QStringLiteral("a"), {1}}, {QStringLiteral("b"), {}}});
        QCOMPARE(half(0), first);
        QCOMPARE(half(1), dimmed);
        QVERIFY(second != dimmed);
        view.set_highlight_of_runs({});
        QVERIFY(half(1) != dimmed);
    }

    void runs_that_are_left_out_are_named() {
        ChoicesLibrary library;
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        QStringList folders;
        for (const double lambda : {0.5, 0.1, 0.0, 0.2, 0.3, 0.4}) folders << library.make(lambda).folder();
        static_cast<Run&>(*library.data(folders[1])).its_set = nullptr;
        selection.set_runs(folders.mid(0, 3));
        show(page);
        QCOMPARE(page.space().shown(), std::size_t{2});
        QVERIFY2(said(page).contains(QStringLiteral("no embeddings")) &&
                     said(page).contains(QStringLiteral("λ_cov 0.1")) &&
                     !said(page).contains(QStringLiteral("λ_cov 0.5")),
                 qPrintable(said(page)));
        // By λ_cov, not by the clicks.
        QVERIFY(page.space().view(0).points().title.contains(QStringLiteral("λ_cov 0")) &&
                !page.space().view(0).points().title.contains(QStringLiteral("λ_cov 0.")));
        QVERIFY(page.space().view(1).points().title.contains(QStringLiteral("λ_cov 0.5")));
        selection.set_runs(folders);
        page.update_now();
        QCOMPARE(page.space().shown(), std::size_t{4});
        QVERIFY2(said(page).contains(QStringLiteral("at most 4 runs are shown")) &&
                     said(page).section(QStringLiteral("at most"), 1).contains(QStringLiteral("λ_cov 0.4")),
                 qPrintable(said(page)));
        selection.set_runs(folders.mid(2, 2));
        page.update_now();
        QCOMPARE(said(page), QString());
    }

    void typed_input_survives_a_refresh() {
        ChoicesLibrary library;
        auto& run = library.make(0.1);
        const Selection selection;
        EmbeddingsSource source(selection);
        source.set_runs({&run});
        source.show();
        auto* box = source.findChild<QSpinBox*>();
        QCOMPARE(box->value(), 10000);  // of two channels
        auto* line = box->findChild<QLineEdit*>();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("60"));
        const auto typed = line->text();
        QVERIFY(typed.contains(QStringLiteral("60")));
        source.refresh();  // as a run that goes on causes every moment
        QCOMPARE(line->text(), typed);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(box->value(), 60);
        source.refresh();
        QCOMPARE(source.request().windows, 60);
    }

    void only_runs_with_weights_are_computed() {
        ChoicesLibrary library;
        auto &queued = library.make(0.1), &done = library.make(0.2), &live = library.make(0.3);
        for (auto* run : {&queued, &done, &live}) run->its_set = nullptr;
        queued.its_summary.row.state = store::RunState::queued;
        queued.its_summary.row.best_epoch = -1;
        live.its_summary.live = true;
        const Selection selection;
        EmbeddingsSource source(selection);
        source.set_runs({&queued, &live, &done});
        source.compute();
        QCOMPARE(queued.computed, 0);
        QCOMPARE(live.computed, 0);
        QCOMPARE(done.computed, 1);
        auto* compute = source.findChild<QPushButton*>();
        QVERIFY(compute->isEnabled());
        source.set_runs({&queued, &live});
        QVERIFY(!compute->isEnabled());
    }

    void escape_puts_an_enlarged_view_back() {
        ChoicesLibrary library;
        auto& run = library.make(0.1);
        Selection selection;
        QWidget window;
        auto* page = new TrainingPage(&library, &selection, &window);
        QAction clear;  // as the window's "Clear selection"
        clear.setShortcut(QKeySequence(Qt::Key_Escape));
        window.addAction(&clear);
        int cleared = 0;
        connect(&clear, &QAction::triggered, this, [&] { ++cleared; });
        window.resize(1100, 900);
        page->resize(window.size());
        selection.set_runs({run.folder()});
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* loss = page->findChild<ViewFrame*>(QStringLiteral("frame-loss-terms"));
        auto* rate = page->findChild<ViewFrame*>(QStringLiteral("frame-learning-rate"));
        loss->enlarge_or_put_back();
        QVERIFY(loss->maximised() && !rate->isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!loss->maximised() && rate->isVisible());
        QCOMPARE(cleared, 0);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(cleared, 1);
    }

    void a_long_name_does_not_push_the_inspector_apart() {
        AnchorInspector inspector;
        figures::RunInput run;
        run.folder = QStringLiteral("/runs/a");
        inspector.set_run(&run, nullptr, nullptr);
        const int without = inspector.minimumSizeHint().width();
        run.label = QString(400, QLatin1Char('w'));
        inspector.set_anchor(3);
        inspector.set_run(&run, nullptr, nullptr);
        QVERIFY2(inspector.minimumSizeHint().width() < without + 700,
                 qPrintable(QString::number(inspector.minimumSizeHint().width())));
        // What is wider than a page after all can be scrolled to.
        ChoicesLibrary library;
        Selection selection;
        EmbeddingsPage page(&library, &selection);
        page.resize(420, 500);
        page.show();
        auto* area = page.findChild<QScrollArea*>();
        area->widget()->setMinimumWidth(900);
        QTRY_VERIFY(area->horizontalScrollBar()->isVisible());
    }

    void anchors_page_selects_a_run_with_counts() {
        ChoicesLibrary library;
        auto &queued = library.make(0.1), &done = library.make(0.5);
        queued.its_summary.row.state = store::RunState::queued;
        queued.its_set = nullptr;
        auto& h = done.its_record.anchors;
        h.pool_size = pool;
        h.snapshot_step = {133, 266};
        h.usage_train.assign(2 * pool, 1);
        Selection selection;
        AnchorsPage page(&library, &selection);
        selection.set_runs({queued.folder(), done.folder()});
        show(page);
        auto* box = control<QComboBox>(page, QStringLiteral("Run shown in the similarity matrix"));
        QVERIFY(box != nullptr);
        QCOMPARE(box->currentData().toString(), done.folder());
        box->setCurrentIndex(0);
        Q_EMIT box->activated(0);  // somebody wants that one
        page.update_now();
        QCOMPARE(box->currentData().toString(), queued.folder());
        auto* frame = page.findChild<ViewFrame*>(QStringLiteral("frame-anchor-usage"));
        QCOMPARE(frame->title(), QStringLiteral("Anchor usage · training up to step 266"));
        auto* concentration = page.findChild<ViewFrame*>(QStringLiteral("frame-concentration"));
        QCOMPARE(concentration->title(), QStringLiteral("Concentration · training up to step 266"));
        auto* coverage = page.findChild<ViewFrame*>(QStringLiteral("frame-coverage-statistic"));
        QCOMPARE(coverage->title(), QStringLiteral("Coverage statistic c̃ · step 266"));
        selection.set_step(233);  // windows were looked at then, selections counted before
        page.update_now();
        QCOMPARE(frame->title(), QStringLiteral("Anchor usage · training up to step 133"));
    }

    void the_keyboard_stays_with_the_tsne() {
        LayoutWork work;
        QWidget window;
        auto* bar = new LayoutBar(&work, &window);
        bar->resize(1000, 80);
        bar->set_method(LayoutMethod::tsne);
        bar->set_points(80);
        auto options = bar->options();
        options.iterations = 20;
        connect(bar, &LayoutBar::start_requested, this,
                [&] { work.start({set_of(QStringLiteral("/a"))}, options); });
        window.resize(1000, 80);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QPushButton* start = nullptr;
        for (auto* button : bar->findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("Start"))) start = button;
        start->setFocus();
        start->click();
        QVERIFY(!start->isVisible());
        auto* now = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(now && now->text().remove(QLatin1Char('&')) == QStringLiteral("Stop and keep"));
        QTRY_COMPARE_WITH_TIMEOUT(work.state(), LayoutWork::State::finished, 20000);
        QCOMPARE(QApplication::focusWidget(), start);
        const auto text = [bar] {
            return control<QLabel>(*bar, QStringLiteral("State of the t-SNE"))->text();
        };
        QVERIFY2(text().startsWith(QStringLiteral("iteration 20 of 20")), qPrintable(text()));
        // A new snapshot adds iterations: what was asked for stays what it was.
        work.follow({set_of(QStringLiteral("/a"), 1)});
        QTRY_VERIFY_WITH_TIMEOUT(work.picture()->planned > 20, 20000);
        QTRY_VERIFY2(text().contains(QStringLiteral("(20, plus more for each new snapshot)")),
                     qPrintable(text()));
        work.stop();
    }
};

TEST_MAIN(TestViewsChoices)
#include "test_views_choices.moc"
