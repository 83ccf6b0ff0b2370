// Conversion of other formats by a real Python, which also makes the files; each case is skipped without its
// packages. CASP_PYTHON_EXAMPLES names the Python.

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>

#include <QtTest>

#include <unistd.h>

#include "core/data/helpers.h"
#include "core/store/store_test.h"
#include "data/csv_import.h"
#include "fetch/conversion.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "util/process.h"

using namespace casp;
using namespace store_test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

constexpr int rows = 60;
// Before the code that makes a file p: a table t and a matrix X of its values.
const std::string beginning = R"(import sys, json, numpy, pandas
p = sys.argv[1]
a, b = [i / 7 for i in range(60)], numpy.array([i / 3 for i in range(60)], 'f4')
t = pandas.DataFrame({'a': a, 'b': b}, index=pandas.date_range('2020-01-01', periods=60, freq='h'))
X = numpy.stack([a, b], 1)
)";

}  // namespace

class TestConversion : public QObject {
    Q_OBJECT

    std::string python_ = qEnvironmentVariable("CASP_PYTHON_EXAMPLES", "python3").toStdString();
    std::unique_ptr<Folder> folder_;

    /// Runs code that makes a file. The last line of a traceback; empty: done.
    [[nodiscard]] std::string made(const std::string& file, const std::string& code) const {
        const auto result = run_process({python_, "-c", beginning + code, (*folder_ / file).string()},
                                        std::chrono::seconds(300));
        const auto lines = QString::fromStdString(result.errors).split('\n', Qt::SkipEmptyParts);
        return result.status == 0 ? "" : lines.isEmpty() ? "failed" : lines.last().toStdString();
    }

    [[nodiscard]] std::string converted(const std::string& file, const std::stop_token& stop = {}) const {
        return fetch::convert(fetch::conversion_of(*folder_ / file), python_, stop);
    }

    /// The error; nothing is left of the attempt.
    [[nodiscard]] std::string failure(const std::string& file, const std::stop_token& stop = {}) const {
        const auto names = [&] {
            std::set<std::string> all;
            for (const auto& entry : fs::directory_iterator(folder_->path())) all.insert(entry.path());
            return all;
        };
        const auto before = names();
        const auto text = error_of([&] { (void)converted(file, stop); });
        return names() == before ? text : "files are left";
    }

    /// An interpreter that is this script.
    void be_script(const std::string& text) {
        const auto path = *folder_ / "python.sh";
        put(path, "#!/bin/sh\n" + text + "\n");
        fs::permissions(path, fs::perms::owner_all);
        python_ = path;
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<Folder>();
        python_ = qEnvironmentVariable("CASP_PYTHON_EXAMPLES", "python3").toStdString();
    }

