// Recognition of formats that are not read. That the printed lines work is shown by
// tests/oracle/foreign_files.py.

#include "core/data/helpers.h"
#include "data/foreign_format.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;
using namespace std::string_literals;

class TestForeignFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formats_are_named_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* name, const std::string& head) {
            QTest::newRow(name) << QByteArray(head.data(), static_cast<qsizetype>(head.size())) << name;
        };
        row("a Parquet file", "PAR1\x15\x04\x15\0\0"s);
        row("an Arrow (Feather) file", "ARROW1\0\0"s);
        row("an ORC file", "ORC\0\0"s);
        row("a MATLAB file (v7.3)", "MATLAB 7.3 MAT-file, Platform: GLNXA64"s);
        row("a MATLAB file (v5 to v7)", "MATLAB 5.0 MAT-file, Platform: GLNXA64"s);
        row("an HDF5 file of pandas", "\x89HDF\r\n\x1A\n......pandas_type"s);
        row("an HDF5 file", "\x89HDF\r\n\x1A\n"s);
        row("a NetCDF file", "CDF\x02\0\0"s);
        row("a GRIB file", "GRIB\0\0\0\x02"s);
        row("a NumPy array (.npy)", "\x93NUMPY\x01"s);
        row("an SQLite database", "SQLite format 3\0"s);
        row("a Python pickle", "\x80\x04\x95\x10\0\0\0"s);
        row("a PyTorch file (before version 1.6)",
            "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19."s);
        row("an R object (.rds)", "X\n\0\0\0\3"s);
        row("an R workspace (.RData)", "RDX3\nX\n\0"s);
        row("a Stata file", "<stata_dta><header>"s);
        row("a SAS file", std::string(12, '\0') + "\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08");
        row("an SPSS file", "$FL2@(#) SPSS DATA FILE\0"s);
        row("an old Excel or Word file (.xls, .doc)", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s);
        row("a spreadsheet (.xlsx)", "PK\x03\x04\ndocProps/app.xml\nxl/workbook.xml\n"s);
        row("a PyTorch file", "PK\x03\x04\nmodel/data.pkl\nmodel/version\n"s);
        row("JSON", "\xEF\xBB\xBF\n [ {\"a\": 1}]"s);
        row("JSON lines", "{\"a\": 1}\r\n{\"a\": 2}"s);
        row("a web page", "\n<!DOCTYPE html>"s);
        row("XML", "<?xml version=\"1.0\"?><data/>"s);
        row("an ONNX file", "\x08\x08\x12\x07pytorch"s);
        row("a .safetensors file", "\x10\x02\0\0\0\0\0\0{\"a\":"s);
        row("a pointer of Git LFS to the file",
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"s);
        row("a GGUF file", "GGUF\x03\0\0\0"s);
    }
    void formats_are_named() {
        QFETCH(QByteArray, head);
        QFETCH(QString, name);
        const auto* format = foreign_format({head.data(), static_cast<std::size_t>(head.size())});
        QVERIFY(format != nullptr);
        QCOMPARE(QString(format->name), name);
        const std::string text = foreign_error(*format, "x.y", "a CSV file").what();
        VERIFY_MESSAGE(text, "x.y: this is " + name.toStdString() + "; expected a CSV file. ");
        QVERIFY(text.find("{in}") == std::string::npos && text.find("{out}") == std::string::npos);
    }

    /// Beginnings of tables that resemble the first bytes of a format.
    void texts_are_no_other_format() {
        for (const auto& text :
             {"PAR1,PAR2\n1,2\n"s, "ORC,a\n1,2\n"s, "GRIB,x\n"s, "A\n2\n3\n131,840\n"s, "BZh;1\n"s,
              "RDX,a\n1,2\n"s, "[Date],[Load]\n2020,1\n"s, "[1,2]\n"s, "{station}\n1\n"s, "GGUF\n1\n"s,
              "<3,x\n1,2\n"s, "CDF,x\n"s, "$FL2,x\n"s, "ARROW1;ARROW2\n1;2\n"s, ""s, "X\n0\n"s})
            QVERIFY2(foreign_format(text) == nullptr, text.c_str());
    }

    void lines_name_the_files() {
        const auto& parquet = *foreign_format("PAR1\0"s);
        VERIFY_MESSAGE(foreign_error(parquet, "a \"b\"/x.csv", "a CSV file").what(),
                       "pandas.read_parquet(\"a \\\"b\\\"/x.csv\").to_csv(\"a \\\"b\\\"/x-converted.csv\")");
        VERIFY_MESSAGE(foreign_weights_error(parquet, "x").what(), "x: this is a Parquet file; expected a");
        const auto& pytorch = *foreign_format("PK\x03\x04\nm/data.pkl\n"s);
        VERIFY_MESSAGE(foreign_weights_error(pytorch, "m.pth").what(), "Convert the weights with Python:");
        VERIFY_MESSAGE(foreign_error(pytorch, "m.pth", "a CSV file").what(), "\"m.safetensors\")");
        VERIFY_MESSAGE(foreign_weights_error(*foreign_format("\x80\x04\x95"), "m.pkl").what(),
                       "Reading it can run code in it. If you trust its origin, convert the weights");
    }
};

TEST_MAIN_WITHOUT_GUI(TestForeignFormat)
#include "test_foreign_format.moc"
