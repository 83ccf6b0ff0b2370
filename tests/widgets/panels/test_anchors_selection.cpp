// What runs select, beside each other: cases worked out by hand, the table on the page of anchors, and real
// runs whose own evaluation says the same.

#include <cmath>
#include <random>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/numbers.h"
#include "linked_fixture.h"
#include "panels/anchors/anchors_scores.h"
#include "panels/anchors/anchors_selection.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp;
using namespace casp::widgets;

namespace {

using Counts = std::vector<std::int64_t>;

store::RunRecord record_of(const Counts& training, const Counts& test, double key_cosine = 0.5) {
    store::RunRecord record;
    record.anchors.pool_size = static_cast<std::int64_t>(std::max(training.size(), test.size()));
    if (!training.empty()) record.anchors.snapshot_step = {7};
    record.anchors.usage_train = training;
    record.anchors.usage_test = test;
    if (!test.empty()) {
        record.test.emplace();
        record.test->key_cosine = key_cosine;
    }
    return record;
}

figures::RunInput input_of(const store::RunRecord& record, double lambda, std::int64_t seed = 2021) {
    figures::RunInput run;
    run.label = QStringLiteral("λ_cov %1 · seed %2").arg(lambda).arg(seed);  // as the page calls it
    run.folder = QStringLiteral("/runs/") + run.label;
    run.colour = QColor(Qt::blue);
    run.record = &record;
    config::Config config;
    config.loss.lambda_cov = lambda;
    config.train.seed = seed;
    config.model.top_k = 2;
    run.config = std::make_shared<const config::Config>(config);
    return run;
}

Counts even(std::size_t pool, std::size_t used, std::size_t from = 0) {
    Counts counts(pool, 0);
    for (std::size_t i = from; i < from + used; ++i) counts[i] = 3;
    return counts;
}

/// Two runs of one seed with pools of 8 whose selections are known, and the page that shows them.
struct Shown {
    testing::MemoryLibrary library;
    Selection selection;
    AnchorsPage page{&library, &selection};
    QStringList folders;

    Shown() {
        add(0, {4, 4, 0, 0, 0, 0, 0, 0}, {6, 6, 0, 0, 0, 0, 0, 0});
        add(0.1, {0, 2, 2, 2, 2, 0, 0, 0}, {6, 6, 0, 0, 0, 0, 0, 0});
        page.resize(1150, 1600);
        page.show();
    }
    testing::MemoryRun& add(double lambda, const Counts& training, const Counts& test) {
        auto& run = library.add(QStringLiteral("x-96"), lambda, 2021);
        auto config = run.its_record.attributes.config;
        run.its_record = record_of(training, test, 0.9 - lambda);
        run.its_record.attributes.config = config;
        folders << run.folder();
        return run;
    }
    AnchorSelection& statistics() { return page.statistics(); }
    void show(int runs = 2) {
        selection.set_runs(folders.mid(0, runs));
        page.update_now();
    }
    QString cell(int row, int column) { return statistics().table().item(row, column)->text(); }
};

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

class TestAnchorsSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entropy_shares_and_sets_by_hand() {
        // K anchors for all windows: H = ln K, the floor. 40 alike: ln 40, and the top 20 are half of them.
        const auto fixed = record_of({}, even(40, 2)), all = record_of({}, even(40, 40));
        const auto s =
            retrieval_statistics({input_of(fixed, 0), input_of(all, 0.1)}, figures::UsageOf::test, {}, false);
        QCOMPARE(s.rows.size(), std::size_t{2});
        QVERIFY(std::abs(s.rows[0].usage.entropy - std::log(2.0)) < 1e-14);
        QVERIFY(std::abs(s.rows[1].usage.entropy - std::log(40.0)) < 1e-13);
        QCOMPARE(s.rows[0].usage.distinct, 2);
        QCOMPARE(s.rows[0].top_share, 1.0);
        QCOMPARE(s.rows[1].top_share, 0.5);
        // {0, 1} of {0 … 39}; of the top 20 that are {0 … 19}.
        QCOMPARE(s.overlaps.jaccard, (std::vector<double>{1, 0.05, 0.05, 1}));
        QCOMPARE(s.overlaps.jaccard_top, (std::vector<double>{1, 0.1, 0.1, 1}));
        QCOMPARE(retrieval_cells(s, 0, 1),
                 (QStringList{s.rows[0].run, QStringLiteral("test"), QStringLiteral("0"),
                              QStringLiteral("0.6931"), QStringLiteral("18.8 %"), QStringLiteral("2 of 40"),
                              QStringLiteral("100.0 %"), QStringLiteral("0.5000"), QStringLiteral("0.050"),
                              QStringLiteral("0.100"), QStringLiteral("95.0 %")}));
        QCOMPARE(retrieval_cells(s, 1, 1).mid(8),
                 (QStringList{QStringLiteral("reference"), QString(), QString()}));
        QCOMPARE(retrieval_comparison_text(s, 0, 1),
                 QStringLiteral("2 anchors in both, 0 only here, 38 only in the reference "
                                "(λ_cov 0.1 · seed 2021)"));
    }