    void tables_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("has_time");
        const auto row = [](const char* name, const char* file, const char* code, bool has_time) {
            QTest::newRow(name) << file << code << has_time;
        };
        row("times", "x.parquet", "t.to_parquet(p)", true);
        row("row numbers", "x.parquet", "t.reset_index(drop=True).to_parquet(p)", false);
        row("kept rows", "x.parquet", "t.set_axis([i * i // 2 for i in range(60)]).to_parquet(p)", false);
        row("two tables", "x.parquet", "t.set_axis([i % 30 for i in range(60)]).to_parquet(p)", false);
        row("an empty sheet", "x.xlsx", R"(with pandas.ExcelWriter(p) as w:
    t.astype('f8').to_excel(w, sheet_name='A'); pandas.DataFrame().to_excel(w, sheet_name='B'))",
            true);
        row("JSON by columns", "x.json",
            "json.dump({c: {str(i): float(v) for i, v in enumerate(t[c])} for c in 'ab'}, open(p, 'w'))",
            false);
        row("MATLAB", "x.mat", "import scipy.io; scipy.io.savemat(p, {'X': X, 'n': 3})", false);
        row("HDF5", "x.h5", "import h5py; h5py.File(p, 'w')['g/X'] = X", false);
        row("NumPy", "x.npz", "numpy.savez(p, X=X, n=3)", false);
        row("SQLite", "x.db", R"(import sqlite3; c = sqlite3.connect(p)
c.execute('CREATE TABLE n (i INTEGER PRIMARY KEY AUTOINCREMENT)'); c.execute('INSERT INTO n VALUES (1)')
t.to_sql('m', c); c.commit())",
            true);
        row("NetCDF at one place", "x.nc",
            "t.rename_axis('time').to_xarray().expand_dims(lat=[52.]).to_netcdf(p)", true);
    }
    void tables() {
        QFETCH(const QString, file);
        QFETCH(const QString, code);
        QFETCH(const bool, has_time);
        const auto said = made(file.toStdString(), code.toStdString());
        if (data::has(said, "No module named") || data::has(said, "Missing optional dependency"))
            QSKIP(said.c_str());
        QCOMPARE(said, "");
        VERIFY_MESSAGE(converted(file.toStdString()), file.toStdString() + " was converted to x.csv with ");
        const auto csv = data::import_csv(*folder_ / "x.csv");
        QCOMPARE(std::ssize(csv.columns), 2);
        QCOMPARE(csv.rows(), rows);
        const double tolerance = file.endsWith("xlsx") ? 1e-15 : 0;  // written with 16 digits
        for (std::size_t i = 0; i < rows; ++i) {
            const auto number = static_cast<double>(i);
            QVERIFY(std::abs(csv.columns[0].values[i] - number / 7) <= tolerance * number);
            QCOMPARE(static_cast<float>(csv.columns[1].values[i]), static_cast<float>(number / 3));
        }
        QCOMPARE(csv.time.empty(), !has_time);
        if (!has_time) return;
        QCOMPARE(csv.time.front(), 1577836800.0);
        QCOMPARE(csv.time.back(), 1577836800.0 + 3600.0 * (rows - 1));
    }

    void weights_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("the usual name") << "state_dict";
        QTest::newRow("another name") << "net";
    }
    void weights() {
        QFETCH(QString, name);
        const auto code = QStringLiteral(R"(import torch
torch.save({'epoch': 3, 'optimizer': {'state': {}, 'param_groups': []}, '%1': {'w': torch.arange(6.).reshape(2, 3).T, 'n': torch.tensor(7),
    'h': torch.ones(2, dtype=torch.bfloat16)}}, p))");
        const auto said = made("x.pth", code.arg(name).toUtf8().constData());
        if (!said.empty()) QSKIP(said.c_str());
        VERIFY_MESSAGE(converted("x.pth"), "x.pth was converted to x.safetensors with torch ");
        const store::SafetensorsFile file(*folder_ / "x.safetensors");
        QCOMPARE(std::ssize(file.tensors()), 3);
        const std::array<float, 6> w{0, 3, 1, 4, 2, 5};
        const std::array<std::int64_t, 2> shape{3, 2};
        std::array<float, 6> read{};
        store::read_bytes(file.at("w", shape), std::as_writable_bytes(std::span(read)));
        QVERIFY(read == w);
        QVERIFY(file.at("n").shape.empty());
    }

    void nothing_in_weights_is_executed() {
        const auto said = made("x.pth", R"(import os, torch
class E:
    def __reduce__(self):
        return os.system, (f"touch '{os.path.dirname(p)}/executed'",)
torch.save({'w': E()}, p))");
        if (!said.empty()) QSKIP(said.c_str());
        VERIFY_MESSAGE(failure("x.pth"), "x.pth: the conversion failed: UnpicklingError");
    }

    void other_tables_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* file, const char* code, const char* part) {
            QTest::newRow(name) << file << code << part;
        };
        row("arrays", "x.npz", "numpy.savez(p, X=X, day=numpy.arange(60))",
            "the file holds several tables: X, day; expected one. Convert it with Python, each array");
        row("sheets", "x.xlsx", R"(with pandas.ExcelWriter(p) as w:
    for s in ['2019', '2020']: t.to_excel(w, sheet_name=s))",
            "several tables: 2019, 2020; expected one. Save the sheet as CSV");
        row("grid", "x.nc", R"(import xarray; x = t.rename_axis('time').to_xarray()
xarray.concat([x.expand_dims(lat=[l]) for l in (1., 2.)], 'lat').to_netcdf(p))",
            "a row for each lat, time; expected a row for each time. Convert it with Python, at one place");
        row("none", "x.npz", "numpy.savez(p, n=3)", "the file holds no table. Convert it with");
        row("truncated", "x.parquet", "t.to_parquet(p); open(p, 'r+b').truncate(900)",
            "x.parquet: the conversion failed: ArrowInvalid: ");
    }
    void other_tables() {
        QFETCH(const QString, file);
        QFETCH(const QString, code);
        QFETCH(const QString, part);
        const auto said = made(file.toStdString(), code.toStdString());
        if (!said.empty()) QSKIP(said.c_str());
        VERIFY_MESSAGE(failure(file.toStdString()), part.toStdString());
    }

    void what_can_run_code_is_not_converted() {
        for (const auto& [file, bytes] : {std::pair{"a.pkl", std::string("\x80\x04\x95")},
                                          {"a.h5", std::string("\x89HDF\r\n\x1A\n....pandas_type")}}) {
            put(*folder_ / file, bytes);
            VERIFY_MESSAGE(failure(file),
                           "Reading it can run code in it. If you trust its origin, convert it");
        }
        put(*folder_ / "a.csv", "a,b\n1,2\n");
        VERIFY_MESSAGE(failure("a.csv"),
                       "a.csv: this file is read as it is; expected a file of another format");
        VERIFY_MESSAGE(failure("none"), "input: ");
    }

    void interpreters_that_fail() {
        put(*folder_ / "x.parquet", "PAR1\0\0"s);
        python_ = "no-such-python";
        const auto text = failure("x.parquet");
        VERIFY_MESSAGE(text, "input: no-such-python: cannot be started: ");
        VERIFY_MESSAGE(text, "Install Python, or name one with python.interpreter.");
        be_script("exec python3 -I -S \"$@\"");  // no packages
        VERIFY_MESSAGE(failure("x.parquet"), "x.parquet: " + python_ +
                                                 " has no package pandas, which is needed to read this. "
                                                 "Install it: " +
                                                 python_ + " -m pip install pandas");
        be_script("exit 0");
        VERIFY_MESSAGE(failure("x.parquet"), python_ + " failed: exit status 0");
        be_script("echo something >&2; kill -9 $$");
        VERIFY_MESSAGE(failure("x.parquet"), python_ + " failed: something");
    }

    void cancelled() {
        put(*folder_ / "x.parquet", "PAR1\0\0"s);
        be_script("exec sleep 100");
        std::stop_source stop;
        const std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            stop.request_stop();
        });
        VERIFY_MESSAGE(failure("x.parquet", stop.get_token()), "interrupted: ");
    }

    void nothing_is_overwritten() {
        put(*folder_ / "x.parquet", "PAR1\0\0"s);
        const auto next = [&](const char* name) {
            const auto out = fetch::conversion_of(*folder_ / "x.parquet").out;
            QCOMPARE(out.filename().string(), name);
            put(out, "mine");
        };
        next("x.csv");
        next("x-converted.csv");
        next("x-converted-2.csv");
        const auto onto = fetch::conversion_of(*folder_ / "x.parquet", *folder_ / "x.csv");
        VERIFY_MESSAGE(error_of([&] { (void)fetch::convert(onto, python_, {}); }), "x.csv: exists already");
        // Written while Python works.
        be_script("echo theirs > '" + (*folder_ / "later.csv").string() +
                  "'; for out; do :; done; echo 1 > $out");
        const auto later = fetch::conversion_of(*folder_ / "x.parquet", *folder_ / "later.csv");
        VERIFY_MESSAGE(error_of([&] { (void)fetch::convert(later, python_, {}); }),
                       "later.csv: exists already");
        QCOMPARE(bytes_of(*folder_ / "later.csv"), "theirs\n");
    }

    void folders_without_permission() {
        put(*folder_ / "x.parquet", "PAR1\0\0"s);
        const auto gone = fetch::conversion_of(*folder_ / "x.parquet", *folder_ / "gone/x.csv");
        VERIFY_MESSAGE(error_of([&] { (void)fetch::convert(gone, python_, {}); }),
                       "Its folder does not exist.");
        if (geteuid() == 0) QSKIP("root may write anywhere");
        fs::permissions(folder_->path(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto text = failure("x.parquet");
        fs::permissions(folder_->path(), fs::perms::owner_all);
        VERIFY_MESSAGE(text, "cannot be written: Permission denied. Choose a folder you may write to.");
    }
};

TEST_MAIN_WITHOUT_GUI(TestConversion)
#include "test_conversion.moc"
