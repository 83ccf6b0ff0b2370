// Run files that were cut or flipped, anywhere: an input Error or what was stored, and never the end of the
// program.
#include <hdf5.h>
#include <sys/stat.h>

#include <numeric>

#include <QtTest>

#include "core/store/store_test.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "test_program.h"

using namespace casp;
using namespace casp::store;
using store_test::bytes_of;
using store_test::error_of;
using store_test::Folder;
using store_test::put;
namespace fs = std::filesystem;

namespace {

std::string seed(const std::string& name) {
    return bytes_of(std::filesystem::path(CASP_SOURCE_DIR "/tests/fuzz/corpus/run_file") / name);
}

/// Everything that a view reads of arrays.h5; "" or the first message.
std::string read_arrays(const std::filesystem::path& path) {
    for (const auto& message : {error_of([&] { (void)read_forecast(path, "test"); }),
                                error_of([&] { (void)read_embedding(path, "test"); }),
                                error_of([&] { (void)read_similarity(path, "test"); })})
        if (!message.empty()) return message;
    return {};
}

}  // namespace

class TestBadRunFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fuzz_seeds_are_readable() {
        Folder folder;
        put(folder / "run.h5", seed("run.h5"));
        const auto record = read_run_file(folder / "run.h5");
        QCOMPARE(record.steps.step.size(), std::size_t{2});
        put(folder / "arrays.h5", seed("arrays.h5"));
        QCOMPARE(read_arrays(folder / "arrays.h5"), std::string());
        QCOMPARE(read_forecast(folder / "arrays.h5", "test").windows, std::int64_t{3});
    }

    void one_bit_of_run_h5() {
        Folder folder;
        const auto good = seed("run.h5");
        const auto seal = good.rfind("\nCASP-SHA256:");
        QVERIFY(seal != std::string::npos);
        int refused = 0;
        for (std::size_t at = 0; at < good.size(); at += 7) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
            put(folder / "run.h5", bad);
            const auto message = error_of([&] { (void)read_run_file(folder / "run.h5"); });
            // A flip in the words before the digest takes the seal away; the file itself is whole then.
            if (at >= seal && at < seal + 13 && message.empty()) continue;
            QVERIFY2(message.starts_with("input: "), qPrintable(QString::number(at)));
            ++refused;
        }
        QVERIFY(refused > 2000);
    }

    void run_h5_cut_anywhere() {
        Folder folder;
        const auto good = seed("run.h5");
        for (std::size_t size = 0; size < good.size(); size += 13) {
            put(folder / "run.h5", good.substr(0, size));
            const auto message = error_of([&] { (void)read_run_file(folder / "run.h5"); });
            QVERIFY2(message.starts_with("input: ") || size > good.size() - 80,
                     qPrintable(QString::number(size)));
        }
    }

    void one_bit_of_arrays_h5() {
        Folder folder;
        const auto good = seed("arrays.h5");
        int refused = 0;
        for (std::size_t at = 0; at < good.size(); at += 3) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
            put(folder / "arrays.h5", bad);
            const auto message = read_arrays(folder / "arrays.h5");
            QVERIFY2(message.empty() || message.starts_with("input: "), message.c_str());
            refused += message.empty() ? 0 : 1;
        }
        // The rest of the bytes is padding, or belongs to objects that nobody reads.
        QVERIFY2(refused > 500, qPrintable(QString::number(refused)));
    }

    void arrays_h5_cut_anywhere() {
        Folder folder;
        const auto good = seed("arrays.h5");
        for (std::size_t size = 0; size + 1 < good.size(); size += 11) {
            put(folder / "arrays.h5", good.substr(0, size));
            QVERIFY2(read_arrays(folder / "arrays.h5").starts_with("input: "),
                     qPrintable(QString::number(size)));
        }
    }

    /// 2^37 numbers cost nothing in a file that says they are in /dev/zero, and a terabyte to whoever
    /// believes it.
    void values_of_other_files_are_refused() {
        const Folder folder;
        const std::string path = folder / "arrays.h5";
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        QVERIFY(file >= 0);
        const hsize_t many = hsize_t{1} << 37;
        const hid_t space = H5Screate_simple(1, &many, nullptr);
        const auto make = [&](const char* name, hid_t list) {
            const hid_t id = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
            H5Pclose(list);
            return id >= 0 && H5Dclose(id) >= 0;
        };
        const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
        QVERIFY(H5Pset_external(outside, "/dev/zero", 0, many * sizeof(double)) >= 0);
        QVERIFY(make("outside", outside));
        const hid_t pieces = H5Pcreate(H5P_DATASET_CREATE);
        QVERIFY(H5Pset_virtual(pieces, space, "other.h5", "values", space) >= 0);
        QVERIFY(make("pieces", pieces));
        const hid_t nothing = H5Pcreate(H5P_DATASET_CREATE);
        QVERIFY(make("nothing_written", nothing));
        H5Sclose(space);
        QVERIFY(H5Fclose(file) >= 0);

        const auto opened = Hdf5File::open(path);
        const auto refusal = [&](const char* name) {
            return QString::fromStdString(error_of([&] { (void)opened.read<double>(name, {-1}); }));
        };
        for (const char* name : {"outside", "pieces"})
            QVERIFY2(refusal(name).contains("its values are in another file"), qPrintable(refusal(name)));
        QVERIFY2(refusal("nothing_written").contains("1099511627776 bytes, more than the file holds"),
                 qPrintable(refusal("nothing_written")));
    }

    /// HDF5 itself would wait for the writer of a pipe, and follow a link anywhere.
    void links_lead_to_files_beside_only() {
        Folder folder, elsewhere;
        put(elsewhere / "arrays.h5", seed("arrays.h5"));
        fs::copy(elsewhere / "arrays.h5", folder / "arrays.h5");
        {
            auto file = Hdf5File::create(folder / "run.h5");
            file.link_external("/beside", "arrays.h5", "/forecast");
            file.link_external("/far", (elsewhere / "arrays.h5").string(), "/forecast");
            file.link_external("/up", "../" + elsewhere.path().filename().string() + "/arrays.h5",
                               "/forecast");
            file.close();
        }
        const auto readable = [&](const std::string& link) {
            const auto file = Hdf5File::open(folder / "run.h5");
            const auto message = error_of([&] { (void)file.children(link); });
            return file.exists(link) && message.empty();
        };
        QVERIFY(readable("/beside"));
        QVERIFY(!readable("/far"));
        QVERIFY(!readable("/up"));
        const auto here = fs::current_path();
        fs::current_path(elsewhere.path());  // where another run's may lie
        fs::remove(folder / "arrays.h5");
        const bool found_here = readable("/beside");
        fs::current_path(here);
        QVERIFY(!found_here);
        QCOMPARE(::mkfifo((folder / "arrays.h5").c_str(), 0600), 0);
        QVERIFY(!readable("/beside"));
        CASP_SAYS(error_of([&] { (void)Hdf5File::open(folder / "arrays.h5"); }),
                  "arrays.h5: this is a pipe; expected an HDF5 file. Runs write this file");
    }

    void arrays_of_another_run() {
        Folder folder;
        put(folder / "arrays.h5", seed("arrays.h5"));
        const auto errors = read_forecast_errors(folder / "arrays.h5", "test");
        QVERIFY(!errors.mse.empty());
        RunRecord record;
        const auto told = [&] {
            return error_of([&] { check_same_run(errors, record, "test", folder / "arrays.h5"); });
        };
        QCOMPARE(told(), std::string());  // what the run's error is is not known
        record.test.emplace();
        QCOMPARE(told(), std::string());
        record.test->mse = std::accumulate(errors.mse.begin(), errors.mse.end(), 0.0) /
                           static_cast<double>(errors.mse.size());
        QCOMPARE(told(), std::string());
        record.test->mse *= 1.0001;
        CASP_SAYS(told(), "arrays.h5, /forecast/test: the mean squared error of its windows is");
        record.val = record.test;
        record.test.reset();
        QCOMPARE(told(), std::string());  // its own split's is asked for
    }

    /// A file may name any filter; the code of one must not come from a folder of plug-ins.
    void no_filter_is_loaded() {
        Folder folder;
        put(folder / "arrays.h5", seed("arrays.h5"));
        (void)Hdf5File::open(folder / "arrays.h5");
        unsigned state = 1;
        QVERIFY(H5PLget_loading_state(&state) >= 0);
        QCOMPARE(state, 0U);
    }
};

TEST_MAIN_WITHOUT_GUI(TestBadRunFiles)
#include "test_bad_run_files.moc"
