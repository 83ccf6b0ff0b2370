// The catalogue, the sample data set and the text of --describe.

#include <QCryptographicHash>
#include <QRegularExpression>
#include <set>

#include "core/data/helpers.h"
#include "data/catalog.h"
#include "data/describe.h"
#include "data/known_data.h"
#include "data/prepared.h"
#include "data/series_collection.h"
#include "helpers.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp;
using namespace casp::data;

namespace {

const QString sample = QStringLiteral(CASP_SOURCE_DIR "/datasets/sample.csv");

}  // namespace

class TestCatalog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entries() {
        std::string all;
        for (const auto& entry : catalog())
            if (!entry.kind.starts_with("series")) all += entry.name + " ";
        QCOMPARE(
            all,
            std::string("ETTh1 ETTh2 ETTm1 ETTm2 Weather Electricity Traffic Exchange ILI gpt2 gpt2-words "));
        for (const auto& frequency : frequencies()) {
            const auto& entry = catalog_entry("M4-" + std::string(frequency.name));
            QCOMPARE(entry.kind, std::string("series"));
            QVERIFY(is_data_set(entry));
            QVERIFY(!is_data_set(catalog_entry(entry.with)));
            QCOMPARE(catalog_path(entry.name).parent_path().filename().string(), std::string("Train"));
        }
        QCOMPARE(catalog_entry("etth1").split, std::string("ett-hourly"));
        QCOMPARE(catalog_entry("ETTm2").split, std::string("ett-minutely"));
        QCOMPARE(catalog_entry("weather").batching, std::string("single-channel"));
        QCOMPARE(catalog_entry("weather").missing, std::string("keep"));
        QCOMPARE(catalog_entry("Electricity").channels, 321);
        QCOMPARE(catalog_entry("GPT2").kind, std::string("backbone"));
        // What is fetched with an entry is an entry, which brings nothing itself.
        for (const auto& entry : catalog())
            if (!entry.with.empty()) QVERIFY(catalog_entry(entry.with).with.empty());
        VERIFY_MESSAGE(input_message([] { (void)catalog_entry("ETTh3"); }), "nearest name is \"ETTh1\"");
        QVERIFY(find_by_digest("") == nullptr);
        QVERIFY(find_by_digest(std::string(64, '0')) == nullptr);
    }

    void digests_of_shared_files() {
        for (const char* name : {"ETTh1", "ETTh2", "ETTm1", "Weather"}) {
            const auto& entry = catalog_entry(name);
            const auto file = std::filesystem::path(CASP_SHARED_DATA) / entry.file;
            if (!std::filesystem::exists(file)) QSKIP("the files are not here");
            const Table t = import_csv(file);
            QCOMPARE(find_by_digest(t.sha256), &entry);
            QCOMPARE(entry.rows, t.rows());
            QCOMPARE(entry.channels, std::ssize(t.columns));
            QCOMPARE(entry.step_seconds, t.step.seconds);
            QCOMPARE(entry.bytes, static_cast<std::int64_t>(std::filesystem::file_size(file)));
        }
    }

    void digests_of_m4() {
        const auto folder = std::filesystem::path(CASP_SHARED_DATA);
        if (!std::filesystem::exists(folder / "M4")) QSKIP("the files are not here");
        for (const char* name : {"M4-Yearly", "M4-Yearly-test", "M4-Hourly", "M4-Hourly-test"}) {
            const auto& entry = catalog_entry(name);
            const auto file = folder / entry.file;
            QCOMPARE(entry.sha256, sha256_of_file(file));
            QCOMPARE(entry.bytes, static_cast<std::int64_t>(std::filesystem::file_size(file)));
        }
    }

    void the_words_of_gpt2() {
        const QString path = QString(CASP_SHARED_DATA) + "/gpt2/vocab.json";
        if (!QFile::exists(path)) QSKIP("the file is not here");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto digest = QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256);
        QCOMPARE(digest.toHex().toStdString(), catalog_entry("gpt2-words").sha256);
        QCOMPARE(file.size(), catalog_entry("gpt2-words").bytes);
    }

    void cache() {
        qputenv("XDG_CACHE_HOME", "/nowhere/cache");
        QCOMPARE(catalog_path("etth1").string(), std::string("/nowhere/cache/caspstudio/data/ETTh1.csv"));
        QCOMPARE(catalog_path("gpt2").string(),
                 std::string("/nowhere/cache/caspstudio/backbones/gpt2/model.safetensors"));
        // Beside the weights: where the anchor inspector looks for the words.
        QCOMPARE(catalog_path("gpt2-words").parent_path(), catalog_path("gpt2").parent_path());
        QCOMPARE(catalog_path("gpt2-words").filename().string(), std::string("vocab.json"));
        VERIFY_MESSAGE(input_message([] { (void)resolve_data_path("catalog:etth1"); }),
                       "caspstudio --fetch ETTh1");
        VERIFY_MESSAGE(input_message([] { (void)resolve_data_path("catalog:traffic"); }),
                       "no stable public address");
        VERIFY_MESSAGE(input_message([] { (void)resolve_data_path("catalog:gpt2"); }), "a data set");
        QCOMPARE(resolve_data_path("some/file.csv").string(), std::string("some/file.csv"));
        qputenv("XDG_CACHE_HOME", "relative");  // to be ignored
        qputenv("HOME", "/nowhere/home");
        QCOMPARE(catalog_path("ETTh1").string(),
                 std::string("/nowhere/home/.cache/caspstudio/data/ETTh1.csv"));
    }

    /// A file in the catalogue's own place is that data set only if it has its size; its split must never be
    /// another one without a word.
    void files_in_the_cache_without_a_known_digest() {
        const QTemporaryDir home;
        qputenv("XDG_CACHE_HOME", QFile::encodeName(home.path()));
        const auto write = [&](const char* name, int rows, int channels) {
            const auto path = catalog_path(name);
            std::filesystem::create_directories(path.parent_path());
            QByteArray text = "date";
            for (int c = 0; c < channels; ++c) text += ",c" + QByteArray::number(c);
            for (int r = 0; r < rows; ++r) {
                text += "\n" + QByteArray::number(1467331200LL + 900LL * r);
                for (int c = 0; c < channels; ++c) text += "," + QByteArray::number((r * 7 + c) % 13);
            }
            QFile file(QString::fromStdString(path.string()));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text + "\n") > 0);
        };
        config::Config config;
        config.data.path = "catalog:ETTm2";
        write("ETTm2", 69680, 7);
        auto data = *prepare_data(config);
        QCOMPARE(data.name, std::string("ETTm2"));
        QCOMPARE(data.plan.rule.rule, std::string("ett-minutely"));
        QCOMPARE(data.plan.train.windows, std::int64_t{33953});
        auto doubts = of_kind(data.table, WarningKind::catalog);
        QCOMPARE(doubts.size(), std::size_t{1});
        VERIFY_MESSAGE(doubts[0].text, "the digest is not that of ETTm2 in the catalogue; rows and channels");
        VERIFY_MESSAGE(doubts[0].text, "Its values are not those of ETTm2: ");
        // Chosen columns do not make it another file.
        config.data.columns = {"c0", "c3"};
        QCOMPARE(prepare_data(config)->name, std::string("ETTm2"));

        write("ETTm2", 900, 7);
        const auto message = input_message([&] { (void)prepare_data(config); });
        VERIFY_MESSAGE(message, "900 rows and 7 channels");
        VERIFY_MESSAGE(message, "69,680 rows and 7 channels");
        VERIFY_MESSAGE(message, "--fetch ETTm2");
        QVERIFY(known_entry(import_csv(catalog_path("ETTm2"))) == nullptr);
        QVERIFY(known_entry(catalog_path("ETTm2"), std::nullopt, "", 900, 7) == nullptr);
        const auto* in_place = known_entry(catalog_path("ETTm2"), std::nullopt, "", 69680, 7);
        QVERIFY(in_place != nullptr && in_place->name == "ETTm2");
        // What the run has recognised counts.
        QVERIFY(known_entry(catalog_path("ETTm2"), "", "", 69680, 7) == nullptr);
        QCOMPARE(known_entry("elsewhere.csv", "Weather", "", 5, 5), &catalog_entry("Weather"));

        // Elsewhere the same bytes are anybody's.
        config.data.columns.clear();
        write("ETTm2", 69680, 7);
        const auto elsewhere = home.filePath("ETTm2.csv").toStdString();
        std::filesystem::copy_file(catalog_path("ETTm2"), elsewhere);
        config.data.path = elsewhere;
        QCOMPARE(prepare_data(config)->plan.rule.rule, std::string("ratio"));
        qputenv("XDG_CACHE_HOME", "/nowhere/cache");
    }

    void wrong_data_set_in_the_cache_is_reported() {
        const QString path = QString(CASP_SHARED_DATA) + "/ETTm1.csv";
        if (!QFile::exists(path)) QSKIP("the file is not here");
        const QTemporaryDir home;
        qputenv("XDG_CACHE_HOME", QFile::encodeName(home.path()));
        const auto place = catalog_path("ETTm2");  // as many rows and channels
        std::filesystem::create_directories(place.parent_path());
        QVERIFY(QFile::copy(path, QString::fromStdString(place.string())));
        config::Config config;
        config.data.path = "catalog:ETTm2";
        VERIFY_MESSAGE(input_message([&] { (void)prepare_data(config); }), "it is ETTm1");
        qputenv("XDG_CACHE_HOME", "/nowhere/cache");
    }

    /// The program does not check the file that it carries.
    void catalogue_file_is_complete() {
        const QRegularExpression key(
            "^(name|kind|file|title|split|batching|missing|step_seconds|channels|rows|"
            "address|home|sha256|bytes|about_bytes|with|licence|note|first|last|"
            "first_row|last_row|decimals|sums|values) = ");
        const QRegularExpression table("^(\\[\\[(entry|size)\\]\\]|\\[entry.content\\])$");
        for (const auto& line : bytes_of(CASP_SOURCE_DIR "/datasets/catalog.toml").split('\n'))
            QVERIFY2(line.isEmpty() || line.startsWith('#') || key.match(line).hasMatch() ||
                         table.match(line).hasMatch(),
                     line.constData());
        const auto is_one_of = [](const std::string& value, const QStringList& choices) {
            return choices.contains(QString::fromStdString(value));
        };
        const QRegularExpression digest("^[0-9a-f]{64}$");
        std::set<std::string> names;
        for (const auto& e : catalog()) {
            QVERIFY2(names.insert(e.name).second && !e.name.empty() && !e.file.empty() && !e.home.empty() &&
                         !e.licence.empty() && !e.title.empty() &&
                         is_one_of(e.kind, {"csv", "series", "series-test", "backbone", "vocabulary"}),
                     e.name.c_str());
            QVERIFY2(e.sha256.empty() || digest.match(e.sha256.c_str()).hasMatch(), e.name.c_str());
            QVERIFY2(is_one_of(e.split, {e.kind == "csv" ? "ratio" : "", "ett-hourly", "ett-minutely"}) &&
                         is_one_of(e.batching, {"", "multi-channel", "single-channel"}) &&
                         is_one_of(e.missing, {"", "error", "drop-column", "interpolate", "keep"}),
                     e.name.c_str());
            if (!e.content) continue;
            const auto& c = *e.content;
            const auto whole = c.values.empty() ? std::size_t{0} : c.channels.size();
            QVERIFY2(c.channels.size() == static_cast<std::size_t>(e.channels) && c.first > 0 &&
                         c.last > c.first && !c.first_row.empty() &&
                         c.first_row.size() == c.last_row.size() && c.first_row.size() <= c.channels.size() &&
                         c.decimals.size() == whole && c.sums.size() == whole &&
                         (whole == 0 || digest.match(c.values.c_str()).hasMatch()),
                     e.name.c_str());
        }
        for (const auto& size : known_sizes())
            QVERIFY2(names.insert(size.name).second && size.rows > 0 && size.channels > 0, size.name.c_str());
    }

    void sample_is_clean() {
        const Table t = import_csv(sample.toStdString());
        QCOMPARE(t.rows(), 17520);
        QCOMPARE(t.columns.size(), std::size_t(7));
        QCOMPARE(t.columns.back().name, std::string("OT"));
        QCOMPARE(t.step.seconds, 3600.0);
        QVERIFY(t.warnings.empty());
        for (const auto& column : t.columns) QCOMPARE(column.missing, 0);
    }

    void sample_is_what_the_generator_makes() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no python3 here");
        QTemporaryDir folder;
        const QString made = folder.filePath("sample.csv");
        QProcess process;
        process.start(python, {QStringLiteral(CASP_SOURCE_DIR "/datasets/make_sample.py"), made});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const QByteArray expected = bytes_of(sample);
        QVERIFY(!expected.isEmpty());
        QVERIFY(bytes_of(made) == expected);
    }

    void description() {
        const Table t = import_csv(sample.toStdString());
        const SplitPlan plan = plan_split(split_rule({"auto"}), t.rows(), 512, 96);
        std::string text = describe(t, &plan, {});
        for (const char* part : {"17,520", "1 hour", "ratio, lookback 512, horizon 96", "0 .. 12,263",
                                 "11,657", "81,599", "13,504 .. 17,519", "HVAL", "no warnings",
                                 "not in the catalogue", "2022-01-01 00:00:00 to 2023-12-31 23:00:00"})
            VERIFY_MESSAGE(text, part);
        text = describe(read("d;x\n2020-01-01;1,5\n2020-01-02;x\n2020-01-03;2\n"), nullptr,
                        {&catalog_entry("ETTh1"), KnownData::How::digest, {}, {}}, "too short");
        for (const char* part :
             {"semicolon between cells, decimal comma", "too short", "line 3", "ETTh1 (", "1 day"})
            VERIFY_MESSAGE(text, part);
        for (const auto& line : QString::fromStdString(text).split('\n')) QVERIFY(line.size() <= 100);
        QCOMPARE(frequency_name(0), std::string("unknown"));
        QCOMPARE(frequency_name(900), std::string("15 minutes"));
        QCOMPARE(frequency_name(86400), std::string("1 day"));
        QCOMPARE(frequency_name(90), std::string("90 seconds"));
        QCOMPARE(frequency_name(0.5), std::string("0.5 seconds"));
        QCOMPARE(with_commas(-1234567), std::string("-1,234,567"));
        QCOMPARE(with_commas(123), std::string("123"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestCatalog)
#include "test_catalog.moc"
