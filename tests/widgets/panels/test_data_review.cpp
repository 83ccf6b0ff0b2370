#include <cmath>

#include <QFileInfo>
#include <QTest>

#include "config/options.h"
#include "data/csv_import.h"
#include "data/prepared.h"
#include "data_files.h"
#include "figures/numbers.h"
#include "panels/data/data_figure.h"
#include "panels/data/data_review.h"
#include "panels/data/data_words.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::widgets;
using casp::test::shared_file;

namespace {

data::Table read(const QString& path) { return data::import_csv(path.toStdString()); }

data::Table parse(const QByteArray& text) { return data::parse_csv(text.toStdString(), "test.csv"); }

config::Config config_of(const QString& path, const char* missing, std::vector<double> sentinels) {
    config::Config config;
    config.data.path = path.toStdString();
    config.data.missing = missing;
    config.data.sentinels = std::move(sentinels);
    return config;
}

/// 4,000 hourly rows of two channels, with `special` in place of some cells of the second.
QByteArray rows_with(const QByteArray& special, int first, int count) {
    QByteArray text = "a,b\n";
    for (int i = 0; i < 4000; ++i) {
        text += QByteArray::number(std::sin(i * 0.1), 'g', 17) + ",";
        text += i >= first && i < first + count ? special : QByteArray::number(std::cos(i * 0.07), 'g', 17);
        text += "\n";
    }
    return text;
}

figures::Style style() { return figures::light_style(); }

}  // namespace

