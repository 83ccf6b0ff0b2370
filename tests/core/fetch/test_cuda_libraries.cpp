// --fetch cuda: what the program adds to packaging/fetch_libtorch.sh, which tests/packaging tests with small
// wheels.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stop_token>
#include <thread>

#include <QtTest>

#include "core/store/store_test.h"
#include "fetch/cuda_libraries.h"
#include "test_program.h"
#include "util/embedded.h"
#include "util/error.h"
#include "util/progress.h"

using namespace casp;
using namespace casp::fetch;
using namespace store_test;
namespace fs = std::filesystem;

class TestCudaLibraries : public QObject {
    Q_OBJECT

    Folder folder_;

    /// The stamp that fetch_libtorch.sh writes for a list: its requirements without sizes.
    static std::string stamp_of(std::string_view list) {
        std::istringstream lines{std::string(list)};
        std::string stamp;
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && line.front() != '#') stamp += line.substr(0, line.find("  #")) + "\n";
        return stamp;
    }

    static void complete(const char* stamp, const char* list) {
        fs::create_directories(cuda_folder());
        std::ofstream(cuda_folder() / stamp, std::ios::binary) << stamp_of(embedded_file(list));
    }

    /// What fetching reports; nothing of the attempt stays.
    [[nodiscard]] static QString failure() {
        QString reason;
        try {
            (void)fetch_cuda_libraries({});
            reason = "fetched";
        } catch (const Error& error) {
            reason = error.kind() == ErrorKind::run ? error.what() : "another kind of error";
        }
        for (const auto& entry : fs::directory_iterator(cuda_folder().parent_path()))
            if (entry.path().filename().string().starts_with(".fetch-cuda")) reason = "scripts are left";
        return reason;
    }

private Q_SLOTS:
    void init() {
        const auto cache = folder_ / "cache";
        fs::remove_all(cache);
        qputenv("XDG_CACHE_HOME", cache.c_str());
        qputenv("PIP_CONFIG_FILE", "/dev/null");
        qputenv("PIP_NO_INDEX", "1");
        QVERIFY(cuda_folder().string().starts_with(cache.string()) &&
                cuda_folder().filename().string().starts_with("libtorch-2."));
    }

    void complete_libraries_are_not_downloaded() {
        QVERIFY(!has_cuda_libraries(cuda_folder()));
        complete("complete", "packaging/libtorch.txt");
        QVERIFY(!has_cuda_libraries(cuda_folder()));
        complete("complete-cuda", "packaging/libtorch-cuda.txt");
        QVERIFY(has_cuda_libraries(cuda_folder()));
        QCOMPARE(fetch_cuda_libraries({}), cuda_folder());
    }

    void no_package_index() {
        const auto reason = failure();
        QVERIFY2(reason.contains("the download of nvidia-cuda-runtime==") &&
                     reason.contains("no package index has"),
                 qPrintable(reason));
        QVERIFY(!has_cuda_libraries(cuda_folder()));
    }

    /// A pip that does not end, as one on a slow line.
    void cancelled_at_once() {
        const auto programs = folder_ / "programs";
        fs::create_directories(programs);
        std::ofstream(programs / "python3") << "#!/bin/sh\ncase \"$*\" in *download*) sleep 600 ;; esac\n";
        fs::permissions(programs / "python3", fs::perms::owner_all);
        const auto path = qgetenv("PATH");
        qputenv("PATH", QByteArray(programs.c_str()) + ":" + path);
        std::stop_source stop;
        std::jthread user([&] {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            stop.request_stop();
        });
        QElapsedTimer clock;
        clock.start();
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)fetch_cuda_libraries(stop.get_token()));
        QVERIFY(clock.elapsed() < 300000);  // not the ten minutes of the download
        qputenv("PATH", path);
    }
};

TEST_MAIN_WITHOUT_GUI(TestCudaLibraries)
#include "test_cuda_libraries.moc"
