#include <QSignalSpy>
#include <QTest>

#include "config/options.h"
#include "data/csv_settings.h"
#include "data_files.h"
#include "panels/data/data_model.h"
#include "state/session_json.h"
#include "test_program.h"

using namespace casp;
using casp::widgets::DataModel;

namespace {
bool idle(const DataModel& model) {
    for (int i = 0; i < model.count(); ++i)
        if (model.at(i).busy) return false;
    return true;
}
}  // namespace

class TestDataModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_several() {
        DataModel model;
        const QString a = folder_.write("a.csv", test::hourly(50));
        const QString b = folder_.write("b.csv", "x;y\n1,5;2\n2,5;3\n");
        QSignalSpy added(&model, &DataModel::added);
        QCOMPARE(model.open({a, b}), 1);
        QCOMPARE(added.count(), 2);
        QVERIFY(model.at(0).busy);  // it does not wait
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).table->rows(), 50);
        QCOMPARE(model.at(1).table->columns[0].values, (std::vector<double>{1.5, 2.5}));
        QVERIFY(!model.at(1).is_corrected());
        // The same file again: no second entry.
        QCOMPARE(model.open({a}), 0);
        QCOMPARE(model.count(), 2);
        QTRY_VERIFY(idle(model));
    }

    void bad_file_is_reported_and_others_are_kept() {
        DataModel model;
        const QString good = folder_.write("good.csv", test::hourly(30));
        const QString zip = folder_.write("bad.csv", QByteArray("PK\x03\x04", 4) + QByteArray(100, 'x'));
        model.open({good, zip, folder_.path("nowhere.csv")});
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).table != nullptr);
        QVERIFY(!model.at(0).problem.is_set());
        const auto& problem = model.at(1).problem;
        QVERIFY(problem.found.contains("zip file"));
        QCOMPARE(problem.expected, QString("a complete file"));
        QVERIFY(!problem.advice.isEmpty());
        QCOMPARE(problem.where, zip);
        QVERIFY(model.at(1).table == nullptr);
        QVERIFY(model.at(2).problem.is_set());
        QVERIFY(model.at(2).problem.where.contains("nowhere.csv"));
    }

    void correction_reads_again() {
        DataModel model;
        model.open({folder_.write("semi.csv", "a;b\n1,5;2,5\n3,5;4,5\n")});
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).table->columns.size(), std::size_t{2});
        config::Config::DataCsv options;
        options.header = "no";
        model.correct(0, options);
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).table->rows(), 3);  // the names are a row now
        QVERIFY(model.at(0).is_corrected());
        model.correct(0, {});
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).table->rows(), 2);
        QVERIFY(!model.at(0).is_corrected());
    }

    void failed_correction_keeps_the_table() {
        DataModel model;
        model.open({folder_.write("kept.csv", test::hourly(40))});
        QTRY_VERIFY(idle(model));
        const auto before = model.at(0).table;
        config::Config::DataCsv wrong;
        wrong.time_column = "no such column";
        model.correct(0, wrong);
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).problem.found.contains("no such column"));
        QCOMPARE(model.at(0).table, before);
        QVERIFY(!model.at(0).is_corrected());
        model.forget_problem(0);
        QVERIFY(!model.at(0).problem.is_set());
        QVERIFY(model.at(0).options == config::Config::DataCsv{});
    }

    void cancelled_rereading_keeps_the_table() {
        DataModel model;
        const QString path = folder_.write("grows.csv", "a,b\n1,2\n3,4\n");
        model.open({path});
        QTRY_VERIFY(idle(model));
        const auto before = model.at(0).table;
        folder_.write("grows.csv", test::large(1'000'000));
        config::Config::DataCsv options;
        options.header = "yes";
        model.correct(0, options);
        QVERIFY(model.at(0).busy);
        QSignalSpy cancelled(&model, &DataModel::cancelled);
        model.cancel(0);
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!model.at(0).busy);
        QTest::qWait(1500);  // the reading that was stopped must not come in later
        QCOMPARE(model.at(0).table, before);
        QVERIFY(model.at(0).options == config::Config::DataCsv{});
        QVERIFY(!model.at(0).problem.is_set());
    }

    void cancelled_first_reading_closes() {
        DataModel model;
        model.open(
            {folder_.write("small.csv", test::hourly(30)), folder_.write("big.csv", test::large(1'000'000))});
        QTRY_VERIFY(!model.at(0).busy);
        if (!model.at(1).busy) QSKIP("the machine read 30 MB before it could be cancelled");
        model.cancel(1);
        QCOMPARE(model.count(), 1);
        QTest::qWait(500);
        QCOMPARE(model.count(), 1);
        QCOMPARE(model.at(0).table->rows(), 30);
    }

    void progress_rises() {
        DataModel model;
        std::vector<double> shares;
        connect(&model, &DataModel::progressed, &model,
                [&](int index) { shares.push_back(model.at(index).share); });
        model.open({folder_.write("progress.csv", test::large(2'000'000))});
        QTRY_VERIFY_WITH_TIMEOUT(idle(model), 30000);
        QCOMPARE(model.at(0).table->rows(), 2'000'000);
        QVERIFY(!shares.empty());
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QVERIFY(shares.front() >= 0 && shares.back() <= 1);
    }

    void closing_while_reading_is_safe() {
        const QString path = folder_.write("closing.csv", test::large(500'000));
        for (int i = 0; i < 5; ++i) {
            DataModel model;
            model.open({path});
            QTest::qWait(i * 10);
            if (i % 2 == 0) model.close(0);
            QCOMPARE(model.count(), i % 2 == 0 ? 0 : 1);
        }
    }

    void latest_correction_wins() {
        DataModel model;
        model.open({folder_.write("race.csv", test::large(200'000))});
        QTRY_VERIFY(idle(model));
        config::Config::DataCsv options;
        for (const bool header : {false, true, false}) {
            options.header = header ? "yes" : "no";
            model.correct(0, options);
        }
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).table->format.has_header, false);
        QCOMPARE(model.at(0).table->rows(), 200'001);
        QTest::qWait(300);
        QCOMPARE(model.at(0).table->rows(), 200'001);
    }

    void a_folder_of_m4_opens_a_file_per_frequency() {
        DataModel model;
        const auto folder = folder_.path("m4");
        const auto yearly = test::write_m4(folder, "Yearly", {{"Y1", 20}, {"Y2", 13}}, 6);
        const auto hourly = test::write_m4(folder, "Hourly", {{"H1", 100}}, 48);
        QCOMPARE(widgets::training_files(folder), (QStringList{yearly, hourly}));
        QVERIFY(widgets::training_files(yearly).isEmpty());
        QCOMPARE(model.open({folder}), 1);
        QCOMPARE(model.at(0).path, yearly);
        QCOMPARE(model.at(1).path, hourly);
        QVERIFY(model.at(0).busy && !model.at(0).is_read());
        QTRY_VERIFY(idle(model));
        QVERIFY2(!model.at(0).problem.is_set(), qPrintable(model.at(0).problem.text()));
        const auto collection = model.at(0).collection;
        QVERIFY(collection != nullptr && model.at(0).table == nullptr && model.at(0).is_series);
        QCOMPARE(collection->ids, (std::vector<std::string>{"Y1", "Y2"}));
        QCOMPARE(collection->length(1), std::int64_t{13});
        QCOMPARE(collection->horizon, std::int64_t{6});
        QCOMPARE(collection->test_of(1).front(), 1013.0);
        QCOMPARE(model.at(1).collection->horizon, std::int64_t{48});
        // The same folder again: no further entries; its content is read again only if it has changed.
        QCOMPARE(model.open({folder}), 1);
        QCOMPARE(model.count(), 2);
        QCOMPARE(model.at(0).collection, collection);
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.at(0).collection, collection);
        QVERIFY(model.look_again(0));
    }

    void broken_collection_is_reported_with_advice() {
        DataModel model;
        const auto folder = folder_.path("broken");
        const auto train = test::write_m4(folder, "Yearly", {{"Y1", 20}}, 6);
        const auto test_file = folder + "/Test/Yearly-test.csv";
        QVERIFY(QFile::remove(test_file));
        model.open({folder});
        QTRY_VERIFY(idle(model));
        QVERIFY(!model.at(0).is_read() && model.at(0).is_series);
        QCOMPARE(model.at(0).problem.where, test_file);
        QVERIFY(!model.at(0).problem.advice.isEmpty());
        QVERIFY(model.look_again(0));  // nothing to compare with
        test::write_m4(folder, "Yearly", {{"Y1", 20}}, 6);
        model.retry(0);
        QTRY_VERIFY(idle(model));
        QVERIFY2(!model.at(0).problem.is_set(), qPrintable(model.at(0).problem.text()));
        const auto before = model.at(0).collection;
        // A failed reading keeps the series.
        test::write_file(train, "\"V1\",\"V2\"\n\"Y1\",1,x,3\n");
        model.retry(0);
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).problem.where.contains("Yearly-train.csv:2"));
        QCOMPARE(model.at(0).collection, before);
        model.forget_problem(0);
        QVERIFY(!model.at(0).problem.is_set());
    }

    void folder_without_series_is_reported() {
        DataModel model;
        folder_.write("plain/table.csv", test::hourly(50));
        model.open({folder_.path("plain")});
        QTRY_VERIFY(idle(model));
        QCOMPARE(model.count(), 1);
        QVERIFY2(model.at(0).problem.found.contains("this is a folder"),
                 qPrintable(model.at(0).problem.text()));
    }

    void a_changed_test_file_is_noticed() {
        DataModel model;
        const auto folder = folder_.path("changed");
        test::write_m4(folder, "Yearly", {{"Y1", 20}}, 6);
        model.open({folder});
        QTRY_VERIFY(idle(model));
        QVERIFY(model.look_again(0));
        test::write_file(folder + "/Test/Yearly-test.csv", "\"V1\",\"V2\"\n\"Y1\",1,2,3,4,5,60000\n");
        QVERIFY(!model.look_again(0));
        QVERIFY(model.at(0).outdated);
        model.retry(0);
        QTRY_VERIFY(idle(model));
        QVERIFY(model.look_again(0));
        QCOMPARE(model.at(0).collection->test_of(0).back(), 60000.0);
    }

    void a_table_can_become_a_collection() {
        DataModel model;
        const auto path = folder_.write("either.csv", test::hourly(50));
        model.open({path});
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).table != nullptr);
        folder_.write("either.csv", test::yearly_rows({{"a", 20}}, 6));
        config::Config::DataCsv header;
        header.header = "yes";
        model.correct(0, header);
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).table == nullptr && model.at(0).collection != nullptr);
        QVERIFY(!model.at(0).is_corrected());
        folder_.write("either.csv", test::hourly(60));
        model.retry(0);
        QTRY_VERIFY(idle(model));
        QVERIFY(model.at(0).collection == nullptr && !model.at(0).is_series);
        QCOMPARE(model.at(0).table->rows(), 60);
    }

    void a_session_keeps_every_correction() {
        config::Config config;
        auto& csv = config.data_csv;
        csv.encoding = "GB18030";
        csv.delimiter = "tab";
        csv.decimal = ",";
        csv.thousands = "'";
        csv.quote = "single";
        csv.header = "yes";
        csv.first_line = 3;
        csv.header_lines = 2;
        csv.unit_lines = 1;
        csv.footer_lines = 4;
        csv.comment = "%";
        csv.missing = {"Bad \"Input\"", "−"};
        csv.time_column = "Größe, y";
        csv.date_format = "excel-days";
        csv.hours = "ending";
        csv.time_zone = "Europe/Berlin";
        csv.order = "newest-first";
        csv.row_numbers = "channel";
        // A setting added later is set here, too, or this fails.
        for (const auto& option : config::options())
            if (option.section == "data.csv" && option.key != "data.csv.clock_column")
                QVERIFY2(option.get(config) != option.get(config::Config{}), option.key.c_str());
        QVERIFY(widgets::corrections_of(widgets::to_json(csv)) == csv);
        QVERIFY(widgets::corrections_of({}) == config::Config::DataCsv{});
        QVERIFY(!widgets::corrections_of({{"delimiter", ";"}}));  // of version 1.0
    }

private:
    test::DataFolder folder_;
};

TEST_MAIN_WITHOUT_GUI(TestDataModel)
#include "test_data_model.moc"
