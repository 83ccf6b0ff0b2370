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
const std::string table =
    "import pandas, numpy\nt = pandas.DataFrame({'a': [i / 7 for i in range(60)], 'b': numpy.array([i / 3 "
    "for "
    "i in range(60)], 'f4')}, index=pandas.date_range('2020-01-01', periods=60, freq='h'))\n";
const std::string arrays =
    "import numpy\nX = numpy.stack([[i / 7 for i in range(60)], numpy.array([i / 3 for "
    "i in range(60)], 'f4')], 1)\n";

}  // namespace

class TestConversion : public QObject {
    Q_OBJECT

    std::string python_ = qEnvironmentVariable("CASP_PYTHON_EXAMPLES", "python3").toStdString();
    std::unique_ptr<Folder> folder_;

    /// What Python says of code that makes a file; empty: done.
    [[nodiscard]] std::string made(const std::string& file, const std::string& code) const {
        const auto result =
            run_process({python_, "-c", "import sys; p = sys.argv[1]\n" + code, (*folder_ / file).string()},
                        std::chrono::seconds(300));
        return result.status == 0 ? "" : result.errors.empty() ? "failed" : result.errors;
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
        const auto row = [](const char* name, const char* file, const std::string& code, bool has_time) {
            QTest::newRow(name) << file << QString::fromStdString(code) << has_time;
        };
        row("times", "x.parquet", table + "t.to_parquet(p)", true);
        row("row numbers", "x.parquet", table + "t.reset_index(drop=True).to_parquet(p)", false);
        row("kept rows", "x.parquet",
            table + "t.index = [i * i // 2 for i in range(len(t))]\nt.to_parquet(p)", false);
        row("tables after one another", "x.parquet",
            table + "t.index = [i % 30 for i in range(len(t))]\nt.to_parquet(p)", false);
        row("feather", "x.feather", table + "t.rename_axis('time').reset_index().to_feather(p)", true);
        row("two sheets, one empty", "x.xlsx",
            table +
                "t = t.astype(object).map(float) if hasattr(t, 'map') else t.applymap(float)\nw = "
                "pandas.ExcelWriter(p)\nt.to_excel(w, sheet_name='A')\npandas.DataFrame().to_excel(w, "
                "sheet_name='B')\nw.close()",
            true);
        row("JSON by columns", "x.json",
            table +
                "import json\njson.dump({c: {str(i): float(v) for i, v in enumerate(t[c])} for c in "
                "'ab'}, open(p, 'w'))",
            false);
        row("JSON by rows", "x.json",
            table +
                "import json\njson.dump([{'date': str(i), 'a': r.a, 'b': float(r.b)} for i, r in "
                "t.iterrows()], open(p, 'w'))",
            true);
        row("MATLAB", "x.mat", arrays + "import scipy.io\nscipy.io.savemat(p, {'X': X, 'n': 3})", false);
        row("HDF5", "x.h5", arrays + "import h5py, pandas\nh5py.File(p, 'w')['g/X'] = X", false);
        row("NumPy", "x.npz", arrays + "import pandas\nnumpy.savez(p, X=X, n=3)", false);
        row("SQLite", "x.db",
            table +
                "import sqlite3\nc = sqlite3.connect(p)\nc.execute('CREATE TABLE n (i INTEGER PRIMARY KEY "
                "AUTOINCREMENT)')\nc.execute('INSERT INTO n VALUES (1)')\nt.to_sql('m', "
                "c)\nc.commit()",
            true);
        row("NetCDF at one place", "x.nc",
            table + "t.rename_axis('time').to_xarray().expand_dims(lat=[52.]).to_netcdf(p)", true);
    }
    void tables() {
        QFETCH(const QString, file);
        QFETCH(const QString, code);
        QFETCH(const bool, has_time);
        const auto said = made(file.toStdString(), code.toStdString());
        if (QString::fromStdString(said).contains("No module named") ||
            QString::fromStdString(said).contains("ImportError"))
            QSKIP(said.c_str());
        QCOMPARE(said, "");
        const auto remark = converted(file.toStdString());
        VERIFY_MESSAGE(remark, file.toStdString() + " was converted to x.csv with ");
        const auto csv = data::import_csv(*folder_ / "x.csv");
        QCOMPARE(std::ssize(csv.columns), 2);
        QCOMPARE(csv.rows(), rows);
        // Excel's files have 16 digits.
        const double tolerance = file.endsWith("xlsx") ? 1e-15 : 0;
        for (int i = 0; i < rows; ++i) {
            const auto a = csv.columns[0].values[static_cast<std::size_t>(i)];
            const auto b = csv.columns[1].values[static_cast<std::size_t>(i)];
            QVERIFY2(std::abs(a - i / 7.0) <= tolerance * i, std::to_string(a - i / 7.0).c_str());
            QCOMPARE(static_cast<float>(b), static_cast<float>(i / 3.0));
        }
        QCOMPARE(csv.time.empty(), !has_time);
        if (has_time) {
            QCOMPARE(csv.time.front(), 1577836800.0);
            QCOMPARE(csv.time.back(), 1577836800.0 + 3600.0 * (rows - 1));
        }
    }