    void overlap_is_one_for_the_same_set_and_zero_for_none_in_common() {
        const auto a = record_of({}, even(8, 3)), b = record_of({}, {9, 1, 5, 0, 0, 0, 0, 0}),
                   c = record_of({}, even(8, 3, 5));
        const auto s = retrieval_statistics({input_of(a, 0), input_of(b, 0.1), input_of(c, 0.5)},
                                            figures::UsageOf::test, {}, false);
        QCOMPARE(s.overlaps.jaccard, (std::vector<double>{1, 1, 0, 1, 1, 0, 0, 0, 1}));
        QCOMPARE(s.overlaps.jaccard_top, s.overlaps.jaccard);
        QVERIFY(s.notes.isEmpty());
    }

    void many_overlaps_at_once_are_those_of_each_pair() {
        std::mt19937 random(5);
        std::vector<Counts> usages;
        for (const std::size_t pool : {130u, 130u, 130u, 64u, 130u}) {
            Counts counts(pool, 0);
            for (auto& count : counts)
                if (random() % 3 == 0) count = static_cast<std::int64_t>(random() % 50);
            usages.push_back(counts);
        }
        usages.push_back(Counts(130, 0));
        const auto overlaps = analysis::retrieval_overlaps(usages, 20);
        const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        for (std::size_t i = 0; i < usages.size(); ++i)
            for (std::size_t j = 0; j < usages.size(); ++j) {
                const auto at = i * usages.size() + j;
                if (usages[i].size() != usages[j].size()) {
                    QVERIFY(std::isnan(overlaps.jaccard[at]) && std::isnan(overlaps.jaccard_top[at]));
                    continue;
                }
                const auto pair = analysis::compare_usage(usages[i], usages[j], 20);
                QVERIFY(same(overlaps.jaccard[at], pair.jaccard));
                QVERIFY(same(overlaps.jaccard_top[at], pair.jaccard_top));
            }
        QVERIFY(std::isnan(overlaps.jaccard.back()));  // neither selects any
    }

    void pools_of_different_size_are_reported_not_compared() {
        const auto a = record_of({}, even(8, 2)), b = record_of({}, even(9, 2));
        const auto s =
            retrieval_statistics({input_of(a, 0), input_of(b, 0.1)}, figures::UsageOf::test, {}, false);
        QVERIFY(std::isnan(s.overlaps.jaccard[1]) && std::isnan(s.overlaps.jaccard_top[2]));
        QCOMPARE(retrieval_cells(s, 1, 0)[8], QStringLiteral("different pool"));
        QVERIFY(retrieval_comparison_text(s, 1, 0).contains(QStringLiteral("a different size")));
        QCOMPARE(s.notes.size(), 1);
        QVERIFY(s.notes[0].contains(QStringLiteral("V' = 8, 9")));
        QVERIFY(std::isnan(retrieval_figure(s).plots[0].heatmap->values[1]));
    }

