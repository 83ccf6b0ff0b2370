// Compressed data files and zip archives of one: the same table and digest as of the file itself.

#include <archive.h>
#include <archive_entry.h>

#include <fstream>
#include <QTemporaryDir>

#include "core/data/helpers.h"
#include "data/file_bytes.h"
#include "data/packed_file.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "data/series_collection.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp;
using namespace casp::data;
namespace fs = std::filesystem;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

void pack(const fs::path& path, const std::string& filter, const Files& files) {
    auto* file = archive_write_new();
    if (filter == "zip")
        archive_write_set_format_zip(file);
    else
        archive_write_set_format_raw(file);
    if (filter != "zip") QVERIFY(archive_write_add_filter_by_name(file, filter.c_str()) == ARCHIVE_OK);
    archive_write_set_options(file, "hdrcharset=UTF-8");
    QCOMPARE(archive_write_open_filename(file, path.c_str()), ARCHIVE_OK);
    for (const auto& [name, bytes] : files) {
        auto* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_write_header(file, entry);
        QCOMPARE(archive_write_data(file, bytes.data(), bytes.size()), static_cast<la_ssize_t>(bytes.size()));
        archive_entry_free(entry);
    }
    QCOMPARE(archive_write_free(file), ARCHIVE_OK);
}

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// 3,000 rows, more than one block of any reader.
std::string table_text() {
    std::string text = "date,load,temperature\n";
    for (int i = 0; i < 3000; ++i) {
        const int day = i / 24, hour = i % 24;
        char line[80];
        std::snprintf(line, sizeof line, "2020-%02d-%02d %02d:00,%d.%03d,%d\n", 1 + day / 28, 1 + day % 28,
                      hour, i * 7919 % 1000, i * 104729 % 1000, i % 40 - 10);
        text += line;
    }
    return text;
}

}  // namespace

class TestPackedFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const std::string text_ = table_text();
    [[nodiscard]] fs::path in(const std::string& name) const {
        return fs::path(folder_.path().toStdString()) / name;
    }
    [[nodiscard]] std::string refusal(const fs::path& path) const {
        return input_message([&] { (void)read_table(path); });
    }