class TestDataReview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agrees_with_a_run_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("missing");
        QTest::addColumn<double>("sentinel");
        QTest::newRow("sample") << QStringLiteral(CASP_SOURCE_DIR "/datasets/sample.csv") << "error" << 0.0;
        QTest::newRow("ETTh1") << shared_file("ETTh1.csv") << "error" << 0.0;
        QTest::newRow("weather keep") << shared_file("weather.csv") << "keep" << 0.0;
        QTest::newRow("weather interpolate") << shared_file("weather.csv") << "interpolate" << -9999.0;
        QTest::newRow("weather drop") << shared_file("weather.csv") << "drop-column" << -9999.0;
    }

    void agrees_with_a_run() {
        QFETCH(QString, file);
        QFETCH(QString, missing);
        QFETCH(double, sentinel);
        if (!QFileInfo::exists(file)) QSKIP("the file is not here");
        std::vector<double> sentinels;
        if (sentinel != 0) sentinels.push_back(sentinel);
        const auto config = config_of(file, missing.toLatin1(), sentinels);
        const auto prepared = *data::prepare_data(config);
        const auto review = review_data(read(file), choices_of(config));
        QVERIFY(!review.problem().is_set());
        QVERIFY(review.plan.has_value());
        QCOMPARE(review.plan->part_rows, prepared.plan.part_rows);
        QCOMPARE(review.plan->test.windows, prepared.plan.test.windows);
        QCOMPARE(review.single_channel, prepared.single_channel);
        QCOMPARE(review.known.entry, prepared.entry);
        std::size_t at = 0;
        for (const auto& channel : review.channels) {
            if (channel.fate == ChannelFate::left_out) continue;
            QVERIFY(at < prepared.table.columns.size());
            QCOMPARE(channel.name.toStdString(), prepared.table.columns[at].name);
            QVERIFY(channel.mean == prepared.scaler.mean[at]);  // to the last bit
            QVERIFY((channel.constant ? 1.0 : channel.deviation) == prepared.scaler.std[at]);
            ++at;
        }
        QCOMPARE(at, prepared.table.columns.size());
        QCOMPARE(review.used, static_cast<std::int64_t>(at));
    }

    void weather_markers() {
        const QString file = shared_file("weather.csv");
        if (!QFileInfo::exists(file)) QSKIP("weather.csv is not here");
        const auto table = read(file);
        const auto review = review_data(table, {});
        QVERIFY(review.known.entry != nullptr);
        QCOMPARE(review.known.entry->name, std::string("Weather"));
        const auto suspects = review.suspects();
        QVERIFY(!suspects.empty());
        std::int64_t cells = 0;
        for (const auto& column : table.columns)
            for (const double v : column.values) cells += v == -9999 ? 1 : 0;
        QVERIFY(cells > 0);
        QCOMPARE(suspects[0].value, -9999.0);
        QCOMPARE(suspects[0].count, cells);
        QVERIFY(suspects[0].channels.contains(QStringLiteral("OT")));
        const QString words = describe_missing(review);
        QVERIFY2(words.contains("-9999") && words.contains("383.96") && words.contains("18.18"),
                 qPrintable(words));
        DataChoices listed;
        listed.sentinels = {-9999};
        const auto refused = review_data(table, listed);
        QVERIFY(refused.problem().is_set());
        QCOMPARE(refused.missing_cells, cells);
        QVERIFY(refused.suspects().empty());
    }

    void missing_cells() {
        const auto table = parse(rows_with("", 100, 3));
        DataChoices choices;
        auto review = review_data(table, choices);
        QCOMPARE(review.channels[1].fate, ChannelFate::refused);
        QCOMPARE(review.channels[1].missing, 3);
        QVERIFY2(review.problem().found.contains("3 cells"), qPrintable(review.problem().found));
        QVERIFY(review.problem().advice.contains("interpolate"));
        choices.missing = "interpolate";
        review = review_data(table, choices);
        QCOMPARE(review.channels[1].fate, ChannelFate::filled);
        QVERIFY(review.channels[1].remark.contains("at most 3 in a row"));
        QVERIFY(!review.problem().is_set());
        QCOMPARE(review.used, 2);
        choices.missing = "drop-column";
        review = review_data(table, choices);
        QCOMPARE(review.channels[1].fate, ChannelFate::left_out);
        QCOMPARE(review.used, 1);
        choices.missing = "keep";
        review = review_data(table, choices);
        QCOMPARE(review.channels[1].fate, ChannelFate::refused);
        choices.columns = {"a"};
        review = review_data(table, choices);
        QCOMPARE(review.channels[1].fate, ChannelFate::not_selected);
        QVERIFY(!review.problem().is_set());
        choices.sentinels = {-77};
        QCOMPARE(review_data(table, choices).nowhere, (std::vector<double>{-77}));
    }

    void missing_columns_are_reported() {
        DataChoices choices;
        choices.columns = {"A1"};
        const auto review = review_data(parse(rows_with("1", 0, 0)), choices);
        QVERIFY(review.problem().found.contains("A1"));
        QVERIFY(review.problem().advice.contains("\"a\""));
    }

    void too_short_for_a_window() {
        const auto review = review_data(parse("a,b\n1,2\n3,4\n5,6\n"), {});
        QVERIFY(!review.plan.has_value());
        QCOMPARE(review.problem().where, QString("data.split"));
        QVERIFY(review.problem().advice.contains("rows"));
        QCOMPARE(review.scaler_rows, 3);
        QCOMPARE(review.channels[0].mean, 3.0);
    }

    void etth1_borders() {
        const QString file = shared_file("ETTh1.csv");
        if (!QFileInfo::exists(file)) QSKIP("ETTh1.csv is not here");
        const auto table = read(file);
        const auto review = review_data(table, {});
        const auto axis = ChannelAxis::of(table, true);
        QVERIFY(axis->time);
        const auto bands = split_bands(*axis, *review.plan, style(), true);
        QCOMPARE(bands.size(), std::size_t{3});
        QCOMPARE(bands[0].label, QString("train"));
        QCOMPARE(bands[0].from, table.time[0]);
        QCOMPARE(bands[0].to, table.time[8640]);
        QCOMPARE(bands[1].to, table.time[8640 + 2880]);
        QCOMPARE(bands[2].from, table.time[11520]);
        QCOMPARE(bands[2].to, table.time[14400]);  // later rows are never used
        const QString words = describe_split(table, review, {});
        QVERIFY2(words.contains("8,640") && words.contains("3,020") && words.contains("2017-06-26"),
                 qPrintable(words));
    }

    void borders_over_rows() {
        const auto table = parse(rows_with("1", 0, 0));
        const auto axis = ChannelAxis::of(table, true);
        QVERIFY(!axis->time);
        const auto review = review_data(table, {});
        const auto bands = split_bands(*axis, *review.plan, style(), false);
        QCOMPARE(bands[0].to, 2800.0);
        QCOMPARE(bands[1].to, 3200.0);
        QCOMPARE(bands[2].to, 3999.0);
        QVERIFY(bands[0].label.isEmpty());
    }

    void extremes_survive() {
        data::Table table;
        data::Column column{"x", std::vector<double>(1'000'000), 0};
        for (std::size_t i = 0; i < column.values.size(); ++i)
            column.values.edit()[i] = std::sin(double(i) * 0.01);
        column.values.edit()[123'456] = 50;
        column.values.edit()[777'777] = -60;
        table.columns.push_back(column);
        const auto axis = ChannelAxis::of(table, true);
        ChannelFigureOptions options;
        options.channels = {0};
        options.pixel_columns = 800;
        QElapsedTimer clock;
        clock.start();
        const auto figure = channel_figure(table, *axis, nullptr, options, style());
        qInfo("a million rows reduced in %lld ms", static_cast<long long>(clock.elapsed()));
        const auto& series = figure.plots.at(0).series.at(0);
        QVERIFY(series.x.size() <= 4 * 801);
        QCOMPARE(*std::max_element(series.y.begin(), series.y.end()), 50.0);
        QCOMPARE(*std::min_element(series.y.begin(), series.y.end()), -60.0);
        QVERIFY(std::is_sorted(series.x.begin(), series.x.end()));
        QCOMPARE(series.x.front(), 0.0);
        QCOMPARE(series.x.back(), 999'999.0);
    }

    void numbers_are_every_row() {
        auto table = std::make_shared<data::Table>();
        data::Column column{"x", std::vector<double>(100'000), 0};
        for (std::size_t i = 0; i < column.values.size(); ++i)
            column.values.edit()[i] = double(i * 7919 % 1013);
        column.values.edit()[70'001] = -999;
        table->columns.push_back(column);
        const auto axis = ChannelAxis::of(*table, true);
        ChannelFigureOptions options;
        options.channels = {0};
        options.pixel_columns = 100;
        options.left_out = {-999};
        figures::Figure figure = channel_figure(*table, *axis, nullptr, options, style());
        QVERIFY(figure.plots.at(0).series.at(0).x.size() < 1000);
        QVERIFY(figure.caption.contains("the CSV has every row"));
        figure.numbers = channel_numbers(table, axis, nullptr, options);
        QCOMPARE(figures::row_count(figure), std::int64_t{100'000});
        auto numbers = figures::numbers_of(figure);
        QCOMPARE(numbers.columns, (QStringList{"plot", "series", "x", "y"}));
        QCOMPARE(numbers.rows.size(), std::size_t{100'000});
        QCOMPARE(numbers.rows[12'345],
                 (QStringList{"x", "x", "12345", figures::exact_text(column.values[12'345])}));
        QCOMPARE(numbers.rows[70'001][3], QString());

        // The stretch that is looked at, as it is drawn.
        options.range = std::make_pair(50'000.0, 50'300.0);
        options.overlay = options.scaled = true;
        DataReview review;
        review.channels.resize(1);
        review.channels[0].mean = 500;
        review.channels[0].deviation = 4;
        figure.numbers = channel_numbers(table, axis, &review, options);
        numbers = figures::numbers_of(figure);
        QCOMPARE(numbers.rows.size(), std::size_t{301});
        QCOMPARE(figures::row_count(figure), std::int64_t{301});
        QCOMPARE(numbers.rows[7], (QStringList{"(x − μ) / σ", "x", "50007",
                                               figures::exact_text((column.values[50'007] - 500) / 4)}));
    }

    void zoomed_stretch_is_exact() {
        data::Table table;
        data::Column column{"x", std::vector<double>(100'000), 0};
        for (std::size_t i = 0; i < column.values.size(); ++i)
            column.values.edit()[i] = double(i * 7919 % 1013);
        table.columns.push_back(column);
        const auto axis = ChannelAxis::of(table, true);
        ChannelFigureOptions options;
        options.channels = {0};
        options.range = std::make_pair(50'000.0, 50'300.0);
        options.pixel_columns = 600;
        const auto figure = channel_figure(table, *axis, nullptr, options, style());
        const auto& series = figure.plots.at(0).series.at(0);
        QVERIFY(std::is_sorted(series.x.begin(), series.x.end()));
        // Every row of the stretch is there, and the whole length still is the axis.
        for (int row = 50'000; row <= 50'300; ++row) {
            const auto at = std::lower_bound(series.x.begin(), series.x.end(), double(row));
            QVERIFY(at != series.x.end());
            QCOMPARE(*at, double(row));
            QCOMPARE(series.y[static_cast<std::size_t>(at - series.x.begin())],
                     column.values[static_cast<std::size_t>(row)]);
        }
        QCOMPARE(figure.plots[0].x.min.value(), 0.0);
        QCOMPARE(figure.plots[0].x.max.value(), 99'999.0);
        QCOMPARE(series.x.front(), 0.0);
        QCOMPARE(series.x.back(), 99'999.0);
    }

    void gaps_break_the_line() {
        const auto table = parse(rows_with("", 1000, 500));
        const auto axis = ChannelAxis::of(table, true);
        ChannelFigureOptions options;
        options.channels = {1};
        const auto figure = channel_figure(table, *axis, nullptr, options, style());
        const auto& y = figure.plots.at(0).series.at(0).y;
        QVERIFY(std::any_of(y.begin(), y.end(), [](double v) { return std::isnan(v); }));
    }

    void decreasing_times_are_not_used_as_axis() {
        const auto table = parse("date,a\n2020-01-02,1\n2020-01-01,2\n2020-01-02,3\n");
        QVERIFY(!table.time.empty());
        QVERIFY(!ChannelAxis::has_time(table));
        const auto axis = ChannelAxis::of(table, true);
        QVERIFY(!axis->time);
        QCOMPARE(axis->x, (std::vector<double>{0, 1, 2}));
    }

    void scaled_values() {
        const auto table = parse(rows_with("1", 0, 0));
        const auto review = review_data(table, {});
        const auto axis = ChannelAxis::of(table, true);
        ChannelFigureOptions options;
        options.channels = {0, 1};
        options.overlay = true;
        options.scaled = true;
        options.pixel_columns = 10'000;  // every row stays
        const auto figure = channel_figure(table, *axis, &review, options, style());
        QCOMPARE(figure.plots.size(), std::size_t{1});
        QCOMPARE(figure.plots[0].series.size(), std::size_t{2});
        const auto& series = figure.plots[0].series[0];
        QCOMPARE(series.y.size(), std::size_t{4000});
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 2800; ++i) {
            sum += series.y[static_cast<std::size_t>(i)];
            squares += series.y[static_cast<std::size_t>(i)] * series.y[static_cast<std::size_t>(i)];
        }
        QVERIFY(std::fabs(sum / 2800) < 1e-12);
        QVERIFY(std::fabs(squares / 2800 - 1) < 1e-12);
    }

    void stops() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)review_data(parse("a\n1\n2\n"), {}, stop.get_token()));
    }
};

TEST_MAIN_WITHOUT_GUI(TestDataReview)
#include "test_data_review.moc"