    void other_seeds_are_warned_of_and_missing_usages_named() {
        const auto a = record_of(even(8, 2), even(8, 2)), b = record_of(even(8, 3), {}),
                   c = record_of({}, even(8, 1));
        auto without = input_of(a, 0.3);
        config::Config config;
        config.model.prompt = false;
        without.config = std::make_shared<const config::Config>(config);
        const auto s =
            retrieval_statistics({input_of(a, 0), input_of(b, 0.1, 2022), input_of(c, 0.5), without},
                                 figures::UsageOf::training, {}, true);
        QStringList names;
        for (const auto& row : s.rows) names << row.name;
        QCOMPARE(names, (QStringList{QStringLiteral("λ_cov 0 · seed 2021, train"),
                                     QStringLiteral("λ_cov 0 · seed 2021, test"),
                                     QStringLiteral("λ_cov 0.1 · seed 2022, train"),
                                     QStringLiteral("λ_cov 0.5 · seed 2021, test")}));
        QCOMPARE(s.rows[0].step, 7);
        QVERIFY(std::isnan(s.rows[0].key_cosine));  // measured over the test windows alone
        QCOMPARE(s.rows[1].key_cosine, 0.5);
        QCOMPARE(s.notes.size(), 4);
        QVERIFY(s.notes[0].contains(QStringLiteral("different seeds")));
        QVERIFY(s.notes[1].contains(QStringLiteral("No anchors")));
        QVERIFY(s.notes[2].contains(QStringLiteral("λ_cov 0.5")));  // no training
        QVERIFY(s.notes[3].contains(QStringLiteral("λ_cov 0.1")));  // no test
    }

    /// Also where what tells it apart there is the same in all rows: a third run has none.
    void run_names_match_the_page() {
        const auto a = record_of({}, even(8, 2)), nothing = record_of({}, {});
        const auto s = retrieval_statistics({input_of(a, 0), input_of(a, 0.1), input_of(nothing, 0.1, 2022)},
                                            figures::UsageOf::test, {}, false);
        QCOMPARE(s.rows.size(), std::size_t{2});
        QCOMPARE(s.rows[0].name, QStringLiteral("λ_cov 0 · seed 2021"));
        QCOMPARE(s.rows[1].name, QStringLiteral("λ_cov 0.1 · seed 2021"));
        QCOMPARE(s.rows[1].run, s.rows[1].name);
        const auto both = record_of(even(8, 1), even(8, 2));
        const auto alone = retrieval_statistics({input_of(both, 0)}, figures::UsageOf::test, {}, true);
        QCOMPARE(alone.rows.size(), std::size_t{2});
        QCOMPARE(alone.rows[0].name, QStringLiteral("training"));
        QCOMPARE(alone.rows[1].name, QStringLiteral("test"));
    }

    void row_limit_is_reported() {
        const auto record = record_of({}, even(8, 2));
        std::vector<figures::RunInput> runs;
        for (int seed = 0; seed < 70; ++seed) runs.push_back(input_of(record, 0.1, seed));
        const auto s = retrieval_statistics(runs, figures::UsageOf::test, {}, true);
        QCOMPARE(s.rows.size(), max_retrieval_rows);
        QVERIFY(s.notes.join(QString()).contains(QStringLiteral("Only the first 64 of 70 rows")));
    }

