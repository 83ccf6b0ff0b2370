// Recognition of known data sets by their values, in files that write them otherwise.

#include <functional>

#include "core/data/helpers.h"
#include "data/catalog.h"
#include "data/describe.h"
#include "data/known_data.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "data/time_text.h"
#include "helpers.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

using Row = QList<QByteArray>;
using Rows = QList<Row>;

/// Cells; the first row is the header.
Rows rows_of(const QByteArray& csv) {
    Rows rows;
    for (const auto& line : csv.trimmed().split('\n')) rows << line.trimmed().split(',');
    return rows;
}

QByteArray csv_of(const Rows& rows, const QByteArray& line_end = "\n", char delimiter = ',') {
    QByteArray text;
    for (const auto& row : rows) text += row.join(delimiter) + line_end;
    return text;
}

/// Changes every cell below the header and beside the date.
Rows each_value(Rows rows, const std::function<QByteArray(const QByteArray&)>& change) {
    for (qsizetype r = 1; r < rows.size(); ++r)
        for (qsizetype c = 1; c < rows[r].size(); ++c) rows[r][c] = change(rows[r][c]);
    return rows;
}

Rows rounded(const Rows& rows, int decimals) {
    return each_value(
        rows, [&](const QByteArray& cell) { return QByteArray::number(cell.toDouble(), 'f', decimals); });
}

}  // namespace

