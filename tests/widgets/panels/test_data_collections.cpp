// Collections of series on the Data page: list, filter, curve, and their use in the experiment.

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QStyleFactory>
#include <QTest>
#include <QUndoStack>

#include "data_files.h"
#include "data_page.h"
#include "panel_test.h"
#include "panels/data/data_use.h"
#include "panels/data/data_words.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using Page = test::DataPage;

namespace {

std::shared_ptr<const data::SeriesCollection> many_series(int count) {
    auto made = std::make_shared<data::SeriesCollection>();
    made->path = "/made/Train/Monthly-train.csv";
    made->frequency = *data::find_frequency("Monthly");
    made->horizon = 2;
    for (int i = 0; i < count; ++i) {
        made->ids.push_back(std::string("M").append(std::to_string(i + 1)));
        for (int j = 0; j < 10 + i % 40; ++j) made->values.push_back(i + j);
        made->offsets.push_back(std::ssize(made->values));
        made->test.insert(made->test.end(), {1.0, 2.0});
    }
    return made;
}

}  // namespace

class TestDataCollections : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        setlocale(LC_NUMERIC, "C");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }

    void a_folder_shows_its_series() {
        Page page;
        QSignalSpy opened(&page.panel, &DataPanel::opened);
        const auto train = yearly("m4");
        READ(page, folder_.path("m4"));
        QCOMPARE(page.panel.paths(), QStringList{train});
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toString(), train);
        auto& view = page.panel.collection();
        QVERIFY(view.isVisible() && view.isEnabled());
        QVERIFY(!page.panel.preview().isVisible());
        QCOMPARE(view.list()->model()->rowCount(), 12);
        QCOMPARE(ids(view).mid(0, 3), (QStringList{"Y1", "Y2", "Y3"}));
        QCOMPARE(view.list()->model()->index(2, 1).data().toString(), QString("15"));
        QCOMPARE(view.list()->model()->index(2, 2).data().toString(), QString("2014"));
        QCOMPARE(view.count_text(), QString("12 series"));
        QCOMPARE(plotted(view), QString("Y1"));
        QCOMPARE(view.lengths()->figure().plots.size(), std::size_t{1});
        QVERIFY(view.warnings().isEmpty());
    }

    void the_facts_of_a_collection() {
        DataFile file;
        QCOMPARE(describe_file(file), QString());
        auto made = std::make_shared<data::SeriesCollection>(*many_series(3));
        file.collection = made;
        const auto text = describe_file(file);
        for (const auto* part : {"3 series", "10 to 12 training values each, median 11", "33 in total",
                                 "H = 2", "Monthly, season 12"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY(!text.contains("warning"));
        made->warnings.push_back({data::WarningKind::constant_column, 0, "M1", 1, "M1 is constant"});
        QVERIFY(describe_file(file).contains("1 warning"));
        CollectionView view;
        view.set_collection(made);
        QVERIFY2(view.warnings().contains("M1 is constant"), qPrintable(view.warnings()));
    }

    void arrows_change_the_curve() {
        Page page;
        (void)yearly("m4");
        READ(page, folder_.path("m4"));
        auto& view = page.panel.collection();
        view.list()->setFocus();
        QTest::keyClick(view.list(), Qt::Key_Down);
        QTest::keyClick(view.list(), Qt::Key_Down);
        QCOMPARE(plotted(view), QString("Y3"));
        const auto& plot = view.curve()->figure().plots[0];
        QCOMPARE(plot.series.front().y.front(), 2000.0);
        QCOMPARE(plot.series.front().y.size(), std::size_t{15});
        QCOMPARE(plot.series.back().y, (std::vector<double>{2015, 2016, 2017, 2018, 2019, 2020}));
        QCOMPARE(plot.bands[0].from, 9.5);  // the last H = 6 training values
        QCOMPARE(plot.bands[0].to, 15.5);
        QCOMPARE(view.lengths()->figure().plots[0].rules[0].at, 15.0);
    }

    void the_filter_reads_ids() {
        CollectionView view;
        view.set_collection(many_series(100));
        const auto count = [&](const QString& text) {
            view.filter()->setText(text);
            return view.list()->model()->rowCount();
        };
        QCOMPARE(count("m10"), 2);  // M10, M100
        QCOMPARE(ids(view), (QStringList{"M10", "M100"}));
        QCOMPARE(plotted(view), QString("M10"));
        QCOMPARE(view.count_text(), QString("2 of 100 series"));
    }

    void rereading_keeps_the_selected_series() {
        CollectionView view;
        view.set_collection(many_series(100));
        view.filter()->setText("m4");
        view.list()->setCurrentIndex(view.list()->model()->index(3, 0));
        QCOMPARE(plotted(view), QString("M42"));
        // Nothing matches: the curve stays, and so does the selection.
        view.filter()->setText("none");
        QCOMPARE(view.list()->model()->rowCount(), 0);
        QCOMPARE(plotted(view), QString("M42"));
        view.filter()->setText("m4");
        QCOMPARE(plotted(view), QString("M42"));
        view.set_collection(many_series(200));
        QCOMPARE(view.filter()->text(), QString("m4"));
        QCOMPARE(plotted(view), QString("M42"));
        view.set_collection(many_series(10));  // without it
        QCOMPARE(plotted(view), QString("M4"));
        // Another file begins anew.
        auto other = std::make_shared<data::SeriesCollection>(*many_series(5));
        other->path = "/made/other.csv";
        view.set_collection(other);
        QCOMPARE(view.filter()->text(), QString());
        QCOMPARE(ids(view).size(), 5);
        QCOMPARE(plotted(view), QString("M1"));
        view.set_collection(nullptr);
        QCOMPARE(ids(view).size(), 0);
        QCOMPARE(plotted(view), QString());
    }

    void the_list_sorts() {
        CollectionView view;
        view.set_collection(many_series(50));
        view.list()->setCurrentIndex(view.list()->model()->index(4, 0));
        view.list()->sortByColumn(1, Qt::DescendingOrder);
        QCOMPARE(ids(view).mid(0, 2), (QStringList{"M40", "M39"}));
        QCOMPARE(plotted(view), QString("M5"));
        QCOMPARE(view.list()->currentIndex().siblingAtColumn(0).data().toString(), QString("M5"));
        view.list()->sortByColumn(2, Qt::AscendingOrder);
        QCOMPARE(ids(view).mid(0, 2), (QStringList{"M1", "M2"}));
        view.list()->sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(ids(view).front(), QString("M50"));
    }

    void a_hundred_thousand_series_are_filtered_at_once() {
        const auto collection = many_series(100'000);
        CollectionView view;
        view.resize(900, 600);
        view.show();
        QElapsedTimer clock;
        clock.start();
        view.set_collection(collection);
        view.grab();
        const auto open_ms = clock.restart();
        view.filter()->setText("77");
        view.list()->grab();
        const auto filter_ms = clock.restart();
        view.list()->sortByColumn(1, Qt::AscendingOrder);
        view.filter()->setText("M1");
        view.list()->grab();
        const auto sorted_ms = clock.elapsed();
        qInfo("100,000 series: opened in %lld ms, filtered in %lld ms, sorted and filtered in %lld ms",
              static_cast<long long>(open_ms), static_cast<long long>(filter_ms),
              static_cast<long long>(sorted_ms));
        QCOMPARE(view.count_text(), QString("11,112 of 100,000 series"));
        QVERIFY(open_ms < 1000 && filter_ms < 500 && sorted_ms < 500);
    }

    void a_broken_file_is_shown() {
        Page page;
        QSignalSpy message(&page.panel, &DataPanel::message);
        const auto train = yearly("broken");
        test::write_file(train, "\"V1\",\"V2\"\n\"Y1\",1,,3\n");
        READ(page, folder_.path("broken"));
        QCOMPARE(page.panel.current_path(), train);
        QVERIFY(page.panel.problem().isVisible());
        QVERIFY2(page.panel.problem().problem().where.endsWith("Yearly-train.csv:2"),
                 qPrintable(page.panel.problem().problem().text()));
        QCOMPARE(message.count(), 1);
        QVERIFY(message[0][1].toBool());
        QVERIFY(page.panel.collection().isVisible() && !page.panel.collection().isEnabled());
        QCOMPARE(page.panel.usable_path(), QString());
        (void)yearly("broken");
        control<QPushButton>(page.panel.problem(), "Read again")->click();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!page.panel.problem().isVisible());
        QVERIFY(page.panel.collection().isEnabled());
        QCOMPARE(page.panel.usable_path(), train);
    }

    void use_sets_path_and_frequency() {
        Page page;
        const auto train = yearly("use");
        page.experiment.set("data.csv.delimiter", std::string(";"));
        READ(page, folder_.path("use"));
        const auto steps = page.experiment.undo_stack()->count();
        auto* button = page.panel.findChild<QPushButton*>(QStringLiteral("data.use"));
        QVERIFY(button->isEnabled());
        QVERIFY(button->toolTip().contains("data.frequency"));
        button->click();
        const auto& config = page.experiment.config();
        QCOMPARE(QString::fromStdString(config.data.path), train);
        QCOMPARE(config.data.frequency, std::string("Yearly"));
        QCOMPARE(config.data.horizon, 6);
        QVERIFY(config.data_csv == config::Config::DataCsv{});
        QCOMPARE(page.experiment.undo_stack()->count(), steps + 1);
        QCOMPARE(button->accessibleName(), QString("This file is in use"));
        QCOMPARE(page.panel.usable_path(), QString());
        // The file name gives the same frequency; another one is another use.
        page.experiment.set("data.frequency", std::string());
        QCOMPARE(page.panel.usable_path(), QString());
        page.experiment.set("data.frequency", std::string("Hourly"));
        QCOMPARE(page.panel.usable_path(), train);
    }

    void a_table_resets_the_frequency() {
        Page page;
        (void)yearly("either");
        READ(page, folder_.path("either"));
        page.panel.use_current();
        QCOMPARE(page.experiment.config().data.frequency, std::string("Yearly"));
        const auto table = folder_.write("table.csv", test::hourly(100));
        READ(page, table);
        const auto steps = page.experiment.undo_stack()->count();
        page.panel.use_current();
        QCOMPARE(QString::fromStdString(page.experiment.config().data.path), table);
        QCOMPARE(page.experiment.config().data.frequency, std::string());
        QCOMPARE(page.experiment.undo_stack()->count(), steps + 1);
        QCOMPARE(page.panel.usable_path(), QString());
        // With a frequency the experiment would read the table as a collection.
        page.experiment.set("data.frequency", std::string("Daily"));
        QCOMPARE(page.panel.usable_path(), table);
    }

    /// A .tsf and JSON lines are shown and used like M4's files; a step that M4 does not have stays with the
    /// file.
    void files_of_other_libraries() {
        const std::string values = "1,2,3,4,5,6,7,8,9";
        const std::vector<std::pair<const char*, std::string>> files{
            {"few.tsf",
             "@relation x\n@attribute series_name string\n@frequency 10_minutes\n@horizon 4\n@data\nA:" +
                 values + "\nB:" + values + "\n"},
            {"few.jsonl", R"({"item_id": "A", "freq": "10min", "target": [)" + values + "]}\n" +
                              R"({"item_id": "B", "freq": "10min", "target": [)" + values + "]}\n"}};
        for (const auto& [name, text] : files) {
            Page page;
            const auto path = folder_.write(QString::fromLatin1(name), QByteArray::fromStdString(text));
            READ(page, path);
            QCOMPARE(ids(page.panel.collection()), (QStringList{"A", "B"}));
            page.experiment.set("data.frequency", std::string("Daily"));
            page.panel.use_current();
            const auto& config = page.experiment.config();
            QCOMPARE(QString::fromStdString(config.data.path), path);
            QCOMPARE(config.data.frequency, std::string());
            QCOMPARE(config.data.horizon, 4);
            QCOMPARE(page.panel.usable_path(), QString());
        }
        // Long files have decisions, which are shown with their reasons. No preset is for another horizon.
        Page page;
        QByteArray text = "site;Zeit;sales\n";
        for (const char* site : {"A", "B"})
            for (int hour = 0; hour < 24; ++hour)
                text += QByteArray(site) + ";01.03.2024 " + QByteArray::number(hour).rightJustified(2, '0') +
                        ":00;" + QByteArray::number(hour * 7 % 5) + ",5\n";
        READ(page, folder_.write("long.csv", text));
        const auto readings = page.panel.collection().readings();
        for (const char* part : {"Zeit", "comma", "data.csv.time_column", "site: its name"})
            QVERIFY2(readings.contains(part), qPrintable(readings));
        page.experiment.set("model.name", std::string("dlinear"));
        QCOMPARE(page.panel.collection().preset()->isVisible(),
                 page.panel.model().at(0).collection->horizon == 48);
    }

    void a_preset_is_offered() {
        Page page;
        const auto train = yearly("preset");
        READ(page, folder_.path("preset"));
        auto* preset = page.panel.collection().preset();
        QVERIFY(!preset->isVisible());  // not in use
        page.panel.use_current();
        QVERIFY(preset->isVisible());
        QCOMPARE(preset->text(), QString("Use preset m4-yearly"));
        const auto steps = page.experiment.undo_stack()->count();
        QSignalSpy message(&page.panel, &DataPanel::message);
        preset->click();
        const auto& config = page.experiment.config();
        QCOMPARE(config.preset, std::string("m4-yearly"));
        QCOMPARE(config.data.horizon, std::int64_t{6});
        QCOMPARE(config.data.frequency, std::string("Yearly"));
        QCOMPARE(QString::fromStdString(config.data.path), train);
        QCOMPARE(page.experiment.undo_stack()->count(), steps + 1);
        QCOMPARE(message.count(), 1);
        QVERIFY(!preset->isVisible());
        QCOMPARE(page.panel.usable_path(), QString());
        page.experiment.undo_stack()->undo();
        QVERIFY(page.experiment.config().preset.empty());
        QVERIFY(preset->isVisible());
        page.experiment.set("model.name", std::string("dlinear"));
        QCOMPARE(preset->text(), QString("Use preset dlinear-m4-yearly"));
    }

    void presets_of_models() {
        data::SeriesCollection hourly;
        hourly.frequency = *data::find_frequency("Hourly");
        hourly.horizon = 24;  // of the file, and not the preset's
        config::Config config;
        QCOMPARE(missing_preset(config, hourly), QString());
        hourly.horizon = 48;
        QCOMPARE(missing_preset(config, hourly), QString("m4-hourly"));
        config.model.name = "naive";
        QCOMPARE(missing_preset(config, hourly), QString("naive-m4-hourly"));
        config.preset = "dlinear-m4-hourly";  // of another model, but of these series
        QCOMPARE(missing_preset(config, hourly), QString());
        config.preset = "naive-m4-yearly";
        QCOMPARE(missing_preset(config, hourly), QString("naive-m4-hourly"));
        config.model.name = "no such model";
        QCOMPARE(missing_preset(config, hourly), QString());
    }

    void early_stopping_on_the_test_values_shades_nothing() {
        Page page;
        (void)yearly("stopping");
        READ(page, folder_.path("stopping"));
        const auto bands = [&] { return page.panel.collection().curve()->figure().plots[0].bands.size(); };
        QCOMPARE(bands(), std::size_t{1});
        page.experiment.set("data.m4_stopping", std::string("paper"));
        QCOMPARE(bands(), std::size_t{0});
        page.experiment.set("data.m4_stopping", std::string("holdout"));
        QCOMPARE(bands(), std::size_t{1});
    }

    void finding_a_channel_finds_a_series() {
        Page page;
        (void)yearly("find");
        READ(page, folder_.path("find"));
        page.panel.activateWindow();
        QApplication::setActiveWindow(&page.panel);
        page.panel.go_to_channel();
        auto& view = page.panel.collection();
        QTRY_VERIFY(view.filter()->hasFocus());
        QTest::keyClicks(view.filter(), "y11");
        QTest::keyClick(view.filter(), Qt::Key_Return);
        QTRY_VERIFY(view.list()->hasFocus());
        QCOMPARE(plotted(view), QString("Y11"));
    }

    void the_start_page_offers_folders_and_m4() {
        Page page;
        QSignalSpy fetch(&page.panel, &DataPanel::fetch_requested);
        auto* menu = page.panel.findChild<QPushButton*>("data.fetch")->menu();
        QStringList frequencies;
        for (const auto* action : menu->actions())
            if (action->menu() != nullptr)
                for (auto* one : action->menu()->actions()) {
                    frequencies << one->text().section(u':', 0, 0);
                    one->trigger();
                }
        QCOMPARE(frequencies, (QStringList{"M4-Yearly", "M4-Quarterly", "M4-Monthly", "M4-Weekly", "M4-Daily",
                                           "M4-Hourly"}));
        QCOMPARE(fetch.count(), 6);
        QCOMPARE(fetch[5][0].toString(), QString("M4-Hourly"));
        for (const auto* action : menu->actions()) QVERIFY2(!action->text().contains("-test"), "a test file");
    }

    void pages_follow_the_file() {
        Page page;
        const auto train = yearly("pages");
        const auto table = folder_.write("pages.csv", test::hourly(100));
        const auto rows = folder_.write("rows.csv", test::yearly_rows({{"a", 20}, {"b", 30}}, 6));
        READ(page, folder_.path("pages"), table, rows);
        QCOMPARE(page.panel.paths(), (QStringList{train, table, rows}));
        QTRY_VERIFY(!page.panel.model().at(0).busy && !page.panel.model().at(1).busy);
        auto& view = page.panel.collection();
        QVERIFY(view.isVisible());
        QCOMPARE(ids(view), (QStringList{"a", "b"}));
        page.panel.set_current(table);
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!view.isVisible() && page.panel.preview().isVisible());
        QCOMPARE(page.panel.preview().preview().rowCount(), 100);
        QVERIFY(view.curve()->figure().plots.empty());  // exports omit it
        page.panel.set_current(train);
        QVERIFY(view.isVisible() && !page.panel.preview().isVisible());
        QCOMPARE(ids(view).size(), 12);
        QCOMPARE(page.panel.preview().preview().rowCount(), 0);
    }

private:
    /// Y1 … Y12 with 13, 14, … training values.
    [[nodiscard]] QString yearly(const QString& name) const {
        std::vector<test::MadeSeries> series;
        for (int i = 1; i <= 12; ++i) series.push_back({"Y" + QByteArray::number(i), 12 + i});
        return test::write_m4(folder_.path(name), "Yearly", series, 6);
    }
    static QStringList ids(CollectionView& view) {
        QStringList ids;
        for (int row = 0; row < view.list()->model()->rowCount(); ++row)
            ids << view.list()->model()->index(row, 0).data().toString();
        return ids;
    }
    static QString plotted(CollectionView& view) {
        const auto& plots = view.curve()->figure().plots;
        return plots.empty() ? QString() : plots[0].title;
    }
    test::DataFolder folder_;
};

TEST_MAIN(TestDataCollections)
#include "test_data_collections.moc"