    void the_figure_holds_both_matrices_and_all_numbers() {
        const auto a = record_of({}, even(40, 2)), b = record_of({}, even(40, 40));
        const auto s =
            retrieval_statistics({input_of(a, 0), input_of(b, 0.1)}, figures::UsageOf::test, {}, false);
        const auto figure = retrieval_figure(s);
        QCOMPARE(figure.plots.size(), std::size_t{2});
        QCOMPARE(figure.plots[0].heatmap->values, (std::vector<float>{1, 0.05F, 0.05F, 1}));
        QCOMPARE(figure.plots[1].heatmap->values, (std::vector<float>{1, 0.1F, 0.1F, 1}));
        QCOMPARE(figure.plots[0].heatmap->row_names[1], QStringLiteral("λ_cov 0.1 · seed 2021"));
        const auto csv = QString::fromUtf8(figures::csv_of(figure)).split(QStringLiteral("\r\n"));
        QCOMPARE(csv.size(), 4);  // a header, two rows, the end
        QVERIFY(
            csv[0].endsWith(QStringLiteral("jaccard: λ_cov 0 · seed 2021,jaccard: λ_cov 0.1 · seed 2021,"
                                           "jaccard_top20: λ_cov 0 · seed 2021,"
                                           "jaccard_top20: λ_cov 0.1 · seed 2021")));
        QCOMPARE(csv[1],
                 QStringLiteral("λ_cov 0 · seed 2021,λ_cov 0 · seed 2021,test,,0,2021,2,40,6,%1,%2,2,2,"
                                "1,0.5,1,0.05,1,0.1")
                     .arg(figures::exact_text(s.rows[0].usage.entropy),
                          figures::exact_text(s.rows[0].usage.evenness)));
        // A single selection has a row and nothing to compare it with.
        const auto one = retrieval_statistics({input_of(a, 0)}, figures::UsageOf::test, {}, false);
        QVERIFY(retrieval_figure(one).plots.empty() && retrieval_figure(one).numbers);
    }

    void the_table_on_the_page() {
        Shown t;
        t.page.update_now();
        auto& s = t.statistics();
        QVERIFY(!s.table().isVisible());
        bool teaches = false;
        for (const auto* label : s.findChildren<QLabel*>())
            teaches = teaches || (label->isVisible() && label->text().contains(QStringLiteral("Press Run")));
        QVERIFY(teaches);
        t.show();
        QVERIFY(s.table().isVisible());
        QCOMPARE(s.table().rowCount(), 4);  // training and test of each
        QCOMPARE(t.cell(0, 1), QStringLiteral("training"));
        QCOMPARE(t.cell(1, 1), QStringLiteral("test"));
        QCOMPARE(t.cell(2, 2), QStringLiteral("0.1"));
        QCOMPARE(t.cell(2, 3), QStringLiteral("1.3863"));  // ln 4
        QCOMPARE(t.cell(2, 5), QStringLiteral("4 of 8"));
        QCOMPARE(t.cell(0, 7), QStringLiteral("–"));
        QCOMPARE(t.cell(1, 7), QStringLiteral("0.9000"));
        QCOMPARE(t.cell(0, 8), QStringLiteral("reference"));
        QCOMPARE(t.cell(1, 8), QStringLiteral("1.000"));  // the same two anchors
        QCOMPARE(t.cell(2, 8), QStringLiteral("0.200"));  // {1} of {0 … 4}
        QCOMPARE(t.cell(2, 10), QStringLiteral("75.0 %"));
        QVERIFY(s.table().item(2, 3)->toolTip().contains(QStringLiteral("ln K")));
        // The page's Count, and one usage alone.
        s.parentWidget()->findChild<QCheckBox*>()->setChecked(false);
        t.page.update_now();
        QCOMPARE(s.table().rowCount(), 2);
        QCOMPARE(t.cell(1, 1), QStringLiteral("training"));
        figures::AnchorOptions options;
        options.of = figures::UsageOf::test;
        t.page.set_options(options);
        t.page.update_now();
        QCOMPARE(t.cell(1, 1), QStringLiteral("test"));
        QCOMPARE(t.cell(1, 8), QStringLiteral("1.000"));
        // A run that goes on: its next snapshot counts.
        auto& run = *t.library.run(t.folders[1]);
        run.its_record.anchors.usage_test = {0, 0, 0, 0, 0, 0, 6, 6};
        Q_EMIT run.changed(RunPart::anchors);
        t.page.update_now();
        QCOMPARE(t.cell(1, 8), QStringLiteral("0.000"));
    }

