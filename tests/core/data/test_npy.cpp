// NumPy's array files, written by NumPy, and cut or changed.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/data/helpers.h"
#include "data/npy.h"
#include "npy_array.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(CASP_SOURCE_DIR) / "tests/golden/npz";

std::string text_in(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void read_all(const fs::path& path) {
    read_npz(
        path, {}, [](const std::string&) { return true; },
        [](const std::string& name, std::string_view bytes) { (void)parse_npy(bytes, name); });
}

}  // namespace

class TestNpy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arrays_of_numpy_data() {
        QTest::addColumn<QString>("name");
        const auto all = nlohmann::json::parse(text_in(golden / "numbers.json"));
        QCOMPARE(all.size(), std::size_t{11});
        for (const auto& [name, array] : all.items())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void arrays_of_numpy() {
        QFETCH(QString, name);
        const auto wanted = nlohmann::json::parse(text_in(golden / "numbers.json"))[name.toStdString()];
        const auto array = parse_npy(text_in(golden / (name.toStdString() + ".npy")), "array");
        const auto& shape = array.shape;
        QVERIFY(shape == wanted["shape"].get<std::vector<std::int64_t>>());
        auto values = wanted["values"].get<std::vector<double>>();
        QCOMPARE(array.fortran, name == "fortran");
        if (array.fortran) {
            QCOMPARE(shape.size(), std::size_t{3});
            const auto rows = values;
            for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
                const auto a = i / (shape[1] * shape[2]), b = i / shape[2] % shape[1], c = i % shape[2];
                values[static_cast<std::size_t>(a + shape[0] * (b + shape[1] * c))] =
                    rows[static_cast<std::size_t>(i)];
            }
        }
        QVERIFY(array.values == values);
    }

    void headers_that_are_written() {
        for (const std::size_t width : {4, 8})
            for (std::int64_t axes = 1; axes < 12; ++axes) {
                std::vector<std::int64_t> shape(static_cast<std::size_t>(axes), 1);
                shape.front() = 1234567;
                const auto text = npy_header(shape, width);
                QCOMPARE(text.size() % 64, std::size_t{0});
                QVERIFY(text.size() >= 64 && text.ends_with('\n'));
                const auto header = parse_npy_header(text, text.size() + 1234567 * width, "written");
                QVERIFY(header.shape == shape);
                QVERIFY(header.width == width && !header.swapped && !header.fortran);
                QCOMPARE(header.data, text.size());
            }
    }

    void objects_are_refused() {
        VERIFY_MESSAGE(input_message([] { (void)parse_npy(text_in(golden / "objects.npy"), "array"); }),
                       "pickled Python objects");
    }

    /// Whatever is cut off or changed: an input Error, or an array of the size that the file has.
    void damaged_arrays() {
        const auto whole = text_in(golden / "fortran.npy");
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!input_message([&] { (void)parse_npy(whole.substr(0, length), "array"); }).empty());
        for (std::size_t at = 0; at < 128; ++at)
            for (const char change : {'\0', '9', '\'', '\xff'}) {
                auto bytes = whole;
                bytes[at] = change;
                try {
                    QVERIFY(parse_npy(bytes, "array").values.size() <= whole.size() / 4);
                } catch (const Error& error) {
                    QCOMPARE(error.kind(), ErrorKind::input);
                }
            }
        auto longer = whole + "x";
        VERIFY_MESSAGE(input_message([&] { (void)parse_npy(longer, "array"); }), "size does not match its");
    }

    void arrays_of_an_archive() {
        std::vector<std::string> names;
        std::vector<NpyArray> arrays;
        read_npz(
            golden / "arrays.npz", {}, [](const std::string& name) { return name != "Y2"; },
            [&](const std::string& name, std::string_view bytes) {
                names.push_back(name);
                arrays.push_back(parse_npy(bytes, name));
            });
        QCOMPARE(names, (std::vector<std::string>{"Y1", "Y3", "H1"}));
        QCOMPARE(arrays[1].shape, std::vector<std::int64_t>{25});
        QCOMPARE(arrays[1].values[3], 303.0);
        VERIFY_MESSAGE(input_message([] { read_all(golden / "objects.npz"); }), "pickled Python objects");
    }

    /// Python marks names that are not ASCII as UTF-8; this process has no locale that knows them.
    void names_that_are_not_ascii() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no python3 here");
        const QTemporaryDir folder;
        QProcess process;
        process.start(python,
                      {"-c",
                       "import sys, zipfile\n"
                       "with zipfile.ZipFile(sys.argv[2], 'w') as file:\n"
                       "    for name in ['\\u03bb_cov.npy', '\\u4e2d \\U0001f642.npy', 'plain.npy']:\n"
                       "        file.write(sys.argv[1], name)",
                       QString::fromStdString((golden / "fortran.npy").string()), folder.filePath("a.npz")});
        QVERIFY(process.waitForFinished(60000) && process.exitCode() == 0);
        std::vector<std::string> names;
        read_npz(
            folder.filePath("a.npz").toStdString(), {}, [](const std::string&) { return true; },
            [&](const std::string& name, std::string_view) { names.push_back(name); });
        QVERIFY(names == (std::vector<std::string>{"λ_cov", "中 🙂", "plain"}));
    }

    void damaged_archives_are_refused() {
        const QTemporaryDir folder;
        const auto whole = text_in(golden / "arrays.npz");
        for (const auto& bytes : {std::string(), std::string("text"), std::string("\x80\x04pickle"),
                                  whole.substr(0, 100), whole.substr(0, whole.size() / 2)}) {
            QFile file(folder.filePath("cut.npz"));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(bytes.data(), static_cast<qint64>(bytes.size()));
            file.close();
            VERIFY_MESSAGE(input_message([&] { read_all(file.fileName().toStdString()); }), "cut.npz");
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestNpy)
#include "test_npy.moc"
