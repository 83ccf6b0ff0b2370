// The Data page and the experiment: which file, channels, split, missing values and markers, and what the
// picture shows of them.

#include <algorithm>
#include <set>

#include <QFileInfo>
#include <QSignalSpy>
#include <QStyleFactory>

#include "data_files.h"
#include "data_page.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using test::choose;
using test::shared_file;
using Page = test::DataPage;

class TestDataPreparation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        setlocale(LC_NUMERIC, "C");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    void weather_sentinels() {
        const QString weather = shared_file("weather.csv");
        if (!QFileInfo::exists(weather)) QSKIP("weather.csv is not here");
        Page page;
        READ(page, weather);
        auto& policy = page.panel.policy();
        QVERIFY2(policy.words().contains("-9999"), qPrintable(policy.words()));
        QVERIFY(policy.words().contains("Weather"));
        QCOMPARE(policy.use_published()->text(), QString("As published: “keep”"));
        auto& preview = page.panel.preview().preview();
        QVERIFY(std::find(preview.markers().begin(), preview.markers().end(), -9999.0) !=
                preview.markers().end());
        const auto& table = *preview.table();
        const auto& ot = table.columns.back().values;
        const auto first = std::find(ot.begin(), ot.end(), -9999.0) - ot.begin();
        const auto cell = preview.index(static_cast<int>(first), preview.columnCount() - 1);
        QVERIFY(cell.data(TablePreviewModel::marker_role).toBool());
        // Counted as missing, a run refuses the file; interpolated, it takes it with another scale.
        QVERIFY(page.panel.review()->channels.back().deviation > 383);
        policy.mark_suspects()->click();
        QCOMPARE(page.experiment.config().data.sentinels, (std::vector<double>{-9999}));
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(page.panel.review()->problem().is_set());
        QVERIFY(policy.words().contains("interpolate"));
        choose(policy.missing(), QString("interpolate"));
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!page.panel.review()->problem().is_set());
        const double deviation = page.panel.review()->channels.back().deviation;
        QVERIFY2(deviation > 17 && deviation < 19, qPrintable(QString::number(deviation)));
        page.experiment.undo_stack()->undo();
        page.experiment.undo_stack()->undo();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(page.experiment.config().data.sentinels.empty());
        QVERIFY(page.panel.review()->channels.back().deviation > 383);
    }

    void borders_of_etth1() {
        const QString etth1 = shared_file("ETTh1.csv");
        if (!QFileInfo::exists(etth1)) QSKIP("ETTh1.csv is not here");
        Page page;
        page.panel.show_page(DataPanel::channels_page);
        READ(page, etth1);
        auto& channels = page.panel.channels();
        QTRY_VERIFY(channels.is_settled() && !channels.view()->figure().plots.empty());
        QTRY_VERIFY(!channels.view()->figure().plots[0].bands.empty());
        const auto& figure = channels.view()->figure();
        QCOMPARE(figure.plots.size(), std::size_t{7});
        const auto& time = page.panel.preview().preview().table()->time;
        for (const auto& plot : figure.plots) {
            QCOMPARE(plot.bands.size(), std::size_t{3});
            QCOMPARE(plot.bands[0].to, time[8640]);
            QCOMPARE(plot.bands[1].to, time[11520]);
            QCOMPARE(plot.bands[2].to, time[14400]);
        }
        QVERIFY(page.panel.policy().words().contains("8,640"));
        // Another split moves them.
        choose(page.panel.policy().split(), QString("ratio"));
        QTRY_VERIFY(channels.is_settled() && page.panel.is_settled() &&
                    channels.view()->figure().plots[0].bands[0].to == time[12194]);
    }

    void experiment_is_written_and_followed() {
        Page page;
        QByteArray text = test::hourly(2000);
        text.replace(",500,0\n", ",,0\n");
        READ(page, folder_.write("holes.csv", text));
        auto& policy = page.panel.policy();
        QCOMPARE(page.panel.review()->channels[0].fate, ChannelFate::refused);
        choose(policy.missing(), QString("drop-column"));
        QCOMPARE(page.experiment.config().data.missing, std::string("drop-column"));
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.review()->channels[0].fate, ChannelFate::left_out);
        // From elsewhere (the form, undo): the control and the review follow.
        QVERIFY(page.experiment.set("data.missing", std::string("interpolate")).isEmpty());
        QCOMPARE(policy.missing()->currentData().toString(), QString("interpolate"));
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.review()->channels[0].fate, ChannelFate::filled);
        page.experiment.undo_stack()->undo();
        QCOMPARE(policy.missing()->currentData().toString(), QString("drop-column"));
        policy.sentinels()->setText("-9999, 7;  [3.5]");
        Q_EMIT policy.sentinels()->editingFinished();
        QCOMPARE(page.experiment.config().data.sentinels, (std::vector<double>{-9999, 7, 3.5}));
        QCOMPARE(policy.sentinels()->text(), QString("-9999 7 3.5"));
        // A setting that is not about data starts no review.
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(page.experiment.set("loss.lambda_cov", 0.25).isEmpty());
        QVERIFY(page.panel.is_settled());
    }

    void channels_by_ticks() {
        Page page;
        READ(page, folder_.write("ticks.csv", test::hourly(2000)));
        auto* model = page.panel.policy().statistics()->model();
        QCOMPARE(model->rowCount(), 2);
        QVERIFY(model->setData(model->index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(page.experiment.config().data.columns, (std::vector<std::string>{"b"}));
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(model->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        // The last one stays.
        QVERIFY(!model->setData(model->index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(model->setData(model->index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(page.experiment.config().data.columns.empty());
        // a: 0 … 1999, of which 1400 train.
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(model->index(0, ChannelStatisticsModel::mean_column).data().toString(), QString("699.5"));
        QCOMPARE(model->index(0, ChannelStatisticsModel::max_column).data().toString(), QString("1399"));
        QVERIFY(model->headerData(ChannelStatisticsModel::max_column, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .contains("Train"));
        QCOMPARE(model->index(1, ChannelStatisticsModel::mean_column).data().toString(), QString("4.5"));
    }

    void targets_by_ticks() {
        Page page;
        READ(page, folder_.write("targets.csv", test::hourly(2000)));
        auto* model = page.panel.policy().statistics()->model();
        const int column = ChannelStatisticsModel::target_column;
        const auto is_checked = [&](int row) {
            return model->index(row, column).data(Qt::CheckStateRole).toInt() == int(Qt::Checked);
        };
        QVERIFY(is_checked(0) && is_checked(1));
        QVERIFY(model->setData(model->index(0, column), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(page.experiment.config().data.targets, (std::vector<std::string>{"b"}));
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!is_checked(0) && is_checked(1));
        QVERIFY(model->index(0, ChannelStatisticsModel::name_column).data(Qt::CheckStateRole).toInt() ==
                int(Qt::Checked));
        QVERIFY(page.panel.policy().words().contains("Losses and errors are over b."));
        QVERIFY(!page.panel.review()->problem().is_set());
        // The last one stays, and what a run does not read cannot be a target.
        QVERIFY(!model->setData(model->index(1, column), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(page.experiment.set("data.columns", std::vector<std::string>{"a"}).isEmpty());
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.review()->problem().where, QString("data.targets"));
        QVERIFY(!model->setData(model->index(1, column), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(page.experiment.set("data.columns", std::vector<std::string>{}).isEmpty());
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(model->setData(model->index(0, column), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(page.experiment.config().data.targets.empty());
    }

    void extremes_follow_the_policy() {
        Page page;
        QByteArray text = test::hourly(2000);
        text.replace(",500,0\n", ",-9999,0\n");
        READ(page, folder_.write("marker.csv", text));
        auto* model = page.panel.policy().statistics()->model();
        const auto cell = [&](int column) { return model->index(0, column).data().toString(); };
        QCOMPARE(page.panel.review()->channels[0].min, -9999.0);
        QCOMPARE(cell(ChannelStatisticsModel::missing_column), QString("0"));
        QVERIFY(page.experiment.set("data.sentinels", std::vector<double>{-9999}).isEmpty());
        for (const auto* policy : {"error", "interpolate", "drop-column"}) {
            QVERIFY(page.experiment.set("data.missing", std::string(policy)).isEmpty());
            QTRY_VERIFY(page.panel.is_settled());
            QCOMPARE(cell(ChannelStatisticsModel::min_column), QString("0"));
            QCOMPARE(cell(ChannelStatisticsModel::missing_column), QString("1"));
        }
        QVERIFY(page.experiment.set("data.missing", std::string("interpolate")).isEmpty());
        QTRY_VERIFY(page.panel.is_settled());
        const auto remark = page.panel.review()->channels[0].remark;
        for (const auto& sentence : remark.split(". "))
            QVERIFY2(sentence.at(0).isUpper(), qPrintable(remark));
        QVERIFY(page.experiment.set("data.missing", std::string("keep")).isEmpty());
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(cell(ChannelStatisticsModel::missing_column), QString("0"));
        QCOMPARE(page.panel.review()->channels[0].min, -9999.0);
    }

    void channels_zoom_together_and_without_markers() {
        Page page;
        QByteArray text = test::hourly(600);
        text.replace(",500,0\n", ",-9999,0\n");
        page.panel.show_page(DataPanel::channels_page);
        READ(page, folder_.write("zoom.csv", text));
        auto& channels = page.panel.channels();
        QTRY_VERIFY(channels.is_settled() && channels.view()->figure().plots.size() == 2);
        QTRY_VERIFY(channels.no_markers()->isVisible());
        const auto& plots = [&]() -> const auto& { return channels.view()->figure().plots; };
        QVERIFY(!plots()[0].x.title.isEmpty());  // axes of one title zoom together
        QCOMPARE(plots()[0].x.title, plots()[1].x.title);
        const auto least = [&] {
            double lowest = 1e9;
            for (const double y : plots()[0].series[0].y) lowest = std::fmin(lowest, y);
            return lowest;
        };
        QCOMPARE(least(), -9999.0);
        channels.no_markers()->click();
        QTRY_VERIFY(channels.is_settled() && least() >= 0);
        // The y axis spans what is seen.
        const auto& time = page.panel.preview().preview().table()->time;
        PlotWindow window;
        window.x = Range{time[100], time[140]};
        channels.view()->set_window(0, window);
        Q_EMIT channels.view()->zoom_changed();
        QTRY_VERIFY(channels.is_settled() && plots()[0].y.max.has_value());
        QVERIFY2(*plots()[0].y.min > 90 && *plots()[0].y.max < 150,
                 qPrintable(QString("%1 %2").arg(*plots()[0].y.min).arg(*plots()[0].y.max)));
    }

    void split_by_rows() {
        Page page;
        READ(page, folder_.write("split.csv", test::hourly(2000)));
        choose(page.panel.policy().split(), QString("rows"));
        // It begins with the borders that were there.
        QCOMPARE(page.experiment.config().data.split.rows, (std::array<std::int64_t, 3>{1400, 200, 400}));
        QTRY_VERIFY(page.panel.is_settled());
        auto* const training = page.panel.policy().split_fields()->fields().front();
        QCOMPARE(training->accessibleName(), QString("Rows for training"));
        training->setText("1000");
        Q_EMIT training->editingFinished();
        QCOMPARE(page.experiment.config().data.split.rows[0], 1000);
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.review()->scaler_rows, 1000);
    }

    void split_by_dates() {
        Page page;
        READ(page, folder_.write("dates.csv", test::hourly(2000)));
        page.panel.show_page(DataPanel::preparation_page);
        page.panel.activateWindow();
        QApplication::setActiveWindow(&page.panel);
        auto& policy = page.panel.policy();
        const auto fields = policy.split_fields()->fields().mid(6);
        QVERIFY(!fields.front()->isVisible());
        choose(policy.split(), QString("dates"));
        // It begins with the borders that were there.
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(fields.front()->isVisible() && fields.front()->hasFocus());
        QVERIFY(page.panel.review()->plan);
        QCOMPARE(page.panel.review()->plan->part_rows, (std::array<std::int64_t, 3>{1400, 200, 400}));
        const auto begin = page.experiment.config().data.split.dates;
        // A date outside the file is a problem of the plan, one that cannot be read is not taken.
        fields.back()->setText("2100-01-01");
        Q_EMIT fields.back()->editingFinished();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY2(policy.words().contains("after the last row"), qPrintable(policy.words()));
        fields.back()->setText("next year");
        Q_EMIT fields.back()->editingFinished();
        QCOMPARE(page.experiment.config().data.split.dates[1], std::string("2100-01-01"));
        QCOMPARE(fields.back()->text(), QString("next year"));
        fields.back()->setText(QString::fromStdString(begin[1]));
        Q_EMIT fields.back()->editingFinished();
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.review()->plan->part_rows[2], 400);
        choose(policy.split(), QString("fractions"));
        QCOMPARE(page.experiment.config().data.split,
                 (config::SplitSetting{"fractions", {}, {0.7, 0.1, 0.2}}));
        QVERIFY(!fields.front()->isVisible());
    }

    void bad_sentinels_are_reported() {
        Page page;
        READ(page, folder_.write("sentinels.csv", test::hourly(2000)));
        auto& policy = page.panel.policy();
        policy.sentinels()->setText("-9999 minus");
        Q_EMIT policy.sentinels()->editingFinished();
        QVERIFY(page.experiment.config().data.sentinels.empty());
        bool told = false;
        for (auto* box : policy.findChildren<DataProblemBox*>())
            told |= box->problem().found.contains("“minus”") && !box->isHidden();
        QVERIFY(told);
        // No run starts with it, and the form shows it, too; what puts the value back ends it here.
        QVERIFY(page.experiment.draft_problem("data.sentinels").contains("“minus”"));
        choose(policy.split(), QString("rows"));
        auto* field = policy.findChild<SplitFields*>()->fields().front();
        field->setText("abc");
        Q_EMIT field->editingFinished();
        QVERIFY(page.experiment.draft_problem("data.split").contains("“abc”"));
        QCOMPARE(page.experiment.draft_texts("data.split").front(), QString("abc"));
        QCOMPARE(field->text(), QString("abc"));
        page.experiment.reset("data.split");
        QVERIFY(page.experiment.draft_problem("data.split").isEmpty());
        for (auto* box : policy.findChildren<DataProblemBox*>())
            QVERIFY(box->problem().where != "data.split");
        QVERIFY(field->text() != "abc");
    }

    /// What was said of the file before is not said of the next one; what the experiment keeps is reported.
    void new_file_resets_data_settings() {
        Page page;
        auto& experiment = page.experiment;
        auto example = config::Config();
        example.name = "try-it";
        example.data.path = "/sample.csv";
        example.data.split = config::SplitSetting{"rows", {60, 20, 20}};
        example.data.targets = {"gone"};
        example.data.columns = {"gone"};
        example.data.sentinels = {-1};
        example.data.missing = "keep";
        example.train.epochs = 3;
        experiment.replace(example, {}, "Try it");
        const auto path = folder_.write("another.csv", test::hourly(300));
        READ(page, path);
        QSignalSpy use(&page.panel, &DataPanel::use_requested);
        // A choice that is made while this file is shown is about it.
        choose(page.panel.policy().missing(), QString("interpolate"));
        const auto steps = experiment.undo_stack()->count();
        page.panel.use_current();
        QCOMPARE(experiment.undo_stack()->count(), steps + 1);
        auto wanted = config::Config();
        wanted.data.path = path.toStdString();
        wanted.data.missing = "interpolate";
        wanted.train.epochs = 3;
        QCOMPARE(experiment.config(), wanted);
        const auto keys = use.takeFirst().at(1).toStringList();
        QVERIFY(keys.contains("data.split") && keys.contains("name") && !keys.contains("train.epochs"));
        // Of the same file, nothing is taken back.
        experiment.set("data.split", config::SplitSetting{"ratio"});
        experiment.set("name", std::string("mine"));
        page.panel.use_current();
        QCOMPARE(experiment.config().name, std::string("mine"));
        QVERIFY(use.takeFirst().at(1).toStringList().isEmpty());

        // A preset's settings of its data set stay for a file that may be this data set only.
        experiment.apply_preset("weather-96");
        experiment.set("data.path", std::string("catalog:Weather"));
        const auto mine = folder_.write("mine.csv", test::hourly(200));
        READ(page, mine);
        page.panel.use_current();
        QCOMPARE(experiment.config().data.split, config::SplitSetting());
        QCOMPARE(experiment.config().data.missing, std::string("error"));
        QCOMPARE(experiment.config().preset, std::string("weather-96"));
    }

    void channel_list_and_picture() {
        Page page;
        QByteArray text = "c0";
        for (int c = 1; c < 12; ++c) text += ",c" + QByteArray::number(c);
        for (int r = 0; r < 3000; ++r) {
            text += "\n" + QByteArray::number(r);
            for (int c = 1; c < 12; ++c) text += "," + QByteArray::number((r * c) % 17);
        }
        page.panel.show_page(DataPanel::channels_page);
        READ(page, folder_.write("many.csv", text + "\n"));
        auto& channels = page.panel.channels();
        const auto plots = [&]() -> std::size_t { return channels.view()->figure().plots.size(); };
        QTRY_COMPARE(plots(), std::size_t{8});  // the first ones
        const auto check_only = [&](const std::set<int>& checked) {
            for (int i = 0; i < channels.list()->count(); ++i)
                channels.list()->item(i)->setCheckState(checked.contains(i) ? Qt::Checked : Qt::Unchecked);
        };
        check_only({1, 11});
        QTRY_COMPARE(plots(), std::size_t{2});
        QCOMPARE(channels.view()->figure().plots[1].title, QString("c11"));
        channels.arrangement()->setCurrentIndex(1);
        QTRY_COMPARE(plots(), std::size_t{1});
        QCOMPARE(channels.view()->figure().plots[0].series.size(), std::size_t{2});
        QTRY_VERIFY(channels.is_settled());
        // Zooming reduces anew: every row of the stretch is drawn.
        PlotWindow window;
        window.x = Range{100, 140};
        channels.view()->set_window(0, window);
        Q_EMIT channels.view()->zoom_changed();
        QTRY_VERIFY(channels.is_settled());
        const auto& x = channels.view()->figure().plots[0].series[0].x;
        for (int r = 100; r <= 140; ++r) QVERIFY(std::binary_search(x.begin(), x.end(), double(r)));
        QVERIFY(channels.view()->zoomed());
        channels.list()->item(1)->setCheckState(Qt::Unchecked);
        QTRY_COMPARE(channels.view()->figure().plots[0].series.size(), std::size_t{1});
        check_only({});
        QTRY_COMPARE(plots(), std::size_t{0});
        QVERIFY(!channels.view()->figure().empty_text.isEmpty());
    }

private:
    test::DataFolder folder_;
};

TEST_MAIN(TestDataPreparation)
#include "test_data_preparation.moc"