    void the_maps_keep_their_room() {
        Shown t;
        t.show();
        auto& s = t.statistics();
        // The page gives it what it asks for, and the maps have their part of it.
        const auto* frame = t.page.findChild<ViewFrame*>(QStringLiteral("frame-selection"));
        QVERIFY(frame != nullptr);
        const int before = s.minimumHeight();
        QVERIFY(before > s.table().height() + 200);
        QTRY_VERIFY(frame->height() >= before);
        QVERIFY(s.overlaps().height() >= 200);
        QVERIFY(s.table().viewport()->height() >= s.table().rowCount() * s.table().rowHeight(0));
        // Fewer rows, less height.
        s.parentWidget()->findChild<QCheckBox*>()->setChecked(false);
        t.page.update_now();
        QCOMPARE(s.minimumHeight(), before - 2 * s.table().rowHeight(0));
    }

    void reference_can_be_changed_and_is_saved() {
        Shown t;
        t.show();
        auto& s = t.statistics();
        auto* reference = s.parentWidget()->findChild<QComboBox*>();
        QVERIFY(reference != nullptr && reference->isVisible());
        QCOMPARE(reference->count(), 4);
        QCOMPARE(reference->itemText(2), QStringLiteral("reference: λ_cov 0.1, train"));
        reference->setCurrentIndex(2);
        Q_EMIT reference->activated(2);
        QCOMPARE(s.reference(), std::size_t{2});
        QCOMPARE(t.cell(2, 8), QStringLiteral("reference"));
        QCOMPARE(t.cell(0, 8), QStringLiteral("0.200"));
        const auto state = t.page.save_state();
        AnchorsPage other(&t.library, &t.selection);
        other.resize(1150, 1600);
        other.show();
        QVERIFY(other.restore_state(state));
        other.update_now();
        QCOMPARE(other.statistics().reference(), std::size_t{2});
        QCOMPARE(other.statistics().table().item(2, 8)->text(), QStringLiteral("reference"));
        // Its run goes and comes back.
        t.selection.set_runs({t.folders[0]});
        t.page.update_now();
        QCOMPARE(s.reference(), std::size_t{0});
        t.show();
        QCOMPARE(s.reference(), std::size_t{2});
    }

    void cells_and_rows_select_their_anchors() {
        Shown t;
        t.show();
        auto& s = t.statistics();
        const auto anchors = [&] { return t.selection.state().anchors; };
        Q_EMIT s.overlaps().cells_picked({0}, {2}, Qt::NoModifier);
        QCOMPARE(anchors(), (std::set<std::int64_t>{1}));
        s.table().setCurrentCell(2, 0);
        s.table().setFocus();
        Q_EMIT s.table().cellActivated(2, 0);
        QCOMPARE(anchors(), (std::set<std::int64_t>{1, 2, 3, 4}));
        Q_EMIT s.overlaps().cells_picked({0}, {0}, Qt::ShiftModifier);
        QCOMPARE(anchors(), (std::set<std::int64_t>{0, 1, 2, 3, 4}));
        Q_EMIT s.overlaps().cells_picked({}, {}, Qt::NoModifier);
        QVERIFY(anchors().empty());
    }

