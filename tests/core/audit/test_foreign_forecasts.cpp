// Forecasts of other code as files: folders of arrays, .npz and CSV, and those that cannot be read.
#include <archive.h>
#include <archive_entry.h>

#include <QTemporaryDir>
#include <QtTest>

#include "audit/foreign_forecasts.h"
#include "core/audit/npy_writer.h"
#include "core/data/helpers.h"

using namespace casp;
using data::input_message;
using test::Windows;
namespace fs = std::filesystem;

namespace {

Windows counted(std::size_t windows, std::size_t steps, std::size_t channels) {
    Windows array(windows, steps, channels);
    for (std::size_t i = 0; i < array.values.size(); ++i) array.values[i] = static_cast<double>(i);
    return array;
}

std::vector<double> window_of(const audit::WindowArray& array, std::int64_t window) {
    std::vector<double> values(static_cast<std::size_t>(array.horizon() * array.channels()));
    array.read(window, values);
    return values;
}

/// numpy.savez_compressed().
void write_npz(const fs::path& path, const std::vector<std::pair<std::string, std::string>>& arrays) {
    auto* file = archive_write_new();
    archive_write_set_format_zip(file);
    archive_write_open_filename(file, path.c_str());
    for (const auto& [name, bytes] : arrays) {
        auto* entry = archive_entry_new();
        archive_entry_set_pathname(entry, (name + ".npy").c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_write_header(file, entry);
        archive_write_data(file, bytes.data(), bytes.size());
        archive_entry_free(entry);
    }
    archive_write_free(file);
}

}  // namespace

class TestForeignForecasts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arrays_in_a_folder() {
        const auto folder = place("folder");
        const auto array = counted(5, 3, 2);
        test::write_bytes(folder / "pred.npy", test::npy_bytes(array));
        test::write_bytes(folder / "true.npy", test::npy_bytes(array, {.float64 = true, .fortran = true}));
        for (const auto& path : {folder, folder / "pred.npy"}) {
            const auto read = audit::read_foreign_forecasts(path);
            QVERIFY(read.truth && read.prediction.windows() == 5 && read.prediction.horizon() == 3 &&
                    read.prediction.channels() == 2);
            QVERIFY(window_of(read.prediction, 4) == (std::vector<double>{24, 25, 26, 27, 28, 29}));
            QVERIFY(window_of(*read.truth, 4) == window_of(read.prediction, 4));
        }
    }

    void arrays_in_an_archive() {
        const auto path = place("archive") / "forecasts.npz";
        fs::create_directories(path.parent_path());
        write_npz(path,
                  {{"pred", test::npy_bytes(counted(2, 2, 1))}, {"true", test::npy_bytes(counted(2, 2, 1))}});
        const auto read = audit::read_foreign_forecasts(path);
        QVERIFY(read.truth && window_of(*read.truth, 1) == (std::vector<double>{2, 3}));
        write_npz(path, {{"forecast", test::npy_bytes(counted(2, 2, 1))}});
        VERIFY_MESSAGE(input_message([&] { (void)audit::read_foreign_forecasts(path); }),
                       "its arrays are forecast; expected the arrays pred and true");
    }

