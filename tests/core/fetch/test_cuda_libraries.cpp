// --fetch cuda: small wheels from a package index of this machine.

#include <filesystem>
#include <fstream>

#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

#include "core/store/store_test.h"
#include "fetch/cuda_libraries.h"
#include "util/digest.h"
#include "util/error.h"

using namespace casp;
using namespace casp::fetch;
using namespace store_test;
namespace fs = std::filesystem;

class TestCudaLibraries : public QObject {
    Q_OBJECT

    Folder folder_;
    QProcess server_;
    WheelSource source_;

    /// Two wheels and the index's pages for them, as PEP 503 describes them.
    void make_index() {
        QProcess python;
        python.start(QStringLiteral("python3"),
                     {QStringLiteral(CASP_SOURCE_DIR "/tests/core/fetch/make_index.py"),
                      QString::fromStdString(folder_.path().string())});
        QVERIFY(python.waitForFinished(60000));
        QCOMPARE(python.exitCode(), 0);
    }

    [[nodiscard]] std::string line(const std::string& name) const {
        const auto file = folder_ / "simple" / name / "w.whl";
        return name + "==1.0 --hash=sha256:" + sha256_of_file(file) + "  # " +
               std::to_string(fs::file_size(file)) + " 100\n";
    }

    std::vector<std::string> fetch_all(const WheelSource& source) {
        std::vector<std::string> notes;
        (void)fetch_cuda_libraries(source, {}, [&](const std::string& note) { notes.push_back(note); }, {});
        return notes;
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("no_proxy", "127.0.0.1");
        make_index();
        server_.setWorkingDirectory(QString::fromStdString(folder_.path().string()));
        server_.start(QStringLiteral("python3"),
                      {QStringLiteral("-u"), QStringLiteral("-m"), QStringLiteral("http.server"),
                       QStringLiteral("--bind"), QStringLiteral("127.0.0.1"), QStringLiteral("0")});
        QVERIFY(server_.waitForReadyRead(30000));
        const auto port = QRegularExpression(QStringLiteral("port (\\d+)"))
                              .match(QString::fromUtf8(server_.readAll()))
                              .captured(1);
        QVERIFY(!port.isEmpty());
        source_ = {{"# LibTorch\n" + line("torch"), "# CUDA\n# more\n" + line("nvidia-blas")},
                   "http://127.0.0.1:" + port.toStdString() + "/simple",
                   folder_ / "cache" / "libtorch-1"};
    }

    void cleanupTestCase() {
        server_.kill();
        server_.waitForFinished();
    }

    void what_programs_and_builds_need() {
        QVERIFY(!has_cuda_libraries(source_.folder));
        QCOMPARE(fetch_all(source_).size(), std::size_t{4});
        QVERIFY(has_cuda_libraries(source_.folder));
        QCOMPARE(bytes_of(source_.folder / "torch/lib/libtorch_cpu.so"),
                 std::string("content of torch/lib/libtorch_cpu.so"));
        for (const char* there :
             {"torch/include/a.h", "nvidia/cu13/lib/libcublas.so.13", "torch-2.dist-info/licenses/LICENSE"})
            QVERIFY2(fs::exists(source_.folder / there), there);
        for (const char* missing : {"torch/lib/libtorch_python.so", "torch/nn",
                                    "nvidia/cu13/lib/libcublas_static.a", "nvidia/__init__.py"})
            QVERIFY2(!fs::exists(source_.folder / missing), missing);
        // Nothing of the downloads stays, and nothing is done again.
        QVERIFY(!fs::exists(folder_ / "cache" / ".libtorch-1.part"));
        QVERIFY(fetch_all(source_).empty());
        // The stamps are those of packaging/fetch_libtorch.sh: requirements without sizes.
        const auto stamp = line("torch");
        QCOMPARE(bytes_of(source_.folder / "complete"), stamp.substr(0, stamp.find("  #")) + "\n");
    }

    void only_the_missing_list() {
        fs::remove(source_.folder / "complete-cuda");
        fs::remove(source_.folder / "nvidia/cu13/lib/libcublas.so.13");
        QCOMPARE(fetch_all(source_).size(), std::size_t{2});
        QVERIFY(fs::exists(source_.folder / "nvidia/cu13/lib/libcublas.so.13"));
    }

    /// A home folder on another disk.
    void a_cache_behind_a_link() {
        auto linked = source_;
        fs::create_directory_symlink(folder_ / "cache", folder_ / "linked");
        linked.folder = folder_ / "linked" / "libtorch-3";
        QCOMPARE(fetch_all(linked).size(), std::size_t{4});
        QVERIFY(fs::exists(folder_ / "cache/libtorch-3/torch/lib/libtorch_cpu.so"));
    }

    void bad_sources() {
        auto other = source_;
        other.folder = folder_ / "cache" / "libtorch-2";
        // Another digest than the index has.
        auto& list = other.lists.front();
        list.replace(list.find("sha256:") + 7, 4, "0000");
        QVERIFY_THROWS_EXCEPTION(Error, (void)fetch_all(other));
        try {
            (void)fetch_all(other);
            QFAIL("it was fetched");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::input);
            QVERIFY2(QString::fromUtf8(error.what()).contains("PIP_INDEX_URL"), error.what());
        }
        QVERIFY(!has_cuda_libraries(other.folder));
        list = "# LibTorch\nno-such==1.0 --hash=sha256:00  # 1 1\n";
        QVERIFY_THROWS_EXCEPTION(Error, (void)fetch_all(other));
    }

    void the_pinned_lists() {
        const auto source = cuda_source();
        QVERIFY(source.lists[0].find("\ntorch==") != std::string::npos);
        QVERIFY(source.lists[1].find("\nnvidia-cublas==") != std::string::npos);
        QVERIFY(source.folder.filename().string().starts_with("libtorch-2."));
        qputenv("PIP_INDEX_URL", "https://mirror.example/simple/");
        QCOMPARE(cuda_source().index, std::string("https://mirror.example/simple"));
        qunsetenv("PIP_INDEX_URL");
        QCOMPARE(cuda_source().index, std::string("https://pypi.org/simple"));
    }
};

QTEST_GUILESS_MAIN(TestCudaLibraries)
#include "test_cuda_libraries.moc"
