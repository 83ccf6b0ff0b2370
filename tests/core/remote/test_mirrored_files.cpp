// The local copy of a remote folder: what is removed from it, and what is not.
#include <QTemporaryDir>
#include <QtTest>

#include "core/store/store_test.h"
#include "remote/mirrored_files.h"
#include "store/run_folder.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

class TestMirroredFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void copies_are_removed();
    void runs_that_were_not_copied_stay();

private:
    const QTemporaryDir place_;
    [[nodiscard]] fs::path folder() const { return place_.filePath("copy").toStdString(); }
};

void TestMirroredFiles::copies_are_removed() {
    remote::MirroredFiles files(folder());
    files.write("batch/run", "run.json", "{}", 1);
    files.write("batch/run", "run.h5", "numbers", 1);
    files.set_live("batch/run", true, "process 1 on login1");
    files.remove("batch/run", "run.h5");
    QVERIFY(!fs::exists(folder() / "batch/run/run.h5"));
    files.remove("batch/run");
    QVERIFY(!fs::exists(folder() / "batch"));
}

void TestMirroredFiles::runs_that_were_not_copied_stay() {
    remote::MirroredFiles files(folder());
    const auto running = folder() / "batch/running", interrupted = folder() / "batch/interrupted";
    for (const auto& run : {running, interrupted}) {
        fs::create_directories(run);
        store_test::put(run / "run.json", "{}");
    }
    fs::create_directories(interrupted / "last");
    const auto remove = [&](const fs::path& run) {
        const auto name = "batch/" + run.filename().string();
        files.remove(name, "run.json");
        files.remove(name);
        return !fs::exists(run / "run.json");
    };
    {
        const store::RunLock lock{store::RunFolder(running)};
        QVERIFY(!remove(running));
    }
    QVERIFY(!remove(interrupted));
    QVERIFY(remove(running));
}

TEST_MAIN_WITHOUT_GUI(TestMirroredFiles)
#include "test_mirrored_files.moc"