/// The sample with the fingerprint that datasets/fingerprint.py computes is a data set of an own catalogue.
class TestKnownData : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    Rows sample_;
    CatalogEntry entry_;

    Table read_text(const QByteArray& text) const {
        const auto path = place_.filePath("file.csv");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("the disk is full");
        file.close();
        return *read_table(path.toStdString());
    }
    Likeness like(const QByteArray& text) const { return likeness_of(read_text(text), entry_); }
    Likeness like(const Rows& rows) const { return like(csv_of(rows)); }

    /// The shared file as written otherwise, or a skip.
    static Rows official(const char* name) {
        const auto bytes = bytes_of(QString(CASP_SHARED_DATA) + "/" + name);
        return bytes.isEmpty() ? Rows() : rows_of(bytes);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", QFile::encodeName(place_.path()));
        const QString sample = QStringLiteral(CASP_SOURCE_DIR "/datasets/sample.csv");
        sample_ = rows_of(bytes_of(sample));
        QProcess python;
        python.start("python3", {QStringLiteral(CASP_SOURCE_DIR "/datasets/fingerprint.py"), sample});
        if (!python.waitForStarted()) QSKIP("no python3 here");
        QVERIFY(python.waitForFinished(60000) && python.exitCode() == 0);
        entry_ = parse_catalog(
                     "[[entry]]\nname = \"Sample\"\nkind = \"csv\"\nfile = \"s.csv\"\nhome = \"h\"\n"
                     "licence = \"l\"\nsplit = \"ratio\"\nrows = 17520\nchannels = 7\n"
                     "step_seconds = 3600\n" +
                     python.readAllStandardOutput().toStdString())
                     .front();
    }

    void other_forms_are_the_same_data_set_data() {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const QByteArray& text) { QTest::newRow(name) << text; };
        auto rows = sample_;
        row("as it is", csv_of(rows));
        row("trailing zeros", csv_of(each_value(rows, [](const auto& cell) { return cell + "00"; })));
        row("CRLF", csv_of(rows, "\r\n"));
        row("byte-order mark", "\xef\xbb\xbf" + csv_of(rows));
        row("semicolons and commas",
            csv_of(each_value(rows, [](QByteArray cell) { return cell.replace('.', ','); }), "\n", ';'));
        for (qsizetype r = 0; r < rows.size(); ++r) rows[r].prepend(r == 0 ? "" : QByteArray::number(r - 1));
        row("row numbers", csv_of(rows));
        rows = sample_;
        for (qsizetype r = 1; r < rows.size(); ++r) {
            const auto& date = rows[r][0];
            rows[r][0] = date.mid(8, 2) + '/' + date.mid(5, 2) + '/' + date.left(4) + date.mid(10);
        }
        row("day first", csv_of(rows));
        rows = sample_;
        for (qsizetype r = 1; r < rows.size(); ++r)
            rows[r][0] = QByteArray::number(44562 + static_cast<double>(r - 1) / 24, 'f', 6);
        row("spreadsheet days", csv_of(rows));
        rows = sample_;
        std::reverse(rows.begin() + 1, rows.end());
        row("newest first", csv_of(rows));
        rows = sample_;
        for (auto& cells : rows) cells.swapItemsAt(1, 7);
        row("reordered", csv_of(rows));
        rows = sample_;
        for (qsizetype c = 1; c < rows[0].size(); ++c) rows[0][c] = "x" + QByteArray::number(c);
        row("renamed", csv_of(rows));
        for (auto& cells : rows) cells.swapItemsAt(2, 5);
        row("reordered and renamed", csv_of(rows));
        rows = sample_;
        for (auto& cells : rows) cells.removeFirst();
        row("no dates", csv_of(rows));
        rows = sample_;
        for (qsizetype r = 1; r < rows.size(); ++r) rows[r][0].replace(0, 4, r < 8761 ? "2018" : "2019");
        row("other times", csv_of(rows));
    }
    void other_forms_are_the_same_data_set() {
        QFETCH(QByteArray, text);
        const auto likeness = like(text);
        QCOMPARE(QString::fromStdString(likeness.difference), QString());
        QVERIFY(likeness.kind == Likeness::Kind::same);
        QVERIFY(likeness.compared.empty() && !likeness.rounded);  // all values
    }

    void rounded_values_are_said_to_be_rounded() {
        for (const int decimals : {3, 2, 1, 0}) {
            const auto likeness = like(rounded(sample_, decimals));
            QVERIFY(likeness.kind == Likeness::Kind::same && likeness.rounded);
            QVERIFY(!likeness.compared.empty());  // not every value
        }
        // Stored in single precision: nothing is lost of four decimals.
        const auto single = like(each_value(sample_, [](const auto& cell) {
            return QByteArray::number(static_cast<double>(cell.toFloat()), 'g', 17);
        }));
        QVERIFY(single.kind == Likeness::Kind::same && !single.rounded && single.compared.empty());
    }

    void changed_values_are_another_data_set_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("difference");
        const auto row = [](const char* name, const Rows& rows, const QString& difference) {
            QTest::newRow(name) << csv_of(rows) << difference;
        };
        auto rows = sample_;
        rows[5000][3] = "9.8780";
        row("one value", rows, "values of MVAL differ");
        for (qsizetype r = 100; r < 112; ++r) rows[r][1] = "0.0001";
        row("two channels", rows, "values of HVAL, MVAL differ");
        rows = sample_;
        std::swap(rows[500], rows[501]);
        std::swap(rows[500][0], rows[501][0]);
        row("order", rows, "values differ, or are in another order");
        rows = sample_;
        for (const auto r : {20, 30, 40}) rows[r][2].clear();
        row("missing", rows, "3 values are missing");
        rows = sample_;
        rows[1][1] = "1";
        row("first row", rows, "1 of the 14 compared values of its first and last row differ");
        rows = sample_;
        rows.remove(9000, 100);
        row("fewer rows", rows, "it has 100 rows fewer");
        rows = sample_.mid(0, 1) + sample_.mid(2001);
        row("the end", rows, "it has 2,000 rows fewer");
        rows = sample_.mid(0, 2001);
        row("the beginning", rows, "it has 15,520 rows fewer");
        rows = sample_ + Rows{sample_.back()};
        rows.back()[0] = "2024-01-01 00:00:00";
        row("one more row", rows, "it has 1 row more");
        rows = sample_;
        for (auto& cells : rows) cells.removeAt(3);
        row("fewer channels", rows, "it has no channel MVAL");
        rows = sample_;
        for (qsizetype r = 0; r < rows.size(); ++r) rows[r] << (r == 0 ? "extra" : QByteArray::number(r % 7));
        row("more channels", rows, "it has the further channel extra");
        rows =
            each_value(sample_, [](const auto& cell) { return QByteArray::number(cell.toDouble() / 7 - 3); });
        row("scaled", rows, "14 of the 14 compared values of its first and last row differ");
        rows = rounded(sample_, 2);
        for (qsizetype r = 100; r < 300; ++r) rows[r][7] = "99.00";
        row("rounded and changed", rows, "values of OT differ");
    }
    void changed_values_are_another_data_set() {
        QFETCH(QByteArray, text);
        QFETCH(QString, difference);
        const auto likeness = like(text);
        QVERIFY(likeness.kind == Likeness::Kind::similar);
        QCOMPARE(QString::fromStdString(likeness.difference), difference);
    }

    void other_tables_are_no_data_set() {
        auto rows = sample_;
        for (qsizetype c = 1; c < 8; ++c) rows[0][c] = "x" + QByteArray::number(c);
        rows =
            each_value(rows, [](const auto& cell) { return QByteArray::number(cell.toDouble() * 3 + 50); });
        QVERIFY(like(rows).kind == Likeness::Kind::other);
        QVERIFY(like("date,a\n2022-01-01,1\n2022-01-02,2\n").kind == Likeness::Kind::other);
        QVERIFY(likeness_of(read_text(csv_of(sample_)), CatalogEntry()).kind == Likeness::Kind::other);
        // The sample is none of the catalogue's, and looks like none.
        const auto known = known_data(read_text(csv_of(sample_)));
        QVERIFY(known.entry == nullptr && known.like.empty() && known.doubt.empty());
    }

    /// Without decimals, sums and digest only the ends are known, and this is said.
    void without_all_values() {
        auto entry = entry_;
        entry.content->decimals.clear();
        entry.content->sums.clear();
        entry.content->values.clear();
        const auto likeness = likeness_of(read_text(csv_of(sample_, "\r\n")), entry);
        QVERIFY(likeness.kind == Likeness::Kind::same);
        QCOMPARE(likeness.compared, std::string("rows, channels, first and last row and times"));
        auto rows = sample_;
        for (qsizetype r = 1; r < rows.size(); ++r) rows[r][0].replace(0, 4, r < 8761 ? "2018" : "2019");
        QCOMPARE(likeness_of(read_text(csv_of(rows)), entry).difference, std::string("its times differ"));
    }

    void official_files_in_other_bytes() {
        struct Case {
            const char* file;
            const char* name;
            const char* split;
            const char* batching;
        };
        for (const auto& one : {Case{"ETTh1.csv", "ETTh1", "ett-hourly", "multi-channel"},
                                Case{"ETTh2.csv", "ETTh2", "ett-hourly", "multi-channel"},
                                Case{"ETTm1.csv", "ETTm1", "ett-minutely", "multi-channel"},
                                Case{"weather.csv", "Weather", "ratio", "single-channel"}}) {
            const auto rows = official(one.file);
            if (rows.isEmpty()) QSKIP("the files are not here");
            const bool crlf = QByteArray(one.file) != "weather.csv";
            for (const auto& text : {csv_of(rows, crlf ? "\r\n" : "\n"), csv_of(rounded(rows, 4))}) {
                const auto table = read_text(text);
                const auto known = known_data(table);
                QVERIFY2(known.entry != nullptr, (one.name + (": " + known.doubt)).english().c_str());
                QCOMPARE(known.entry->name, std::string(one.name));
                QVERIFY(known.how == KnownData::How::content);
                QCOMPARE(known.doubt, std::string());
            }
            config::Config config;
            config.data.path = place_.filePath("file.csv").toStdString();
            const auto data = *prepare_data(config);
            QCOMPARE(data.name, std::string(one.name));
            QCOMPARE(data.plan.rule.rule, std::string(one.split));
            QCOMPARE(data.single_channel, std::string(one.batching) == "single-channel");
            QVERIFY(of_kind(data.table, WarningKind::catalog).empty());
            const auto known = known_data(data.table);
            VERIFY_MESSAGE(origin_text(known), std::string(one.name) + " (");
            VERIFY_MESSAGE(origin_text(known), "), by its content");
            VERIFY_MESSAGE(describe(data.table, &data.plan, known), std::string("data set    ") + one.name);
        }
    }

    void official_values_that_were_changed() {
        auto rows = official("ETTh1.csv");
        if (rows.isEmpty()) QSKIP("ETTh1.csv is not here");
        for (qsizetype r = 100; r < 112; ++r) rows[r][7] = "17.5";
        (void)read_text(csv_of(rows));
        config::Config config;
        config.data.path = place_.filePath("file.csv").toStdString();
        auto data = *prepare_data(config);
        QVERIFY(data.entry == nullptr);
        QCOMPARE(data.plan.rule.rule, std::string("ratio"));
        auto warnings = of_kind(data.table, WarningKind::catalog);
        QCOMPARE(warnings.size(), std::size_t{1});
        VERIFY_MESSAGE(warnings[0].text, "the file looks like ETTh1, but values of OT differ: it is not");
        // Its times and columns only: either of two.
        rows = each_value(official("ETTh1.csv"),
                          [](const auto& cell) { return QByteArray::number(cell.toDouble() / 7 - 30); });
        const auto known = known_data(read_text(csv_of(rows)));
        VERIFY_MESSAGE(known.like, "it looks like ETTh1 or ETTh2, but 14 of the 14 compared values of its");
        QCOMPARE(origin_text(known), "not in the catalogue; " + known.like);
    }

    /// ETTm2, Exchange and ILI are known by their first and last rows only.
    void known_by_first_and_last_rows() {
        for (const char* name : {"ETTm2", "Exchange", "ILI"}) {
            const auto& entry = catalog_entry(name);
            const auto& content = *entry.content;
            QByteArray text = "date";
            for (const auto& channel : content.channels) text += "," + QByteArray::fromStdString(channel);
            text += "\n";
            for (std::int64_t r = 0; r < entry.rows; ++r) {
                const auto time = content.first + static_cast<double>(r) * entry.step_seconds;
                text += QByteArray::fromStdString(format_time(time));
                const auto& row = r + 1 == entry.rows ? content.last_row : content.first_row;
                for (std::size_t c = 0; c < content.channels.size(); ++c)
                    text += "," + (r > 0 && r + 1 < entry.rows
                                       ? QByteArray::number(0.125 * static_cast<double>(r % 97), 'f', 6)
                                   : c < row.size() ? QByteArray::number(row[c], 'g', 17)
                                                    : QByteArray("0.5"));
                text += "\n";
            }
            const auto known = known_data(read_text(text));
            QVERIFY2(known.entry == &entry, name);
            VERIFY_MESSAGE(known.doubt, std::string("the file is taken as ") + name +
                                            ", since its rows, channels, first and last row and times agree");
        }
    }

    void sizes_without_values() {
        Table table;
        const auto sized = [&](std::int64_t rows, std::size_t channels, double step) {
            table.columns.assign(channels, {"c", std::vector<double>(static_cast<std::size_t>(rows)), 0});
            table.step.seconds = step;
            return known_data(table);
        };
        auto known = sized(17544, 862, 3600);
        QVERIFY(known.entry == nullptr && known.doubt.empty());
        VERIFY_MESSAGE(origin_text(known), "not in the catalogue; it looks like Traffic");
        known = sized(52560, 137, 0);
        VERIFY_MESSAGE(known.like, "it looks like Solar");
        known = sized(17856, 170, 300);
        VERIFY_MESSAGE(known.doubt, "data.split = [0.6, 0.2, 0.2]");
        known = sized(17856, 170, 3600);
        QVERIFY(known.like.empty() && known.doubt.empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestKnownData)
#include "test_known_data.moc"
