// What is chosen, compared and left out on the page of forecasts, over runs in memory.
#include <algorithm>

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include "charts/figure_view.h"
#include "choices_fixture.h"
#include "panels/forecasts_channels.h"
#include "panels/forecasts_page.h"

using namespace casp;
using namespace casp::widgets;
using namespace casp::widgets::testing;
using Ids = std::set<std::int64_t>;

namespace {

QLabel* note_of(const ForecastsPage& page) {
    for (auto* label : page.findChildren<QLabel*>())
        if (label->accessibleName() == QStringLiteral("Note on the forecasts")) return label;
    return nullptr;
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

}  // namespace

class TestForecastsChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runs_of_other_data_have_a_truth_of_their_own() {
        Library library;
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
                     note->text().contains(QStringLiteral("another data file")),
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

    void other_columns_scales_and_rows_have_a_truth_of_their_own() {
        Library library;
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
        QVERIFY2(note->text().contains(QStringLiteral("scaled by another mean")), qPrintable(note->text()));
        other.its_record.data = as_it_was;
        other.its_record.data.channel_names = {"HULL", "OT"};
        QCOMPARE(plots(), std::size_t{2});
        QVERIFY2(note->text().contains(QStringLiteral("other channels")), qPrintable(note->text()));
        other.its_record.data = as_it_was;
        other.first_row = 700;  // its test split begins later
        QCOMPARE(plots(), std::size_t{2});
        QVERIFY2(note->text().contains(QStringLiteral("other rows of the file")), qPrintable(note->text()));
        other.first_row = 0;
        QCOMPARE(plots(), std::size_t{1});
        QVERIFY(!note->isVisible());
    }

    void probes_of_other_data_have_a_truth_of_their_own() {
        Library library;
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

    void windows_that_a_run_has_not_are_told() {
        Library library;
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
        Library library;
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
        QVERIFY2(said(page).contains(QStringLiteral("2 selected test windows are not among")),
                 qPrintable(said(page)));
        page.set_source(ForecastSource::automatic);
        selection.set_runs({done.folder()});
        page.update_now();
        QCOMPARE(said(page), QString());
    }

    void strata_are_compared_with_the_smallest_weight() {
        Library library;
        auto &large = library.make(0.5), &small = library.make(0.0);
        auto set = std::make_shared<EmbeddingSet>(*small.set);
        set->values.mse.assign(set->values.mse.size(), 2);  // twice the other's
        small.set = set;
        Selection selection;
        ForecastsPage page(&library, &selection);
        selection.set_runs({large.folder(), small.folder()});
        show(page);
        const auto& figure = page.view(QStringLiteral("strata"))->figure();
        const auto change = std::find_if(figure.plots.begin(), figure.plots.end(), [](const auto& plot) {
            return plot.y.title.startsWith(QStringLiteral("change"));
        });
        QVERIFY(change != figure.plots.end());
        QVERIFY2(change->title.endsWith(QStringLiteral("against λ_cov 0")), qPrintable(change->title));
        bool found = false;
        for (const auto& series : change->series)
            for (const auto y : series.y) {
                QCOMPARE(y, -50.0);  // of λ_cov 0.5 against 0, not the other way round
                found = true;
            }
        QVERIFY(found);
        // Stored embeddings come without what windows are sorted by: the text says so.
        for (auto* run : {&large, &small}) {
            auto stored = std::make_shared<EmbeddingSet>(*run->set);
            stored->stored = true;
            stored->values.residual.clear();
            run->set = stored;
            Q_EMIT run->changed(RunPart::embeddings);
        }
        page.update_now();
        const auto text = page.view(QStringLiteral("strata"))->figure().empty_text;
        QVERIFY2(text.contains(QStringLiteral("without the residuals")), qPrintable(text));
    }

    void strata_compare_the_same_windows() {
        Library library;
        auto &base = library.make(0.0), &other = library.make(0.5);
        // What is hard after one decomposition is easy after the other; both err alike in each window.
        const auto give = [](auto& run, bool turned) {
            auto set = std::make_shared<EmbeddingSet>(*run.set);
            auto& v = set->values;
            for (std::size_t i = 0; i < v.residual.size(); ++i) {
                v.residual[i] = static_cast<float>(turned ? v.residual.size() - i : i + 1);
                v.mse[i] = static_cast<float>(i + 1);
            }
            v.selected.clear();
            run.set = set;
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

    void channels_are_ticked_one_after_another() {
        Library library;
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

QTEST_MAIN(TestForecastsChoices)
#include "test_forecasts_choices.moc"