    void one_channel_per_item() {
        audit::WindowArray array({5, 2, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        array.join_channels(2, 3);  // window 2 of the second channel is missing
        QCOMPARE(array.windows(), std::int64_t{2});
        QVERIFY(window_of(array, 1) == (std::vector<double>{2, 8, 3, 9}));
    }

    void rows_of_a_csv_file() {
        const auto read =
            csv("window,step,channel,prediction\n3,0,OT,1\n3,1,OT,2\n1,1,\"OT\",4\n1,0,OT,nan\n");
        QVERIFY(!read.truth);
        QVERIFY(read.channels == std::vector<std::string>{"OT"});
        QVERIFY(read.window_numbers == (std::vector<std::int64_t>{1, 3}));
        QVERIFY(std::isnan(window_of(read.prediction, 0)[0]) && window_of(read.prediction, 0)[1] == 4);
        QVERIFY(window_of(read.prediction, 1) == (std::vector<double>{1, 2}));
        const auto both = csv("true;Prediction;channel;step;window;more\r\n2;1;0;0;0;x\r\n\r\n");
        QVERIFY(both.truth && window_of(*both.truth, 0)[0] == 2 && window_of(both.prediction, 0)[0] == 1);
    }

    void bad_csv_files_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(message) << QString(text) << QString(message);
        };
        row("window,step,prediction\n0,0,1\n", "it has no column channel");
        row("window,step,channel,prediction\n", "it has no row of values");
        row("window,step,channel,prediction\n0,0,a,1\n0,0,a,2\n",
            ":3: window 0, step 0 and channel \"a\" occur twice");
        row("window,step,channel,prediction\n0,1,a,1\n", "window 0 has no step 0 of channel \"a\"");
        row("window,step,channel,prediction\n-1,0,a,1\n", ":2: column window: \"-1\" is not an index");
        row("window,step,channel,prediction\n0,0.5,a,1\n", ":2: column step: \"0.5\" is not an index");
        row("window,step,channel,prediction\n0,0,a,much\n",
            ":2: column prediction: \"much\" is not a number");
        row("window,step,channel,prediction\n0,9000000000,a,1\n",
            "window 0 has no step 0 of channel \"a\"; expected every");
        row("window,step,channel,prediction\n0,9000000000000000000,a,1\n",
            "\"9000000000000000000\" is not an index");
    }
    void bad_csv_files() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        VERIFY_MESSAGE(input_message([&] { (void)csv(text.toStdString()); }), message.toStdString());
    }

    void bad_arrays() {
        const auto folder = place("bad");
        const auto message = [&] {
            return input_message([&] { (void)audit::read_foreign_forecasts(folder); });
        };
        fs::create_directories(folder);
        VERIFY_MESSAGE(message(), "it has no .npy file; expected pred.npy and true.npy");
        test::write_bytes(folder / "metrics.npy", test::npy_bytes(counted(1, 1, 1)));
        VERIFY_MESSAGE(message(), "it has only metrics.npy");
        test::write_bytes(folder / "pred.npy", test::npy_bytes(counted(3, 2, 2)));
        test::write_bytes(folder / "true.npy", test::npy_bytes(counted(3, 3, 2)));
        VERIFY_MESSAGE(message(), "the predictions have the shape [3, 2, 2] and the truths [3, 3, 2]");
        test::write_bytes(folder / "true.npy", test::npy_bytes(counted(0, 3, 2)));
        VERIFY_MESSAGE(message(), "it is empty: [0, 3, 2]");
        const auto whole = test::npy_bytes(counted(3, 2, 2));
        test::write_bytes(folder / "true.npy", whole.substr(0, whole.size() - 1));
        VERIFY_MESSAGE(message(), "its size does not match its shape");
        auto pickled = whole;
        pickled.replace(pickled.find("<f4"), 3, "|O'");
        test::write_bytes(folder / "true.npy", pickled);
        VERIFY_MESSAGE(message(), "pickled Python objects");
        VERIFY_MESSAGE(input_message([&] { (void)audit::read_foreign_forecasts(place("nothing")); }),
                       "nothing");
    }

private:
    [[nodiscard]] fs::path place(const char* name) const {
        return fs::path(dir_.path().toStdString()) / name;
    }
    [[nodiscard]] audit::ForeignForecasts csv(const std::string& text) const {
        const auto path = place("forecasts.csv");
        test::write_bytes(path, text);
        return audit::read_foreign_forecasts(path);
    }
    QTemporaryDir dir_;
};

QTEST_APPLESS_MAIN(TestForeignForecasts)
#include "test_foreign_forecasts.moc"
