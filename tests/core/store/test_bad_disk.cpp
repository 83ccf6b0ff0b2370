// A disk that is full at one write only: HDF5 must not swallow it.
#include <sys/resource.h>
#include <csignal>

#include <QtTest>

#include "core/store/store_test.h"
#include "store/run_file.h"
#include "test_program.h"

using namespace casp::store;
using store_test::error_of;
using store_test::Folder;

namespace {

/// A forecast of some kB in each data set.
void write_arrays(const std::filesystem::path& folder) {
    constexpr std::size_t windows = 60;
    ArraysWriter writer(folder);
    writer.begin_forecast("test", 4, 2, 1);
    const std::vector<float> values(windows * 4 * 2, 1.5F);
    const std::vector<float> errors(windows * 2, 0.5F);
    const std::vector<std::int64_t> start(windows, 7);
    const std::vector<std::int32_t> selected(windows * 2, 3);
    writer.append_forecast("test", windows, values, values, errors, errors, start, selected);
    writer.finish();
}

}  // namespace

class TestBadDisk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The limit of a file's size stands for the disk: whatever does not fit any more is told, wherever HDF5
    /// writes it.
    void every_size() {
        Folder folder;
        write_arrays(folder.path());
        const auto whole = std::filesystem::file_size(folder / "arrays.h5");
        std::filesystem::remove(folder / "arrays.h5");
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        int refused = 0;
        for (std::uintmax_t size = 0; size < whole; size += whole / 97 + 1) {
            rlimit limit = before;
            limit.rlim_cur = size;
            QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
            const auto message = error_of([&] { write_arrays(folder.path()); });
            ::setrlimit(RLIMIT_FSIZE, &before);
            QVERIFY2(message.starts_with("run: ") && store_test::contains(message, "File too large") &&
                         !store_test::contains(message, "\n"),
                     qPrintable(QString("%1 bytes: %2").arg(size).arg(message.c_str())));
            QVERIFY(!std::filesystem::exists(folder / "arrays.h5"));
            QVERIFY2(std::filesystem::is_empty(folder.path()),
                     qPrintable(QString("%1 bytes: a temporary was left behind").arg(size)));
            ++refused;
        }
        QVERIFY(refused > 90);
        QCOMPARE(error_of([&] { write_arrays(folder.path()); }), std::string());
        QCOMPARE(read_forecast(folder / "arrays.h5", "test").start, std::vector<std::int64_t>(60, 7));
    }
};

TEST_MAIN_WITHOUT_GUI(TestBadDisk)
#include "test_bad_disk.moc"
