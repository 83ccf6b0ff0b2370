// Forecasts of other code as files: folders of arrays, .npz and CSV, and those that cannot be read.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include <QTemporaryDir>
#include <QtTest>

#include "audit/foreign_forecasts.h"
#include "audit/window_array.h"
#include "core/audit/npy_writer.h"
#include "core/data/helpers.h"
#include "test_program.h"

using namespace casp;
using casp::test::Windows;
using data::input_message;
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
        array.join({0, 3, 1, 4}, 2);
        QCOMPARE(array.windows(), std::int64_t{2});
        QVERIFY(window_of(array, 1) == (std::vector<double>{2, 8, 3, 9}));
    }

    /// Whatever the order of the axes in the file, and wherever the values of a window are.
    void axes_in_any_order() {
        const auto array = counted(5, 3, 2);
        const auto folder = place("axes");
        std::array<std::size_t, 3> order{0, 1, 2};
        do {
            test::write_bytes(folder / "pred.npy", test::npy_transposed(array, order));
            auto read = audit::read_foreign_forecasts(folder).prediction;
            const auto axis_of = [&](std::size_t which) {
                return static_cast<int>(std::find(order.begin(), order.end(), which) - order.begin());
            };
            read.set_axes({axis_of(0), axis_of(1), axis_of(2)});
            for (std::int64_t w = 0; w < 5; ++w)
                for (std::size_t i = 0; i < 6; ++i)
                    QCOMPARE(window_of(read, w)[i], static_cast<double>(6 * w) + static_cast<double>(i));
        } while (std::next_permutation(order.begin(), order.end()));
    }

    /// The sizes that the data set expects decide, if they can.
    void axes_by_their_sizes_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<int>("horizon");
        QTest::addColumn<QList<int>>("read");  // windows, horizon, channels; empty: an error
        const auto row = [](const char* name, const QList<int>& shape, int horizon, const QList<int>& read) {
            QTest::newRow(name) << shape << horizon << read;
        };
        // A test split of 60 rows: 49 windows at horizon 12, of 3 channels.
        row("usual", {49, 12, 3}, 12, {49, 12, 3});
        row("channels before steps", {49, 3, 12}, 12, {49, 12, 3});
        row("without the last batch", {32, 3, 12}, 12, {32, 12, 3});
        row("channels first", {3, 49, 12}, 12, {49, 12, 3});
        row("steps first", {12, 49, 3}, 12, {49, 12, 3});
        row("another horizon", {37, 3, 24}, 12, {37, 24, 3});
        row("another horizon, as usual", {37, 24, 3}, 12, {37, 24, 3});
        row("unknown horizon", {49, 3, 12}, 0, {49, 12, 3});
        row("too many channels", {49, 12, 5}, 12, {49, 12, 5});
        row("as many steps as channels", {58, 3, 3}, 3, {58, 3, 3});
        row("one channel", {49, 12}, 12, {49, 12, 1});
        row("one channel, turned", {12, 49}, 12, {49, 12, 1});
        row("one channel in the middle", {49, 1, 12}, 12, {49, 12, 1});
        row("an axis more", {49, 12, 3, 1}, 12, {49, 12, 3});
        row("batches of one", {49, 1, 12, 3}, 12, {49, 12, 3});
        row("an axis before", {1, 49, 3, 12}, 12, {49, 12, 3});
        row("two axes more", {1, 49, 12, 3, 1}, 12, {49, 12, 3});
        row("batches", {7, 7, 12, 3}, 12, {});
        row("an axis more, other sizes", {49, 7, 5, 1}, 12, {});
        row("doubt", {3, 12, 12}, 0, {});
    }
    void axes_by_their_sizes() {
        QFETCH(QList<int>, shape);
        QFETCH(int, horizon);
        QFETCH(QList<int>, read);
        const std::vector<std::size_t> extents(shape.begin(), shape.end());
        const auto count = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        const auto folder = place("sizes");
        test::write_bytes(folder / "pred.npy",
                          test::npy_bytes(extents, std::vector<double>(static_cast<std::size_t>(count), 1)));
        std::string note;
        const auto arranged = [&] {
            auto array = audit::read_foreign_forecasts(folder).prediction;
            note = audit::arrange_axes(array, {60, horizon, 3});
            return array;
        };
        if (read.isEmpty()) {
            const auto message = input_message([&] { (void)arranged(); });
            for (const char* part : {"its shape is [", "[windows, horizon, channels]"})
                VERIFY_MESSAGE(message, part);
            return;
        }
        const auto array = arranged();
        QCOMPARE((QList<int>{static_cast<int>(array.windows()), static_cast<int>(array.horizon()),
                             static_cast<int>(array.channels())}),
                 read);
        const bool usual = shape == read || (shape.size() == 2 && shape[0] == read[0]);
        QVERIFY2(note.empty() == usual, note.c_str());
        if (!usual) QVERIFY2(note.find("has the shape [") != std::string::npos, note.c_str());
    }

    void half_precision() {
        const auto folder = place("half");
        Windows array(2, 3, 1);
        array.values = {1.0 / 3, -2.5, 65504, 6e-8, 1e5, std::nan("")};
        for (const bool big : {false, true}) {
            test::write_bytes(folder / "pred.npy", test::npy_bytes(array, {.big = big, .half = true}));
            const auto read = audit::read_foreign_forecasts(folder).prediction;
            QVERIFY(read.is_half());
            QVERIFY(window_of(read, 0) == (std::vector<double>{1365.0 / 4096, -2.5, 65504}));
            const auto last = window_of(read, 1);
            QVERIFY(last[0] == std::ldexp(1, -24) && std::isinf(last[1]) && std::isnan(last[2]));
        }
    }

    /// Named with the line of Python that converts them, and not read.
    void pickled_objects_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<QString>("line");
        QTest::newRow("batches") << QList<int>{22} << "numpy.concatenate([numpy.atleast_1d(x) for x in %1])";
        QTest::newRow("numbers") << QList<int>{5, 3, 2} << "numpy.save(\"%2\", %1.astype(\"float64\"))";
        QTest::newRow("a dictionary") << QList<int>{} << "numpy.asarray(%1.item()[\"pred\"], \"float64\")";
    }
    void pickled_objects() {
        QFETCH(QList<int>, shape);
        QFETCH(QString, line);
        const auto file = place("pickled") / "pred.npy";
        test::write_bytes(file, test::npy_start({shape.begin(), shape.end()}, "|O") + "\x80\x04]\x94.");
        const auto message = input_message([&] { (void)audit::read_foreign_forecasts(file); });
        const auto load = "numpy.load(\"" + QString::fromStdString(file.string()) + "\", allow_pickle=True)";
        VERIFY_MESSAGE(message, line.arg(load, QString::fromStdString(file.string())).toStdString());
        VERIFY_MESSAGE(message, "pickled Python objects, which are not read");
    }

    /// Objects beside the arrays are nobody's concern.
    void pickled_objects_in_an_archive() {
        const auto path = place("objects") / "forecasts.npz";
        fs::create_directories(path.parent_path());
        const auto objects = test::npy_start({}, "|O") + "\x80\x04}\x94.";
        write_npz(path, {{"settings", objects}, {"pred", test::npy_bytes(counted(2, 2, 1))}});
        QVERIFY(window_of(audit::read_foreign_forecasts(path).prediction, 1) == (std::vector<double>{2, 3}));
        write_npz(path, {{"pred", objects}});
        VERIFY_MESSAGE(input_message([&] { (void)audit::read_foreign_forecasts(path); }),
                       "**{**z, \"pred\": numpy.asarray(z[\"pred\"].item()[\"pred\"], \"float64\")}");
        test::write_bytes(path, "\x80\x04}\x94.");
        VERIFY_MESSAGE(input_message([&] { (void)audit::read_foreign_forecasts(path); }), "numpy.savez(");
    }

    /// As --export and Nixtla's libraries write forecasts, in any order of rows and columns.
    void rows_with_times() {
        const auto read =
            csv("y,ds,unique_id,cutoff,DLinear-lo-80,DLinear,index\n"
                "4,2020-01-01 03:00:00,a,2020-01-01 01:00:00,0,40,0\n3,2020-01-01 02:00:00,a,2020-01-01 "
                "01:00:00,0,30,0\n2,2020-01-01 02:00:00,a,2020-01-01 00:00:00,0,20,0\n"
                "1,2020-01-01 01:00:00,a,2020-01-01 00:00:00,0,10,0\n"
                "5,2020-01-01 01:00:00,b,2020-01-01 00:00:00,0,50,0\n6,2020-01-01 02:00:00,b,2020-01-01 "
                "00:00:00,0,60,0\n7,2020-01-01 02:00:00,b,2020-01-01 01:00:00,0,70,0\n"
                "8,2020-01-01 03:00:00,b,2020-01-01 01:00:00,0,80,0\n");
        QVERIFY(read.truth && read.in_original_units && read.window_numbers.empty());
        QVERIFY(read.channels == (std::vector<std::string>{"a", "b"}));
        QVERIFY(window_of(*read.truth, 0) == (std::vector<double>{1, 5, 2, 6}));
        QVERIFY(window_of(read.prediction, 1) == (std::vector<double>{30, 70, 40, 80}));
        const auto rows = csv("unique_id,ds,cutoff,y,m\na,11,10,1,2\na,10,9,3,4\n");
        QVERIFY(window_of(rows.prediction, 0)[0] == 4 && window_of(rows.prediction, 1)[0] == 2);
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
        row("unique_id,ds,y,m\na,1,2,3\n", "it has no column cutoff");
        row("unique_id,ds,cutoff,y\na,1,0,2\n", "it has no column of forecasts");
        row("unique_id,ds,cutoff,y,m,n\na,1,0,2,3,4\n", "it has the forecasts of several models: m, n");
        row("unique_id,ds,cutoff,y,m\na,soon,0,2,3\n", ":2: column ds: \"soon\" is no time");
        row("unique_id,ds,cutoff,y,m\na,1,0,2,3\na,1,0,2,3\n",
            ":3: window 0, step 0 and channel \"a\" occur");
        row("unique_id,ds,cutoff,y,m\na,1,0,2,3\nb,2,0,2,3\n", "window 0 has no step 0 of channel \"b\"");
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

TEST_MAIN_WITHOUT_GUI(TestForeignForecasts)
#include "test_foreign_forecasts.moc"