    void copies_for_papers_and_notes() {
        Shown t;
        auto& s = t.statistics();
        QSignalSpy said(&t.page, &ViewPage::message);
        s.copy_markdown();
        QVERIFY(said.takeFirst()[0].toString().contains(QStringLiteral("nothing was copied")));
        t.show();
        s.copy_markdown();
        const auto markdown = QGuiApplication::clipboard()->text();
        QVERIFY(markdown.startsWith(QStringLiteral("| run")));
        QCOMPARE(markdown.count(QLatin1Char('\n')), 6);
        s.copy_latex();
        const auto latex = QGuiApplication::clipboard()->text();
        QVERIFY(latex.contains(QStringLiteral("\\toprule")));
        QVERIFY(latex.contains(QStringLiteral("$\\lambda_{\\mathrm{cov}}$ 0.1")));
        QVERIFY(latex.contains(QStringLiteral("75.0 \\%")));
        for (const QChar letter : latex) QVERIFY2(letter.unicode() < 128, qPrintable(latex));
        for (const auto& line : latex.split(QLatin1Char('\n')))
            if (line.endsWith(QStringLiteral("\\\\"))) QCOMPARE(line.count(QStringLiteral(" & ")), 10);
        QCOMPARE(said.size(), 2);
        // The frame's own way: CSV of the whole figure.
        for (auto* frame : t.page.frames()) {
            if (frame->content() != &s) continue;
            frame->copy_numbers();
            QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("selection,run,counted")));
            QStringList entries;
            for (const auto* action : frame->menu()->actions()) entries << action->text();
            QVERIFY(entries.contains(QStringLiteral("Copy table as &Markdown")));
        }
        QStringList ids;
        for (const auto& figure : t.page.figures()) ids << figure.id;
        QVERIFY(ids.contains(QStringLiteral("selection")));
    }

    void table_fits_many_runs_and_small_pages() {
        Shown t;
        std::mt19937 random(3);
        for (const double lambda : {0.01, 0.15, 0.5})
            for (int i = 0; i < 4; ++i) {
                Counts training(8, 0), test(8, 0);
                for (auto& count : training) count = static_cast<std::int64_t>(random() % 40);
                for (const auto anchor : {random() % 8, random() % 8}) test[anchor] = 12;
                t.add(lambda + 0.001 * i, training, test);
            }
        t.show(14);
        auto& s = t.statistics();
        QCOMPARE(s.table().rowCount(), 28);
        QTRY_VERIFY(s.table().rowViewportPosition(7) < s.table().viewport()->height());  // eight rows
        QVERIFY(s.table().verticalScrollBar()->maximum() > 0);
        QVERIFY(s.overlaps().height() > 150);
        QTest::qWait(100);
        t.show(1);
        QCOMPARE(s.table().rowCount(), 2);
        QCOMPARE(s.overlaps().figure().plots.size(), std::size_t{2});
        s.parentWidget()->findChild<QCheckBox*>()->setChecked(false);
        t.page.update_now();
        QVERIFY(s.overlaps().figure().plots.empty());
        QVERIFY(s.overlaps().figure().empty_text.contains(QStringLiteral("second run")));
        t.page.resize(560, 1600);
        t.show();
        // The last column can be reached, and no row is hidden by the bar that leads there.
        auto& table = s.table();
        QTRY_VERIFY(table.horizontalScrollBar()->maximum() > 0);
        QTRY_COMPARE(table.verticalScrollBar()->maximum(), 0);
        QTRY_VERIFY(table.columnViewportPosition(2) < table.viewport()->width());  // no wide name before it
        QTest::qWait(100);
    }

    /// The evaluation of a real run counts by itself: the table must agree with it.
    void real_runs() {
        const testing::TinyRuns runs;
        testing::Pages p(runs);
        auto& s = p.anchors.statistics();
        QCOMPARE(s.table().rowCount(), 4);
        for (const auto& row : s.statistics().rows) {
            if (row.of != figures::UsageOf::test) continue;
            const auto& metrics = *p.library.data(row.folder)->record().test;
            QVERIFY(std::abs(row.usage.entropy - metrics.usage_entropy) < 1e-9);
            QCOMPARE(static_cast<double>(row.usage.distinct), metrics.distinct_anchors);
            QCOMPARE(row.key_cosine, metrics.key_cosine);
            QCOMPARE(row.usage.retrievals,
                     testing::TinyRuns::windows * testing::TinyRuns::channels * testing::TinyRuns::k);
        }
    }

    void exported_numbers_cover_all_columns() {
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

    void last_request_wins() {
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

TEST_MAIN(TestAnchorsSelection)
#include "test_anchors_selection.moc"
