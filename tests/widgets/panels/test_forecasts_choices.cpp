// What is chosen, compared and left out on the page of forecasts, over runs in memory.
#include <algorithm>
#include <limits>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include "analysis/strata.h"
#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "choices_fixture.h"
#include "panel_test.h"
#include "panels/forecasts/forecasts_channels.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/forecasts/strata_work.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;
using Ids = std::set<std::int64_t>;

namespace {

QLabel* note_of(const ForecastsPage& page) {
    return control<QLabel>(page, QStringLiteral("Notes on the forecasts"));
}

/// Runs whose predictions stand in the plot, by folder.
QStringList runs_in(const figures::Plot& plot) {
    QStringList runs;
    for (const auto& series : plot.series)
        if (!series.run.isEmpty()) runs << series.run;
    return runs;
}

long truths_in(const figures::Plot& plot) {
    return std::count_if(plot.series.begin(), plot.series.end(),
                         [](const auto& series) { return series.name == QStringLiteral("truth"); });
}

/// As a sweep over `data.path` leaves them: another file under the same columns.
void give_file(Run& run, const std::string& path, const std::string& digest) {
    config::Config config;
    config.data.path = path;
    run.its_record.attributes.config = config::to_toml(config);
    run.its_record.attributes.dataset_sha256 = digest;
}

constexpr std::int64_t many = 40000;  ///< windows: more rows than are sorted while the window waits

/// Window w is the harder the farther w · 17 goes round; all err by `error`.
std::shared_ptr<EmbeddingSet> windows_with_error(const QString& folder, float error) {
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = folder;
    auto& v = set->values;
    v.split = "test";
    v.channels = {0, 1};
    v.windows_total = many;
    v.channels_total = 2;
    v.rows = 2 * many;
    for (std::int64_t w = 0; w < many; ++w) {
        v.windows.push_back(w);
        v.start.push_back(w);
    }
    for (std::int64_t row = 0; row < v.rows; ++row) {
        v.residual.push_back(static_cast<float>(row / 2 * 17 % many));
        v.mse.push_back(error);
        v.mae.push_back(error);
    }
    return set;
}

analysis::StrataInput strata_input(const EmbeddingSet& set) {
    const auto& v = set.values;
    return {v.start, v.channels, v.residual, v.mse, v.mae, v.retrieved, v.top_k, v.pool_size};
}

}  // namespace

class TestForecastsChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runs_of_other_data_have_separate_truths() {
        ChoicesLibrary library;
        auto &a = library.make(0.1), &b = library.make(0.5), &other = library.make(0.9);
        give_file(a, "/data/x.csv", "aa");
        give_file(b, "/data/x.csv", "aa");
        give_file(other, "/data/y.csv", "bb");
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), other.folder(), b.folder()});
        show(page);
        const auto figure = [&]() -> const figures::Figure& {
            page.update_now();
            return page.view(QStringLiteral("forecasts"))->figure();
        };
        QCOMPARE(figure().plots.size(), std::size_t{2});
        QCOMPARE(runs_in(figure().plots[0]), (QStringList{a.folder(), b.folder()}));
        QCOMPARE(runs_in(figure().plots[1]), QStringList{other.folder()});
        for (const auto& plot : figure().plots) QCOMPARE(truths_in(plot), 1);
        QVERIFY(figure().plots[0].title.endsWith(QStringLiteral("x.csv")));
        QVERIFY(figure().plots[1].title.endsWith(QStringLiteral("y.csv")));
        const auto* note = note_of(page);
        QVERIFY(note->isVisible());
        QVERIFY2(note->text().contains(QStringLiteral("λ_cov 0.9")) &&
                     !note->text().contains(QStringLiteral("λ_cov 0.5")) &&
                     note->text().contains(QStringLiteral("different data file")),
                 qPrintable(note->text()));

        // Two windows: each of both.
        selection.set_windows({3, 8}, QStringLiteral("test"));
        QCOMPARE(figure().plots.size(), std::size_t{4});
        QCOMPARE(runs_in(figure().plots[3]), QStringList{other.folder()});

        // Where one is left, nothing needs to be said.
        selection.set_runs({a.folder(), b.folder()});
        QCOMPARE(figure().plots.size(), std::size_t{2});
        QVERIFY(!figure().plots[0].title.contains(QStringLiteral("x.csv")));
        QVERIFY(!note->isVisible());
    }

    void window_range_follows_the_longest_data_set() {
        ChoicesLibrary library;
        auto &a = library.make(0.1), &other = library.make(0.9);
        give_file(a, "/data/x.csv", "aa");
        give_file(other, "/data/y.csv", "bb");
        other.stored_windows = 50;
        other.its_record.data.channel_names = {"p (mbar)", "OT"};
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), other.folder()});
        show(page);
        auto* number = page.findChild<QSpinBox*>();
        QCOMPARE(number->maximum(), 49);
        number->setValue(40);
        page.update_now();
        const auto& figure = page.view(QStringLiteral("forecasts"))->figure();
        QCOMPARE(figure.plots.size(), std::size_t{1});
        QCOMPARE(runs_in(figure.plots[0]), QStringList{other.folder()});
        QVERIFY2(said(page).contains(QStringLiteral("lack the plotted windows")), qPrintable(said(page)));
        // A channel is chosen by its number: both names say what that means.
        const auto& list = page.findChild<ChannelChooser*>()->list();
        QCOMPARE(list.count(), 2);
        QCOMPARE(list.item(0)->text(), QStringLiteral("HUFL / p (mbar)"));
        QCOMPARE(list.item(1)->text(), QStringLiteral("OT"));
    }

    void other_columns_scales_and_rows_have_separate_truths() {
        ChoicesLibrary library;
        auto &a = library.make(0.1), &other = library.make(0.9);
        for (auto* run : {&a, &other}) {
            give_file(*run, "/data/x.csv", "aa");
            run->its_record.data.mean = {10, 20};
            run->its_record.data.std = {2, 4};
        }
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), other.folder()});
        show(page);
        const auto plots = [&] {
            Q_EMIT other.changed(RunPart::everything);
            page.update_now();
            return page.view(QStringLiteral("forecasts"))->figure().plots.size();
        };
        const auto as_it_was = other.its_record.data;
        const auto* note = note_of(page);
        QCOMPARE(plots(), std::size_t{1});
        QVERIFY(!note->isVisible());
        other.its_record.data.std[0] = 2.5;  // learnt from other rows
        QCOMPARE(plots(), std::size_t{2});
        QVERIFY2(note->text().contains(QStringLiteral("scaler has a different mean")),
                 qPrintable(note->text()));
        other.its_record.data = as_it_was;
        other.its_record.data.channel_names = {"HULL", "OT"};
        QCOMPARE(plots(), std::size_t{2});
        QVERIFY2(note->text().contains(QStringLiteral("different channels")), qPrintable(note->text()));
        other.its_record.data = as_it_was;
        other.first_row = 700;  // its test split begins later
        QCOMPARE(plots(), std::size_t{2});
        QVERIFY2(note->text().contains(QStringLiteral("different rows of the file")),
                 qPrintable(note->text()));
        other.first_row = 0;
        QCOMPARE(plots(), std::size_t{1});
        QVERIFY(!note->isVisible());
    }

    void probes_of_other_data_have_separate_truths() {
        ChoicesLibrary library;
        auto &a = library.make(0.1), &other = library.make(0.9);
        for (auto* run : {&a, &other}) {
            run->its_record.test.reset();
            run->its_probes = {probe()};
        }
        give_file(a, "/data/x.csv", "aa");
        give_file(other, "/data/y.csv", "bb");
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), other.folder()});
        show(page);
        QCOMPARE(page.source(), ForecastSource::probe);
        const auto& figure = page.view(QStringLiteral("forecasts"))->figure();
        QCOMPARE(figure.plots.size(), std::size_t{2});
        QCOMPARE(runs_in(figure.plots[0]), QStringList{a.folder()});
        QCOMPARE(runs_in(figure.plots[1]), QStringList{other.folder()});
    }

    void windows_missing_in_a_run_are_reported() {
        ChoicesLibrary library;
        auto &a = library.make(0.1), &other = library.make(0.9);
        other.stored_windows = 5;
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({a.folder(), other.folder()});
        selection.set_windows({3, 8}, QStringLiteral("test"));
        show(page);
        const auto& plots = page.view(QStringLiteral("forecasts"))->figure().plots;
        QCOMPARE(plots.size(), std::size_t{2});
        QCOMPARE(runs_in(plots[0]).size(), 2);
        QCOMPARE(runs_in(plots[1]), QStringList{a.folder()});
        QVERIFY2(said(page).contains(QStringLiteral("λ_cov 0.9 (window 8)")), qPrintable(said(page)));
        selection.set_runs({other.folder()});
        selection.set_windows({8}, QStringLiteral("test"));
        page.update_now();
        const auto& text = page.view(QStringLiteral("forecasts"))->figure().empty_text;
        QVERIFY2(text.contains(QStringLiteral("has these windows")), qPrintable(text));
        selection.set_windows({}, QStringLiteral("test"));
        page.update_now();
        QCOMPARE(said(page), QString());
    }

    void selected_windows_are_forecast_where_any_run_has_them() {
        ChoicesLibrary library;
        auto &done = library.make(0.1), &live = library.make(0.5);
        live.its_record.test.reset();
        live.its_summary.live = true;
        live.its_probes = {probe()};
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({done.folder(), live.folder()});
        show(page);
        // Nothing is selected: what goes on is watched, and the other is missing by name.
        QCOMPARE(page.source(), ForecastSource::probe);
        QVERIFY2(said(page).contains(QStringLiteral("λ_cov 0.1")), qPrintable(said(page)));
        selection.set_windows({3, 8}, QStringLiteral("test"));
        page.update_now();
        QCOMPARE(page.source(), ForecastSource::test);
        QCOMPARE(page.windows(), (std::vector<std::int64_t>{3, 8}));
        QVERIFY(!page.view(QStringLiteral("forecasts"))->figure().plots.empty());
        QVERIFY2(said(page).contains(QStringLiteral("λ_cov 0.5")) &&
                     !said(page).contains(QStringLiteral("λ_cov 0.1")),
                 qPrintable(said(page)));
        page.set_source(ForecastSource::probe);
        page.update_now();
        QVERIFY2(said(page).contains(QStringLiteral("None of the 2 selected test windows is shown")),
                 qPrintable(said(page)));
        page.set_source(ForecastSource::automatic);
        selection.set_runs({done.folder()});
        page.update_now();
        QCOMPARE(said(page), QString());
    }

    void strata_are_compared_with_the_smallest_weight() {
        ChoicesLibrary library;
        auto &large = library.make(0.5), &small = library.make(0.0);
        auto set = std::make_shared<EmbeddingSet>(*small.its_set);
        set->values.mse.assign(set->values.mse.size(), 2);  // twice the other's
        small.its_set = set;
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({large.folder(), small.folder()});
        show(page);
        const auto& figure = page.view(QStringLiteral("strata"))->figure();
        const auto change = std::find_if(figure.plots.begin(), figure.plots.end(), [](const auto& plot) {
            return plot.y.title.startsWith(QStringLiteral("change"));
        });
        QVERIFY(change != figure.plots.end());
        QVERIFY2(change->title.endsWith(QStringLiteral("relative to λ_cov 0")), qPrintable(change->title));
        bool found = false;
        for (const auto& series : change->series)
            for (const auto y : series.y) {
                QCOMPARE(y, -50.0);  // of λ_cov 0.5 against 0, not the other way round
                found = true;
            }
        QVERIFY(found);
        // Stored embeddings come without what windows are sorted by: the text says so.
        for (auto* run : {&large, &small}) {
            auto stored = std::make_shared<EmbeddingSet>(*run->its_set);
            stored->stored = true;
            stored->values.residual.clear();
            run->its_set = stored;
            Q_EMIT run->changed(RunPart::embeddings);
        }
        page.update_now();
        const auto text = page.view(QStringLiteral("strata"))->figure().empty_text;
        QVERIFY2(text.contains(QStringLiteral("lack the look-back residuals")), qPrintable(text));
    }

    void strata_compare_the_same_windows() {
        ChoicesLibrary library;
        auto &base = library.make(0.0), &other = library.make(0.5);
        // What is hard after one decomposition is easy after the other; both err alike in each window.
        const auto give = [](auto& run, bool turned) {
            auto set = std::make_shared<EmbeddingSet>(*run.its_set);
            auto& v = set->values;
            for (std::size_t i = 0; i < v.residual.size(); ++i) {
                v.residual[i] = static_cast<float>(turned ? v.residual.size() - i : i + 1);
                v.mse[i] = static_cast<float>(i + 1);
            }
            v.retrieved.clear();
            run.its_set = set;
        };
        give(base, false);
        give(other, true);
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({base.folder(), other.folder()});
        show(page);
        const auto& numbers = *page.view(QStringLiteral("strata"))->figure().numbers;
        const auto column = [&](const char* name) { return numbers.columns.indexOf(QLatin1String(name)); };
        int changes = 0;
        for (const auto& row : numbers.rows) {
            if (const auto change = row[column("mse_change_percent")]; !change.isEmpty()) {
                QCOMPARE(change.toDouble(), 0.0);
                ++changes;
            }
            // Where nothing was selected, no number of anchors is known.
            QCOMPARE(row[column("distinct_anchors")], QString());
        }
        QCOMPARE(changes, 12);  // ten strata, the easiest three, all
    }

    void many_rows_are_sorted_in_the_background() {
        const auto first = windows_with_error(QStringLiteral("a"), 2),
                   second = windows_with_error(QStringLiteral("b"), 1);
        QVERIFY(first->values.rows > StrataWork::max_at_once);
        int came = 0;
        QStringList told;
        StrataWork* of_test = nullptr;
        StrataWork work([&](bool progress_only) {
            if (progress_only)
                told << of_test->text();
            else
                ++came;
        });
        of_test = &work;
        QCOMPARE(work.text(), QString());
        QVERIFY(!work.cut(QStringLiteral("a"), first).is_cut());
        (void)work.cut(QStringLiteral("b"), second);
        QCOMPARE(work.pending(), 2);
        QVERIFY2(work.text().endsWith(QStringLiteral("then 1 more")), qPrintable(work.text()));
        QTRY_COMPARE(came, 2);
        QCOMPARE(work.pending(), 0);
        QVERIFY(!told.isEmpty() && told.front().contains(QStringLiteral(" %")));
        const auto expected = analysis::strata_of(strata_input(*first));
        const auto* known = work.find(QStringLiteral("a"));
        QVERIFY(known->is_cut() && known->strata.stratum_of == expected.stratum_of &&
                known->strata.edges == expected.edges);
        QCOMPARE(known->strata.strata[9].mse, 2.0);
        // Once each: nothing begins anew.
        (void)work.cut(QStringLiteral("a"), first);
        QCOMPARE(work.pending(), 0);
        QVERIFY(work.compare(QStringLiteral("b"), first, {}).pending);
        QTRY_COMPARE(came, 3);
        QCOMPARE(work.find(QStringLiteral("b"))->pair.all.relative, -0.5);
        // What is wrong is said of the run, and another set is cut in place of the one before.
        auto damaged = std::make_shared<EmbeddingSet>(*first);
        damaged->values.residual[6] = std::numeric_limits<float>::quiet_NaN();
        (void)work.cut(QStringLiteral("a"), first);
        (void)work.cut(QStringLiteral("a"), damaged);
        QTRY_COMPARE(came, 4);
        QVERIFY(known->problem.contains(QStringLiteral("window 3 is not finite")));
        work.keep_only({QStringLiteral("b")});
        QVERIFY(work.find(QStringLiteral("a")) == nullptr && work.find(QStringLiteral("b")) != nullptr);
    }

    void strata_of_another_label_need_the_file() {
        const auto set = windows_with_error(QStringLiteral("a"), 2);
        int came = 0;
        StrataWork work([&](bool progress_only) { came += progress_only ? 0 : 1; });
        work.set_axis({analysis::StrataLabel::trend_strength});
        (void)work.cut(QStringLiteral("a"), set);
        QTRY_COMPARE(came, 1);
        QVERIFY(!work.find(QStringLiteral("a"))->problem.isEmpty());  // there is no such folder
        work.set_axis({});
        QVERIFY(work.find(QStringLiteral("a")) == nullptr);
        (void)work.cut(QStringLiteral("a"), set);
        QTRY_COMPARE(came, 2);
        QCOMPARE(work.find(QStringLiteral("a"))->strata.strata[9].mse, 2.0);
    }

    void label_of_strata_is_chosen_and_saved() {
        ChoicesLibrary library;
        Selection selection;
        ForecastsPage page(&library, &selection), other(&library, &selection);
        const auto combo = control<QComboBox>;
        auto* axis = combo(page, QStringLiteral("Strata of"));
        auto* penalty = combo(page, QStringLiteral("Penalty of trend changes"));
        QVERIFY(axis && penalty && penalty->isHidden());
        QCOMPARE(static_cast<std::size_t>(axis->count()), analysis::strata_label_names().size());
        axis->setCurrentIndex(2);
        Q_EMIT axis->activated(2);
        QVERIFY(!penalty->isHidden());
        penalty->setCurrentIndex(4);
        Q_EMIT penalty->activated(4);
        QCOMPARE(analysis::name_of(page.strata_work().axis()), std::string("trend-change-union:8"));
        (void)page.prepare();
        const auto text = page.view(QStringLiteral("strata"))->figure().empty_text;
        QVERIFY2(
            text.contains(QStringLiteral("trend change")) && !text.contains(QStringLiteral("difficulty")),
            qPrintable(text));
        other.restore_state(page.save_state());
        QVERIFY(other.strata_work().axis() == page.strata_work().axis());
        QVERIFY(!combo(other, QStringLiteral("Penalty of trend changes"))->isHidden());
    }

    void large_sets_are_sorted_in_the_background() {
        ChoicesLibrary library;
        auto &base = library.make(0.0), &other = library.make(0.5);
        base.its_set = windows_with_error(base.folder(), 2);
        other.its_set = windows_with_error(other.folder(), 1);
        Selection selection;
        ForecastsPage page(&library, &selection);
        auto& work = page.strata_work();
        show(page);
        selection.set_runs({base.folder(), other.folder()});
        page.update_now();
        auto* view = page.view(QStringLiteral("strata"));
        QCOMPARE(work.pending(), 1);  // the others wait for what they are compared with
        QVERIFY(view->figure().plots.empty() && !page.prepare());
        QVERIFY2(view->figure().empty_text.contains(QStringLiteral("Sorting the windows")),
                 qPrintable(view->figure().empty_text));
        QTRY_COMPARE(view->figure().plots.size(), std::size_t{2});  // error, change; nothing was selected
        const auto* contrast = page.findChild<QLabel*>(QStringLiteral("strata-contrast"));
        QVERIFY(contrast && !contrast->isHidden());
        QVERIFY2(contrast->text().startsWith(
                     QStringLiteral("Change in MSE in the hardest decile and in the three easiest: ")) &&
                     view->figure().caption.contains(contrast->text()),
                 qPrintable(contrast->text()));
        const auto hardest = page.windows_of_stratum(9);
        QCOMPARE(hardest.size(), static_cast<std::size_t>(many / 10));
        for (const auto window : hardest) QVERIFY(window * 17 % many >= 9 * many / 10);
    }

    /// Two conditions of two seeds: as in the paper, pairs are of one seed.
    void seeds_are_pooled() {
        ChoicesLibrary library;
        QStringList folders;
        for (const double lambda : {0.0, 0.5})
            for (const int seed : {1, 2}) {
                auto& run = library.make(lambda, seed);
                config::Config config;
                config.loss.lambda_cov = lambda;
                config.train.seed = seed;
                config.run.threads = seed;  // changes no forecast
                run.its_record.attributes.config = config::to_toml(config);
                auto set = set_of(run.folder());
                for (auto& error : set->values.mse)
                    error = static_cast<float>(seed) * (lambda > 0 ? 1 - 0.1F * static_cast<float>(seed) : 1);
                run.its_set = set;
                folders << run.folder();
            }
        Selection selection;
        ForecastsPage page(&library, &selection);
        show(page);
        selection.set_runs(folders);
        page.update_now();
        const auto text = page.findChild<QLabel*>(QStringLiteral("strata-contrast"))->text();
        // 10 % and 20 % less than the run of the same seed.
        QVERIFY2(text.contains(QStringLiteral("15 % and ")) && text.contains(QStringLiteral(", 2 pairs")),
                 qPrintable(text));
        QVERIFY2(text.count(QStringLiteral("W = 0, p = 0.5")) == 2 && !text.contains(QStringLiteral("seed")),
                 qPrintable(text));
        // A seed without a partner is compared with the first run, and apart.
        selection.set_runs({folders[0], folders[2], folders[3]});
        page.update_now();
        const auto apart = page.findChild<QLabel*>(QStringLiteral("strata-contrast"))->text();
        QVERIFY2(!apart.contains(QStringLiteral("pairs")) && apart.contains(QStringLiteral("; ")),
                 qPrintable(apart));
    }

    void models_without_embeddings_are_sorted_on_request() {
        ChoicesLibrary library;
        auto &casp = library.make(0.0), &dlinear = library.make(0.0, 2022);
        config::Config config;
        config.data.path = "/data/x.csv";
        config.model.name = "dlinear";
        dlinear.its_record.attributes.config = config::to_toml(config);
        dlinear.its_summary.row.model = "dlinear";
        const auto sorted = dlinear.its_set;
        dlinear.its_set = nullptr;
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({dlinear.folder()});
        show(page);
        auto* view = page.view(QStringLiteral("strata"));
        QVERIFY2(view->figure().empty_text.contains(QStringLiteral("Press Sort windows")),
                 qPrintable(view->figure().empty_text));
        QToolButton* button = nullptr;
        for (auto* one : page.findChildren<QToolButton*>())
            if (one->text() == QStringLiteral("Sort windows")) button = one;
        QVERIFY(button && button->isVisible());
        button->click();
        QCOMPARE(dlinear.computed, 1);
        // Beside a sorted run, a note says what is missing.
        selection.set_runs({casp.folder(), dlinear.folder()});
        page.update_now();
        auto* note = page.findChild<QLabel*>(QStringLiteral("problems"));
        QVERIFY(note && note->text().contains(QStringLiteral("Press Sort windows")));
        QVERIFY(button->isVisible());
        button->click();
        QCOMPARE(dlinear.computed, 2);
        QCOMPARE(dlinear.asked.windows, windows);
        QCOMPARE(casp.computed, 0);
        dlinear.its_set = sorted;
        Q_EMIT dlinear.changed(RunPart::embeddings);
        page.update_now();
        QVERIFY(!button->isVisible());
        QVERIFY(!note->text().contains(QStringLiteral("Press Sort windows")));
        QVERIFY(!view->figure().plots.empty());
    }

    void channels_are_ticked_one_after_another() {
        ChoicesLibrary library;
        auto& run = library.make(0.1);
        run.its_record.data.channel_names.clear();
        for (int i = 0; i < 12; ++i)
            run.its_record.data.channel_names.push_back(QStringLiteral("c%1").arg(i).toStdString());
        run.its_record.data.channel_names.back() = "O&T";
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({run.folder()});
        show(page);
        auto* button = page.findChild<ChannelChooser*>();
        QCOMPARE(button->text(), QStringLiteral("O&&T"));
        auto& list = button->list();
        button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
        QTRY_VERIFY(button->menu()->isVisible());
        QTRY_VERIFY(list.hasFocus());
        const auto box = [&](int row) {
            const auto rectangle = list.visualItemRect(list.item(row));
            return QPoint(rectangle.left() + 60, rectangle.center().y());  // the name, not the box
        };
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, box(2));
        QCOMPARE(selection.state().channels, (Ids{2, 11}));  // beside the one that was drawn
        QVERIFY(button->menu()->isVisible());
        QTest::keyClick(&list, Qt::Key_Down);
        QTest::keyClick(&list, Qt::Key_Space);
        QCOMPARE(selection.state().channels, (Ids{2, 3, 11}));
        QCOMPARE(button->text(), QStringLiteral("3 channels"));
        auto* search = button->menu()->findChild<QLineEdit*>();
        QVERIFY(search->isVisible());
        QTest::keyClicks(search, QStringLiteral("c1"));
        QVERIFY(list.item(2)->isHidden() && !list.item(10)->isHidden());
        const auto buttons = button->menu()->findChildren<QPushButton*>();
        buttons[0]->click();
        QCOMPARE(selection.state().channels.size(), std::size_t{12});
        page.update_now();
        // Twelve plots are as high as they need to be read, and the page scrolls.
        auto* view = page.view(QStringLiteral("forecasts"));
        QTRY_VERIFY(view->height() >= view->needed_height());
        QVERIFY(view->needed_height() > 600);
        buttons[1]->click();
        QVERIFY(selection.state().channels.empty());
        QVERIFY(button->menu()->isVisible());
        QTest::keyClick(&list, Qt::Key_Escape);
        QTRY_VERIFY(!button->menu()->isVisible());
    }
};

TEST_MAIN(TestForecastsChoices)
#include "test_forecasts_choices.moc"
