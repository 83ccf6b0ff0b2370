// What is chosen, compared and left out on the page of forecasts, over runs in memory.
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

class TestForecastsChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