private Q_SLOTS:
    void packed_file_equals_the_plain_file_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("origin");
        QTest::newRow("gz") << "gzip"
                            << "gzip";
        QTest::newRow("bz2") << "bzip2"
                             << "bzip2";
        QTest::newRow("xz") << "xz"
                            << "xz";
        QTest::newRow("zst") << "zstd"
                             << "Zstandard";
        QTest::newRow("zip") << "zip"
                             << "\"x.csv\" in a zip archive";
    }
    void packed_file_equals_the_plain_file() {
        QFETCH(QString, filter);
        QFETCH(QString, origin);
        const auto plain = in("plain.csv"), packed = in("packed." + std::string(QTest::currentDataTag()));
        put(plain, text_);
        pack(packed, filter.toStdString(), {{"x.csv", text_}});
        QVERIFY(fs::file_size(packed) < text_.size());
        const auto expected = *read_table(plain), table = *read_table(packed);
        QCOMPARE(table.rows(), std::int64_t{3000});
        QCOMPARE(names(table), names(expected));
        QCOMPARE(table.time, expected.time);
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            QCOMPARE(table.columns[i].values, expected.columns[i].values);
        QCOMPARE(table.sha256, sha256_of(text_));
        QCOMPARE(content_digest(packed), sha256_of(text_));
        QCOMPARE(head_of_content(packed, 20, "a file"), text_.substr(0, 20));
        config::Config config;
        config.data.path = packed.string();
        QCOMPARE(dataset_digest(config.data.path, ""), sha256_of(text_));
        const auto said =
            std::any_of(table.readings.begin(), table.readings.end(), [&](const Reading& reading) {
                return reading.what == "unpacked" && reading.found == origin.toStdString();
            });
        QVERIFY(said);
        // A byte less is damage wherever it lacks; so is a changed bit, which a check sum finds.
        const auto whole = content(packed);
        for (const auto size : {whole.size() - 1, whole.size() - 9, whole.size() / 2}) {
            if (filter == "zip" && size != whole.size() / 2) continue;  // its directory is at the end
            put(packed, whole.substr(0, size));
            VERIFY_MESSAGE(refusal(packed), "is damaged or truncated");
            VERIFY_MESSAGE(input_message([&] { (void)content_digest(packed); }), "is damaged or truncated");
        }
        for (const auto at : {whole.size() / 3, whole.size() / 2}) {
            auto changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ 16);
            put(packed, changed);
            if (filter != "zstd") VERIFY_MESSAGE(refusal(packed), "is damaged or truncated");
        }
    }

    void parts_of_gzip_files_follow_one_another() {
        pack(in("a.gz"), "gzip", {{"", text_.substr(0, 5000)}});
        pack(in("b.gz"), "gzip", {{"", text_.substr(5000)}});
        put(in("both.csv.gz"), content(in("a.gz")) + content(in("b.gz")));
        QCOMPARE(read_table(in("both.csv.gz"))->sha256, sha256_of(text_));
    }

    void the_data_file_of_an_archive() {
        pack(in("beside.zip"), "zip",
             {{"README.md", "text"},
              {"__MACOSX/._x.csv", "x"},
              {"d/.DS_Store", "x"},
              {"d/größe λ.csv", text_}});
        QCOMPARE(read_table(in("beside.zip"))->sha256, sha256_of(text_));
        QCOMPARE(read_table(in("beside.zip"))->readings.front().found,
                 std::string("\"d/größe λ.csv\" in a zip archive"));
        pack(in("description.zip"), "zip", {{"names.txt", "text"}, {"x.tsv", text_}, {"paper.pdf", "%PDF"}});
        QCOMPARE(read_table(in("description.zip"))->sha256, sha256_of(text_));
        pack(in("two.zip"), "zip", {{"a.csv", text_}, {"b.csv", text_}});
        VERIFY_MESSAGE(refusal(in("two.zip")), "two.zip: the zip archive has 2 files: \"a.csv\", \"b.csv\";");
        VERIFY_MESSAGE(input_message([&] { (void)content_digest(in("two.zip")); }), "has 2 files");
        pack(in("none.zip"), "zip", {{"LICENSE", "text"}});
        VERIFY_MESSAGE(refusal(in("none.zip")), "the zip archive has no data file");
    }

    void other_formats_in_archives_are_named() {
        pack(in("x.xlsx"), "zip", {{"[Content_Types].xml", ""}, {"xl/workbook.xml", ""}, {"xl/a.xml", "a"}});
        VERIFY_MESSAGE(refusal(in("x.xlsx")), "this is a spreadsheet (.xlsx)");
        pack(in("sheet.csv"), "zip", {{"xl/workbook.xml", ""}});
        VERIFY_MESSAGE(refusal(in("sheet.csv")), "pandas.read_excel(\"" + in("sheet.csv").string() + "\", ");
        pack(in("x.npz"), "zip", {{"data.npy", "\x93NUMPY"}});
        VERIFY_MESSAGE(refusal(in("x.npz")), "this is a file of NumPy arrays (.npz)");
        pack(in("x.pth"), "zip", {{"x/data.pkl", "a"}, {"x/version", "3"}});
        VERIFY_MESSAGE(refusal(in("x.pth")), "this is a PyTorch file");
        pack(in("x.parquet.gz"), "gzip", {{"", std::string("PAR1\0", 5)}});
        VERIFY_MESSAGE(refusal(in("x.parquet.gz")),
                       "Unpack it first. Use caspstudio --convert, or do it by hand. Convert it with Python: "
                       "import pandas; "
                       "pandas.read_parquet(\"" +
                           in("x.parquet").string() + "\")");
        pack(in("x.csv.gz"), "gzip", {{"", text_}});
        pack(in("twice.zip"), "zip", {{"x.csv.gz", content(in("x.csv.gz"))}});
        VERIFY_MESSAGE(refusal(in("twice.zip")), "this is a compressed file inside another");
    }

    void bombs_are_bounded() {
        pack(in("bomb.csv.gz"), "gzip", {{"", std::string(std::size_t{257} << 20, '0')}});
        QVERIFY(fs::file_size(in("bomb.csv.gz")) < 1'000'000);
        VERIFY_MESSAGE(refusal(in("bomb.csv.gz")), "its unpacked content has more than 256 MiB");
        VERIFY_MESSAGE(input_message([&] { (void)content_digest(in("bomb.csv.gz")); }), "more than 256 MiB");
        std::stop_source stop;
        std::int64_t reports = 0, done = 0;
        const auto progress = [&](const Progress& p) {
            QCOMPARE(p.total, static_cast<std::int64_t>(fs::file_size(in("bomb.csv.gz"))));
            QVERIFY(p.done >= done && p.done <= p.total);
            done = p.done;
            if (++reports == 2) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 (void)read_file(in("bomb.csv.gz"), 1, progress, stop.get_token()));
        QCOMPARE(reports, std::int64_t{2});
    }

    void collections_are_recognised() {
        std::string text = "unique_id,ds,y\n";
        for (const char* id : {"a", "b"})
            for (int i = 0; i < 60; ++i)
                text += std::string(id) + "," + std::to_string(i) + ",1." + std::to_string(i * i) + "\n";
        put(in("long.csv"), text);
        pack(in("long.csv.gz"), "gzip", {{"", text}});
        QVERIFY(is_collection(in("long.csv.gz")));
        const CollectionOptions options{.frequency = "Yearly", .horizon = 6};
        const auto expected = *read_collection(in("long.csv"), options);
        const auto collection = *read_collection(in("long.csv.gz"), options);
        QCOMPARE(collection.values, expected.values);
        QCOMPARE(collection.sha256, expected.sha256);
        QCOMPARE(dataset_digest(in("long.csv.gz"), "Yearly"), expected.sha256);
    }

    void names_of_data_files() {
        QCOMPARE(data_name("a/ETTh1.csv"), std::string("ETTh1"));
        QCOMPARE(data_name("a/ETTh1.csv.gz"), std::string("ETTh1"));
        QCOMPARE(data_name("a/ETTh1.v2.csv"), std::string("ETTh1.v2"));
        QCOMPARE(data_name("a/ETTh1.ZIP"), std::string("ETTh1"));
        QCOMPARE(without_packing("a/x.csv.xz"), fs::path("a/x.csv"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestPackedFile)
#include "test_packed_file.moc"