    void weights() {
        const auto said =
            made("x.pth",
                 "import torch\ntorch.save({'epoch': 3, 'state_dict': {'w': torch.arange(6.).reshape(2, "
                 "3).T, 'h': torch.ones(2, dtype=torch.bfloat16), 'n': torch.tensor(7)}}, p)");
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
        const auto mark = (*folder_ / "executed").string();
        const auto said = made("x.pth",
                               "import torch, os\nclass E:\n    def __reduce__(self):\n        return "
                               "os.system, ('touch " +
                                   mark + "',)\ntorch.save({'w': E()}, p)");
        if (!said.empty()) QSKIP(said.c_str());
        VERIFY_MESSAGE(failure("x.pth"), "x.pth: the conversion failed: UnpicklingError");
        QVERIFY(!fs::exists(mark));
    }

    void several_tables_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        QTest::newRow("arrays")
            << "x.mat"
            << QString::fromStdString(arrays +
                                      "import scipy.io, pandas\nscipy.io.savemat(p, {'X': X, 'day': "
                                      "numpy.arange(60.)})")
            << "the file holds several tables: X, day; expected one. Convert it with Python, "
               "each array to a file: import scipy.io";
        QTest::newRow("sheets")
            << "x.xlsx"
            << QString::fromStdString(table +
                                      "w = pandas.ExcelWriter(p)\nfor s in ['2019', '2020']:\n    "
                                      "t.to_excel(w, sheet_name=s)\nw.close()")
            << "the file holds several tables: 2019, 2020; expected one. Save the sheet as CSV";
        QTest::newRow("grid") << "x.nc"
                              << QString::fromStdString(
                                     table +
                                     "import xarray\nx = t.rename_axis('time').to_xarray()\nxarray."
                                     "concat([x.expand_dims(lat=[l]) for l in (1., 2.)], "
                                     "'lat').to_netcdf(p)")
                              << "the table has a row for each lat, time; expected a row for each time. "
                                 "Convert it with Python, at one place";
        QTest::newRow("none") << "x.mat"
                              << "import scipy.io, pandas\nscipy.io.savemat(p, {'n': 3, 's': 'text'})"
                              << "the file holds no table. Convert it with";
    }
    void several_tables() {
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

    void truncated() {
        const auto said = made("x.parquet", table + "t.to_parquet(p)\nopen(p, 'r+b').truncate(900)");
        if (!said.empty()) QSKIP(said.c_str());
        VERIFY_MESSAGE(failure("x.parquet"), "input: " + (*folder_ / "x.parquet").string() +
                                                 ": the conversion failed: ArrowInvalid: ");
    }

    void interpreters_that_fail() {
        put(*folder_ / "x.parquet", "PAR1\0\0"s);
        python_ = "no-such-python";
        VERIFY_MESSAGE(failure("x.parquet"),
                       "input: no-such-python: cannot be started: No such file or "
                       "directory. Install Python, or name one with python.interpreter.");
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
