// Runs on collections of series in the window: forecasts by id, the table of series, columns of scores, and
// two runs compared over their series.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "figures/numbers.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/forecasts/series_panel.h"
#include "panels/runs/runs_panel.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp;
using namespace casp::widgets;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using SharedScores = std::shared_ptr<store::SeriesScores>;

SharedScores scores_with(std::vector<double> smape, std::vector<double> mase) {
    return std::make_shared<store::SeriesScores>(store::SeriesScores{std::move(smape), std::move(mase)});
}

std::vector<std::string> ids_of(std::size_t count) {
    std::vector<std::string> ids;
    for (std::size_t i = 1; i <= count; ++i) ids.push_back(std::string("Y").append(std::to_string(i)));
    return ids;
}

/// A finished run on a collection. Series i begins at position i; look-backs of two values begin before it.
class CollectionRun : public widgets::testing::MemoryRun {
public:
    std::shared_ptr<const store::SeriesScores> scores;  ///< null: being read

    std::shared_ptr<const store::SeriesScores> series_scores() override { return scores; }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        auto errors = split == QStringLiteral("test") ? forecasts(split, 0, count()) : nullptr;
        return errors;
    }
    std::shared_ptr<const store::ForecastArrays> forecasts(const QString&, std::int64_t first,
                                                           std::int64_t n) override {
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = n;
        a->channels = 1;
        a->horizon = 1;
        for (std::int64_t w = first; w < first + n; ++w) {
            a->start.push_back(w - 1);
            a->prediction.push_back(static_cast<float>(w));
            a->truth.push_back(static_cast<float>(w) + 1);
            a->mse.push_back(1);
            a->mae.push_back(1);
        }
        return a;
    }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t,
                                                        std::int64_t n) override {
        return std::make_shared<std::vector<float>>(static_cast<std::size_t>(2 * n), 7.0F);
    }

private:
    [[nodiscard]] std::int64_t count() const { return std::ssize(its_record.data.series); }
};

class CollectionLibrary : public widgets::testing::MemoryLibrary {
public:
    CollectionRun& make(int seed, std::size_t series, SharedScores scores) {
        auto& run = add<CollectionRun>(QStringLiteral("M4-6"), 0.1, seed);
        auto& row = run.its_summary.row;
        row.test_smape = 10;
        row.test_mase = 2;
        row.test_owa = 0.9;
        auto& r = run.its_record;
        config::Config config;
        config.model.name = "naive";
        config.data.path = "/data/Yearly-train.csv";
        config.data.lookback = 2;
        config.data.horizon = 1;
        config.train.seed = seed;
        r.attributes.config = config::to_toml(config);
        r.attributes.dataset_sha256 = "abc";
        r.data.channel_names = {"value"};
        r.data.mean = {0};
        r.data.std = {1};
        r.data.series = ids_of(series);
        r.test.emplace();
        r.test->smape = 10;
        r.test->mse_per_step = {1};
        run.scores = std::move(scores);
        return run;
    }
};

QTableView& table_of(ForecastsPage& page) { return *page.findChild<SeriesPanel*>()->table(); }

QStringList texts_of_column(const QTableView& table, int column) {
    QStringList texts;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        texts << table.model()->index(row, column).data().toString();
    return texts;
}

/// A page that shows one run on three series.
struct ShownCollection {
    CollectionLibrary library;
    Selection selection;
    CollectionRun& run = library.make(1, 3, scores_with({5, 20, 10}, {1, unknown, 3}));
    ForecastsPage page{&library, &selection};
    ShownCollection() {
        selection.set_runs({run.folder()});
        page.resize(1100, 1500);
        page.show();
        page.update_now();
    }
    const figures::Figure& forecasts() {
        page.update_now();
        return page.view(QStringLiteral("forecasts"))->figure();
    }
};

}  // namespace

class TestSeriesViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_model_sorts_and_filters() {
        SeriesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const std::vector<SeriesModel::Run> runs{
            {QStringLiteral("a"), Qt::blue, scores_with({5, 20, 10, 20}, {1, unknown, 3, 2})}};
        model.set_runs({"Y1", "Y2", "y13", "Q4"}, runs);
        const auto ids = [&] {
            QStringList texts;
            for (int row = 0; row < model.rowCount(); ++row) texts << model.index(row, 0).data().toString();
            return texts;
        };
        QCOMPARE(model.columnCount(), 3);
        model.sort(1, Qt::DescendingOrder);  // worst first; equal ones keep an order
        QVERIFY(ids().mid(0, 2).contains(QStringLiteral("Y2")) &&
                ids().mid(0, 2).contains(QStringLiteral("Q4")));
        QCOMPARE(ids().mid(2), (QStringList{"y13", "Y1"}));
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(2, order);
            QCOMPARE(ids().back(), QStringLiteral("Y2"));  // has no MASE
            QCOMPARE(ids().front(), order == Qt::AscendingOrder ? "Y1" : "y13");
        }
        QCOMPARE(model.index(3, 2).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("10.00"));
        model.sort(0, Qt::AscendingOrder);
        QCOMPARE(ids(), (QStringList{"Y1", "Y2", "y13", "Q4"}));
        // What is selected stays with its series.
        const QPersistentModelIndex marked(model.index(1, 0));
        model.sort(0, Qt::DescendingOrder);
        QCOMPARE(marked.row(), 2);
        QCOMPARE(marked.data().toString(), QStringLiteral("Y2"));
        model.setFilterFixedString(QStringLiteral("Y1"));
        QCOMPARE(ids(), (QStringList{"y13", "Y1"}));
        QCOMPARE(model.row_of(2), 0);
        QCOMPARE(model.row_of(3), -1);
        QCOMPARE(model.window(1), std::int64_t{0});
        QCOMPARE(model.total(), std::int64_t{4});
        model.set_runs({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void a_hundred_thousand_series_are_sorted_at_once() {
        constexpr std::size_t count = 100000;
        std::mt19937 random(1);
        std::lognormal_distribution<double> score;
        std::vector<double> smape(count), mase(count);
        for (auto* values : {&smape, &mase})
            for (auto& value : *values) value = score(random);
        mase[5] = unknown;
        SeriesPanel panel;
        panel.resize(600, 400);
        panel.show();
        panel.set_runs(ids_of(count), {{QStringLiteral("a"), Qt::blue, scores_with(smape, mase)}});
        panel.show_selected({77});
        const auto timed = [](const char* what, const auto& work) {
            QElapsedTimer clock;
            clock.start();
            work();
            qInfo("%s: %lld ms", what, static_cast<long long>(clock.elapsed()));
            return clock.elapsed();
        };
        auto* header = panel.table()->horizontalHeader();
        QVERIFY(timed("sorted by sMAPE", [&] { header->setSortIndicator(1, Qt::AscendingOrder); }) < 200);
        QVERIFY(timed("sorted by MASE", [&] { header->setSortIndicator(2, Qt::DescendingOrder); }) < 200);
        QVERIFY(timed("filtered", [&] { panel.filter()->setText(QStringLiteral("99")); }) < 200);
        QVERIFY(panel.model()->rowCount() > 1000 && panel.model()->rowCount() < 20000);
        panel.filter()->clear();
        QCOMPARE(panel.model()->rowCount(), static_cast<int>(count));
        QCOMPARE(panel.model()->window(panel.model()->rowCount() - 1), std::int64_t{5});
        QCOMPARE(panel.table()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(panel.model()->window(panel.table()->currentIndex().row()), std::int64_t{77});
    }

    void a_row_selects_its_window_everywhere() {
        ShownCollection t;
        auto& table = table_of(t.page);
        QCOMPARE(texts_of_column(table, 0), (QStringList{"Y2", "Y3", "Y1"}));  // worst sMAPE first
        table.selectRow(0);
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{1}));
        QCOMPARE(t.selection.state().split, QStringLiteral("test"));
        QCOMPARE(t.page.windows(), (std::vector<std::int64_t>{1}));
        QCOMPARE(t.forecasts().plots.front().title, QStringLiteral("series Y2 (2 of 3) · test"));
        // And the other way round: what is selected elsewhere is highlighted.
        t.selection.set_windows({0, 2}, QStringLiteral("test"));
        QCOMPARE(table.selectionModel()->selectedRows().size(), 2);
        QVERIFY(table.selectionModel()->isRowSelected(2, {}));
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{0, 2}));
        // Windows of another split are not those of the table.
        t.selection.set_windows({1}, QStringLiteral("val"));
        QVERIFY(table.selectionModel()->selectedRows().isEmpty());
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{1}));
        // A filter deselects nothing.
        t.selection.set_windows({1}, QStringLiteral("test"));
        t.page.findChild<SeriesPanel*>()->filter()->setText(QStringLiteral("Y3"));
        QCOMPARE(t.selection.state().windows, (std::set<std::int64_t>{1}));
        QCOMPARE(texts_of_column(table, 0), QStringList{"Y3"});
        t.page.findChild<SeriesPanel*>()->filter()->clear();
        QVERIFY(table.selectionModel()->isRowSelected(0, {}));
    }

    void one_channel_and_negative_starts_are_drawn() {
        ShownCollection t;
        const auto& plot = t.forecasts().plots.front();
        QCOMPARE(plot.title, QStringLiteral("series Y1 (1 of 3) · test"));  // begins at −1
        QCOMPARE(plot.y.title, QStringLiteral("original units"));
        QCOMPARE(*plot.x.max, 1.0);
        QVERIFY(!plot.series.empty() && plot.series.front().y.front() == 7);
        QVERIFY(t.page.view(QStringLiteral("error-per-step"))
                    ->figure()
                    .caption.contains(QStringLiteral("in original units")));
        for (const auto pick : {figures::Pick::worst, figures::Pick::best, figures::Pick::random})
            t.page.pick(pick);
    }

    void series_views_appear_only_for_collections() {
        ShownCollection t;
        auto* errors = t.page.view(QStringLiteral("series-errors"));
        QVERIFY(errors->isVisible() && table_of(t.page).isVisible());
        QCOMPARE(errors->figure().plots.size(), std::size_t{2});
        QVERIFY(errors->figure().caption.contains(QStringLiteral("1 of 3 series have no MASE")));
        const auto frames = t.page.frames().size();
        auto& table = t.library.add(QStringLiteral("ETTh1-96"), 0.1, 2);
        table.its_record.data.mean = {3};
        t.selection.set_runs({table.folder()});
        t.page.update_now();
        QVERIFY(!errors->isVisible() && !table_of(t.page).isVisible());
        QCOMPARE(t.page.frames().size(), frames - 2);
        QVERIFY(t.page.findChild<QSpinBox*>()->isVisible());
        t.selection.set_runs({t.run.folder(), table.folder()});
        t.page.update_now();
        QVERIFY(errors->isVisible());
        // Enlarged, and then there is none: the other views come back.
        Q_EMIT t.page.frames().back()->maximise_requested(true);
        QVERIFY(!errors->isVisible());
        t.selection.set_runs({table.folder()});
        t.page.update_now();
        QVERIFY(t.page.view(QStringLiteral("forecasts"))->isVisible());
    }

    void only_runs_on_one_collection_share_the_table() {
        CollectionLibrary library;
        auto& a = library.make(1, 3, scores_with({5, 20, 10}, {1, 2, 3}));
        auto& b = library.make(2, 3, scores_with({6, 21, 11}, {1, 2, 3}));
        auto& c = library.make(3, 2, scores_with({7, 22}, {1, 2}));
        c.its_record.attributes.dataset_sha256 = "def";
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), b.folder(), c.folder()});
        page.resize(1100, 1500);
        page.show();
        page.update_now();
        const auto& model = *table_of(page).model();
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(model.headerData(3, Qt::Horizontal).toString().endsWith(QStringLiteral("sMAPE (%)")));
        const auto numbers = page.findChild<SeriesPanel*>()->figure().numbers;
        QCOMPARE(numbers->rows.front(), (QStringList{"Y2", "1", "20", "2", "21", "2"}));
        QCOMPARE(page.view(QStringLiteral("series-errors"))->figure().plots[0].series.size(), std::size_t{3});
        // Scores that do not belong to the ids are not shown.
        b.scores = scores_with({1}, {1});
        Q_EMIT b.changed(RunPart::forecasts);
        page.update_now();
        QCOMPARE(model.columnCount(), 3);
    }

    void columns_of_scores_appear_with_them() {
        CollectionLibrary library;
        library.add(QStringLiteral("x-96"), 0.1, 1);
        Selection selection;
        RunsPanel panel(library, selection);
        panel.resize(2400, 400);
        panel.show();
        auto* view = panel.findChild<QTableView*>();
        const int smape = static_cast<int>(result_column("test_smape"));
        QVERIFY(view->isColumnHidden(smape));
        QVERIFY(!view->isColumnHidden(static_cast<int>(result_column("test_mse"))));
        library.make(2, 3, scores_with({1, 2, 3}, {1, 2, 3}));
        Q_EMIT library.added(1, 1);
        QVERIFY(!view->isColumnHidden(smape));
        panel.view()->set_column_visible(result_column("test_smape"), false);
        QVERIFY(view->isColumnHidden(smape));
        QVERIFY(!view->isColumnHidden(static_cast<int>(result_column("test_owa"))));
        // A run of a table that is resumed as another has them from then on.
        panel.set_filter_text(QStringLiteral("smape<=10"));
        QCOMPARE(view->model()->rowCount(), 1);
        library.discard({library.runs[1]->folder()});
        QVERIFY(view->isColumnHidden(static_cast<int>(result_column("test_owa"))));
    }

    void the_compare_page_begins_with_scores_of_collections() {
        CollectionLibrary library;
        auto& plain = library.add(QStringLiteral("x-96"), 0.1, 1);
        auto& run = library.make(2, 3, scores_with({1, 2, 3}, {1, 2, 3}));
        Selection selection;
        ComparePanel panel(library, selection);
        panel.show();
        const auto* metric = panel.findChild<QComboBox*>();
        selection.set_runs({run.folder()});
        panel.refresh();
        QCOMPARE(metric->currentText(), QStringLiteral("Test sMAPE"));
        selection.set_runs({plain.folder(), run.folder()});
        panel.refresh();
        QCOMPARE(metric->currentText(), QStringLiteral("Test MSE"));
        panel.set_metric(casp::figures::metric_named("test_owa"));
        QTRY_COMPARE(panel.comparison().complete, 1);
        selection.set_runs({plain.folder()});
        panel.refresh();
        QCOMPARE(metric->currentText(), QStringLiteral("Test OWA"));  // as chosen
    }
};

TEST_MAIN(TestSeriesViews)
#include "test_series_views.moc"
