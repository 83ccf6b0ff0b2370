// The view "Forecast ahead" of the Forecasts page, with a trained run.
#include <fstream>

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "config/options.h"
#include "core/train/train_fixture.h"
#include "inspect/forecast_ahead.h"
#include "panel_test.h"
#include "panels/forecasts/forecasts_ahead.h"
#include "panels/forecasts/forecasts_page.h"
#include "state/file_run_library.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
namespace fs = std::filesystem;

namespace {

const QString view_id = QStringLiteral("forecast-ahead");

}  // namespace

class TestForecastAhead : public QObject {
    Q_OBJECT

    /// The page over the runs of `root`.
    struct Place {
        FileRunLibrary library;
        Selection selection;
        ForecastsPage page{&library, &selection};
        ForecastAhead& ahead = page.ahead();

        Place(const QString& root, const QStringList& runs) {
            library.open(root);
            if (!QTest::qWaitFor([&] { return library.size() > 0; }, patience)) qFatal("no runs");
            selection.set_runs(runs);
            page.resize(1100, 1400);
            page.show();
            if (!QTest::qWaitFor([&] { return button().isEnabled(); }, patience)) qFatal("not offered");
        }
        [[nodiscard]] QToolButton& button() const {
            return *page.findChild<QToolButton*>(QStringLiteral("forecast.ahead"));
        }
        [[nodiscard]] bool is_open() const {
            const auto* frame = page.findChild<ViewFrame*>(QStringLiteral("frame-") + view_id);
            return frame->isVisible() && page.frames().contains(frame);
        }
        const figures::Figure& figure() {
            page.update_now();
            return page.view(view_id)->figure();
        }
        [[nodiscard]] QString note() const {
            return page.findChild<QLabel*>(QStringLiteral("ahead-note"))->text();
        }
        void finish() const {
            if (!QTest::qWaitFor([&] { return !ahead.is_busy(); }, patience)) qFatal("it takes too long");
        }
    };

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(dir_.isValid());
        csv_ = test::write_csv(file("series.csv"), test::small_rows, test::small_channels);
        longer_ = test::write_csv(file("longer.csv"), 400, test::small_channels);
        auto config = test::small_config(csv_);
        config.model.name = "dlinear";
        config.train.epochs = 1;
        for (const auto* name : {"a", "b"}) {
            (void)test::run_in(file(QStringLiteral("runs/test/") + QString::fromLatin1(name)), config);
            config.train.seed += 1;
        }
    }

    void forecast_continues_the_runs_data_set() {
        Place place(path("runs"), {run()});
        QVERIFY(!place.is_open());  // nothing is computed unasked
        QVERIFY2(
            place.button().toolTip().contains(QStringLiteral("12 rows after the last one of series.csv")),
            qPrintable(place.button().toolTip()));
        QTest::mouseClick(&place.button(), Qt::LeftButton);
        QVERIFY(place.is_open());
        QCOMPARE(place.page.frames().front()->figure_view(), place.page.view(view_id));
        place.finish();
        const auto& shown = place.ahead.work().forecast();
        QVERIFY2(shown, qPrintable(place.ahead.work().problem()));
        const auto expected = core_forecast(csv_);
        QCOMPARE(shown->values, expected.values);
        QCOMPARE(shown->lookback, expected.lookback);
        QCOMPARE(shown->intervals.size(), std::size_t{2});
        QCOMPARE(shown->intervals[1].offsets, expected.intervals[1].offsets);

        const auto& plot = place.figure().plots.at(0);
        QCOMPARE(plot.title, QStringLiteral("c2"));
        QCOMPARE(plot.series[0].x.size(), std::size_t{48});
        QVERIFY(std::abs(plot.series[0].y.back() - test::cell(299, 2)) < 1e-5);
        QCOMPARE(plot.series[1].x.front(), plot.series[0].x.back());
        QVERIFY(plot.series[2].x.front() - plot.series[0].x.back() == 3600);
        QCOMPARE(plot.series.size(), std::size_t{5});
        QVERIFY2(place.note().contains(QStringLiteral("49 test windows")), qPrintable(place.note()));
        place.selection.set_channels({0, 1});
        QCOMPARE(place.figure().plots.size(), std::size_t{2});
    }

    void a_dropped_file_is_continued() {
        Place place(path("runs"), {run()});
        const QStringList dropped{QString::fromStdString(longer_)};
        const auto text = place.page.drop_text(dropped);
        QVERIFY2(text.contains(QStringLiteral("12 rows after the last one of longer.csv")), qPrintable(text));
        // What is no data file, and several files, are for the window.
        QVERIFY(place.page.drop_text({path("runs")}).isEmpty());
        QVERIFY(place.page.drop_text({path("no.csv")}).isEmpty());
        QVERIFY(place.page.drop_text(dropped + dropped).isEmpty());
        QVERIFY(place.page.drop_text({run() + QStringLiteral("/config.toml")}).isEmpty());
        place.page.drop(dropped);
        QVERIFY(place.is_open());
        place.finish();
        QCOMPARE(place.ahead.work().forecast()->first_row, std::int64_t{400 - 48});
        QCOMPARE(place.ahead.work().forecast()->values, core_forecast(longer_).values);
        QVERIFY(std::abs(place.figure().plots.at(0).series[0].y.back() - test::cell(399, 2)) < 1e-5);
        // Back to the data set of the run.
        auto* source = place.page.findChild<ViewFrame*>(QStringLiteral("frame-") + view_id)
                           ->findChildren<QComboBox*>()
                           .last();
        QCOMPARE(source->currentText(), QStringLiteral("longer.csv"));
        QCOMPARE(source->count(), 3);
        source->setCurrentIndex(0);
        Q_EMIT source->activated(0);
        place.finish();
        QCOMPARE(place.ahead.work().forecast()->first_row, std::int64_t{300 - 48});
    }

    void file_problems_are_shown_in_the_view() {
        Place place(path("runs"), {run()});
        const auto short_file = test::write_csv(file("short.csv"), 40, test::small_channels);
        place.page.drop({QString::fromStdString(short_file)});
        place.finish();
        const auto& of_short = place.figure();
        QVERIFY(of_short.plots.empty());
        QVERIFY2(of_short.empty_text.contains(QStringLiteral("it has 40 rows; expected at least")) &&
                     of_short.empty_text.contains(QStringLiteral("another page")),
                 qPrintable(of_short.empty_text));
        const auto other = test::write_csv(file("other.csv"), 100, 2);
        place.page.drop({QString::fromStdString(other)});
        place.finish();
        QVERIFY2(place.figure().empty_text.contains(QStringLiteral("\"c2\" is missing")),
                 qPrintable(place.figure().empty_text));
        // Options of the command line are no help here.
        auto lines = test::bytes_of(longer_);
        lines += "2020-01-17 18:00:00,1,2,3\n";
        std::ofstream(file("gap.csv")) << lines;
        place.page.drop({path("gap.csv")});
        place.finish();
        const auto& of_gap = place.figure();
        QVERIFY2(of_gap.empty_text.contains(QStringLiteral("expected equal steps")) &&
                     !of_gap.empty_text.contains(QStringLiteral("--set")),
                 qPrintable(of_gap.empty_text));
    }

    void without_the_data_set_there_are_no_intervals() {
        const auto hidden = file("hidden.csv");
        fs::rename(csv_, hidden);
        Place place(path("runs"), {run()});
        place.page.drop({QString::fromStdString(longer_)});
        place.finish();
        fs::rename(hidden, csv_);
        QVERIFY(place.ahead.work().forecast());
        QVERIFY(place.ahead.work().forecast()->intervals.empty());
        QCOMPARE(place.figure().plots.at(0).series.size(), std::size_t{3});
        QVERIFY2(place.note().startsWith(QStringLiteral("Without intervals. ")) &&
                     place.note().contains(QStringLiteral("series.csv")),
                 qPrintable(place.note()));
    }

    void the_run_is_chosen_among_the_shown_ones() {
        Place place(path("runs"), {run("a"), run("b")});
        auto* runs = place.page.findChild<ViewFrame*>(QStringLiteral("frame-") + view_id)
                         ->findChildren<QComboBox*>()
                         .first();
        QTRY_COMPARE_WITH_TIMEOUT(runs->count(), 2, patience);
        place.page.forecast_ahead();
        QVERIFY(runs->isVisible());
        runs->setCurrentIndex(1);
        Q_EMIT runs->activated(1);
        place.finish();
        QCOMPARE(place.ahead.work().subject()->run, run("b"));
        // The run that is no longer shown takes its forecast along.
        place.selection.set_runs({run("a")});
        QVERIFY(!place.ahead.work().subject());
        QVERIFY(place.figure().plots.empty());
        QVERIFY2(place.figure().empty_text.contains(QStringLiteral("Press Compute")),
                 qPrintable(place.figure().empty_text));
        place.selection.set_runs({});
        place.page.update_now();
        QVERIFY(!place.is_open() && !place.button().isEnabled());
        QVERIFY(place.page.drop_text({QString::fromStdString(longer_)}).isEmpty());
    }

    void imported_forecasts_have_no_weights_to_forecast_with() {
        for (const auto* name : {"own", "imported"}) {
            const auto folder = file(QStringLiteral("both/test/") + QString::fromLatin1(name));
            fs::create_directories(folder.parent_path());
            fs::copy(file("runs/test/a"), folder, fs::copy_options::recursive);
            auto status = *store::read_run_status(store::RunFolder(folder));
            if (name == std::string("imported")) status.row.model = config::imported_model;
            store::write_run_status(store::RunFolder(folder), status);
        }
        const auto imported = path("both/test/imported");
        Place place(path("both"), {path("both/test/own")});
        place.selection.set_runs({imported});
        QTRY_VERIFY_WITH_TIMEOUT(place.library.data(imported)->is_loaded(), patience);
        place.page.update_now();
        QVERIFY(!place.button().isEnabled());
        QVERIFY2(place.button().toolTip().contains(QStringLiteral("imported runs have no weights")),
                 qPrintable(place.button().toolTip()));
    }

    void the_forecast_is_saved_in_the_form_of_the_file() {
        Place place(path("runs"), {run()});
        place.page.forecast_ahead();
        place.finish();
        QSignalSpy said(&place.page, &ViewPage::message);
        place.ahead.save_to(path("saved.csv"));
        QVERIFY(said.wait(patience));
        QCOMPARE(said.last()[1].toBool(), false);
        const auto text = test::bytes_of(file("saved.csv"));
        QCOMPARE(text, inspect::forecast_csv(core_forecast(csv_)));
        QVERIFY(text.starts_with("date,c0,c0-lo-80,c0-hi-80,c0-lo-95,c0-hi-95,c1,"));
        const auto before = test::bytes_of(csv_);
        place.ahead.save_to(QString::fromStdString(csv_));
        QVERIFY(said.wait(patience));
        QCOMPARE(said.last()[1].toBool(), true);
        QCOMPARE(test::bytes_of(csv_), before);
    }

    void forecast_can_be_cancelled_and_closed() {
        Place place(path("runs"), {run()});
        std::mutex held;
        {
            // Other work with weights comes first.
            const std::lock_guard lock(held);
            EmbeddingHost::shared()->pool().start([&] { const std::lock_guard wait(held); });
            place.page.forecast_ahead();
            QVERIFY2(place.note().contains(QStringLiteral("waiting for other work")),
                     qPrintable(place.note()));
            QVERIFY(place.figure().plots.empty() && place.page.view(view_id)->busy());
            auto* cancel = button_of(place, QStringLiteral("Cancel"));
            QVERIFY(cancel->isVisible());
            QTest::mouseClick(cancel, Qt::LeftButton);
        }
        place.finish();
        QVERIFY(!place.ahead.work().forecast());
        QVERIFY(place.figure().empty_text.startsWith(QStringLiteral("Cancelled.")));
        QTest::mouseClick(button_of(place, QStringLiteral("Compute")), Qt::LeftButton);
        place.finish();
        QVERIFY(place.ahead.work().forecast() && !button_of(place, QStringLiteral("Compute"))->isVisible());
        QTest::mouseClick(button_of(place, QStringLiteral("Close")), Qt::LeftButton);
        QVERIFY(!place.is_open());
        QVERIFY(!place.ahead.work().subject());
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }
    [[nodiscard]] fs::path file(const QString& name) const { return path(name).toStdString(); }
    [[nodiscard]] QString run(const QString& name = QStringLiteral("a")) const {
        return path(QStringLiteral("runs/test/") + name);
    }
    [[nodiscard]] inspect::AheadForecast core_forecast(const std::string& data) const {
        test::Probe probe;
        const train::StopControl stop;
        return inspect::forecast_ahead({file(QStringLiteral("runs/test/a")), data, {80, 95}, {}}, probe,
                                       stop);
    }
    static QToolButton* button_of(const Place& place, const QString& text) {
        for (auto* button : place.page.findChild<ViewFrame*>(QStringLiteral("frame-") + view_id)
                                ->findChildren<QToolButton*>())
            if (button->text() == text) return button;
        qFatal("no such button");
    }

    QTemporaryDir dir_;
    std::string csv_, longer_;
};

TEST_MAIN(TestForecastAhead)
#include "test_forecast_ahead.moc"
